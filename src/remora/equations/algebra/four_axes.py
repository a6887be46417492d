"""Vectors of four controlled degrees of freedom: surge, sway, heave, yaw, or north, east, down, heading."""

from remora.equations.algebra.elementary import maximum, minimum
from remora.equations.types import Numbers, Vector4

ZERO4: Vector4 = (0.0, 0.0, 0.0, 0.0)


def vector4_at(row: Numbers, k: int) -> Vector4:
    """Four numbers in a row."""
    return (row[k], row[k + 1], row[k + 2], row[k + 3])


def add4(a: Vector4, b: Vector4) -> Vector4:
    """a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3])


def subtract4(a: Vector4, b: Vector4) -> Vector4:
    """a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3])


def scale4(factor: float, a: Vector4) -> Vector4:
    """factor x a."""
    return (factor * a[0], factor * a[1], factor * a[2], factor * a[3])


def multiply4(a: Vector4, b: Vector4) -> Vector4:
    """Element by element."""
    return (a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3])


def dot4(a: Vector4, b: Vector4) -> float:
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


def clipped(value: float, lowest: float, highest: float) -> float:
    """A value within limits; NaN stays NaN."""
    return minimum(maximum(value, lowest), highest)


def clipped4(values: Vector4, lowest: Vector4, highest: Vector4) -> Vector4:
    """Each value within its limits."""
    return (
        clipped(values[0], lowest[0], highest[0]),
        clipped(values[1], lowest[1], highest[1]),
        clipped(values[2], lowest[2], highest[2]),
        clipped(values[3], lowest[3], highest[3]),
    )
