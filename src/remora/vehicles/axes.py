"""Conversion from the axes of a file to forward-right-down, and from angles to directions."""

import math
from typing import NamedTuple

from remora.equations.algebra.quaternions import from_euler_xyz, from_euler_zyx, normalize, rotation_matrix
from remora.equations.algebra.vectors import dot3, scale3
from remora.equations.types import Matrix3, Matrix6, Quaternion, Vector3, Vector6


class Axes(NamedTuple):
    """Axes of a file: the sign of each relative to forward-right-down, and the Euler angle order.

    Forward-left-up is forward-right-down rotated by 180 degrees about x, so forces, torques, positions and rates
    change sign in the same way.
    """

    signs: Vector3
    euler_order: str

    @property
    def six(self) -> Vector6:
        """Signs of the components of a twist or wrench."""
        x, y, z = self.signs
        return (x, y, z, x, y, z)


def axes_named(axes: str, euler_order: str) -> Axes:
    """Axes from the names used in a file."""
    return Axes((1.0, -1.0, -1.0) if axes == "forward-left-up" else (1.0, 1.0, 1.0), euler_order)


BODY_AXES = axes_named("forward-right-down", "zyx")


def in_body_axes(axes: Axes, a: Vector3) -> Vector3:
    """A vector of the file in body axes forward-right-down."""
    # Adding zero turns -0.0 into 0.0.
    return (axes.signs[0] * a[0] + 0.0, axes.signs[1] * a[1] + 0.0, axes.signs[2] * a[2] + 0.0)


def matrix_in_body_axes(axes: Axes, a: Matrix3) -> Matrix3:
    """An inertia tensor of the file in body axes forward-right-down: s_i s_j a_ij."""
    x, y, z = (scale3(sign, in_body_axes(axes, row)) for sign, row in zip(axes.signs, a, strict=True))
    return (x, y, z)


def rotation_from_angles(axes: Axes, angles: Vector3) -> Quaternion:
    """Rotation by roll, pitch and yaw in the Euler order and the axes of the file."""
    return from_euler_xyz(*angles) if axes.euler_order == "xyz" else from_euler_zyx(*angles)


def thrust_axis_from_angles(axes: Axes, angles: Vector3) -> Vector3:
    """Thrust axis, in body axes, of a thruster that pushes along its own x axis."""
    R = rotation_matrix(rotation_from_angles(axes, angles))
    return in_body_axes(axes, (R[0][0], R[1][0], R[2][0]))


def thrust_axis_from_elevation(elevation: float, azimuth: float) -> Vector3:
    """R_z(-azimuth) R_y(-elevation) e_x: positive elevation tilts the thrust down, positive azimuth to port.

    Elevation and azimuth do not depend on the axes of the file. Nielsen 2018, eq. 5.4.
    """
    level = math.cos(elevation)
    return (level * math.cos(azimuth), -level * math.sin(azimuth), math.sin(elevation))


def unit_vector(a: Vector3) -> Vector3:
    """The vector scaled to unit length; one of unit length within printed precision stays unchanged."""
    length = math.sqrt(dot3(a, a))
    return a if abs(length - 1.0) < 1e-4 else scale3(1.0 / length, a)


def sensor_quaternion(axes: Axes, R_BS: Matrix3) -> Quaternion:
    """q_BS in body axes forward-right-down, with the sensor axes unchanged."""
    rows = (
        scale3(axes.signs[0], R_BS[0]),
        scale3(axes.signs[1], R_BS[1]),
        scale3(axes.signs[2], R_BS[2]),
    )
    return quaternion_from_matrix(rows)


def quaternion_from_matrix(R: Matrix3) -> Quaternion:
    """The unit quaternion of a rotation matrix, by its largest component (Shepperd 1978); scalar part not negative."""
    trace = R[0][0] + R[1][1] + R[2][2]
    squares = (trace, R[0][0], R[1][1], R[2][2])
    largest = squares.index(max(squares))
    if largest == 0:
        q = (1.0 + trace, R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1])
    else:
        i = largest - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        vector = [0.0, 0.0, 0.0]
        vector[i] = 1.0 + R[i][i] - R[j][j] - R[k][k]
        vector[j], vector[k] = R[j][i] + R[i][j], R[k][i] + R[i][k]
        q = (R[k][j] - R[j][k], vector[0], vector[1], vector[2])
    s, x, y, z = normalize(q)
    return (s, x, y, z) if s >= 0.0 else (-s, -x, -y, -z)


def rotation_fault(R: Matrix3) -> str | None:
    """Why a matrix is not a rotation; None where it is one within printed precision."""
    rows = all(abs(dot3(R[i], R[j]) - (1.0 if i == j else 0.0)) < 1e-3 for i in range(3) for j in range(3))
    a, b, c = R
    volume = dot3(a, (b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]))
    if rows and volume > 0.0:
        return None
    return "is not a rotation: its rows must be perpendicular unit vectors of a right-handed frame."


def matrix6_from(elements: dict[tuple[int, int], float]) -> Matrix6:
    """A 6x6 matrix from some of its elements; the others are zero."""
    a, b, c, d, e, f = (tuple(elements.get((i, j), 0.0) + 0.0 for j in range(6)) for i in range(6))
    return (a, b, c, d, e, f)  # type: ignore[return-value]
