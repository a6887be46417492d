"""Error that stops a run, with vehicle, part and time."""

from remora.logs.problems import seconds
from remora.plant.failures import RunError


class LoopError(RuntimeError):
    """A vehicle or one of its parts failed at a time."""

    def __init__(self, what: str, time_ns: int) -> None:
        super().__init__(f"{what}, at {seconds(time_ns)}")
        self.time_ns = time_ns


def vehicle_failure(vehicle: str, error: Exception, time_ns: int) -> LoopError:
    """LoopError for a failure of the plant of a vehicle or of its external loads."""
    what = error.what if isinstance(error, RunError) else str(error)
    return LoopError(f'"{vehicle}": {what}', time_ns)
