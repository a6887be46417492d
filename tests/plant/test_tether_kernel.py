"""The compiled line is the plain one, with one signature, in sub-steps that its fastest wave allows."""

import numpy as np
import pytest

from remora.equations.tether import fastest_rate, round_tether, tether_at
from remora.plant import tether
from remora.plant.tether import TETHER_SIGNATURES, forces_on_nodes, step_tether, tether_kernels

ROW = np.array(round_tether(0.01, 0.1, 2e4, 0.1, 1.2, 0.01, 1.0, 1025.0, 9.81))
RANDOM = np.random.default_rng(5)
NODES = 9


def situation():
    x = np.cumsum(RANDOM.uniform(0.2, 0.7, (NODES, 3)), axis=0)
    rests = np.linalg.norm(np.diff(x, axis=0), axis=1) * RANDOM.uniform(0.99, 1.3, NODES - 1)  # some taut, most slack
    v, water = RANDOM.standard_normal((NODES, 3)), RANDOM.standard_normal((NODES, 3))
    ends = np.zeros((2, tether.END_SIZE))
    ends[:, :6] = RANDOM.standard_normal((2, 6))
    ends[0, 6:] = np.diag([0.1, 0.05, 0.2]).ravel()
    return rests, water, ends, x, v


@pytest.mark.parametrize("held", [-1, 3])
def test_compiled_and_plain_agree(held):
    rests, water, ends, x, v = situation()
    found = step_tether(ROW, rests, 0.004, 0.3, held, water, ends, x, v)
    plain_x, plain_v, impulses = x.copy(), v.copy(), np.zeros((2, 3))
    work = np.empty((tether.WORK_SHEETS, NODES, 3))
    with np.errstate(all="raise"):
        count = tether.integrate_tether(
            ROW, rests, [0.004, 0.3], max(held, 0), held, water, ends, plain_x, plain_v, work, impulses
        )
    assert count == found.sub_steps > 1
    np.testing.assert_allclose(found.positions, plain_x, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found.velocities, plain_v, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.impulses, impulses, rtol=1e-9, atol=1e-12)


def test_one_signature_whatever_is_handed_in():
    rests, water, ends, x, v = situation()
    expected = step_tether(ROW, rests, 0.004, 0.0, -1, water, ends, x, v)
    for wear in (np.asfortranarray, lambda a: a.astype(object), lambda a: a[::-1].copy()[::-1]):
        found = step_tether(ROW, wear(rests), 0.004, 0.0, -1, wear(water), ends, wear(x), wear(v))
        np.testing.assert_array_equal(found.positions, expected.positions)
        forces_on_nodes(ROW, wear(rests), wear(water), wear(x), wear(v))
    assert [len(getattr(tether_kernels(), name).signatures) for name in TETHER_SIGNATURES] == [1, 1]


def test_rk4_is_stable_up_to_the_reach_for_every_damping():
    """The growth of a wave over a sub-step, for all damping ratios that a tether may have."""
    for ratio in np.linspace(0.0, 1.0, 101):
        root = complex(-ratio, np.sqrt(1.0 - ratio**2))
        for reach in np.linspace(0.0, tether.STABILITY_LIMIT, 100)[1:]:
            z = reach * root
            assert abs(1.0 + z + z**2 / 2.0 + z**3 / 6.0 + z**4 / 24.0) <= 1.0 + 1e-15


def test_bound_of_the_rates_is_one():
    """Eigenvalues of a taut line, from differences of its forces: none beyond the bound, the fastest close to it."""
    line, rest, count = tether_at(ROW), 0.5, 30
    rests, still = np.full(count - 1, rest), np.zeros((count, 3))
    x = np.zeros((count, 3))
    x[:, 0] = 0.505 * np.arange(count)
    matrix = np.empty((count - 2, count - 2))
    for k in range(count - 2):
        forces = []
        for nudge in (-1e-6, 1e-6):
            moved = x.copy()
            moved[k + 1, 0] += nudge
            forces.append(forces_on_nodes(ROW, rests, still, moved, still)[1:-1, 0])
        matrix[:, k] = -(forces[1] - forces[0]) / 2e-6 / (line.mass * rest)
    fastest = np.sqrt(np.linalg.eigvals(matrix).real.max())
    assert 0.99 * fastest_rate(line, rest, 0.0) < fastest <= fastest_rate(line, rest, 0.0)
