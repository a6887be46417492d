"""The world of a run in one piece: what moves the water, what it is made of, what stands in it and how things touch."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, final

from remora.equations.vectors import ZERO3, Vector3, add3
from remora.vehicles.parameters import VehicleParameters, total_inertia
from remora.world.column import Column
from remora.world.contact import (
    CONTACT_TIME,
    FRICTION,
    RESTITUTION,
    Contact,
    ContactBody,
    contact_body,
    points_from_size,
    size_from_parameters,
)
from remora.world.currents import Uniform
from remora.world.local_water import NO_SURFACE, LocalWater, Sum
from remora.world.scene import Scene


class Touching(NamedTuple):
    """How vehicles touch."""

    contact_time: float = CONTACT_TIME  # s
    restitution: float = RESTITUTION  # at 1 m/s
    friction: float = FRICTION
    sizes: Mapping[str, Vector3] = {}  # m, of vehicles by name; others are guessed

    def body(self, name: str, parameters: VehicleParameters) -> ContactBody:
        """The hull of a vehicle."""
        points = points_from_size(self.sizes.get(name) or size_from_parameters(parameters), parameters.p_BC)
        return contact_body(
            total_inertia(parameters),
            points,
            contact_time=self.contact_time,
            restitution=self.restitution,
            friction=self.friction,
        )


@final
@dataclass(frozen=True)
class World:
    """Everything around the vehicles of a run."""

    water: Sum = field(default_factory=lambda: Sum(()))
    scene: Scene = field(default_factory=Scene)
    column: Column | None = None  # None: water of one density and sound speed
    touching: Touching | None = None  # None: vehicles pass through everything

    @property
    def steady_current(self) -> Vector3 | None:
        """The velocity of the water where it is steady, alike everywhere and without a surface; None where it varies.

        A plant needs only these three numbers then, and nothing has to be asked again.
        """
        if self.water.level != NO_SURFACE:
            return None
        velocity = ZERO3
        for part in self.water.fields:
            if not isinstance(part, Uniform):
                return None
            velocity = add3(velocity, part.velocity)
        return velocity

    def at(self, time_ns: int, p_N: Vector3) -> LocalWater:
        """The water around a place at a time."""
        return self.water.at(time_ns, p_N)

    def contacts(self, vehicles: Mapping[str, VehicleParameters], step: float) -> dict[str, Contact]:
        """What each vehicle asks for its contacts, by name; empty where vehicles do not touch.

        Raises
        ------
        ValueError
            When the step in s is too long for the contact time.
        """
        if self.touching is None:
            return {}
        bodies = {name: self.touching.body(name, parameters) for name, parameters in vehicles.items()}
        return {name: Contact(name, bodies, self.scene, step) for name in vehicles}
