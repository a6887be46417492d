"""Offsets from the middle of a tunnel, out of four echosounders that look to the sides, up and down.

Gava et al. 2022: e_sw = d_2 - d_1 and e_he = d_3 - d_4, with 1 starboard, 2 port, 3 up and 4 down. In an even section
an aligned vehicle that is e right of and d below the middle reads e_sw = 2 e and e_he = 2 d.
"""

import math
from typing import NamedTuple


class EchoOffsets(NamedTuple):
    """Differences of opposite readings; None while one of the pair has no echo."""

    lateral: float | None  # e_sw, m: positive when the vehicle is right of the middle
    vertical: float | None  # e_he, m: positive when it is below


def echo_offsets(starboard: float | None, port: float | None, up: float | None, down: float | None) -> EchoOffsets:
    """The offsets of four readings in metres, None for no echo; a NaN counts as none."""
    return EchoOffsets(_difference(port, starboard), _difference(up, down))


def _difference(first: float | None, second: float | None) -> float | None:
    if first is None or second is None:
        return None
    difference = first - second
    return difference if math.isfinite(difference) else None
