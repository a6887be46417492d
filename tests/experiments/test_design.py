"""Plans of experiments: within their limits, with predictions that come true, and better than a plain sinusoid."""

import math

import numpy as np
import pytest

from remora.cli.experiment_options import read_accuracy, read_noise, read_workspace
from remora.experiments import DesignError, fit_excited_axes, make_plan, make_requirements
from remora.experiments.excitation import INTERVAL, TRIED, AxisExcitation, deviations, motion
from remora.experiments.planner import sentences, simulated_plan
from remora.identification import ParameterNameError, default_parameters, values_of
from remora.scenarios import scenario_from_text
from remora.vehicles import load_vehicle
from remora.vehicles.checks.actuation import command_limits

pytestmark = pytest.mark.xdist_group("design")  # one worker, so that the plan is made once
ROV = load_vehicle("bluerov2_heavy")
NAMES = default_parameters(("surge", "heave"))
DRAWS = 100


@pytest.fixture(scope="module")
def plan():
    return make_plan(make_requirements(ROV, NAMES, duration=150.0))


def test_the_plan_stays_within_workspace_speed_and_thrust(plan):
    """E.g. what was flown, not what was planned."""
    truth, requirements = plan.run.truth, plan.requirements
    assert plan.duration == pytest.approx(150.0, abs=2.0)
    assert np.all(np.abs(truth.position - (0.0, 0.0, requirements.middle)) <= 0.5 * np.array(requirements.workspace))
    assert truth.position[:, 2].min() > requirements.top
    limits = np.abs(command_limits(ROV.parameters)).max()
    assert np.abs(truth.inputs.values).max() < limits
    assert max(plan.run.saturated.values()) <= 0.02
    assert max(plan.run.tilt.values()) < 0.5
    for excitation in plan.excitations:
        t = np.arange(0.0, TRIED, INTERVAL)
        position, speed, _ = motion(excitation.amplitudes, excitation.frequencies, excitation.phases, t)
        assert np.abs(position).max() <= requirements.limits[excitation.axis].travel * (1.0 + 1e-9)
        assert np.abs(speed).max() <= requirements.limits[excitation.axis].speed


def test_fits_of_the_flown_plan_spread_as_predicted(plan):
    """The bounds are three standard deviations of a standard deviation from so many draws."""
    truth, sigma = plan.run.truth, np.array(list(plan.requirements.noise.values()))
    found = []
    for seed in range(DRAWS):
        noise = sigma * np.random.default_rng(seed).standard_normal(truth.twist.shape)
        noisy = truth.with_note("Noise added.", twist=truth.twist + noise)
        found.append(fit_excited_axes(noisy, plan.requirements, plan.times, constrained=False).values)
    predicted = np.array([one.sigma for one in plan.predicted])
    ratios = np.std(found, axis=0, ddof=1) / predicted
    assert ratios == pytest.approx(np.ones(len(NAMES)), abs=3.0 / math.sqrt(2.0 * (DRAWS - 1)))
    assert np.all(np.abs(np.mean(found, axis=0) - values_of(ROV.parameters, NAMES)) < 1.0 * predicted)


def test_the_measured_log_gives_the_vehicle_back(plan):
    """Once, with the noise of the sensors in the scenario itself."""
    fit = fit_excited_axes(plan.run.measured, plan.requirements, plan.times)
    predicted = np.array([one.sigma for one in plan.predicted])
    assert set(fit.names) == set(NAMES)
    order = [fit.names.index(name) for name in NAMES]
    assert np.all(np.abs(fit.values[order] - values_of(ROV.parameters, NAMES)) < 4.0 * predicted)


def test_the_plan_beats_a_slow_sinusoid_of_the_same_length(plan):
    """Britto Neto 2018 moves slowly, with about 0.25 m/s at most."""
    plain = simulated_plan(
        plan.requirements,
        [AxisExcitation(axis, (0.25 / 0.2,), (0.2,), (0.0,), "", 1.0) for axis in plan.requirements.axes],
        plan.times,
    )
    worst = [max(one.sigma / one.required for one in each.predicted) for each in (plan, plain)]
    assert plain.duration == plan.duration
    assert worst[0] < 0.75 * worst[1]
    better = [a.sigma < b.sigma for a, b in zip(plan.predicted, plain.predicted, strict=True)]
    assert sum(better) >= 5  # of six


def test_one_sinusoid_cannot_part_linear_and_quadratic_damping():
    """Two lines of the same largest speed can: the deviations of both are smaller by much."""
    requirements = make_requirements(ROV, default_parameters(("surge",)))
    one = deviations(requirements, AxisExcitation("surge", (0.8,), (0.5,), (0.0,), "", 1.0))
    two = deviations(requirements, AxisExcitation("surge", (0.4, 0.2), (0.5, 1.0), (0.0, 0.0), "", 1.0))
    assert two[1] < one[1]


def test_less_noise_and_more_time_help_as_they_should():
    excitation = AxisExcitation("surge", (0.6, 0.2), (0.4, 0.9), (0.0, 1.0), "", 1.0)
    usual = deviations(make_requirements(ROV, NAMES), excitation)
    quiet = deviations(make_requirements(ROV, NAMES, speed_noise=0.005), excitation)
    assert quiet == pytest.approx(0.5 * usual, rel=1e-3)


def test_the_scenario_is_one_that_can_be_read(plan):
    setup = scenario_from_text(plan.text("bluerov2_heavy"))
    assert setup.duration_ns == round(plan.duration * 1e9)
    assert setup.vehicles[0].name == "bluerov2_heavy"


def test_sentences_name_what_limits_and_what_is_missed(plan):
    tight = plan._replace(predicted=tuple(one._replace(required=0.1 * one.sigma) for one in plan.predicted))
    found = " ".join(sentences(tight))
    assert "limited by the" in found
    assert "would have to be excited for" in found
    assert not tight.met
    blind = plan._replace(predicted=(plan.predicted[0]._replace(sigma=math.inf),))
    assert "is not identifiable" in " ".join(sentences(blind))


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"accuracy": 0.0}, "accuracy"),
        ({"accuracy": math.nan}, "accuracy"),
        ({"workspace": (10.0, 0.0, 3.0)}, "workspace"),
        ({"workspace": (math.inf, 1.0, 1.0)}, "workspace"),
        ({"duration": 5.0}, "duration"),
        ({"speed_noise": 0.0}, "noise of the speed"),
        ({"rate_noise": math.nan}, "noise of the rate"),
        ({"top": -1.0}, "top of the workspace"),
        ({"largest_speed": -1.0}, "largest speed"),
        ({"parameters": []}, "no parameter"),
        ({"parameters": ["added_mass.surge", "added_mass.surge_surge"]}, "asked for twice"),
        ({"parameters": ["added_mass.roll"]}, "free decays"),
        ({"parameters": ["body.center_of_buoyancy.x"]}, "does not show it"),
        ({"parameters": ["thrusters.effectiveness"]}, "bollard pull"),
    ],
)
def test_requirements_that_cannot_be_planned_are_refused(changes, found):
    with pytest.raises(DesignError, match=found):
        make_requirements(ROV, **changes)


def test_unknown_parameters_get_a_suggestion_and_torpedoes_are_refused():
    with pytest.raises(ParameterNameError, match=r"added_mass\.surge"):
        make_requirements(ROV, ["added_mass.surgee"])
    with pytest.raises(DesignError, match="id1"):
        make_requirements(load_vehicle("gavia"))
    with pytest.raises(DesignError, match="4 axes need at least"):
        make_plan(make_requirements(ROV, duration=100.0))


def test_texts_of_the_command_line():
    assert read_accuracy("5%") == pytest.approx(0.05)
    assert read_accuracy(" 0.1 ") == pytest.approx(0.1)
    assert read_workspace("10x5x3") == (10.0, 5.0, 3.0)
    assert read_workspace("1.5 x .5 x 3 m") == (1.5, 0.5, 3.0)
    assert read_noise("1 cm/s, 0.2 deg/s") == pytest.approx((0.01, math.radians(0.2)))
    for read, text in (
        (read_accuracy, "five"),
        (read_workspace, "10x5"),
        (read_workspace, "axbxc"),
        (read_noise, "1 cm/s"),
        (read_noise, "1 kg, 0.2 deg/s"),
        (read_noise, "1, 2"),
    ):
        with pytest.raises(DesignError):
            read(text)


def test_thrusters_that_answer_at_once_are_no_trouble():
    """Their outputs are steps: taken at the stamps alone they come late, which costs a quarter of this inertia.

    What is left goes with the square of the interval over the time constant of yaw, 0.05 s over 0.11 s: 2 %.
    """
    rov = load_vehicle("bluerov")
    assert all(thruster.rise_time == 0.0 for thruster in rov.parameters.thrusters)
    names = default_parameters(("yaw",))
    plan = make_plan(make_requirements(rov, names, duration=60.0))
    fit = fit_excited_axes(plan.run.measured, plan.requirements, plan.times)
    whole = rov.parameters.rigid_body_inertia[5][5] + rov.parameters.added_mass[5][5]
    assert abs(fit.value("added_mass.yaw") - rov.parameters.added_mass[5][5]) < 0.03 * whole
    assert fit.value("damping.linear.yaw") == pytest.approx(rov.parameters.linear_damping[5][5], rel=0.02)


def test_small_parts_of_the_damping_are_not_said_to_be_known_to_the_accuracy(plan):
    """A linear damping of 0.26 kg/s known to 0.37 kg/s is good enough beside the whole, and not known to 5 %."""
    met = [one._replace(sigma=0.01 * one.value, required=0.05 * one.value) for one in plan.predicted]
    assert sentences(plan._replace(predicted=tuple(met)))[-1] == f"All {len(met)} parameters will be known to 5 %."
    met[1] = met[1]._replace(value=0.26, sigma=0.37, required=4.29)
    assert f"5 %, {met[1].name} of the whole damping of the axis" in sentences(plan._replace(predicted=tuple(met)))[-1]
