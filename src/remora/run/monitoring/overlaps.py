"""Overlaps of vehicles with each other and with obstacles: at any time without contact, with contact at the start.

Hulls are the spheres of the contact model. Between two checks a vehicle is extrapolated back along its velocity, in
steps shorter than a sphere, so that a fast one is not missed.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, final

import numpy as np

from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.quaternions import rotation_matrix
from remora.files.arrays import Array
from remora.run.setup import Setup, VehicleSetup
from remora.vehicles.parameters import VehicleParameters
from remora.world.contact import size_from_parameters, spheres_from_size
from remora.world.ground.obstacles import Obstacle

MOST_STEPS = 50  # back in time


class SphereHull(NamedTuple):
    """Spheres of one radius that fill a vehicle."""

    places: Array  # n x 3, m, from B in body axes
    radius: float  # m
    reach: float  # m, largest distance of the hull from B


class _Pose(NamedTuple):
    """Position and velocity of a hull."""

    p_NB: Array
    velocity: Array  # m/s, in N
    levers: Array  # n x 3, m, from B to the spheres in N
    hull: SphereHull


@final
class Overlaps:
    """Overlaps of one vehicle with obstacles and with later vehicles of the run."""

    def __init__(self, setup: Setup, vehicle: VehicleSetup, period: float) -> None:
        self.others: Callable[[], Mapping[str, Array]] = dict  # states of all vehicles by name
        self._period = self._since = period  # s, between checks, and since the last one
        world, names = setup.environment, [one.name for one in setup.vehicles]
        sized = () if world.contact is None else world.contact.sizes
        is_watched = vehicle.watch.overlap is not None and _has_volume(vehicle) and vehicle.name not in sized
        self.has_contact = world.contact is not None
        self._obstacles: tuple[Obstacle, ...] = world.scene.obstacles if is_watched else ()
        later = setup.vehicles[names.index(vehicle.name) + 1 :] if is_watched else ()
        watched = [one for one in later if one.watch.overlap is not None and _has_volume(one) and one.name not in sized]
        self._hulls = (
            {one.name: sphere_hull(one.plant.vehicle.parameters) for one in (vehicle, *watched)} if is_watched else {}
        )
        self._own, self._others = vehicle.name, [one.name for one in watched]
        self.is_needed = bool(self._obstacles or self._others)

    def found(self, time_ns: int, body: list[float]) -> Iterator[tuple[str, float]]:
        """Name and depth in m of all overlaps since the last check or the start of the run.

        With contact, only starts deeper inside than half the radius of a sphere.
        """
        if self.has_contact and time_ns > 0:
            return
        least = 0.5 * self._hulls[self._own].radius if self.has_contact else 0.0
        self._since = min(self._period, 1e-9 * time_ns)
        own = _pose(body, self._hulls[self._own])
        for obstacle in self._obstacles:
            depth = self._into(obstacle, own)
            if depth > least:
                yield obstacle.name, depth
        states = self.others() if self._others else {}
        for name in (name for name in self._others if name in states):  # a link may join the others to it
            depth = self._between(own, _pose(states[name][:10].tolist(), self._hulls[name]))
            if depth > least:
                yield name, depth

    def _into(self, obstacle: Obstacle, own: _Pose) -> float:
        """Largest depth of a sphere in an obstacle, m."""
        hull = own.hull
        n, e, d = own.p_NB.tolist()
        if obstacle.nearest((n, e, d)).distance > hull.reach + self._since * float(np.linalg.norm(own.velocity)):
            return 0.0
        deepest = 0.0
        for back in self._times(own.velocity, hull.radius):
            for x, y, z in (own.p_NB - back * own.velocity + own.levers).tolist():
                deepest = max(deepest, hull.radius - obstacle.nearest((x, y, z)).distance)
        return deepest

    def _between(self, own: _Pose, other: _Pose) -> float:
        """Largest overlap of two hulls, m."""
        apart, closing = own.p_NB - other.p_NB, own.velocity - other.velocity
        thick = own.hull.radius + other.hull.radius
        room = own.hull.reach + other.hull.reach + self._since * float(np.linalg.norm(closing))
        if float(np.linalg.norm(apart)) > room:
            return 0.0
        nearest = math.inf
        for back in self._times(closing, 0.5 * thick):
            between = (apart - back * closing + own.levers)[:, None, :] - other.levers[None, :, :]
            nearest = min(nearest, float(np.sqrt((between**2).sum(axis=2).min())))
        return thick - nearest

    def _times(self, velocity: Array, room: float) -> list[float]:
        """Times before now, s: the present and as many since the last check as `room` divides the path."""
        way = self._since * float(np.linalg.norm(velocity))
        steps = min(max(1, math.ceil(way / room)), MOST_STEPS)
        return [self._since * k / steps for k in range(steps)]


def _has_volume(vehicle: VehicleSetup) -> bool:
    return vehicle.plant.vehicle.parameters.displaced_mass > 0.0


def sphere_hull(parameters: VehicleParameters) -> SphereHull:
    """The default hull of the contact model for a vehicle."""
    spheres = spheres_from_size(size_from_parameters(parameters), parameters.p_BC)
    places = np.array([place for place, _ in spheres])
    radius = spheres[0].radius
    return SphereHull(places, radius, float(np.linalg.norm(places, axis=1).max()) + radius)


def _pose(body: list[float], hull: SphereHull) -> _Pose:
    q_NB, v = (body[3], body[4], body[5], body[6]), (body[7], body[8], body[9])
    levers = hull.places @ np.array(rotation_matrix(q_NB)).T
    return _Pose(np.array(body[:3]), np.array(position_rate(q_NB, v)), levers, hull)
