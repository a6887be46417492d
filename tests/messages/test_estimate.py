"""An estimate says by name which of its quantities are not known."""

import math

import pytest

from remora.messages.estimate import Estimate

KNOWN = Estimate(0, (1.0, 2.0, 3.0), (1.0, 0.0, 0.0, 0.0), (0.1, 0.2, 0.3, 0.4, 0.5, 0.6))
NAN = math.nan


@pytest.mark.parametrize(
    ("changes", "unknown"),
    [
        ({}, ()),
        ({"p_NB": (1.0, 2.0, NAN)}, ("depth",)),
        ({"p_NB": (NAN, 2.0, 3.0)}, ("position",)),
        ({"q_NB": (NAN,) * 4}, ("attitude",)),
        ({"twist": (NAN, 0.0, 0.0, 0.0, 0.0, 0.0)}, ("velocity",)),
        ({"twist": (0.0, 0.0, 0.0, 0.0, 0.0, NAN), "p_NB": (NAN,) * 3}, ("rates", "depth", "position")),
    ],
)
def test_what_is_not_known_is_named(changes, unknown):
    estimate = KNOWN._replace(**changes)
    assert estimate.unknown == unknown
    assert estimate.is_complete == (not unknown)
