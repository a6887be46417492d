"""Tunnels: rays to their walls, clearance, inside and outline, wherever they are placed."""

import math

import numpy as np
import pytest
from hypothesis import given

from remora.equations.algebra.quaternions import normalize, rotation_matrix
from remora.equations.algebra.vectors import add3, matvec3, scale3
from remora.world import Horseshoe, Rectangle, Round, Tunnel
from sample_features import reals, three

SECTIONS = (Rectangle(8.0, 6.0), Round(5.0), Horseshoe(4.0, 5.0))
LOOKS = ((0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0), (0.0, 0.0, 1.0))


def test_first_readings_of_the_simu2vita_mission():
    """S2V-11: 2.793, 4.855, 2.905 and 5.041 m from the faces of a tilted cube of 0.6 m."""
    tunnel = Tunnel(Rectangle(8.0, 8.0), length=100.0)
    R = rotation_matrix(normalize((0.9764, -0.0199, 0.1776, 0.1209)))
    rays = [matvec3(R, look) for look in LOOKS]
    readings = [tunnel.distance(add3((3.0, 1.0, -1.0), scale3(0.3, ray)), ray) for ray in rays]
    assert readings == pytest.approx([2.793, 4.855, 2.905, 5.041], abs=0.0005)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda s: type(s).__name__)
def test_a_tunnel_moved_and_turned_gives_the_same(section):
    home = Tunnel(section, length=50.0)

    @given(three(20.0), reals(-7.0, 7.0), reals(-1.2, 1.2), three(2.0), three(1.0))
    def same(start, heading, slope, place, look):
        if math.hypot(*look) < 0.1:
            return
        moved = Tunnel(section, start, heading, slope, 50.0)
        point = (25.0 + place[0], 0.5 * place[1], 0.5 * place[2])
        there = moved.point(*point)
        first, second = home.distance(point, look), moved.distance(there, matvec3(moved.R_NT, look))
        assert (first is None) == (second is None)
        if first is not None:
            assert second == pytest.approx(first, abs=1e-9 * (1.0 + first**2))
        assert moved.clearance(there) == pytest.approx(home.clearance(point), abs=1e-9)
        assert moved.is_inside(there) == home.is_inside(point)

    same()


def test_heading_and_slope_point_the_tunnel():
    tunnel = Tunnel(Round(4.0), (1.0, 2.0, 3.0), math.radians(90.0), math.radians(30.0), 10.0)
    end = tunnel.point(10.0)
    assert end == pytest.approx((1.0, 2.0 + 10.0 * math.cos(math.pi / 6), 3.0 - 5.0))  # east and up
    assert tunnel.direction == pytest.approx((0.0, math.cos(math.pi / 6), -0.5))
    assert tunnel.in_tunnel_axes(end) == pytest.approx((10.0, 0.0, 0.0))


def test_a_direction_of_any_length_gives_metres():
    tunnel = Tunnel(Rectangle(8.0, 8.0))
    assert tunnel.distance((0.0, 1.0, 0.0), (0.0, 10.0, 0.0)) == 3.0
    assert tunnel.distance(np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.1, 0.0])) == pytest.approx(3.0)


def test_no_wall_is_none():
    tunnel = Tunnel(Rectangle(8.0, 8.0), length=10.0)
    assert tunnel.distance((5.0, 0.0, 0.0), (1.0, 0.1, 0.0)) is None
    assert tunnel.distance((5.0, 0.0, 0.0), (1.0, 0.0, 0.0)) is None
    assert tunnel.distance((5.0, 0.0, 0.0), (1.0, 1.0, 0.0)) == pytest.approx(math.sqrt(32.0))


@pytest.mark.parametrize("section", SECTIONS, ids=lambda s: type(s).__name__)
def test_the_outline_lies_on_the_wall_and_is_closed(section):
    tunnel = Tunnel(section, (5.0, 6.0, 7.0), 0.3, 0.1, 50.0)
    outline = tunnel.outline(20.0)
    assert outline[0] == pytest.approx(outline[-1])
    for point in outline:
        assert tunnel.clearance(point) == pytest.approx(0.0, abs=1e-9)
    across, down = np.array(section.outline(200)).T
    assert np.ptp(across) == pytest.approx(section.size[0], rel=1e-3)
    assert np.ptp(down) == pytest.approx(section.size[1], rel=1e-3)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda s: type(s).__name__)
def test_inside_and_outside(section):
    tunnel = Tunnel(section, length=50.0)
    assert tunnel.is_inside((1.0, 0.0, 0.0))
    assert tunnel.clearance((1.0, 0.0, 0.0)) == pytest.approx(0.5 * min(section.size))
    assert not tunnel.is_inside((-1.0, 0.0, 0.0))
    assert not tunnel.is_inside((51.0, 0.0, 0.0))
    assert not tunnel.is_inside((1.0, 0.0, 10.0))
    assert tunnel.clearance((1.0, 0.0, 10.0)) == pytest.approx(0.5 * section.size[1] - 10.0)


def test_a_low_horseshoe_is_half_a_circle():
    vault, circle = Tunnel(Horseshoe(4.0, 2.0)), Tunnel(Round(4.0))
    for angle in np.linspace(-1.5, 1.5, 31):
        up = (0.0, math.sin(angle), -math.cos(angle))
        # The middle of the half circle is one metre above its floor; its centre is on the floor.
        assert vault.distance((0.0, 0.0, 1.0 - 1e-12), up) == pytest.approx(circle.distance((0.0, 0.0, 0.0), up))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Rectangle(0.0, 3.0), "width of a tunnel is 0.0"),
        (lambda: Rectangle(3.0, math.nan), "height of a tunnel is nan"),
        (lambda: Round(-1.0), "diameter"),
        (lambda: Horseshoe(4.0, 1.9), "make it higher or narrower"),
        (lambda: Tunnel(Round(2.0), length=0.0), "length"),
        (lambda: Tunnel(Round(2.0), slope=1.6), "slope"),
        (lambda: Tunnel(Round(2.0), start=(0.0, math.inf, 0.0)), "finite"),
        (lambda: Tunnel(Round(2.0)).distance((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), "vector with a length"),
        (lambda: Tunnel(Round(2.0)).distance((0.0, 0.0, 0.0), (0.0, math.nan, 0.0)), "direction"),
        (lambda: Tunnel(Round(2.0)).distance((0.0, math.nan, 0.0), (0.0, 1.0, 0.0)), "NaN"),
    ],
)
def test_bad_input_is_refused_in_words(make, words):
    with pytest.raises(ValueError, match=words):
        make()
