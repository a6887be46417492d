"""A morphology of several bodies in a scenario: one vehicle per module, and the links between them."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Annotated, Any, ClassVar, NamedTuple

from pydantic import model_validator

from remora.equations.algebra.kinematics import twist_at
from remora.equations.algebra.vectors import ZERO3
from remora.equations.types import Quaternion, Twist
from remora.files.did_you_mean import suggestion
from remora.files.problems import Path
from remora.files.quantities import Is, Quantity, refused
from remora.files.section import Choice, Section
from remora.files.structure import described
from remora.files.units import ANGLE, LENGTH, SPEED, TURN_RATE
from remora.guidance.parts.hold_and_tunnel import attitude
from remora.messages.part_options import Moment, PartError
from remora.plant.multibody import LatchTolerance
from remora.plant.multibody.link_table import body_link
from remora.run.setup import LinkPeriod, LinkSetup
from remora.scenarios.description import VehicleEntry
from remora.scenarios.load_context import SCENARIO_FILE, LoadContext
from remora.vehicles.morphologies.morphology import Module, ModuleLink, Morphology, PortPose, compose


def _up_to(largest: float, words: str) -> Callable[[float], str | None]:
    """Rule for a tolerance: a latch catches ports that nearly touch, and sees their attitude error as a small angle."""
    return lambda value: None if 0.0 < value <= largest else f"must be above zero and at most {words}."


class LatchToleranceSection(Section):
    """Largest errors of two ports at which a latch closes."""

    distance: Annotated[Quantity[float], Is(LENGTH, rule=_up_to(0.5, "50 cm"))] | None = None
    angle: Annotated[Quantity[float], Is(ANGLE, rule=_up_to(math.radians(30.0), "30 deg"))] | None = None
    speed: Annotated[Quantity[float], Is(SPEED, rule=_up_to(1.0, "1 m/s"))] | None = None
    rate: Annotated[Quantity[float], Is(TURN_RATE, rule=_up_to(1.0, "1 rad/s"))] | None = None


class LinkEventsSection(Section):
    """When a link of a morphology attaches, detaches or fails."""

    choices: ClassVar = (Choice(("attach", "latch_from"), required=False), Choice(("detach", "fails"), required=False))
    attach: Moment | None = None
    latch_from: Moment | None = None
    tolerance: LatchToleranceSection | None = None
    detach: Moment | None = None
    fails: Moment | None = None

    @model_validator(mode="after")
    def _in_order(self) -> "LinkEventsSection":
        begins = self.attach or self.latch_from
        ends = self.detach or self.fails
        if begins and ends and ends.value <= begins.value:
            key = "detach" if self.detach else "fails"
            raise refused("key", "must be later than the time at which the link attaches.", key)
        if self.tolerance and not begins:
            raise refused("key", "is used by a link with attach or latch_from only. Remove it.", "tolerance")
        return self


# Keys of an entry that apply to the whole; all others belong to a module.
_WHOLE = {
    "name", "file", "model", "modules", "links", "assembly", "position", "angles", "quaternion", "velocity", "rates",
    "watch",
}  # fmt: skip
_DISTANCE, _ANGLE, _SPEED, _RATE = 0.05, 0.0873, 0.1, 0.2  # m, rad, m/s and rad/s, default tolerance of a latch


class ModuleEntry(NamedTuple):
    """A module of a morphology as a vehicle of the run."""

    name: str  # robot/module
    entry: VehicleEntry
    module: Module
    path: Path
    data: Mapping[str, Any]


def module_entries(
    entry: VehicleEntry, data: Mapping[str, Any], morphology: Morphology, context: LoadContext
) -> list[ModuleEntry]:
    """Entries of all modules, at their poses in the morphology unless they give their own."""
    given = _module_data(entry, data, morphology, context)
    whole, twist = _whole_pose(entry, context), _whole_twist(entry)
    made = []
    for module in morphology.modules:
        place, own = context.at("modules", module.name), given.get(module.name, {})
        read = described(VehicleEntry, own, SCENARIO_FILE, context.findings, place.path, {})
        for key in ("name", "file", "model", "modules", "links", "assembly"):
            if key in own:
                place.at(key).refuse("is that of the morphology. Remove it.")
        placed = _placed(read, compose(whole, module.pose), twist_at(twist, module.pose.position, module.pose.axes))
        watch = own.get("watch", data.get("watch"))
        placed = placed.model_copy(update={"watch": watch})
        made.append(ModuleEntry(f"{entry.name or 'vehicle'}/{module.name}", placed, module, place.path, own))
    return made


def _module_data(
    entry: VehicleEntry, data: Mapping[str, Any], morphology: Morphology, context: LoadContext
) -> dict[str, dict[str, Any]]:
    """Mappings of the modules in the file; keys in the wrong place are refused."""
    for key in sorted(set(data) - _WHOLE):
        if key in VehicleEntry.model_fields:
            example = f"modules: {{{morphology.module_names[0]}: {{{key}: ...}}}}"
            context.at(key).refuse(f"belongs to a module of the morphology. Write {example}.", shows_value=False)
    if entry.modules is not None and not isinstance(entry.modules, dict):
        context.at("modules").refuse("expected a mapping from modules to their entries.")
    found = {}
    for name, own in (entry.modules if isinstance(entry.modules, dict) else {}).items():
        place = context.at("modules", name)
        if name not in morphology.module_names:
            hint = suggestion(str(name), morphology.module_names)
            place.refuse(f"there is no module of this name. {hint}", shows_value=False)
        elif not isinstance(own, dict):
            place.refuse("expected a mapping with keys such as sensors and commands.")
        else:
            found[name] = own
    return found


def _whole_pose(entry: VehicleEntry, context: LoadContext) -> PortPose:
    """Pose of the origin module in N."""
    q_NB: Quaternion = (1.0, 0.0, 0.0, 0.0)
    try:
        q_NB = attitude(entry.angles, entry.quaternion, "quaternion")
    except PartError as error:
        context.at(*error.path).refuse(str(error))
    return PortPose(entry.position.value if entry.position else ZERO3, q_NB)


def _whole_twist(entry: VehicleEntry) -> Twist:
    velocity, rates = (given.value if given else ZERO3 for given in (entry.velocity, entry.rates))
    return (*velocity, *rates)


def _placed(entry: VehicleEntry, pose: PortPose, twist: Twist) -> VehicleEntry:
    """The entry with pose and twist from the morphology where it gives none itself."""
    usual: dict[str, Any] = {
        "position": _quantity(pose.position, "m"),
        "velocity": _quantity(twist[:3], "m/s"),
        "rates": _quantity(twist[3:], "rad/s"),
    }
    if entry.angles is None and entry.quaternion is None:
        usual["quaternion"] = _quantity(pose.quaternion, "1")
    return entry.model_copy(update={key: value for key, value in usual.items() if getattr(entry, key) is None})


def _quantity(value: Any, unit: str) -> Quantity[Any]:
    return Quantity(tuple(value), unit, "", None)


def link_setups(entry: VehicleEntry, morphology: Morphology, context: LoadContext) -> tuple[LinkSetup, ...]:
    """The links of a morphology in a run, with their events."""
    given = entry.links if isinstance(entry.links, dict) else {}
    if entry.links is not None and not isinstance(entry.links, dict):
        context.at("links").refuse("expected a mapping from links to their events.")
    known = [link.name for link in morphology.links]
    for name in given:
        if name not in known:
            hint = suggestion(str(name), known)
            context.at("links", name).refuse(f"there is no link of this name. {hint}", shows_value=False)
    scope = entry.name or "vehicle"
    return tuple(
        _link_setup(link, scope, given.get(link.name), context.at("links", link.name)) for link in morphology.links
    )


def _link_setup(link: ModuleLink, scope: str, given: Any, context: LoadContext) -> LinkSetup:
    """One link with its events."""
    made = body_link(link, scope)
    if not isinstance(given, list):
        period = None if given is None else _period(given, context)
        return LinkSetup(made, (period or LinkPeriod(),))
    found = [_period(one, context.at(i)) for i, one in enumerate(given)]
    if not found:
        context.refuse("is empty. Give mappings with attach, latch_from, detach or fails, in order of time.")
    periods = [one for one in found if one is not None]
    if len(periods) == len(found):
        periods = _joined(periods)
        _refuse_order(periods, context)
    return LinkSetup(made, tuple(periods) or (LinkPeriod(),))


def _joined(periods: Sequence[LinkPeriod]) -> list[LinkPeriod]:
    """Periods from entries of which one may hold the beginning and the next the end."""
    found: list[LinkPeriod] = []
    for one in periods:
        is_end = one.attach_ns is None and one.detach_ns is not None
        if is_end and found and found[-1].attach_ns is not None and found[-1].detach_ns is None:
            found[-1] = replace(found[-1], detach_ns=one.detach_ns, fails=one.fails)
        else:
            found.append(one)
    return found


def _period(given: Any, context: LoadContext) -> LinkPeriod | None:
    """A time in which a link is attached; None with findings."""
    section = context.section(LinkEventsSection, given)
    if section is None:
        return None
    begins, ends = section.attach or section.latch_from, section.detach or section.fails
    for key in ("attach", "latch_from", "detach", "fails"):
        moment = getattr(section, key)
        if moment is not None:
            context.at(key).check_beginning(round(1e9 * moment.value))
    return LinkPeriod(
        attach_ns=round(1e9 * begins.value) if begins else None,
        waits=section.latch_from is not None,
        tolerance=_tolerance(section.tolerance or LatchToleranceSection()) if begins else None,
        detach_ns=round(1e9 * ends.value) if ends else None,
        fails=section.fails is not None,
    )


def _refuse_order(periods: Sequence[LinkPeriod], context: LoadContext) -> None:
    """Each period ends before the next begins, and a failed link does not attach again."""
    for one in periods:
        if one.attach_ns is not None and one.detach_ns is not None and one.detach_ns <= one.attach_ns:
            context.refuse("detaches or fails before it attaches. Give events in order of time.", False)
    for i, (one, following) in enumerate(pairwise(periods), 1):
        if one.fails:
            context.at(i).refuse("a link that has failed does not attach again. Write detach before it.", False)
        elif one.detach_ns is None:
            context.at(i - 1).refuse("needs detach: the link attaches again after it.", False)
        elif following.attach_ns is None or following.attach_ns <= one.detach_ns:
            context.at(i).refuse("needs attach or latch_from, later than the detach before it.", False)


def _tolerance(section: LatchToleranceSection) -> LatchTolerance:
    usual = {"distance": _DISTANCE, "angle": _ANGLE, "speed": _SPEED, "rate": _RATE}
    given = {key: one.value for key in usual if (one := getattr(section, key)) is not None}
    return LatchTolerance(**(usual | given))
