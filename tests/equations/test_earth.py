"""Places on the WGS 84 ellipsoid, local axes, Earth rate and gravity, and that every backend computes the same."""

import math

import casadi
import numba
import numpy as np
import pytest
from hypothesis import example, given, strategies as st

import remora.plant.registration  # noqa: F401  makes the equations callable from compiled code
from remora.equations.algebra.vectors import cross, dot3, matmul3, skew, subtract3, transpose3
from remora.equations.geometry import earth
from remora.equations.geometry.earth import Geodetic

DEG = math.pi / 180.0
ULP = 9.4e-10  # m, spacing of doubles at the Earth's radius: what p_EB itself is rounded to

latitudes = st.floats(-math.pi / 2, math.pi / 2)
longitudes = st.floats(-math.pi, math.pi)
heights = st.floats(-11e3, 10e3)
places = st.builds(Geodetic, latitudes, longitudes, heights)
offsets = st.tuples(*[st.floats(-50e3, 50e3)] * 2, st.floats(-5e3, 5e3))


def distance(a, b):
    d = subtract3(a, b)
    return math.sqrt(dot3(d, d))


@pytest.mark.parametrize(
    ("place", "p_EB", "tolerance"),
    [
        (Geodetic(0.0, 0.0, 0.0), (6378137.0, 0.0, 0.0), 0.0),
        (Geodetic(0.0, math.pi / 2, 100.0), (0.0, 6378237.0, 0.0), 2 * ULP),
        (Geodetic(math.pi / 2, 0.3, 0.0), (0.0, 0.0, 6356752.314245179), 2 * ULP),
        (Geodetic(-math.pi / 2, 0.3, -10.0), (0.0, 0.0, -6356742.314245179), 2 * ULP),
        (Geodetic(math.pi / 4, 0.0, 0.0), (4517590.878848931, 0.0, 4487348.40886592), 2 * ULP),
        # The example of the manual page of GeographicLib's CartConvert, printed to 0.01 m.
        (Geodetic(33.3 * DEG, 44.4 * DEG, 6000.0), (3816209.60, 3737108.55, 3485109.57), 0.009),
    ],
)
def test_known_places(place, p_EB, tolerance):
    assert distance(earth.geodetic_to_ecef(place), p_EB) <= tolerance


@pytest.mark.parametrize(
    ("p_EB", "latitude", "longitude", "height"),
    [
        # The exact inverse of these numbers, computed with fifty digits.
        ((3816209.6, 3737108.55, 3485109.57), 0.58119464086910873721, 0.77492618844002686155, 5999.9957582949565821),
        ((1000.0, -2000.0, 6350000.0), 1.5704465499463448158, -1.1071487177940905030, -6751.9231827704325132),
        ((-6372000.0, 0.001, -10.0), -1.5799529684133152405e-6, 3.1415926534328566408, -6136.9999921002350795),
        ((4510000.0, 4510000.0, 1.5), 2.3676463985080921317e-7, 0.78539816339744830962, -33.833697163756424496),
    ],
)
def test_inverse_against_fifty_digits(p_EB, latitude, longitude, height):
    place = earth.ecef_to_geodetic(p_EB)
    assert place.latitude == pytest.approx(latitude, rel=0, abs=5e-16)
    assert place.longitude == pytest.approx(longitude, rel=0, abs=5e-16)
    assert place.height == pytest.approx(height, rel=0, abs=1e-9)


@given(places)
@example(Geodetic(math.pi / 2, 0.0, 10e3))
@example(Geodetic(-math.pi / 2, 1.0, -11e3))
@example(Geodetic(math.pi / 2 - 1e-12, math.pi, -11e3))
@example(Geodetic(0.3, math.pi, 0.0))
@example(Geodetic(0.3, -math.pi, 0.0))
def test_geodetic_round_trip(place):
    p_EB = earth.geodetic_to_ecef(place)
    back = earth.ecef_to_geodetic(p_EB)
    assert abs(back.latitude - place.latitude) < 1e-14
    assert abs(back.height - place.height) < 4 * ULP
    turn = math.remainder(back.longitude - place.longitude, math.tau)
    assert abs(turn) * math.cos(place.latitude) < 1e-14
    assert distance(earth.geodetic_to_ecef(back), p_EB) < 6 * ULP


@given(places, offsets)
def test_ned_round_trip(origin, p_NB):
    p_EB = earth.ned_to_ecef(p_NB, origin)
    assert distance(earth.ecef_to_ned(p_EB, origin), p_NB) < 6 * ULP
    place = earth.ned_to_geodetic(p_NB, origin)
    assert distance(earth.geodetic_to_ned(place, origin), p_NB) < 10 * ULP


def test_on_the_axis_every_longitude_is_true():
    for z in (6356752.314245179, -6356752.314245179):
        place = earth.ecef_to_geodetic((0.0, 0.0, z))
        assert place == pytest.approx((math.copysign(math.pi / 2, z), 0.0, 0.0), abs=2 * ULP)


def test_across_the_antimeridian():
    origin = Geodetic(-17.0 * DEG, math.pi, -200.0)
    east = earth.ned_to_geodetic((0.0, 500.0, 0.0), origin)
    west = earth.ned_to_geodetic((0.0, -500.0, 0.0), origin)
    assert east.longitude < -3.1415
    assert west.longitude > 3.1415
    assert earth.geodetic_to_ned(east, origin) == pytest.approx((0.0, 500.0, 0.0), abs=4 * ULP)
    beyond = Geodetic(east.latitude, east.longitude + math.tau, east.height)
    assert earth.geodetic_to_ned(beyond, origin) == pytest.approx((0.0, 500.0, 0.0), abs=1e-8)


def test_over_the_pole():
    origin = Geodetic(math.pi / 2 - 1e-5, 0.4, 0.0)
    beyond = earth.ned_to_geodetic((130.0, 0.0, 0.0), origin)
    assert beyond.longitude == pytest.approx(0.4 - math.pi, abs=1e-9)
    assert beyond.latitude < math.pi / 2


@given(latitudes, longitudes)
def test_ned_axes_are_a_right_handed_frame(latitude, longitude):
    R_EN = earth.ned_axes(latitude, longitude)
    product = matmul3(transpose3(R_EN), R_EN)
    assert product == pytest.approx(np.eye(3), abs=1e-15)
    north, east, down = transpose3(R_EN)
    assert cross(north, east) == pytest.approx(down, abs=1e-15)


@given(st.floats(-1.4, 1.4), longitudes, heights)
def test_ned_axes_follow_the_ellipsoid(latitude, longitude, height):
    """A small step of latitude, longitude or height moves along north, east or up by the radius of curvature."""
    north, east, down = transpose3(earth.ned_axes(latitude, longitude))
    radii = earth.radii_of_curvature(latitude)

    def slope(step, low, high):
        a, b = earth.geodetic_to_ecef(Geodetic(*low)), earth.geodetic_to_ecef(Geodetic(*high))
        return np.array(subtract3(b, a)) / (2.0 * step)

    h = 1e-4
    to_north = slope(h, (latitude - h, longitude, height), (latitude + h, longitude, height))
    to_east = slope(h, (latitude, longitude - h, height), (latitude, longitude + h, height))
    upward = slope(1.0, (latitude, longitude, height - 1.0), (latitude, longitude, height + 1.0))
    assert to_north == pytest.approx((radii.meridian + height) * np.array(north), abs=0.1)
    assert to_east == pytest.approx((radii.prime_vertical + height) * math.cos(latitude) * np.array(east), abs=0.1)
    assert upward == pytest.approx(-np.array(down), abs=2e-9)


def test_radii_at_equator_and_pole():
    a, b = earth.EQUATORIAL_RADIUS, earth.POLAR_RADIUS
    assert earth.radii_of_curvature(0.0) == pytest.approx((b * b / a, a), rel=1e-15)
    assert earth.radii_of_curvature(math.pi / 2) == pytest.approx((a * a / b, a * a / b), rel=1e-15)


def test_flat_frame_leaves_the_sea_surface():
    """The fall that the documentation of `geodetic_to_ned` states."""
    on_surface = earth.ned_to_geodetic((10e3, 0.0, 0.0), Geodetic(45.0 * DEG, 0.0, 0.0))
    assert on_surface.height == pytest.approx(7.85, abs=0.01)


@given(latitudes)
def test_earth_rate(latitude):
    w_IE_N = earth.earth_rate_ned(latitude)
    assert math.sqrt(dot3(w_IE_N, w_IE_N)) == pytest.approx(7.292115e-5, rel=1e-15)
    # Seen in E the Earth turns about its z axis, whatever the place.
    w_IE_E = [dot3(row, w_IE_N) for row in earth.ned_axes(latitude, 0.7)]
    assert w_IE_E == pytest.approx((0.0, 0.0, 7.292115e-5), abs=1e-19)


@given(
    st.builds(Geodetic, st.floats(-1.3, 1.3), longitudes, heights),
    st.tuples(*[st.floats(-5.0, 5.0)] * 3),
)
def test_transport_rate_turns_the_axes(place, v_EB_N):
    """R_EN^T dR_EN/dt = S(w_EN_N) along a motion, the derivative by central difference."""
    rate = earth.geodetic_rate(place, v_EB_N)
    h = 30.0
    late = earth.ned_axes(place.latitude + h * rate.latitude, place.longitude + h * rate.longitude)
    early = earth.ned_axes(place.latitude - h * rate.latitude, place.longitude - h * rate.longitude)
    derivative = (np.array(late) - np.array(early)) / (2.0 * h)
    turned = np.array(earth.ned_axes(place.latitude, place.longitude)).T @ derivative
    assert turned == pytest.approx(np.array(skew(earth.transport_rate(place, v_EB_N))), abs=1e-13)


@given(st.builds(Geodetic, st.floats(-1.5, 1.5), longitudes, heights), st.tuples(*[st.floats(-5.0, 5.0)] * 3))
def test_geodetic_rate_is_the_velocity(place, v_EB_N):
    rate = earth.geodetic_rate(place, v_EB_N)
    late = earth.geodetic_to_ned(Geodetic(*(x + 0.5 * r for x, r in zip(place, rate, strict=True))), place)
    early = earth.geodetic_to_ned(Geodetic(*(x - 0.5 * r for x, r in zip(place, rate, strict=True))), place)
    assert subtract3(late, early) == pytest.approx(v_EB_N, abs=1e-8)


def test_normal_gravity_on_the_ellipsoid():
    assert earth.normal_gravity(0.0, 0.0) == 9.7803253359
    assert earth.normal_gravity(math.pi / 2, 0.0) == pytest.approx(9.8321849378, abs=1e-14)
    # At 45 degrees; and Somigliana's constant and the ratio m as NIMA TR8350.2 prints them.
    assert earth.normal_gravity(45.0 * DEG, 0.0) == pytest.approx(9.8061977694, abs=1e-9)
    assert pytest.approx(0.00193185265241, abs=1e-11) == earth._SOMIGLIANA
    assert pytest.approx(0.00344978650684, abs=1e-14) == earth._CENTRIFUGAL_RATIO


def exact_gravity(u, at_pole):
    """Normal gravity on the ellipsoid confocal with WGS 84 whose polar radius is u: NIMA TR8350.2, eq. 4-5 to 4-15."""
    a, b, w = earth.EQUATORIAL_RADIUS, earth.POLAR_RADIUS, earth.EARTH_RATE
    E2 = a * a - b * b
    E = math.sqrt(E2)
    q0 = 0.5 * ((1.0 + 3.0 * b * b / E2) * math.atan(E / b) - 3.0 * b / E)
    slope = 3.0 * (1.0 + u * u / E2) * (1.0 - u / E * math.atan(E / u)) - 1.0
    s2 = 1.0 if at_pole else 0.0
    stretch = math.sqrt((u * u + E2 * s2) / (u * u + E2))
    pull = earth.GRAVITATIONAL_PARAMETER / (u * u + E2)
    pull += w * w * a * a * E / (u * u + E2) * slope / q0 * (0.5 * s2 - 1.0 / 6.0)
    return (pull - w * w * u * (1.0 - s2)) / stretch


@pytest.mark.parametrize("height", [-11e3, 0.0, 100.0, 10e3])
@pytest.mark.parametrize("at_pole", [False, True])
def test_free_air_series_against_the_exact_field(height, at_pole):
    a, b = earth.EQUATORIAL_RADIUS, earth.POLAR_RADIUS
    u = b + height if at_pole else math.sqrt((a + height) ** 2 - (a * a - b * b))
    series = earth.normal_gravity(math.pi / 2 if at_pole else 0.0, height)
    assert series == pytest.approx(exact_gravity(u, at_pole), abs=1e-9 + 2e-10 * abs(height))


def test_gravity_grows_slower_in_water_than_in_free_air():
    assert earth.gravity_in_water(0.7, 0.0, 1025.0) == earth.normal_gravity(0.7, 0.0)
    gradient = (earth.gravity_in_water(0.7, 1000.0, 1025.0) - earth.gravity_in_water(0.7, 0.0, 1025.0)) / 1000.0
    assert gradient == pytest.approx(2.226e-6, abs=2e-9)


# One computation through most of the file, to compare the backends.


def everything(latitude, longitude, height, north, east, down):
    origin = Geodetic(latitude, longitude, height)
    place = earth.ned_to_geodetic((north, east, down), origin)
    p_NB = earth.geodetic_to_ned(place, origin)
    transport = earth.transport_rate(place, (1.0, 2.0, 0.5))
    rate = earth.earth_rate_ned(place.latitude)
    gravity = earth.gravity_in_water(place.latitude, -place.height, 1025.0)
    turning = (1e7 * transport[0], 1e7 * transport[1], 1e7 * transport[2], 1e5 * rate[0], 1e5 * rate[2])
    return (place.latitude, place.longitude, place.height, *p_NB, *turning, gravity)


CASES = [
    (0.0, 0.0, 0.0, 10.0, -20.0, 30.0),
    (-0.7, 3.14159, -3000.0, 900.0, 2000.0, -100.0),
    (1.2, -2.0, 40.0, -5000.0, 7000.0, 25.0),
]


def test_numba_agrees():
    compiled = numba.njit(everything, error_model="numpy")
    for case in CASES:
        assert compiled(*case) == pytest.approx(everything(*case), rel=1e-13, abs=10 * ULP)


def test_casadi_agrees_and_its_derivative_is_exact():
    x = [casadi.SX.sym(f"x{i}") for i in range(6)]
    function = casadi.Function("everything", x, [casadi.vertcat(*everything(*x))])
    for case in CASES:
        found = np.array(function(*case)).ravel()
        assert found == pytest.approx(everything(*case), rel=1e-13, abs=10 * ULP)
    # There and back again is the identity, so is its Jacobian.
    place = Geodetic(x[0], x[1], x[2])
    back = earth.ecef_to_geodetic(earth.geodetic_to_ecef(place))
    jacobian = casadi.Function("jacobian", x[:3], [casadi.jacobian(casadi.vertcat(*back), casadi.vertcat(*x[:3]))])
    scale = np.array([1.0, 1.0, 6.4e6])
    identity = np.array(jacobian(*CASES[1][:3])) * scale / scale[:, None]
    assert identity == pytest.approx(np.eye(3), abs=1e-12)


def test_numpy_broadcasts():
    latitude = np.array([-1.5, -0.7, 0.0, 1.2])[:, None]
    longitude = np.array([-3.0, 0.0, 3.1])[None, :]
    found = np.broadcast_arrays(*everything(latitude, longitude, -500.0, 100.0, 200.0, 30.0))
    assert found[0].shape == (4, 3)
    for i in range(4):
        for j in range(3):
            one = everything(float(latitude[i, 0]), float(longitude[0, j]), -500.0, 100.0, 200.0, 30.0)
            assert [value[i, j] for value in found] == pytest.approx(one, rel=1e-13, abs=10 * ULP)
