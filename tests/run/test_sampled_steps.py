"""Steps and samples between two ticks of the parts in one compiled call: the bits of single steps in Python."""

import re
from dataclasses import replace

import numpy as np
import pytest

from remora.logs import read_log
from remora.run.loop.errors import LoopError
from remora.run.loop.loop import Loop, run
from remora.run.setup import Setup
from remora.scenarios import read_scenario, scenario_from_text
from remora.scenarios.library import scenario_path

FALCON_FAULTS = """faults:
      - {fault: dropped, of: imu, share: 0.1, at: 1 s, until: 3 s}
      - {fault: garbage, of: compass, gives: nan, at: 1 s, until: 2 s}
      - {fault: out_of_order, of: pressure, at: 1.5 s}
      - {fault: dead, of: stern_starboard, at: 2 s}
      - {fault: off, of: dvl, at: 3 s, until: 4 s}
    navigation:"""
TUNNEL_FAULTS = """faults:
      - {fault: frozen, of: ahrs, at: 1 s, until: 1.1 s}
      - {fault: dropped, of: gyro, share: 0.2, at: 2 s}
    navigation:"""


def mission(name: str, duration: str, *changes: tuple[str, str]) -> Setup:
    text = re.sub("^duration: .*$", f"duration: {duration}", scenario_path(name).read_text(), flags=re.MULTILINE)
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return scenario_from_text(text)


MISSIONS = {
    "delays, drives and a calm surface": lambda: mission("falcon_adaptive", "6 s"),
    "faults of sensors and a thruster": lambda: mission(
        "falcon_pid", "5 s", ("navigation:", FALCON_FAULTS.replace("stern_starboard", falcon_thruster()))
    ),
    "rates that are no fraction of the step": lambda: mission(
        "falcon_pid",
        "3 s",
        ("sensors: [imu, compass,", "sensors: [{from: imu, rate: 130 Hz}, {from: compass, rate: 7 Hz},"),
    ),
    "cascade under a filter": lambda: mission("real_tunnel", "2.5 s"),
    "cascade with faults of its sensors": lambda: mission("real_tunnel", "2.5 s", ("navigation:", TUNNEL_FAULTS)),
    "fins and a dive from the surface": lambda: mission("remus_dive", "20 s"),
    "without a filter": lambda: mission("pilot_hold", "5 s"),
}


def falcon_thruster() -> str:
    return read_scenario("falcon_pid").vehicles[0].plant.vehicle.parameters.thruster_names[0]


@pytest.mark.parametrize("name", MISSIONS)
def test_a_run_has_the_log_of_single_steps_in_python_bit_for_bit(name, tmp_path):
    setup = MISSIONS[name]()
    for compiled in (True, False):
        run(replace(setup, compiled=compiled), tmp_path / f"{compiled}.mcap")
    compiled, plain = (read_log(tmp_path / f"{compiled}.mcap") for compiled in (True, False))
    assert list(compiled.channels) == list(plain.channels)
    for channel in compiled.channels:
        one, other = compiled[channel], plain[channel]
        assert np.array_equal(one.time_ns, other.time_ns), channel
        assert np.array_equal(one.table(), other.table(), equal_nan=True), channel
    assert list(compiled.events) == list(plain.events)


def calls(setup: Setup, steps: int) -> tuple[int, int]:
    """Steps of a run that were compiled, and all."""
    loop, counted = Loop(setup), []
    sampled = loop.vehicles[0]._compiled_steps()
    run_steps = sampled.run
    sampled.run = lambda *given: counted.append(done := run_steps(*given)) or done
    loop.advance(steps)
    return sum(counted), loop.step


@pytest.mark.parametrize(("name", "least"), [("falcon_adaptive", 0.99), ("real_tunnel", 0.85)])
def test_nearly_all_steps_of_a_mission_are_compiled(name, least):
    compiled, steps = calls(mission(name, "5 s"), 400)
    assert compiled > least * steps


def test_compiled_false_turns_them_off():
    loop = Loop(replace(read_scenario("real_tunnel"), compiled=False))
    loop.advance(200)
    assert loop.vehicles[0]._sampled_steps is None
    assert loop.vehicles[0]._every_step is None


@pytest.mark.parametrize("name", ["falcon_adaptive", "real_tunnel"])
def test_a_run_goes_on_from_any_step_as_if_it_had_not_stopped(name):
    setup = mission(name, "5 s")
    whole, first = Loop(setup), Loop(setup)
    whole.advance(487)
    first.advance(251)
    snapshot = first.snapshot()
    first.advance(487)
    second = Loop(setup)
    second.restore(snapshot)
    second.advance(487)
    first.restore(snapshot)  # back to an earlier time, with random numbers drawn for later ones
    first.advance(487)
    for loop in (first, second):
        one, other = loop.vehicles[0], whole.vehicles[0]
        assert np.array_equal(one.state, other.state)
        assert np.array_equal(one.actuators.commands, other.actuators.commands)
        assert one.wrench == other.wrench
        assert one.estimate == other.estimate
        assert repr(dict(one.sensors.readings)) == repr(dict(other.sensors.readings))
        assert repr(one.sensors.snapshot()) == repr(other.sensors.snapshot())


@pytest.mark.parametrize("name", ["falcon_adaptive", "real_tunnel"])
def test_a_state_that_fails_within_compiled_steps_is_reported_at_its_own_time(name):
    messages = []
    for compiled in (True, False):
        loop = Loop(replace(mission(name, "5 s"), compiled=compiled))
        loop.advance(102)
        loop.vehicles[0].motion.state[7] = 1e200
        with pytest.raises(LoopError) as caught:
            loop.advance(200)
        messages.append(str(caught.value))
        assert loop.step == 102
    assert messages[0] == messages[1]


SENSOR = """
from dataclasses import dataclass
from remora.messages.reading import SensorChannel, Status
from remora.sensors.sensor import Measurement

@dataclass(frozen=True)
class Thermometer(Measurement):
    channels = (SensorChannel("temperature", "K"),)

    def read(self, truth, environment):
        if truth.time_ns > 333_000_000:
            raise ValueError("its wire broke")
        return Status.OK, (280.0 + truth.p_NB[2],)
"""


def test_a_sensor_of_a_user_is_sampled_at_its_own_times_and_may_fail(tmp_path):
    (tmp_path / "thermometer.py").write_text(SENSOR)
    entry = '{name: thermometer, kind: "thermometer.py:Thermometer", position: [0, 0, 0], rate: 30 Hz, source: test}'
    text = scenario_path("falcon_pid").read_text().replace("sensors: [imu,", f"sensors: [{entry}, imu,")
    (tmp_path / "run.yaml").write_text(text)
    seen, setup = [], read_scenario(tmp_path / "run.yaml")
    for compiled in (True, False):
        loop = Loop(replace(setup, compiled=compiled))
        with pytest.raises(LoopError, match="its wire broke") as caught:
            loop.advance(100)
        vehicle = loop.vehicles[0]
        seen.append((str(caught.value), loop.step, vehicle.state.tolist(), repr(dict(vehicle.sensors.readings))))
    assert seen[0] == seen[1]
