"""What stops a run, in words."""

from remora.equations.packed import ENVELOPE_START
from remora.kernels.loops import BODY_SIZE, Array
from remora.kernels.pack import DEGREES_OF_FREEDOM, NO_LIMIT, PackedVehicle


class RunError(RuntimeError):
    """A run that cannot go on: what happened, to which number, and when."""

    def __init__(self, what: str, time: float, vehicle: int = 0) -> None:
        super().__init__(f"{what}, before {time:.9g} s")
        self.what = what
        self.time = time  # s since the start of the call
        self.vehicle = vehicle

    def __reduce__(self) -> tuple[type["RunError"], tuple[str, float, int]]:
        return (type(self), (self.what, self.time, self.vehicle))


def failure(packed: PackedVehicle, state: Array, time: float, vehicle: int) -> RunError:
    """What went wrong in a state that the kernel refused."""
    speeds, limits = state[7:BODY_SIZE], packed.row[ENVELOPE_START : ENVELOPE_START + 6]
    for name, speed, limit in zip(DEGREES_OF_FREEDOM, speeds, limits, strict=True):
        if limit < NO_LIMIT and abs(speed) > limit:
            what = f"{name} speed {speed:.4g} left the envelope of {limit:.4g} in which this vehicle's numbers hold"
            return RunError(what, time, vehicle)
    names = [name for name, speed in zip(DEGREES_OF_FREEDOM, speeds, strict=True) if not abs(speed) < NO_LIMIT]
    if not names:
        return RunError("the adaptive step became too small to go on: loosen its tolerances", time, vehicle)
    what = f"{', '.join(names)} is no longer a finite number (try a shorter step, or look for a force that grows)"
    return RunError(what, time, vehicle)
