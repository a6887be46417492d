"""gavia-5.12: every line of Table 1 of Randeni et al. 2018 out of many runs of the sensor models."""

import math
from collections.abc import Sequence
from functools import cache

import numpy as np

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.instruments import depth_from_pressure
from remora.files.arrays import Array
from remora.sensors import OpenWater, Status, Truth, make_sensor
from remora.vehicles import SensorEntry, load_vehicle
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.sampling import readings

RUNS = 4000  # per seed; a deviation then scatters by 1.1 %
SPEED = 1.6  # m/s
LAKE, OCEAN = OpenWater(bottom_depth=30.0), OpenWater()
START = Truth(0, p_NB=(0.0, 0.0, 5.0), twist=(SPEED, 0.0, 0.0, 0.0, 0.0, 0.0))
INS_AHEAD = 0.2  # m, of the origin
WATER_TRACK_TIME = 8.0 * 3600.0  # s


def entry(name: str) -> SensorEntry:
    """A sensor of the vehicle file."""
    return next(sensor for sensor in load_vehicle("gavia").sensors if sensor.name == name)


def after(seconds: float) -> Truth:
    """The vehicle that long later, straight to the north."""
    return START._replace(time_ns=round(seconds * 1e9), p_NB=(SPEED * seconds, 0.0, 5.0))


def run_numbers(seed: int) -> range:
    """Seeds of single runs, different for every seed of the study."""
    return range(seed * RUNS, (seed + 1) * RUNS)


@cache
def ins_errors(truths: tuple[Truth, ...], bottom_depth: float | None, runs: range) -> Array:
    """Errors of the last of some readings over all runs: north, east, u, v, w, roll, pitch, heading."""
    last, errors, ins, water = truths[-1], [], entry("ins"), OpenWater(bottom_depth)
    for seed in runs:
        made = make_sensor(ins, seed, "gavia")
        state = made.initial()
        for k, truth in enumerate(truths):
            state, reading = made.step(state, truth, water, k)
        assert reading is not None
        errors.append(reading.values[:8])
    expected = (last.p_NB[0] + INS_AHEAD, last.p_NB[1], *last.twist[:3], *to_euler_zyx(last.q_NB))
    return np.array(errors) - expected


def rms(errors: Array) -> float:
    """Root of the mean square."""
    return float(np.sqrt(np.mean(np.square(errors))))


def ins_lines(seeds: Sequence[int]) -> list[Value]:
    """The INS with its three kinds of aid."""

    def errors(water: OpenWater, *truths: Truth) -> Array:
        return np.concatenate([ins_errors(truths, water.bottom_depth, run_numbers(seed)) for seed in seeds])

    bottom = errors(LAKE, after(0.0), after(500.0), after(1000.0))
    surface = errors(OCEAN, START._replace(p_NB=(0.0, 0.0, 0.0)))
    water = errors(OCEAN, after(0.0), after(WATER_TRACK_TIME))
    radius = float(np.median(np.hypot(bottom[:, 0], bottom[:, 1])))
    astray = math.sqrt(2.0) * rms(water[:, :2])
    return [
        ("INS on bottom track: heading", math.degrees(rms(bottom[:, 7]))),
        ("INS on bottom track: pitch", math.degrees(rms(bottom[:, 6]))),
        ("INS on bottom track: position, circular error probable", 100.0 * radius / (SPEED * 1000.0)),
        ("INS on bottom track: velocity", rms(bottom[:, 2:5])),
        ("INS with GPS: velocity", rms(surface[:, 2:5])),
        ("INS on water track: position after 8 h", astray),
        ("INS on water track: velocity", rms(water[:, 2:5])),
    ]


def dvl_lines(seeds: Sequence[int]) -> list[Value]:
    """The DVL when slow and when fast, and where it loses the bottom."""
    errors = {speed: np.concatenate([dvl_errors(speed, seed) for seed in seeds]) for speed in (0.1, SPEED)}
    return [
        ("DVL: slow", rms(errors[0.1])),
        ("DVL: at 1.6 m/s, share of speed", 100.0 * rms(errors[SPEED]) / SPEED),
        ("DVL: valid readings of 100 at 30 m of altitude", valid(30.0)),
        ("DVL: valid readings of 100 at 30.001 m of altitude", valid(30.001)),
    ]


@cache
def dvl_errors(speed: float, seed: int) -> Array:
    """Errors of the speed ahead."""
    moving = START._replace(twist=(speed, 0.0, 0.0, 0.0, 0.0, 0.0))
    made = make_sensor(entry("dvl"), seed, "gavia", {"rate": 5.0})
    return np.array([reading.values[0] for reading in readings(made, RUNS, moving, LAKE)]) - speed


@cache
def valid(altitude: float) -> int:
    """How many of a hundred readings of a vehicle at rest are valid."""
    made = make_sensor(entry("dvl"), 1, "gavia", {"rate": 5.0})
    deep = Truth(0, p_NB=(0.0, 0.0, 50.0 - altitude))
    return sum(r.status == Status.OK for r in readings(made, 100, deep, OpenWater(bottom_depth=50.0)))


@cache
def pressure_errors(seed: int) -> Array:
    """Errors of the depth from pressure, m."""
    place, deep = {"position": (0.0, 0.0, 0.0), "rate": 1.0}, Truth(0, p_NB=(0.0, 0.0, 100.0))
    pressure, found = entry("pressure"), []
    for run in run_numbers(seed):
        (reading,) = readings(make_sensor(pressure, run, "gavia", place), 1, deep, OCEAN)
        found.append(depth_from_pressure(reading.values[0], OCEAN.latitude) - 100.0)
    return np.array(found)


def sensor_accuracies(seeds: Sequence[int]) -> list[Value]:
    """All lines of the table, each within 5 %."""
    depth = rms(np.concatenate([pressure_errors(seed) for seed in seeds]))
    return [*ins_lines(seeds), *dvl_lines(seeds), ("pressure: share of depth", depth)]


STUDIES: dict[str, StudyFunction] = {
    "gavia-5.12": sensor_accuracies,
}
