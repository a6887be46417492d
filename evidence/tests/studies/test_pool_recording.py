"""nav-robosub: which design flies through a gap of the Doppler log."""

import math

import numpy as np
import pytest

from remora.navigation.parts.filter_options import Pause
from remora_evidence.studies.navigation.pool_recording import gaps_beside, most_likely

SECOND = 1_000_000_000
DRAG = 2  # the last of three designs


def scored(start):
    return Pause("dvl", round(start * SECOND), round((start + 15.0) * SECOND))


def lengths(seconds, start):
    stamps = np.arange(0, round(seconds * SECOND), SECOND // 10)
    gaps = gaps_beside(stamps, scored(start))
    for gap in gaps:
        assert gap.until_ns <= scored(start).from_ns or gap.from_ns >= scored(start).until_ns
        assert np.any((stamps >= gap.from_ns) & (stamps < gap.until_ns))
    return [(gap.until_ns - gap.from_ns) / SECOND for gap in gaps]


def test_gaps_beside_the_scored_one_are_as_long_where_the_recording_is():
    assert lengths(72.0, 5.0) == [15.0, 15.0, 15.0]


@pytest.mark.parametrize("start", [5.0, 12.0, 20.0])
def test_a_short_recording_has_shorter_gaps(start):
    """With gaps of 15 s only, all likelihoods were zero, and the first design, inertial mechanisation, was taken."""
    found = lengths(36.0, start)
    assert found
    assert max(found) <= 15.0


def test_a_recording_without_room_has_none():
    assert lengths(20.5, 5.0) == []


def test_the_largest_finite_likelihood_is_taken_and_drag_where_there_is_none():
    assert most_likely([-3.0, -2.0, -5.0], 2) == 1
    assert most_likely([math.nan, -7.0, -math.inf], 2) == 1
    assert most_likely([math.nan, -math.inf, math.nan], 2) == DRAG
    assert most_likely([0.0, 0.0, 0.0], 0) == DRAG
