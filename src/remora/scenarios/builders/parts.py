"""Builds the scheduled parts of a vehicle from the entries of a scenario."""

from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from remora.files.did_you_mean import suggestion
from remora.files.discovery import instances_in
from remora.files.problems import listed
from remora.files.quantities import number_or_word
from remora.files.structure import section_at
from remora.files.user_code import is_user_code
from remora.logs.problems import seconds
from remora.messages.estimate import POSITION, VELOCITY
from remora.messages.part import Role
from remora.messages.part_options import MissingSensorError, PartError, PartKind, PartOptions, VehicleContext
from remora.run.setup import ScheduledPart
from remora.scenarios.feasibility import check_dead_bands, check_feasibility, check_slopes, check_walls
from remora.scenarios.load_context import SCENARIO_FILE, LoadContext, name_fault
from remora.scenarios.user_code import as_part, load_user_part, make_user_part
from remora.vehicles.vehicle import Vehicle

PARTS: tuple[PartKind, ...] = (
    *instances_in("remora.navigation.parts", PartKind),
    *instances_in("remora.guidance.parts", PartKind),
    *instances_in("remora.control.parts", PartKind),
)


def parts_for(role: Role) -> dict[str, PartKind]:
    """The parts that can fill a role, by name."""
    return {kind.name: kind for kind in PARTS if kind.role == role}


_ROLES = {"navigation": Role.NAVIGATION, "guidance": Role.GUIDANCE, "control": Role.CONTROL,
          "allocation": Role.ALLOCATION}  # fmt: skip


# What flies without a velocity or a position.
WITHOUT_VELOCITY = (
    " Depth and heading are held without it by control: depth_hold and guidance: {part: pilot, mode: depth_hold}."
)
_TIMES = ("rate", "period", "start", "stop")


class Times(NamedTuple):
    """Schedule of a part."""

    period_ns: int
    start_ns: int
    stop_ns: int | None


class BuiltPart(NamedTuple):
    """A scheduled part and its kind; None for a user-defined part."""

    scheduled: ScheduledPart
    kind: PartKind | None
    context: LoadContext


def scheduled_parts(
    entry: Mapping[str, Any], vehicle: VehicleContext, context: LoadContext, has_estimate: bool = False
) -> tuple[ScheduledPart, ...]:
    """All parts of one vehicle; findings go to the context. With the estimate of another it needs no navigation."""
    made: list[BuiltPart] = []
    vehicle = vehicle._replace(controllers=_controllers(entry), smoothing=_smoothing(entry))
    for role, data, place, usual in _entries(entry, context):
        part = _made(role, data, usual, vehicle, place)
        if part is not None:
            made.append(part)
            asked = getattr(part.scheduled.part, "peak_speeds", vehicle.asked_speeds)
            vehicle = vehicle._replace(asked_speeds=asked)
            if role == Role.NAVIGATION:
                vehicle = vehicle._replace(latencies=_latencies(part.scheduled.part))
    _check_names(made, vehicle, context)
    _check_fit(entry, made, has_estimate or entry.get("navigation") is not None, context)
    if not vehicle.lacks_sensors:
        _check_needs(made, context)
    for part in made:
        check_feasibility(part.scheduled, vehicle.plant, _disabled(entry), part.context)
        for control in made:
            if control.scheduled.role != Role.CONTROL:
                continue
            if part.scheduled.role == Role.GUIDANCE:
                check_walls(part.scheduled, control.scheduled, part.context)
                check_slopes(part.scheduled, control.scheduled, part.context)
            if part.scheduled.role == Role.ALLOCATION:
                check_dead_bands(control.scheduled, part.scheduled, control.context)
    return tuple(part.scheduled for part in made)


def _latencies(navigation: Any) -> tuple[float, float]:
    """Latencies of motion and turn that navigation states, s."""
    return getattr(navigation, "motion_latency", 0.0), getattr(navigation, "turn_latency", 0.0)


def _controllers(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the valid entries for control."""
    given = entry.get("control")
    items = given if isinstance(given, list) else [given]
    names = (item.get("part") if isinstance(item, dict) else item for item in items)
    return tuple(name for name in names if isinstance(name, str))


def _smoothing(entry: Mapping[str, Any]) -> float:
    """Gain of the command smoothing of the allocation, 1/s; 0 for none. The allocation itself checks it."""
    allocation = entry.get("allocation")
    given = allocation.get("smoothing") if isinstance(allocation, dict) else None
    return float(given) if isinstance(given, int | float) and given > 0.0 else 0.0


def _disabled(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the thrusters that the allocation is not to use. The allocation itself checks them."""
    allocation = entry.get("allocation")
    given = allocation.get("disabled") if isinstance(allocation, dict) else None
    return tuple(name for name in given if isinstance(name, str)) if isinstance(given, list) else ()


def _entries(entry: Mapping[str, Any], context: LoadContext) -> Iterator[tuple[Role, Any, LoadContext, str]]:
    """Role, data, context and default name of each part."""
    for key, role in _ROLES.items():
        given = entry.get(key)
        if given is None:
            continue
        if not isinstance(given, list):
            yield role, given, context.at(key), key
        elif role != Role.CONTROL:
            context.at(key).refuse("expected one part; only control takes a list, whose wrenches add up.")
        else:
            for index, item in enumerate(given):
                yield role, item, context.at(key, index), ""
    if entry.get("commands") is not None:
        # The list of commands is an option of the command schedule; it stands in the place of that option.
        yield Role.ALLOCATION, {"part": "command_schedule", "commands": entry["commands"]}, context, "command_schedule"


class _Read(NamedTuple):
    """The entry of a part, read without its vehicle."""

    name: str
    kind: PartKind | None  # None: user-defined
    options: PartOptions
    user_options: dict[str, Any]
    times: Times | None  # None with findings


def read_without_vehicle(entry: Mapping[str, Any], context: LoadContext) -> None:
    """Check the parts of a vehicle whose file cannot be read."""
    for role, data, place, _ in _entries(entry, context):
        _read(role, data, place)


def _read(role: Role, data: Any, context: LoadContext) -> _Read | None:
    """The options and times of a part, or None with findings."""
    at_name = context if isinstance(data, str) else context.at("part")
    data = {"part": data} if isinstance(data, str) else data
    if not isinstance(data, dict) or not isinstance(data.get("part"), str):
        known = ", ".join(parts_for(role))
        context.refuse(f"expected a part: a word, or a mapping with the key part. Known here: {known}.")
        return None
    name, kind = data["part"], parts_for(role).get(data["part"])
    if kind is None and not is_user_code(name):
        at_name.refuse(_no_such_part(name, role))
        return None
    user_options = {} if kind else {key: value for key, value in data.items() if key not in PartOptions.model_fields}
    common = {key: value for key, value in data.items() if key not in user_options}
    options = context.section(kind.options if kind else PartOptions, common)
    if options is None:
        _check_times(common, context)
        return None
    return _Read(name, kind, options, user_options, _times(options, context))


def _check_times(data: Mapping[str, Any], context: LoadContext) -> None:
    """Check the schedule of a part with other faults."""
    alone = {key: value for key, value in data.items() if key in ("part", *_TIMES)}
    options = section_at(PartOptions, alone, context.path, SCENARIO_FILE, [])
    if options is not None:
        _times(options, context)


def _made(role: Role, data: Any, usual: str, vehicle: VehicleContext, context: LoadContext) -> BuiltPart | None:
    """One part, or None with findings."""
    read = _read(role, data, context)
    if read is None:
        return None
    name, kind, options, user_options, times = read
    onboard = vehicle._replace(period=1e-9 * times.period_ns) if times else vehicle
    try:
        if kind:
            part = kind.make(options, onboard)
        else:
            part = as_part(user_object(name, user_options, onboard.vehicle, onboard.period, context.folder))
    except PartError as error:
        if not (vehicle.lacks_sensors and isinstance(error, MissingSensorError)):
            context.at(*error.path).refuse(str(error), shows_value=error.path != ("part",))
        return None
    except ValueError as error:
        context.refuse(f"cannot be made: {error}.", shows_value=False)
        return None
    if times is None:
        return None
    if kind and kind.gives_by is not None:
        kind = kind._replace(gives=kind.gives_by(options))
    called = options.name or usual or (kind.name if kind else name.partition(":")[2])
    sees_truth = kind is not None and kind.sees_truth
    return BuiltPart(ScheduledPart(role, called, part, *times, sees_truth), kind, context)


def _no_such_part(name: str, role: Role) -> str:
    """Message for a part that is unknown in this role."""
    others = [kind.role.name.lower() for kind in PARTS if kind.name == name]
    if others:
        return f"is a part for {listed(others)}, not for {role.name.lower()}. {suggestion('', parts_for(role))}"
    return f"is no part for {role.name.lower()}. {suggestion(name, parts_for(role))} Your own is my_file.py:MyPart."


def user_object(name: str, options: dict[str, Any], vehicle: Vehicle, period: float, folder: FilePath) -> Any:
    """A user-defined part or stage; options with units are converted to SI. PartError where it fails."""
    values = {}
    for key, raw in options.items():
        try:
            values[key] = number_or_word(raw)
        except ValueError as error:
            raise PartError(str(error), key) from None
    made_by = load_user_part(name, folder)
    return make_user_part(made_by, str(folder / name.partition(":")[0]), values, vehicle, period)


def _times(options: PartOptions, context: LoadContext) -> Times | None:
    """Schedule of a part; every step by default."""
    period_ns = context.step_ns
    if options.rate:
        period_ns = round(1e9 / options.rate.value)
    elif options.period:
        period_ns = round(1e9 * options.period.value)
    start_ns = round(1e9 * options.start.value) if options.start else 0
    stop_ns = round(1e9 * options.stop.value) if options.stop else None
    key = "rate" if options.rate else "period"
    fits = context.at(key).check_period(period_ns)
    fits = context.at("start").check_multiple(start_ns, "a start") and fits
    fits = (stop_ns is None or context.at("stop").check_multiple(stop_ns, "a stop")) and fits
    if stop_ns is not None and stop_ns <= start_ns:
        context.at("stop").refuse(f"must be later than the start at {seconds(start_ns)}.")
        return None
    return Times(period_ns, start_ns, stop_ns) if fits else None


def _check_names(made: list[BuiltPart], vehicle: VehicleContext, context: LoadContext) -> None:
    """Names must be valid in logs and unique among parts and sensors."""
    taken = set(vehicle.sensors)
    for part in made:
        name = part.scheduled.name
        if fault := name_fault(name):
            part.context.at("name").refuse(fault)
        elif name in taken:
            message = f'the name "{name}" is taken by another part or sensor of this vehicle. Give it another.'
            part.context.at("name").refuse(message, shows_value=False)
        taken.add(name)


def _check_fit(entry: Mapping[str, Any], made: list[BuiltPart], has_estimate: bool, context: LoadContext) -> None:
    """Check the interfaces between parts: references, wrenches and commands."""
    guidance = next((part.kind for part in made if part.scheduled.role == Role.GUIDANCE), None)
    no_guidance, no_allocation = entry.get("guidance") is None, entry.get("allocation") is None
    for part in made:
        kind = part.kind
        if kind is None or kind.role != Role.CONTROL:
            continue
        if kind.takes and no_guidance:
            part.context.refuse(f'"{kind.name}" needs guidance that gives {" or ".join(kind.takes)}.', False)
        elif kind.takes and guidance is not None and guidance.gives not in kind.takes:
            message = f'"{kind.name}" follows {" or ".join(kind.takes)}, but the guidance "{guidance.name}" gives '
            part.context.refuse(f"{message}{guidance.gives}.", False)
        if kind.gives_commands and not no_allocation:
            part.context.refuse(f'"{kind.name}" gives commands itself. Remove the allocation.', False)
        elif not kind.gives_commands and no_allocation:
            message = f'"{kind.name}" gives a wrench, which needs an allocation, e.g. allocation: pseudo_inverse.'
            part.context.refuse(message, False)
    controllers = [part for part in made if part.scheduled.role == Role.CONTROL]
    if not controllers and entry.get("control") is None and not (no_guidance or no_allocation):
        message = "has guidance and allocation, but no control that follows the one and feeds the other."
        context.refuse(f"{message} Give e.g. control: position.", False)
    if len(controllers) > 1 and no_allocation:
        context.at("control").refuse("has several controllers, whose wrenches add up, but no allocation.", False)
    if any(getattr(part.scheduled.part, "needs", ()) for part in controllers) and not has_estimate:
        context.refuse("has control but no navigation. Give e.g. navigation: truth.", False)


def _check_needs(made: list[BuiltPart], context: LoadContext) -> None:
    """Refuse parts that require a quantity which navigation never provides."""
    navigation = next((part for part in made if part.scheduled.role == Role.NAVIGATION), None)
    unknown = getattr(navigation.scheduled.part, "unknown", {}) if navigation else {}
    for part in made:
        needs = getattr(part.scheduled.part, "needs", ())
        for quantity in needs:
            if quantity in unknown:
                who = part.kind.name if part.kind else part.scheduled.name
                message = f'"{who}" needs the {quantity}, which the navigation never provides: {unknown[quantity]}.'
                message += WITHOUT_VELOCITY if quantity in (VELOCITY, POSITION) else ""
                part.context.refuse(message, False)
