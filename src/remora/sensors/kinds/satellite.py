"""Satellite receivers."""

from dataclasses import dataclass
from typing import ClassVar, final

from remora.equations.geometry.earth import ned_to_geodetic
from remora.equations.instruments import point_position, velocity_in_N
from remora.messages.measured_quantities import MeasuredQuantity, always, satellite_position, selected
from remora.messages.reading import SensorChannel, Status, Values, axes3
from remora.messages.truth import Mount, Truth
from remora.sensors.compiled_measurement import CompiledMeasurement
from remora.sensors.data_sheet import DataSheet, Mounting
from remora.sensors.environment import Environment
from remora.sensors.error_ranges import FIX_ERROR, VELOCITY_ERROR
from remora.sensors.errors.error_model import ChannelGroup
from remora.sensors.errors.streams import Stream
from remora.sensors.kind import SensorComponents, SensorKind
from remora.sensors.sensor import Altered, Effect, State

VELOCITY = axes3("velocity", "m/s", "N")


@final
@dataclass(frozen=True)
class Gps(CompiledMeasurement):
    """Position and velocity of the antenna in N above water; no lock under water."""

    mount: Mount
    clearance: float = 0.0  # m, height of the antenna above water that it needs

    channels: ClassVar = axes3("position", "m", "N") + VELOCITY

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Position and velocity at the surface."""
        p_NS = point_position(truth.p_NB, truth.q_NB, self.mount.p_BS)
        status = Status.NO_LOCK if p_NS[2] > environment.surface_depth - self.clearance else Status.OK
        return status, p_NS + velocity_in_N(truth.q_NB, truth.twist, self.mount.p_BS)


@final
@dataclass(frozen=True)
class ToGeodetic(Effect):
    """Conversion of a position in N, with errors in metres, to latitude, longitude and height."""

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Latitude, longitude, height and the velocity as it was."""
        place = ned_to_geodetic((values[0], values[1], values[2]), environment.origin)
        return state, (place.latitude, place.longitude, place.height, *values[3:])


GEODETIC_CHANNELS = (
    SensorChannel("latitude", "rad"),
    SensorChannel("longitude", "rad"),
    SensorChannel("height", "m"),
    *VELOCITY,
)


def gps(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Latitude, longitude, height and velocity at the surface; errors of position are in metres."""
    measurement = Gps(mounting.mount, sheet.number("clearance", 0.0))
    return SensorComponents(
        measurement,
        (ChannelGroup("position_", 3), ChannelGroup("velocity_", 3)),
        (),
        (ToGeodetic(),),
        GEODETIC_CHANNELS,
    )


GPS = SensorKind(
    "gps",
    gps,
    errors={"position_": FIX_ERROR, "velocity_": VELOCITY_ERROR},
    quantities={
        "velocity": MeasuredQuantity(selected(3, 4, 5), prefix="velocity_", in_N=True, over_ground=always),
        "position": MeasuredQuantity(satellite_position, prefix="position_"),
    },
    max_rate=100.0,
)
