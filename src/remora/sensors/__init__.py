"""Sensor models with noise, bias, drift, latency, dropout and quantisation.

`make_sensor` builds one from a vehicle file or a mapping; `docs/sensors.md` lists kinds and parameters.
"""

from remora.messages.reading import Reading, SensorChannel, Status
from remora.messages.truth import Mount, Truth, mount
from remora.sensors.environment import Environment, OpenWater
from remora.sensors.errors.streams import Stream
from remora.sensors.errors.wrappers import WithBias, WithClockJump, WithDropout, WithFreeze, WithGarbage, WithOutage
from remora.sensors.library import make_sensor, make_sensors
from remora.sensors.models.inertial_grades import GRADES, InertialGrade, inertial_grade
from remora.sensors.sensor import Description, Effect, Instrument, Latency, Measurement, Sensor, SensorError

__all__ = [
    "GRADES",
    "Description",
    "Effect",
    "Environment",
    "InertialGrade",
    "Instrument",
    "Latency",
    "Measurement",
    "Mount",
    "OpenWater",
    "Reading",
    "Sensor",
    "SensorChannel",
    "SensorError",
    "Status",
    "Stream",
    "Truth",
    "WithBias",
    "WithClockJump",
    "WithDropout",
    "WithFreeze",
    "WithGarbage",
    "WithOutage",
    "inertial_grade",
    "make_sensor",
    "make_sensors",
    "mount",
]
