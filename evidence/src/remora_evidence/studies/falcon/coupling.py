"""X9: sway rolls the Falcon and surge pitches it, Proctor 2014. Couplings are fitted with all else frozen.

Angles of runs without noise judge the models. Measured ones scatter by so much that the true model itself does not meet
the bound of the reference on them: its error stands beside.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.algebra.quaternions import from_euler_zyx, to_euler_zyx
from remora.files.arrays import Array
from remora.identification import (
    Record,
    fit_least_squares,
    inputs_of,
    record_from_arrays,
    replay,
    values_of,
    with_values,
)
from remora.plant.plant import Plant
from remora.vehicles import Vehicle
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.falcon.thrust_steps import SURGE, SWAY, Direction, falcon, instrument
from remora_evidence.studies.sampling import normals

LENGTH = 20.0  # s of each run
JUDGED_FROM = 1000  # added to the seed of the fit: measured runs that it does not see
HEADS = ("added_mass", "damping.linear", "damping.quadratic")


class Coupling(NamedTuple):
    """A speed that tilts the vehicle."""

    direction: Direction
    angle: str  # degree of freedom that it turns
    place: int  # of the angle among roll, pitch and yaw
    levels: tuple[float, ...]  # % of command, of the runs for the fit
    judged: tuple[float, ...]  # % of command, of the runs that the fit does not see

    @property
    def names(self) -> tuple[str, ...]:
        """The three numbers of Table 3.10."""
        return tuple(f"{head}.{self.angle}_{self.direction.name}" for head in HEADS)


ROLL = Coupling(SWAY, "roll", 0, (25.0, 50.0, 75.0, 100.0), (40.0, 60.0, 90.0))
# Beyond 80 % surge outruns the righting moment and the vehicle tumbles: then even the true model, started from a state
# with noise, is off by tens of degrees.
PITCH = Coupling(SURGE, "pitch", 1, (25.0, 50.0, 75.0), (40.0, 60.0, 70.0))


def uncoupled() -> Vehicle:
    """The vehicle as free decays and steps leave it: every degree of freedom by itself."""
    vehicle = falcon()
    names = (*ROLL.names, *PITCH.names)
    return replace(vehicle, parameters=with_values(vehicle.parameters, names, np.zeros(len(names))))


@cache
def run(coupling: Coupling, level: float, seed: int | None) -> Record:
    """A step of thrust from rest at the attitude of rest, as the instruments saw it; the heading is held.

    Without a seed the readings have no noise.

    Without that the vehicle turns away from a surge within seconds. Speeds are those of the DVL, at whose stamps gyro
    and compass are read, each with its noise under way.
    """
    vehicle = falcon()
    plant = Plant(vehicle, locked=("yaw",))
    noise, rate = instrument(0)
    count, steps = round(LENGTH * rate), round(100.0 / rate)
    start = plant.rollout(plant.initial_state(), [0.0] * 5, 60.0, 6000, intervals=1)[-1]
    start = plant.initial_state(quaternion=start[3:7])
    commands = [level * share for share in coupling.direction.commands]
    states = plant.rollout(start, commands, 1.0 / rate, steps, intervals=count)
    words, rows = f"{coupling.angle} {level}", count + 1
    twist = states[:, 7:BODY_SIZE].copy()
    if seed is not None:
        twist[:, :3] += noise * normals(seed, f"{words} dvl", 3 * rows).reshape(rows, 3)
        twist[:, 3:5] += instrument(3)[0] * normals(seed, f"{words} gyro", 2 * rows).reshape(rows, 2)
    twist[:, 5] = np.nan  # held
    outputs = inputs_of("outputs", states[:, BODY_SIZE:], vehicle.parameters.thruster_names, ["rad/s"] * 5)
    times = np.arange(rows) / rate
    tilted = states[:, 3:7] if seed is None else compass(states[:, 3:7], seed, words)
    return record_from_arrays(times, twist, outputs, quaternion=tilted, source=f"{words} %")


def compass(quaternions: Array, seed: int, words: str) -> Array:
    """Attitudes with the noise of the compass in roll and pitch."""
    sensors = {sensor.name: sensor for sensor in falcon().sensors}
    tilt = math.sqrt(sensors["compass"].parameters["tilt_dynamic_variance"])
    rolled = angles(quaternions)
    rolled[:, :2] += tilt * normals(seed, f"{words} compass", 2 * len(rolled)).reshape(-1, 2)
    columns: Any = rolled.T
    return np.column_stack(from_euler_zyx(*columns))


def angles(quaternions: Array) -> Array:
    """Roll, pitch and yaw, one row per attitude."""
    return np.array([to_euler_zyx((a, b, c, d)) for a, b, c, d in quaternions.tolist()])


@cache
def fitted(coupling: Coupling, seed: int) -> Vehicle:
    """The uncoupled vehicle with one coupling fitted to runs at several levels."""
    records = [run(coupling, level, seed) for level in coupling.levels]
    base = uncoupled()
    fit = fit_least_squares(records, base, coupling.names, axes=(coupling.angle,), errors="instruments")
    return replace(base, parameters=fit.vehicle)


def angle_error(coupling: Coupling, vehicle: Vehicle, record: Record) -> float:
    """RMSE of the angle of a model that is driven by the recorded shaft speeds from the first state on, degrees."""
    assert record.quaternion is not None
    difference = angles(replay(record, vehicle.parameters).quaternion) - angles(record.quaternion)
    return math.degrees(float(np.sqrt(np.mean(difference[:, coupling.place] ** 2))))


class AngleErrors(NamedTuple):
    """Errors of one fit on the judged runs, degrees, one per run."""

    coupled: Array  # without noise
    single: Array
    coupled_measured: Array
    single_measured: Array
    true_measured: Array  # of the true model


@cache
def angle_errors(coupling: Coupling, seed: int) -> AngleErrors:
    """Errors of the coupled and the uncoupled model on runs that the fit does not see."""
    clean, measured = (
        [run(coupling, level, drawn) for level in coupling.judged] for drawn in (None, seed + JUDGED_FROM)
    )
    models = (fitted(coupling, seed), uncoupled(), falcon())
    pairs = ((clean, models[0]), (clean, models[1]), *((measured, model) for model in models))
    return AngleErrors(*(np.array([angle_error(coupling, m, one) for one in records]) for records, m in pairs))


def couplings(seeds: Sequence[int]) -> list[Value]:
    """Angles of runs that no fit has seen, by the coupled and by the uncoupled model."""
    figures: list[Value] = []
    for coupling in (ROLL, PITCH):
        errors = np.array([angle_errors(coupling, seed) for seed in seeds])
        coupled, single, *measured = np.sqrt(np.mean(errors**2, axis=(0, 2))).tolist()
        way = f"{coupling.angle} by {coupling.direction.name}"
        figures += [
            (f"{way}: RMSE of the angle, coupled over single", 100.0 * coupled / single),
            (f"{way}: RMSE of the angle, coupled", coupled),
            (f"{way}: RMSE of the angle, single", single),
            (f"{way}: RMSE of the measured angle, coupled over single", 100.0 * measured[0] / measured[1]),
            (f"{way}: RMSE of the measured angle, true over single", 100.0 * measured[2] / measured[1]),
        ]
        found = np.mean([values_of(fitted(coupling, seed).parameters, coupling.names) for seed in seeds], axis=0)
        for name, ours in zip(coupling.names, found, strict=True):
            figures.append((f"{name}, mean", ours))
    return figures


STUDIES: dict[str, StudyFunction] = {
    "X9": couplings,
}
