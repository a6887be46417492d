"""Contact of vehicles with walls, seabed, obstacles and each other.

The hull of a vehicle is a set of spheres, each with a spring, damping and friction (`equations.geometry.contact`). The
stiffness follows from the contact time of the lightest bounce, which spans several steps of the plant. The contact
wrench is evaluated at the extrapolated mid-step pose and held over the step, which makes the spring energy-neutral.
Results hardly depend on the step, and contacts have no state.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, final

import numpy as np

from remora.equations.algebra.kinematics import quaternion_rate, to_body
from remora.equations.algebra.quaternions import normalize, rotation_matrix
from remora.equations.algebra.vectors import ZERO3, ZERO6, add3, cross, dot3, join, matvec3, scale3, subtract3
from remora.equations.geometry.contact import (
    ContactLaw,
    contact_force,
    contact_stiffness,
    joint_law,
    restitution_residual,
)
from remora.equations.types import Matrix3, Matrix6, Quaternion, Vector3, Wrench
from remora.vehicles.parameters import VehicleParameters, total_inertia
from remora.world.scene import Scene

CONTACT_TIME = 0.1  # s
RESTITUTION = 0.3  # coefficient of restitution at REFERENCE_SPEED; higher at lower speeds, lower at higher
REFERENCE_SPEED = 1.0  # m/s
FRICTION = 0.4
STEPS_PER_CONTACT = 5  # minimum number of steps in a contact time
_GRIP_TIME = 0.3  # time constant of slow slip under friction, as a share of the contact time


class ContactSphere(NamedTuple):
    """A sphere of the hull."""

    place: Vector3  # m, from B in body axes
    radius: float  # m


@final
@dataclass(frozen=True)
class ContactBody:
    """Contact geometry and contact law of a vehicle."""

    spheres: tuple[ContactSphere, ...]
    law: ContactLaw  # spring, damping and friction of each sphere
    contact_time: float  # s, shortest duration of a bounce on a single sphere
    reach: float = field(init=False)  # m, largest distance of the hull from B

    def __post_init__(self) -> None:
        _check_spheres(self.spheres)
        reach = max(math.sqrt(dot3(place, place)) + radius for place, radius in self.spheres)
        object.__setattr__(self, "reach", reach)


def contact_body(
    inertia: Matrix6,
    spheres: tuple[ContactSphere, ...],
    *,
    contact_time: float = CONTACT_TIME,
    restitution: float = RESTITUTION,
    friction: float = FRICTION,
) -> ContactBody:
    """Contact body of a vehicle, with a stiffness from its inertia.

    Parameters
    ----------
    inertia
        Rigid body plus added mass about B.
    spheres
        Spheres of the hull.
    contact_time
        Half a period of the spring with the smallest effective mass of the hull, s.
    restitution
        Coefficient of restitution at 1 m/s, in (0, 1].
    friction
        Coulomb friction coefficient.

    Raises
    ------
    ValueError
        When a number is out of its range.
    """
    if not 0.0 < contact_time < math.inf:
        raise ValueError(f"contact time is {contact_time}: give a positive number of seconds")
    if not 0.0 < restitution <= 1.0:
        raise ValueError(f"restitution is {restitution}: give a number above 0 and up to 1")
    if not 0.0 <= friction < math.inf:
        raise ValueError(f"friction is {friction}: give a number that is not negative")
    _check_spheres(spheres)
    mass = _smallest_mass(inertia, spheres)
    grip = mass / (_GRIP_TIME * contact_time)
    law = ContactLaw(contact_stiffness(mass, contact_time), _damping(restitution), friction, grip)
    return ContactBody(spheres, law, contact_time)


def _check_spheres(spheres: tuple[ContactSphere, ...]) -> None:
    if not spheres:
        raise ValueError("a vehicle that can touch needs at least one point")
    for place, radius in spheres:
        if not (0.0 < radius < math.inf and all(math.isfinite(x) for x in place)):
            raise ValueError(f"contact point at {place} with a radius of {radius}: give finite numbers")


def _damping(restitution: float) -> float:
    """Damping for a coefficient of restitution at the reference speed."""
    from scipy.optimize import brentq  # imported here: slow, and few runs have contact

    if restitution == 1.0:
        return 0.0
    highest = 1.0 / restitution
    root: float = brentq(restitution_residual, 1e-6, highest * (1.0 - 1e-12), (restitution,), xtol=1e-12)
    return root / REFERENCE_SPEED


def _smallest_mass(inertia: Matrix6, spheres: tuple[ContactSphere, ...]) -> float:
    """Smallest effective mass over all spheres and directions, kg."""
    inverse = np.linalg.inv(np.array(inertia))
    largest = 0.0
    for place, _ in spheres:
        x, y, z = place
        lever = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        J = np.hstack([np.eye(3), lever.T])  # speed of the point from the twist
        largest = max(largest, float(np.linalg.eigvalsh(J @ inverse @ J.T)[-1]))
    return 1.0 / largest


def spheres_from_size(size: Vector3, center: Vector3 = ZERO3) -> tuple[ContactSphere, ...]:
    """Spheres that fill a box of this length, width and height (m) about a centre, as thick as its smallest side.

    They are at most one diameter apart.
    """
    if not all(0.0 < side < math.inf for side in size):
        raise ValueError(f"size of the hull is {size}: give positive numbers of metres")
    radius = 0.5 * min(size)
    lines = []
    for side, middle in zip(size, center, strict=True):
        room = 0.5 * side - radius
        count = 1 + math.ceil(room / radius - 1e-9)
        lines.append([middle + (room * (2.0 * k / (count - 1) - 1.0) if count > 1 else 0.0) for k in range(count)])
    return tuple(ContactSphere((x, y, z), radius) for x in lines[0] for y in lines[1] for z in lines[2])


def size_from_parameters(parameters: VehicleParameters) -> Vector3:
    """Length, width and height (m) of the box with the displaced volume and the proportions of the inertia.

    An estimate for vehicles without a given size; a cube where only the total inertia is known.
    """
    volume = parameters.displaced_mass / parameters.density
    sides = (1.0, 1.0, 1.0)
    if not parameters.total_inertia_only:
        I = parameters.inertia_G  # noqa: E741
        half = 0.5 * (I[0][0] + I[1][1] + I[2][2])
        # m/12 times the square of each side; thin shapes keep at least a twentieth of the longest.
        squares = [max(half - I[k][k], 0.0) for k in range(3)]
        longest = math.sqrt(max(squares))
        if longest > 0.0:
            a, b, c = (max(math.sqrt(square), 0.05 * longest) for square in squares)
            sides = (a, b, c)
    scale = (volume / (sides[0] * sides[1] * sides[2])) ** (1.0 / 3.0)
    return scale3(scale, sides)


def default_body(
    parameters: VehicleParameters,
    size: Vector3 | None = None,
    contact_time: float = CONTACT_TIME,
    restitution: float = RESTITUTION,
    friction: float = FRICTION,
) -> ContactBody:
    """Contact body of a vehicle from its size about the centre of buoyancy: length, width and height, m.

    Without a size it is estimated from the inertia. The rest is as in `contact_body`.
    """
    spheres = spheres_from_size(size or size_from_parameters(parameters), parameters.p_BC)
    return contact_body(
        total_inertia(parameters), spheres, contact_time=contact_time, restitution=restitution, friction=friction
    )


class _Motion(NamedTuple):
    """Pose and velocities of a vehicle in the middle of a step, in N."""

    p_NB: Vector3
    q_NB: Quaternion
    R_NB: Matrix3
    velocity: Vector3
    turning: Vector3

    def velocity_at(self, lever: Vector3) -> Vector3:
        """Velocity of the body point at a lever arm from B."""
        return add3(self.velocity, cross(self.turning, lever))


class ContactForce(NamedTuple):
    """A contact force on the hull."""

    other: str
    lever: Vector3  # m, from B in N
    force: Vector3  # N, in N


@final
@dataclass(frozen=True)
class Contact:
    """Contacts of one vehicle in a run; a ValueError without a contact body, or for a step that is too long."""

    name: str  # of the vehicle
    bodies: Mapping[str, ContactBody]  # of all vehicles, by name
    scene: Scene  # tunnels, seabed and obstacles
    step: float  # s, of the plant, over which the wrench is held

    def __post_init__(self) -> None:
        if self.name not in self.bodies:
            raise ValueError(f'"{self.name}" has no body that could touch')
        longest = self.bodies[self.name].contact_time / STEPS_PER_CONTACT
        if not 0.0 < self.step <= longest * (1.0 + 1e-9):
            raise ValueError(
                f'step of the plant is {self.step} s: contacts of "{self.name}" need one of at most {longest:g} s, '
                "or a longer contact time"
            )

    def wrench(self, time_ns: int, state: Any, others: Mapping[str, Any]) -> tuple[Wrench, tuple[str, ...]]:
        """Wrench of all contacts about B in body axes, held over the next step, and the names of what is touched.

        It does not depend on the time. `others` are states of the other vehicles by name.
        """
        numbers, reach = _numbers(state), self.bodies[self.name].reach
        near = {
            name: other
            for name in others
            if name != self.name
            and name in self.bodies
            and math.dist(numbers[:3], (other := _numbers(others[name]))[:3])
            < reach + self._way(numbers) + self.bodies[name].reach + self._way(other)
        }
        at_scene = self.scene.is_near((numbers[0], numbers[1], numbers[2]), reach + self._way(numbers))
        if not near and not at_scene:
            return ZERO6, ()
        own = _motion(numbers, 0.5 * self.step)
        pushes = list(self._of_the_scene(own)) if at_scene else []
        for name in sorted(near):
            pushes += self._of_another(own, name, _motion(near[name], 0.5 * self.step))
        if not pushes:
            return ZERO6, ()
        force, torque = ZERO3, ZERO3
        for _, lever, push in pushes:
            force, torque = add3(force, push), add3(torque, cross(lever, push))
        wrench = join(to_body(own.q_NB, force), to_body(own.q_NB, torque))
        return wrench, tuple(sorted({push.other for push in pushes}))

    def _way(self, numbers: list[float]) -> float:
        """Distance travelled by B until the middle of the step, m."""
        return 0.5 * self.step * math.hypot(*numbers[7:10])

    def _of_the_scene(self, own: _Motion) -> Iterator[ContactForce]:
        """Forces of walls, seabed and obstacles on penetrating spheres."""
        body = self.bodies[self.name]
        touching = [
            (lever, radius, name, near)
            for lever, radius in _balls(body, own)
            for name, near in self.scene.touched(add3(own.p_NB, lever), radius)
        ]
        # The grip is shared, so that several spheres stop the vehicle as gently as one.
        law = _shared(body.law, len(touching))
        for lever, radius, name, near in touching:
            foot = subtract3(lever, scale3(radius, near.normal))
            yield ContactForce(
                name, foot, contact_force(law, radius - near.distance, near.normal, own.velocity_at(foot))
            )

    def _of_another(self, own: _Motion, name: str, other: _Motion) -> Iterator[ContactForce]:
        """Forces between the spheres of two hulls; the other vehicle finds the opposite ones."""
        body, its_body = self.bodies[self.name], self.bodies[name]
        apart = subtract3(own.p_NB, other.p_NB)
        found = []
        for lever, radius in _balls(body, own):
            for its_lever, its_radius in _balls(its_body, other):
                between = subtract3(add3(apart, lever), its_lever)
                distance = math.sqrt(dot3(between, between))
                depth = radius + its_radius - distance
                if depth > 0.0:
                    # Of coincident spheres, that of the first name goes up and the other one down.
                    upright = (0.0, 0.0, -1.0 if self.name < name else 1.0)
                    normal = scale3(1.0 / distance, between) if distance > 0.0 else upright
                    # Half way between the two surfaces: the same point for both vehicles.
                    foot = subtract3(lever, scale3(radius - 0.5 * depth, normal))
                    slip = subtract3(own.velocity_at(foot), other.velocity_at(add3(apart, foot)))
                    found.append((foot, depth, normal, slip))
        law = _shared(joint_law(body.law, its_body.law), len(found))
        for foot, depth, normal, slip in found:
            yield ContactForce(name, foot, contact_force(law, depth, normal, slip))


def _shared(law: ContactLaw, spheres: int) -> ContactLaw:
    return law._replace(grip=law.grip / max(spheres, 1))


def _numbers(state: Any) -> list[float]:
    """Pose and velocity, the first thirteen numbers of a state."""
    numbers: list[float] = np.asarray(state, dtype=float)[:13].tolist()
    return numbers


def _motion(numbers: list[float], ahead: float) -> _Motion:
    """Motion from pose and velocity, extrapolated by a time in s."""
    n, e, d, q0, q1, q2, q3, u, v, w, p, q, r = numbers
    rates, q_NB = (p, q, r), (q0, q1, q2, q3)
    a, b, c, f = quaternion_rate(q_NB, rates)
    q_NB = normalize((q0 + ahead * a, q1 + ahead * b, q2 + ahead * c, q3 + ahead * f))
    R_NB = rotation_matrix(q_NB)
    velocity = matvec3(R_NB, (u, v, w))
    return _Motion(add3((n, e, d), scale3(ahead, velocity)), q_NB, R_NB, velocity, matvec3(R_NB, rates))


def _balls(body: ContactBody, motion: _Motion) -> list[tuple[Vector3, float]]:
    """Spheres of a hull: lever arm from B to the centre in N, and radius."""
    return [(matvec3(motion.R_NB, place), radius) for place, radius in body.spheres]


class ContactChange(NamedTuple):
    """A contact that begins or ends: an event of the log."""

    other: str
    begins: bool

    @property
    def words(self) -> str:
        """For the log."""
        return f"touches {self.other}" if self.begins else f"is free of {self.other}"


def changes(before: tuple[str, ...], now: tuple[str, ...]) -> tuple[ContactChange, ...]:
    """Contacts that began or ended between two steps, by name."""
    return tuple(ContactChange(name, name in now) for name in sorted(set(before) ^ set(now)))
