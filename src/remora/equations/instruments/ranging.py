"""Sensors that look around: rays of a camera, echoes by incidence, and how far one sees in turbid water."""

from remora.equations.algebra.elementary import log, sqrt
from remora.equations.algebra.vectors import Vector3, cross, dot3, scale3, subtract3


def pinhole_direction(right: float, below: float) -> Vector3:
    """Unit vector in S of the ray that a pinhole camera sees at a point of its image: `image_point` turned around."""
    return scale3(1.0 / sqrt(1.0 + right * right + below * below), (1.0, right, below))


def incidence_cosine(direction: Vector3, first: Vector3, second: Vector3, third: Vector3) -> float:
    """Cosine of the angle between a ray and the normal of the surface through three points, from 0 to 1."""
    normal = cross(subtract3(second, first), subtract3(third, first))
    size = sqrt(dot3(normal, normal) * dot3(direction, direction))
    return abs(dot3(normal, direction)) / size


def sight_path(attenuation: float, faintest: float) -> float:
    """Path in water after which only a share of light or contrast is left, m: exp(-c path) = faintest. Duntley 1963."""
    return -log(faintest) / attenuation


def triangulation_std(distance: float, baseline: float, angle: float) -> float:
    """Error of a range found by a camera beside a laser that errs by an angle, m; the baseline is square to the ray."""
    return distance * distance * angle / baseline
