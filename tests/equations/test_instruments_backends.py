"""Every measurement function in plain Python, compiled, as CasADi symbols and on arrays agrees to 1e-12."""

import inspect

import casadi
import numba
import numpy as np
import pytest

import remora.plant.registration  # noqa: F401  (hands the equations to Numba)
from instrument_arguments import FUNCTIONS, draw, leaves, rebuilt

LIMIT = 1e-12
COUNT = 5


def compiled(function, names):
    namespace = {"function": function}
    exec(f"def call({', '.join(names)}):\n    return function({', '.join(names)})\n", namespace)
    return numba.njit(error_model="numpy")(namespace["call"])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_four_backends_agree(name):
    # Rounding counts against the largest number on the way, which for a height is the radius of the Earth.
    unit = np.array((1.0, 1.0, 6.4e6)) if name == "geodetic_position" else 1.0

    def assert_agree(found):
        bound = LIMIT * np.abs(plain / unit).max()
        np.testing.assert_allclose(found / unit, plain / unit, rtol=LIMIT, atol=bound)

    function = FUNCTIONS[name]
    names, random = list(inspect.signature(function).parameters), np.random.default_rng(list(name.encode()))
    samples = [[draw(argument, random) for argument in names] for _ in range(COUNT)]
    plain = np.array([leaves([function(*sample)]) for sample in samples])
    assert np.isfinite(plain).all()

    machine = compiled(function, names)
    assert_agree(np.array([leaves([machine(*sample)]) for sample in samples]))

    symbols = casadi.SX.sym("x", len(leaves(samples[0])))
    outputs = leaves([function(*rebuilt(tuple(samples[0]), iter(casadi.vertsplit(symbols))))])
    symbolic = casadi.Function("f", [symbols], [casadi.vertcat(*outputs)])
    assert_agree(np.array([np.array(symbolic(leaves(sample))).ravel() for sample in samples]))

    columns = np.array([leaves(sample) for sample in samples]).T
    together = leaves([function(*rebuilt(tuple(samples[0]), iter(columns)))])
    assert_agree(np.array([np.broadcast_to(component, COUNT) for component in together]).T)


def test_all_functions_are_in_the_list():
    assert len(FUNCTIONS) >= 40
