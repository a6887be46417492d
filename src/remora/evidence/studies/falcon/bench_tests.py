"""X1 to X3 and X8: bench tests and free decay of the Falcon, Proctor 2014."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.quaternions import from_euler_zyx, to_euler_zyx
from remora.equations.estimation.pendulums import damped_oscillation
from remora.evidence.figure import Figure, Study, at_most, near, within
from remora.evidence.studies.falcon.thrust_steps import AXES, SOURCE, falcon, instrument
from remora.evidence.studies.sampling import normals
from remora.identification.bench import (
    LeverTest,
    Righting,
    fit_bifilar,
    fit_center_of_buoyancy,
    fit_free_decay,
    fit_neutral_attitude,
)
from remora.kernels.plant import Plant

Array = NDArray[np.float64]
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
    vehicle = falcon()
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


def free_decays(seeds: Sequence[int]) -> list[Figure]:
    """Roll and pitch released at an angle; rates with noise."""
    vehicle = falcon().parameters
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
    plant = Plant(falcon(), locked=tuple(other for other in AXES if other != axis))
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
    Study(
        "X8", f"{SOURCE}, Table 3.9", "Free decay of roll and pitch", free_decays, seeds=20,
        differs="one simulated release at 25 degrees, other degrees of freedom held; the source uses four runs",
    ),
]  # fmt: skip
