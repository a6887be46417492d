"""Sections of a morphology file: modules with ports, and the links between them. docs/morphologies.md explains each."""

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import AfterValidator, model_validator

from remora.equations.types import Vector3
from remora.files.quantities import Is, Quantity, has_direction, not_negative, positive, refused
from remora.files.section import Choice, Length, Length3, Place, Section
from remora.files.units import (
    FORCE_PER_LENGTH,
    LINEAR_DRAG,
    LINEAR_FRICTION,
    MASS,
    MASS_PER_LENGTH,
    RATIO,
    TORQUE_PER_ANGLE,
)
from remora.vehicles.sections.device_sections import Angle, Angles, Direction, OrientationSection
from remora.vehicles.sections.vehicle_sections import FileDescription, WaterSection

MOST_SEGMENTS, LARGEST_FACTOR = 100, 10.0
LinkKind: TypeAlias = Literal["rigid", "ball", "hinge", "slider", "distance", "latch"]
# Keys that only some kinds of links have.
LINK_KEYS: dict[str, tuple[str, ...]] = {
    "rigid": ("roll",),
    "ball": ("angles",),
    "hinge": ("axis", "angle"),
    "slider": ("axis", "travel", "roll"),
    "distance": ("length",),
    "latch": ("roll", "stiffness", "turn_stiffness", "damping", "turn_damping"),
}
_NEEDED = {"distance": ("length",), "latch": ("stiffness", "turn_stiffness", "damping", "turn_damping")}


class PortSection(Section):
    """A port of a module: its position, and its x axis, which points out of the module."""

    choices: ClassVar = (Choice(("direction", "orientation"), required=False),)
    position: Length3
    direction: Direction | None = None
    orientation: OrientationSection | None = None


class RodSection(Section):
    """A cylinder along the x axis of its module, without thrusters."""

    length: Length
    diameter: Length
    mass: Annotated[Quantity[float], Is(MASS, rule=positive)]
    drag_coefficient: Annotated[Quantity[float], Is(RATIO, rule=not_negative)] | None = None


def _segments(value: int) -> int:
    if not 1 <= value <= MOST_SEGMENTS:
        raise ValueError(f"must be between 1 and {MOST_SEGMENTS}.")
    return value


class TetherChainSection(Section):
    """A tether as a chain of equal cylinders on ball joints, without bending stiffness."""

    length: Length
    diameter: Length
    mass: Annotated[Quantity[float], Is(MASS_PER_LENGTH, rule=positive)]
    segments: Annotated[int, AfterValidator(_segments)] = 10
    drag_coefficient: Annotated[Quantity[float], Is(RATIO, rule=not_negative)] | None = None


def _factor(value: float) -> str | None:
    return None if 0.0 < value <= LARGEST_FACTOR else f"must be above 0 and at most {LARGEST_FACTOR:g}."


class InteractionSection(Section):
    """Stated factors on added mass and damping of a module among others."""

    added_mass: Annotated[Quantity[float], Is(RATIO, rule=_factor)] | None = None
    damping: Annotated[Quantity[float], Is(RATIO, rule=_factor)] | None = None


class ModuleSection(Section):
    """A module: a vehicle file, a rod or a tether."""

    choices: ClassVar = (Choice(("file", "rod", "tether")),)
    name: str
    file: str | None = None
    rod: RodSection | None = None
    tether: TetherChainSection | None = None
    interaction: InteractionSection | None = None
    ports: dict[str, Any] | None = None  # each is read separately


class LinkSection(Section):
    """A link between two ports."""

    kind: LinkKind
    between: list[str]
    name: str | None = None
    roll: Angle | None = None
    angle: Angle | None = None
    angles: Angles | None = None
    axis: Annotated[Quantity[Vector3], Is(RATIO, (3,), has_direction)] | None = None
    travel: Place | None = None
    length: Length | None = None
    stiffness: Annotated[Quantity[float], Is(FORCE_PER_LENGTH, rule=positive)] | None = None
    turn_stiffness: Annotated[Quantity[float], Is(TORQUE_PER_ANGLE, rule=positive)] | None = None
    damping: Annotated[Quantity[float], Is(LINEAR_DRAG, rule=not_negative)] | None = None
    turn_damping: Annotated[Quantity[float], Is(LINEAR_FRICTION, rule=not_negative)] | None = None

    @model_validator(mode="after")
    def _keys_of_its_kind(self) -> "LinkSection":
        own = LINK_KEYS[self.kind]
        for key in sorted({key for keys in LINK_KEYS.values() for key in keys}):
            given = getattr(self, key) is not None
            if given and key not in own:
                raise refused("key", f"is not used by a {self.kind} link. Remove it.", key)
            if not given and key in _NEEDED.get(self.kind, ()):
                raise refused("key", f"is missing: a {self.kind} link needs it.", key)
        return self


class MorphologyDescription(FileDescription):
    """A morphology file."""

    water: WaterSection | None = None
    origin: str | None = None
    ports: dict[str, Any] | None = None  # of every module that is a vehicle; each is read separately
    modules: list[Any] | None = None  # each is read separately
    links: list[Any] | None = None  # each is read separately
