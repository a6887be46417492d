"""A function of a user that cannot be compiled gives one message: function, line, and what to write instead."""

import numpy as np
import pytest

from remora.equations.algebra.elementary import sqrt
from remora.files.problems import InputError
from remora.navigation.filters import AidingModel, Chart, compile_filter
from remora.plant.forms.user_functions import compiled_from


def plus(x, d):
    return (x[0] + d[0], x[1] + d[1])


def minus(y, x):
    return (y[0] - x[0], y[1] - x[1])


def process(x, u, dt, row):
    return (x[0] + dt * x[1], x[1] + dt * u[0])


class Pair:
    def __init__(self, a):
        self.a = a


def named(**numbers):
    return numbers["a"]


def generator(x, u, row):
    return (sum(a for a in x),)


def listed(x, u, row):
    return ([2.0 * a for a in x][-1],)


def mapping(x, u, row):
    return ({"a": x[0]}["a"],)


def tried(x, u, row):
    try:
        return (x[0] / x[1],)
    except ZeroDivisionError:
        return (x[0],)


def starred(x, u, row):
    return (named(**dict(a=x[0])),)  # noqa: C408


def inner(x, u, row):
    def twice(a):
        return 2.0 * a

    return (twice(x[0]),)


def classed(x, u, row):
    return (Pair(x[0]).a,)


def chosen(x, u, row):
    if x[0] > 0.0:
        return (x[0],)
    return (sqrt(x[1]),)


def numeric(x, u, row):
    return (np.dot(np.ones(2), np.ones(2)) * x[0],)


def integer(x, u, row):
    return (1,)


def missing(x, u, row):
    return (nowhere + x[0],)  # noqa: F821


def empty(x, u, row):
    return None


def made(measure):
    sensors = {"depth": AidingModel(measure, sigma=(1.0,))}
    return compile_filter(Chart(plus, minus), process, sensors, states=2, noise=(0.0, 0.02), inputs="imu", input_size=1)


@pytest.mark.parametrize(
    ("measure", "below", "told"),
    [
        (generator, 1, "has a generator; write the numbers out"),
        (listed, 1, "has a list; write the numbers out"),
        (mapping, 1, "has a dict; write a tuple, or a NamedTuple at the top level"),
        (tried, 1, "has try; choose with remora.equations.algebra.elementary.select"),
        (starred, 1, "has ** in a call; write each argument out"),
        (inner, 1, "has a function within a function; define it at the top level"),
    ],
)
def test_what_never_compiles_is_named_before_compilation(measure, below, told):
    with pytest.raises(InputError) as caught:
        made(measure)
    line = measure.__code__.co_firstlineno + below
    assert str(caught.value).startswith(f"cannot compile the filter: {measure.__name__} ({__file__}:{line}) {told}")
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("measure", "below", "told"),
    [
        (classed, 1, "has an object of the class Pair; write a tuple"),
        (numeric, 1, "has np.dot; take it from remora.equations.algebra.elementary"),
        (chosen, 1, "has an if; choose with remora.equations.algebra.elementary.select"),
    ],
)
def test_what_the_compiler_refuses_is_named_in_one_line(measure, below, told):
    """With the compiler replaced by its error, which takes it ten seconds to find."""
    numba_errors = pytest.importorskip("numba.core.errors")

    def fails():
        raise numba_errors.TypingError("No implementation of function\nFile x, line 3\n" * 60)

    with pytest.raises(InputError) as caught:
        compiled_from([process, measure], "the filter", "filter", fails)
    line = measure.__code__.co_firstlineno + below
    assert str(
        caught.value
    ) == f"cannot compile the filter: {measure.__name__} ({__file__}:{line}) {told}." or told in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_an_error_of_another_kind_is_not_blamed_on_the_functions():
    with pytest.raises(ZeroDivisionError):
        compiled_from([process], "the filter", "filter", lambda: 1 / 0)


@pytest.mark.parametrize(
    ("measure", "told"),
    [
        (integer, "measure of depth returns (1,), with 1: write 1.0"),
        (missing, "measure of depth raised NameError: name 'nowhere' is not defined, at "),
        (empty, "measure of depth returns None: give a tuple of numbers"),
    ],
)
def test_a_result_of_another_kind_is_named_before_compilation(measure, told):
    with pytest.raises(InputError) as caught:
        made(measure)
    assert told in str(caught.value)
