"""X1 to X3 and X6 to X8: bench and tank tests of the Falcon, Proctor 2014."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.equations.pendulums import damped_oscillation
from remora.equations.quaternions import from_euler_zyx, to_euler_zyx
from remora.equations.thrusters import Thruster, advance_speed, thrust, thruster_effect
from remora.equations.vectors import Matrix6
from remora.identification.bench import (
    AxisDynamics,
    BenchFit,
    LeverTest,
    Righting,
    StepRun,
    fit_bifilar,
    fit_center_of_buoyancy,
    fit_free_decay,
    fit_neutral_attitude,
    fit_steps,
    read_steady_drag,
)
from remora.kernels.loops import BODY_SIZE
from remora.simulation.plant import Plant
from remora.studies.figures import Figure, Study, at_most, near, reported, within
from remora.studies.sampling import normals
from remora.vehicles import Vehicle, load_vehicle

Array = NDArray[np.float64]
SOURCE = "Proctor 2014"
AXES = ("surge", "sway", "heave", "roll", "pitch", "yaw")
BUOYANCY, GRAVITY = 1140.41, 9.81  # N as the source has it in its lever tests, m/s2
# Table 3.2: weight hung on, force of the suspension, angle in degrees, and what is printed for z.
PITCH_TESTS = ((5.67, 5.30, -3.2, -0.043), (8.50, 7.75, -5.0, -0.041), (11.34, 11.67, -6.9, -0.039))
ROLL_TESTS = ((5.67, 5.00, -3.4, -0.044), (8.50, 6.67, -4.8, -0.044), (11.34, 9.91, -6.5, -0.046))
# Where the weight and the suspension act; the sign of the second is the one that reproduces the table.
PITCH_PLACES = ((0.472, 0.0, -0.237), (-0.023, 0.0, -0.361))
ROLL_PLACES = ((0.0, -0.277, -0.341), (0.0, 0.275, -0.351))
# Table 3.3: frequency in rad/s, damping ratio, inertia, and D^2 / h of the rig, which the source does not print.
BIFILAR = {
    "x": (2.61996, 0.00484, 9.30079, 0.2244),
    "y": (3.41806, 0.00440, 14.91636, 0.6126),
    "z": (2.20642, 0.00339, 13.11394, 0.2244),
}
SWING, SWING_LENGTH, SWING_RATE, SWING_NOISE = 0.25, 60.0, 20.0, 0.004  # rad, s, Hz, and 2 mm half a metre out in rad
STEP_LEVELS, STEP_LENGTH = (25.0, 50.0, 75.0, 100.0), 30.0  # %, s
# Every reading has the noise of its instrument under way (Proctor 2014, ch. 4), which the vehicle file knows: 4 cm/s of
# the DVL at 5 Hz, 0.75 deg/s of the gyro. One run per level is too few with that: sway misses its inertia (10.7 % of
# 10) and linear damping (33 % of 25), rising heave both dampings (26 % of 10, 220 % of 25), so runs are repeated and
# averaged. Rising heave has the weakest thrust, and the linear part is an eighth of its drag.
RUNS, RUNS_RISING = 10, 64
GYRO_RATE = 10.0  # Hz: one reading in twelve of the IMU, not averaged
DECAY_ANGLE, DECAY_LENGTH, DECAY_RATE = math.radians(25.0), 30.0, 20.0


def lever_tests(seeds: Sequence[int]) -> list[Figure]:
    """Height of the centre of buoyancy from each of the six printed tests."""
    figures, heights = [], []
    for word, tests, places in (("pitch", PITCH_TESTS, PITCH_PLACES), ("roll", ROLL_TESTS, ROLL_PLACES)):
        for i, (weight, suspension, angle, printed) in enumerate(tests, start=1):
            tilt = {"roll": 0.0, "pitch": 0.0, word: math.radians(angle)}
            test = LeverTest(tilt["roll"], tilt["pitch"], ((places[0], weight), (places[1], -suspension)))
            height = fit_center_of_buoyancy([test], 116.0, BUOYANCY / GRAVITY, GRAVITY, axes="z").law[2]
            heights.append(height)
            figures.append(within(f"height of the centre of buoyancy, {word} test {i}", height, printed, 6e-4, "m"))
    return [*figures, near("mean of the six", float(np.mean(heights)), -0.0428, 5e-4, "m")]


def neutral_attitude(seeds: Sequence[int]) -> list[Figure]:
    """The simulated vehicle comes to rest, and its attitude there tells where the centre of buoyancy is."""
    vehicle = load_vehicle("falcon")
    plant = Plant(vehicle, locked=("surge", "sway", "heave", "yaw"))
    end = plant.step(plant.initial_state(), [0.0] * 5, 600.0, steps=30_000)
    roll, pitch, _ = to_euler_zyx(tuple(end[3:7].tolist()))
    true = vehicle.parameters.p_BC
    found = fit_neutral_attitude([roll], [pitch], math.hypot(*true)).law
    return [
        near("roll at rest", math.degrees(roll), 1.71, 0.02, "deg"),
        near("pitch at rest", math.degrees(pitch), -0.60, 0.02, "deg"),
        *(within(f"centre of buoyancy, {x}", f, p, 1e-4, "m") for x, f, p in zip("xyz", found, true, strict=True)),
    ]


def bifilar(seeds: Sequence[int]) -> list[Figure]:
    """Moments of inertia from twins of the recorded swings, and how well those are followed."""
    times, figures = np.arange(0.0, SWING_LENGTH, 1.0 / SWING_RATE), []
    for axis, (frequency, ratio, inertia, rig) in BIFILAR.items():
        clean = damped_oscillation(times, frequency, ratio, SWING, 0.0)  # type: ignore[arg-type]
        fits = [
            fit_bifilar(times, clean + SWING_NOISE * noise, 116.0, GRAVITY, math.sqrt(rig), 1.0)
            for noise in (normals(seed, f"bifilar {axis}", len(times)) for seed in seeds)
        ]
        worst = max(fits, key=lambda fit: abs(fit.law.inertia - inertia))
        error = max(float(np.mean(np.abs(fit.residuals))) for fit in fits)
        figures += [
            within(f"inertia about {axis}, worst seed", worst.law.inertia, inertia, 0.005 * inertia, "kg m2"),
            at_most(f"mean error of the angle, {axis}", error, 0.034, "rad", printed=0.034),
        ]
    return figures


def instrument(axis: int) -> tuple[float, float]:
    """Noise of one reading of a speed, m/s or rad/s, and readings per second: of the DVL, or of the gyro."""
    sensors = {sensor.name: sensor for sensor in load_vehicle("falcon").sensors}
    if axis > 2:
        return float(sensors["imu"].figures["gyro_dynamic_deviation"]), GYRO_RATE
    return float(sensors["dvl"].figures["dynamic_deviation"]), float(sensors["dvl"].rate or 0.0)


class Direction(NamedTuple):
    """A motion that steps of thrust make, and what the vehicle file says of it."""

    name: str
    axis: int  # place among the six
    commands: tuple[float, ...]  # share of the level for each thruster
    inertia: float
    linear: float
    quadratic: float
    share: float  # of the thrust that arrives
    runs: int = RUNS  # at each level


SURGE = Direction("surge", 0, (-1.0, -1.0, -1.0, -1.0, 0.0), 283.6, 26.9, 241.3, 0.87)
SWAY = Direction("sway", 1, (-1.0, -1.0, 1.0, 1.0, 0.0), 593.2, 35.8, 503.8, 0.83)
DOWN = Direction("heave down", 2, (0.0, 0.0, 0.0, 0.0, 1.0), 499.0, 0.0, 265.61, 0.65)
UP = Direction("heave up", 2, (0.0, 0.0, 0.0, 0.0, -1.0), 351.7, 6.19, 119.1, 0.15, RUNS_RISING)
STARBOARD = Direction("yaw to starboard", 5, (-1.0, 1.0, 1.0, -1.0, 0.0), 29.0, 3.5, 76.9, 1.0)
PORT = Direction("yaw to port", 5, (1.0, -1.0, -1.0, 1.0, 0.0), 29.0, 3.5, 76.9, 1.0)


def step_runs(direction: Direction, seed: int, noisy: bool) -> list[StepRun]:
    """Runs from rest at several levels of command, the other degrees of freedom held; those of one level averaged.

    Efforts are those of the thrusters by their curves and the measured speed, without what the hull takes.
    """
    vehicle = one_heave(direction)
    plant = Plant(vehicle, locked=tuple(axis for i, axis in enumerate(AXES) if i != direction.axis))
    noise, rate = instrument(direction.axis)
    count, steps = round(STEP_LENGTH * rate), round(100.0 / rate)
    runs = []
    for level in STEP_LEVELS:
        commands = [level * share for share in direction.commands]
        states = plant.rollout(plant.initial_state(), commands, 1.0 / rate, steps, intervals=count)
        read = states[None, :, 7 + direction.axis]
        if noisy:
            chance = normals(seed, f"{direction.name} {level}", direction.runs * (count + 1))
            read = read + noise * chance.reshape(direction.runs, -1)
        efforts = [efforts_of(vehicle.parameters.thrusters, states[:, BODY_SIZE:], v, direction.axis) for v in read]
        runs.append(StepRun(np.arange(count + 1) / rate, read.mean(axis=0), np.mean(efforts, axis=0)))
    return runs


def one_heave(direction: Direction) -> Vehicle:
    """The vehicle with the heave of one direction both ways: the file blends the two near rest."""
    vehicle = load_vehicle("falcon")
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


def with_heave(matrix: Matrix6, value: float) -> Matrix6:
    """The matrix with another number for heave."""
    rows: Any = tuple(
        tuple(value if i == j == 2 else element for j, element in enumerate(row)) for i, row in enumerate(matrix)
    )
    return rows


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
    p = load_vehicle("falcon").parameters
    return (p.mass - p.displaced_mass) * p.gravity if direction.axis == 2 else 0.0


def fitted(direction: Direction, seed: int, noisy: bool = True) -> BenchFit[AxisDynamics]:
    """Inertia and damping over the share of thrust, from the runs of one direction.

    In heave the sum of thrust and net weight is what moves the vehicle; the weight is divided by a fitted share.
    """
    return fit_steps(step_runs(direction, seed, noisy), known_effort(direction))


def worst_errors(direction: Direction, fits: Sequence[BenchFit[AxisDynamics]]) -> tuple[float, float, float]:
    """Largest error in percent of inertia, linear and quadratic damping, all over the share of thrust."""
    true = np.array([direction.inertia, direction.linear, direction.quadratic]) / direction.share
    found = np.array([fit.values[:3] for fit in fits])
    errors = 100.0 * np.abs(found - true) / np.where(true > 0.0, true, np.nan)
    inertia, linear, quadratic = errors.max(axis=0)
    return float(inertia), float(linear), float(quadratic)


def step_figures(direction: Direction, seeds: Sequence[int]) -> list[Figure]:
    """One direction without and with noise."""
    exact = worst_errors(direction, [fitted(direction, 0, noisy=False)])
    noisy = worst_errors(direction, [fitted(direction, seed) for seed in seeds])
    figures = []
    for word, (inertia, linear, quadratic), bound in (("without noise", exact, 3.0), ("with noise", noisy, 10.0)):
        figures += [
            at_most(f"{direction.name}, {word}: error of M/IF", inertia, bound, "%"),
            at_most(f"{direction.name}, {word}: error of D_Q/IF", quadratic, bound, "%"),
        ]
        if direction.linear > 0.0:
            figures.append(at_most(f"{direction.name}, {word}: error of D_L/IF", linear, 25.0, "%"))
    return figures


def curve_reading(direction: Direction, printed: float) -> list[Figure]:
    """Drag read from the steady ends as if all thrust arrived: too large by one over the share that does."""
    drag = read_steady_drag(step_runs(direction, 0, noisy=False), 3.0).law
    ratio = drag.quadratic / direction.quadratic
    return [
        near(f"{direction.name}: D_Q read from curves over the true one", ratio, 1.0 / direction.share, 0.1, "1"),
        reported(f"{direction.name}: D_Q read from curves", drag.quadratic, "kg/m", printed=printed),
    ]


def step_tests(seeds: Sequence[int]) -> list[Figure]:
    """Steps in every direction, fitted at once, and read from curves."""
    figures = [figure for direction in (SURGE, SWAY, DOWN, UP, STARBOARD) for figure in step_figures(direction, seeds)]
    return [*figures, *curve_reading(SURGE, 273.6), *curve_reading(SWAY, 642.0)]


def yaw_symmetry(seeds: Sequence[int]) -> list[Figure]:
    """Both directions of yaw give the same inertia, with noise."""
    pairs = [[fitted(way, seed).law.inertia for way in (STARBOARD, PORT)] for seed in seeds]
    apart = 100.0 * max(abs(a - b) / (0.5 * (a + b)) for a, b in pairs)
    mean = np.mean(pairs, axis=0)
    return [
        at_most("inertia to starboard and to port apart", apart, 3.0, "%"),
        reported("inertia to starboard", mean[0], "kg m2", printed=28.9),
        reported("inertia to port", mean[1], "kg m2", printed=29.0),
    ]


def free_decays(seeds: Sequence[int]) -> list[Figure]:
    """Roll and pitch released at an angle; rates with noise."""
    vehicle = load_vehicle("falcon").parameters
    righting = Righting(vehicle.mass, vehicle.displaced_mass, vehicle.p_BG, vehicle.p_BC, vehicle.gravity)
    stiffness = vehicle.displaced_mass * vehicle.gravity * float(np.linalg.norm(vehicle.p_BC))
    noise, _ = instrument(3)
    figures = []
    for axis, inertia, quadratic, period in (("roll", 20.9, 101.6, 4.10), ("pitch", 30.4, 59.9, 4.95)):
        times, rates = decay(axis)
        fits = [
            fit_free_decay(times, righting, axis, rates=rates + noise * normals(seed, axis, len(times)))
            for seed in seeds
        ]
        worst = max((fit.law.inertia for fit in fits), key=lambda found: abs(found - inertia))
        drag = max((fit.law.quadratic for fit in fits), key=lambda found: abs(found - quadratic))
        swing = 2.0 * math.pi * math.sqrt(worst / stiffness)
        figures += [
            within(f"{axis}: inertia, worst seed", worst, inertia, 0.03 * inertia, "kg m2"),
            within(f"{axis}: quadratic damping, worst seed", drag, quadratic, 0.1 * quadratic, "kg m2"),
            near(f"{axis}: period of small swings", swing, period, 0.02 * period, "s"),
        ]
    return figures


def decay(axis: str) -> tuple[Array, Array]:
    """Times and rates of roll or pitch after a release from rest, the other degrees of freedom held."""
    i = AXES.index(axis)
    plant = Plant(load_vehicle("falcon"), locked=tuple(other for other in AXES if other != axis))
    tilt = {"roll": 0.0, "pitch": 0.0, axis: DECAY_ANGLE}
    start = plant.initial_state(quaternion=from_euler_zyx(tilt["roll"], tilt["pitch"], 0.0))
    count = round(DECAY_LENGTH * DECAY_RATE)
    states = plant.rollout(start, [0.0] * 5, 1.0 / DECAY_RATE, 10, intervals=count)
    return np.arange(count + 1) / DECAY_RATE, states[:, 7 + i]


STUDIES = [
    Study(
        "X1", f"{SOURCE}, Table 3.2", "Centre of buoyancy by levers", lever_tests, kernels=(),
        differs="the suspension of the roll tests is on the side that gives the printed table",
    ),
    Study(
        "X2", f"{SOURCE}, eq. 3.33", "Centre of buoyancy by the attitude at rest", neutral_attitude,
        differs="a simulated vehicle in place of the tank; the source prints no angles",
    ),
    Study(
        "X3", f"{SOURCE}, Table 3.3", "Moments of inertia on two wires", bifilar, seeds=20, kernels=(),
        differs="simulated swings of 0.25 rad over 60 s at 20 Hz with 4 mrad of noise; wires from the printed inertias",
    ),
    Study("X6", f"{SOURCE}, Tables 3.5 to 3.8", "Inertia and drag from steps of thrust", step_tests, seeds=10),
    Study(
        "X7", f"{SOURCE}, Table 3.8", "Both directions of yaw", yaw_symmetry, seeds=10,
        differs="simulated runs, other degrees of freedom held, each level ten times; one inertia for both ways",
    ),
    Study(
        "X8", f"{SOURCE}, Table 3.9", "Free decay of roll and pitch", free_decays, seeds=20,
        differs="one simulated release at 25 degrees, other degrees of freedom held; the source uses four runs",
    ),
]  # fmt: skip
