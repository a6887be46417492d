"""The sensors of the Falcon's navigation sled: mounts, stations and shadow as its filters need them."""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import rotation_matrix, to_euler_zyx
from remora.equations.instruments import point_position
from remora.equations.instruments.bearing import is_shadowed
from remora.equations.navigation.falcon_filter import STATIONS, attitude_of, position_of
from remora.equations.types import Quaternion, Vector3
from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.messages.site import Site
from remora.vehicles.vehicle import SensorEntry

SIZES = {"imu": 6, "pressure": 1, "compass": 3, "dvl": 3, "sbl": STATIONS}  # values that are used, the first ones
SHADOW_MARGIN = math.radians(5.0)  # for the error of the bearing: 2 deg of heading, 10 cm at 2 m
KINDS = tuple(SIZES)  # in the order of the updates


class Sled(NamedTuple):
    """Sensors of a sled by kind, and the numbers of their measurement models."""

    names: dict[str, str]  # kind -> name of the sensor
    mounts: Array  # gravity, latitude, surface, then mounts and stations: the head of the parameters
    p_BR: Vector3  # m, rover
    stations: tuple[Vector3, ...]  # m, in N
    shadow: tuple[float, float] | None  # bearings between which the hull is, rad

    def hidden(self, state: Array, margin: float = SHADOW_MARGIN) -> tuple[bool, ...]:
        """Which stations the hull may hide at a state whose bearings are known to a margin in rad."""
        if self.shadow is None:
            return (False,) * len(self.stations)
        numbers = state[:7].tolist()
        q_NB = attitude_of(numbers)
        rover, heading = point_position(position_of(numbers), q_NB, self.p_BR), to_euler_zyx(q_NB)[2]
        start, end = self.shadow[0] - margin, self.shadow[1] + margin
        return tuple(is_shadowed(rover, heading, station, start, end) for station in self.stations)


def sled_of(sensors: Iterable[SensorEntry], site: Site, force_time: float) -> Sled:
    """The sled among the sensors of a vehicle: the first of each kind.

    The force time is the correlation time of the unmodelled force, s. Raises an InputError when a kind is missing, a
    sensor has no position, or the array does not have four fixed stations.
    """
    found: dict[str, SensorEntry] = {}
    for entry in sensors:
        if entry.kind in KINDS:
            found.setdefault(entry.kind, entry)
    missing = [kind for kind in KINDS if kind not in found]
    if missing:
        raise InputError(f"the Falcon filter needs a sensor of the kind {', '.join(missing)}").about("sensors", missing)
    rover = found["sbl"]
    stations, sector = _stations(rover), rover.parameters.get("shadow")
    numbers = [site.gravity, site.origin.latitude, site.surface_depth, force_time, 0.0, 0.0]
    numbers += [*_place(found["imu"]), *_axes(found["imu"]), *_place(found["pressure"])]
    numbers += [*_place(found["dvl"]), *_axes(found["dvl"]), *_place(rover)]
    numbers += [number for station in stations for number in station]
    shadow = None if sector is None else (float(sector[0]), float(sector[1]))
    names = {kind: found[kind].name for kind in KINDS}
    return Sled(names, np.array(numbers, dtype=np.float64), _place(rover), stations, shadow)


def _place(entry: SensorEntry) -> Vector3:
    if entry.position is None:
        raise InputError(f"the sensor {entry.name} has no position on the vehicle").about("position", entry.name)
    return entry.position


def _axes(entry: SensorEntry) -> list[float]:
    q_BS: Quaternion = entry.q_BS or (1.0, 0.0, 0.0, 0.0)
    return [number for row in rotation_matrix(q_BS) for number in row]


def _stations(entry: SensorEntry) -> tuple[Vector3, ...]:
    given = entry.parameters.get("stations", ())
    fixed = [point for point in given if not isinstance(point, str)]
    if len(fixed) != STATIONS or len(given) != STATIONS:
        raise InputError(f"{entry.name} has {len(fixed)} stations with a position: the filter needs {STATIONS}").about(
            "stations", len(fixed), (str(STATIONS),)
        )
    return tuple((float(x), float(y), float(z)) for x, y, z in fixed)
