"""Records of a torpedo-shaped vehicle whose attitude is prescribed: manoeuvres, the plant that follows, and noise.

The plant is the compiled one with its rotation forced onto a smooth history, as an autopilot that never errs would. In
surge, sway and heave it moves by itself. The only random part of the true motion are gusts: it is made once, and noise
is added.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy.interpolate import BPoly, make_interp_spline
from scipy.signal import lfilter

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.estimation.gyro_driven import turn_rate_from_euler_zyx
from remora.equations.packed import outputs_count
from remora.equations.types import Matrix6
from remora.files.arrays import Array
from remora.identification import inputs_of, record_from_arrays
from remora.identification.gyro_driven.data import GyroData, gyro_data_from
from remora.plant import pack
from remora.plant.compilation import kernels_for
from remora.plant.forms.user_forms import codes_of
from remora.plant.pack import PackedVehicle
from remora.vehicles import Vehicle
from remora.vehicles.parameters import total_inertia
from remora_evidence.studies.sampling import normals

Water = Callable[[float, Array], Array]  # time and position of the vehicle -> velocity of the water in N
Push = Callable[[float], Array]  # time -> acceleration of an unmodelled force, in body axes
RPM = 2.0 * math.pi / 60.0
INTERVAL = 1.0 / 0.87  # s, between logged samples (Randeni et al. 2018)
GRID = 0.05  # s, of the prescribed attitude
LEG, ABOUT = 320.0, 30.0  # s: a leg of a lawn-mower, and its turn
INFLOW_FROM, INFLOW_OVER = 330.0, 150.0  # m along a leg where the inflow begins to be felt, and until it is all there
GUST_STEP, GUST_TIME = 1.0, 30.0  # s: between drawn gusts, and their correlation
TURN = 12.0  # s that a change of heading takes
NOD = 8.0  # s that a change of pitch takes
SPOOL = 4.0  # s that a change of shaft speed takes
SUBSTEPS = 4  # of the plant between two samples: 0.29 s against dynamics of a second or more
START = (1.5, 0.0, 0.0)  # m/s, before the run-up
RUN_UP = 60.0  # s before the first stamp, straight ahead
ROLL = math.radians(2.0)  # amplitude of a slow roll


class LogNoise(NamedTuple):
    """Standard deviations of what an INS logs."""

    velocity: float = 0.003  # m/s
    velocity_rate: float = 0.003  # m/s2
    turn_rate: float = 2e-4  # rad/s
    turn_acceleration: float = 1e-3  # rad/s2
    pitch: float = math.radians(0.005)
    heading: float = math.radians(0.010)


CHECKED = LogNoise()
# The INS of the vehicle file with bottom lock: Table 1 for velocity, random walks of its sensors for the rest.
NAVIGATION_GRADE = LogNoise(0.001, 5e-4, 2e-6, 2e-5)


class Manoeuvre(NamedTuple):
    """Attitude and shaft speed over time."""

    duration: float  # s
    roll: Any  # piecewise polynomials
    pitch: Any
    heading: Any
    shaft: Any  # rad/s


class TrueRun(NamedTuple):
    """What happened, at the stamps of a log."""

    time: Array
    twist: Array  # n x 6, over ground
    twist_rate: Array  # n x 6
    position: Array  # n x 3
    euler: Array  # n x 3
    shaft: Array  # n, rad/s


def steps(levels: Sequence[tuple[float, float]], lasting: float) -> Any:
    """A signal that goes from level to level, given as (start of the change, new level), smooth to the second rate."""
    knots, values = [-1e4], [levels[0][1]]
    for start, level in levels:
        if start > knots[-1]:
            knots.append(start)
            values.append(values[-1])
        knots.append(knots[-1] + lasting)
        values.append(level)
    knots.append(1e5)
    values.append(values[-1])
    return BPoly.from_derivatives(knots, [[value, 0.0, 0.0] for value in values])


def zigzag(start: float, stop: float, every: float, size: float, middle: float = 0.0) -> list[tuple[float, float]]:
    """Levels to both sides of a middle, one after the other, and back to it at the end."""
    starts = np.arange(start, stop - 0.5 * every, every).tolist()
    return [(t, middle + size * (1 - 2 * (k % 2))) for k, t in enumerate(starts)] + [(stop, middle)]


def manoeuvre(
    duration: float,
    heading: Sequence[tuple[float, float]],
    pitch: Sequence[tuple[float, float]],
    shaft: Sequence[tuple[float, float]],
    roll_period: float,
    turn: float = TURN,
) -> Manoeuvre:
    """A manoeuvre from levels in degrees and rpm; roll rocks slowly all the time."""
    grid = _grid(duration)
    roll = make_interp_spline(grid, ROLL * np.sin(2.0 * math.pi * grid / roll_period), k=5)
    turned = [(t, math.radians(level)) for t, level in heading]
    nodded = [(t, math.radians(level)) for t, level in pitch]
    turning = [(t, level * RPM) for t, level in shaft]
    return Manoeuvre(duration, roll, steps(nodded, NOD), steps(turned, turn), steps(turning, SPOOL))


class Program(NamedTuple):
    """Sizes of an identification run: heading in degrees, pitch in degrees, shaft speeds in rpm."""

    duration: float
    turns: tuple[float, float, float]  # until, every, size
    nods: tuple[float, float, float]  # until, every, size
    wobble: float  # of heading while nodding, and of pitch while turning
    cruise: float  # rpm
    trim: float  # rpm, change of shaft speed while turning
    stairs: tuple[float, ...]  # rpm, equally long, to the end; none for a run of turns and nods only
    roll_period: float


# Of the source: ID1 has 260 s of turns, 400 s of nods and stairs to 900 s; ID2 has the same in 862 s.
ID1 = Program(900.0, (260.0, 30.0, 50.0), (660.0, 40.0, 10.0), 6.0, 570.0, 60.0, (450, 550, 650, 750, 860, 975), 17.0)
ID2 = Program(862.0, (250.0, 26.0, 42.0), (620.0, 34.0, 12.0), 8.0, 590.0, 50.0, (960, 820, 700, 600, 520, 455), 13.0)
UNSEEN = Program(620.0, (310.0, 34.0, 58.0), (620.0, 37.0, 9.0), 5.0, 580.0, 45.0, (), 15.0)


def program(sizes: Program, scale: float = 1.0) -> Manoeuvre:
    """Turns, then nods, then a staircase of shaft speeds; the scale multiplies shaft speeds for other vehicles."""
    (turning, each_turn, turn), (nodding, each_nod, nod) = sizes.turns, sizes.nods
    turns = [(0.0, 0.0), *zigzag(10.0, turning, each_turn, turn)]
    turns += zigzag(turning + TURN, sizes.duration, 2.3 * each_nod, sizes.wobble)
    nods = [(0.0, 0.0), *zigzag(15.0, turning, 1.7 * each_turn, 0.3 * sizes.wobble)]
    nods += zigzag(turning + NOD, nodding, each_nod, nod)
    shafts = [(0.0, sizes.cruise), *zigzag(12.0, turning, 0.5 * each_turn, sizes.trim, sizes.cruise)]
    long = (sizes.duration - nodding) / max(len(sizes.stairs), 1)
    shafts += [(nodding + SPOOL + k * long, float(rpm)) for k, rpm in enumerate(sizes.stairs)]
    return manoeuvre(sizes.duration, turns, nods, [(t, scale * rpm) for t, rpm in shafts], sizes.roll_period)


def straight(duration: float) -> Manoeuvre:
    """Straight ahead at 570 rpm."""
    return manoeuvre(duration, [(-RUN_UP, 40.0)], [(-RUN_UP, 0.0)], [(-RUN_UP, 570.0)], 20.0 * INTERVAL)


def repeated(truth: TrueRun, duration: float) -> TrueRun:
    """A run repeated over a duration; it should end as it began."""
    count = int(duration / INTERVAL)
    rows = np.arange(count) % len(truth.time)
    parts = {name: values[rows] for name, values in truth._asdict().items()}
    return TrueRun(**{**parts, "time": INTERVAL * np.arange(count)})


def lawn_mower(legs: int, heading: float = 40.0, scale: float = 1.0) -> Manoeuvre:
    """Reciprocal legs at 570 rpm, with nods above the rough 45 % of each leg, which is the same ground both ways."""
    turns, nods, rough = [(-RUN_UP, heading)], [(-RUN_UP, 0.0)], 0.45 * LEG
    for k in range(legs):
        begin = k * LEG
        first = begin + 10.0 if k % 2 == 0 else begin + LEG - rough
        nods += zigzag(first, first + rough - 20.0, 18.0, 9.0)
        if k + 1 < legs:
            turns.append((begin + LEG - 0.5 * ABOUT, heading + 180.0 * ((k + 1) % 2)))
    return manoeuvre(legs * LEG, turns, nods, [(-RUN_UP, 570.0 * scale)], 19.0, ABOUT)


class FieldConditions(NamedTuple):
    """What differs from calm water."""

    drag: float = 1.0  # times that of the hull in surge
    buoyancy: float = 0.0  # N more
    current: tuple[float, float] = (0.0, 0.0)  # m/s along and across the legs
    inflow: tuple[float, float] = (0.0, 0.0)  # m/s more at the far end of the legs
    gust: float = 0.0  # m/s, standard deviation; a third of that vertically


CALM = FieldConditions()
# Sized so that 570 rpm give 0.15 m/s less; the current is what is left of it there.
MORE_DRAG = FieldConditions(1.139, 1.0, (0.02, 0.0), (0.0, 0.0), 0.01)
CURRENT = FieldConditions(1.0, 1.0, (0.12, 0.02), (0.03, 0.02), 0.01)


def changed(vehicle: Vehicle, environment: FieldConditions) -> Vehicle:
    """The vehicle with the drag and buoyancy of an environment."""
    p = vehicle.parameters
    heavier = p._replace(
        linear_damping=_scaled_surge(p.linear_damping, environment.drag),
        quadratic_damping=_scaled_surge(p.quadratic_damping, environment.drag),
        cubic_surge=environment.drag * p.cubic_surge,
        displaced_mass=p.displaced_mass + environment.buoyancy / p.gravity,
    )
    return replace(vehicle, parameters=heavier)


def _scaled_surge(matrix: Matrix6, factor: float) -> Matrix6:
    first = (factor * matrix[0][0], *matrix[0][1:])
    return (first, *matrix[1:])


def water_of(
    environment: FieldConditions, seed: int, duration: float, heading: float = 40.0, name: str = "gusts"
) -> Water:
    """Water of an environment: current along the legs, an inflow over the last 150 m of them, slow gusts."""
    count = int((duration + RUN_UP) / GUST_STEP) + 2
    draws = normals(seed, f"gusts/{name}", 3 * count).reshape(count, 3)
    keep = math.exp(-GUST_STEP / GUST_TIME)
    gusts = lfilter([math.sqrt(1.0 - keep * keep)], [1.0, -keep], draws, axis=0) * environment.gust
    gusts[:, 2] /= 3.0
    times = GUST_STEP * np.arange(count) - RUN_UP
    ahead = np.array([math.cos(math.radians(heading)), math.sin(math.radians(heading)), 0.0])
    aside = np.array([-ahead[1], ahead[0], 0.0])
    steady = environment.current[0] * ahead + environment.current[1] * aside
    near = environment.inflow[0] * ahead + environment.inflow[1] * aside

    def water(time: float, position: Array) -> Array:
        gust = np.array([np.interp(time, times, gusts[:, k]) for k in range(3)])
        share = min(max((float(position @ ahead) - INFLOW_FROM) / INFLOW_OVER, 0.0), 1.0)
        return steady + share * near + gust

    return water


def still(time: float, position: Array) -> Array:
    """Water at rest."""
    return np.zeros(3)


def _grid(duration: float) -> Array:
    return np.arange(-RUN_UP - 1.0, duration + 1.0, GRID)


def _turning(path: Manoeuvre) -> Any:
    """Turn rates in body axes as a spline over time."""
    grid = _grid(path.duration)
    angles = (path.roll, path.pitch, path.heading)
    slopes = [angle.derivative()(grid) for angle in angles]
    rates = turn_rate_from_euler_zyx(path.roll(grid), path.pitch(grid), (slopes[0], slopes[1], slopes[2]))
    return make_interp_spline(grid, np.column_stack(rates), k=3)


def unpushed(time: float) -> Array:
    """No unmodelled force."""
    return np.zeros(3)


def follow(
    vehicle: Vehicle, path: Manoeuvre, water: Water = still, push: Push = unpushed, every: int = SUBSTEPS
) -> TrueRun:
    """The truth of a vehicle whose rotation follows a manoeuvre, after a run-up that lets its speed settle.

    `push` is the acceleration of an unmodelled force, m/s2; `every` the integration steps between samples.
    """
    packed = pack(vehicle.parameters)
    inertia = np.array(total_inertia(vehicle.parameters))
    # A torque that forces the rotation also moves the origin, unless inertia couples nothing.
    carried = -np.linalg.solve(inertia[:3, :3], inertia[:3, 3:])
    half = 0.5 * INTERVAL / SUBSTEPS
    run_up = round(RUN_UP / INTERVAL) * 2 * SUBSTEPS
    samples = int(path.duration / (2.0 * half * every)) + 1
    time = np.asarray(half * np.arange(-run_up, 2 * every * (samples - 1) + 1), dtype=float)
    plant = _states(packed.actuators, path, time)
    turning, plant_rate = _turning(path)(time, 1), _kept_rate(packed)

    def rate(k: int, moving: Array) -> Array:
        state = plant[k].copy()
        state[7:10] = moving[:3]
        free = plant_rate(state, water(time[k], moving[3:]))
        forced = free[7:10] + carried @ (turning[k] - free[10:13]) + push(time[k])
        return np.concatenate([forced, free[:3]])

    moving = np.concatenate([START, np.zeros(3)])
    found, rates = np.empty((samples, 6)), np.empty((samples, 3))
    for k in range(0, len(time), 2):
        first = rate(k, moving)
        if k >= run_up and (k - run_up) % (2 * every) == 0:
            row = (k - run_up) // (2 * every)
            found[row], rates[row] = moving, first[:3]
        if k + 2 < len(time):
            moving = _runge_kutta(rate, k, moving, first, 2.0 * half)
    kept = slice(run_up, None, 2 * every)
    at = time[kept]
    twist = np.column_stack([found[:, :3], plant[kept, 10:13]])
    euler = np.column_stack([path.roll(at), path.pitch(at), path.heading(at)])
    return TrueRun(at, twist, np.column_stack([rates, turning[kept]]), found[:, 3:], euler, path.shaft(at))


def _kept_rate(packed: PackedVehicle) -> Callable[[Array, Array], Array]:
    """Rate of a state in a current with commands that hold its outputs: `derivative` without checks of each input."""
    compiled, codes, row = kernels_for(packed.layout).rate, codes_of(packed.layout), packed.row.copy()
    inputs, outputs = np.zeros(6 + packed.actuators + 3), np.empty(outputs_count(packed.layout))

    def rate(state: Array, water: Array) -> Array:
        result = np.empty(state.size)
        inputs[6:-3], inputs[-3:] = state[13:], water
        compiled(row, codes, state, inputs, outputs, result)
        return result

    return rate


def _states(actuators: int, path: Manoeuvre, time: Array) -> Array:
    """States of the plant at all times, without the position and velocity that are to be found."""
    states = np.zeros((len(time), 13 + actuators))
    states[:, 3:7] = np.column_stack(from_euler_zyx(path.roll(time), path.pitch(time), path.heading(time)))
    states[:, 10:13] = _turning(path)(time)
    states[:, 13] = path.shaft(time)
    return states


def _runge_kutta(rate: Callable[[int, Array], Array], k: int, y: Array, first: Array, step: float) -> Array:
    """One step of the classical method between the times k and k + 2."""
    second = rate(k + 1, y + 0.5 * step * first)
    third = rate(k + 1, y + 0.5 * step * second)
    fourth = rate(k + 2, y + step * third)
    return y + step / 6.0 * (first + 2.0 * second + 2.0 * third + fourth)


def lagging(truth: TrueRun, seconds: float) -> TrueRun:
    """The same with a velocity that comes so much too late; short against the time between samples."""
    late = np.column_stack([truth.twist[:, :3] - seconds * truth.twist_rate[:, :3], truth.twist[:, 3:]])
    return truth._replace(twist=late)


def logged(vehicle: Vehicle, truth: TrueRun, seed: int, name: str, noise: LogNoise = CHECKED) -> GyroData:
    """The samples of a log with noise, as a gyro-driven model takes them."""
    n = len(truth.time)

    def noisy(values: Array, sigma: float, what: str) -> Array:
        return values + sigma * normals(seed, f"{name}/{what}", values.size).reshape(values.shape)

    twist = np.column_stack([
        noisy(truth.twist[:, :3], noise.velocity, "velocity"), noisy(truth.twist[:, 3:], noise.turn_rate, "gyro"),
    ])  # fmt: skip
    rate = np.column_stack([
        noisy(truth.twist_rate[:, :3], noise.velocity_rate, "acceleration"),
        noisy(truth.twist_rate[:, 3:], noise.turn_acceleration, "turn acceleration"),
    ])  # fmt: skip
    roll, pitch = (noisy(truth.euler[:, k], noise.pitch, f"angle {k}") for k in (0, 1))
    heading = noisy(truth.euler[:, 2], noise.heading, "angle 2")
    attitude: Any = from_euler_zyx(roll, pitch, heading)  # type: ignore[arg-type]
    shafts = inputs_of("outputs", truth.shaft.reshape(n, 1), vehicle.parameters.thruster_names[:1], ["rad/s"])
    record = record_from_arrays(
        truth.time, twist, shafts, quaternion=np.column_stack(attitude), source=f"{vehicle.name}, {name}"
    )
    return gyro_data_from(record, vehicle, rate)
