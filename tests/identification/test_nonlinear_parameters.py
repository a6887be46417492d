"""Lags, delays and dead bands: numbers that enter a trajectory non-linearly, fitted from far-off starts."""

from dataclasses import replace

import numpy as np
import pytest

from remora.identification import (
    ParameterNameError,
    RecordError,
    fit_output_error,
    inputs_of,
    prior_of,
    record_from_arrays,
    values_of,
    with_values,
)
from remora.identification.regression.rows import actuator_outputs
from remora.identification.trajectory import solution
from remora.identification.trajectory.dead_band_search import CommandSizes
from remora.identification.trajectory.gauss_newton import Constraints, Iterate, Jacobian, Minimum
from remora.plant import initial_state, pack, rollout
from remora.vehicles import load_vehicle
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.vehicle_reader import vehicle_from_text
from remora_evidence.studies.identification import nonlinear_recovery

LAG = "thrusters.time_constant"
BAND = "thrusters.dead_band"
YAW = ("total_inertia.yaw", "damping.linear.yaw", "damping.quadratic.yaw")
FINE = 0.005


def yaw_record(vehicle, seed, interval, duration=120.0, share=0.5, noise=0.01, delay=0.0):
    """Yaw alone under random commands that change at 5 Hz, with the noise of a gyro."""
    packed, generator = pack(vehicle, locked=DEGREES_OF_FREEDOM[:5]), np.random.default_rng(seed)
    samples, per_sample = round(duration / interval) + 1, round(interval / FINE)
    effect = np.array([t.effect[5] for t in vehicle.thrusters])
    largest = np.array([t.command_maximum for t in vehicle.thrusters])
    levels = generator.uniform(-share, share, round(duration / 0.2) + 1)
    shares = np.sign(effect) * (np.abs(effect) > 1e-3)
    commands = np.repeat(levels, round(0.2 / interval))[:samples, None] * shares * largest
    states = rollout(packed, initial_state(packed), np.repeat(commands[:-1], per_sample, axis=0), FINE)
    twist = np.full((samples, 6), np.nan)
    late = np.maximum(np.arange(samples) * per_sample - round(delay / FINE), 0)
    twist[:, 5] = states[late, 12] + noise * generator.standard_normal(samples)
    inputs = inputs_of("commands", commands, vehicle.thruster_names, ["SI"] * len(effect))
    return record_from_arrays(np.arange(samples) * round(interval * 1e9), twist, inputs, source="yaw")


def with_lag(vehicle, lag, **more):
    names = [LAG, *more]
    return replace(vehicle, parameters=with_values(vehicle.parameters, names, [lag, *more.values()]))


@pytest.fixture(scope="module")
def rov():
    return with_lag(load_vehicle("bluerov"), 0.068)


def test_a_lag_is_fitted_and_not_returned_as_it_was_given(rov):
    """Gyro and commands at 5 Hz: one step per sample gave an inertia 20 % too large, and no lag from 0.2 s."""
    record, names = yaw_record(rov.parameters, 0, 0.2), (*YAW, LAG)
    known = values_of(rov.parameters, names)
    found = [fit_output_error(record, with_lag(rov, start), names) for start in (0.03, 0.068, 0.1, 0.2)]
    for fit in found:
        assert np.all(np.abs(fit.values - known) < 3.0 * fit.sigma)
        assert np.all(np.abs(fit.values - found[0].values) < 0.1 * fit.sigma)
        assert fit.value(LAG) == pytest.approx(0.068, rel=0.1)


@pytest.mark.parametrize("start", ["regression", "vehicle"])
def test_lag_and_body_do_not_change_places(start):
    """Linear drag and thrust: from 0.2 s a lag of 0.19 s and half of the inertia came out, or no lag at all."""
    preset = load_vehicle("bluerov2_heavy")
    heavy = with_lag(preset, 0.08, **{"added_mass.yaw": 0.6, "damping.linear.yaw": 3.6, "damping.quadratic.yaw": 0.0})
    names = ("total_inertia.yaw", "damping.linear.yaw", LAG)
    record = yaw_record(heavy.parameters, 3, 0.2, share=0.1)
    fit = fit_output_error(record, with_lag(heavy, 0.2), names, start=start, constrained=False)
    assert np.all(np.abs(fit.values - values_of(heavy.parameters, names)) < 3.0 * fit.sigma)


def end_of(began, ended, deviation, misfit):
    """A descent of one lag."""
    iterate = Iterate(np.array([ended]), None, (), ())
    jacobian = Jacobian((), (), (), np.array([[1.0 / deviation, 0.0]]), (), (), 0.0)
    return solution.DescentEnd(np.array([began]), Minimum(iterate, jacobian, np.ones(1), 1, True), misfit)


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        ([(0.2, 0.2, 0.01, 0.0), (0.06, 0.5, 0.01, 9.0)], ["ended where it began", "explains the data worse"]),
        ([(0.2, 0.08, 0.01, 0.0), (0.06, 0.3, 0.01, 1.0)], ["explains the data equally well"]),
        ([(0.2, 0.2, 0.01, 0.0), (0.06, 0.201, 0.01, 0.0)], []),
        ([(0.2, 0.08, 0.01, 0.0), (0.06, 0.081, 0.01, 0.0)], []),
    ],
)
def test_descents_that_go_nowhere_or_apart_are_reported(rov, ends, words):
    no_prior = prior_of(None)
    constraints = Constraints(rov.parameters, (LAG,), np.zeros(1), np.ones(1), True, no_prior, np.zeros(3), 0.0)
    made = [end_of(*one) for one in ends]
    sentences = list(solution.end_warnings(constraints, made[0], made))
    assert len(sentences) == len(words)
    assert all(word in sentence for word, sentence in zip(words, sentences, strict=True))


def test_a_delay_between_samples_does_not_smooth_the_motion(rov):
    """A spline through samples at 20 Hz cuts the corners that commands make, which looked like inertia."""
    late = yaw_record(rov.parameters, 2, 0.05, 60.0, noise=1e-4, delay=0.06)
    fit = fit_output_error(late, rov, YAW, delay=0.06)
    assert fit.value(YAW[0]) == pytest.approx(values_of(rov.parameters, YAW[:1])[0], rel=2e-3)


def test_a_start_without_lag_finds_one(rov):
    fit = fit_output_error(yaw_record(rov.parameters, 1, 0.05, 60.0), with_lag(rov, 0.0), (*YAW, LAG))
    assert fit.value(LAG) == pytest.approx(0.068, rel=0.1)


@pytest.fixture(scope="module")
def banded():
    return nonlinear_recovery.truth()


def test_lag_delay_and_dead_band_come_back_together(banded):
    """From 3.1, 0.2 and 0.2 times the truth, where a linear profile of the cost leads far off."""
    found = nonlinear_recovery.recovered(banded, 32)
    assert np.all(found.error < 0.1)
    assert not found.silent.any()


def test_a_dead_band_goes_into_the_vehicle_file_and_back(banded):
    record = nonlinear_recovery.yaw_record(banded.parameters, 2)
    narrow = replace(banded, parameters=with_values(banded.parameters, [BAND], [10.0]))
    fit = fit_output_error(record, narrow, (YAW[1], BAND), delay=nonlinear_recovery.DELAY)
    width = values_of(banded.parameters, [BAND])[0]
    assert fit.units[1] == "rad/s"
    assert abs(fit.value(BAND) - width) < 4.0 * fit.sigma[1] < 0.2 * width
    again = vehicle_from_text(fit.to_yaml())
    assert [drive.dead_band for drive in again.parameters.drives] == pytest.approx([fit.value(BAND)] * 6)


def test_commands_inside_a_dead_band_drive_nothing(banded):
    record = nonlinear_recovery.yaw_record(banded.parameters, 1)
    quiet = replace(record, inputs=record.inputs._replace(values=0.05 * record.inputs.values))
    assert not np.any(actuator_outputs(quiet, banded.parameters)[0])
    assert np.any(actuator_outputs(record, banded.parameters)[0])


def test_edges_hold_every_width_once():
    edges = CommandSizes(np.array([1.0, 2.0, 4.0]))
    assert [edges.nearest(edges.middle(gap)) for gap in range(edges.gaps)] == [0, 1, 2]
    assert edges.nearest(9.0) == 2


def test_dead_bands_that_no_data_show_are_refused(banded):
    record = nonlinear_recovery.yaw_record(banded.parameters, 1)
    outputs = record.inputs._replace(kind="outputs")
    with pytest.raises(RecordError, match="shows in commands only"):
        fit_output_error(replace(record, inputs=outputs), banded, [YAW[1], BAND])
    with pytest.raises(ValueError, match="give bounds instead"):
        fit_output_error(record, banded, [YAW[1], BAND], priors={BAND: (30.0, 1.0)})
    with pytest.raises(RecordError, match="no command lies within the bounds"):
        fit_output_error(record, banded, [YAW[1], BAND], bounds={BAND: (1e4, 2e4)})
    with pytest.raises(ParameterNameError, match="Did you mean"):
        fit_output_error(record, banded, ["thrusters.dead_bnd"])
