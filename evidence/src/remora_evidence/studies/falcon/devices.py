"""X4, X5, X12, X13 and X14: thrusters and sensors of the Falcon, Proctor 2014."""

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from remora.equations.actuators.thrusters import (
    CommandMap,
    Thruster,
    command_from_speed,
    speed_from_command,
    speed_from_thrust,
    thrust,
)
from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.geometry.earth import Geodetic
from remora.equations.instruments import depth_from_pressure
from remora.files.arrays import Array
from remora.identification.bench import fit_command_map, fit_inflow_thrust
from remora.plant.plant import Plant
from remora.run.plant.drive import make_drive
from remora.sensors import OpenWater, Truth, make_sensor
from remora.vehicles import SensorEntry, load_vehicle
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.sampling import normals, readings

MILLI_G, DEGREE, BAR = 9.80665e-3, math.pi / 180.0, 1e5
LATITUDE = math.radians(48.65)
BOATHOUSE = OpenWater(bottom_depth=5.0, origin=Geodetic(LATITUDE, -2.15, 0.0), density=1025.0)
AT_TWO_METRES = Truth(0, p_NB=(0.0, 0.0, 2.0))
SAMPLES = 20_000  # per seed; a variance then scatters by 1 %
# Five minutes of a bench with load cells at 200 Hz; noise in rad/s and N.
BENCH_SAMPLES, SPEED_NOISE, THRUST_NOISE = 60_000, 0.1, 0.2
DIAMETER = 0.184  # m, of the propeller
STEP_SAMPLE_NS, STEP_LENGTH_NS = 1_000_000, 2_000_000_000  # how steps of thrusters are recorded


def entry(name: str) -> SensorEntry:
    """A sensor of the vehicle file."""
    return next(sensor for sensor in load_vehicle("falcon").sensors if sensor.name == name)


@cache
def command_round_trip(thruster: Thruster) -> float:
    """Largest error of command to speed to command, %."""
    m, commands = thruster.command_map, np.linspace(-100.0, 100.0, 2001).tolist()
    there = [command_from_speed(m, speed_from_command(m, command)) for command in commands]
    return float(np.abs(np.subtract(there, commands)).max())


def thruster_map(seeds: Sequence[int]) -> list[Value]:
    """Command to speed, speed and inflow to thrust, back again, and fitted again to noisy data.

    Alpha has the smallest share of the thrust and needs most samples: at 4,000 it misses 1 % in a third of the seeds.
    """
    thruster = load_vehicle("falcon").parameters.thrusters[0]
    curve, (gamma, beta, alpha) = worst_curve(thruster, seeds)
    return [
        ("command to speed to command, largest error", command_round_trip(thruster)),
        ("thrust to speed to thrust, largest error", thrust_round_trip(thruster)),
        ("speed map fitted again, largest error of a coefficient", worst_map(thruster, seeds)),
        ("thrust curve fitted again, largest error of full thrust", curve),
        ("thrust curve fitted again, largest error of gamma", gamma),
        ("thrust curve fitted again, largest error of beta", beta),
        ("thrust curve fitted again, largest error of alpha", alpha),
    ]  # fmt: skip


@cache
def thrust_round_trip(thruster: Thruster) -> float:
    """Largest error over thrusts and advance speeds of both signs."""
    return max(
        abs(thrust(thruster, speed_from_thrust(thruster, force, advance), advance) - force)
        for force in np.linspace(-100.0, 100.0, 81).tolist()
        for advance in (-1.0, -0.5, 0.0, 0.3, 1.0)
    )


def worst_map(thruster: Thruster, seeds: Sequence[int]) -> float:
    """Coefficients of the four pieces of the map from speeds with noise: largest error of one, in percent."""
    return 100.0 * max(map_error(thruster, seed) for seed in seeds)


@cache
def map_error(thruster: Thruster, seed: int) -> float:
    """Largest relative error of a coefficient of one fit."""
    m, commands = thruster.command_map, np.linspace(-100.0, 100.0, BENCH_SAMPLES)
    true = np.array([speed_from_command(m, command) for command in commands.tolist()])
    knees = (m.knee_reverse, m.knee_forward)
    fit = fit_command_map(commands, true + SPEED_NOISE * noise(seed, "map"), knees).law
    return float(np.abs(_numbers_of(fit) / _numbers_of(m) - 1.0).max())


def _numbers_of(m: CommandMap) -> Array:
    return np.array([m.slope_reverse, m.slope_forward, *m.reverse, *m.forward])


def worst_curve(thruster: Thruster, seeds: Sequence[int]) -> tuple[float, Array]:
    """Thrust in both directions fitted to forces with noise: largest errors of the curve and of each coefficient.

    In percent, that of the curve as a share of the largest thrust.
    """
    found = [curve_errors(thruster, seed) for seed in seeds]
    return 100.0 * max(one[0] for one in found), 100.0 * np.max([one[1] for one in found], axis=0)


@cache
def curve_errors(thruster: Thruster, seed: int) -> tuple[float, Array]:
    """Relative errors of one fit. The thruster always pushes the way it moves."""
    turning = np.tile(np.linspace(60.0, 98.0, 40), BENCH_SAMPLES // 40)
    speeds = np.concatenate([turning, -turning])
    advances = thruster.sense * np.sign(speeds) * np.tile(np.repeat(np.linspace(0.0, 2.0, BENCH_SAMPLES // 40), 40), 2)
    true = np.array([thrust(thruster, n, v) for n, v in zip(speeds.tolist(), advances.tolist(), strict=True)])
    wanted = np.array([thruster.positive, thruster.negative])
    chance = np.concatenate([noise(seed, "thrust +1"), noise(seed, "thrust -1")])
    law = fit_inflow_thrust(speeds, advances, true + THRUST_NOISE * chance, DIAMETER).law
    fitted: Any = thrust(law, speeds, advances)  # type: ignore[arg-type]
    of_curve = float(np.abs(fitted - true).max() / np.abs(true).max())
    return of_curve, np.abs(np.array([law.positive, law.negative]) / wanted - 1.0).max(axis=0)


def noise(seed: int, name: str) -> Array:
    """Standard normal numbers, one per sample of a bench test."""
    return normals(seed, f"bench/{name}", BENCH_SAMPLES)


def thruster_steps(seeds: Sequence[int]) -> list[Value]:
    """Every thruster from rest to full command both ways, from one to the other, and back to rest.

    Commands go through the drive of the vehicle file to the compiled plant; the slowest or latest of all thrusters and
    both ways counts. A rise on reversal counts over the whole change.
    """
    rises = [step_times(0.0, way * 100.0) for way in (1.0, -1.0)]
    turns = [step_times(-way * 100.0, way * 100.0) for way in (1.0, -1.0)]
    falls = [step_times(way * 100.0, 0.0) for way in (1.0, -1.0)]
    onsets = np.array([times[0] for times in (*rises, *turns, *falls)])
    return [
        ("rise from 10 to 90 %", max(times[1].max() for times in rises)),
        ("the same on reversal", max(times[1].max() for times in turns)),
        ("fall from 90 to 10 %", max(times[1].max() for times in falls)),
        ("earliest first response", onsets.min()),
        ("latest first response", onsets.max()),
    ]


def step_times(first: float, last: float) -> tuple[Array, Array]:
    """First response and time from 10 to 90 % of each thruster when all commands step, s."""
    vehicle = load_vehicle("falcon")
    plant, drive = Plant(vehicle), make_drive(vehicle, seed=0)
    count = len(drive.names)
    settled = [speed_from_command(t.command_map, first) for t in vehicle.parameters.thrusters]
    state, row = drive.initial(settled), plant.initial_state(outputs=settled)
    state, _ = drive.step(state, 0, [last] * count)
    now, speeds = 0, [row[BODY_SIZE:]]
    for end in range(STEP_SAMPLE_NS, STEP_LENGTH_NS + 1, STEP_SAMPLE_NS):
        while now < end:
            until = min(drive.due(state, now) or end, end)
            row = plant.step(row, drive.inputs(state, now), 1e-9 * (until - now))
            now = until
        speeds.append(row[BODY_SIZE:])
    change = np.abs(np.array(speeds) - speeds[0])
    share = change / np.abs([speed_from_command(t.command_map, last) for t in vehicle.parameters.thrusters] - speeds[0])
    times = 1e-9 * STEP_SAMPLE_NS * np.arange(len(share))
    onset = np.array([times[int(np.argmax(column > 1e-9)) - 1] for column in share.T])
    tenth, most = (np.array([np.interp(level, column, times) for column in share.T]) for level in (0.1, 0.9))
    return onset, most - tenth


def imu_variances(seeds: Sequence[int]) -> list[Value]:
    """Static variances at 125 Hz: from the noise density, and as measured."""
    density, static = variances("density", seeds), variances("static", seeds)
    devices = ("accelerometer", "gyro")
    return [
        *((f"{devices[k]} {'xyz'[i]}, from its density", density[3 * k + i]) for i in range(3) for k in range(2)),
        *((f"{devices[k]} {'xyz'[i]}, as measured", static[3 * k + i]) for k in range(2) for i in range(3)),
    ]


def variances(condition: str, seeds: Sequence[int]) -> Array:
    """Variances of the six channels at rest, mean over the seeds; mG2 and deg2/s2."""
    units = np.array([MILLI_G**2] * 3 + [DEGREE**2] * 3)
    return np.asarray(np.mean([variance(condition, seed) for seed in seeds], axis=0) / units)


@cache
def variance(condition: str, seed: int) -> Array:
    """Variances of the six channels of one sensor."""
    made = make_sensor(entry("imu"), seed, "falcon", {"parameters": {"condition": condition}})
    values = np.array([reading.values for reading in readings(made, SAMPLES, AT_TWO_METRES, BOATHOUSE)])
    return np.asarray(values.var(axis=0))


def pressure_drift(seeds: Sequence[int]) -> list[Value]:
    """Drift of the depth without noise, and the variance under way."""
    depths = drifting_depths()
    return [
        ("depth error after 90 s", depths[1800] - depths[0]),
        ("depth error after 150 s", depths[3000] - depths[0]),
        ("variance under way", dynamic_variance(seeds)),
        ("drift in 150 s", drift()),
    ]


@cache
def drifting_depths() -> list[float]:
    """Depths at 20 Hz without noise."""
    still = make_sensor(entry("pressure"), 1, "", {"parameters": {"bias_range": None, "static_variance": 0.0}})
    return [depth_from_pressure(r.values[0], LATITUDE) for r in readings(still, 3001, AT_TWO_METRES, BOATHOUSE)]


@cache
def drift() -> float:
    """Drift of the pressure in 150 s, bar."""
    made = make_sensor(entry("pressure"), 1, "", {"parameters": {"static_variance": 0.0}})
    found = readings(made, 3001, AT_TWO_METRES, BOATHOUSE)
    return (found[-1].values[0] - found[0].values[0]) / BAR


def dynamic_variance(seeds: Sequence[int]) -> float:
    """Variance of the pressure under way, mean over the seeds, bar2."""
    return float(np.mean([pressure_variance(seed) for seed in seeds])) / BAR**2


@cache
def pressure_variance(seed: int) -> float:
    """Variance of one sensor under way, Pa2."""
    made = make_sensor(entry("pressure"), seed, "", {"parameters": {"condition": "dynamic", "drift": 0.0}})
    return float(np.var([reading.values[0] for reading in readings(made, SAMPLES, AT_TWO_METRES, BOATHOUSE)]))


def dynamic_pressure(seeds: Sequence[int]) -> list[Value]:
    """What a port that faces the flow reads on top at 2 m/s."""
    port = {"name": "port", "kind": "pressure", "position": (0.0, 0.0, 0.0), "rate": 10.0}
    made = make_sensor({**port, "parameters": {"water": "uniform", "dynamic_pressure_share": 1.0}}, 1)
    fast = AT_TWO_METRES._replace(twist=(2.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    still, moving = (readings(made, 1, truth, BOATHOUSE)[0].values[0] for truth in (AT_TWO_METRES, fast))
    return [("dynamic pressure at 2 m/s", moving - still)]


STUDIES: dict[str, StudyFunction] = {
    "X4": thruster_map,
    "X5": thruster_steps,
    "X12": imu_variances,
    "X13": pressure_drift,
    "X14": dynamic_pressure,
}
