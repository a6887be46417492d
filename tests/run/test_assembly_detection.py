"""Joined vehicles: the model at the pose of the weld, failed thrusters of the whole, operators and margins."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_assembly_control import BODIES, COMPOSITE, LATCHED

from remora.equations.algebra.quaternions import rotation_matrix
from remora.logs import read_log
from remora.messages.estimate import Estimate
from remora.messages.operator_command import Authority
from remora.messages.part import Role
from remora.messages.part_options import QuietPart
from remora.run.checkpoint import load_checkpoint, resumed_loop, save_checkpoint
from remora.run.loop.loop import Loop, run
from remora.run.setup import Setup
from remora.run.stability.scenario_margins import scenario_margins
from remora.scenarios.reader import scenario_from_text

CROOKED = LATCHED.replace("[-0.56 m, 0.01 m, 3 m],", "[-0.55 m, 0.02 m, 3.02 m], angles: [0, 2 deg, 3 deg],")
FAILS = 5_000_000_000  # ns


@dataclass(frozen=True)
class Detector(QuietPart):
    """Navigation that knows the truth, and from some time on a thruster of the whole it watches."""

    names: tuple[str, ...] = ()

    def initial(self) -> tuple[int, tuple[str, ...]]:
        return (0, ())

    def step(self, state: Any, now: Any) -> tuple[Any, Estimate]:
        found = ("tail/front_port",) if "tail/front_port" in self.names and now.time_ns >= FAILS else state[1]
        estimate = Estimate(now.time_ns, now.truth.p_NB, now.truth.q_NB, now.truth.twist)
        assert len(now.commands) == len(self.names)
        return (now.time_ns, found), estimate

    def failed_thrusters(self, state: Any) -> tuple[str, ...]:
        return tuple(name for name in state[1] if name in self.names)

    def tested_thrusters(self, state: Any) -> tuple[str, ...]:
        return ()

    def lost_thrust(self, state: Any) -> dict[str, float]:
        return dict.fromkeys(self.failed_thrusters(state), 1.0)

    def watching(self, plant: Any) -> "Detector":
        return Detector(() if plant is None else plant.actuator_names)

    def watching_from(self, state: Any, lost: Any) -> Any:
        return (state[0], tuple(lost))


def detecting(text: str) -> Setup:
    """A scenario whose first module has the detector."""
    setup = scenario_from_text(text)
    lead, *others = setup.vehicles
    part = Detector(lead.plant.actuator_names)
    parts = [replace(one, part=part) if one.role == Role.NAVIGATION else one for one in lead.parts]
    return replace(setup, vehicles=(replace(lead, parts=tuple(parts)), *others))


def test_the_model_of_an_assembly_is_that_of_the_pose_at_which_it_was_welded() -> None:
    """The pair latches 3 cm and 3 deg off; control and allocation know where the thrusters are."""
    loop = Loop(scenario_from_text(CROOKED))
    loop.advance(300)
    (pair,), (lead, tail) = loop.assemblies, loop.vehicles
    assert pair.is_active
    R = np.array(rotation_matrix(tuple(lead.state[3:7])))
    R_tail = np.array(rotation_matrix(tuple(tail.state[3:7])))
    own, whole = tail.vehicle.nominal.parameters.thrusters, pair.whole.nominal.parameters.thrusters[8:]
    expected = [R.T @ (tail.state[:3] + R_tail @ np.array(one.position) - lead.state[:3]) for one in own]
    np.testing.assert_allclose([one.position for one in whole], expected, atol=1e-6)
    nominal = loop.setup.assemblies[0].vehicle.nominal.parameters.thrusters[8:]
    assert np.abs(np.subtract([one.position for one in nominal], expected)).max() > 0.02


def test_a_thruster_of_the_whole_is_left_out_at_once_and_stays_known_after_the_release(tmp_path: Path) -> None:
    run(detecting(LATCHED), tmp_path / "run.mcap")
    log = read_log(tmp_path / "run.mcap")
    said = {(e.source, e.text): e.time_ns for e in log.events if "disabled" in e.data}
    assert said[("pair/allocation", "does without tail/front_port")] == FAILS
    assert ("pair/tail/allocation", "does without front_port") in said
    assert not any(source == "pair/lead/allocation" for source, _ in said)
    commands = log["pair/tail/commands"]
    after = commands["front_port"][commands.time > 5.05]
    assert len(after) > 60
    assert np.abs(after).max() < 1e-12


def test_known_failures_of_an_assembly_are_part_of_a_checkpoint(tmp_path: Path) -> None:
    setup = detecting(CROOKED)
    for step in (700, 1000):  # joined, and apart again
        whole, first = Loop(setup), Loop(setup)
        whole.advance(1150)
        first.advance(step)
        save_checkpoint(tmp_path / "a", first)
        second = resumed_loop(setup, load_checkpoint(tmp_path / "a", setup), None, None)
        second.advance(1150)
        for a, b in zip(whole.vehicles, second.vehicles, strict=True):
            np.testing.assert_array_equal(a.state, b.state)


PILOTED = LATCHED.replace(
    "guidance: {part: hold, rate: 10 Hz, position: [0.1 m, 0, 3.1 m], heading: 0}, "
    "control: {part: position, rate: 50 Hz}",
    "guidance: {part: pilot, rate: 10 Hz}, "
    "control: [{part: pid, rate: 20 Hz}, {part: cascade, rate: 50 Hz, axes: [roll, pitch]}]",
)


def test_an_operator_steers_an_assembly_while_it_is_joined() -> None:
    loop = Loop(scenario_from_text(PILOTED))
    loop.advance(50)
    with pytest.raises(ValueError, match=r"pair is not joined: send the command to pair/lead and pair/tail"):
        loop.send("hold", "pair")
    loop.advance(200)
    with pytest.raises(ValueError, match="its guidance is not the part pilot"):
        loop.send("hold", "pair/lead")
    loop.send("go_to 0.5 0 3", "pair")
    loop.advance(250)
    assert loop.vehicle_named("pair").authority == Authority.GO_TO
    loop.advance(880)
    assert loop.vehicles[0].state[0] > 0.3


def test_margins_of_an_assembly_are_those_of_its_composite() -> None:
    whole = scenario_margins(scenario_from_text(COMPOSITE), draws=2)
    parts = scenario_margins(scenario_from_text(BODIES), "pair", draws=2)
    assert parts.nominal.radius == pytest.approx(whole.nominal.radius, rel=1e-9)
    np.testing.assert_allclose(parts.draws, whole.draws, rtol=1e-6)
    assert whole.nominal.is_stable
