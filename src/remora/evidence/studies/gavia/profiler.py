"""gavia-adcp: velocity of the water by the calm-water model against a current profiler on the same legs.

Randeni et al. 2018 take the method from Randeni et al. 2017 (J. Mar. Sci. Eng. 5, 25), who print the standard deviation
against a profiler.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.evidence.requirements import StudyFunction, Value
from remora.evidence.studies.gavia import records
from remora.evidence.studies.gavia.calm_water import data, gavia, recursive_fit, truth
from remora.evidence.studies.gavia.field_calibration import survey
from remora.files.arrays import Array
from remora.identification import WaterComparison, compare_with_profiler
from remora.identification.gyro_driven.data import GyroData
from remora.messages.truth import Truth
from remora.sensors import OpenWater, make_sensor

ALTITUDE = 8.0  # m above the bottom, as in Lake Ohau
DEEP = -50.0  # m: the surface is out of reach of the profiler
AXES = ("north", "east", "down")


def pings(made: records.TrueRun, quaternion: Array, water: Array, seed: int, name: str) -> Array:
    """Cells of the profiler of the vehicle at each sample of a log, one ping each: samples x cells x 3."""
    entry = next(one for one in gavia().sensors if one.name == "adcp")
    sensor = make_sensor(entry, seed, name, {"rate": 1.0 / records.INTERVAL, "latency": 0.0})
    state, rows = sensor.initial(), []
    for k, row in enumerate(zip(made.position.tolist(), quaternion.tolist(), made.twist.tolist(), strict=True)):
        place, attitude, twist = map(tuple, row)
        around = OpenWater(place[2] + ALTITUDE, DEEP, current=tuple(water[k].tolist()))
        stamp = sensor.description.start_ns + k * sensor.description.period_ns
        state, reading = sensor.step(state, Truth(stamp, place, attitude, twist), around, k)
        if reading is not None:  # without latency none is late
            rows.append(np.array(reading.values).reshape(-1, 3))
    return np.array(rows)


def true_quaternions(made: records.TrueRun) -> Array:
    """Attitude without noise."""
    return np.column_stack(from_euler_zyx(*made.euler.T))


def compared(logged: GyroData, made: records.TrueRun, water: Array, seed: int, name: str) -> WaterComparison:
    """The comparison on one log."""
    model, entry = recursive_fit("ID1", seed).model, next(one for one in gavia().sensors if one.name == "adcp")
    cells = pings(made, true_quaternions(made), water, seed, name)
    assert entry.position is not None
    return compare_with_profiler(model, logged, cells, entry.position)


@cache
def figures(seed: int) -> tuple[Array, Array]:
    """Standard deviation and mean of the difference, errors of model and of profiler alone: in the current and calm."""
    there = survey("current", seed)
    made = records.TrueRun(*(values[:: records.SUBSTEPS] for values in there.fine))
    calm = data("matched", "unseen", seed)
    unmoved = np.zeros((len(calm.time), 3))
    found = []
    for logged, run, water, name in (
        (there.data, made, there.water, "current"),
        (calm, truth("matched", "unseen"), unmoved, "calm"),
    ):
        one = compared(logged, run, water, seed, name)
        rms = [np.sqrt(np.nanmean((part - water) ** 2, axis=0)) for part in (one.modelled, one.profiled)]
        found.append(np.array([one.deviation, one.mean, *rms]))
    return found[0], found[1]


def against_profiler(seeds: Sequence[int]) -> list[Value]:
    """Worst seed of each figure, in the current and in calm water."""
    values: list[Value] = []
    for i, where in enumerate(("current", "calm water")):
        found = np.array([figures(seed)[i] for seed in seeds])
        deviation, mean, model, profiler = (np.abs(found[:, k]).max(axis=0) for k in range(4))
        for words, row in (
            ("standard deviation of model less profiler", deviation),
            ("mean of model less profiler", mean),
            ("error of the model", model),
            ("error of the profiler", profiler),
        ):
            values += [(f"{where}, {axis}: {words}", row[k]) for k, axis in enumerate(AXES)]
    return values


STUDIES: dict[str, StudyFunction] = {"gavia-adcp": against_profiler}
