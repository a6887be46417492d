"""The Earth as the WGS 84 ellipsoid: positions, local axes, rotation and gravity.

Frame E is fixed to the Earth, origin at its centre, x through latitude and longitude zero, z through the north pole.
Frame N is north-east-down at a point. Constants are those of WGS 84 (NIMA TR8350.2, third edition, 2000).
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import atan2, cos, sin, sqrt, tan
from remora.equations.algebra.vectors import add3, matvec3, subtract3, transpose3
from remora.equations.types import Matrix3, Vector3

EQUATORIAL_RADIUS = 6378137.0  # m
FLATTENING = 1.0 / 298.257223563
POLAR_RADIUS = EQUATORIAL_RADIUS * (1.0 - FLATTENING)
ECCENTRICITY_SQUARED = FLATTENING * (2.0 - FLATTENING)
SECOND_ECCENTRICITY_SQUARED = ECCENTRICITY_SQUARED / (1.0 - ECCENTRICITY_SQUARED)
EARTH_RATE = 7.292115e-5  # rad/s, against the stars
GRAVITATIONAL_PARAMETER = 3.986004418e14  # m3/s2, Earth and air
GRAVITATIONAL_CONSTANT = 6.67430e-11  # m3/(kg s2), CODATA 2018
GRAVITY_AT_EQUATOR = 9.7803253359  # m/s2, on the ellipsoid
GRAVITY_AT_POLE = 9.8321849378  # m/s2, on the ellipsoid

_SOMIGLIANA = POLAR_RADIUS * GRAVITY_AT_POLE / (EQUATORIAL_RADIUS * GRAVITY_AT_EQUATOR) - 1.0
_CENTRIFUGAL_RATIO = EARTH_RATE**2 * EQUATORIAL_RADIUS**2 * POLAR_RADIUS / GRAVITATIONAL_PARAMETER
_BOWRING_STEPS = 3  # two reach double precision between -11 and 10 km; the third is margin


class Geodetic(NamedTuple):
    """A position relative to the ellipsoid."""

    latitude: float  # rad, north positive
    longitude: float  # rad, east positive
    height: float  # m above the ellipsoid; the sea surface lies within about 110 m of it


class Curvature(NamedTuple):
    """Radii of the ellipsoid at a latitude."""

    meridian: float  # m, of a step to the north
    prime_vertical: float  # m, of a step to the east


def radii_of_curvature(latitude: float) -> Curvature:
    """Radii of curvature of the ellipsoid to the north and to the east. Groves 2013, section 2.4."""
    w = _roundness(sin(latitude))
    return Curvature(EQUATORIAL_RADIUS * (1.0 - ECCENTRICITY_SQUARED) / (w * w * w), EQUATORIAL_RADIUS / w)


def _roundness(sine_of_latitude: float) -> float:
    """sqrt(1 - e^2 sin^2 latitude): one at the equator, POLAR_RADIUS / EQUATORIAL_RADIUS at the poles."""
    w: float = sqrt(1.0 - ECCENTRICITY_SQUARED * sine_of_latitude * sine_of_latitude)
    return w


def geodetic_to_ecef(place: Geodetic) -> Vector3:
    """p_EB of a position, m. Fossen 2021, ch. 2."""
    s, c = sin(place.latitude), cos(place.latitude)
    normal = EQUATORIAL_RADIUS / _roundness(s)
    from_axis = (normal + place.height) * c
    return (
        from_axis * cos(place.longitude),
        from_axis * sin(place.longitude),
        (normal * (1.0 - ECCENTRICITY_SQUARED) + place.height) * s,
    )


def ecef_to_geodetic(p_EB: Vector3) -> Geodetic:
    """The position of p_EB: Bowring's iteration (Survey Review, 1976) on sine and cosine, valid at the poles.

    Accurate to one unit in the last place of p_EB (1e-9 m, 1e-15 rad) wherever vehicles operate; not near the centre of
    the Earth. On the axis the longitude is undefined and zero is returned; the derivative does not exist there.
    """
    x, y, z = p_EB
    from_axis = sqrt(x * x + y * y)
    up, out = z * EQUATORIAL_RADIUS, from_axis * POLAR_RADIUS
    for _ in range(_BOWRING_STEPS):
        length = sqrt(up * up + out * out)
        s, c = up / length, out / length  # of the reduced latitude
        up = (1.0 - FLATTENING) * (z + SECOND_ECCENTRICITY_SQUARED * POLAR_RADIUS * s * s * s)
        out = from_axis - ECCENTRICITY_SQUARED * EQUATORIAL_RADIUS * c * c * c
    up = up / (1.0 - FLATTENING)
    length = sqrt(up * up + out * out)
    s, c = up / length, out / length
    return Geodetic(atan2(up, out), atan2(y, x), _height(p_EB, s, c))


def _height(p_EB: Vector3, s: float, c: float) -> float:
    """p_EB . vertical - a w, the vertical being c outward and s north.

    The plain formula subtracts numbers of 6e6 m; with their small parts split off the rounding costs half as much.
    """
    x, y, z = p_EB
    from_axis, radius = sqrt(x * x + y * y), sqrt(x * x + y * y + z * z)
    lean = (from_axis * s - z * c) / radius  # sine of the angle between the vertical and the line to the centre
    w = _roundness(s)
    flat = EQUATORIAL_RADIUS * ECCENTRICITY_SQUARED * s * s / (1.0 + w)
    height: float = (radius - EQUATORIAL_RADIUS) + (flat - radius * lean * lean / (1.0 + sqrt(1.0 - lean * lean)))
    return height


def ned_axes(latitude: float, longitude: float) -> Matrix3:
    """R_EN: its columns are north, east and down of a position, in E. Fossen 2021, ch. 2.

    At a pole north is the direction of the given longitude.
    """
    s, c = sin(latitude), cos(latitude)
    sl, cl = sin(longitude), cos(longitude)
    return ((-s * cl, -sl, -c * cl), (-s * sl, cl, -c * sl), (c, 0.0, -s))


def ecef_to_ned(p_EB: Vector3, origin: Geodetic) -> Vector3:
    """p_NB from p_EB: north, east and down of the flat frame N that touches the Earth at its origin."""
    to_N = transpose3(ned_axes(origin.latitude, origin.longitude))
    return matvec3(to_N, subtract3(p_EB, geodetic_to_ecef(origin)))


def ned_to_ecef(p_NB: Vector3, origin: Geodetic) -> Vector3:
    """p_EB from p_NB."""
    return add3(geodetic_to_ecef(origin), matvec3(ned_axes(origin.latitude, origin.longitude), p_NB))


def geodetic_to_ned(place: Geodetic, origin: Geodetic) -> Vector3:
    """p_NB of a position. N is flat: at 10 km from its origin the sea surface lies some 7.8 m below it."""
    return ecef_to_ned(geodetic_to_ecef(place), origin)


def ned_to_geodetic(p_NB: Vector3, origin: Geodetic) -> Geodetic:
    """The position of p_NB."""
    return ecef_to_geodetic(ned_to_ecef(p_NB, origin))


def geodetic_rate(place: Geodetic, v_EB_N: Vector3) -> Geodetic:
    """Rates of latitude, longitude (rad/s) and height (m/s) of a vehicle over the Earth; singular at the poles."""
    curvature = radii_of_curvature(place.latitude)
    east_radius = (curvature.prime_vertical + place.height) * cos(place.latitude)
    return Geodetic(v_EB_N[0] / (curvature.meridian + place.height), v_EB_N[1] / east_radius, -v_EB_N[2])


def earth_rate_ned(latitude: float) -> Vector3:
    """w_IE_N: rotation rate of the Earth, rad/s, in north-east-down axes. Groves 2013, section 2.4."""
    return (EARTH_RATE * cos(latitude), 0.0, -EARTH_RATE * sin(latitude))


def transport_rate(place: Geodetic, v_EB_N: Vector3) -> Vector3:
    """w_EN_N: transport rate of north-east-down axes that move with a vehicle, rad/s. Groves 2013, section 5.4.

    Singular at the poles. The frame N of a simulation is fixed and has none.
    """
    curvature = radii_of_curvature(place.latitude)
    turning = v_EB_N[1] / (curvature.prime_vertical + place.height)
    return (turning, -v_EB_N[0] / (curvature.meridian + place.height), -turning * tan(place.latitude))


def normal_gravity(latitude: float, height: float) -> float:
    """Gravity of the ellipsoid in free air, m/s2, straight down. NIMA TR8350.2, eq. 4-1 and 4-3.

    Somigliana's formula on the ellipsoid and a series of second order in height, within 2.1e-6 m/s2 of the exact field
    between -11 and 10 km. The real Earth departs from it by some 5e-4 m/s2. Under water use `gravity_in_water`.
    """
    s = sin(latitude)
    on_ellipsoid = GRAVITY_AT_EQUATOR * (1.0 + _SOMIGLIANA * s * s) / _roundness(s)
    h = height / EQUATORIAL_RADIUS
    fall = 2.0 * (1.0 + FLATTENING + _CENTRIFUGAL_RATIO - 2.0 * FLATTENING * s * s) * h
    gravity: float = on_ellipsoid * (1.0 - fall + 3.0 * h * h)
    return gravity


def gravity_in_water(latitude: float, depth: float, density: float) -> float:
    """Gravity below the sea surface, m/s2: free air less twice the attraction of the water above, 4 pi G density depth.

    The reduction of Poincare and Prey (Heiskanen and Moritz 1967, ch. 3): in sea water 2.2e-6 m/s2 more per metre. The
    surface is taken as the ellipsoid.
    """
    four_pi = 12.566370614359172
    return normal_gravity(latitude, -depth) - four_pi * GRAVITATIONAL_CONSTANT * density * depth
