"""Offsets from the middle of a tunnel, from four echosounders by their names."""

from typing import NamedTuple

from remora.files.did_you_mean import suggestion
from remora.messages.part import PartInput
from remora.messages.part_options import PartError, PartOptions, VehicleContext
from remora.navigation.tunnel_offsets import EchoOffsets, echo_offsets


class EchoOptions(PartOptions):
    """The echosounders that look to the sides, up and down."""

    starboard: str = "echo_starboard"
    port: str = "echo_port"
    up: str = "echo_up"
    down: str = "echo_down"


class Echosounders(NamedTuple):
    """Names of four sensors."""

    starboard: str
    port: str
    up: str
    down: str

    def offsets(self, now: PartInput) -> EchoOffsets:
        """The offsets of the latest readings; None while one of a pair has no echo or has not been heard yet."""
        return echo_offsets(*(self._distance(now, name) for name in self))

    @staticmethod
    def _distance(now: PartInput, name: str) -> float | None:
        reading = now.readings.get(name)
        return None if reading is None else reading.values[0]


def echosounders(options: EchoOptions, onboard: VehicleContext) -> Echosounders:
    """The four of a vehicle; PartError when it does not carry one of them."""
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
