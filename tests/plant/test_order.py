"""Invariant T11: the error of every method falls at its order; the adaptive one keeps its promises."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from remora.equations.actuators.thrusters import lagged_output, rises
from remora.equations.plant import body_rate
from remora.plant import METHODS, dormand_prince, initial_state, pack, rollout, runge_kutta
from sample_features import everything
from sample_vehicles import bluerov2, tuples
from trajectories import run

KUTTA_38 = runge_kutta(
    "kutta_38", 4, [[0, 0, 0, 0], [1 / 3, 0, 0, 0], [-1 / 3, 1, 0, 0], [1, -1, 1, 0]], [1 / 8, 3 / 8, 3 / 8, 1 / 8]
)
RALSTON_3 = runge_kutta("ralston_3", 3, np.diag([1 / 2, 3 / 4], -1), [2 / 9, 1 / 3, 4 / 9])
FIXED_DORMAND_PRINCE = runge_kutta(
    "dormand_prince_5", 5, dormand_prince().weights[:7], dormand_prince().weights[7], dormand_prince().weights[8]
)
FIXED = {name: m for name, m in METHODS.items() if name != "dormand_prince"}
FIXED |= {m.name: m for m in (KUTTA_38, RALSTON_3, FIXED_DORMAND_PRINCE)}

SECONDS = 0.2
PUSH = (10.0, 15.0, 20.0, 2.0, 4.0, 3.0)
START = {"quaternion": (0.9, 0.1, 0.2, 0.3), "twist": (0.6, 0.5, 0.5, 0.4, 0.4, 0.4), "outputs": np.full(6, 3.0)}
COMMANDS = np.array([6.0, 5.0, 4.0, 5.0, 4.0, 3.0])


def damped_rov():
    """So damped that under a steady push no speed changes sign, where |v| v has a kink."""
    base = bluerov2()
    more = np.array([2.0, 2.0, 2.0, 20.0, 20.0, 20.0])
    damping = tuples(more * np.array(base.linear_damping))
    return pack(base._replace(linear_damping=damping, p_BG=(0.0, 0.0, 0.0), displaced_mass=base.mass))


def final(step, method):
    return run(damped_rov(), SECONDS, step, COMMANDS, method=method, external=PUSH, **START)[-1, :13]


@pytest.fixture(scope="module")
def truth():
    return final(0.0002, FIXED_DORMAND_PRINCE)


def test_no_speed_changes_sign_in_the_case():
    states = run(damped_rov(), SECONDS, 0.0002, COMMANDS, external=PUSH, **START)
    assert np.all(states[:, 7:13] > 0.2)


@pytest.mark.parametrize("name", FIXED)
def test_error_falls_at_the_claimed_order(name, truth):
    """Slope over three halvings within 0.2 of the order."""
    method = FIXED[name]
    steps = 0.0125 / 2.0 ** np.arange(4)
    errors = [np.linalg.norm(final(step, method) - truth) for step in steps]
    slope = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert slope == pytest.approx(method.order, abs=0.2)


def scipy_run(packed, start, commands, interval, water, external):
    """The plain equations by another integrator, with actuators that follow their lags in closed form."""
    row, layout, result = packed.row.tolist(), packed.layout, [start]
    for held_index in commands:
        state = result[-1]

        def outputs_at(t, state=state, held_index=held_index):
            return [
                lagged_output(y, target, math.exp(-t / lag))
                for y, target, lag in zip(state[13:], held_index, lags(packed, state[13:], held_index), strict=True)
            ]

        def rate(t, x, outputs_at=outputs_at):
            return body_rate(row, layout, tuple(x.tolist()), outputs_at(t), water, external)

        solved = solve_ivp(rate, (0.0, interval), state[:13], "DOP853", rtol=1e-12, atol=1e-13)
        result.append(np.concatenate([solved.y[:, -1], outputs_at(interval)]))
    return np.array(result)


def lags(packed, outputs, targets):
    return [0.15 if rises(y, target) else 0.3 for y, target in zip(outputs, targets, strict=True)]


def test_adaptive_method_against_another_code():
    """Dormand-Prince with held commands that change every half second, in a current: 1e-9 of DOP853 of SciPy."""
    packed = pack(bluerov2())
    commands = np.random.default_rng(2).uniform(-20.0, 20.0, (8, 6))
    start = initial_state(packed, twist=(0.3, -0.2, 0.1, 0.2, 0.1, -0.3))
    environment = {"water": (0.2, -0.1, 0.05), "external": (1.0, 2.0, -1.0, 0.1, 0.2, 0.1)}
    mine = rollout(packed, start, commands, 0.5, method=dormand_prince(1e-11, 1e-11), **environment)
    other = scipy_run(packed, start, commands, 0.5, **environment)
    np.testing.assert_allclose(mine, other, rtol=0, atol=1e-9)


def test_tighter_tolerances_give_smaller_errors(truth):
    errors = [
        np.linalg.norm(final(SECONDS, dormand_prince(tolerance, tolerance)) - truth)
        for tolerance in (1e-4, 1e-6, 1e-8, 1e-10)
    ]
    assert errors[0] > 10 * errors[1] > 100 * errors[2] > 1000 * errors[3]
    assert errors[0] < 1e-2


def test_maximum_step_is_honoured(truth):
    """With tolerances that allow anything it errs no more than the fixed method in steps of the maximum."""

    def error(step, method):
        return np.linalg.norm(final(step, method) - truth)

    leap = error(SECONDS, dormand_prince(1e3, 1e3))
    for longest in (0.05, 0.025):
        careless = error(SECONDS, dormand_prince(1e3, 1e3, maximum_step=longest))
        assert careless <= error(longest, FIXED_DORMAND_PRINCE) * (1.0 + 1e-9)
        assert careless < 0.01 * leap


@pytest.mark.parametrize("steps", [1, 2, 10, 1000])
def test_adaptive_method_ends_its_interval_at_its_end(steps):
    """It chooses its own steps, whatever the number of steps per interval says."""
    packed = pack(everything())
    start = initial_state(packed, twist=(0.3, -0.2, 0.1, 0.2, 0.1, -0.3))
    commands, method = np.linspace(-50.0, 50.0, packed.actuators), dormand_prince()
    one = rollout(packed, start, commands, 0.5, 1, method=method, intervals=4)
    other = rollout(packed, start, commands, 0.5, steps, method=method, intervals=4)
    np.testing.assert_array_equal(other, one)


def test_steps_within_an_interval_are_shorter_intervals():
    packed, start = damped_rov(), initial_state(damped_rov(), twist=START["twist"])
    fine = rollout(packed, start, COMMANDS, 0.01, external=PUSH, intervals=100)
    coarse = rollout(packed, start, COMMANDS, 0.1, 10, external=PUSH, intervals=10)
    np.testing.assert_allclose(coarse, fine[::10], rtol=0, atol=1e-13)
