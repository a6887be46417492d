"""Quantities of the estimate that a sensor measures, and how they follow from the values of its readings.

Each kind of sensor states them. Navigation gets them with the sensors of a vehicle, so that it needs no sensor models.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, final

from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.quaternions import from_axis_angle
from remora.equations.algebra.vectors import add3
from remora.equations.geometry.earth import Geodetic, geodetic_to_ned
from remora.equations.instruments import depth_from_pressure, point_from_bearing, uniform_water_pressure
from remora.equations.types import Quaternion, Vector3
from remora.messages.reading import Values
from remora.messages.site import Site
from remora.vehicles.vehicle import SensorEntry

# From the values of a reading to angles, turn rates, velocity, depth or position of the sensor.
Conversion: TypeAlias = Callable[[Values], Vector3]


@final
@dataclass(frozen=True)
class SelectedValues:
    """Three of the values by index; -1 gives NaN."""

    first: int
    second: int
    third: int

    def __call__(self, values: Values) -> Vector3:
        """The three numbers."""
        x, y, z = (values[i] if i >= 0 else math.nan for i in (self.first, self.second, self.third))
        return (x, y, z)


@final
@dataclass(frozen=True)
class SatellitePosition:
    """Position from latitude, longitude and height."""

    origin: Geodetic

    def __call__(self, values: Values) -> Vector3:
        """Position of the antenna in N."""
        return geodetic_to_ned(Geodetic(values[0], values[1], values[2]), self.origin)


@final
@dataclass(frozen=True)
class DepthFromPressure:
    """Depth from pressure, as a position with unknown north and east."""

    surface: float  # m, z of the surface in N
    latitude: float
    pressure_per_metre: float | None  # Pa/m of water of one density; None: sea water

    def __call__(self, values: Values) -> Vector3:
        """Depth of the sensor in N."""
        per_metre, pressure = self.pressure_per_metre, values[0]
        depth = depth_from_pressure(pressure, self.latitude) if per_metre is None else pressure / per_metre
        return (math.nan, math.nan, self.surface + depth)


@final
@dataclass(frozen=True)
class StationPosition:
    """Position from range, bearing and elevation measured by an array at a station."""

    p_NA: Vector3
    q_NA: Quaternion

    def __call__(self, values: Values) -> Vector3:
        """Position of the transponder in N."""
        return add3(self.p_NA, position_rate(self.q_NA, point_from_bearing((values[0], values[1], values[2]))))


class MeasuredQuantity(NamedTuple):
    """How a kind of sensor gives a quantity of the estimate."""

    conversion: Callable[[SensorEntry, Site], Conversion]  # ValueError with the reason where a sensor does not give it
    prefix: str = ""  # of the error parameters of these channels
    in_N: bool = False  # of a velocity: whether it is measured in N, not in the axes of the sensor
    over_ground: Callable[[SensorEntry], bool] = lambda entry: False  # of a velocity: not relative to the water
    needs_bottom: bool = False  # of a velocity over ground
    gives_depth: bool = True  # of a position: whether its third number is known


# By quantity of the estimate.
MeasuredQuantities: TypeAlias = Mapping[str, MeasuredQuantity]


@final
@dataclass(frozen=True)
class SelectedChannels:
    """Conversion to the same three values of a reading for every sensor of a kind."""

    values: SelectedValues

    def __call__(self, entry: SensorEntry, site: Site) -> SelectedValues:
        """The three values."""
        return self.values


def selected(first: int, second: int, third: int = -1) -> SelectedChannels:
    """Conversion to three of the values of a reading.

    Parameters
    ----------
    first, second, third
        Index of the value in the reading; -1: not measured.
    """
    return SelectedChannels(SelectedValues(first, second, third))


def always(entry: SensorEntry) -> bool:
    """True of every sensor of the kind."""
    return True


def depth_from_pressure_reading(entry: SensorEntry, site: Site) -> DepthFromPressure:
    """Depth from the first value, a gauge pressure; the parameter `water` selects its law."""
    is_uniform = entry.parameters.get("water", "sea") == "uniform"
    per_metre = uniform_water_pressure(1.0, site.density, site.gravity)
    return DepthFromPressure(site.surface_depth, site.origin.latitude, per_metre if is_uniform else None)


def satellite_position(entry: SensorEntry, site: Site) -> SatellitePosition:
    """Position from latitude, longitude and height."""
    return SatellitePosition(site.origin)


def station_position(entry: SensorEntry, site: Site) -> StationPosition:
    """Position from range, bearing and elevation of an array at the parameter `station`."""
    station = entry.parameters.get("station")
    if station is None:
        raise ValueError("its array is on the vehicle; a position needs one at a station.")
    x, y, z = station[0] if isinstance(station[0], (list, tuple)) else station
    heading = entry.parameters.get("station_heading", 0.0)
    return StationPosition((x, y, z), from_axis_angle((0.0, 0.0, 1.0), heading))
