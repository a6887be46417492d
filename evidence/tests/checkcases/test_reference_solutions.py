"""The references are what they claim: stored as solved, exact where a law or a second solution says so."""

import ast
from pathlib import Path

import numpy as np
import pytest
import reference
from reference import box_filter
from reference.__main__ import main, regenerate
from reference.body import body_of
from reference.box_readings import draw_box
from reference.integration import adaptive, solve
from reference.problem import CASES, Held, Problem, Run, Water, case_ids, load_problem
from reference.solutions import carried, integrated, solved
from reference.tolerances import derived_tolerances
from reference.trajectory import differences
from scipy.stats import chi2

from remora.equations.hull.forms.cross_flow import CROSS_FLOW
from remora.equations.hull.forms.lift import LIFT
from remora.vehicles import load_vehicle
from remora.vehicles.assembly.shapes import spheroid_added_mass, spheroid_inertia
from remora.vehicles.parameters import form_records
from remora_evidence.checkcases import problem_file
from remora_evidence.checkcases.trajectory import read_csv
from trajectories import rotations


def test_reference_solvers_import_nothing_of_remora():
    roots = set()
    for file in Path(reference.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or "."] if isinstance(node, ast.ImportFrom) else []
            roots |= {name.partition(".")[0] for name in names}
    standard = {"argparse", "collections", "csv", "functools", "math", "pathlib", "sys", "typing"}
    assert roots <= standard | {"numpy", "scipy", "ruamel", "reference"}


def test_both_readers_find_the_same_problem_files():
    assert CASES == problem_file.CASES
    assert case_ids() == problem_file.case_ids()


@pytest.mark.parametrize("case", case_ids())
def test_stored_references_and_tolerances_are_those_of_a_regeneration(case, tmp_path):
    """The trajectories to what another processor may round, the tolerances to the digit.

    A filter divides by covariances of a condition number of 1e7: a ten-thousandth of its tolerances is allowed.
    """
    problem = load_problem(case)
    tolerances = regenerate(case, tmp_path)
    stored, again = (read_csv(folder / f"{case}.csv", problem) for folder in (CASES, tmp_path))
    for quantity, difference in differences(problem, stored, again).items():
        assert difference < (1e-4 * problem.tolerances[quantity] if problem.is_navigation else 1e-10), quantity
    np.testing.assert_array_equal(stored[0].times, again[0].times)
    assert dict(problem.tolerances) == tolerances


def test_the_command_writes_the_named_references_and_prints_their_tolerances(tmp_path, capsys):
    main(["UC-02", "--out", str(tmp_path / "new")])
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["UC-02.csv"]
    assert "tolerances position 4e-09 m" in capsys.readouterr().out


@pytest.mark.parametrize("case", case_ids())
def test_files_are_small_and_their_times_fit(case):
    problem = load_problem(case)
    assert 20 <= len(problem.times) * len(problem.runs) <= 250
    assert problem.steps * problem.step == pytest.approx(problem.interval, rel=1e-12)
    changes = [held.start for run in problem.runs for held in run.inputs]
    assert all(np.abs(problem.times - start).min() < 1e-9 for start in changes)


@pytest.mark.parametrize("case", ["UC-02", "UC-03", "UC-04", "UC-06"])
def test_closed_forms_agree_with_the_integration(case):
    problem = load_problem(case)._replace(duration=4.0)
    apart = differences(problem, solve(problem, adaptive(problem.interval)), solved(problem))
    assert max(apart.values()) < 1e-11


def test_two_integrators_agree_on_the_unstable_spheroid():
    problem = load_problem("UC-05")
    problem = problem._replace(duration=3.0)
    one, other = (solve(problem, adaptive(problem.interval, method)) for method in ("DOP853", "Radau"))
    assert max(differences(problem, one, other).values()) < 1e-11


def test_the_spheroid_keeps_energy_and_impulse():
    """Kirchhoff: linear impulse, angular impulse about a fixed point, and energy of body and fluid."""
    problem = load_problem("UC-05")
    body = body_of(problem.vehicle)
    (run,) = read_csv(CASES / "UC-05.csv", problem)
    momenta = run.states[:, 7:13] @ (body.rigid + body.added)
    turn = rotations(run.states)
    linear = np.einsum("tij,tj->ti", turn, momenta[:, :3])
    angular = np.einsum("tij,tj->ti", turn, momenta[:, 3:]) + np.cross(run.states[:, :3], linear)
    energy = 0.5 * np.einsum("ti,ti->t", momenta, run.states[:, 7:13])
    for kept in (linear, angular, energy):
        np.testing.assert_allclose(kept, np.broadcast_to(kept[0], kept.shape), rtol=0, atol=1e-9)
    assert turn[:, 0, 0].min() < -0.9  # it turned over: the instability is in there


def test_the_spheroid_is_lambs():
    numbers = load_problem("UC-05").vehicle
    np.testing.assert_allclose(numbers["added_mass"], spheroid_added_mass(2.0, 0.5, 1000.0), rtol=1e-12)
    moments = spheroid_inertia(numbers["mass"], 2.0, 0.5)
    np.testing.assert_allclose(numbers["inertia_about_center_of_gravity"], moments, rtol=1e-12)


def test_a_current_in_the_equations_is_a_moving_frame():
    """The momentum form with water in it and the Galilean shift, which the stored reference uses."""
    problem = load_problem("UC-07")
    short = problem._replace(duration=6.0)
    one = [integrated(short, run) for run in short.runs]
    other = [carried(short, run) for run in short.runs]
    assert max(differences(short, one, other).values()) < 1e-11


def drifting(mass: float, displaced_mass: float) -> tuple[Problem, Run]:
    """A body that starts as the water around it moves, in a shear with upwelling."""
    problem = load_problem("UC-08")
    still = {"center_of_gravity": [0, 0, 0], "center_of_buoyancy": [0, 0, 0], "gravity": 0}
    masses = {"mass": mass, "displaced_mass": displaced_mass}
    water = Water(np.array([0.1, 0.2, -0.15]), np.array([[0, 0, 0.08], [0, 0, -0.03], [0, 0, 0]]))
    position = np.array([0.0, 0.0, 2.0])
    run = problem.runs[0]._replace(
        position=position,
        quaternion=np.array([1.0, 0.0, 0.0, 0.0]),
        velocity=water.velocity + water.gradient @ position,
        water=water,
        inputs=(Held(0.0, np.zeros(0), np.zeros(6)),),
    )
    return problem._replace(vehicle={**problem.vehicle, **still, **masses}, runs=(run,), duration=4.0), run


def test_a_body_like_water_moves_as_water():
    """The force of the undisturbed flow gives a body of the water's density exactly the water's acceleration."""
    problem, run = drifting(40.0, 40.0)
    states = integrated(problem, run).states
    water = run.water.velocity + states[:, :3] @ run.water.gradient.T
    np.testing.assert_allclose(states[:, 7:10], water, rtol=0, atol=1e-12)
    t = problem.times
    north = run.velocity[0] * t + 0.5 * 0.08 * -0.15 * t**2
    np.testing.assert_allclose(states[:, 0], north, rtol=0, atol=1e-11)
    problem, run = drifting(60.0, 40.0)
    states = integrated(problem, run).states
    assert np.abs(states[:, 7] - run.water.velocity[0] - 0.08 * states[:, 2]).max() > 1e-3


@pytest.mark.parametrize("case", ["UC-09", "UC-10"])
def test_restated_numbers_are_those_of_the_preset(case):
    numbers = load_problem(case).vehicle
    body, preset = body_of(numbers), load_vehicle(numbers["preset"]).parameters
    for name in ("mass", "displaced_mass", "gravity", "p_BG", "p_BC"):
        np.testing.assert_allclose(getattr(body, name), getattr(preset, name), rtol=1e-12, atol=0)
    pairs = [
        (body.rigid, preset.rigid_body_inertia),
        (body.added, preset.added_mass),
        (body.linear, preset.linear_damping),
        (body.quadratic, preset.quadratic_damping),
        (body.lift, sum((np.array(lift.matrix) for lift in form_records(preset, LIFT)), np.zeros((6, 6)))),
        (body.strips, np.reshape(form_records(preset, CROSS_FLOW), (-1, 3))),
        (body.effects.T, [thruster.effect for thruster in preset.thrusters]),
        (body.lags, [thruster.rise_time for thruster in preset.thrusters]),
        (body.lags, [thruster.fall_time for thruster in preset.thrusters]),
        (body.limits, [(thruster.command_minimum, thruster.command_maximum) for thruster in preset.thrusters]),
        (np.nan_to_num(body.square, nan=1.0), [thruster.positive.square for thruster in preset.thrusters]),
    ]
    for restated, shipped in pairs:
        np.testing.assert_allclose(restated, shipped, rtol=1e-12, atol=1e-15)
    for fin, shipped in zip(body.fins, preset.fins, strict=True):
        assert (fin["position"], fin["chord"], fin["normal"]) == tuple(map(list, shipped[:3]))
        assert fin["half_density_area"] == pytest.approx(shipped.dynamic_area, rel=1e-12)
        assert fin["lift_slope"] == shipped.lift_slope
        assert fin["deflection_limit"] == pytest.approx(shipped.deflection_limit, rel=1e-12)
        assert shipped.deflection_limit < shipped.stall_angle  # beyond it the reference would need the stall
        assert (shipped.drag_at_zero_lift, shipped.induced_drag, shipped.feels_cross_flow, shipped.lag) == (0, 0, 0, 0)


def test_a_tolerance_falls_with_the_fourth_power_of_the_step():
    """So it comes from the order of the method, on a motion without kinks."""
    problem = load_problem("UC-05")
    problem = problem._replace(duration=3.0)
    exact = solved(problem)
    coarse, fine = (derived_tolerances(problem._replace(step=h), exact)["rates"] for h in (0.02, 0.01))
    assert 8.0 < coarse / fine < 32.0  # sixteen, but for the rounding up to one digit


def moved(x, error):
    """A reference estimate moved by an error."""
    return box_filter.corrected(x, error, x.cov)


def apart(y, x):
    """The error between two reference estimates."""
    return np.concatenate([y.p - x.p, *box_filter.error_to(y.turn, y.v, x), y.bias - x.bias], axis=1)


def test_jacobians_of_the_reference_filter_are_limits_of_differences():
    """By the covariance that a unit covariance becomes in a step and in a reset, and by the measurement rows."""
    box, random, h = draw_box(load_problem("UC-12")), np.random.default_rng(1), 1e-5
    n = box.numbers["runs"]
    x = box_filter.started(box)
    x = moved(x, 0.1 * random.standard_normal((n, 16)))._replace(cov=np.tile(np.eye(16), (n, 1, 1)))
    force, rates = (random.standard_normal((n, 3)) for _ in range(2))

    def after(state):
        return box_filter.predicted(state, force, rates, box)

    steps = [np.tile(h * row, (n, 1)) for row in np.eye(16)]
    ahead = [[apart(after(moved(x, s * d)), after(x)) for s in (1, -1)] for d in steps]
    F = np.stack([(a - b) / (2.0 * h) for a, b in ahead], axis=2)
    noise = after(x._replace(cov=0.0 * x.cov)).cov
    np.testing.assert_allclose(after(x).cov, F @ np.swapaxes(F, 1, 2) + noise, atol=1e-6)
    for sensor in box_filter.SENSORS:
        ends = [[box_filter.measured(sensor, moved(x, s * d), rates, box)[0] for s in (1, -1)] for d in steps]
        H = np.stack([(a - b) / (2.0 * h) for a, b in ends], axis=2)
        scale = box.numbers["density"] * box.numbers["gravity"] if sensor == "pressure" else 1.0
        rows = box_filter.measured(sensor, x, rates, box)[1] @ box_filter.in_N(x)
        np.testing.assert_allclose(rows, H, atol=1e-6 * scale)
    error = 0.1 * random.standard_normal((n, 16))
    near = [[apart(moved(x, error + s * d), moved(x, error)) for s in (1, -1)] for d in steps]
    reset = np.stack([(a - b) / (2.0 * h) for a, b in near], axis=2)
    np.testing.assert_allclose(moved(x, error).cov, reset @ np.swapaxes(reset, 1, 2), atol=1e-6)


def test_errors_of_the_reference_filter_come_back():
    box, random = draw_box(load_problem("UC-12")), np.random.default_rng(2)
    x = box_filter.started(box)
    error = 0.1 * random.standard_normal((box.numbers["runs"], 16))
    np.testing.assert_allclose(apart(moved(x, error), x), error, atol=1e-13)


def test_errors_of_the_reference_filter_are_those_of_its_covariance():
    """Average NEES of fifty runs at each output time in its two-sided 99 % interval."""
    runs = read_csv(CASES / "UC-12.csv", problem_file.load_problem("UC-12"))
    low, high = chi2.ppf((0.005, 0.995), 9 * len(runs)) / len(runs)
    average = np.mean([run.states[:, -1] for run in runs], axis=0)
    assert ((average > low) & (average < high)).all(), average
