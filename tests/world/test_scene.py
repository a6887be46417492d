"""Beds, obstacles and tunnels as rays and touching points see them, against brute force."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from remora.equations.algebra.vectors import add3, dot3, scale3, subtract3
from remora.equations.geometry.solids import triangle_point
from remora.world import Horseshoe, Rectangle, Round, Tunnel
from remora.world.ground.beds import FlatBed, ProfileBed
from remora.world.ground.grid_bed import GridBed
from remora.world.ground.obstacles import Ball, Box, Pipe
from remora.world.scene import Scene, unit
from sample_features import reals, three

RANDOM = np.random.default_rng(4)
GRID = GridBed((-10.0, -4.0, 0.0, 3.0, 10.0), (-8.0, -2.0, 1.0, 8.0), 10.0 + RANDOM.uniform(-1.5, 1.5, (5, 4)))
PROFILE = ProfileBed((0.0, 5.0, 8.0, 20.0), (8.0, 10.0, 7.0, 12.0), start=(1.0, -2.0), heading=0.8)
BEDS = {"flat": FlatBed(9.0), "profile": PROFILE, "grid": GRID}
OBSTACLES = {
    "box": Box("box", (1.0, 2.0, 5.0), (4.0, 2.0, 1.0), heading=0.5, slope=0.2),
    "pipe": Pipe("pipe", (-3.0, 0.0, 4.0), (2.0, 4.0, 6.0), 0.7),
    "ball": Ball("ball", (0.5, -1.0, 5.0), 1.3),
}
SECTIONS = (Rectangle(8.0, 6.0), Round(5.0), Horseshoe(4.0, 5.0))
directions = three(1.0).filter(lambda d: math.hypot(*d) > 0.1).map(unit)


def first_sign_change(gap, start, direction, furthest=40.0, steps=1600):
    """Where a gap along a ray first becomes negative, by small steps and bisection; None when it never does."""
    far = np.linspace(0.0, furthest, steps)
    values = [gap(add3(start, scale3(t, direction))) for t in far]
    for t, low, high in zip(far[1:], values[:-1], values[1:], strict=True):
        if low is not None and high is not None and low >= 0.0 > high:
            a, b = t - far[1], t
            for _ in range(60):
                middle = 0.5 * (a + b)
                a, b = (middle, b) if gap(add3(start, scale3(middle, direction))) >= 0.0 else (a, middle)
            return a
    return None


@pytest.mark.parametrize("name", BEDS)
def test_rays_meet_the_bed_where_small_steps_do(name):
    bed, found = BEDS[name], 0

    def gap(p):
        depth = bed.depth_at(p[0], p[1])
        return None if depth is None else depth - p[2]

    random = np.random.default_rng(8)
    for _ in range(30):
        start = tuple(random.uniform((-9.0, -7.0, 3.0), (9.0, 7.0, 8.0)).tolist())
        direction = unit(random.normal((0.0, 0.0, 0.8), 1.0))
        if gap(start) is None or gap(start) < 0.0:
            continue
        expected, met = first_sign_change(gap, start, direction), bed.distance(start, direction)
        if expected is None:
            assert met is None or met > 39.0
        else:
            found += 1
            assert met == pytest.approx(expected, abs=1e-6)
    assert found > 10


@pytest.mark.parametrize("name", BEDS)
def test_the_nearest_point_of_a_bed_is_the_nearest_of_many(name):
    """Against a fine cover of the bed: never farther than the best of it, and no nearer than its spacing allows."""
    bed = BEDS[name]
    n, e = np.meshgrid(np.linspace(-10.0, 10.0, 161), np.linspace(-8.0, 8.0, 129), indexing="ij")
    cover = np.array([[a, b, bed.depth_at(a, b)] for a, b in zip(n.ravel(), e.ravel(), strict=True)])
    random = np.random.default_rng(5)
    for _ in range(30):
        point = tuple(random.uniform((-5.0, -4.0, 5.0), (5.0, 4.0, 12.0)).tolist())
        near = bed.nearest(point)
        best = np.sqrt(np.min(np.sum((cover - point) ** 2, axis=1)))
        assert best - 0.15 < abs(near.distance) <= best + 1e-9
        depth = bed.depth_at(point[0], point[1])
        assert (near.distance > 0.0) == (depth > point[2])
        foot = subtract3(point, scale3(near.distance, near.normal))
        assert bed.depth_at(foot[0], foot[1]) == pytest.approx(foot[2], abs=1e-9)
        assert math.hypot(*near.normal) == pytest.approx(1.0)
        assert bed.nearest(point, abs(near.distance) + 1e-6) == near
        if near.distance > 0.0:
            assert bed.nearest(point, near.distance - 1e-6) is None


@pytest.mark.parametrize("name", BEDS)
def test_normals_of_a_bed_follow_its_slope(name):
    bed = BEDS[name]
    for place in ((0.3, 0.2), (5.1, -3.3), (-7.7, 6.1), (4.4, 1.9)):
        h = 1e-6
        ahead = (bed.depth_at(place[0] + h, place[1]), bed.depth_at(place[0], place[1] + h))
        behind = (bed.depth_at(place[0] - h, place[1]), bed.depth_at(place[0], place[1] - h))
        slopes = [(a - b) / (2.0 * h) for a, b in zip(ahead, behind, strict=True)]
        on_it = (*place, bed.depth_at(*place))
        assert bed.nearest(on_it).normal == pytest.approx(unit((*slopes, -1.0)), abs=1e-8)


def test_no_ray_slips_through_a_grid_at_its_nodes_and_edges():
    """Straight down, slanting and along the grid lines, exactly through nodes and diagonals."""
    for n in GRID.norths[:-1]:
        for e in GRID.easts[:-1]:
            assert GRID.distance((n, e, 0.0), (0.0, 0.0, 1.0)) == pytest.approx(GRID.depth_at(n, e))
            for direction in ((1.0, 0.0, 2.0), (0.0, 1.0, 2.0), (0.01, 0.01, 2.0)):
                start = subtract3((n, e, GRID.depth_at(n, e)), scale3(1.5, unit(direction)))
                if GRID.depth_at(start[0], start[1]) is not None:
                    assert GRID.distance(start, unit(direction)) is not None


def test_there_is_no_bed_outside_a_grid_or_where_nothing_is_known():
    holed = np.array(GRID.depths)
    holed[0, 0] = np.nan
    bed = GridBed(GRID.norths, GRID.easts, holed)
    assert bed.depth_at(-9.0, -7.0) is None
    assert bed.depth_at(50.0, 0.0) is None
    assert bed.distance((50.0, 0.0, 0.0), (0.0, 0.0, 1.0)) is None
    assert bed.distance((-9.0, -7.0, 0.0), (0.0, 0.0, 1.0)) is None
    assert bed.distance((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)) is None
    assert bed.nearest((50.0, 0.0, 9.0), 5.0) is None
    # From outside a ray may come in and meet it; from below nothing is met.
    assert bed.distance((-20.0, 0.0, 0.0), unit((1.0, 0.0, 0.5))) is not None
    assert bed.distance((0.0, 0.0, 20.0), (0.0, 0.0, -1.0)) is None
    assert bed.distance((0.0, 0.0, 20.0), unit((0.5, 0.0, -1.0))) is None


@pytest.mark.parametrize("kind", BEDS)
@pytest.mark.parametrize("direction", [(0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (0.6, 0.0, 0.8), (1.0, 0.0, 0.0)])
def test_from_below_no_ray_meets_a_bed(kind, direction):
    assert BEDS[kind].distance((0.0, 0.0, 20.0), direction) is None


def test_beyond_its_ends_a_profile_is_level():
    bed = ProfileBed((0.0, 10.0), (5.0, 8.0))
    assert (bed.depth_at(-100.0, 7.0), bed.depth_at(100.0, -7.0)) == (5.0, 8.0)
    assert bed.distance((50.0, 0.0, 2.0), unit((1.0, 0.0, 1.0))) == pytest.approx(6.0 * math.sqrt(2.0))
    assert bed.distance((50.0, 0.0, 2.0), (1.0, 0.0, 0.0)) is None
    assert bed.distance((5.0, 0.0, 7.0), (0.0, 0.0, 1.0)) is None  # in the ground
    assert bed.nearest((1000.0, 3.0, 7.0)).distance == pytest.approx(1.0)


@given(three(3.0), three(1.0), three(1.0), three(1.0))
def test_no_point_of_a_triangle_is_nearer_than_the_nearest(point, a, b, c):
    found = np.array(triangle_point(point, a, b, c))
    best = np.linalg.norm(found - point)
    u, v = np.meshgrid(np.linspace(0.0, 1.0, 9), np.linspace(0.0, 1.0, 9))
    u, v = u[u + v <= 1.0], v[u + v <= 1.0]
    grid = np.array(a) + np.outer(u, subtract3(b, a)) + np.outer(v, subtract3(c, a))
    assert best <= np.min(np.linalg.norm(grid - point, axis=1)) + 1e-9
    # It lies in the triangle: no corner direction separates it.
    corners = np.array([a, b, c])
    for direction in (*np.eye(3), *RANDOM.normal(size=(5, 3))):
        assert np.min(corners @ direction) - 1e-7 <= found @ direction <= np.max(corners @ direction) + 1e-7


@pytest.mark.parametrize("name", OBSTACLES)
def test_rays_meet_obstacles_where_the_signed_distance_is_zero(name):
    obstacle = OBSTACLES[name]

    @given(three(8.0), directions)
    @settings(max_examples=150, deadline=None)
    def met(start, direction):
        start = add3(start, (0.0, 0.0, 5.0))
        inside = obstacle.nearest(start).distance < 0.0
        hit = obstacle.distance(start, direction)
        if hit < math.inf:
            assert obstacle.nearest(add3(start, scale3(hit, direction))).distance == pytest.approx(0.0, abs=1e-9)
        else:
            assert not inside
        # On the way nothing is met: the sign stays.
        for share in np.linspace(0.01, 0.99, 25):
            there = add3(start, scale3(share * min(hit, 30.0), direction))
            gap = obstacle.nearest(there).distance
            assert gap <= 1e-9 if inside else gap >= -1e-9

    met()


@pytest.mark.parametrize("name", OBSTACLES)
def test_the_way_out_of_an_obstacle_ends_on_its_surface(name):
    obstacle = OBSTACLES[name]

    @given(three(4.0))
    def out(point):
        point = add3(point, (0.0, 0.0, 5.0))
        near = obstacle.nearest(point)
        foot = subtract3(point, scale3(near.distance, near.normal))
        assert math.hypot(*near.normal) == pytest.approx(1.0)
        assert obstacle.nearest(foot).distance == pytest.approx(0.0, abs=1e-9)
        # No surface is nearer: a signed distance changes no faster than the way.
        for direction in ((0.01, 0.0, 0.0), (0.0, -0.01, 0.0), (0.0, 0.0, 0.01), scale3(-0.01, near.normal)):
            assert abs(obstacle.nearest(add3(point, direction)).distance - near.distance) <= 0.01 + 1e-9

    out()


def test_a_pipe_lies_between_its_ends():
    pipe = Pipe("pipe", (0.0, 0.0, 0.0), (0.0, 10.0, 0.0), 0.5)
    above = pipe.nearest((0.0, 5.0, -2.0))
    assert (above.distance, *above.normal) == pytest.approx((1.5, 0.0, 0.0, -1.0))
    assert pipe.nearest((0.0, -3.0, 0.0)).distance == pytest.approx(3.0)
    assert pipe.distance((0.0, -3.0, 0.2), (0.0, 1.0, 0.0)) == pytest.approx(3.0)
    assert pipe.distance((0.0, -3.0, 0.6), (0.0, 1.0, 0.0)) == math.inf
    upright = Pipe("pile", (1.0, 1.0, 10.0), (1.0, 1.0, 0.0), 0.3)
    assert upright.distance((-2.0, 1.0, 5.0), (1.0, 0.0, 0.0)) == pytest.approx(2.7)


def test_a_scene_gives_the_first_of_all_things():
    scene = Scene((Tunnel(Round(60.0), (-50.0, 0.0, 0.0), length=100.0),), FlatBed(9.0), tuple(OBSTACLES.values()))
    random = np.random.default_rng(2)
    for _ in range(200):
        start, direction = tuple(random.uniform(-6.0, 6.0, 3).tolist()), unit(random.normal(size=3))
        hits = [thing.distance(start, direction) for thing in (*scene.tunnels, scene.bed, *scene.obstacles)]
        hits = [hit for hit in hits if hit is not None and hit < math.inf]
        first = scene.distance(start, direction)
        assert first == (pytest.approx(min(hits), abs=1e-9) if hits else None)
        near = scene.nearest(start)
        walls = [wall.distance for wall in scene.tunnels[0].nearest_walls(start, math.inf)]
        gaps = [scene.bed.nearest(start).distance, *walls, *(o.nearest(start).distance for o in scene.obstacles)]
        assert near.nearest.distance == min(gaps)
    assert scene.altitude((20.0, 20.0, 2.0)) == 7.0
    assert Scene().distance((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)) is None
    assert Scene().altitude((0.0, 0.0, 0.0)) is None
    assert Scene().nearest((0.0, 0.0, 0.0)) is None
    assert scene.nearest((20.0, 20.0, 0.0), 0.5) is None


@pytest.mark.parametrize(
    "section", [Rectangle(8.0, 6.0), Round(5.0), Horseshoe(4.0, 5.0)], ids=lambda s: type(s).__name__
)
def test_walls_of_a_tunnel_are_as_far_as_its_clearance(section):
    tunnel = Tunnel(section, (5.0, 6.0, 7.0), 0.3, 0.1, 50.0)

    @given(reals(1.0, 49.0), st.floats(-0.999, 0.999), st.floats(-0.999, 0.999))
    def as_far(along, across, down):
        width, height = section.size
        point = tunnel.point(along, 0.5 * width * across, 0.5 * height * down)
        if not tunnel.is_inside(point):
            return
        walls = tunnel.nearest_walls(point, math.inf)
        nearest = min(walls)
        assert nearest.distance == pytest.approx(tunnel.clearance(point), abs=1e-9)
        assert dot3(nearest.normal, tunnel.direction) == pytest.approx(0.0, abs=1e-12)
        further = add3(point, scale3(1e-6, nearest.normal))
        if math.hypot(across, down) > 0.01 and (len(walls) == 1 or sorted(walls)[1].distance - nearest.distance > 1e-3):
            assert tunnel.clearance(further) >= tunnel.clearance(point)
        assert all(wall.distance <= 0.5 for wall in tunnel.nearest_walls(point, 0.5))

    as_far()
    assert tunnel.nearest_walls(tunnel.point(-1.0), math.inf) == ()
    assert tunnel.nearest_walls(tunnel.point(5.0, 100.0), 1.0) == ()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: FlatBed(math.nan), "depth of the bed"),
        (lambda: ProfileBed((0.0, 0.0), (1.0, 2.0)), "growing"),
        (lambda: ProfileBed((0.0,), (1.0, 2.0)), "one depth for each"),
        (lambda: GridBed((0.0,), (0.0, 1.0), [[1.0, 1.0]]), "1 norths"),
        (lambda: GridBed((0.0, 1.0), (0.0, 1.0), [[1.0, 1.0]]), r"give \(2, 2\)"),
        (lambda: GridBed((0.0, 1.0), (0.0, 1.0), np.full((2, 2), np.nan)), "finite"),
        (lambda: Box("box", (0.0, 0.0, 0.0), (1.0, 0.0, 1.0)), "sizes of box"),
        (lambda: Pipe("pipe", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0), "sizes of pipe"),
        (lambda: Ball("ball", (0.0, math.inf, 0.0), 1.0), "place of ball"),
        (lambda: Scene().distance((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), "vector with a length"),
        (lambda: Scene().distance((math.nan, 0.0, 0.0), (0.0, 0.0, 1.0)), "NaN"),
    ],
)
def test_bad_scenes_are_refused_in_words(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize("bed", [FlatBed(9.0), ProfileBed((0.0, 20.0), (8.0, 10.0)), None])
def test_many_rays_are_many_single_rays(bed):
    """All rays at once over a tunnel, a bed and an obstacle, from above the bed and from below it."""
    scene = Scene((Tunnel(Round(4.0), (-5.0, 0.0, 5.0), length=20.0),), bed, (Ball("buoy", (3.0, 1.0, 6.0), 0.5),))
    directions = np.random.default_rng(3).normal(size=(60, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    for origin in ((0.0, 0.0, 5.0), (1.0, 8.0, 7.0), (0.0, 9.0, 12.0)):
        single = [scene.distance(origin, direction) for direction in directions.tolist()]
        expected = [np.inf if distance is None else distance for distance in single]
        np.testing.assert_allclose(scene.distances(origin, directions), expected, rtol=1e-12)


def test_a_scene_passes_over_nothing_that_is_in_reach():
    """Surfaces that cannot be in reach are not looked at; all others are found as without that."""
    scene, random, found = Scene((), PROFILE, tuple(OBSTACLES.values())), np.random.default_rng(3), 0
    for reach in (0.1, 0.5, 2.0):
        for n, e, d in random.uniform((-6.0, -6.0, 2.0), (12.0, 12.0, 11.0), (400, 3)).tolist():
            expected = {one.name: one.nearest((n, e, d)) for one in OBSTACLES.values()}
            expected |= {"bed": PROFILE.nearest((n, e, d))}
            expected = {name: near for name, near in expected.items() if near.distance <= reach}
            touched = {one.name: one.nearest for one in scene.touched((n, e, d), reach)}
            assert touched == expected
            found += len(touched)
    assert found > 200
