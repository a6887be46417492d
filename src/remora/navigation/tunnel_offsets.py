"""Offsets from the tunnel axis, from four echosounders to starboard, port, up and down.

Gava et al. 2022: e_sw = d_2 - d_1 and e_he = d_3 - d_4, with 1 starboard, 2 port, 3 up and 4 down. In a symmetric
section an aligned vehicle e to the right of the axis and d below it reads e_sw = 2 e and e_he = 2 d.
"""

import math
from typing import NamedTuple


class EchoOffsets(NamedTuple):
    """Differences of opposite readings; None while either has no echo."""

    lateral: float | None  # e_sw, m: positive when the vehicle is to the right of the axis
    vertical: float | None  # e_he, m: positive when it is below the axis


def echo_offsets(starboard: float | None, port: float | None, up: float | None, down: float | None) -> EchoOffsets:
    """Offsets from the tunnel axis.

    Parameters
    ----------
    starboard, port, up, down
        Readings, m; None or NaN without an echo.
    """
    return EchoOffsets(_difference(port, starboard), _difference(up, down))


def _difference(first: float | None, second: float | None) -> float | None:
    if first is None or second is None:
        return None
    difference = first - second
    return difference if math.isfinite(difference) else None
