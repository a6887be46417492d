"""Rays meet planes, cylinders, spheres, triangles and tunnels where they should, in every backend."""

import math

import casadi
import numba
import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

import remora.plant.registration
from remora.equations.algebra.vectors import add3, dot3, scale3
from remora.equations.geometry import rays, tunnels
from remora.equations.geometry.rays import NO_HIT
from sample_features import reals, three

W, H, LENGTH = 2.0, 2.6, 30.0  # half width, half height, length
RECTANGLE = (tunnels.rectangular_tunnel_distance, tunnels.rectangle_clearance, (W, H))
ROUND = (tunnels.round_tunnel_distance, tunnels.round_clearance, (W,))
HORSESHOE = (tunnels.horseshoe_tunnel_distance, tunnels.horseshoe_clearance, (W, H))
SECTIONS = {"rectangle": RECTANGLE, "round": ROUND, "horseshoe": HORSESHOE}

directions = three(1.0).filter(lambda d: math.hypot(*d) > 0.1).map(lambda d: scale3(1.0 / math.hypot(*d), d))


def traced(clearance, sizes, origin, direction):
    """The first wall found by walking: a step as long as the clearance can never pass it. Only from inside."""
    distance = 0.0
    for _ in range(20_000):
        x, y, z = add3(origin, scale3(distance, direction))
        room = clearance(y, z, *sizes)
        if not 0.0 <= x <= LENGTH:
            return None
        if room < 1e-12:
            return distance
        distance += room
    return distance


@pytest.mark.parametrize("name", SECTIONS)
def test_a_ray_from_inside_ends_where_walking_along_it_does(name):
    distance, clearance, sizes = SECTIONS[name]

    @given(reals(0.5, LENGTH - 0.5), reals(-W, W), reals(-H, H), directions)
    def agree(x, y, z, direction):
        assume(clearance(y, z, *sizes) > 0.05)
        assume(math.hypot(direction[1], direction[2]) > 0.05)
        hit, walked = distance((x, y, z), direction, *sizes, LENGTH), traced(clearance, sizes, (x, y, z), direction)
        if walked is None:
            assert hit == NO_HIT
        else:
            assert hit == pytest.approx(walked, abs=1e-6)

    agree()


@pytest.mark.parametrize("name", SECTIONS)
def test_no_ray_slips_through_a_joint(name):
    """Aimed at the corners and at the springing of the vault, from anywhere inside, and a rounding to either side."""
    distance, _, sizes = SECTIONS[name]
    random = np.random.default_rng(3)
    joints = [(-W, H), (W, H), (-W, -H), (W, -H), (-W, W - H), (W, W - H)]
    joints = [joint for joint in joints if abs(SECTIONS[name][1](*joint, *sizes)) < 1e-12]
    for _ in range(2000):
        x, y, z = random.uniform(10.0, 20.0), *random.uniform(-0.5, 0.5, 2)
        for across, down in joints:
            to = (random.uniform(-1.0, 1.0), across - y, down - z)
            to = tuple(part * (1.0 + random.integers(-2, 3) * 1e-16) for part in to)
            assert distance((x, y, z), to, *sizes, LENGTH) == pytest.approx(1.0, abs=1e-8)


@pytest.mark.parametrize("name", SECTIONS)
def test_tunnels_have_open_ends(name):
    distance, _, sizes = SECTIONS[name]
    assert distance((5.0, 0.1, 0.1), (1.0, 0.0, 0.0), *sizes, LENGTH) == NO_HIT
    assert distance((5.0, 0.1, 0.1), (-1.0, 0.05, 0.0), *sizes, LENGTH) == NO_HIT
    assert distance((-1.0, 0.0, 0.0), (-1.0, 1.0, 0.0), *sizes, LENGTH) == NO_HIT
    assert distance((-1.0, 0.0, 0.0), (1.0, 1.0, 0.0), *sizes, LENGTH) == pytest.approx(2.0)


@pytest.mark.parametrize("name", SECTIONS)
def test_walls_are_met_from_outside(name):
    distance, _, sizes = SECTIONS[name]
    assert distance((5.0, -7.0, 0.2), (0.0, 1.0, 0.0), *sizes, LENGTH) == pytest.approx(7.0 - W, abs=0.05)
    assert distance((5.0, -7.0, 0.2), (0.0, -1.0, 0.0), *sizes, LENGTH) == NO_HIT
    # Beyond the end of the near wall, the far wall is met from inside.
    slanted = distance((-4.0, -4.0, 0.0), (1.0, 1.0, 0.0), *sizes, LENGTH)
    assert slanted == pytest.approx(4.0 + W)


@pytest.mark.parametrize("name", SECTIONS)
def test_a_nan_stays_one(name):
    distance, _, sizes = SECTIONS[name]
    nan = float("nan")
    assert math.isnan(distance((5.0, nan, nan), (0.0, 1.0, 0.0), *sizes, LENGTH))
    assert math.isnan(distance((5.0, 0.0, 0.0), (0.0, nan, nan), *sizes, LENGTH))


def test_horseshoe_by_hand():
    at = (5.0, 0.5, 0.0)
    spring, floor = W - H, H
    assert tunnels.horseshoe_tunnel_distance(at, (0.0, 1.0, 0.0), W, H, LENGTH) == pytest.approx(1.5)
    assert tunnels.horseshoe_tunnel_distance(at, (0.0, -1.0, 0.0), W, H, LENGTH) == pytest.approx(2.5)
    assert tunnels.horseshoe_tunnel_distance(at, (0.0, 0.0, 1.0), W, H, LENGTH) == pytest.approx(floor)
    up = -spring + math.sqrt(W**2 - 0.5**2)
    assert tunnels.horseshoe_tunnel_distance(at, (0.0, 0.0, -1.0), W, H, LENGTH) == pytest.approx(up)


def test_clearance_outside_is_the_distance_to_the_nearest_point():
    random = np.random.default_rng(5)
    angles = np.linspace(-np.pi / 2, np.pi / 2, 20_001)
    vault = np.stack([W * np.sin(angles), (W - H) - W * np.cos(angles)], axis=1)
    flat = np.linspace(-1.0, 1.0, 20_001)[:, None]
    sides = [np.hstack([s * W + 0 * flat, (W - H + H) / 2 + flat * (H - (W - H)) / 2]) for s in (-1, 1)]
    outline = np.vstack([vault, *sides, np.hstack([flat * W, 0 * flat + H])])
    for y, z in random.uniform(-5.0, 5.0, (300, 2)):
        nearest = np.hypot(*(outline - (y, z)).T).min()
        inside = abs(y) < W and z < H and (z > W - H or math.hypot(y, z - (W - H)) < W)
        found = tunnels.horseshoe_clearance(float(y), float(z), W, H)
        assert found == pytest.approx(nearest if inside else -nearest, abs=2e-4)


@given(three(3.0), directions, three(3.0), reals(0.2, 2.0))
def test_a_sphere_is_met_on_its_surface(origin, direction, center, radius):
    t = rays.sphere_distance(origin, direction, center, radius)
    start = add3(origin, scale3(-1.0, center))
    if t == NO_HIT:
        closest = add3(start, scale3(max(-dot3(start, direction), 0.0), direction))
        assert math.hypot(*start) >= radius
        assert math.hypot(*closest) >= radius * (1.0 - 1e-9)
    else:
        assert math.hypot(*add3(start, scale3(t, direction))) == pytest.approx(radius, abs=1e-7)


@given(three(3.0), directions, reals(0.2, 2.0))
def test_a_cylinder_is_met_on_its_surface(origin, direction, radius):
    t = rays.cylinder_distance(origin, direction, radius)
    inside = math.hypot(origin[1], origin[2]) < radius - 1e-9
    if inside and math.hypot(direction[1], direction[2]) > 1e-3:
        assert t < NO_HIT
    if t < NO_HIT:
        _, y, z = add3(origin, scale3(t, direction))
        assert t >= 0.0
        assert math.hypot(y, z) == pytest.approx(radius, abs=1e-6)


@given(three(3.0), directions, directions, reals(-3.0, 3.0))
def test_a_plane_is_met_in_it(origin, direction, normal, offset):
    t = rays.plane_distance(origin, direction, normal, offset)
    if t < NO_HIT and t < 1e6:
        assert dot3(normal, add3(origin, scale3(t, direction))) == pytest.approx(offset, abs=1e-6)


def test_slab_from_inside_and_outside():
    assert rays.slab_distance(0.5, 2.0, 1.5) == 0.5
    assert rays.slab_distance(0.5, -1.0, 1.5) == 2.0
    assert rays.slab_distance(-4.0, 1.0, 1.5) == 2.5
    assert rays.slab_distance(4.0, 1.0, 1.5) == NO_HIT
    assert rays.slab_distance(0.5, 0.0, 1.5) == NO_HIT


@given(reals(-0.5, 1.5), reals(-0.5, 1.5), directions)
def test_a_triangle_is_met_inside_its_corners(a, b, direction):
    corners = ((0.0, 0.0, 2.0), (1.5, 0.2, 2.5), (0.3, 1.0, 1.5))
    assume(min(abs(a), abs(b), abs(1.0 - a - b)) > 1e-6)
    sides = [add3(corners[i], scale3(-1.0, corners[0])) for i in (1, 2)]
    target = add3(corners[0], add3(scale3(a, sides[0]), scale3(b, sides[1])))
    normal = np.cross(*sides)
    assume(abs(np.dot(normal, direction)) > 1e-3)
    t = rays.triangle_distance(add3(target, scale3(-2.0, direction)), direction, *corners)
    if a > 0.0 and b > 0.0 and a + b < 1.0:
        assert t == pytest.approx(2.0, abs=1e-9)
    else:
        assert t == NO_HIT
    assert rays.triangle_distance(add3(target, direction), direction, *corners) == NO_HIT


def test_a_ray_in_the_plane_of_a_triangle_passes():
    corners = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    assert rays.triangle_distance((-1.0, 0.2, 0.0), (1.0, 0.0, 0.0), *corners) == NO_HIT


@pytest.mark.parametrize("name", SECTIONS)
def test_compiled_symbolic_and_arrays_agree_with_plain(name):
    assert remora.plant.registration
    distance, _, sizes = SECTIONS[name]
    random = np.random.default_rng(7)
    origins = random.uniform((0.0, -1.5, -1.5), (LENGTH, 1.5, 1.5), (200, 3))
    looks = random.normal(size=(200, 3))
    looks[:4] = ((1, 0, 0), (0, 1, 0), (0, 0, -1), (-1, 0, 0))
    plain = [
        distance(tuple(o), tuple(d), *sizes, LENGTH) for o, d in zip(origins.tolist(), looks.tolist(), strict=True)
    ]

    @numba.njit(error_model="numpy")
    def compiled(origin, direction, *sizes):
        return distance(origin, direction, *sizes)

    machine = [
        compiled(tuple(o), tuple(d), *sizes, LENGTH) for o, d in zip(origins.tolist(), looks.tolist(), strict=True)
    ]
    arrays = distance(tuple(origins.T), tuple(looks.T), *sizes, LENGTH)
    o, d = casadi.SX.sym("o", 3), casadi.SX.sym("d", 3)
    symbol = casadi.Function("ray", [o, d], [distance((o[0], o[1], o[2]), (d[0], d[1], d[2]), *sizes, LENGTH)])
    symbols = [float(symbol(o, d)) for o, d in zip(origins, looks, strict=True)]
    for found in (machine, arrays, symbols):
        np.testing.assert_allclose(found, plain, rtol=1e-9, atol=1e-9)


ROOTS = [(1.0, -3.0, 8.0), (1.0, 0.0, -4.0), (1.0, 3.0, 8.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (1e-12, 1.0, -1.0)]


@pytest.mark.parametrize(("a", "b", "c"), ROOTS)
def test_roots_are_ordered_and_ahead(a, b, c):
    near, far = rays.quadratic_distances(a, b, c)
    assert 0.0 <= near <= far
    for t in (near, far):
        assert t == NO_HIT or a * t * t + 2.0 * b * t + c == pytest.approx(0.0, abs=1e-9)


@given(st.floats(1e-9, 1e-3))
def test_a_start_close_to_the_wall_loses_no_digits(gap):
    """A nanometre before the wall the distance is as exact as the place of the start."""
    assert rays.cylinder_distance((0.0, 4.0 - gap, 0.0), (0.0, 1.0, 0.0), 4.0) == pytest.approx(gap, abs=1e-14)
