"""S2V-01 to S2V-11: the simulated tunnel mission of Gava et al. 2022 and what belongs to it.

The article prints neither the vehicle's numbers nor gains; see the preset `vita1`, `simu2vita_control` and
`simu2vita_guidance` for those taken.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, final

import numpy as np

from remora.control import pseudo_inverse
from remora.equations.algebra.quaternions import from_euler_xyz, from_euler_zyx, to_euler_zyx
from remora.equations.types import Quaternion, Vector3
from remora.files.arrays import Array
from remora.messages.part import Part, PartInput, Role
from remora.plant import initial_state, pack, rollout
from remora.report.simulations.mission_figure import SIDES
from remora.run.loop.loop import run
from remora.scenarios import read_scenario
from remora.vehicles import load_vehicle
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.simu2vita.mission import Mission, fly, settling_time

SURGE, READING = 0.2, 3.70  # m/s and m, as printed
ANGLES = ("roll", "pitch", "yaw")
LAG = 0.1754  # s
STEP = 0.0025  # s
START: Vector3 = (3.0, 1.0, -1.0)
ATTITUDE: Quaternion = (0.9764, -0.0199, 0.1776, 0.1209)


@lru_cache(maxsize=1)
def mission() -> Mission:
    """The bundled mission of 80 s, which most of these studies look at, logged at every step."""
    return fly("tunnel", {"log": {"rate": "400 Hz"}})


def angles_of(states: Array) -> Array:
    """Roll, pitch and yaw of states, deg."""
    return np.degrees([to_euler_zyx((q[0], q[1], q[2], q[3])) for q in states[:, 3:7].tolist()])


def final_readings(seeds: Sequence[int]) -> list[Value]:
    """The pairs of echosounders converge to the same value."""
    flown = mission()
    last = starboard, port, up, down = flown.readings[-1]
    errors = flown.readings - READING
    return [
        *((f"reading {s} at the end", r) for s, r in zip(SIDES, last, strict=True)),
        ("lateral error e_sw at the end", abs(port - starboard)),
        ("vertical error e_he at the end", abs(up - down)),
        ("all readings within 0.01 m after", settling_time(flown.reading_times, errors, 0.01)),
    ]


def initial_attitude(seeds: Sequence[int]) -> list[Value]:
    """The printed quaternion is R_x R_y R_z of the printed angles, and not the usual order."""
    printed = [math.radians(a) for a in (-5.0, 20.0, 15.0)]
    found, usual = from_euler_xyz(*printed), from_euler_zyx(*printed)
    apart = max(abs(a - b) for a, b in zip(usual, ATTITUDE, strict=True))
    return [
        *((f"quaternion component {i}", found[i]) for i in range(4)),
        ("largest difference in the order ZYX", apart),
    ]


def surge_speed(seeds: Sequence[int]) -> list[Value]:
    """Surge reaches 0.2 m/s while the vehicle centres itself."""
    flown = mission()
    surge = flown.states[:, 7]
    return [
        ("surge at the end", surge[-1]),
        ("overshoot of surge", 100.0 * (surge.max() / SURGE - 1.0)),
        ("surge within 0.01 m/s after", settling_time(flown.times, surge - SURGE, 0.01)),
    ]


def attitude_regulation(seeds: Sequence[int]) -> list[Value]:
    """Angles and rates go smoothly to zero."""
    flown = mission()
    angles, rates = angles_of(flown.states), np.degrees(flown.states[-1, 10:13])
    beyond = np.max(-np.sign(angles[0]) * angles, axis=0)
    return [
        *((f"{word} at the end", abs(a)) for word, a in zip(ANGLES, angles[-1], strict=True)),
        *((f"rate of {word} at the end", abs(r)) for word, r in zip(ANGLES, rates, strict=True)),
        *((f"{word} beyond zero", b) for word, b in zip(ANGLES, beyond, strict=True)),
    ]


def centring(seeds: Sequence[int]) -> list[Value]:
    """The vehicle goes to the middle of the tunnel and along it."""
    flown = mission()
    north, east, down = flown.states[:, :3].T
    speeds = np.diff(north)[flown.times[:-1] >= 2.0] / STEP
    return [
        ("distance east at the end", abs(east[-1])),
        ("distance down at the end", abs(down[-1])),
        ("smallest n", north.min()),
        ("smallest slope of n from 2 s on", speeds.min()),
        ("slope of n at the end", speeds[-1]),
    ]


def similar_profiles(seeds: Sequence[int]) -> list[Value]:
    """Sway and heave have similar profiles, of opposite sign because of the start."""
    flown = mission()
    transient = flown.times <= 30.0
    sway, heave = flown.states[transient, 8], flown.states[transient, 9]
    return [
        ("correlation of v and -w over 30 s", np.corrcoef(sway, -heave)[0, 1]),
        ("largest sway", sway.min()),
        ("largest heave", heave.max()),
    ]


def passive_stability(seeds: Sequence[int]) -> list[Value]:
    """Without thrust roll and pitch settle by themselves, and yaw stays."""
    packed = pack(load_vehicle("vita1").parameters)
    states = rollout(packed, initial_state(packed, START, ATTITUDE), np.zeros(8), STEP, intervals=24_000)
    angles, times = angles_of(states), np.arange(len(states), dtype=np.float64) * STEP
    return [
        ("roll and pitch below 0.1 deg from", settling_time(times, angles[:, :2], 0.1)),
        ("yaw at the end", angles[-1, 2]),
    ]


def propeller_transient(seeds: Sequence[int]) -> list[Value]:
    """A propeller follows its input with a first-order transient, after saturation."""
    packed = pack(load_vehicle("vita1").parameters)
    step = rollout(packed, initial_state(packed), np.full(8, 20.0), LAG, steps=100, intervals=1)[-1, 13]
    inputs = np.array([10.0, -20.0, 35.0, 5.0, 0.0, -30.0, 12.0])
    outputs = rollout(packed, initial_state(packed), np.tile(inputs[:, None], 8), 0.1, steps=20)[:, 13]
    exact = inputs + (outputs[:-1] - inputs) * math.exp(-0.1 / LAG)
    ends = [
        rollout(packed, initial_state(packed), np.full(8, force), 0.01, intervals=1000)[-1, 13]
        for force in (100.0, -100.0)
    ]
    return [
        ("output at 0.1754 s of a step to 20 N", step),
        ("staircase: distance from the exact transient", np.abs(outputs[1:] - exact).max()),
        ("end of a step to 100 N", ends[0]),
        ("end of a step to -100 N", ends[1]),
    ]


def allocation_identity(seeds: Sequence[int]) -> list[Value]:
    """Pseudo-inverse and allocation matrix undo each other, and a held wrench is made after five time constants."""
    parameters = load_vehicle("vita1").parameters
    allocation, packed = pseudo_inverse(parameters), pack(parameters)
    identity = allocation.matrix @ allocation.inverse
    wrench = np.array([20.0, -10.0, 15.0, 1.0, -2.0, 3.0])
    commands = allocation.allocate(wrench)
    outputs = rollout(packed, initial_state(packed), commands, 5.0 * LAG, steps=400, intervals=1)[-1, 13:]
    made = allocation.matrix @ outputs
    return [
        ("largest entry of H H^+ - I", np.abs(identity - np.eye(6)).max()),
        ("held wrench after five time constants: error", 100.0 * np.abs(made / wrench - 1.0).max()),
    ]


@final
class Counted:
    """A part that counts its steps."""

    def __init__(self, part: Part) -> None:
        self.part, self.steps = part, 0
        self.fields, self.row = part.fields, part.row

    def initial(self) -> Any:
        """The state of the part before its first step."""
        return self.part.initial()

    def step(self, state: Any, now: PartInput) -> Any:
        """A step of the part."""
        self.steps += 1
        return self.part.step(state, now)


def rates(seeds: Sequence[int]) -> list[Value]:
    """Guidance and outer controllers run at 20 Hz, the stabiliser at 400 Hz."""
    setup = read_scenario("tunnel", {"duration": "10 s"})
    (vehicle,) = setup.vehicles
    counted = {part.name: Counted(part.part) for part in vehicle.parts}
    parts = tuple(replace(part, part=counted[part.name]) for part in vehicle.parts)
    run(replace(setup, vehicles=(replace(vehicle, parts=parts),)))
    guidance = next(part.name for part in parts if part.role == Role.GUIDANCE)
    stabiliser = "feedback_linearisation"
    outer = next(part.name for part in parts if part.role == Role.CONTROL and part.name != stabiliser)
    return [
        ("calls of guidance in 10 s", counted[guidance].steps),
        ("calls of the outer controllers in 10 s", counted[outer].steps),
        ("calls of the stabiliser in 10 s", counted[stabiliser].steps),
    ]


def initial_readings(seeds: Sequence[int]) -> list[Value]:
    """What the echosounders on a tilted cube read at the start."""
    return [(f"reading {side} at 0 s", reading) for side, reading in zip(SIDES, mission().readings[0], strict=True)]


STUDIES: dict[str, StudyFunction] = {
    "S2V-01": final_readings,
    "S2V-02": initial_attitude,
    "S2V-03": surge_speed,
    "S2V-04": attitude_regulation,
    "S2V-05": centring,
    "S2V-06": similar_profiles,
    "S2V-07": passive_stability,
    "S2V-08": propeller_transient,
    "S2V-09": allocation_identity,
    "S2V-10": rates,
    "S2V-11": initial_readings,
}
