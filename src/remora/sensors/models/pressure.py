"""Pressure sensors."""

from dataclasses import dataclass
from typing import final

from remora.equations.algebra.vectors import IDENTITY3
from remora.equations.instruments import (
    dynamic_pressure,
    point_position,
    pressure_at_depth,
    uniform_water_pressure,
    velocity_through_water,
)
from remora.messages.reading import SensorChannel, Status, Values
from remora.messages.truth import Mount, Truth
from remora.sensors.environment import Environment
from remora.sensors.sensor import Measurement


@final
@dataclass(frozen=True)
class Pressure(Measurement):
    """Gauge pressure, relative to the air at the surface; air pressure is part of the bias.

    Out of the water it reads zero. A port that the flow meets also reads a share of the dynamic pressure: one for a
    port that faces it, zero for a shielded one.
    """

    mount: Mount
    sea_water: bool = True  # False: water of one density, as in lakes and tanks
    dynamic_share: float = 0.0

    @property
    def channels(self) -> tuple[SensorChannel, ...]:
        """One pressure."""
        return (SensorChannel("pressure", "Pa"),)

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Always available."""
        depth = point_position(truth.p_NB, truth.q_NB, self.mount.p_BS)[2] - environment.surface_depth
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
