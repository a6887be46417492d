"""Line of sight in two and three dimensions: angles that lead back to a straight path.

Horizontal and vertical plane have the same law; the error is to starboard of the path in one and above it in the other.
Without integral or adaptation a current, a sideslip or an angle of attack leaves a steady offset. Fossen 2011, ch. 10.
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import atan2, cos, sin, sqrt
from remora.equations.types import Vector3

PROPORTIONAL, INTEGRAL, ADAPTIVE = 0, 1, 2


class PathErrors(NamedTuple):
    """Position relative to a straight path, in the axes of the path, m."""

    along: float
    across: float  # positive to starboard
    above: float


def path_angles(start: Vector3, end: Vector3) -> tuple[float, float]:
    """Course and climb angle of a straight path, rad."""
    north, east, down = end[0] - start[0], end[1] - start[1], end[2] - start[2]
    return atan2(east, north), atan2(-down, sqrt(north * north + east * east))


def path_errors(start: Vector3, course: float, climb: float, p_NB: Vector3) -> PathErrors:
    """Position of a vehicle along, to starboard of and above a path.

    `course` and `climb` are the direction of the path.
    """
    north, east, down = p_NB[0] - start[0], p_NB[1] - start[1], p_NB[2] - start[2]
    c, s, cc, sc = cos(course), sin(course), cos(climb), sin(climb)
    level = c * north + s * east
    return PathErrors(cc * level - sc * down, -s * north + c * east, -sc * level - cc * down)


def line_of_sight(
    law: int, path_angle: float, error: float, memory: float, lookahead: float, gain: float
) -> tuple[float, float]:
    """Angle to steer in one plane, rad, and the rate of the memory of the law.

    PROPORTIONAL: path angle - atan(e / lookahead). INTEGRAL: the error is increased by gain x integral, whose growth
    slows down far from the path (Borhaug, Pavlov and Pettersen 2008). ADAPTIVE: the memory is the estimate of sideslip,
    or of minus the angle of attack, and is subtracted (Fossen 2023). `path_angle` is course or climb angle of the path,
    `error` the distance to starboard of the path or above it. The memory is an integral in s or an estimated angle; the
    gain is in m/s for the integral, in rad/(m s) for the adaptation.
    """
    if law == INTEGRAL:
        corrected = error + gain * memory
        growth = lookahead * error / (corrected**2 + lookahead**2)
        return path_angle - atan2(corrected, lookahead), growth
    angle = path_angle - atan2(error, lookahead)
    if law == ADAPTIVE:
        return angle - memory, gain * lookahead * error / sqrt(lookahead**2 + error**2)
    return angle, 0.0 * error


def line_of_sight_3d(
    law: int,
    path: tuple[float, float],
    errors: PathErrors,
    memory: tuple[float, float],
    lookahead: tuple[float, float],
    gain: tuple[float, float],
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Heading and pitch to steer, rad, and the rates of both memories. Each pair: horizontal, vertical.

    `path` is course and climb angle; memories and gains are as in `line_of_sight`.
    """
    heading, turning = line_of_sight(law, path[0], errors.across, memory[0], lookahead[0], gain[0])
    pitch, pitching = line_of_sight(law, path[1], errors.above, memory[1], lookahead[1], gain[1])
    return (heading, pitch), (turning, pitching)
