"""The adaptive identifier is the printed loop of Britto Neto 2018, sample by sample from the first on."""

import numpy as np

from remora.identification import PRINTED_GAINS, fit_adaptive_lumped, inputs_of, record_from_arrays
from remora.vehicles import load_vehicle

VEHICLE = load_vehicle("flatfish_bay_adaptive")
GAINS = PRINTED_GAINS["bay"]["heave"]
H = 0.25


def plain_loop(lumped, speeds, efforts):
    """Explicit Euler steps from the first measured speed; the numbers after each sample."""
    estimated, found = speeds[0], []
    for v, u in zip(speeds, efforts, strict=True):
        f = np.array([u, estimated * abs(estimated), estimated, 1.0])
        error = estimated - v
        rate = lumped @ f - GAINS.pull * error
        lumped = lumped - H * np.array(GAINS[1:]) * error * f
        estimated += H * rate
        found.append(lumped)
    return np.array(found)


def heave_record(time):
    """Swings under a steady push, with noise."""
    twist, wrench = np.full((len(time), 6), np.nan), np.zeros((len(time), 6))
    noise = np.random.default_rng(4).normal(0.0, 0.01, len(time))
    twist[:, 2] = 0.15 * np.cos(0.3 * time) + noise
    wrench[:, 2] = 34.0 - 60.0 * np.sin(0.3 * time)
    return record_from_arrays(time, twist, inputs_of("wrench", wrench))


def test_every_sample_counts_and_the_first_one_too():
    record = heave_record(np.arange(400) * H)
    found = fit_adaptive_lumped(record, VEHICLE, "heave", GAINS).history.lumped
    wanted = plain_loop(np.array([0.01, 0.0, 0.0, 0.0]), record.twist[:, 2], record.inputs.values[:, 2])
    assert np.allclose(found, wanted, rtol=1e-12, atol=1e-15)


def test_after_a_gap_the_numbers_go_on_and_the_speed_starts_anew():
    time = np.arange(400) * H
    record = heave_record(np.concatenate([time[:200], time[200:] + 50.0]))
    found = fit_adaptive_lumped(record, VEHICLE, "heave", GAINS).history.lumped
    speeds, efforts = record.twist[:, 2], record.inputs.values[:, 2]
    first = plain_loop(np.array([0.01, 0.0, 0.0, 0.0]), speeds[:200], efforts[:200])
    second = plain_loop(first[-1], speeds[200:], efforts[200:])
    assert np.allclose(found, np.vstack([first, second]), rtol=1e-12, atol=1e-15)
