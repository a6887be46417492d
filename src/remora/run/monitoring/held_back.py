"""What holds a vehicle back: a snagged or taut tether, an object that it touches, or a failed actuator.

Deviations in such a time are no fault of the controller, and their warnings say so.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import final

from remora.files.units import SECOND
from remora.run.faults.actuators import InputEffect, Partial
from remora.run.faults.body import Snag
from remora.run.faults.fault import Fault
from remora.run.monitoring.taut_tethers import TautTethers
from remora.run.plant.external_loads import ExternalLoads
from remora.run.setup import VehicleSetup

LET_GO_NS = 20 * SECOND  # after the end of a snag, in which the vehicle swings back


@final
class HeldBack:
    """The holds on one vehicle at a time."""

    def __init__(self, vehicle: VehicleSetup, external_loads: ExternalLoads, tethers: TautTethers) -> None:
        self._snags = tuple(fault for fault in vehicle.faults if isinstance(fault.effect, Snag))
        broken = (InputEffect, Partial)
        self._failures = tuple(fault for fault in vehicle.faults if isinstance(fault.effect, broken))
        self._external_loads, self._tethers = external_loads, tethers

    def text(self, time_ns: int, body: Sequence[float]) -> str:
        """The holds as text, each with what holds it; empty without any."""
        return "; ".join(self._found(time_ns, body))

    def until_the_end(self, time_ns: int, taut: Iterable[str]) -> str:
        """The holds of a run that ends with some taut tethers, snags that are over included; empty without any."""
        begun = [fault for fault in self._snags if fault.start_ns < time_ns]
        texts = [f"held by a snag of {fault.target} {_times(fault, time_ns)}" for fault in begun]
        texts += [f"{name} is taut" for name in taut if name not in {fault.target for fault in begun}]
        texts += [f"in contact with {name}" for name in self._external_loads.touching]
        return "; ".join([*texts, *self._failed(time_ns - 1)])  # a fault that lasts ends with the run

    def _found(self, time_ns: int, body: Sequence[float]) -> Iterator[str]:
        caught = [fault for fault in self._snags if fault.is_active(time_ns)]
        for fault in caught:
            yield f"held by a snag of {fault.target}, {fault.effect.summary}"
        for fault in self._snags:
            if fault.until_ns <= time_ns <= fault.until_ns + LET_GO_NS:
                yield f"let go by a snag of {fault.target} {_times(fault, time_ns)}"
        if self._tethers.is_needed:
            names = {fault.target for fault in caught}
            for one in self._tethers.found(time_ns, body):
                if one.subject not in names:
                    yield one.text()
        for name in self._external_loads.touching:
            yield f"in contact with {name}"
        yield from self._failed(time_ns)

    def _failed(self, time_ns: int) -> Iterator[str]:
        for fault in self._failures:
            if fault.is_active(time_ns):
                yield f"{fault.target} {fault.effect.summary}"


def _times(fault: Fault, time_ns: int) -> str:
    """When a snag was, up to a time."""
    begin = f"from {1e-9 * fault.start_ns:.6g} s"
    return f"{begin} until {1e-9 * fault.until_ns:.6g} s" if fault.until_ns <= time_ns else f"{begin} on"
