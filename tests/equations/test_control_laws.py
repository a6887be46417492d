"""Control laws: tracking of a reference model, hedging, the adaptive network and sliding mode."""

import math

import numpy as np
import pytest

from remora.equations.algebra.quaternions import from_euler_zyx, rotation_matrix
from remora.equations.algebra.vectors import diagonal6
from remora.equations.control import adaptive_network as nn, cascades, velocity_tracking as vt

K_P, K_I = (3.75, 3.75, 1.25, 5.0), (3.51, 3.51, 0.39, 6.25)
GAINS = vt.TrackingGains(K_P, K_P, K_I, (0.0,) * 4)
NONE = (0.0,) * 4


def test_the_printed_gains_have_a_double_pole():
    assert np.array(K_I) == pytest.approx(np.array(K_P) ** 2 / 4.0, rel=3e-3)


def tracked(disturbance, desired=(0.4, 0.2, 0.1, 0.2), seconds=20.0, period=0.005, integral=K_I):
    """Integrators that are pushed by a disturbance, under the PI law; reference model, velocity and integral."""
    gains = GAINS._replace(integral=integral)
    state, v = vt.TrackingState(NONE), NONE
    for _ in range(round(seconds / period)):
        model = vt.model_acceleration(gains, state.model, desired)
        asked = vt.tracking_acceleration(gains, state, v, period)
        state = vt.tracking_step(gains, state, v, model, NONE, period)
        v = tuple(a + period * (m + b + d) for a, m, b, d in zip(v, model, asked, disturbance, strict=True))
    return state, v


def test_the_reference_model_is_followed_and_a_constant_disturbance_removed():
    disturbance = (0.1, -0.05, 0.02, 0.2)
    state, v = tracked(disturbance)
    assert v == pytest.approx((0.4, 0.2, 0.1, 0.2), abs=1e-3)
    assert np.array(K_I) * state.integral == pytest.approx(-np.array(disturbance), rel=0.02)
    _, without = tracked(disturbance, integral=NONE)
    assert np.array(without) - (0.4, 0.2, 0.1, 0.2) == pytest.approx(np.array(disturbance) / K_P, rel=1e-2)


def test_without_disturbance_the_velocity_is_that_of_the_model():
    state, v = tracked(NONE, seconds=0.5)
    assert v == pytest.approx(state.model, abs=1e-12)
    exact = [a * (1.0 - math.exp(-k * 0.5)) for a, k in zip((0.4, 0.2, 0.1, 0.2), K_P, strict=True)]
    assert v == pytest.approx(exact, rel=0.02)


def test_the_integral_does_not_grow_towards_a_missing_acceleration():
    state = vt.TrackingState((0.4, 0.4, 0.0, 0.0))
    for _ in range(100):
        state = vt.tracking_step(GAINS, state, NONE, NONE, (1.0, -1.0, 0.0, 0.0), 0.05)
    assert state.integral == pytest.approx((0.0, 0.4 * 5.0, 0.0, 0.0))


def test_the_inversion_gives_the_acceleration_back():
    M = np.array(diagonal6((283.6, 593.2, 499.0, 20.9, 30.4, 29.0)))
    M[1, 3] = M[3, 1] = -22.8
    resisting = (12.0, -3.0, 5.0, 1.0, 2.0, -4.0)
    wrench = vt.inverted_wrench(tuple(map(tuple, M.tolist())), (0.1, -0.2, 0.05, 0.3), resisting)
    left = np.array(wrench) - resisting
    assert left[[0, 1, 2, 5]] == pytest.approx([28.36, -118.64, 24.95, 8.7])
    assert wrench[3:5] == (0.0, 0.0)


def test_smoothing_has_the_printed_pole():
    """K_TH = 4 at 20 Hz: pole 0.8, time constant about 0.25 s."""
    filtered = 0.0
    for _ in range(5):
        filtered = vt.smoothed_command(filtered, 100.0, 4.0, 0.05)
    assert filtered == pytest.approx(100.0 * (1.0 - 0.8**5))


# The network


def sample(seed):
    rng = np.random.default_rng(seed)
    V = tuple(tuple(c) for c in rng.normal(size=(5, 9)).tolist())
    W = tuple(tuple(c) for c in rng.normal(size=(4, 6)).tolist())
    return nn.NetworkWeights(V, W), tuple(rng.normal(size=9).tolist()), tuple(rng.normal(size=4).tolist())


def test_output_and_learning_are_those_of_the_matrix_equations():
    """Against the printed matrices: V 9 x 5, W 6 x 4, sigma' 6 x 5 with a zero first row."""
    network = nn.Network()
    weights, x, r = sample(3)
    V, W, a = np.array(weights.inputs).T, np.array(weights.outputs).T, np.array(network.potentials)
    z = V.T @ x
    s = 1.0 / (1.0 + np.exp(-a * z))
    sigma, slope = np.array([0.5, *s]), np.vstack([np.zeros(5), np.diag(a * s * (1.0 - s))])
    assert nn.network_output(network, weights, x) == pytest.approx(W.T @ sigma)
    size = np.linalg.norm(r)
    W_rate = -(np.outer(sigma - slope @ V.T @ x, r) + 0.1 * size * W) * 0.2
    V_rate = -2.0 * (np.outer(x, np.array(r) @ W.T @ slope) + 0.1 * size * V)
    learned = nn.learned_weights(network, weights, x, r, 0.05)
    assert pytest.approx(W + 0.05 * W_rate) == np.array(learned.outputs).T
    assert pytest.approx(V + 0.05 * V_rate) == np.array(learned.inputs).T


def test_the_filtered_error_is_that_of_the_lyapunov_equation():
    """P solves A^T P + P A = -Q with a positive Q, and e^T P B is the filtered error."""
    scale = 1.0 / (0.25 * 5 + 0.25)
    for i in range(4):
        k_i, k_p = K_I[i], K_P[i]
        A, B = np.array([[0.0, 1.0], [-k_i, -k_p]]), np.array([0.0, 1.0])
        P = scale * np.array([[k_i**2 + 0.5 * k_i * k_p**2, 0.5 * k_i * k_p], [0.5 * k_i * k_p, k_i]])
        Q = -(A.T @ P + P @ A)
        assert np.linalg.eigvalsh(P).min() > 0.0
        assert scale * np.diag([k_i**2 * k_p, k_i * k_p]) == pytest.approx(Q, abs=1e-12)
        e = np.array([0.3, -0.2])
        one = [0.0] * 4
        integral, error = list(one), list(one)
        integral[i], error[i] = e
        found = nn.filtered_error(nn.Network(), GAINS, tuple(integral), tuple(error))
        assert found[i] == pytest.approx(e @ P @ B)


def test_no_error_means_no_learning_and_weights_stay_bounded():
    network = nn.Network()
    weights, x, _ = sample(4)
    assert nn.learned_weights(network, weights, x, NONE, 0.05) == weights
    grown, rng = nn.ZERO_WEIGHTS, np.random.default_rng(5)
    for _ in range(20_000):
        r = tuple(rng.normal(loc=0.5, size=4).tolist())
        grown = nn.learned_weights(network, grown, x, r, 0.05)
    # e-modification: at rest kappa W is at most sigma - sigma' V^T x, which is bounded with the input.
    assert max(abs(w) for c in grown.outputs for w in c) < 100.0


def test_the_network_learns_an_unmodelled_acceleration():
    """A bias of 0.2 m/s2: with the network the integral ends well below that of PI alone."""

    def integral(learns):
        network, weights, state, v = nn.Network(), nn.ZERO_WEIGHTS, vt.TrackingState(NONE), NONE
        for k in range(2400):
            desired = (0.4 * math.copysign(1.0, math.sin(0.3 * 0.05 * k)), 0.0, 0.0, 0.0)
            x = nn.network_input(network, tuple(a / 0.4 for a in v), NONE)
            model = vt.model_acceleration(GAINS, state.model, desired)
            error = tuple(a - b for a, b in zip(state.model, v, strict=True))
            asked = vt.tracking_acceleration(GAINS, state, v, 0.05)
            less = nn.network_output(network, weights, x) if learns else NONE
            if learns:
                r = nn.filtered_error(network, GAINS, state.integral, error)
                weights = nn.learned_weights(network, weights, x, r, 0.05)
            state = vt.tracking_step(GAINS, state, v, model, NONE, 0.05)
            v = (v[0] + 0.05 * (model[0] + asked[0] - less[0] - 0.2), 0.0, 0.0, 0.0)
        return abs(state.integral[0])

    assert integral(True) < 0.5 * integral(False)


# Sliding mode


@pytest.mark.parametrize("disturbance", [0.0, 0.15, -0.15])
def test_sliding_mode_rejects_a_disturbance_below_its_gain(disturbance):
    error, integral, dt = 0.5, 0.0, 0.002
    for _ in range(10_000):
        asked = vt.sliding_acceleration(error, integral, 1.0, 0.2, 0.02)
        integral += dt * error
        error -= dt * (asked + disturbance)
    surface = vt.sliding_surface(error, integral, 1.0)
    assert abs(surface) <= abs(disturbance) * 0.02 / 0.2 + 1e-6
    assert error == pytest.approx(0.0, abs=1e-3)


def test_sliding_mode_cannot_reject_more_than_its_gain():
    error, integral = 0.0, 0.0
    for _ in range(5000):
        asked = vt.sliding_acceleration(error, integral, 0.0, 0.2, 0.02)
        error -= 0.002 * (asked - 0.3)
    assert error > 0.5


def test_zero_error_gives_zero_acceleration():
    assert vt.sliding_accelerations(NONE, NONE, (1.0,) * 4, (0.2,) * 4, (0.1,) * 4) == NONE


# The FlatFish chain


def test_compensation_balances_weight_in_every_attitude():
    """Turned back into N the force is the one that was asked for, plus net buoyancy upwards."""
    q, heading = from_euler_zyx(0.3, -0.4, 1.2), 1.2
    force = cascades.compensated_force((3.0, -2.0, 5.0), heading, q, 40.0)
    north, east, down = (np.array(rotation_matrix(q)) @ force).tolist()
    assert cascades.level_axes((north, east, down), heading) == pytest.approx((3.0, -2.0, 5.0 - 40.0))


def test_the_position_loop_keeps_its_limits_and_rests_at_the_target():
    gains, limits = (0.4,) * 4, (0.5, 0.3, 0.2, 0.3)
    assert cascades.position_velocity(gains, NONE, NONE, limits) == NONE
    found = cascades.position_velocity(gains, (9.0, -9.0, 0.1, -9.0), NONE, limits)
    assert found == pytest.approx((0.5, -0.3, 0.04, -0.3), rel=1e-12)
    moving = cascades.position_velocity(gains, (9.0, -9.0, 0.1, 0.0), (0.3, -0.2, 0.1, 0.2), limits)
    assert moving == pytest.approx((0.5, -0.3, 0.14, 0.2), rel=1e-12)  # with the velocity of a moving target
