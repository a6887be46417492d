"""X6 and X7: steps of thrust along single axes of the Falcon, Proctor 2014, Tables 3.5 to 3.8.

The source has one run per level. Each reading carries the noise of its instrument under way (Proctor 2014, ch. 4),
which the vehicle file knows: 4 cm/s of the DVL at 5 Hz, 0.75 deg/s of the gyro.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from remora.equations.actuators.thrusters import Thruster, advance_speed, thrust, thruster_effect
from remora.equations.algebra.pose import BODY_SIZE
from remora.files.arrays import Array
from remora.identification.bench import AxisDynamics, BenchFit, StepRun, fit_steps, read_steady_drag
from remora.plant.plant import Plant
from remora.vehicles import Vehicle, load_vehicle
from remora.vehicles.parameters import with_heave
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.sampling import normals

AXES = ("surge", "sway", "heave", "roll", "pitch", "yaw")
LEVELS, LENGTH = (25.0, 50.0, 75.0, 100.0), 30.0  # %, s
REPEATS, REPEATS_RISING = 10, 64  # runs per level that are averaged; rising heave has the weakest thrust
REPEATED_SEEDS = 10
GYRO_RATE = 10.0  # Hz: one reading in twelve of the IMU, not averaged


@cache
def falcon() -> Vehicle:
    """The vehicle, read once."""
    return load_vehicle("falcon")


def instrument(axis: int) -> tuple[float, float]:
    """Noise of one reading of a speed, m/s or rad/s, and readings per second: of the DVL, or of the gyro."""
    sensors = {sensor.name: sensor for sensor in falcon().sensors}
    if axis > 2:
        return float(sensors["imu"].parameters["gyro_dynamic_std"]), GYRO_RATE
    return float(sensors["dvl"].parameters["dynamic_std"]), float(sensors["dvl"].rate or 0.0)


class Direction(NamedTuple):
    """A motion that steps of thrust make, and what the vehicle file says of it."""

    name: str
    axis: int  # place among the six
    commands: tuple[float, ...]  # share of the level for each thruster
    inertia: float
    linear: float
    quadratic: float
    share: float  # of the thrust that arrives
    repeats: int = REPEATS

    @property
    def truth(self) -> Array:
        """What a fit can see: inertia, linear and quadratic damping over the share of thrust."""
        return np.array([self.inertia, self.linear, self.quadratic]) / self.share


SURGE = Direction("surge", 0, (-1.0, -1.0, -1.0, -1.0, 0.0), 283.6, 26.9, 241.3, 0.87)
SWAY = Direction("sway", 1, (-1.0, -1.0, 1.0, 1.0, 0.0), 593.2, 35.8, 503.8, 0.83)
DOWN = Direction("heave down", 2, (0.0, 0.0, 0.0, 0.0, 1.0), 499.0, 0.0, 265.61, 0.65)
UP = Direction("heave up", 2, (0.0, 0.0, 0.0, 0.0, -1.0), 351.7, 6.19, 119.1, 0.15, REPEATS_RISING)
STARBOARD = Direction("yaw to starboard", 5, (-1.0, 1.0, 1.0, -1.0, 0.0), 29.0, 3.5, 76.9, 1.0)
PORT = Direction("yaw to port", 5, (1.0, -1.0, -1.0, 1.0, 0.0), 29.0, 3.5, 76.9, 1.0)
DIRECTIONS = (SURGE, SWAY, DOWN, UP, STARBOARD)


@cache
def clean_runs(direction: Direction) -> list[Array]:
    """True states of runs from rest, one table per level, the other degrees of freedom held."""
    plant = Plant(one_heave(direction), locked=tuple(axis for i, axis in enumerate(AXES) if i != direction.axis))
    _, rate = instrument(direction.axis)
    count, steps = round(LENGTH * rate), round(100.0 / rate)
    commands = [[level * share for share in direction.commands] for level in LEVELS]
    return [plant.rollout(plant.initial_state(), one, 1.0 / rate, steps, intervals=count) for one in commands]


def step_runs(direction: Direction, seed: int | None, repeats: int = 1) -> list[StepRun]:
    """One run per level as the instruments saw it, the mean of several where they are repeated; no noise without seed.

    Efforts are those of the thrusters by their curves and the measured speed, without what the hull takes.
    """
    thrusters = falcon().parameters.thrusters
    noise, rate = instrument(direction.axis)
    runs = []
    for level, states in zip(LEVELS, clean_runs(direction), strict=True):
        read = states[None, :, 7 + direction.axis]
        if seed is not None:
            chance = normals(seed, f"{direction.name} {level}", repeats * len(states))
            read = read + noise * chance.reshape(repeats, -1)
        efforts = [efforts_of(thrusters, states[:, BODY_SIZE:], speeds, direction.axis) for speeds in read]
        runs.append(StepRun(np.arange(len(states)) / rate, read.mean(axis=0), np.mean(efforts, axis=0)))
    return runs


def one_heave(direction: Direction) -> Vehicle:
    """The vehicle with the heave of one direction both ways: the file blends the two near rest."""
    vehicle = falcon()
    p = vehicle.parameters
    if direction.axis != 2:
        return vehicle
    numbers = {
        "added_mass": direction.inertia - p.rigid_body_inertia[2][2],
        "linear_damping": direction.linear,
        "quadratic_damping": direction.quadratic,
    }
    changed: dict[str, Any] = {name: with_heave(getattr(p, name), value) for name, value in numbers.items()}
    return replace(vehicle, parameters=p._replace(heave_up=None, **changed))


def efforts_of(thrusters: Sequence[Thruster], shafts: Array, speeds: Array, axis: int) -> Array:
    """Force or torque along an axis of all thrusters together, from shaft speeds and the speed of the vehicle."""
    still = np.zeros(len(speeds))
    twist = tuple(speeds if i == axis else still for i in range(6))
    total = still
    for thruster, shaft in zip(thrusters, shafts.T, strict=True):
        along = thruster_effect(thruster.position, thruster.axis, 0.0)[axis]
        total = total + along * thrust(thruster, shaft, advance_speed(thruster, twist))  # type: ignore[arg-type]
    return total


def known_effort(direction: Direction) -> float:
    """Net weight in heave, N; down is positive."""
    p = falcon().parameters
    return (p.mass - p.displaced_mass) * p.gravity if direction.axis == 2 else 0.0


@cache
def fitted(direction: Direction, seed: int | None, repeats: int = 1) -> BenchFit[AxisDynamics]:
    """Inertia and damping over the share of thrust, from the runs of one direction.

    In heave the sum of thrust and net weight is what moves the vehicle; the weight is divided by a fitted share.
    """
    return fit_steps(step_runs(direction, seed, repeats), known_effort(direction))


def worst_errors(direction: Direction, fits: Sequence[BenchFit[AxisDynamics]]) -> tuple[float, float, float]:
    """Largest error in percent of inertia, linear and quadratic damping, all over the share of thrust."""
    found, true = np.array([fit.values[:3] for fit in fits]), direction.truth
    errors = 100.0 * np.abs(found - true) / np.where(true > 0.0, true, np.nan)
    inertia, linear, quadratic = errors.max(axis=0)
    return float(inertia), float(linear), float(quadratic)


def error_figures(direction: Direction, words: str, fits: Sequence[BenchFit[AxisDynamics]]) -> list[Value]:
    """Largest errors of one direction."""
    inertia, linear, quadratic = worst_errors(direction, fits)
    figures = [
        (f"{direction.name}, {words}: error of M/IF", inertia),
        (f"{direction.name}, {words}: error of D_Q/IF", quadratic),
    ]
    if direction.linear > 0.0:
        figures.append((f"{direction.name}, {words}: error of D_L/IF", linear))
    return figures


def coverage_figures(fits: dict[Direction, list[BenchFit[AxisDynamics]]]) -> list[Value]:
    """Share of 95 % intervals that hold the truth, over all directions and in each."""
    held = {direction: [fit.covers(truth_with_weight(direction)) for fit in fits[direction]] for direction in fits}
    pairs = np.concatenate([np.ravel(one) for one in held.values()])
    return [
        ("intervals that hold the truth, all coefficients and seeds", 100.0 * float(np.mean(pairs))),
        *((f"{d.name}: intervals that hold the truth", 100.0 * float(np.mean(held[d]))) for d in held),
    ]


def truth_with_weight(direction: Direction) -> Array:
    """What each fitted number should be; in heave the net weight over the share of thrust is one of them."""
    weight = known_effort(direction)
    return np.append(direction.truth, weight / direction.share) if weight else direction.truth


def curve_reading(direction: Direction) -> list[Value]:
    """Drag read from the steady ends as if all thrust arrived: too large by one over the share that does."""
    drag = read_steady_drag(step_runs(direction, None), 3.0).law
    ratio = drag.quadratic / direction.quadratic
    return [
        (f"{direction.name}: D_Q read from curves over the true one", ratio),
        (f"{direction.name}: D_Q read from curves", drag.quadratic),
    ]


def step_tests(seeds: Sequence[int]) -> list[Value]:
    """Steps in every direction, fitted at once: without noise, one run per level, repeated runs; and read by hand."""
    once = {direction: [fitted(direction, seed) for seed in seeds] for direction in DIRECTIONS}
    figures = []
    for direction in DIRECTIONS:
        repeated = [fitted(direction, seed, direction.repeats) for seed in seeds[:REPEATED_SEEDS]]
        figures += [
            *error_figures(direction, "without noise", [fitted(direction, None)]),
            *error_figures(direction, "with noise, one run per level", once[direction]),
            *error_figures(direction, f"with noise, mean of {direction.repeats} runs per level", repeated),
        ]
    return [*figures, *coverage_figures(once), *curve_reading(SURGE), *curve_reading(SWAY)]


def yaw_symmetry(seeds: Sequence[int]) -> list[Value]:
    """Both directions of yaw give the same inertia, with noise and one run per level."""
    pairs = [[fitted(way, seed).law.inertia for way in (STARBOARD, PORT)] for seed in seeds]
    apart = 100.0 * max(abs(a - b) / (0.5 * (a + b)) for a, b in pairs)
    mean = np.mean(pairs, axis=0)
    return [
        ("inertia to starboard and to port apart", apart),
        ("inertia to starboard", mean[0]),
        ("inertia to port", mean[1]),
    ]


STUDIES: dict[str, StudyFunction] = {
    "X6": step_tests,
    "X7": yaw_symmetry,
}
