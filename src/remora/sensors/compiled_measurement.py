"""Measurements whose `read` is compiled: the same function runs as plain Python and as machine code, to the same bits.

Such a `read` follows the rules of equations: it calls functions and no methods, uses attributes of `self`, truth and
environment only, and returns equally many values for every status. The fields of the measurement become a row of
numbers.
"""

import math

import numpy as np

from remora.files.arrays import Array, Integers
from remora.sensors.packed_environment import Packable, site_row
from remora.sensors.recorded.samples import Samples
from remora.sensors.sensor import Measurement


class CompiledMeasurement(Measurement):
    """A measurement with a compiled form of `read`. Fields are numbers, tuples, other measurements or None."""

    @property
    def needs_current(self) -> bool:
        """Whether it measures the water at other places than the vehicle."""
        return False

    def sample_all(self, samples: Samples) -> tuple[Integers, Array]:
        """Status and values of many samples, compiled where the environment has a compiled form."""
        from remora.sensors.recorded.machine_code import compiled_form  # loads the compiler

        place = samples.environment.packed() if isinstance(samples.environment, Packable) else None
        kernel = None if place is None else compiled_form(self, place)
        if kernel is None or place is None:
            return super().sample_all(samples)
        motion = samples.motion
        rows = np.hstack([motion.p_NB, motion.q_NB, motion.twist, motion.twist_rate, motion.water_velocity_N])
        status = np.empty(len(samples), dtype=np.int64)
        values = np.full((len(samples), len(self.channels)), math.nan)
        kernel.function(kernel.row, rows, np.array(site_row(place)), place.rows, status, values)
        return status, values
