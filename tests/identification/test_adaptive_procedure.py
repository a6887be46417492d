"""The adaptive identifier is the printed loop of Britto Neto 2018, sample by sample from the first on."""

import numpy as np

from remora.equations.estimation.single_axis import SingleAxis, to_lumped
from remora.identification import PRINTED_GAINS, fit_adaptive_lumped, inputs_of, record_from_arrays
from remora.vehicles import load_vehicle

VEHICLE = load_vehicle("flatfish_bay_adaptive")
GAINS = PRINTED_GAINS["bay"]["heave"]
H = 0.25
START = SingleAxis(1000.0, 100.0, 0.0, 0.0)  # near enough for inertia to stay away from its bound


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
    """Swings of a buoyant vehicle, with noise."""
    twist, wrench = np.full((len(time), 6), np.nan), np.zeros((len(time), 6))
    wrench[:, 2] = 34.0 - 70.0 * np.sin(0.2 * np.arange(len(time)) * H)
    speeds = np.zeros(len(time))
    for k, u in enumerate(wrench[:-1, 2]):
        speeds[k + 1] = speeds[k] + H * (u - 34.0 - 219.0 * speeds[k]) / 1382.0
    twist[:, 2] = speeds + np.random.default_rng(4).normal(0.0, 0.01, len(time))
    return record_from_arrays(time, twist, inputs_of("wrench", wrench))


def test_every_sample_counts_and_the_first_one_too():
    record = heave_record(np.arange(400) * H)
    history = fit_adaptive_lumped(record, VEHICLE, "heave", GAINS, start=START).history
    assert history.held == 0
    wanted = plain_loop(np.array(to_lumped(START)), record.twist[:, 2], record.inputs.values[:, 2])
    assert np.allclose(history.lumped, wanted, rtol=1e-12, atol=1e-15)


def test_after_a_gap_the_numbers_go_on_and_the_speed_starts_anew():
    time = np.arange(400) * H
    record = heave_record(np.concatenate([time[:200], time[200:] + 50.0]))
    found = fit_adaptive_lumped(record, VEHICLE, "heave", GAINS, start=START).history.lumped
    speeds, efforts = record.twist[:, 2], record.inputs.values[:, 2]
    first = plain_loop(np.array(to_lumped(START)), speeds[:200], efforts[:200])
    second = plain_loop(first[-1], speeds[200:], efforts[200:])
    assert np.allclose(found, np.vstack([first, second]), rtol=1e-12, atol=1e-15)
