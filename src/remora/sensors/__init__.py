"""Sensor models with noise, bias, drift, latency, dropout and quantisation.

`make_sensor` builds one from a vehicle file or a mapping; `docs/sensors.md` lists kinds and parameters.
"""

from remora.messages.measured_quantities import MeasuredQuantity, selected
from remora.messages.reading import Reading, ReadingArrays, SensorChannel, Status
from remora.messages.truth import Mount, Truth, make_mount
from remora.sensors.compiled_measurement import CompiledMeasurement
from remora.sensors.environment import Environment, OpenWater
from remora.sensors.error_ranges import ErrorRange, Unchecked
from remora.sensors.errors.error_model import ChannelGroup
from remora.sensors.errors.streams import Stream
from remora.sensors.errors.wrappers import WithBias, WithClockJump, WithDropout, WithFreeze, WithGarbage, WithOutage
from remora.sensors.kind import SensorComponents, SensorKind, SensorKindError
from remora.sensors.kinds.inertial import GRADES, InertialGrade, inertial_grade
from remora.sensors.library import make_sensor, make_sensors
from remora.sensors.recorded_motion import RecordedMotion, motion_of_log, recorded_motion
from remora.sensors.recorded_suite import RecordedSuite
from remora.sensors.registry import KINDS, UnknownKindError, find_kind
from remora.sensors.sensor import Description, Effect, Instrument, Latency, Measurement, Sensor, SensorError

__all__ = [
    "GRADES",
    "KINDS",
    "ChannelGroup",
    "CompiledMeasurement",
    "Description",
    "Effect",
    "Environment",
    "ErrorRange",
    "InertialGrade",
    "Instrument",
    "Latency",
    "MeasuredQuantity",
    "Measurement",
    "Mount",
    "OpenWater",
    "Reading",
    "ReadingArrays",
    "RecordedMotion",
    "RecordedSuite",
    "Sensor",
    "SensorChannel",
    "SensorComponents",
    "SensorError",
    "SensorKind",
    "SensorKindError",
    "Status",
    "Stream",
    "Truth",
    "Unchecked",
    "UnknownKindError",
    "WithBias",
    "WithClockJump",
    "WithDropout",
    "WithFreeze",
    "WithGarbage",
    "WithOutage",
    "find_kind",
    "inertial_grade",
    "make_mount",
    "make_sensor",
    "make_sensors",
    "motion_of_log",
    "recorded_motion",
    "selected",
]
