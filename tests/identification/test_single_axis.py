"""The lumped form of one degree of freedom (Britto Neto 2018) and the way back from it."""

import numpy as np
import pytest

from remora.equations.estimation.single_axis import Lumped, SingleAxis, from_lumped, lumped_acceleration, to_lumped
from remora.identification import RecordError, fit_lumped, inputs_of, joined_axes, record_from_arrays, values_of
from remora.plant import initial_state, pack, rollout
from remora.vehicles import load_vehicle, vehicle_from_text
from remora.vehicles.names import DEGREES_OF_FREEDOM

VEHICLE = load_vehicle("flatfish_multidof")
NAMES = ("total_inertia.{}", "damping.linear.{}", "damping.quadratic.{}")


def sinusoid_record(axis, amplitude, frequency, duration=300.0, interval=0.25, noise=0.0, seed=0):
    """Motion of one degree of freedom under a sum of two sinusoids of force, everything else held."""
    i = DEGREES_OF_FREEDOM.index(axis)
    packed = pack(VEHICLE.parameters, locked=tuple(name for name in DEGREES_OF_FREEDOM if name != axis))
    fine = 25
    time = np.arange(round(duration / interval) * fine + 1) * interval / fine
    force = np.zeros((len(time), 6))
    force[:, i] = amplitude * (np.sin(frequency * time) + 0.5 * np.sin(2.7 * frequency * time))
    means = 0.5 * (force[:-1] + force[1:])
    states = rollout(packed, initial_state(packed), np.zeros(6), interval / fine, external=means)[::fine]
    twist = np.full((len(states), 6), np.nan)
    twist[:, i] = states[:, 7 + i] + noise * np.random.default_rng(seed).standard_normal(len(states))
    return record_from_arrays(time[::fine], twist, inputs_of("wrench", force[::fine]), source=axis)


def test_the_lumped_form_is_the_equation_divided_by_its_inertia():
    axis = SingleAxis(763.12, 74.77, 18.03, -15.59)
    back = from_lumped(to_lumped(axis))
    assert np.allclose(back, axis)
    effort, speed = 30.0, -0.4
    wanted = (effort - (74.77 + 18.03 * 0.4) * speed - 15.59) / 763.12
    assert lumped_acceleration(to_lumped(axis), effort, speed) == pytest.approx(wanted)


def test_constant_force_from_rest_follows_the_closed_form():
    axis, force = SingleAxis(763.12, 74.77, 18.03, 0.0), 40.0
    s = np.sqrt(axis.linear_damping**2 + 4.0 * axis.quadratic_damping * force)
    fast, slow = ((-axis.linear_damping + sign * s) / (2.0 * axis.quadratic_damping) for sign in (1.0, -1.0))
    fade = np.exp(-s * 20.0 / axis.inertia)
    exact = fast * (1.0 - fade) / (1.0 - (fast / slow) * fade)
    lumped, speed, step = to_lumped(axis), 0.0, 0.01
    for _ in range(2000):
        half = speed + 0.5 * step * lumped_acceleration(lumped, force, speed)
        speed += step * lumped_acceleration(lumped, force, half)
    assert speed == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize(("axis", "amplitude"), [("surge", 40.0), ("sway", 60.0), ("heave", 60.0), ("yaw", 8.0)])
def test_clean_record_of_one_axis_gives_the_truth(axis, amplitude):
    found = fit_lumped(sinusoid_record(axis, amplitude, 0.2), VEHICLE, axis, window=9)
    names = [name.format(axis) for name in NAMES]
    assert np.allclose(found.fit.values[:3], values_of(VEHICLE.parameters, names), rtol=0.02)
    assert found.lumped.alpha == pytest.approx(1.0 / found.fit.values[0])
    if axis == "heave":
        assert found.fit.value("body.net_buoyancy") == pytest.approx(15.59, abs=0.2)


def test_covariance_is_carried_over_to_inertia_and_damping():
    names = [name.format("surge") for name in NAMES]
    truth = values_of(VEHICLE.parameters, names)
    fits = [
        fit_lumped(
            sinusoid_record("surge", 40.0, 0.2, noise=0.004, seed=s), VEHICLE, "surge", smooth=True, window=9
        ).fit
        for s in range(12)
    ]
    spread = np.std([fit.values for fit in fits], axis=0)
    claimed = np.mean([fit.sigma for fit in fits], axis=0)
    assert np.all(claimed / spread > 0.5)
    assert np.all(claimed / spread < 4.0)  # noise of a derivative averages out faster than is assumed
    assert np.abs(np.mean([fit.values[0] for fit in fits]) / truth[0] - 1.0) < 0.03


def test_smooth_regressors_take_most_of_the_bias_out_of_the_quadratic_term():
    truth = values_of(VEHICLE.parameters, ["damping.quadratic.heave"])[0]
    bias = {True: [], False: []}
    for seed in range(10):
        record = sinusoid_record("heave", 40.0, 0.2, noise=0.02, seed=seed)
        for smooth, found in bias.items():
            fit = fit_lumped(record, VEHICLE, "heave", window=17, smooth=smooth).fit
            found.append(fit.value("damping.quadratic.heave") - truth)
    assert abs(np.mean(bias[True])) < 0.5 * abs(np.mean(bias[False]))


def test_axes_join_to_one_vehicle_that_can_be_written():
    fits = [
        fit_lumped(sinusoid_record(a, f, 0.2), VEHICLE, a, window=9).fit for a, f in (("surge", 40.0), ("yaw", 8.0))
    ]
    whole = joined_axes(fits)
    assert len(whole.names) == 6
    loaded = vehicle_from_text(whole.to_yaml()).parameters
    assert loaded.added_mass[0][0] == pytest.approx(fits[0].values[0] - 275.0)
    assert loaded == whole.vehicle


def test_thrust_against_the_motion_is_refused():
    record = sinusoid_record("surge", 40.0, 0.2)
    turned = record.with_note("Turned.", inputs=record.inputs._replace(values=-record.inputs.values))
    with pytest.raises(RecordError, match=r"speeds up against its effort .* Check signs"):
        fit_lumped(turned, VEHICLE, "surge", window=9)


def test_lumped_numbers_have_names():
    assert Lumped(1.0, 2.0, 3.0, 4.0).nu == 4.0
