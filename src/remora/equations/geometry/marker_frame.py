"""A frame defined by three markers."""

from typing import NamedTuple

from remora.equations.algebra.elementary import sqrt
from remora.equations.algebra.vectors import cross, dot3, matvec3, scale3, subtract3
from remora.equations.types import Matrix3, Vector3


class MarkerFrame(NamedTuple):
    """Origin and rotation of a marker frame M in a camera frame C."""

    p_CM: Vector3  # m
    R_MC: Matrix3  # turns camera into marker coordinates


def unit_vector(vector: Vector3) -> Vector3:
    """A vector divided by its length; not defined at zero."""
    return scale3(1.0 / sqrt(dot3(vector, vector)), vector)


def frame_from_markers(p_CO: Vector3, p_CX: Vector3, p_CP: Vector3) -> MarkerFrame:
    """The frame with its origin at one marker, its x axis through another, and a third in its x-y plane.

    The axes are the rows of R_MC: printed as columns in the source, they would turn marker into camera coordinates.
    Proctor 2014, eqs. 3.28 and 3.29.

    Parameters
    ----------
    p_CO
        Marker at the origin, m, in camera axes.
    p_CX
        Marker on the positive x axis, m.
    p_CP
        Marker in the x-y plane with a positive y, m. The three are not on one line.
    """
    x = unit_vector(subtract3(p_CX, p_CO))
    z = unit_vector(cross(x, subtract3(p_CP, p_CO)))
    return MarkerFrame(p_CO, (x, unit_vector(cross(z, x)), z))


def in_marker_frame(frame: MarkerFrame, p_CP: Vector3) -> Vector3:
    """A point in marker coordinates, m."""
    return matvec3(frame.R_MC, subtract3(p_CP, frame.p_CM))
