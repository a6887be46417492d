"""Conversion of the readings of each sensor kind into a quantity of the estimate."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, final

from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.quaternions import Quaternion, from_axis_angle
from remora.equations.algebra.vectors import Vector3, add3
from remora.equations.geometry.earth import Geodetic, geodetic_to_ned
from remora.equations.instruments import depth_from_pressure, point_from_bearing, uniform_water_pressure
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


def _depth(entry: SensorEntry, site: Site) -> DepthFromPressure:
    is_uniform = entry.parameters.get("water", "sea") == "uniform"
    per_metre = uniform_water_pressure(1.0, site.density, site.gravity)
    return DepthFromPressure(site.surface_depth, site.origin.latitude, per_metre if is_uniform else None)


def _station(entry: SensorEntry) -> StationPosition:
    station = entry.parameters.get("station")
    if station is None:
        raise ValueError("its array is on the vehicle; a position needs one at a station.")
    x, y, z = station[0] if isinstance(station[0], (list, tuple)) else station
    heading = entry.parameters.get("station_heading", 0.0)
    return StationPosition((x, y, z), from_axis_angle((0.0, 0.0, 1.0), heading))


def conversion_for(quantity: str, entry: SensorEntry, site: Site) -> Conversion:
    """The conversion for a sensor and a quantity; ValueError where the sensor does not measure it."""
    kind = entry.kind
    if kind == "compass" and entry.parameters.get("raw"):
        raise ValueError("it gives raw angles in its own axes.")
    if kind == "mocap_marker" and entry.parameters.get("markers") is not None:
        raise ValueError("it has several markers; name one that has only the one at its place.")
    plain = {
        ("attitude", "ahrs"): (0, 1, 2),
        ("attitude", "compass"): (0, 1, 2),
        ("attitude", "ins"): (5, 6, 7),
        ("rates", "imu"): (3, 4, 5),
        ("rates", "gyro"): (0, 1, 2),
        ("velocity", "dvl"): (0, 1, 2),
        ("velocity", "current_meter"): (0, 1, 2),
        ("velocity", "ins"): (2, 3, 4),
        ("velocity", "gps"): (3, 4, 5),
        ("position", "mocap_marker"): (0, 1, 2),
        ("position", "ins"): (0, 1, -1),
    }
    if (quantity, kind) in plain:
        return SelectedValues(*plain[quantity, kind])
    if (quantity, kind) == ("position", "gps"):
        return SatellitePosition(site.origin)
    if (quantity, kind) == ("position", "usbl"):
        return _station(entry)
    if (quantity, kind) == ("depth", "pressure"):
        return _depth(entry, site)
    kinds = sorted({known for what, known in plain if what == quantity} | _OTHER.get(quantity, set()))
    raise ValueError(f"a sensor of the kind {kind} does not measure the {quantity}. Name one of: {', '.join(kinds)}.")


_OTHER = {"position": {"gps", "usbl"}, "depth": {"pressure"}}
