"""What a fit will know, foretold from the motion without noise."""

import numpy as np
import pytest

from remora.identification import (
    default_parameters,
    fit_least_squares,
    inputs_of,
    predicted_covariance,
    record_from_arrays,
    values_of,
)
from remora.plant import initial_state, pack, rollout
from remora.vehicles import load_vehicle
from remora.vehicles.names import DEGREES_OF_FREEDOM

ROV = load_vehicle("bluerov2_heavy")
NOISE = dict.fromkeys(DEGREES_OF_FREEDOM[:3], 0.01) | dict.fromkeys(DEGREES_OF_FREEDOM[3:], 0.004)
AXES = ("surge", "heave", "yaw")
NAMES = default_parameters(AXES)
DRAWS = 60


@pytest.fixture(scope="module")
def record():
    packed, fine, interval = pack(ROV.parameters), 10, 0.1
    time = np.arange(900 * fine + 1)[:, None] * interval / fine
    phase = np.random.default_rng(1).uniform(0.0, 6.28, (2, 8))
    commands = 9.0 * (np.sin(0.5 * time + phase[0]) + np.sin(1.2 * time + phase[1]))
    states = rollout(packed, initial_state(packed), commands[:-1], interval / fine)[::fine]
    outputs = inputs_of("outputs", states[:, 13:], ROV.parameters.thruster_names, ["N"] * 8)
    return record_from_arrays(time[::fine, 0], states[:, 7:13], outputs, quaternion=states[:, 3:7], source="run")


def test_fits_spread_as_foretold(record):
    """The bounds are three and a half standard deviations of a standard deviation from so many draws."""
    sigma, found = np.array([NOISE[axis] for axis in DEGREES_OF_FREEDOM]), []
    for seed in range(DRAWS):
        noise = sigma * np.random.default_rng(seed).standard_normal(record.twist.shape)
        noisy = record.with_note("Noise added.", twist=record.twist + noise)
        found.append(fit_least_squares(noisy, ROV, NAMES, axes=AXES, errors="instruments", constrained=False).values)
    predicted = np.sqrt(np.diag(predicted_covariance(record, ROV.parameters, NAMES, NOISE, AXES)))
    ratios = np.std(found, axis=0, ddof=1) / predicted
    assert ratios == pytest.approx(np.ones(len(NAMES)), abs=3.5 / np.sqrt(2.0 * (DRAWS - 1)))
    off = np.mean(found, axis=0) - values_of(ROV.parameters, NAMES)
    assert np.all(np.abs(off) < 1.5 * predicted)


def test_deviations_go_with_the_noise(record):
    usual = predicted_covariance(record, ROV.parameters, NAMES, NOISE, AXES)
    double = predicted_covariance(record, ROV.parameters, NAMES, {k: 2.0 * v for k, v in NOISE.items()}, AXES)
    assert double == pytest.approx(4.0 * usual, rel=1e-6)
    assert np.all(np.linalg.eigvalsh(usual) > 0.0)


def test_what_the_motion_does_not_show_is_unknown(record):
    still = record.with_note("Without heave.", twist=record.twist * [1.0, 1.0, 0.0, 1.0, 1.0, 1.0])
    names = ["damping.linear.surge", "damping.linear.heave"]
    covariance = predicted_covariance(still, ROV.parameters, names, NOISE, ("surge", "heave"))
    assert np.isfinite(covariance[0, 0])
    assert covariance[1, 1] == np.inf
