"""The compiled chain of a vehicle against its parts in Python: same motion, log, failures and checkpoints."""

import re
from dataclasses import replace

import numpy as np
import pytest

from remora.logs import read_log
from remora.simulation.loop.loop import Loop, run
from remora.simulation.loop.loop_error import LoopError
from remora.simulation.scenarios import read_scenario, scenario_from_text
from remora.simulation.scenarios.library import scenario_path


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """The tunnel mission with the chain and without it."""
    folder, setup = tmp_path_factory.mktemp("chain"), read_scenario("tunnel")
    for compiled in (True, False):
        run(replace(setup, compiled=compiled), folder / f"{compiled}.mcap")
    return [read_log(folder / f"{compiled}.mcap") for compiled in (True, False)]


def test_the_compiled_chain_gives_the_log_of_the_parts_in_python(logs):
    chain, parts = logs
    assert list(chain.channels) == list(parts.channels)
    for name in chain.channels:
        one, other = chain[name], parts[name]
        assert np.array_equal(one.time_ns, other.time_ns)
        difference = np.abs(one.table() - other.table())
        assert difference[one.time_ns <= 20_000_000_000].max(initial=0.0) < 1e-12
        assert difference.max(initial=0.0) < 1e-6
    assert [event.text for event in chain.events] == [event.text for event in parts.events]


def test_sensors_between_the_samples_of_slower_parts_are_sampled_on_time():
    text = scenario_path("tunnel").read_text()
    setup = scenario_from_text(re.sub("^        rate: 20 Hz", "        rate: 50 Hz", text, flags=re.MULTILINE))
    chain, parts = Loop(setup), Loop(replace(setup, compiled=False))
    for loop in (chain, parts):
        loop.advance(1000)
    assert chain.vehicles[0]._chain is not None
    stamps = [
        {name: reading.stamp_ns for name, reading in loop.vehicles[0].sensors.readings.items()}
        for loop in (chain, parts)
    ]
    assert stamps[0] == stamps[1]
    assert np.abs(chain.vehicles[0].state - parts.vehicles[0].state).max() < 1e-12


def test_the_tunnel_mission_runs_in_the_chain_and_compiled_false_turns_it_off():
    assert Loop(read_scenario("tunnel")).vehicles[0]._chain is not None
    text = scenario_path("tunnel").read_text()
    assert Loop(scenario_from_text(f"compiled: false\n{text}")).vehicles[0]._chain is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("allocation: {part: pseudo_inverse", "allocation: {part: bounded"),
        ("navigation: {part: truth, rate: 400 Hz}", "navigation: {part: truth, rate: 200 Hz}"),
        ("duration:", "faults: [{fault: current, change: [0.1 m/s, 0, 0], at: 5 s}]\nduration:"),
    ],
    ids=["bounded", "slower navigation", "faults"],
)
def test_a_vehicle_without_a_compiled_form_runs_as_python(old, new):
    text = scenario_path("tunnel").read_text()
    assert text.count(old) == 1
    assert Loop(scenario_from_text(text.replace(old, new))).vehicles[0]._chain is None


def test_a_run_in_the_chain_goes_on_from_any_step_as_if_it_had_not_stopped():
    setup = read_scenario("tunnel")
    whole, first = Loop(setup), Loop(setup)
    whole.advance(2000)
    first.advance(1237)
    snapshot = first.snapshot()
    first.advance(2000)
    second = Loop(setup)
    second.restore(snapshot)
    second.advance(2000)
    for loop in (first, second):
        assert np.array_equal(loop.vehicles[0].state, whole.vehicles[0].state)
        assert loop.vehicles[0].wrench == whole.vehicles[0].wrench


def test_a_state_that_fails_within_the_chain_is_reported_at_its_own_time():
    """An infinite speed within a chunk of the chain: the parts in Python name the same time."""
    messages = []
    for compiled in (True, False):
        loop = Loop(replace(read_scenario("tunnel"), compiled=compiled))
        loop.advance(101)
        loop.vehicles[0].motion.state[7] = 1e200
        with pytest.raises(LoopError) as caught:
            loop.advance(200)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
