"""Slopes of a field of water by differences, to compare with its own."""

import numpy as np

from remora.equations.algebra.vectors import add3, scale3, subtract3


def slopes_by_differences(field, time_ns, place, step=1e-5):
    """Gradient and rate by central differences."""
    columns = []
    for axis in range(3):
        move = tuple(step if i == axis else 0.0 for i in range(3))
        ahead, behind = field.at(time_ns, add3(place, move)), field.at(time_ns, subtract3(place, move))
        columns.append(scale3(0.5 / step, subtract3(ahead.velocity, behind.velocity)))
    later, earlier = field.at(time_ns + 1_000_000, place), field.at(time_ns - 1_000_000, place)
    return np.array(columns).T, scale3(0.5e3, subtract3(later.velocity, earlier.velocity))
