"""The compiled chain of a vehicle against its parts in Python: same motion, log, failures and checkpoints."""

import re
from dataclasses import replace

import numpy as np
import pytest

from remora.logs import read_log
from remora.run.loop.errors import LoopError
from remora.run.loop.loop import Loop, run
from remora.run.setup import Setup
from remora.scenarios import read_scenario, scenario_from_text
from remora.scenarios.library import scenario_names, scenario_path

MISSIONS = {"tunnel": "_chain", "real_tunnel": "_every_step"}
FILTER = "navigation: {part: filter, rate: 100 Hz} # attitude, gyros and DVL"
INSTRUMENTS = """navigation:
      part: instruments
      rate: 400 Hz
      attitude: ahrs
      rates: gyro
      velocity: dvl"""


def mission_text(name: str) -> str:
    """A bundled mission; the real tunnel by its instruments in place of its filter."""
    return scenario_path(name).read_text().replace(FILTER, INSTRUMENTS)


def mission(name: str) -> Setup:
    return scenario_from_text(mission_text(name))


@pytest.fixture(scope="module", params=MISSIONS)
def logs(request, tmp_path_factory):
    """A mission with the chain and without it."""
    folder, setup = tmp_path_factory.mktemp("chain"), mission(request.param)
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
        difference[np.isnan(one.table()) & np.isnan(other.table())] = 0.0
        assert difference[one.time_ns <= 20_000_000_000].max(initial=0.0) < 1e-12
        assert difference.max(initial=0.0) < 1e-6
    assert [event.text for event in chain.events] == [event.text for event in parts.events]


@pytest.mark.parametrize(
    "name", [name for name in scenario_names() if "pseudo_inverse" in scenario_path(name).read_text()]
)
def test_missions_with_a_compiled_form_are_those_that_are_compared(name):
    vehicle = Loop(mission(name)).vehicles[0]
    found = [kind for kind in ("_chain", "_every_step") if getattr(vehicle, kind) is not None]
    assert found == ([MISSIONS[name]] if name in MISSIONS else [])


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


@pytest.mark.parametrize("name", MISSIONS)
def test_a_run_in_the_chain_goes_on_from_any_step_as_if_it_had_not_stopped(name):
    setup = mission(name)
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
        assert loop.vehicles[0].estimate == whole.vehicles[0].estimate
        assert loop.vehicles[0].sensors.readings == whole.vehicles[0].sensors.readings


@pytest.mark.parametrize("name", MISSIONS)
def test_a_state_that_fails_within_the_chain_is_reported_at_its_own_time(name):
    """An infinite speed within a chunk of the chain: the parts in Python name the same time."""
    messages = []
    for compiled in (True, False):
        loop = Loop(replace(mission(name), compiled=compiled))
        loop.advance(101)
        loop.vehicles[0].motion.state[7] = 1e200
        with pytest.raises(LoopError) as caught:
            loop.advance(200)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


@pytest.mark.parametrize("name", MISSIONS)
def test_a_wrench_that_limits_take_is_missing_behind_the_chain_as_without_it(name):
    """Asked for an absurd speed, with soft gains: the integral of the tunnel controller rests in compiled code too."""
    text = re.sub("surge: [0-9.]+ m/s", "surge: 2000 m/s", mission_text(name))
    loops = [Loop(replace(scenario_from_text(text), compiled=compiled)) for compiled in (True, False)]
    for loop in loops:
        loop.advance(209)
    chain, parts = (loop.vehicles[0] for loop in loops)
    assert chain._chain is not None or chain._every_step is not None
    assert parts.actuators.missing[0] > 1.0
    assert chain.actuators.missing == pytest.approx(parts.actuators.missing, abs=1e-9)
    assert np.abs(chain.state - parts.state).max() < 1e-12


def test_slower_parts_get_every_reading_of_the_chain_in_the_order_of_arrival():
    """A user-defined part beside the chain sees the same new readings as without it."""
    found = []
    for compiled in (True, False):
        loop = Loop(replace(mission("real_tunnel"), compiled=compiled))
        loop.advance(215)
        slow = [part for part in loop.vehicles[0].parts.parts if part.period > 1]
        assert slow
        found.append([[(r.sensor, r.stamp_ns, r.arrival_ns, r.status) for r in part.new_readings] for part in slow])
    assert found[0] == found[1]
    assert len(found[0][0]) == 28  # of two sensors at 14 steps, after the slow step 200


def test_a_velocity_that_grows_too_old_leaves_the_chain_of_the_cascade_as_it_is():
    """The latest DVL reading expires between two slow steps: the cascade acts by attitude and turn rates alone."""
    text = mission_text("real_tunnel").replace("rate: 20 Hz\n    navigation", "rate: 1 Hz\n    navigation")
    text = text.replace("velocity: dvl", "velocity: dvl\n      max_age: {velocity: 1.2 s}")
    states, torques = [], []
    for compiled, end in ((True, 391), (False, 391), (True, 398), (False, 398)):
        loop = Loop(replace(scenario_from_text(text), compiled=compiled))
        loop.advance(385)
        navigation = loop.vehicles[0].parts.parts[0]
        attitude, rates, (_, values) = navigation.state.latest
        navigation.state = navigation.state._replace(latest=(attitude, rates, (975_000_000 - 1_200_000_000, values)))
        loop.advance(end)
        torques.append(loop.vehicles[0].wrench[3:])
        states.append(loop.vehicles[0].state)
    for with_chain, without in (torques[:2], torques[2:]):
        assert with_chain == pytest.approx(without, rel=1e-9)
        assert any(with_chain)
    assert np.abs(states[0] - states[1]).max() < 1e-12
    assert np.abs(states[2] - states[3]).max() < 1e-12


def test_compiled_measurements_give_the_bits_of_python():
    """Without a chain only the measurements of single samples are compiled: inertial unit, DVL and others."""
    setup = read_scenario("falcon_boathouse")
    found = []
    for compiled in (True, False):
        loop = Loop(replace(setup, compiled=compiled))
        prepared = {one.name for one in loop.vehicles[0].sensors.running if one.prepared is not None}
        assert ("imu" in prepared and "dvl" in prepared) is compiled
        loop.advance(150)
        found.append(repr((loop.vehicles[0].state.tolist(), dict(loop.vehicles[0].sensors.readings))))  # NaN is equal
    assert found[0] == found[1]
