"""Sound-velocity sensors."""

import math
from dataclasses import dataclass
from typing import ClassVar, final

from remora.equations.instruments import point_position
from remora.files.units import SPEED
from remora.messages.reading import SensorChannel, Status, Values
from remora.messages.truth import Mount, Truth
from remora.sensors.compiled_measurement import CompiledMeasurement
from remora.sensors.data_sheet import DataSheet, Mounting
from remora.sensors.environment import Environment
from remora.sensors.error_ranges import ErrorRange
from remora.sensors.errors.error_model import ChannelGroup
from remora.sensors.errors.streams import Stream
from remora.sensors.kind import SensorComponents, SensorKind


@final
@dataclass(frozen=True)
class SoundVelocity(CompiledMeasurement):
    """Speed of sound in the water around the vehicle; no lock out of the water, out of range beyond its limits."""

    mount: Mount
    min_speed: float = 0.0  # m/s
    max_speed: float = math.inf  # m/s

    channels: ClassVar = (SensorChannel("sound_speed", "m/s"),)

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """The speed of sound, under water."""
        if point_position(truth.p_NB, truth.q_NB, self.mount.p_BS)[2] <= environment.surface_depth:
            return Status.NO_LOCK, (math.nan,)
        speed = environment.sound_speed
        return Status.OK if self.min_speed <= speed <= self.max_speed else Status.OUT_OF_RANGE, (speed,)


def sound_velocity(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Speed of sound between `min_speed` and `max_speed`."""
    limits = sheet.limits("min_speed", "max_speed")
    return SensorComponents(SoundVelocity(mounting.mount, *limits), (ChannelGroup("", 1),))


SOUND_VELOCITY = SensorKind(
    "sound_velocity", sound_velocity, errors={"": ErrorRange(SPEED, 50.0)}, quantities={}, max_rate=200.0
)
