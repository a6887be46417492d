"""What stops a run: which vehicle, or which part of it, failed, and when."""

from remora.kernels.failures import RunError
from remora.logs.problems import seconds


class LoopError(RuntimeError):
    """A part of the loop failed: which one, of which vehicle, and when."""

    def __init__(self, what: str, time_ns: int) -> None:
        super().__init__(f"{what}, at {seconds(time_ns)}")
        self.time_ns = time_ns


def vehicle_failure(vehicle: str, error: Exception, time_ns: int) -> LoopError:
    """What the plant of a vehicle, or something that acts on it, could not do."""
    what = error.what if isinstance(error, RunError) else str(error)
    return LoopError(f'"{vehicle}": {what}', time_ns)
