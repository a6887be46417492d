"""Measurements whose `read` is compiled: the same function runs as plain Python and as machine code, to the same bits.

Such a `read` follows the rules of equations: it calls functions and no methods, uses attributes of `self`, truth and
environment only, and returns equally many values for every status. The fields of the measurement become a row of
numbers.
"""

import math
from abc import abstractmethod
from typing import Any, ClassVar, final

import numpy as np

from remora.files.arrays import Array, Integers
from remora.messages.reading import Status, Values, partial_status
from remora.messages.truth import Truth
from remora.sensors.environment import Environment, Packable, Target, site_row
from remora.sensors.recorded_motion import Samples
from remora.sensors.sensor import Measurement

_STATUSES = tuple(Status)  # by their numbers


class CompiledMeasurement(Measurement):
    """A measurement with a compiled form of `read`. Fields are numbers, tuples, other measurements or None."""

    is_long: ClassVar[bool] = False  # whether single samples are quicker by its compiled form
    feels_waves: ClassVar[bool] = False  # whether it measures the pressure of waves; it then runs in Python among them

    @property
    def needs_current(self) -> bool:
        """Whether it measures the water at other places than the vehicle."""
        return False

    def sample_all(self, samples: Samples) -> tuple[Integers, Array]:
        """Status and values of many samples, compiled where the environment has a compiled form."""
        from remora.sensors.machine_code import compiled_form  # loads the compiler

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


class PointsMeasurement(CompiledMeasurement):
    """A compiled measurement of several points, each by itself: partial where some give NaN, without lock where all do.

    `read_point` follows the rules of `read`. Named points run in Python.
    """

    points: tuple[Target, ...]

    @abstractmethod
    def read_point(self, point: Any, truth: Truth, environment: Environment) -> Values:
        """The values of one point; NaN where it cannot be measured."""

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """The values of all points, one after the other."""
        values: Values = ()
        for point in self.points:
            values += self.read_point(point, truth, environment)
        return partial_status(values, Status.NO_LOCK), values


@final
class PreparedMeasurement:
    """Compiled form of a measurement for single samples in an environment that does not change."""

    def __init__(self, measurement: CompiledMeasurement, form: Any, place: Any) -> None:
        self._function, self._row = form.function, form.row
        self._site, self._ground = np.array(site_row(place)), place.rows
        self._status, self._values = np.zeros(1, dtype=np.int64), np.empty((1, len(measurement.channels)))

    def __call__(self, row: Array) -> tuple[Status, Values]:
        """Status and values of a truth.

        One row of numbers: position, attitude, twist, its rate and the velocity of the water, in the order of `Truth`.
        """
        self._function(self._row, row, self._site, self._ground, self._status, self._values)
        return _STATUSES[self._status.item()], tuple(self._values.tolist()[0])


def prepared_measurement(measurement: Any, environment: Any) -> PreparedMeasurement | None:
    """The compiled form for single samples; None where it does not exist or Python is as quick."""
    if not isinstance(measurement, CompiledMeasurement) or not measurement.is_long:
        return None
    from remora.sensors.machine_code import compiled_form  # loads the compiler

    place = environment.packed() if isinstance(environment, Packable) else None
    form = None if place is None else compiled_form(measurement, place)
    return None if form is None else PreparedMeasurement(measurement, form, place)
