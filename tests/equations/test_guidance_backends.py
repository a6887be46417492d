"""Guidance and control laws say the same to floats, arrays, symbols and compiled code."""

import casadi
import numba
import numpy as np
import pytest

import remora.plant  # noqa: F401  registers the equations with Numba
from remora.equations.control import (
    adaptive_network,
    cascades,
    velocity_tracking,
)
from remora.equations.guidance import keep_out, line_of_sight, lyapunov, minimum_snap

LAW = lyapunov.LyapunovLaw(
    (0.375, 0.3, 0.2, 0.4), (0.1, 0.1, 0.1, 0.1), (-0.4, -0.2, -0.1, -0.2), (0.4, 0.2, 0.1, 0.2),
    (0.3, 0.15, 0.075, 0.15), (3.0, 3.0, 3.0, 0.5), (2.0, 2.0, 2.0, 0.4), lyapunov.PITCH_AWARE, 0.3, 1.0,
)  # fmt: skip
PRINTED = LAW._replace(limits=lyapunov.AXIS_BY_AXIS)
GAINS = velocity_tracking.TrackingGains((3.75,) * 4, (3.0,) * 4, (2.0,) * 4, (0.1,) * 4)
NETWORK = adaptive_network.Network()
ZONE = keep_out.Zone((1.0, 0.2, 0.0), 1.5, 1.0)
ONE = (0.9, 0.1, -0.2, 0.3)


def guided(x):
    state = lyapunov.LyapunovState((x[0], x[1], 0.2, 0.1), (1.0, 0.0, 1.0))
    error, rate = (3.0 * x[0], 2.0 * x[1], 2.5 * x[2], 0.6 * x[3]), (0.1 * x[3], 0.0, 0.0, 0.0)
    q = (0.9273618495495703, 0.10303 * x[0], -0.2, 0.3)
    twist, way = (x[1], x[2], 0.1, 0.0, 0.0, 0.0), (2.0 * x[0], x[3], 0.3 * x[1], 0.0)
    printed = lyapunov.lyapunov_velocity(PRINTED, state, error, rate, q, twist, 0.05)
    return printed, lyapunov.lyapunov_velocity(LAW, state, error, rate, q, twist, 0.05, way)


def steered(x):
    errors = line_of_sight.path_errors((0.0, 1.0, 2.0), x[0], 0.3 * x[1], (5.0 * x[2], 3.0, 4.0 * x[3]))
    path, pair = (x[0], 0.3 * x[1]), (0.1 * x[2], 0.2 * x[3])
    first = line_of_sight.line_of_sight_3d(line_of_sight.INTEGRAL, path, errors, pair, (10.0, 8.0), (0.3, 0.2))
    return first, line_of_sight.line_of_sight_3d(line_of_sight.ADAPTIVE, path, errors, pair, (10.0, 8.0), (0.3, 0.2))


def snapped(x):
    start = minimum_snap.SnapMotion(x[0], x[1], x[2], 0.3)
    return minimum_snap.minimum_snap(start, x[3], 3.0, 1.2), minimum_snap.minimum_snap_duration(x[0], 0.5, 0.2, 0.1)


def avoided(x):
    return keep_out.passed_by(ZONE, (2.0 * x[0], x[1], 0.3), (x[2], x[3], 0.1), 1.0)


def tracked(x):
    state = velocity_tracking.TrackingState(ONE, (x[0], x[1], x[2], x[3]), (0.1, 0.0, 0.0, 0.2))
    v = (x[3], x[2], x[1], x[0])
    asked = velocity_tracking.tracking_acceleration(GAINS, state, v, 0.05)
    return asked, velocity_tracking.tracking_step(GAINS, state, v, asked, (x[0], x[1], 0.0, -0.2), 0.05)


def learned(x):
    nine = (0.1 * x[0], 0.2, -0.3, x[1], 0.5, 0.1, 0.2, -0.1, 0.7)
    six = (0.2, x[2], -0.1, 0.4, 0.3 * x[3], 0.6)
    weights = adaptive_network.NetworkWeights((nine, nine, nine, nine, nine), (six, six, six, six))
    inputs = adaptive_network.network_input(NETWORK, (x[0], x[1], x[2], x[3]), ONE)
    r = adaptive_network.filtered_error(NETWORK, GAINS, (x[0], 0.1, x[1], 0.0), ONE)
    output = adaptive_network.network_output(NETWORK, weights, inputs)
    return output, adaptive_network.learned_weights(NETWORK, weights, inputs, r, 0.05)


def slid(x):
    four = (x[0], x[1], x[2], x[3])
    return velocity_tracking.sliding_accelerations(four, ONE, (1.0,) * 4, (0.2,) * 4, (0.1, 0.2, 0.3, 0.4))


def held(x):
    force = cascades.compensated_force((x[0], x[1], x[2]), x[3], ONE, 12.0)
    return force, cascades.position_velocity(ONE, (x[0], x[1], x[2], x[3]), ONE, (0.4, 0.3, 0.2, 0.5))


def cascaded(x):
    rate = cascades.PidGains(0.0025, 2.0, 1.5, 0.1, -0.8, 0.9, 0.005)
    gains = cascades.AxisGains(6.0, 1.0, 0.03, rate)
    memory = cascades.AxisMemory(x[0], cascades.PidMemory(0.3 * x[1], x[0], 2.0 * x[2]))
    turn = cascades.rotation_to_reference((0.9, 0.1 * x[0], -0.2, 0.3), (0.9, x[1], 0.1, x[2]))
    return turn, cascades.cascade_torque(gains, memory, x[3], x[2])


FUNCTIONS = {f.__name__: f for f in (guided, steered, snapped, avoided, tracked, learned, slid, held, cascaded)}
SAMPLES = np.random.default_rng(3).uniform(-1.0, 1.0, (40, 4))


def flat(result):
    return [number for part in result for number in flat(part)] if isinstance(result, tuple) else [result]


def plain(function):
    return np.array([flat(function(tuple(row))) for row in SAMPLES.tolist()])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_arrays_and_symbols_agree_with_floats(name):
    function = FUNCTIONS[name]
    arrays = np.array([np.broadcast_to(part, len(SAMPLES)) for part in flat(function(tuple(SAMPLES.T)))]).T
    symbols = [casadi.SX.sym(f"x{i}") for i in range(4)]
    expression = casadi.Function("f", symbols, [casadi.vertcat(*flat(function(tuple(symbols))))])
    symbolic = np.array([np.array(expression(*row)).ravel() for row in SAMPLES])
    assert arrays == pytest.approx(plain(function), rel=1e-12, abs=1e-12)
    assert symbolic == pytest.approx(plain(function), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_compiled_code_agrees_with_floats(name):
    compiled = numba.njit(FUNCTIONS[name])
    found = np.array([flat(compiled(tuple(row))) for row in SAMPLES.tolist()])
    assert found == pytest.approx(plain(FUNCTIONS[name]), rel=1e-12, abs=1e-12)
