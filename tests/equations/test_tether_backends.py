"""The equations of a tether in plain Python, as CasADi symbols and on arrays agree to 1e-12, taut and slack."""

import casadi
import numpy as np
import pytest

from remora.equations import tether

LINE = tether.round_tether(0.01, 0.1, 2e4, 0.1, 1.2, 0.01, 1.0, 1025.0, 9.81)
RANDOM = np.random.default_rng(3)
CASES = RANDOM.uniform(-1.0, 1.0, (40, 9))


def everything(n):
    """All that happens to a segment and a node, from nine numbers."""
    a, b, c = (n[0], n[1], n[2]), (n[3], n[4], n[5]), (n[6], n[7], n[8])
    direction = tether.direction_of(a)
    distance = tether.distance_of(a)
    t, u = tether.extent_of(a, 0.9), tether.extent_of(b, 0.9)
    return (
        tether.segment_tension(LINE, 0.9, distance, b[0]),
        tether.segment_energy(LINE, 0.9, distance),
        *tether.tether_load(LINE, direction, b),
        *tether.turning_force(0.3, t, tether.extent_rate(a, 0.9, b), c),
        *tether.node_acceleration(c, 0.2, (0.3, 0.4), t, u),
        *tether.towed_drag(3.0, c, 0.1, 0.01),
        tether.spring_tension(1e4, 10.0, n[0], n[1], n[2], 0.1, 0.01),
        tether.kinetic_energy(c, 0.2, 0.3, t),
    )


def test_backends_agree():
    symbols = casadi.SX.sym("n", 9)
    symbolic = casadi.Function("f", [symbols], [casadi.vertcat(*everything([symbols[i] for i in range(9)]))])
    together = everything(CASES.T)
    taut = 0
    for k, case in enumerate(CASES):
        plain = np.array(everything(case.tolist()))
        taut += plain[1] > 0.0
        np.testing.assert_allclose(np.array(symbolic(case)).ravel(), plain, rtol=1e-12, atol=1e-11)
        np.testing.assert_allclose([np.broadcast_to(x, 40)[k] for x in together], plain, rtol=1e-12, atol=1e-11)
    assert 5 < taut < 35


@pytest.mark.parametrize("case", CASES[:10])
def test_acceleration_solves_the_equation_of_motion(case):
    """Against the matrix written out with NumPy."""
    t, u, force = tether.extent_of(tuple(case[:3]), 0.9), tether.extent_of(tuple(case[3:6]), 0.9), case[6:]
    matrix = 0.9 * np.eye(3) - 0.3 * np.outer(t, t) - 0.4 * np.outer(u, u)
    found = tether.node_acceleration(tuple(force), 0.2, (0.3, 0.4), t, u)
    assert matrix @ found == pytest.approx(force, abs=1e-14)


@pytest.mark.parametrize("case", CASES[:20])
def test_extent_changes_at_its_rate(case):
    """Against differences, for slack and taut segments."""
    place, parting, h = case[:3], case[3:6], 1e-6
    ahead = tether.extent_of(tuple(place + h * parting), 0.9)
    behind = tether.extent_of(tuple(place - h * parting), 0.9)
    assert tether.extent_rate(tuple(place), 0.9, tuple(parting)) == pytest.approx(
        np.subtract(ahead, behind) / (2.0 * h), abs=1e-6
    )
