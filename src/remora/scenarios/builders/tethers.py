"""Builds the tethers of a vehicle from the entries of a scenario. docs/tether.md explains each key."""

import math
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from remora.equations.algebra.vectors import ZERO3
from remora.files.arrays import Array
from remora.files.quantities import Is, Quantity, not_negative, positive
from remora.files.section import Length, Length3, Section, Speed3
from remora.files.units import DENSITY, FORCE, FORCE_PER_LENGTH, LINEAR_DRAG, MASS_PER_LENGTH, RATIO, SPEED
from remora.messages.part_options import Moment
from remora.plant.failures import RunError
from remora.plant.plant import Plant
from remora.run.plant.tethered_motion import TetherSetup, attachment, resting
from remora.scenarios.load_context import LoadContext, name_fault
from remora.world.tethers.models import make_tether

TAUT = 1e-6  # relative tolerance of the length of a straight tether, for rounding
MOST_NODES = 1000  # more would make a run too slow
Share: TypeAlias = Annotated[Quantity[float], Is(RATIO, rule=not_negative)]
# Parameters of the tether models; each model refuses those it does not use.
_NUMBERS = (
    "length",
    "diameter",
    "mass",
    "tether_density",
    "weight_in_water",
    "stiffness",
    "damping_ratio",
    "damping",
    "normal_drag",
    "tangential_drag",
    "added_mass",
)


class WinchSection(Section):
    """Winch speed at the far end, and its active time."""

    rate: Annotated[Quantity[float], Is(SPEED)]
    from_: Moment | None = Field(default=None, alias="from")
    until: Moment | None = None


class TetherSection(Section):
    """A tether between a vehicle and a fixed point or a ship."""

    name: str
    model: Literal["lumped", "slack_spring", "flat_plate"] = "lumped"
    attachment: Length3 | None = None
    far_end: Length3
    far_velocity: Speed3 | None = None
    winch: WinchSection | None = None
    length: Length
    diameter: Length
    mass: Annotated[Quantity[float], Is(MASS_PER_LENGTH, rule=positive)] | None = None
    tether_density: Annotated[Quantity[float], Is(DENSITY, rule=positive)] | None = None
    weight_in_water: Annotated[Quantity[float], Is(FORCE_PER_LENGTH)] | None = None
    stiffness: Annotated[Quantity[float], Is(FORCE, rule=positive)] | None = None
    damping_ratio: Share | None = None
    damping: Annotated[Quantity[float], Is(LINEAR_DRAG, rule=not_negative)] | None = None
    normal_drag: Share | None = None
    tangential_drag: Share | None = None
    added_mass: Share | None = None
    nodes: int | None = None


def vehicle_tethers(given: Any, start: Array, plant: Plant, context: LoadContext) -> tuple[TetherSetup, ...]:
    """The tethers of one vehicle at its initial state; findings go to the context."""
    if given is None:
        return ()
    if not isinstance(given, list):
        context.refuse("expected a list, e.g. [{name: umbilical, length: 50 m, diameter: 8 mm, ...}].")
        return ()
    found: list[TetherSetup] = []
    for index, data in enumerate(given):
        section = context.at(index).section(TetherSection, data)
        if section is None:
            continue
        if fault := name_fault(section.name):
            context.at(index, "name").refuse(fault)
        _check_winch(section.winch, context.at(index, "winch"))
        made = _made(section, start, plant, context.at(index))
        if made is not None:
            found.append(made)
    return tuple(found)


def _check_winch(winch: WinchSection | None, context: LoadContext) -> None:
    if winch and winch.until and winch.until.value <= (winch.from_.value if winch.from_ else 0.0):
        context.at("until").refuse("the winch would stop before it starts. Give a time after from.")
    if winch and winch.from_:
        context.at("from").check_beginning(round(1e9 * winch.from_.value))


def _made(section: TetherSection, start: Array, plant: Plant, context: LoadContext) -> TetherSetup | None:
    numbers: dict[str, Any] = {
        key: quantity.value for key in _NUMBERS if (quantity := getattr(section, key)) is not None
    }
    if section.nodes is not None:
        if section.nodes > MOST_NODES:
            context.at("nodes").refuse(f"is more than a run can carry. Give at most {MOST_NODES}.")
            return None
        numbers["nodes"] = section.nodes
    parameters = plant.vehicle.parameters
    numbers["density"] = parameters.density
    if section.model == "lumped":
        numbers["gravity"] = parameters.gravity
    p_BA = section.attachment.value if section.attachment else ZERO3
    winch = section.winch
    apart = math.dist(attachment(start, p_BA)[0], section.far_end.value)
    if section.length.value < (1.0 - TAUT) * apart:
        context.at("length").refuse(f"is shorter than the {apart:.4g} m between its ends at the start of the run.")
        return None
    try:
        tether = make_tether(section.model, **numbers)
        line = resting(tether, start, p_BA, section.far_end.value, context.environment)
    except (ValueError, RunError) as error:
        context.refuse(f"{str(error).rstrip('.')}.", shows_value=False)
        return None
    return TetherSetup(
        section.name,
        tether,
        line,
        p_BA,
        section.far_end.value,
        section.far_velocity.value if section.far_velocity else ZERO3,
        winch.rate.value if winch else 0.0,
        round(1e9 * winch.from_.value) if winch and winch.from_ else 0,
        round(1e9 * winch.until.value) if winch and winch.until else None,
    )
