"""modular-14.3 and 14.5 to 14.7: twins of the tank tests of Nielsen 2018, which test the fits and not his data."""

import math
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

from remora.equations.actuators.drives import PulseSpeed, PulseThrust, speed_from_pulse, thrust_from_pulse
from remora.equations.actuators.thrusters import ThrustCurve, Thruster, thrust
from remora.equations.estimation.pendulums import HydrostaticPair, pair_acceleration
from remora.equations.estimation.single_axis import axis_damping
from remora.files.arrays import Array
from remora.identification.bench import (
    BenchFit,
    Drag,
    Plateau,
    UnderWay,
    extrapolated_damping,
    fit_bollard_staircase,
    fit_hydrostatic_pair,
    fit_thrust_under_way,
    fit_towing_drag,
    fuse_equal_speeds,
    plateaus,
    rest_angle,
    stay_wire_force,
    thrust_coefficients,
    thrust_loss,
)
from remora.identification.bench.plateaus import share_explained
from remora.identification.bench.thrust_curves import bench_thruster
from remora.vehicles import load_vehicle
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.sampling import normals

# Two spheres on a rod of 0.596 m between centres, the second rolled by 90 degrees; fitted numbers of eq. 4.11.
FITTED = ((0.0, -0.0016, -0.00886), 9.2889, 0.2265)
SWING_TIMES, SWING_NOISE = np.arange(0.0, 120.0, 0.2), 0.005  # s, rad
RATE = 200.0  # Hz, of the load cells
PULSE_LAW = PulseThrust(3.123e-2, 2.52e-4, 25.0)
STAIRS = (1525.0, 1540.0, *np.arange(1560.0, 1701.0, 20.0).tolist())
# No noise of the load cells is printed. The same cells tow in modular-14.6, so each has what that study assumes: 1 N,
# white, and 0.1 N of one stair against the next.
CELL_NOISE, STAIR_BIAS = 1.0, 0.1  # N
STAIRCASES, REPEATED_STAIRCASES = 2, 6  # one, and three, for each of both module sizes, which share one curve
REPEATED_SEEDS = 20
BRACKET = Drag(4.0, 25.06)  # eq. 5.16
# Two cells and a gauge on a stay wire; their noises together are the 1 N of the reference. Angle and pull are chosen.
TOW_CELL_NOISE, STAY_NOISE, STAY_ANGLE, STAY_PULL = 0.7, 0.163, math.radians(30.0), 5.0  # N, N, rad, N
RUN_UP, TOW_TIME, TOW_LAG = 2.0, 10.0, 0.3  # s: left out of each run, kept of it, and how the force comes to its end
RUN_BIAS, RUNS = 0.1, 3  # N from run to run, runs per speed
TOW_SPEEDS = np.arange(0.05, 1.051, 0.05)
DENSITY, DIAMETER, K_T = 1000.0, 0.076, (0.43, -0.45)
SPEED_LAW = PulseSpeed(97.6 * 2.0 * math.pi / 60.0, 0.57, 25.0)
WAY_HULL = Drag(0.0, 34.96)
WAY_SPEEDS = (0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9)
WAY_PULSES = np.arange(1600.0, 1821.0, 20.0)
WAY_FORCE_NOISE, WAY_SPEED_NOISE = 0.1, 0.005  # N of a mean, share of the shaft speed


def spheres() -> HydrostaticPair:
    """The pair with the numbers that were computed before the tests."""
    p = load_vehicle("sphere_bare").parameters
    half = 0.298
    return HydrostaticPair(
        weight=p.mass * p.gravity,
        inertia=2.0 * ((p.mass + p.added_mass[1][1]) * half**2 + p.rigid_body_inertia[3][3] + p.added_mass[3][3]),
        half_distance=half,
        relative_roll=0.5 * math.pi,
        first=p.p_BC,
        second=p.p_BC,
        linear=p.linear_damping[1][1],
        quadratic=p.quadratic_damping[1][1],
        rolling_linear=p.linear_damping[3][3],
        rolling_quadratic=p.quadratic_damping[3][3],
    )


@cache
def released(pair: HydrostaticPair) -> Array:
    """Roll after a release from the horizontal, by another solver than the fit uses."""
    solution = solve_ivp(
        lambda t, y: (y[1], pair_acceleration(pair, y[0], y[1])),
        (0.0, SWING_TIMES[-1]),
        (0.0, 0.0),
        method="DOP853",
        t_eval=SWING_TIMES,
        rtol=1e-12,
        atol=1e-14,
    )
    return np.asarray(solution.y[0])


def clean_swing() -> Array:
    """Roll of the pair with the fitted numbers."""
    return released(spheres()._replace(second=FITTED[0], quadratic=FITTED[1], linear=FITTED[2]))


@cache
def swing_noise(seed: int) -> Array:
    """Noise of the roll, rad."""
    return SWING_NOISE * normals(seed, "decay", len(SWING_TIMES))


@cache
def swing_fit(seed: int | None) -> BenchFit[HydrostaticPair]:
    """The fit of one swing; None for one without noise."""
    noise = 0.0 if seed is None else swing_noise(seed)
    return fit_hydrostatic_pair(SWING_TIMES, clean_swing() + noise, spheres())


def hydrostatic_decay(seeds: Sequence[int]) -> list[Value]:
    """Four numbers of two swinging spheres out of their roll."""
    guess, clean = spheres(), clean_swing()
    numbers = np.array([*FITTED[0][1:], *FITTED[1:]])
    exact = np.abs(swing_fit(None).values / numbers - 1.0).max()
    fits = [swing_fit(seed) for seed in seeds]
    errors = 100.0 * np.max([np.abs(fit.values / numbers - 1.0) for fit in fits], axis=0)
    noises = [swing_noise(seed) for seed in seeds]
    worse = max(fit.residuals @ fit.residuals / (noise @ noise) for fit, noise in zip(fits, noises, strict=True))
    rests = [math.degrees(rest_angle(fit.law)) for fit in fits]
    return [
        ("without noise, largest error of a number", 100.0 * float(exact)),
        *(
            (f"with 0.005 rad of noise, error of {name}", error)
            for name, error in zip(("r_y", "r_z", "D_Q", "D_L"), errors, strict=True)
        ),
        ("cost over that of the true numbers, largest", float(worse)),
        ("mean square of the residuals", max(fit.noise**2 for fit in fits)),
        ("angle at rest, worst seed", max(rests, key=lambda x: abs(x + 34.1))),
        ("mean square of the error before the fit", float(np.mean((released(guess) - clean) ** 2))),
        ("first swing of the fitted pair", math.degrees(clean.min())),
    ]


def staircase(rests: bool, count: int) -> Any:
    """Pulse widths, each held for 30 s: neutral once and then all stairs, or neutral before every stair."""
    stairs = np.array(STAIRS)
    once = np.column_stack([np.full(len(stairs), 1500.0), stairs]).ravel() if rests else np.append(1500.0, stairs)
    return np.tile(once, count)


@cache
def bollard_fit(seed: int, rests: bool, count: int) -> tuple[BenchFit[PulseThrust], float]:
    """Thrust over pulse width from staircases before three load cells, and the share of variance that it explains."""
    levels = staircase(rests, count)
    samples = round(30.0 * RATE)
    thrusts = np.asarray(thrust_from_pulse(PULSE_LAW, levels - 1500.0))
    times, pulses = np.arange(samples * len(levels)) / RATE, np.repeat(levels, samples)
    held = np.repeat(thrusts + STAIR_BIAS * normals(seed, "stairs", len(levels)), samples) / 3.0
    cells = [held + CELL_NOISE * normals(seed, f"cell {i}", len(times)) for i in range(3)]
    fit = fit_bollard_staircase(times, pulses, cells)
    return fit, share_explained(thrusts[levels > 1500.0], fit.residuals)


def bollard_figures(words: str, fits: Sequence[tuple[BenchFit[PulseThrust], float]]) -> list[Value]:
    """Worst of all seeds against the bounds of the reference."""
    linear = 100.0 * max(abs(fit.law.linear / PULSE_LAW.linear - 1.0) for fit, _ in fits)
    quadratic = 100.0 * max(abs(fit.law.quadratic / PULSE_LAW.quadratic - 1.0) for fit, _ in fits)
    full = max((thrust_from_pulse(fit.law, 200.0) for fit, _ in fits), key=lambda force: abs(force - 16.3))
    explained = min(share for _, share in fits)
    return [
        (f"{words}: error of K_L", linear),
        (f"{words}: error of K_Q", quadratic),
        (f"{words}: share of variance explained, R2", explained),
        (f"{words}: thrust at 1700 us, worst seed", full),
    ]


def bollard_pull(seeds: Sequence[int]) -> list[Value]:
    """Thrust over pulse width from the printed staircase of each module size, and from repeated ones with rests."""
    printed = [bollard_fit(seed, False, STAIRCASES) for seed in seeds]
    repeated = [bollard_fit(seed, True, REPEATED_STAIRCASES) for seed in seeds[:REPEATED_SEEDS]]
    truth = (PULSE_LAW.linear, PULSE_LAW.quadratic)
    share = 100.0 * float(np.mean([fit.covers(truth) for fit, _ in printed]))
    return [
        *bollard_figures("printed staircases", printed),
        ("printed staircases: intervals that hold the truth, both coefficients and all seeds", share),
        *bollard_figures("three times each, with rests", repeated),
    ]


TOWED = {"surge": np.concatenate([-TOW_SPEEDS, TOW_SPEEDS]), "heave": -TOW_SPEEDS[:20]}  # m/s


def towed_run(drag: Drag, speed: float, seed: int, name: str) -> Plateau:
    """The steady part of one run, out of the samples of two load cells and the gauge of the stay wire."""
    times = np.arange(round(RATE * (RUN_UP + TOW_TIME))) / RATE
    bias, *chance = np.split(normals(seed, name, 1 + 3 * len(times)), [1, *(1 + len(times) * np.arange(1, 3))])
    steady = axis_damping(drag.linear + BRACKET.linear, drag.quadratic + BRACKET.quadratic, speed)
    force = (steady + RUN_BIAS * bias[0]) * (1.0 - np.exp(-times / TOW_LAG))
    stay = STAY_PULL + STAY_NOISE * chance[2]
    half = 0.5 * (force + STAY_PULL * math.cos(STAY_ANGLE))
    cells = [half + TOW_CELL_NOISE * one for one in chance[:2]]
    readings = stay_wire_force(cells, stay, STAY_ANGLE)
    return plateaus(times, np.full(len(times), speed), readings, settle=RUN_UP)[0]


@cache
def towed(drag: Drag, seed: int, name: str) -> BenchFit[Drag]:
    """Drag from three runs at each speed: each run averaged, runs of one speed fused, the bracket taken off."""
    speeds = TOWED[name]
    v = np.repeat(speeds, RUNS)
    runs = [towed_run(drag, float(one), seed, f"{name} {i}") for i, one in enumerate(v)]
    centres, fused, spread, _ = fuse_equal_speeds(v, [run.mean for run in runs], [run.sigma**2 for run in runs])
    return fit_towing_drag(centres, fused, spread, BRACKET)


def towing(seeds: Sequence[int]) -> list[Value]:
    """Drag of surge and heave from towing, and of the axes that were not towed by ratios."""
    p = load_vehicle("bluerov").parameters
    figures: list[Value] = []
    for axis, i in (("surge", 0), ("heave", 2)):
        true = Drag(p.linear_damping[i][i], p.quadratic_damping[i][i])
        fits = [towed(true, seed, axis) for seed in seeds]
        linear = max(abs(fit.law.linear - true.linear) for fit in fits)
        quadratic = 100.0 * max(abs(fit.law.quadratic / true.quadratic - 1.0) for fit in fits)
        covered = 100.0 * np.mean([fit.covers(true) for fit in fits], axis=0)
        figures += [
            (f"{axis}: error of the quadratic drag", quadratic),
            (f"{axis}: error of the linear drag", linear),
            (f"{axis}: campaigns whose interval holds the quadratic drag", covered[1]),
            (f"{axis}: campaigns whose interval holds the linear drag", covered[0]),
        ]
        if true.linear == 0.0:
            held = float(np.mean([fit.law.linear <= 1e-6 for fit in fits]))
            figures.append((f"{axis}: campaigns with the linear drag held at zero", 100.0 * held))
    return [*figures, *extrapolations()]


@cache
def extrapolations() -> list[Value]:
    """Table 5.2: sway from heave, roll and yaw from pitch, by ratios of added mass."""
    p = load_vehicle("bluerov").parameters
    figures = []
    for other, axis, i, j in (("sway", "heave", 1, 2), ("roll", "pitch", 3, 4), ("yaw", "pitch", 5, 4)):
        values = np.array([p.linear_damping[j][j], p.quadratic_damping[j][j]])
        measured = BenchFit(
            axis, Drag(*values.tolist()), ("linear", "quadratic"), ("", ""), values, np.zeros((2, 2)), 1.0, np.zeros(0)
        )
        found = extrapolated_damping(measured, axis, other, p.added_mass[j][j], p.added_mass[i][i]).law
        figures += [
            (f"{other} from {axis}, linear drag", found.linear),
            (f"{other} from {axis}, quadratic drag", found.quadratic),
        ]
    return figures


class WayData(NamedTuple):
    """Runs of a towed vehicle with running thrusters, each with its mean readings."""

    pulses: Array  # us
    shaft_speeds: Array  # rad/s
    tow_speeds: Array  # m/s
    forces: Array  # N, of the carriage


def way_thruster() -> Thruster:
    """The thruster of the twin under way."""
    curve = ThrustCurve(
        DENSITY * DIAMETER**4 * K_T[0] / (2.0 * math.pi) ** 2, DENSITY * DIAMETER**3 * K_T[1] / (2.0 * math.pi), 0.0
    )
    return bench_thruster(curve, curve)


@cache
def way_data(seed: int) -> WayData:
    """A vehicle with two surge thrusters, towed at seven speeds and run at several pulse widths."""
    pulse: Any = np.tile(WAY_PULSES, len(WAY_SPEEDS))
    tow: Any = np.repeat(WAY_SPEEDS, len(WAY_PULSES))
    shaft: Any = speed_from_pulse(SPEED_LAW, pulse - 1500.0)
    pushed = 2.0 * np.asarray(thrust(way_thruster(), shaft, tow))
    pull = axis_damping(WAY_HULL.linear + BRACKET.linear, WAY_HULL.quadratic + BRACKET.quadratic, tow) - pushed
    return WayData(
        pulse,
        shaft * (1.0 + WAY_SPEED_NOISE * normals(seed, "shaft", len(shaft))),
        tow,
        pull + WAY_FORCE_NOISE * normals(seed, "carriage", len(pull)),
    )


@cache
def twin_under_way(seed: int) -> UnderWay:
    """The fit of these runs."""
    return fit_thrust_under_way(*way_data(seed), WAY_HULL, DIAMETER, BRACKET, thrusters=2)


def thrust_under_way(seeds: Sequence[int]) -> list[Value]:
    """K_T over J, shaft speed over pulse width, and what a model without inflow gets wrong."""
    twins = [twin_under_way(seed) for seed in seeds]
    lines = np.array([thrust_coefficients(twin.curve.law.positive, DENSITY, DIAMETER, "revolution") for twin in twins])
    pulses: Any = WAY_PULSES - 1500.0
    true = speed_from_pulse(SPEED_LAW, pulses)
    speed = max(float(np.abs(speed_from_pulse(twin.speed.law, pulses) / true - 1.0).max()) for twin in twins)
    at_1700 = speed_from_pulse(SPEED_LAW, 200.0)
    losses = 100.0 * np.array([thrust_loss(twin.curve.law, at_1700, WAY_SPEEDS) for twin in twins])
    figures = [
        ("error of alpha_0", 100.0 * float(np.abs(lines[:, 2] / K_T[0] - 1.0).max())),
        ("error of alpha_1", 100.0 * float(np.abs(lines[:, 1] / K_T[1] - 1.0).max())),
        ("shaft speed over pulse width, largest error", 100.0 * speed),
        ("change of the shaft speed per m/s", 100.0 * max(abs(twin.speed_change) for twin in twins)),
    ]
    for way, ours in zip(WAY_SPEEDS, losses.mean(axis=0).tolist(), strict=True):
        figures.append((f"thrust lost at 1700 us and {way} m/s", ours))
    return figures


STUDIES: dict[str, StudyFunction] = {
    "modular-14.3": hydrostatic_decay,
    "modular-14.5": bollard_pull,
    "modular-14.6": towing,
    "modular-14.7": thrust_under_way,
}
