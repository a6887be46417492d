"""Jacobians of a filter's functions by dual numbers: templates that `compiling` fills in and compiles.

All are taken in the error coordinates of the chart, in groups of SLOPES directions, and written to matrices with rows
of WIDTH numbers.
"""

from typing import Any

from remora.files.arrays import Array
from remora.plant.dual.dual_functions import (
    SLOPES,
    dual_tuple,
    float_tuple,
    seeded_tuple,
    seeded_zeros,
    store_tuple_slopes,
    store_tuple_values,
)

# Functions and sizes of a filter.
plus: Any = None
minus: Any = None
process: Any = None
measure: Any = None
noise_input: Any = None
noise_scale: Any = None
this_measure_jacobian: Any = None
other_measure_jacobian: Any = None
this_measured: Any = None
other_measured: Any = None
STATES, ERRORS, NOISES, MEASURED, WIDTH, INDEX, GAINS = 0, 0, 0, 0, 0, 0, 0


def process_jacobian(x: Array, held: Array, elapsed: float, row: Array, new: Array, F: Array) -> None:
    """State after a time, and its derivative by the error before: the slope of minus(process(plus(x, d)), new)."""
    before = float_tuple(x, STATES)
    for first in range(0, ERRORS, SLOPES):
        after = dual_tuple(process(dual_tuple(plus(before, seeded_zeros(first, ERRORS))), held, elapsed, row))
        store_tuple_values(new, after, STATES)
        store_tuple_slopes(F, first, WIDTH, minus(after, float_tuple(new, STATES)), ERRORS)


def measure_jacobian(x: Array, held: Array, row: Array, predicted: Array, H: Array) -> None:
    """Predicted measurement and its derivative by the error."""
    before = float_tuple(x, STATES)
    for first in range(0, ERRORS, SLOPES):
        expected = measure(dual_tuple(plus(before, seeded_zeros(first, ERRORS))), held, row)
        store_tuple_values(predicted, expected, MEASURED)
        store_tuple_slopes(H, first, WIDTH, expected, MEASURED)


def moved(x: Array, error: Array, new: Array) -> None:
    """State moved by an error."""
    store_tuple_values(new, plus(float_tuple(x, STATES), float_tuple(error, ERRORS)), STATES)


def difference(x: Array, reference: Array, error: Array) -> None:
    """Error of a state."""
    store_tuple_values(error, minus(float_tuple(x, STATES), float_tuple(reference, STATES)), ERRORS)


def processed(x: Array, held: Array, elapsed: float, row: Array, new: Array) -> None:
    """State after a time."""
    store_tuple_values(new, process(float_tuple(x, STATES), held, elapsed, row), STATES)


def measured(x: Array, held: Array, row: Array, predicted: Array) -> None:
    """Predicted measurement."""
    store_tuple_values(predicted, measure(float_tuple(x, STATES), held, row), MEASURED)


def no_measured(kind: int, x: Array, held: Array, row: Array, predicted: Array) -> None:
    """The end of the chain of measurements."""


def chosen_measured(kind: int, x: Array, held: Array, row: Array, predicted: Array) -> None:
    """The measurement of an index, or one of those further down the chain."""
    if kind == INDEX:
        this_measured(x, held, row, predicted)
    else:
        other_measured(kind, x, held, row, predicted)


def no_measure_jacobian(kind: int, x: Array, held: Array, row: Array, predicted: Array, H: Array) -> None:
    """The end of the chain of measurements."""


def chosen_measure_jacobian(kind: int, x: Array, held: Array, row: Array, predicted: Array, H: Array) -> None:
    """The measurement of an index, or one of those further down the chain."""
    if kind == INDEX:
        this_measure_jacobian(x, held, row, predicted, H)
    else:
        other_measure_jacobian(kind, x, held, row, predicted, H)


def reset_jacobian(x: Array, dx: Array, new: Array, G: Array) -> None:
    """State moved by an error, and the derivative of the new error by the old: minus(plus(x, dx + d), plus(x, dx))."""
    before = float_tuple(x, STATES)
    for first in range(0, ERRORS, SLOPES):
        after = dual_tuple(plus(before, seeded_tuple(dx, first, ERRORS)))
        store_tuple_values(new, after, STATES)
        store_tuple_slopes(G, first, WIDTH, minus(after, float_tuple(new, STATES)), ERRORS)


def unit_noise_gains(x: Array, held: Array, elapsed: float, row: Array, gains: Array) -> None:
    """Noise on each error coordinate: the gains are the identity from the start."""


def noise_gains(x: Array, held: Array, elapsed: float, row: Array, gains: Array) -> None:
    """Gains of the noise inputs on the error coordinates, one row per coordinate."""
    store_tuple_values(gains, noise_input(float_tuple(x, STATES), held, elapsed, row), GAINS)


def scaled_noise_gains(x: Array, held: Array, elapsed: float, row: Array, gains: Array) -> None:
    """Noise on each error coordinate times a factor: the gains are diagonal."""
    store_tuple_values(gains, noise_scale(float_tuple(x, STATES), held, elapsed, row), ERRORS)
    for i in range(ERRORS - 1, 0, -1):
        gains[i * (NOISES + 1)] = gains[i]
        gains[i] = 0.0
