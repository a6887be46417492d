"""Fixes of an acoustic array as a filter takes them: range and direction."""

import math

from remora.equations.algebra.vectors import add3, scale3, subtract3
from remora.equations.instruments import across_bearing
from remora.messages.reading import Values


def array_fix(distance: Values, cosines: Values, values: Values) -> Values:
    """Range and no deviation from the measured direction; then standard deviations and two unit vectors across it.

    The three direction cosines of an array have independent errors, of which those across the direction count: two
    degrees of freedom. They are independent along the vectors.

    Parameters
    ----------
    distance
        Standard deviation of the range, m.
    cosines
        Standard deviations of the three cosines.
    values
        Range, bearing and elevation of the fix, m and rad.
    """
    first, second = across_bearing(values[1], values[2])
    squares = [sigma * sigma for sigma in cosines]
    a, b, c = (
        sum(s * one * other for s, one, other in zip(squares, *pair, strict=True))
        for pair in ((first, first), (second, second), (first, second))
    )
    turn = 0.5 * math.atan2(2.0 * c, a - b)
    mean, half = 0.5 * (a + b), math.hypot(0.5 * (a - b), c)
    along = add3(scale3(math.cos(turn), first), scale3(math.sin(turn), second))
    beside = subtract3(scale3(math.cos(turn), second), scale3(math.sin(turn), first))
    return (values[0], 0.0, 0.0, *distance, math.sqrt(mean + half), math.sqrt(mean - half), *along, *beside)
