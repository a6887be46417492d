"""Offsets from the tunnel axis, from four named echosounders."""

from typing import NamedTuple

from remora.files.did_you_mean import suggestion
from remora.messages.part import PartInput
from remora.messages.part_options import PartError, PartOptions, VehicleContext
from remora.navigation.tunnel_offsets import EchoOffsets, echo_offsets

LARGEST_AGE_NS = 2_000_000_000  # of a reading


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
