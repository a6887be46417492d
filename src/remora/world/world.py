"""The world: environment of all vehicles of a run, from water and ground to gravity and magnetic field."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, final

from remora.equations.algebra.vectors import ZERO3, add3, matvec3, subtract3
from remora.equations.geometry.earth import Geodetic
from remora.equations.types import Vector3
from remora.equations.water.local_water import CURRENT_SIZE, LAYERED_SIZE, STEADY_SIZE
from remora.messages.site import GRAVITY, MAGNETIC_FIELD, ORIGIN, SEA_WATER_DENSITY, SOUND_SPEED, SeaState, Site
from remora.vehicles.parameters import VehicleParameters
from remora.world.contact import CONTACT_TIME, FRICTION, RESTITUTION, Contact, ContactBody, default_body
from remora.world.scene import Scene
from remora.world.water.column import WaterColumn
from remora.world.water.local_water import NO_GRADIENT, NO_SURFACE, CompositeCurrent, LocalWater, Variation, plant_row

_SIZES = {Variation.STEADY: STEADY_SIZE, Variation.LAYERED: LAYERED_SIZE, Variation.SPATIAL: CURRENT_SIZE}


class ContactSettings(NamedTuple):
    """Contact parameters of the vehicles."""

    contact_time: float = CONTACT_TIME  # s
    restitution: float = RESTITUTION  # at 1 m/s
    friction: float = FRICTION
    sizes: Mapping[str, Vector3] = {}  # m, of vehicles by name; estimated for the others

    def body(self, name: str, parameters: VehicleParameters) -> ContactBody:
        """Contact body of a vehicle."""
        return default_body(parameters, self.sizes.get(name), self.contact_time, self.restitution, self.friction)


@final
@dataclass(frozen=True)
class World:
    """Environment of the vehicles of a run: the one description of it in a setup, a scenario and a log.

    Sensors see it at one time through the interface `sensors.Environment`, on-board parts as a `Site`.
    """

    water: CompositeCurrent = field(default_factory=lambda: CompositeCurrent(()))
    scene: Scene = field(default_factory=Scene)
    column: WaterColumn | None = None  # None: water of one density and sound speed
    contact: ContactSettings | None = None  # None: vehicles pass through everything
    density: float = SEA_WATER_DENSITY  # kg/m3
    gravity: float = GRAVITY  # m/s2
    sound_speed: float = SOUND_SPEED  # m/s
    surface_depth: float = 0.0  # m, z of the still surface in N
    origin: Geodetic = ORIGIN
    magnetic_field: Vector3 = MAGNETIC_FIELD  # T, in N
    points: Mapping[str, Vector3] = field(default_factory=dict)  # m, named positions in N: transponders, lamps

    @property
    def site(self) -> Site:
        """The environment as known to on-board parts."""
        scene = self.scene
        has_bottom = scene.bed is not None or bool(scene.tunnels or scene.obstacles)
        points = tuple(self.points.items())
        return Site(self.density, self.gravity, self.surface_depth, self.origin, has_bottom, points, self.sea_state)

    @property
    def steady_current(self) -> Vector3 | None:
        """Velocity of steady uniform water without a surface, m/s in N; None if the water varies.

        A plant then needs only these three numbers, once.
        """
        if self.has_surface or self._variation > Variation.STEADY:
            return None
        velocity = ZERO3
        for part in self.water.fields:
            velocity = add3(velocity, part.at(0, ZERO3).velocity)
        return velocity

    @property
    def has_surface(self) -> bool:
        """Whether there is a free surface."""
        return self.water.level != NO_SURFACE

    @property
    def sea_state(self) -> SeaState | None:
        """Statistics of the waves; None for still water."""
        return next((part.sea_state for part in self.water.fields if part.sea_state is not None), None)

    @property
    def current_size(self) -> int:
        """Number of values that describe the water far below the surface to a plant."""
        return _SIZES[self._variation]

    @property
    def node_spacings_ns(self) -> tuple[int, ...]:
        """Intervals of times at which the rates of flow fields jump."""
        spacings = (part.node_spacing_ns for part in self.water.fields)
        return tuple(spacing for spacing in spacings if spacing is not None)

    @property
    def _variation(self) -> Variation:
        return max((part.variation for part in self.water.fields), default=Variation.STEADY)

    def at(self, time_ns: int, p_N: Vector3) -> LocalWater:
        """Water at a point and time."""
        return self.water.at(time_ns, p_N)

    def plant_row(
        self, here: LocalWater, time_ns: int, p_N: Vector3, way_N: Vector3, span_ns: int, size: int
    ) -> tuple[float, ...]:
        """The water as numbers for a plant, from the water at this time and place.

        The rate is chosen so that the linear model reaches the true velocity at the end of the span: the velocity is
        continuous from one span to the next, and its whole change acts on the vehicle. The vehicle moves by `way_N`
        during the span. The size is how many numbers describe the water.
        """
        (u, v, w), gradient, _, surface, _ = here
        (a, b, c), *_ = self.water.at(time_ns + span_ns, add3(p_N, way_N))
        if gradient is not NO_GRADIENT:
            a, b, c = subtract3((a, b, c), matvec3(gradient, way_N))
        per_second = 1e9 / span_ns
        rate = ((a - u) * per_second, (b - v) * per_second, (c - w) * per_second)
        return plant_row(LocalWater((u, v, w), gradient, rate, surface), p_N, size)

    def contacts(self, vehicles: Mapping[str, VehicleParameters], step: float) -> dict[str, Contact]:
        """Contacts of each vehicle, by name; empty without contact. A ValueError when the step, s, is too long."""
        if self.contact is None:
            return {}
        bodies = {name: self.contact.body(name, parameters) for name, parameters in vehicles.items()}
        return {name: Contact(name, bodies, self.scene, step) for name in vehicles}
