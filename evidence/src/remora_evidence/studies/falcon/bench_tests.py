"""X1 to X3 and X8: bench tests and free decay of the Falcon, Proctor 2014."""

import math
from collections.abc import Sequence
from functools import cache

import numpy as np

from remora.equations.algebra.quaternions import from_euler_zyx, to_euler_zyx
from remora.equations.estimation.pendulums import damped_oscillation
from remora.files.arrays import Array
from remora.identification.bench import (
    AxisDynamics,
    BenchFit,
    Bifilar,
    LeverTest,
    Righting,
    fit_bifilar,
    fit_center_of_buoyancy,
    fit_free_decay,
    fit_neutral_attitude,
)
from remora.plant.plant import Plant
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.falcon.thrust_steps import AXES, falcon, instrument
from remora_evidence.studies.sampling import normals

BUOYANCY, GRAVITY = 1140.41, 9.81  # N as the source has it in its lever tests, m/s2
# Table 3.2: weight hung on, force of the suspension, angle in degrees.
PITCH_TESTS = ((5.67, 5.30, -3.2), (8.50, 7.75, -5.0), (11.34, 11.67, -6.9))
ROLL_TESTS = ((5.67, 5.00, -3.4), (8.50, 6.67, -4.8), (11.34, 9.91, -6.5))
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
DECAY_ANGLE, DECAY_LENGTH, DECAY_RATE = math.radians(25.0), 30.0, 20.0


def lever_tests(seeds: Sequence[int]) -> list[Value]:
    """Height of the centre of buoyancy from each of the six printed tests."""
    figures, heights = [], []
    for word, tests, places in (("pitch", PITCH_TESTS, PITCH_PLACES), ("roll", ROLL_TESTS, ROLL_PLACES)):
        for i, (weight, suspension, angle) in enumerate(tests, start=1):
            tilt = {"roll": 0.0, "pitch": 0.0, word: math.radians(angle)}
            test = LeverTest(tilt["roll"], tilt["pitch"], ((places[0], weight), (places[1], -suspension)))
            height = fit_center_of_buoyancy([test], 116.0, BUOYANCY / GRAVITY, GRAVITY, axes="z").law[2]
            heights.append(height)
            figures.append((f"height of the centre of buoyancy, {word} test {i}", height))
    return [*figures, ("mean of the six", float(np.mean(heights)))]


def neutral_attitude(seeds: Sequence[int]) -> list[Value]:
    """The simulated vehicle comes to rest, and its attitude there tells where the centre of buoyancy is."""
    vehicle = falcon()
    plant = Plant(vehicle, locked=("surge", "sway", "heave", "yaw"))
    end = plant.step(plant.initial_state(), [0.0] * 5, 600.0, steps=30_000)
    roll, pitch, _ = to_euler_zyx(tuple(end[3:7].tolist()))
    true = vehicle.parameters.p_BC
    found = fit_neutral_attitude([roll], [pitch], math.hypot(*true)).law
    return [
        ("roll at rest", math.degrees(roll)),
        ("pitch at rest", math.degrees(pitch)),
        *((f"centre of buoyancy, {x}", f) for x, f, p in zip("xyz", found, true, strict=True)),
    ]


@cache
def swing_fit(axis: str, seed: int) -> BenchFit[Bifilar]:
    """The fit of one twin of a recorded swing."""
    frequency, ratio, _, rig = BIFILAR[axis]
    times = np.arange(0.0, SWING_LENGTH, 1.0 / SWING_RATE)
    clean = damped_oscillation(times, frequency, ratio, SWING, 0.0)  # type: ignore[arg-type]
    noise = normals(seed, f"bifilar {axis}", len(times))
    return fit_bifilar(times, clean + SWING_NOISE * noise, 116.0, GRAVITY, math.sqrt(rig), 1.0)


def bifilar(seeds: Sequence[int]) -> list[Value]:
    """Moments of inertia from twins of the recorded swings, and how well those are followed."""
    figures = []
    for axis, (_, _, inertia, _) in BIFILAR.items():
        fits = [swing_fit(axis, seed) for seed in seeds]
        worst = max(fits, key=lambda fit: abs(fit.law.inertia - inertia))
        error = max(float(np.mean(np.abs(fit.residuals))) for fit in fits)
        figures += [
            (f"inertia about {axis}, worst seed", worst.law.inertia),
            (f"mean error of the angle, {axis}", error),
        ]
    return figures


@cache
def decay_fit(axis: str, seed: int) -> BenchFit[AxisDynamics]:
    """The fit of one release; rates with noise."""
    vehicle, (times, rates) = falcon().parameters, decay(axis)
    righting = Righting(vehicle.mass, vehicle.displaced_mass, vehicle.p_BG, vehicle.p_BC, vehicle.gravity)
    noise = instrument(3)[0] * normals(seed, axis, len(times))
    return fit_free_decay(times, righting, axis, rates=rates + noise)


def free_decays(seeds: Sequence[int]) -> list[Value]:
    """Roll and pitch released at an angle."""
    vehicle = falcon().parameters
    stiffness = vehicle.displaced_mass * vehicle.gravity * float(np.linalg.norm(vehicle.p_BC))
    figures = []
    for axis, inertia, quadratic in (("roll", 20.9, 101.6), ("pitch", 30.4, 59.9)):
        fits = [decay_fit(axis, seed) for seed in seeds]
        worst = max((fit.law.inertia for fit in fits), key=lambda found: abs(found - inertia))
        drag = max((fit.law.quadratic for fit in fits), key=lambda found: abs(found - quadratic))
        swing = 2.0 * math.pi * math.sqrt(worst / stiffness)
        figures += [
            (f"{axis}: inertia, worst seed", worst),
            (f"{axis}: quadratic damping, worst seed", drag),
            (f"{axis}: period of small swings", swing),
        ]
    return figures


@cache
def decay(axis: str) -> tuple[Array, Array]:
    """Times and rates of roll or pitch after a release from rest, the other degrees of freedom held."""
    i = AXES.index(axis)
    plant = Plant(falcon(), locked=tuple(other for other in AXES if other != axis))
    tilt = {"roll": 0.0, "pitch": 0.0, axis: DECAY_ANGLE}
    start = plant.initial_state(quaternion=from_euler_zyx(tilt["roll"], tilt["pitch"], 0.0))
    count = round(DECAY_LENGTH * DECAY_RATE)
    states = plant.rollout(start, [0.0] * 5, 1.0 / DECAY_RATE, 10, intervals=count)
    return np.arange(count + 1) / DECAY_RATE, states[:, 7 + i]


STUDIES: dict[str, StudyFunction] = {
    "X1": lever_tests,
    "X2": neutral_attitude,
    "X3": bifilar,
    "X8": free_decays,
}
