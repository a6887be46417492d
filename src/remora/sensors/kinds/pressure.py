"""Pressure sensors."""

from dataclasses import dataclass
from typing import ClassVar, final

from remora.equations.algebra.vectors import IDENTITY3
from remora.equations.instruments import (
    dynamic_pressure,
    point_position,
    pressure_at_depth,
    uniform_water_pressure,
    velocity_through_water,
)
from remora.messages.measured_quantities import MeasuredQuantity, depth_from_pressure_reading
from remora.messages.reading import SensorChannel, Status, Values
from remora.messages.truth import Mount, Truth
from remora.sensors.compiled_measurement import CompiledMeasurement
from remora.sensors.data_sheet import DataSheet, Mounting
from remora.sensors.environment import Environment, wave_head_at
from remora.sensors.error_ranges import PRESSURE_ERROR
from remora.sensors.errors.distortions import Bias, ScaleFactor
from remora.sensors.errors.error_model import ChannelGroup
from remora.sensors.errors.streams import Stream
from remora.sensors.kind import SensorComponents, SensorKind
from remora.sensors.sensor import Effect


@final
@dataclass(frozen=True)
class Pressure(CompiledMeasurement):
    """Gauge pressure, relative to the air at the surface; air pressure is part of the bias.

    Waves add their pressure, which fades with depth. Out of the water it reads zero. A port that the flow meets also
    reads a share of the dynamic pressure: one for a port that faces it, zero for a shielded one.
    """

    mount: Mount
    sea_water: bool = True  # False: water of one density, as in lakes and tanks
    dynamic_share: float = 0.0

    is_long: ClassVar[bool] = True
    feels_waves: ClassVar[bool] = True
    channels: ClassVar = (SensorChannel("pressure", "Pa"),)

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Always available."""
        p_NS = point_position(truth.p_NB, truth.q_NB, self.mount.p_BS)
        depth = p_NS[2] - environment.surface_depth + wave_head_at(environment, p_NS)
        if depth <= 0.0:
            return Status.OK, (0.0,)
        if self.sea_water:
            pressure = pressure_at_depth(depth, environment.latitude)
        else:
            pressure = uniform_water_pressure(depth, environment.density, environment.gravity)
        if self.dynamic_share:
            place = self.mount.p_BS
            flow = velocity_through_water(truth.q_NB, truth.twist, truth.water_velocity_N, place, IDENTITY3)
            pressure += self.dynamic_share * dynamic_pressure(environment.density, flow)
        return Status.OK, (pressure,)


def pressure(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Pressure; `accuracy_of_depth` is a scale error that is drawn once per run."""
    water = sheet.word("water", ("sea", "uniform"), "sea")
    share = sheet.number("dynamic_pressure_share", 0.0)
    specific: list[Effect] = []
    bounds = sheet.interval("bias_range")
    if bounds is not None:
        low, high = bounds
        specific.append(Bias((low + (high - low) * stream.of("bias_range").uniforms(0, 1)[0],)))
    share_of_depth = sheet.number("accuracy_of_depth", 0.0, 0.0)
    if share_of_depth > 0.0:
        error = (share_of_depth * stream.of("accuracy_of_depth").normals(0, 1)[0],)
        specific.insert(0, ScaleFactor(error, error))
    return SensorComponents(Pressure(mounting.mount, water == "sea", share), (ChannelGroup("", 1),), tuple(specific))


PRESSURE_SENSOR = SensorKind(
    "pressure",
    pressure,
    errors={"": PRESSURE_ERROR},
    quantities={"depth": MeasuredQuantity(depth_from_pressure_reading)},
    max_rate=2000.0,
)
