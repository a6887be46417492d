"""Watches that need more than the state of one vehicle: taut tethers, overlapping hulls, stability of the step.

Overlaps with other vehicles and obstacles are watched at any time without contact, with contact at the start. Hulls are
the spheres of the contact model. Between two checks a vehicle is extrapolated back along its velocity, in steps shorter
than a sphere, so that a fast one is not missed.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, final

import numpy as np

from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import add3, scale3
from remora.files.arrays import Array
from remora.logs.problems import seconds
from remora.plant.batches.step_length import longest_step
from remora.plant.failures import RunError
from remora.plant.plant import Plant
from remora.run.loop.running_part import ActuatorChain
from remora.run.monitoring.deviations import Deviation
from remora.run.plant.external_loads import WRENCH_SIZE, ExternalLoads
from remora.run.plant.tethered_motion import TetherSetup, attachment
from remora.run.setup import Setup, VehicleSetup
from remora.vehicles.parameters import VehicleParameters
from remora.world.contact import size_from_parameters, spheres_from_size
from remora.world.ground.obstacles import Obstacle
from remora.world.tethers.models import FlatPlate


@final
class TautTethers:
    """Taut tethers of one vehicle; not for vehicles without parts, which hang on their tether by design."""

    def __init__(self, vehicle: VehicleSetup, external_loads: ExternalLoads) -> None:
        self._bound, self._external_loads = vehicle.watch.tether, external_loads
        is_watched = self._bound is not None and bool(vehicle.parts)
        # The flat-plate model has drag only and no far end.
        self._tethers: list[tuple[int, TetherSetup]] = [
            (i, one) for i, one in enumerate(vehicle.tethers) if is_watched and not isinstance(one.tether, FlatPlate)
        ]
        self.is_needed = bool(self._tethers)

    def found(self, time_ns: int, body: Sequence[float]) -> Iterator[Deviation]:
        """Tethers that are straight or stretched."""
        assert self._bound is not None
        state = np.array(body)
        for i, setup in self._tethers:
            line = self._external_loads.tethers[i]
            far = add3(setup.far, scale3(1e-9 * time_ns, setup.far_velocity))
            share = math.dist(attachment(state, setup.p_BA)[0], far) / line.state.length
            if share > self._bound:
                text = partial(_taut_text, setup.name, line.state.length, line.pull.tension)
                yield Deviation("tether", setup.name, share / self._bound, text)


def _taut_text(name: str, length: float, pull: float) -> str:
    return f"{name} is taut at its length of {length:.4g} m and pulls with {pull:.2g} N"


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


FASTER = 1.25  # times the fastest motion that was checked, above which it is checked again
AT_REST = 0.1  # m/s and rad/s, added to it


@final
class StepStability:
    """The stability of the step for one vehicle.

    It is checked where the vehicle moves faster than ever before, and at checks 1, 2, 4, 8 and so on: under a strong
    force an unstable step may come to rest at a speed that is far too low, so the middle of a step is checked as well.
    """

    def __init__(self, setup: Setup, vehicle: VehicleSetup, actuators: ActuatorChain, loads: ExternalLoads) -> None:
        self._plant, self._method, self._interval = vehicle.plant, setup.method, 1e-9 * setup.step_ns
        self._actuators, self._loads = actuators, loads
        self._fastest, self._checks = np.zeros(6), 0
        self.is_needed = vehicle.watch.step is not None

    def found(self, state: Array) -> list[Deviation]:
        """Whether the step is too long for the motion now."""
        twist = np.abs(state[7:BODY_SIZE])
        self._checks += 1
        if self._checks & (self._checks - 1) and not (twist > FASTER * self._fastest + AT_REST).any():
            return []
        self._fastest = np.maximum(self._fastest, twist)
        row, water = whole_row(self._plant, state), self._loads.inputs[WRENCH_SIZE:]
        try:
            both = row, self._middle(row)
        except (RunError, ValueError):  # loads that are no numbers, or speeds beyond the envelope: the step names them
            return []
        longest = min(longest_step(self._plant.packed, self._interval, self._method, one, water) for one in both)
        if longest >= self._interval:
            return []
        self._fastest[:] = 0.0  # checked again next time
        return [Deviation("step", "", 2.0, partial(step_text, self._interval, longest))]

    def _middle(self, row: Array) -> Array:
        """The state with the twist that the present rate gives it half a step later."""
        loads, middle = self._loads.inputs, row.copy()
        rate = self._plant.derivative(row, self._actuators.inputs, loads[:WRENCH_SIZE], loads[WRENCH_SIZE:])
        middle[7:BODY_SIZE] += 0.5 * self._interval * rate[7:BODY_SIZE]
        return middle


def whole_row(plant: Plant, state: Array) -> Array:
    """A state of the plant from a row that may lack actuators, which are at rest then, or have a history."""
    row = plant.initial_state()
    size = min(row.size, state.size)
    row[:size] = state[:size]
    return row


def step_text(interval: float, longest: float) -> str:
    """Sentence on a step that is too long, s, and one that is not."""
    return (
        f"moves so fast that the step of {seconds(round(1e9 * interval))} is unstable: damping and turning "
        f"feed the motion instead of slowing it; it needs a step of at most {1e3 * longest:.2g} ms"
    )
