"""Runs of the Falcon through the array of the source under true-state feedback, and the readings of its sled.

The plant differs from the nominal one by up to 20 %, accelerometers and gyros have biases of 5 mG and 0.2 deg/s
(1 sigma), the readings the printed noise under way and latencies. The vehicle holds its place for 5 s, then moves.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.geometry.earth import Geodetic
from remora.equations.guidance.lyapunov import AXIS_BY_AXIS
from remora.equations.types import Vector4
from remora.files.arrays import Array
from remora.guidance.mission import MissionTarget
from remora.guidance.velocity_guidance import VelocityGuidance, lyapunov_law
from remora.messages.site import Site
from remora.navigation.falcon.presets import DEGREE, MILLI_G, ModelNoise
from remora.navigation.falcon.sled import Sled, sled_of
from remora.plant import PackedVehicle, Stepper, derivative, initial_state, pack
from remora.sensors import OpenWater, Reading, Sensor, Stream, Truth, make_sensor
from remora_evidence.studies.falcon.closed_loop import (
    PERIOD,
    FalconTrial,
    controller,
    disturbance_of,
    estimate_of,
    plant_of,
    thruster_chain,
)
from remora_evidence.studies.falcon.thrust_steps import falcon
from remora_evidence.studies.sampling import normals

STEP = 0.002  # s, divides the periods of the software and of the IMU
REST, SECONDS = 5.0, 65.0  # s; errors count after the rest
DEEP, SHALLOW = 2.0, 1.45  # m: below the stations, where the hull hides none, and above them
ROUND = 2 * ((2.4, 1.0, 0.3), (0.6, 1.3, 0.6), (0.8, -1.2, 0.0), (2.5, -1.0, -0.4))  # m, m, rad: inside the array
TRANSIT = ((7.0, -2.0, 0.2),)
SLOW: Vector4 = (0.12, 0.12, 0.05, 0.1)  # m/s and rad/s
ORIGIN = Geodetic(math.radians(48.65), -2.15, 0.0)
WATER = OpenWater(bottom_depth=6.0, surface_depth=0.64, origin=ORIGIN, density=1022.4)
SITE = Site(1022.4, WATER.gravity, WATER.surface_depth, ORIGIN, True)
ROVER = "sbl_rover"
SLED = ("imu", "pressure", "compass", "dvl", ROVER)
GEOMETRY = ("stations", "shadow", "max_tilt", "min_altitude", "beam_angle", "beam_turn")
GROSS = (0.3, 1.5)  # m, of ranges through the hull
BIASES = (5.0 * MILLI_G, 0.2 * DEGREE)


class ArrayRun(NamedTuple):
    """A run and its readings."""

    times_ns: tuple[int, ...]  # of the software
    truth: Array  # 13 numbers per sample of the software
    speeds: Array  # rad/s, shaft speeds from that sample on
    commands: Array  # %, before rounding and dead band
    readings: tuple[tuple[Reading, ...], ...]  # arrived since the sample before


class Route(NamedTuple):
    """Where a run goes."""

    points: tuple[tuple[float, float, float], ...] = ROUND  # north, east, heading: m, m, rad
    depth: float = DEEP  # m
    start: tuple[float, float] = (1.5, 0.0)  # m
    speeds: Vector4 = SLOW  # m/s and rad/s, largest


class ArrayTrial(NamedTuple):
    """Set-up of one run."""

    seed: int
    route: Route = Route()
    is_scattered: bool = True  # whether the plant differs from the nominal one
    is_disturbed: bool = False  # sinusoidal wrenches and dead bands
    is_noisy: bool = True  # whether the readings have errors
    shadow: str = "silent"  # ranges through the hull: "silent", "false" or "true"

    @property
    def vehicle(self) -> FalconTrial:
        """The vehicle without its sensors."""
        return FalconTrial(self.seed, is_scattered=self.is_scattered, is_disturbed=self.is_disturbed)


@lru_cache(maxsize=64)
def array_run(trial: ArrayTrial) -> ArrayRun:
    """One run with its readings."""
    states, commands, taken = flown(trial)
    every = round(PERIOD / STEP)
    times = tuple(round(1e9 * PERIOD) * k for k in range(len(commands)))
    speeds = states[1 + np.arange(len(commands)) * every, BODY_SIZE:]  # without lag they hold from the sample on
    arrived = _arrived(trial, states, taken, times)
    return ArrayRun(times, states[: len(commands) * every : every, :BODY_SIZE], speeds, commands, arrived)


def _guidance(route: Route) -> VelocityGuidance:
    """Five seconds at the start, then one target after the other."""
    hold = MissionTarget("go_to", 0, route.start, route.depth, heading=0.0, dwell=REST)
    legs = [
        MissionTarget("go_to", i, (north, east), route.depth, heading=heading, dwell=1.0)
        for i, (north, east, heading) in enumerate(route.points)
    ]
    return VelocityGuidance((hold, *legs), lyapunov_law(max_speeds=route.speeds, limits=AXIS_BY_AXIS), PERIOD)


def flown(trial: ArrayTrial) -> tuple[Array, Array, Array]:
    """States at all steps; commands asked for and taken at all samples."""
    packed, route, guidance = pack(plant_of(trial.vehicle)), trial.route, _guidance(trial.route)
    control, chain, wrench = controller(trial.vehicle), thruster_chain(trial.vehicle), disturbance_of(trial.vehicle)
    stepper, state = Stepper(packed, STEP), initial_state(packed, position=(*route.start, route.depth))
    held, filtered = control.initial(), [0.0] * packed.actuators
    guided = guidance.begun(0, estimate_of(state, 0))
    states, asked, taken = [state], [], []
    for k in range(round(SECONDS / PERIOD)):
        now = estimate_of(state, k)
        guided, reference = guidance.step(guided, now.time_ns, now)
        held, tau = control.step(held, now.q_NB, now.twist, reference.velocity)
        filtered = chain.commands(np.array(tau), now.twist, filtered)
        applied = chain.taken(filtered)
        for j in range(round(PERIOD / STEP)):
            state = stepper(state, applied, external=wrench.at(k * PERIOD + j * STEP))
            states.append(state)
        asked.append(filtered)
        taken.append(applied)
    return np.array(states), np.array(asked), np.array(taken)


class _Motion(NamedTuple):
    """The true motion of a trial, for its sensors."""

    trial: ArrayTrial
    states: Array
    taken: Array

    def at(self, time_ns: int, with_rate: bool) -> Truth:
        """Truth at a time, with accelerations where a sensor needs them."""
        i, k = time_ns // round(1e9 * STEP), min(time_ns // round(1e9 * PERIOD), len(self.taken) - 1)
        x, y, z, s, a, b, c, u, v, w, p, q, r = self.states[i, :BODY_SIZE].tolist()
        truth = Truth(time_ns, (x, y, z), (s, a, b, c), (u, v, w, p, q, r))
        if not with_rate:
            return truth
        external = disturbance_of(self.trial.vehicle).at(time_ns * 1e-9)
        rate = derivative(packed_plant(self.trial.vehicle), self.states[i], self.taken[k], external)[7:BODY_SIZE]
        u, v, w, p, q, r = rate.tolist()
        return truth._replace(twist_rate=(u, v, w, p, q, r))


@lru_cache(maxsize=64)
def packed_plant(trial: FalconTrial) -> PackedVehicle:
    """The simulated vehicle, as compiled code takes it."""
    return pack(plant_of(trial))


def _arrived(trial: ArrayTrial, states: Array, taken: Array, times: tuple[int, ...]) -> tuple[tuple[Reading, ...], ...]:
    """Readings of all sensors by the sample of the software at which they have arrived."""
    motion, period_ns = _Motion(trial, states, taken), round(1e9 * PERIOD)
    arrivals: list[list[Reading]] = [[] for _ in times]
    for name in SLED:
        sensor = sled_sensor(name, trial)
        state, period = sensor.initial(), sensor.description.period_ns
        for k in range(1, times[-1] // period + 1):
            truth = motion.at(k * period, name == "imu")
            state, reading = sensor.step(state, truth, WATER, k)
            if reading is not None and reading.arrival_ns <= times[-1]:
                reading = through_hull(trial, truth, reading, k) if name == ROVER else reading
                arrivals[-(-reading.arrival_ns // period_ns)].append(reading)
    return tuple(tuple(sorted(some, key=lambda one: one.arrival_ns)) for some in arrivals)


def sled_sensor(name: str, trial: ArrayTrial) -> Sensor:
    """A sensor of the sled with the errors of a run, or without errors."""
    entry = next(sensor for sensor in falcon().sensors if sensor.name == name)
    changes: dict[str, object] = {"shadow": None} if name == ROVER and trial.shadow != "silent" else {}
    if not trial.is_noisy:
        kept = {key: value for key, value in entry.parameters.items() if key in GEOMETRY}
        return make_sensor(entry._replace(parameters={**kept, **changes}), trial.seed)
    changes["condition"] = "dynamic"
    if name == "imu":
        drawn = normals(trial.seed, "IMU biases", 6)
        changes["accelerometer_bias"] = tuple((BIASES[0] * drawn[:3]).tolist())
        changes["gyro_bias"] = tuple((BIASES[1] * drawn[3:]).tolist())
    if name == "pressure":
        changes["bias_range"] = None  # zeroed before the dive
    return make_sensor(entry._replace(parameters={**entry.parameters, **changes}), trial.seed)


def through_hull(trial: ArrayTrial, truth: Truth, reading: Reading, k: int) -> Reading:
    """Ranges of which those through the hull are too long by a chance that no noise explains."""
    if trial.shadow != "false" or not reading.values:
        return reading
    hidden = falcon_sled().hidden(np.array([*truth.p_NB, *truth.q_NB]), margin=0.0)
    shortest, longest = GROSS
    extra = Stream(trial.seed, "ranges through the hull").uniforms(k, len(hidden))
    values = tuple(
        r + (shortest + (longest - shortest) * share if hides else 0.0)
        for r, hides, share in zip(reading.values, hidden, extra, strict=True)
    )
    return reading._replace(values=values)


@lru_cache(maxsize=1)
def falcon_sled() -> Sled:
    """The sled at the site of the source."""
    return sled_of(falcon().sensors, SITE, ModelNoise().force_time)
