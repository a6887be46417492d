"""Clearance between docking vehicles: the half-plane that keeps one away from the plan of another."""

from remora.equations.algebra.elementary import maximum, sqrt
from remora.equations.types import Vector2, Vector3

COINCIDENT = 1e-12  # m2, below which two positions have no direction


def clearance_side(own: Vector2, other: Vector2, distance: float) -> Vector3:
    """Normal (north, east) and constant of the side n . p + c <= 0 of a position p that is far enough from another.

    The normal points from the own position to the other one, so that n . p + c is the distance that is missing at the
    own position, and at most zero only where it is kept. Two positions that coincide have no such side.

    Parameters
    ----------
    own
        Position about which the side is taken, north and east, m.
    other
        Position of the other vehicle, m.
    distance
        Smallest distance, m.
    """
    north, east = other[0] - own[0], other[1] - own[1]
    size = sqrt(maximum(north * north + east * east, COINCIDENT))
    north, east = north / size, east / size
    return (north, east, distance - north * other[0] - east * other[1])
