"""Optical and acoustic imaging: camera rays, angle of incidence, and range of visibility in turbid water."""

from remora.equations.algebra.elementary import log, sqrt
from remora.equations.algebra.vectors import cross, dot3, scale3, subtract3
from remora.equations.types import Vector3


def pinhole_direction(right: float, below: float) -> Vector3:
    """Unit vector in S of the ray of an image point of a pinhole camera: the inverse of `image_point`."""
    return scale3(1.0 / sqrt(1.0 + right * right + below * below), (1.0, right, below))


def incidence_cosine(direction: Vector3, first: Vector3, second: Vector3, third: Vector3) -> float:
    """Cosine of the angle between a ray and the normal of the surface through three points, from 0 to 1.

    Parameters
    ----------
    direction
        Direction of the ray.
    first, second, third
        Point of the surface, m.
    """
    normal = cross(subtract3(second, first), subtract3(third, first))
    size = sqrt(dot3(normal, normal) * dot3(direction, direction))
    return abs(dot3(normal, direction)) / size


def sight_path(attenuation: float, faintest: float) -> float:
    """Path in water after which a fraction of light or contrast remains, m: exp(-c path) = faintest. Duntley 1963."""
    return -log(faintest) / attenuation


def triangulation_std(distance: float, baseline: float, angle: float) -> float:
    """Range error of laser triangulation, m, for a baseline perpendicular to the ray.

    Parameters
    ----------
    distance
        Range, m.
    baseline
        Distance of camera and laser, m.
    angle
        Angular error of the camera, rad.
    """
    return distance * distance * angle / baseline
