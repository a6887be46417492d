"""Where a vehicle tells what happens to it in a run; `listening` writes it into a log."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from remora.logs.schema import Level
from remora.messages.part import Lifecycle
from remora.messages.reading import Reading
from remora.simulation.setup import ScheduledPart


class Listener(NamedTuple):
    """What is told; a run without a log has no listener."""

    reading: Callable[[Reading, int], None]  # and when it was measured, whatever its stamp says
    output: Callable[[ScheduledPart, int, Any], None]
    life: Callable[[ScheduledPart, int, Lifecycle, Lifecycle], None]
    event: Callable[[str, int, Level, str, Mapping[str, Any]], None]
    sample: Callable[[Any, int], None]  # of a `VehicleRun`, which stands above this file
