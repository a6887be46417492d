"""Records of the FlatFish that are made again: what is in them, and that studies on spoiled ones fail."""

import numpy as np
import pytest

from remora.equations.actuators.thrusters import static_thrust
from remora.identification import fit_lumped, replay
from remora.vehicles import load_vehicle
from remora.vehicles.checks.actuation import allocation_matrix
from remora_evidence.runner import run_study
from remora_evidence.studies.catalogue import find_study
from remora_evidence.studies.flatfish import (
    coupled_axes,
    disturbed_records,
    single_axes,
)
from remora_evidence.studies.flatfish.fits import least_squares, truth_of, worst_share
from remora_evidence.studies.flatfish.records import (
    BASIN,
    BAY,
    DVL_NOISE,
    PULSE_FORCES,
    PULSES,
    RATE_NOISE,
    Trouble,
    driven,
    pulse_forces,
    swing_record,
    with_water,
)


def test_noise_is_that_of_the_instruments_and_of_the_seed():
    for axis, spread, interval in (("surge", DVL_NOISE, 0.25), ("yaw", RATE_NOISE, 0.1)):
        clean, noisy, again, other = (swing_record(BASIN, axis, "identification", seed) for seed in (None, 1, 1, 2))
        assert clean.interval == interval
        assert clean.measured == (axis,)
        assert np.array_equal(noisy.speed(axis), again.speed(axis))
        difference = noisy.speed(axis) - clean.speed(axis)
        assert difference.std() == pytest.approx(spread, rel=0.1)
        assert abs(np.corrcoef(difference, other.speed(axis) - clean.speed(axis))[0, 1]) < 0.1
        assert np.array_equal(clean.inputs.values, noisy.inputs.values)


def test_speeds_are_those_that_the_swings_ask_for():
    for axis, swing in BAY.identification.items():
        record = swing_record(BAY, axis, "identification")
        assert record.duration == pytest.approx(swing.seconds, abs=0.25)
        assert np.abs(record.speed(axis)).max() == pytest.approx(swing.speed, rel=0.07)


def test_the_wrench_is_what_the_logged_shaft_speeds_give():
    parameters = BAY.vehicle.parameters
    run = driven(parameters, coupled_axes.TOGETHER["identification"], 20.0)
    forces = [[static_thrust(t, n) for t, n in zip(parameters.thrusters, row, strict=True)] for row in run.commands]
    assert np.allclose(np.array(forces) @ allocation_matrix(parameters).T, run.wrench, atol=1e-9)


def test_pulses_are_five_and_of_the_size_that_was_said():
    time_ns = np.arange(0, 300_000_000_000, 50_000_000)
    force = pulse_forces(time_ns, 3)
    edges = np.flatnonzero(np.diff(force) != 0.0)
    sizes = np.abs(force[force != 0.0])
    assert len(edges) == 2 * PULSES
    assert PULSE_FORCES[0] <= sizes.min() <= sizes.max() <= PULSE_FORCES[1]
    lengths = np.diff(edges.reshape(-1, 2))[:, 0] * 0.05
    assert lengths.min() >= 0.45
    assert lengths.max() <= 2.05


def test_a_fit_does_not_know_the_truth_that_it_starts_from():
    record, other = swing_record(BASIN, "sway", "identification", 1), load_vehicle("flatfish_gazebo")
    assert np.allclose(least_squares(BASIN, "sway", 1).values, fit_lumped(record, other, "sway").fit.values, rtol=1e-9)


def test_slow_thrusters_look_like_inertia():
    """As in a published remark: 1 s of unknown lag adds about a tenth, 0.2 s less than 2 %."""
    quick, slow = (
        fit_lumped(
            swing_record(BASIN, "surge", "identification", None, trouble=Trouble(lag=lag)), BASIN.vehicle, "surge"
        ).fit.values
        for lag in (0.2, 1.0)
    )
    truth = truth_of(BASIN, "surge")
    assert 0.0 < quick[0] / truth[0] - 1.0 < 0.025
    assert 0.07 < slow[0] / truth[0] - 1.0 < 0.15


def test_a_supplied_current_is_taken_off_the_speed():
    tide = Trouble(water=(0.0, 0.1, 0.0))
    record = swing_record(BAY, "sway", "validation", None, trouble=tide)
    truth = BAY.vehicle.parameters
    without, supplied = (replay(one, truth).scores["sway"].mae for one in (record, with_water(record, tide.water)))
    assert without > 0.05
    assert supplied < 1e-3


def test_studies_fail_when_thrusters_are_slower_than_known(monkeypatch):
    """The verdicts are no foregone conclusion: a second of lag spoils inertia, and with it the clean recovery."""

    def lagging(site, axis, seed, **kwargs):
        return least_squares(site, axis, seed, trouble=Trouble(lag=1.0))

    monkeypatch.setattr(single_axes, "least_squares", lagging)
    study = find_study("R6")
    assert not run_study(study, 1).holds


def test_a_current_that_is_not_there_fails_its_study(monkeypatch):
    monkeypatch.setattr(disturbed_records, "error_in", lambda axis, seed, trouble, known=False: 0.008)
    study = find_study("R17")
    assert not run_study(study, 1).holds


def test_the_worst_share_is_signless():
    assert worst_share(np.array([0.9, 1.05]), 1.0) == pytest.approx(10.0)
