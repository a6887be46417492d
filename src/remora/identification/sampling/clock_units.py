"""Units of clocks: intervals between stamps against a stated rate, or against what is plausible without one."""

from os import PathLike

import numpy as np

from remora.files.arrays import Array
from remora.identification.problems import RecordError

# Shortest and longest plausible interval between stamps, s.
_SLOWEST, _FASTEST = 4.0, 5e-5
# Largest factor between a stated interval and that of the stamps.
_OFF = 3.0


def check_clock(stamps: Array, source: str | PathLike[str], rate: float | None = None) -> None:
    """Refuse stamps in another unit, by an interval that is implausible or contradicts the stated rate.

    Stamps are in s, the rate in Hz; those of one row or none are not judged.
    """
    steps = np.abs(np.diff(stamps))
    usual = float(np.median(steps)) if len(steps) else 0.0
    if rate is not None:
        if usual > 0.0 and not 1.0 / _OFF <= usual * rate <= _OFF:
            message = f"stamps lie {usual:.4g} s apart, but {rate:.4g} Hz are stated, {1.0 / rate:.4g} s"
            raise RecordError(f"{message}. Correct the rate, or name the unit of time, as in COLUMN:ms.", source)
        return
    if usual > _SLOWEST:
        message = f"stamps lie {usual:.4g} s apart: are these milliseconds, or smaller?"
        raise RecordError(f"{message} Name the unit of time, as in time=COLUMN:ms.", source)
    if 0.0 < usual < _FASTEST:
        raise RecordError(f"stamps lie {usual:.4g} s apart: is this the unit of time? Seconds need none.", source)
