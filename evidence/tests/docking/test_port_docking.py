"""Judging of docking in six degrees of freedom: contact of boxes, gap of ports, offset of navigation frames."""

import math

import numpy as np
import pytest

from remora.equations.algebra.quaternions import from_euler_zyx
from remora_evidence.studies.modular.port_contact import BodyBox, boxes_touch, port_gap
from remora_evidence.studies.modular.port_docking import BODIES, judged
from remora_evidence.studies.modular.port_rendezvous import SIDE, OffsetFilter

CUBE = BodyBox((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))


def state(north=0.0, east=0.0, heading=0.0, sway=0.0):
    return np.array([north, east, 0.0, *from_euler_zyx(0.0, 0.0, heading), 0.0, sway, 0.0, 0.0, 0.0, 0.0])


def turn(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


@pytest.mark.parametrize(
    ("apart", "angle", "touch"), [(0.99, 0.0, True), (1.01, 0.0, False), (1.20, 45.0, True), (1.21, 45.0, False)]
)
def test_boxes_touch_up_to_their_corners(apart, angle, touch) -> None:
    """A cube turned by 45 degrees reaches 0.7071 m from its centre."""
    assert boxes_touch(CUBE, CUBE, np.array([apart, 0.0, 0.0]), turn(math.radians(angle))) is touch


def test_edges_that_cross_are_found_by_their_cross_product() -> None:
    lean = turn(0.0)
    c, s = math.cos(math.radians(45.0)), math.sin(math.radians(45.0))
    lean = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]) @ turn(math.radians(45.0))
    offset = np.array([1.0, 1.0, 0.0]) / math.sqrt(2.0)
    assert boxes_touch(CUBE, CUBE, 1.0 * offset, lean)
    assert not boxes_touch(CUBE, CUBE, 1.8 * offset, lean)


def test_the_gap_of_ports_has_lever_arms_and_speeds() -> None:
    gap = port_gap(BODIES, (state(), state(0.01, 2.0 * SIDE + 0.02, math.radians(3.0), sway=-0.04)))
    assert gap.angle == pytest.approx(math.radians(3.0))
    assert gap.speed == pytest.approx(0.04)
    assert gap.distance == pytest.approx(math.hypot(0.01 + SIDE * math.sin(math.radians(3.0)), 0.02), abs=1e-3)


def test_a_latch_counts_and_contact_before_it_does_not() -> None:
    times = np.array([0.0, 1.0])
    far, latched = state(east=3.0), state(east=2.0 * SIDE + 0.03)
    fast, across = state(east=2.0 * SIDE + 0.03, sway=-0.3), state(0.02, 0.5)
    still = np.array([state(), state()])
    assert judged(times, still, np.array([far, latched])).is_success
    assert judged(times, still, np.array([far, fast])).latched_at is None
    touched = judged(times, still, np.array([across, latched]))
    assert (touched.latched_at, touched.touched_at) == (None, 0.0)


def test_the_offset_of_frames_is_averaged_and_follows_drift() -> None:
    random, offset = np.random.default_rng(0), np.array([0.2, -0.1, 0.03, 0.01])
    found = OffsetFilter()
    for k in range(200):
        found.update(0.1 * k, offset + 0.02 * random.normal(size=4), np.full(4, 0.02))
    assert np.abs(found.offset - offset).max() < 0.02
    assert np.all(found.variance < 0.01**2)
