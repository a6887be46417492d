"""Hand-over to an allocation without a failed thruster: what controllers made up for does not push the vehicle."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from remora.control.allocation.bumpless_transfer import BumplessTransfer, TransferState
from remora.messages.part import Role
from remora.run.loop.loop import Loop
from remora.scenarios import scenario_from_text
from remora.vehicles import load_vehicle
from remora.vehicles.checks.actuation import allocation_matrix
from remora.vehicles.parameters import total_inertia

THRUSTER, NAMED = "vertical_front_port", 25.0  # s
HOLD = "{part: hold, rate: 10 Hz, position: [0, 0, 5 m], heading: 0}"
GO_TO = "{part: lyapunov, rate: 20 Hz, mission: [{do: go_to, position: [0, 0, 5 m], heading: 0, dwell: 90 s}]}"
DIVE = "{part: dive_and_turn, rate: 10 Hz, depth: 5 m, heading: 0, speed: 0.3 m/s, ahead_at: 1 s, turn_at: 90 s}"
CONTROLLERS = {
    "position": HOLD,
    "lqr": HOLD,
    "predictive": HOLD,
    "pid": GO_TO,
    "adaptive": GO_TO,
    "l1_adaptive": GO_TO,
    "sliding_mode": GO_TO,
    "autopilot": DIVE,
}
TEXT = """\
name: hand_over
duration: 30 s
water: {bottom_depth: 20 m, current: [0.3 m/s, 0.2 m/s, 0]}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 5 m]
    navigation: {part: truth, rate: 20 Hz}
    guidance: GUIDANCE
    control: [{part: CONTROL, rate: 20 Hz}]
    faults: [{fault: dead, of: THRUSTER, at: 4 s}]
    watch: off
"""


@dataclass(frozen=True)
class LateDetection:
    """The truth, which names a thruster long after its failure."""

    inner: Any

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "inner":
            raise AttributeError(name)
        return getattr(self.inner, name)

    def initial(self) -> Any:
        return self.inner.initial(), False

    def step(self, state: Any, now: Any) -> Any:
        inner, estimate = self.inner.step(state[0], now)
        return (inner, now.time_ns >= 1e9 * NAMED), estimate

    def failed_thrusters(self, state: Any) -> tuple[str, ...]:
        return (THRUSTER,) if state[1] else ()


def late_loop(control: str, guidance: str, allocation: str = "bounded", thruster: str = THRUSTER) -> Loop:
    """A loop whose navigation names a dead thruster late."""
    text = TEXT.replace("GUIDANCE", guidance).replace("CONTROL", control).replace("THRUSTER", thruster)
    if control not in ("predictive", "autopilot"):
        text += f"    allocation: {{part: {allocation}, rate: 20 Hz}}\n"
    setup = scenario_from_text(text)
    rov = setup.vehicles[0]
    parts = [replace(p, part=LateDetection(p.part)) if p.role == Role.NAVIGATION else p for p in rov.parts]
    return Loop(replace(setup, vehicles=(replace(rov, parts=tuple(parts)),)))


def wrench_on_the_water(loop: Loop) -> np.ndarray:
    """Wrench of the thrusters, whose outputs are forces; that of the dead one is zero."""
    rov = loop.vehicles[0]
    matrix = allocation_matrix(rov.vehicle.plant.vehicle.parameters)
    return matrix @ rov.state[13 : 13 + matrix.shape[1]]


def lacking_wrench(loop: Loop) -> np.ndarray:
    """Wrench that the dead thruster is asked for."""
    rov = loop.vehicles[0]
    parameters = rov.vehicle.plant.vehicle.parameters
    asked = np.where(np.array(parameters.thruster_names) == THRUSTER, rov.actuators.commands, 0.0)
    return allocation_matrix(parameters) @ asked


@pytest.mark.parametrize(
    ("control", "allocation"),
    [*((name, "bounded") for name in CONTROLLERS), ("position", "pseudo_inverse"), ("pid", "pseudo_inverse")],
)
def test_the_wrench_on_the_water_goes_on_at_the_hand_over(control, allocation):
    """Integrals that made up for the dead thruster pushed with all that it lacked."""
    loop = late_loop(control, CONTROLLERS[control], allocation)
    loop.advance(round(NAMED / 0.01))
    before, lacking = wrench_on_the_water(loop), lacking_wrench(loop)
    assert np.linalg.norm(lacking) > 1.0  # N; the thruster is asked for something
    loop.advance(round((NAMED + 0.5) / 0.01))  # half a second, five time constants of the thrusters
    assert loop.vehicles[0].parts.detected == (THRUSTER,)
    assert loop.vehicles[0].actuators.commands[5] == 0.0
    assert np.linalg.norm(wrench_on_the_water(loop) - before) < 0.2 * np.linalg.norm(lacking)


def test_a_run_goes_on_bit_for_bit_while_the_transferred_wrench_fades():
    loop = late_loop("position", HOLD)
    loop.advance(2650)
    again = late_loop("position", HOLD)
    again.restore(loop.snapshot())
    loop.advance(loop.steps)
    again.advance(again.steps)
    assert (again.vehicles[0].state == loop.vehicles[0].state).all()


def transfer() -> tuple[BumplessTransfer, np.ndarray, list[float]]:
    """The transfer of a vehicle, commands of its thrusters, and the wrench that the third lacks without any thrust."""
    parameters = load_vehicle("bluerov2_heavy").parameters
    commands = [1.0, -2.0, 5.0, 3.0, 4.0, -1.0, 2.0, 6.0]
    return BumplessTransfer(parameters), 5.0 * allocation_matrix(parameters)[:, 2], commands


def test_what_still_accelerates_the_vehicle_has_not_been_made_up_for():
    made, lacking, commands = transfer()
    name = made.parameters.thruster_names[2]
    at_rest = made.handed_over(TransferState(), 0, {name: 1.0}, commands)
    assert made.relief(at_rest, 0) == pytest.approx(tuple(lacking))
    half = made.handed_over(TransferState(), 0, {name: 0.5}, commands)
    assert made.relief(half, 0) == pytest.approx(tuple(0.5 * lacking))
    unbalanced = np.linalg.solve(np.array(total_inertia(made.parameters)), -0.75 * lacking)
    failed_just_now = made.handed_over(TransferState(acceleration=tuple(unbalanced.tolist())), 0, {name: 1.0}, commands)
    assert made.relief(failed_just_now, 0) == pytest.approx(tuple(0.25 * lacking), abs=1e-9)


def test_a_manoeuvre_takes_no_more_than_the_lacking_wrench():
    made, lacking, commands = transfer()
    turning = TransferState(acceleration=(2.0, -3.0, 1.0, -4.0, 2.0, 3.0))
    relief = np.array(made.relief(made.handed_over(turning, 0, {made.parameters.thruster_names[2]: 1.0}, commands), 0))
    assert (relief * lacking >= 0.0).all()
    assert (np.abs(relief) <= np.abs(lacking) + 1e-12).all()


def test_the_transferred_wrench_fades_and_that_of_a_second_failure_adds_to_it():
    made, lacking, commands = transfer()
    names = made.parameters.thruster_names
    first = made.handed_over(TransferState(), 0, {names[2]: 1.0}, commands)
    assert made.relief(first, 15_000_000_000) == pytest.approx(tuple(lacking * math.exp(-1.0)))
    second = made.handed_over(first, 15_000_000_000, {names[3]: 1.0}, commands)
    more = 3.0 * allocation_matrix(made.parameters)[:, 3]
    assert made.relief(second, 15_000_000_000) == pytest.approx(tuple(lacking * math.exp(-1.0) + more))


def test_the_acceleration_is_that_of_the_latest_estimates():
    made, _, _ = transfer()
    state = TransferState()
    for k in range(41):
        state = made.moved(state, 50_000_000 * k, (0.5 * 0.05 * k, 0.0, 0.0, 0.0, 0.0, -0.2 * 0.05 * k))
    assert state.acceleration == pytest.approx((0.5, 0.0, 0.0, 0.0, 0.0, -0.2))
    unknown = made.moved(state, 2_050_000_000, (math.nan,) * 6)
    assert made.moved(unknown, 9_000_000_000, (5.0,) * 6).acceleration == (0.0,) * 6  # after a gap it is not known
