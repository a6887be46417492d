"""X15 and X16: latencies and the lever of the DVL of the Falcon, out of a motion that a camera system saw as well.

The vehicle swings about a place in the array of the source, Proctor 2014, ch. 4, while it yaws; the motion is
prescribed. A camera system knows it without latency: 1.2 cm, 3 cm/s and 0.4 degrees of noise at 20 Hz.
"""

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.kinematics import position_rate, to_body, twist_at
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.algebra.vectors import IDENTITY3, ZERO3, add3
from remora.equations.geometry.earth import Geodetic
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.identification import record_from_arrays
from remora.identification.data.log_files import moved_to_body
from remora.identification.sampling.clock_offset import ClockOffset, clock_offset
from remora.sensors import OpenWater, Reading, Truth, make_sensor
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.falcon.thrust_steps import falcon, instrument
from remora_evidence.studies.sampling import normals

SECONDS, CAMERA_RATE = 120.0, 20.0
PLACE: Vector3 = (1.5, 0.0, 2.0)  # m
CAMERA_PLACE, CAMERA_SPEED, CAMERA_ANGLE = 0.012, 0.03, math.radians(0.4)  # m, m/s, rad
STATION: Vector3 = (0.7572, 2.9798, 1.4311)  # m, the second of Table 4.9, which the hull never hides in this motion
LARGEST = 2.0  # s, latency that is looked for
WATER = OpenWater(bottom_depth=5.0, origin=Geodetic(math.radians(48.65), -2.15, 0.0), density=1025.0)


class Swing(NamedTuple):
    """A prescribed motion: level, swinging in two directions and in yaw."""

    ways: tuple[float, float] = (1.0, 0.8)  # m, north and east
    periods: tuple[float, float] = (11.0, 14.0)  # s
    yaw: float = math.radians(60.0)
    yaw_period: float = 10.0  # s; at most 38 of the 50 deg/s that the vehicle can turn

    def yaw_at(self, seconds: float) -> float:
        """Heading, rad."""
        return self.yaw * math.sin(2.0 * math.pi / self.yaw_period * seconds)


SWING = Swing()


def truth_at(seconds: float, swing: Swing = SWING) -> Truth:
    """The prescribed motion at a time, s."""
    north, east = (2.0 * math.pi / period for period in swing.periods)
    turn = 2.0 * math.pi / swing.yaw_period
    q_NB = from_euler_zyx(0.0, 0.0, swing.yaw_at(seconds))
    a, b = swing.ways
    p = (PLACE[0] + a * math.sin(north * seconds), PLACE[1] + b * math.sin(east * seconds), PLACE[2])
    speed = (a * north * math.cos(north * seconds), b * east * math.cos(east * seconds), 0.0)
    twist = (*to_body(q_NB, speed), 0.0, 0.0, swing.yaw * turn * math.cos(turn * seconds))
    return Truth(round(1e9 * seconds), p_NB=p, q_NB=q_NB, twist=twist)


def readings_of(name: str, seed: int) -> list[Reading]:
    """All good readings of a sensor of the vehicle, with its noise under way."""
    parameters: dict[str, object] = {"condition": "dynamic"} | ({"stations": [STATION]} if name == "sbl_rover" else {})
    entry = next(sensor for sensor in falcon().sensors if sensor.name == name)
    sensor = make_sensor(entry, seed, "falcon", {"parameters": parameters})
    state, found = sensor.initial(), []
    period_ns = sensor.description.period_ns
    for k in range(round(SECONDS * 1e9) // period_ns):
        state, reading = sensor.step(state, truth_at(k * period_ns * 1e-9), WATER, k)
        if reading is not None and all(map(math.isfinite, reading.values)):
            found.append(reading)
    return found


class Seen(NamedTuple):
    """One quantity as a sensor handed it over and as the cameras saw it."""

    arrival: Array  # s
    values: Array
    camera_time: Array  # s
    camera: Array

    def latency(self) -> ClockOffset:
        """Delay of the sensor against the cameras; the cameras, the smoother signal, are shifted."""
        return clock_offset(self.arrival, self.values, self.camera_time, self.camera, LARGEST)


def seen(name: str, seed: int) -> Seen:
    """Heading by the compass, forward speed at the DVL or a range by the SBL, beside the cameras."""
    readings = readings_of(name, seed)
    times = np.arange(round(SECONDS * CAMERA_RATE)) / CAMERA_RATE
    truths = [truth_at(float(t)) for t in times]
    chance = normals(seed, f"cameras {name}", 3 * len(times)).reshape(-1, 3)
    if name == "compass":
        camera = np.array([SWING.yaw_at(t) for t in times]) + CAMERA_ANGLE * chance[:, 0]
        values = np.unwrap([reading.values[2] for reading in readings])
    elif name == "dvl":
        place = place_of("dvl")
        camera = (
            np.array([twist_at(truth.twist, place, IDENTITY3)[0] for truth in truths]) + CAMERA_SPEED * chance[:, 0]
        )
        values = np.array([reading.values[0] for reading in readings])
    else:
        places = np.array([antenna(truth) for truth in truths]) + CAMERA_PLACE * chance
        camera = np.linalg.norm(places - np.array(STATION), axis=1)
        values = np.array([reading.values[0] for reading in readings])
    return Seen(np.array([reading.arrival_ns for reading in readings]) * 1e-9, values, times, camera)


def place_of(name: str) -> Vector3:
    """Where a sensor sits on the vehicle."""
    return next(sensor.position or ZERO3 for sensor in falcon().sensors if sensor.name == name)


def antenna(truth: Truth) -> Array:
    """Where the transponder on the vehicle is, in N."""
    return np.array(add3(truth.p_NB, position_rate(truth.q_NB, place_of("sbl_rover"))))


@cache
def latency_of(name: str, seed: int) -> float:
    """Latency of one sensor, s."""
    return -seen(name, seed).latency().offset


def latencies(seeds: Sequence[int]) -> list[Value]:
    """Latency of three sensors against the cameras: worst of all seeds."""
    figures = []
    for name, words, printed in (("compass", "compass", 0.35), ("dvl", "DVL", 0.25), ("sbl_rover", "SBL", 0.7)):
        found = [latency_of(name, seed) for seed in seeds]
        worst = max(found, key=lambda latency: abs(latency - printed))
        figures.append((f"latency of the {words}, worst seed", worst))
    return figures


@cache
def lever_errors(seed: int) -> tuple[float, float]:
    """RMSE of the velocity of the centre of gravity from the DVL while yawing: with and without its lever taken off."""
    readings = readings_of("dvl", seed)
    times = np.array([reading.stamp_ns for reading in readings])
    truths = np.array([truth_at(float(t) * 1e-9).twist for t in times])
    rates = truths[:, 3:] + instrument(3)[0] * normals(seed, "lever gyro", 3 * len(times)).reshape(-1, 3)
    measured = np.array([reading.values[:3] for reading in readings])
    corrected = moved_to_body(record_from_arrays(times, np.hstack([measured, rates])), place_of("dvl"))
    with_lever, without = (np.sqrt(np.mean((v - truths[:, :3]) ** 2)) for v in (corrected.twist[:, :3], measured))
    return float(with_lever), float(without)


def lever_arm(seeds: Sequence[int]) -> list[Value]:
    """The velocity at the DVL is not that of the centre of gravity while the vehicle yaws."""
    corrected, plain = np.sqrt(np.mean(np.square([lever_errors(seed) for seed in seeds]), axis=0)).tolist()
    return [
        ("RMSE of the velocity while yawing, corrected over uncorrected", corrected / plain),
        ("RMSE of the velocity, corrected by the lever", corrected),
        ("RMSE of the velocity, uncorrected", plain),
    ]


STUDIES: dict[str, StudyFunction] = {
    "X15": latencies,
    "X16": lever_arm,
}
