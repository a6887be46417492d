"""Derivatives of every measurement function by dual numbers agree with CasADi to 1e-12, in one compiled function."""

import inspect

import casadi
import numba
import numpy as np
import pytest

import remora.plant.registration  # noqa: F401  (hands the equations to Numba)
from instrument_arguments import FUNCTIONS, draw, leaves, rebuilt
from remora.plant.dual.dual_functions import SLOPES, dual_array, seeded, store_slopes, value_of

pytestmark = [pytest.mark.xdist_group("instrument derivatives"), pytest.mark.timeout(600)]  # one compilation for all

LIMIT = 1e-12
COUNT = 100
EARTH_RADIUS = 6.4e6  # m
LARGEST = 64  # arguments or results of one function
NAMES = list(FUNCTIONS)


def samples_of(name, count):
    random = np.random.default_rng(list(name.encode()))
    return [
        [draw(argument, random) for argument in inspect.signature(FUNCTIONS[name]).parameters] for _ in range(count)
    ]


def written(value, numbers):
    """Source of a nested argument whose leaves are elements of the array x, or whole numbers."""
    if isinstance(value, tuple):
        inner = ", ".join(written(item, numbers) for item in value)
        return f"{type(value).__name__}({inner})" if hasattr(value, "_fields") else f"({inner},)"
    return str(value) if isinstance(value, int) else f"x[{next(numbers)}]"


def paths(result, path="r"):
    """Source of each leaf of a result."""
    if isinstance(result, (tuple, list)):
        return [p for i, item in enumerate(result) for p in paths(item, f"{path}[{i}]")]
    return [path]


def evaluation_source():
    """A function that evaluates the measurement function of an index on an array of numbers; the number of results."""
    lines, namespace = ["def evaluate(which, x, y):"], {}
    for index, name in enumerate(NAMES):
        sample = samples_of(name, 1)[0]
        namespace[f"function_{index}"] = FUNCTIONS[name]
        namespace |= {type(value).__name__: type(value) for value in sample if hasattr(value, "_fields")}
        numbers = iter(range(LARGEST))
        arguments = ", ".join(written(value, numbers) for value in sample)
        results = paths(FUNCTIONS[name](*sample))
        lines += [f"    if which == {index}:", f"        r = function_{index}({arguments})"]
        lines += [f"        y[{i}] = {path}" for i, path in enumerate(results)] + [f"        return {len(results)}"]
    return "\n".join([*lines, "    return 0"]), namespace


@pytest.fixture(scope="module")
def derivatives():
    """Values and Jacobian of a measurement function, by its index and the leaves of its arguments."""
    source, namespace = evaluation_source()
    exec(source, namespace)
    evaluate = numba.extending.register_jitable(error_model="numpy")(namespace["evaluate"])

    @numba.njit(error_model="numpy")
    def fill(which, inputs, memory, values, jacobian):
        x = dual_array(memory, 0, (LARGEST,))
        y = dual_array(memory, LARGEST * (1 + SLOPES), (LARGEST,))
        count = 0
        for first in range(0, LARGEST, SLOPES):
            for i in range(inputs.size):
                x[i] = seeded(inputs[i], i - first)
            count = evaluate(which, x, y)
            for i in range(count):
                values[i] = value_of(y[i])
                store_slopes(jacobian, i * LARGEST + first, y[i])
        return count

    def call(name, inputs):
        memory, values, jacobian = np.zeros(2 * LARGEST * (1 + SLOPES)), np.zeros(LARGEST), np.zeros(LARGEST * LARGEST)
        count = fill(NAMES.index(name), np.array(inputs), memory, values, jacobian)
        return values[:count], jacobian.reshape(LARGEST, LARGEST)[:count, : len(inputs)]

    return call


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_agree_with_casadi(name, derivatives):
    function, samples = FUNCTIONS[name], samples_of(name, COUNT)
    symbols = casadi.SX.sym("x", len(leaves(samples[0])))
    results = casadi.vertcat(*leaves([function(*rebuilt(tuple(samples[0]), iter(casadi.vertsplit(symbols))))]))
    symbolic = casadi.Function("f", [symbols], [results, casadi.jacobian(results, symbols)])
    for sample in samples:
        inputs = leaves(sample)
        value, jacobian = (np.array(one) for one in symbolic(inputs))
        found, slopes = derivatives(name, inputs)
        size = EARTH_RADIUS if name == "geodetic_position" else np.abs(value).max()
        np.testing.assert_allclose(found, value.ravel(), rtol=LIMIT, atol=LIMIT * size)
        # Rounding counts against the largest slope of a result.
        scale = np.broadcast_to(np.abs(jacobian).max(axis=1, keepdims=True), jacobian.shape).copy()
        if name == "geodetic_position":
            scale[2, -3:-1] = EARTH_RADIUS  # height by latitude and longitude: a difference of radii
        assert (np.abs(slopes - jacobian) <= LIMIT * scale).all()
    assert np.isfinite(slopes).all()


def test_some_slope_of_every_function_is_not_zero(derivatives):
    for name in NAMES:
        _, slopes = derivatives(name, leaves(samples_of(name, 1)[0]))
        assert np.abs(slopes).max() > 0.0, name
