"""Satellite receivers."""

from dataclasses import dataclass
from typing import final

from remora.equations.geometry.earth import ned_to_geodetic
from remora.equations.instruments import point_position, velocity_in_N
from remora.messages.reading import SensorChannel, Status, Values, axes3
from remora.messages.truth import Mount, Truth
from remora.sensors.environment import Environment
from remora.sensors.sensor import Effect, Measurement, State

VELOCITY = axes3("velocity", "m/s", "N")


@final
@dataclass(frozen=True)
class Gps(Measurement):
    """Position and velocity of the antenna in N above water; no lock under water."""

    mount: Mount
    clearance: float = 0.0  # m, height of the antenna above water that it needs

    @property
    def channels(self) -> tuple[SensorChannel, ...]:
        """Position and velocity in N."""
        return axes3("position", "m", "N") + VELOCITY

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Position and velocity at the surface."""
        p_NS = point_position(truth.p_NB, truth.q_NB, self.mount.p_BS)
        if p_NS[2] > environment.surface_depth - self.clearance:
            return Status.NO_LOCK, ()
        return Status.OK, p_NS + velocity_in_N(truth.q_NB, truth.twist, self.mount.p_BS)


@final
@dataclass(frozen=True)
class ToGeodetic(Effect):
    """Conversion of a position in N, with errors in metres, to latitude, longitude and height."""

    def initial(self) -> State:
        """No state."""
        return ()

    def apply(
        self, state: State, values: Values, truth: Truth, environment: Environment, k: int
    ) -> tuple[State, Values]:
        """Latitude, longitude, height and the velocity as it was."""
        place = ned_to_geodetic((values[0], values[1], values[2]), environment.origin)
        return state, (place.latitude, place.longitude, place.height, *values[3:])


GEODETIC_CHANNELS = (
    SensorChannel("latitude", "rad"),
    SensorChannel("longitude", "rad"),
    SensorChannel("height", "m"),
    *VELOCITY,
)
