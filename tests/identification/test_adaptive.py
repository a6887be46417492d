"""The adaptive identifiers: the energy of their errors falls, known truths are found, unfit gains are refused."""

from dataclasses import replace

import numpy as np
import pytest
from record_example import damped_rov, diagonal_names, driven_record, started_wrong

from remora.equations.estimation.adaptive import (
    AdaptiveGains,
    adaptive_energy,
    adaptive_parameter_rates,
    adaptive_speed_rate,
)
from remora.equations.estimation.single_axis import (
    Lumped,
    SingleAxis,
    equivalent_damping,
    lumped_acceleration,
    to_lumped,
)
from remora.identification import (
    PRINTED_GAINS,
    ParameterNameError,
    RecordError,
    fit_adaptive,
    fit_adaptive_lumped,
    inputs_of,
    normalised_gains,
    record_from_arrays,
    values_of,
    with_values,
)
from remora.identification.online.adaptive_axis import excitation_period, settled_estimate
from remora.identification.regression.regressor import base_wrenches, motion_of, rate_product, unit_wrenches
from remora.plant.pack import pack
from remora.vehicles import load_vehicle

VEHICLE = load_vehicle("flatfish_multidof")
TRUTH = SingleAxis(763.12, 74.77, 18.03, 0.0)
PRINTED = PRINTED_GAINS["basin"]["surge"]
ROV = damped_rov()


def surge_record(truth=TRUTH, duration=430.0, interval=0.25, noise=0.0, seed=0, amplitude=32.0):
    """Surge under a sinusoid of force, by steps of Euler like those of the identifier."""
    time = np.arange(round(duration / interval)) * interval
    effort, lumped, speed = amplitude * np.sin(0.2 * time), to_lumped(truth), [0.0]
    for u in effort[:-1]:
        speed.append(speed[-1] + interval * lumped_acceleration(lumped, u, speed[-1]))
    twist, wrench = np.full((len(time), 6), np.nan), np.zeros((len(time), 6))
    twist[:, 0] = speed + noise * np.random.default_rng(seed).standard_normal(len(time))
    wrench[:, 0] = effort
    return record_from_arrays(time, twist, inputs_of("wrench", wrench), source="surge")


def test_the_energy_of_the_errors_falls_at_any_state():
    """V' <= 0 for every effort, speed and error when damping takes energy out (Britto Neto 2018, sec. 5.2.2)."""
    draw = np.random.default_rng(1)
    for _ in range(500):
        truth = Lumped(*draw.uniform((0.001, -3.0, -3.0, -1.0), (2.0, 0.0, 0.0, 1.0)).tolist())
        estimate = Lumped(*draw.normal(0.0, 3.0, 4).tolist())
        gains = AdaptiveGains(*draw.uniform(0.01, 5.0, 5).tolist())
        effort, speed, estimated = draw.normal(0.0, 3.0, 3).tolist()
        apart = estimated - speed
        rates = adaptive_parameter_rates(gains, effort, estimated, speed)
        change = adaptive_speed_rate(estimate, gains.pull, effort, estimated, speed)
        change -= lumped_acceleration(truth, effort, speed)
        growth = 2.0 * apart * change + sum(
            2.0 * (a - b) * rate / gain for a, b, rate, gain in zip(estimate, truth, rates, gains[1:], strict=True)
        )
        assert growth <= 1e-12 * (1.0 + abs(apart * change))
        step = 1e-7  # and the energy as it is computed changes by that much
        moved = Lumped(*(a - b + step * rate for a, b, rate in zip(estimate, truth, rates, strict=True)))
        inverse = Lumped(*(1.0 / gain for gain in gains[1:]))
        here = adaptive_energy(inverse, apart, Lumped(*(a - b for a, b in zip(estimate, truth, strict=True))))
        after = adaptive_energy(inverse, apart + step * change, moved)
        size = 1.0 + abs(change) + max(abs(rate) for rate in rates)
        assert after - here == pytest.approx(step * growth, abs=1e-12 * size**2 * (1.0 + here))


def test_along_a_run_with_exact_data_the_energy_grows_only_by_what_a_step_is_too_long():
    growth, first = [], 0.0
    for interval in (0.02, 0.01):
        energy = fit_adaptive_lumped(
            surge_record(interval=interval, duration=120.0), VEHICLE, "surge", PRINTED, truth=TRUTH
        ).history.energy
        first = energy[0]
        growth.append(np.maximum(np.diff(energy), 0.0).sum())
        assert energy[-1] < 0.6 * first
    assert growth[0] < 1e-3 * first
    assert growth[1] < 0.55 * growth[0]  # of second order in each step


def test_printed_gains_find_inertia_and_equivalent_damping():
    found = fit_adaptive_lumped(surge_record(), VEHICLE, "surge", PRINTED).fit
    assert found.values[0] == pytest.approx(TRUTH.inertia, rel=0.02)
    wanted = equivalent_damping(TRUTH.linear_damping, TRUTH.quadratic_damping, 0.2)
    assert equivalent_damping(found.values[1], found.values[2], 0.2) == pytest.approx(
        wanted, rel=0.08
    )  # not quite there yet
    assert found.names == ("total_inertia.surge", "damping.linear.surge", "damping.quadratic.surge")
    assert any("spread of the estimate over the last 6 periods" in sentence for sentence in found.warnings)


def test_the_mean_over_a_period_scatters_less_than_the_last_sample():
    inertia = {"averaged": [], "last": []}
    for seed in range(12):
        record = surge_record(noise=0.01, seed=seed)
        for report, found in inertia.items():
            found.append(fit_adaptive_lumped(record, VEHICLE, "surge", PRINTED, report=report).fit.values[0])
    assert np.std(inertia["averaged"]) < 0.5 * np.std(inertia["last"])
    assert np.mean(inertia["averaged"]) == pytest.approx(TRUTH.inertia, rel=0.02)


def test_normalised_gains_do_not_know_the_size_of_the_vehicle():
    """Ten times the force on ten times the vehicle is the same motion, so all numbers come out ten times larger."""
    start, ten = SingleAxis(100.0, 0.0, 0.0, 0.0), SingleAxis(1000.0, 0.0, 0.0, 0.0)
    small = fit_adaptive_lumped(surge_record(), VEHICLE, "surge", start=start)
    large_truth = SingleAxis(*(10.0 * number for number in TRUTH))
    record = surge_record(large_truth, amplitude=320.0)
    large = fit_adaptive_lumped(record, VEHICLE, "surge", start=ten)
    assert np.allclose(large.fit.values, 10.0 * small.fit.values, rtol=1e-6)
    assert normalised_gains(record, VEHICLE, "surge").constant == 0.0
    assert small.fit.values[0] == pytest.approx(TRUTH.inertia, rel=0.03)


def test_a_record_that_pushes_the_wrong_way_never_makes_inertia_negative():
    record = surge_record()
    turned = replace(record, inputs=record.inputs._replace(values=-record.inputs.values))
    found = fit_adaptive_lumped(turned, VEHICLE, "surge", PRINTED)
    assert np.all(found.history.lumped[:, 0] > 0.0)
    assert found.history.held > 0
    assert any("kept from growing without bound" in sentence for sentence in found.fit.warnings)


def test_what_has_not_arrived_is_said():
    short = fit_adaptive_lumped(surge_record(duration=110.0), VEHICLE, "surge", PRINTED).fit
    assert any("Not converged" in sentence and "beta" in sentence for sentence in short.warnings)


def test_hostile_records_and_gains_are_refused():
    with pytest.raises(RecordError, match=r"drives the identifier to infinity after .* Take smaller gains"):
        fit_adaptive_lumped(surge_record(), VEHICLE, "surge", PRINTED._replace(effort=1.0, linear=1e3))
    with pytest.raises(RecordError, match=r"has 2 whole periods .* needs 3\. Record longer"):
        fit_adaptive_lumped(surge_record(duration=80.0), VEHICLE, "surge", PRINTED)
    with pytest.raises(RecordError, match="has no speed of sway"):
        fit_adaptive_lumped(surge_record(), VEHICLE, "sway", PRINTED)
    with pytest.raises(ValueError, match="Give a positive one"):
        fit_adaptive_lumped(surge_record(), VEHICLE, "surge", PRINTED, start=SingleAxis(-1.0, 0.0, 0.0, 0.0))


def test_period_and_spread_of_a_known_signal():
    time = np.arange(2000) * 0.25
    wave = np.sin(0.2 * time) + 3.0
    assert excitation_period(wave, 0.25) == pytest.approx(10.0 * np.pi, rel=0.01)
    steps = np.repeat([5.0, 4.0, 3.0, 2.0, 1.0, 2.0], 10)[:, None]
    settled = settled_estimate(steps, 1.0, 10.0, "steps")
    assert (settled.mean[0], settled.periods, settled.moved[0]) == (2.0, 3, 1.0)
    assert settled.covariance[0, 0] == pytest.approx(np.var([2.0, 1.0, 2.0], ddof=1))


# The whole equation of motion.

NAMES = (*diagonal_names(("surge", "sway", "yaw")), "added_mass.yaw_sway", "damping.linear.yaw_sway")


def coupled():
    """The ROV with two couplings of sway and yaw."""
    return replace(ROV, parameters=with_values(ROV.parameters, NAMES[-2:], [0.3, 1.0]))


def wrong(vehicle, names, factor):
    return replace(
        vehicle, parameters=with_values(vehicle.parameters, names, values_of(vehicle.parameters, names) * factor)
    )


def test_all_six_degrees_of_freedom_are_found():
    names = diagonal_names(("surge", "sway", "heave", "roll", "pitch", "yaw"))
    record = driven_record(ROV, duration=600.0)
    start, rates = started_wrong(ROV, names, 0.7), (2.0, 2.0, 2.0, 0.1)
    found = fit_adaptive(record, start, names, rates=rates, period=30.0, truth=ROV.parameters)
    truth = values_of(ROV.parameters, names)
    inertia = [k for k, name in enumerate(names) if name.startswith("added_mass")]
    after = np.abs(found.fit.values / truth - 1.0)
    assert np.all(after[inertia] < 0.05)
    assert np.median(after) < 0.05
    energy = found.history.energy
    assert energy[-1] < 0.02 * energy[0]
    assert found.history.held == 0


def test_couplings_are_found_and_the_energy_falls_all_the_way():
    vehicle = coupled()
    record = driven_record(vehicle, duration=300.0, interval=0.01, locked=("heave", "roll", "pitch"))
    start, rates = started_wrong(vehicle, NAMES, 0.6), (2.0, 2.0, 2.0, 0.1)
    found = fit_adaptive(record, start, NAMES, rates=rates, period=20.0, truth=vehicle.parameters)
    energy = found.history.energy
    assert np.maximum(np.diff(energy), 0.0).sum() < 0.01 * energy[0]
    assert energy[-1] < 0.05 * energy[0]
    assert found.fit.value("added_mass.yaw_sway") == pytest.approx(0.3, abs=0.06)


def numbers(six):
    """Six components that may be arrays of one sample, or nothing at all."""
    return np.array([np.ravel(np.asarray(part, dtype=float))[0] for part in six])


def test_one_sample_is_the_regression_of_the_fits():
    """The wrench of one unit of each parameter is the one that least squares uses; nothing is written twice."""
    vehicle, pull = coupled(), 2.0
    start = started_wrong(vehicle, NAMES, 0.6)
    record = driven_record(vehicle, duration=60.0, locked=("heave", "roll", "pitch"))
    found = fit_adaptive(record, start, NAMES, period=15.0, pull=pull)
    free = [0, 1, 5]
    change, nu = np.zeros(len(NAMES)), np.nan_to_num(record.twist[0])
    for k in range(12):
        measured = np.nan_to_num(record.twist[k])
        outputs = record.inputs.values[k : k + 1]
        motion = motion_of(nu[None], record.quaternion[k : k + 1], outputs, np.zeros((1, 6)))
        base, packed = base_wrenches(pack(start.parameters), motion), pack(start.parameters)
        units = [unit_wrenches(name, start.parameters, motion) for name in NAMES]
        numbers = lambda six: np.array([np.ravel(np.asarray(part, dtype=float))[0] for part in six])  # noqa: E731
        thrust = base_wrenches(
            packed, motion_of(measured[None], record.quaternion[k : k + 1], outputs, np.zeros((1, 6)))
        )
        rest = -numbers(thrust.effort) - numbers(base.term) - change @ [numbers(one.term) for one in units]
        inertia = np.array(base.inertia, dtype=float)
        error = nu - measured
        inertia = inertia + np.tensordot(change, [np.asarray(one.inertia, dtype=float) for one in units], 1)
        rate = np.zeros(6)
        rate[free] = np.linalg.solve(inertia[np.ix_(free, free)], rest[free])
        wrenches = np.array([numbers(one.term) + numbers(rate_product(one, tuple(rate))) for one in units])
        change = change + 0.05 * found.gains * (wrenches @ error)
        nu = nu + 0.05 * (rate - pull * error)
        assert np.allclose(found.history.values[k], values_of(start.parameters, NAMES) + change, rtol=1e-9, atol=1e-12)
        assert np.allclose(found.history.twist[k], nu, rtol=1e-9, atol=1e-12)


def test_parameters_that_no_hull_shows_are_refused():
    record = driven_record(ROV, duration=60.0)
    with pytest.raises(ParameterNameError, match="no number of a bare hull"):
        fit_adaptive(record, ROV, ["damping.lift.yaw_sway", "added_mass.surge"], axes=["surge", "yaw"])
    falcon = load_vehicle("falcon")
    with pytest.raises(ParameterNameError, match="differs with its direction"):
        fit_adaptive(driven_record(falcon, duration=60.0), falcon, axes=["surge", "heave"])


def test_noise_leaves_the_inertia_where_it_is():
    names, axes = diagonal_names(("surge", "sway", "heave")), ("surge", "sway", "heave")
    record = driven_record(ROV, duration=300.0, noise=(0.02, 0.02))
    found = fit_adaptive(record, started_wrong(ROV, names, 0.7), names, axes=axes, period=30.0).fit
    truth = values_of(ROV.parameters, names)
    total = ROV.parameters.mass + truth[::3]  # the rigid body is known
    assert np.all(np.abs(found.values[::3] - truth[::3]) < 0.03 * total)


def test_gains_that_are_too_large_are_told():
    record = driven_record(ROV, duration=60.0)
    with pytest.raises(RecordError, match="drives the identifier to infinity"):
        fit_adaptive(
            record, started_wrong(ROV, NAMES, 0.6), NAMES, axes=["surge", "sway", "yaw"], rates=(1e3, 1e3, 1e3, 1e3)
        )
