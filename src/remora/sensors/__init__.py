"""Sensors: what they would read, spoiled by noise, bias, drift, latency, dropout and quantisation.

`make_sensor` builds one from a vehicle file or a mapping; `docs/sensors.md` lists kinds and figures.
"""

from remora.messages.reading import Channel, Reading, Status
from remora.messages.truth import Mount, Truth, mount
from remora.sensors.grades import GRADES, InertialGrade, inertial_grade
from remora.sensors.library import make_sensor, make_sensors
from remora.sensors.sensor import Description, Effect, Instrument, Latency, Measurement, Sensor, SensorError
from remora.sensors.streams import Stream
from remora.sensors.surroundings import OpenWater, Surroundings
from remora.sensors.wrappers import WithBias, WithClockJump, WithDropout, WithFreeze, WithGarbage, WithOutage

__all__ = [
    "GRADES",
    "Channel",
    "Description",
    "Effect",
    "InertialGrade",
    "Instrument",
    "Latency",
    "Measurement",
    "Mount",
    "OpenWater",
    "Reading",
    "Sensor",
    "SensorError",
    "Status",
    "Stream",
    "Surroundings",
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
