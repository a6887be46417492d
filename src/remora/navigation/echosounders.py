"""Offsets from the tunnel axis, from four named echosounders to starboard, port, up and down.

Gava et al. 2022: e_sw = d_2 - d_1 and e_he = d_3 - d_4, with 1 starboard, 2 port, 3 up and 4 down. In a symmetric
section an aligned vehicle e to the right of the axis and d below it reads e_sw = 2 e and e_he = 2 d.
"""

import math
from typing import NamedTuple

from remora.files.did_you_mean import suggestion
from remora.messages.part import PartInput
from remora.messages.part_options import PartError, PartOptions, VehicleContext

LARGEST_AGE_NS = 2_000_000_000  # of a reading


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


class EchoOptions(PartOptions):
    """Names of the echosounders to starboard, port, up and down."""

    starboard: str = "echo_starboard"
    port: str = "echo_port"
    up: str = "echo_up"
    down: str = "echo_down"


class Echosounders(NamedTuple):
    """Names of the four echosounders."""

    starboard: str
    port: str
    up: str
    down: str

    def offsets(self, now: PartInput) -> EchoOffsets:
        """Offsets of the latest readings; None while either of a pair has no echo, or no reading of the last 2 s."""
        return echo_offsets(*(self._distance(now, name) for name in self))

    @staticmethod
    def _distance(now: PartInput, name: str) -> float | None:
        reading = now.readings.get(name)
        is_old = reading is None or now.time_ns - reading.stamp_ns > LARGEST_AGE_NS
        return None if reading is None or is_old else reading.values[0]


def echosounders(options: EchoOptions, onboard: VehicleContext) -> Echosounders:
    """The four echosounders of a vehicle; PartError when one is missing."""
    for side in Echosounders._fields:
        name = getattr(options, side)
        entry = onboard.sensors.get(name)
        if entry is None:
            known = [s.name for s in onboard.sensors.values() if s.kind == "echosounder"]
            hint = suggestion(name, known) if known else "Give the vehicle echosounders under sensors."
            raise PartError(f'needs an echosounder called "{name}" among the sensors of the vehicle. {hint}', side)
        if entry.kind not in ("echosounder", "altimeter"):
            raise PartError(f'"{name}" is of the kind {entry.kind}. Name an echosounder.', side)
    return Echosounders(options.starboard, options.port, options.up, options.down)
