"""modular-14.4, 14.9 and 14.10: open-loop runs of two spheres and of two BlueROVs with a bracket. Nielsen 2018.

Coefficients of thrust and the distance of the vehicles were chosen to meet the printed speed and circle, so that these
runs prove the assembly and not those numbers.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.instruments.inertial import point_position
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.identification.similarity import dynamic_time_warping, pearson_correlation
from remora.navigation.surveys.markers import track_kinematics
from remora.plant.plant import Plant
from remora.vehicles.drives import input_from_command
from remora.vehicles.morphologies import Morphology, composite_vehicle, load_morphology
from remora.vehicles.vehicle import Vehicle
from remora_evidence.requirements import StudyFunction, Value

STEP = 0.01  # s
IDLE = 3.0  # s, before the thrust
STRAIGHT, TURN = 12.0, 30.0  # s
NEUTRAL = 1500.0  # us
PULSES = (100, 150, 200, 250, 300)  # us from neutral
MARKER = (0.2415, -0.165, 0.0)  # m, on the left vehicle; Nielsen 2018, eq. 6.7
PORT_THRUSTERS = ("left/surge_starboard", "left/surge_port")
SURGE_THRUSTERS = (*PORT_THRUSTERS, "right/surge_starboard", "right/surge_port")
TETHER = 0.12 * 8.0  # kg/m, skin friction of 8 m; Nielsen 2018, eq. 6.15
TRACKER = 0.005  # s
NOISE = 1e-3  # m
_FRAMES, _EVERY = (
    round(STRAIGHT / TRACKER) + 1,
    slice(None, None, 8),
)  # frames of the tracker, of which some are compared
External = Callable[[Array], Sequence[float]]  # wrench about B in body axes of a state


class OpenLoop(NamedTuple):
    """An open-loop run: times in s and body states, 13 numbers a row."""

    times: Array
    states: Array

    @property
    def heading(self) -> Array:
        """Unwrapped heading, rad."""
        return np.unwrap([to_euler_zyx((q[0], q[1], q[2], q[3]))[2] for q in self.states[:, 3:7].tolist()])


def driven(vehicle: Vehicle, commands: dict[str, float], duration: float, external: External | None = None) -> OpenLoop:
    """A run with commands from `IDLE` on, at rest before."""
    plant = Plant(vehicle)
    held = np.array([commands.get(name, 0.0) for name in plant.actuator_names])
    counts = round(IDLE / STEP), round(duration / STEP)
    rows = np.where(np.arange(counts[1])[:, None] < counts[0], 0.0, held)
    if external is None:
        states = plant.rollout(plant.initial_state(), rows, STEP)
    else:
        stepper, state, found = plant.stepper(STEP), plant.initial_state(), []
        for row in rows:
            found.append(state)
            state = stepper(state, row, external=external(state))
        states = np.array([*found, state])
    return OpenLoop(np.arange(counts[1] + 1) * np.float64(STEP), states[:, :13])


def shaft_speeds(vehicle: Vehicle, thrusters: Sequence[str], pulse: float) -> dict[str, float]:
    """Shaft speeds in rad/s of some thrusters at a pulse width in us from neutral."""
    p = vehicle.parameters
    drives = dict(zip(p.thruster_names, p.pulse_drives, strict=True))
    return {name: input_from_command(drives[name], NEUTRAL + pulse, 0.0) for name in thrusters}


def marker_track(run: OpenLoop, p_BM: Vector3) -> Array:
    """Positions of a marker in N, m: the lever arm of Nielsen 2018, eq. 6.5."""
    rows = run.states.tolist()
    return np.array([point_position(tuple(row[:3]), tuple(row[3:7]), p_BM) for row in rows])


def with_inflow_of_module(vehicle: Vehicle, morphology: Morphology) -> Vehicle:
    """The vehicle with each propeller in the flow at the origin of its module, as in the source."""
    p = vehicle.parameters
    places = [morphology.module(name.partition("/")[0]).pose.position for name in p.thruster_names]
    moved = tuple(one._replace(position=place) for one, place in zip(p.thrusters, places, strict=True))
    return replace(vehicle, parameters=p._replace(thrusters=moved))


@cache
def straight_run(pulse: float) -> OpenLoop:
    """All four surge thrusters at a pulse width, us."""
    vehicle = composite_vehicle(load_morphology("two_bluerovs"))
    return driven(vehicle, shaft_speeds(vehicle, SURGE_THRUSTERS, pulse), STRAIGHT)


def straight_runs(seeds: Sequence[int]) -> list[Value]:
    """modular-14.9: all four surge thrusters."""
    found: list[Value] = []
    for pulse in PULSES:
        run = straight_run(pulse)
        found.append((f"speed at 1500 + {pulse} us", float(run.states[-1, 7])))
        found.append((f"distance at 1500 + {pulse} us", float(run.states[-1, 0])))
    found.append(("largest distance from the straight line", float(np.abs(run.states[:, 1]).max())))
    twins = np.array([_twin_errors(seed) for seed in seeds])
    names = ("position", "speed")
    found += [(f"twin: warped error of the {name}", float(twins[:, i].max())) for i, name in enumerate(names)]
    found += [(f"twin: correlation of the {name}", float(twins[:, 2 + i].min())) for i, name in enumerate(names)]
    found += [
        (f"twin: error of the {name} at equal times", float(twins[:, 4 + i].max())) for i, name in enumerate(names)
    ]
    return found


def heavier_pair() -> Vehicle:
    """Both BlueROVs with more mass and a lag, on their bracket."""
    morphology = load_morphology("two_bluerovs")
    heavier = tuple(
        module._replace(vehicle=_heavier(module.vehicle)) if module.name != "bracket" else module
        for module in morphology.modules
    )
    return composite_vehicle(replace(morphology, modules=heavier))


@cache
def heavier_run() -> OpenLoop:
    """The twin with more mass, a lag and a tether, at the largest pulse width."""
    vehicle, twin = composite_vehicle(load_morphology("two_bluerovs")), heavier_pair()

    def tether(state: Array) -> Sequence[float]:
        return (-TETHER * abs(state[7]) * state[7], 0.0, 0.0, 0.0, 0.0, 0.0)

    return driven(twin, shaft_speeds(vehicle, SURGE_THRUSTERS, PULSES[-1]), STRAIGHT, tether)


@cache
def _twin_errors(seed: int) -> tuple[float, ...]:
    """Warped errors, correlations and equal-time errors of position and speed between a tracked twin and the model."""
    seen = _tracked(heavier_run(), NOISE * np.random.default_rng(seed).normal(size=_FRAMES))
    expected = _tracked(straight_run(PULSES[-1]))
    pairs = tuple((a[_EVERY, 0], b[_EVERY, 0]) for a, b in zip(seen, expected, strict=True))
    warped = [dynamic_time_warping(a, b).mean_error for a, b in pairs]
    alike = [pearson_correlation(a, b)[0] for a, b in pairs]
    return (*warped, *alike, *(float(np.mean(np.abs(a - b))) for a, b in pairs))


def _tracked(run: OpenLoop, noise: Array | float = 0.0) -> tuple[Array, Array]:
    """Position north and speed as the tracker sees them; the same filter for both, so that its lag cancels."""
    times = TRACKER * np.arange(_FRAMES)
    found = track_kinematics(np.interp(times, run.times, run.states[:, 0]) + noise, TRACKER, NOISE, 1.0)
    return found.position, found.velocity


def _heavier(vehicle: Vehicle) -> Vehicle:
    """A BlueROV with 10 % more mass and a lag of 0.1 s."""
    mass = 1.1 * vehicle.parameters.mass
    return vehicle.with_({"body.mass": mass, "thruster_defaults.time_constant": 0.1}, source="twin")


def turning_runs(seeds: Sequence[int]) -> list[Value]:
    """modular-14.10: the surge thrusters of the port vehicle."""
    morphology = load_morphology("two_bluerovs")
    local = composite_vehicle(morphology)
    as_source = with_inflow_of_module(local, morphology)
    left = morphology.module("left").pose.position
    place = (left[0] + MARKER[0], left[1] + MARKER[1], left[2] + MARKER[2])
    found: list[Value] = []
    for pulse in PULSES:
        run = driven(as_source, shaft_speeds(local, PORT_THRUSTERS, pulse), TURN)
        found.append((f"diameter at 1500 + {pulse} us", _swing(marker_track(run, place)[:, 0])))
        found.append((f"turn rate at 1500 + {pulse} us", float(run.states[-1, 12])))
    for words, vehicle in (("inflow at the vehicle", as_source), ("inflow at each thruster", local)):
        run = driven(vehicle, shaft_speeds(local, PORT_THRUSTERS, 200.0), TURN)
        marker = marker_track(run, place)
        found += [(f"{words}: {axis} diameter", _swing(marker[:, i])) for i, axis in enumerate(("north", "east"))]
        found.append((f"{words}: time of half a turn", float(np.interp(math.pi, run.heading, run.times))))
        found.append((f"{words}: turn rate", float(run.states[-1, 12])))
    return found


def _swing(coordinate: Array) -> float:
    """Distance between the last two turning points of a coordinate, m."""
    slope = np.diff(coordinate)
    turns = np.nonzero(slope[:-1] * slope[1:] < 0.0)[0] + 1
    return float(np.abs(np.diff(coordinate[turns]))[-1])


def spheres(seeds: Sequence[int]) -> list[Value]:
    """modular-14.4: equal and unequal hulls, and a thruster below the centre, with and without attitude hold."""
    morphology = load_morphology("two_spheres")
    thrust = {"left/t200": 6.0, "right/t200": 6.0}
    equal = driven(_spheres(morphology), thrust, STRAIGHT)
    smaller = [0.694 * number for number in (3.8, 18.9, 12.1)]
    slim = {"damping.quadratic.diagonal": [*smaller, 0.0082, 0.05, 0.108]}
    veering = driven(_spheres(morphology, right=slim), thrust, STRAIGHT)
    low = {"thrusters[0].position": [-0.20, 0.0, 0.05]}
    offset = _spheres(morphology, left=low, right=low)
    free, held = driven(offset, thrust, STRAIGHT), driven(offset, thrust, STRAIGHT, _attitude_hold)
    return [
        ("equal hulls: heading", float(np.degrees(np.abs(equal.heading).max()))),
        ("smaller hull to starboard: heading", float(np.degrees(veering.heading[-1]))),
        ("smaller hull to starboard: distance to starboard", float(veering.states[-1, 1])),
        ("low thrusters: pitch", float(np.degrees(_largest_pitch(free)))),
        ("low thrusters with attitude hold: pitch", float(np.degrees(_largest_pitch(held)))),
    ]


def _spheres(morphology: Morphology, **changes: Mapping[str, object]) -> Vehicle:
    """The composite with changed fields of the files of its modules."""
    modules = tuple(
        module._replace(vehicle=module.vehicle.with_(changes[module.name], source="study"))
        if module.name in changes
        else module
        for module in morphology.modules
    )
    return composite_vehicle(replace(morphology, modules=modules))


def _attitude_hold(state: Array) -> Sequence[float]:
    """Torque of a proportional-derivative hold of roll and pitch of 1 rad/s, N m."""
    w, x, y, z = state[3:7].tolist()
    roll, pitch, _ = to_euler_zyx((w, x, y, z))
    return (0.0, 0.0, 0.0, -6.0 * roll - 9.0 * state[10], -6.0 * pitch - 3.0 * state[11], 0.0)


def _largest_pitch(run: OpenLoop) -> float:
    return float(np.abs([to_euler_zyx((q[0], q[1], q[2], q[3]))[1] for q in run.states[:, 3:7].tolist()]).max())


def straight_and_turn(seeds: Sequence[int]) -> list[Value]:
    """modular-17.11: speed and distance of the straight run, circle and half turn of the turning run."""
    morphology = load_morphology("two_bluerovs")
    vehicle = composite_vehicle(morphology)
    left = morphology.module("left").pose.position
    straight = driven(vehicle, shaft_speeds(vehicle, SURGE_THRUSTERS, 300.0), STRAIGHT)
    turn = driven(vehicle, shaft_speeds(vehicle, PORT_THRUSTERS, 200.0), TURN)
    marker = marker_track(turn, (left[0] + MARKER[0], left[1] + MARKER[1], left[2] + MARKER[2]))
    return [
        ("straight run: speed", float(straight.states[-1, 7])),
        ("straight run: distance", float(straight.states[-1, 0])),
        ("turning run: diameter", _swing(marker[:, 0])),
        ("turning run: time of half a turn", float(np.interp(math.pi, turn.heading, turn.times))),
    ]


STUDIES: dict[str, StudyFunction] = {
    "modular-17.11": straight_and_turn,
    "modular-14.4": spheres,
    "modular-14.9": straight_runs,
    "modular-14.10": turning_runs,
}
