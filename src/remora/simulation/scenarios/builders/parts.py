"""From the entries of a scenario to scheduled parts."""

from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from remora.equations.algebra.vectors import Vector3
from remora.files.did_you_mean import suggestion
from remora.files.problems import Path, listed
from remora.files.quantities import number_or_word
from remora.files.structure import section_at
from remora.kernels.plant import Plant
from remora.logs.problems import seconds
from remora.messages.part import Role
from remora.messages.part_options import FourDof, PartError, PartKind, PartOptions, VehicleContext
from remora.simulation.scenarios.asked import check_asked
from remora.simulation.scenarios.part_registry import PARTS, parts_for
from remora.simulation.scenarios.problems import SCENARIO_FILE, Desk, name_fault
from remora.simulation.scenarios.user_parts import as_part, is_own, load_own, make_own
from remora.simulation.setup import ScheduledPart
from remora.vehicles.vehicle import SensorEntry, Vehicle

_ROLES = {"navigation": Role.NAVIGATION, "guidance": Role.GUIDANCE, "control": Role.CONTROL,
          "allocation": Role.ALLOCATION}  # fmt: skip


_TIMES = ("rate", "period", "start", "stop")


class Times(NamedTuple):
    """When a part runs."""

    period_ns: int
    start_ns: int
    stop_ns: int | None


class Made(NamedTuple):
    """A scheduled part with what is known of its kind; None for a part of the user's own."""

    scheduled: ScheduledPart
    kind: PartKind | None
    path: Path


class Carrier(NamedTuple):
    """The vehicle that the parts are made for."""

    name: str
    plant: Plant  # nominal
    sensors: Mapping[str, SensorEntry]
    launch: Vector3  # where it is put into the water
    controllers: tuple[str, ...] = ()  # names of all its parts for control
    asked_speeds: FourDof | None = None  # by its guidance, once that is made


def scheduled_parts(entry: Mapping[str, Any], path: Path, carrier: Carrier, desk: Desk) -> tuple[ScheduledPart, ...]:
    """All parts of one vehicle; what is wrong with them goes to the desk."""
    made: list[Made] = []
    carrier = carrier._replace(controllers=_controllers(entry))
    for item in _entries(entry, path, desk):
        part = _made(*item, carrier, desk)
        if part is not None:
            made.append(part)
            asked = getattr(part.scheduled.part, "peak_speeds", carrier.asked_speeds)
            carrier = carrier._replace(asked_speeds=asked)
    _check_names(made, carrier, desk)
    _check_fit(entry, made, path, desk)
    _check_needs(made, desk)
    for part in made:
        check_asked(part.scheduled, part.path, carrier.plant, desk)
    return tuple(part.scheduled for part in made)


def _controllers(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the parts for control, as far as they can be read."""
    given = entry.get("control")
    items = given if isinstance(given, list) else [given]
    names = (item.get("part") if isinstance(item, dict) else item for item in items)
    return tuple(name for name in names if isinstance(name, str))


def _entries(entry: Mapping[str, Any], path: Path, desk: Desk) -> Iterator[tuple[Role, Any, Path, str]]:
    """Each part's role, data, place in the file and usual name."""
    for key, role in _ROLES.items():
        given = entry.get(key)
        if given is None:
            continue
        if not isinstance(given, list):
            yield role, given, (*path, key), key
        elif role != Role.CONTROL:
            desk.refuse((*path, key), "expected one part; only control takes a list, whose wrenches add up.")
        else:
            for index, item in enumerate(given):
                yield role, item, (*path, key, index), ""
    if entry.get("commands") is not None:
        # The list of commands is an option of the timetable, and stands where that option would.
        yield Role.ALLOCATION, {"part": "timetable", "commands": entry["commands"]}, path, "timetable"


class _Read(NamedTuple):
    """A part as far as it is known without its vehicle."""

    name: str
    kind: PartKind | None  # None: of the user's own
    options: PartOptions
    own_options: dict[str, Any]
    times: Times | None  # None with findings


def read_without_vehicle(entry: Mapping[str, Any], path: Path, desk: Desk) -> None:
    """Find what is wrong with the parts of a vehicle whose file cannot be read."""
    for role, data, place, _ in _entries(entry, path, desk):
        _read(role, data, place, desk)


def _read(role: Role, data: Any, path: Path, desk: Desk) -> _Read | None:
    """The options and times of a part, or None with findings."""
    at_name: Path = path if isinstance(data, str) else (*path, "part")
    data = {"part": data} if isinstance(data, str) else data
    if not isinstance(data, dict) or not isinstance(data.get("part"), str):
        known = ", ".join(parts_for(role))
        desk.refuse(path, f"expected a part: a word, or a mapping with the key part. Known here: {known}.")
        return None
    name, kind = data["part"], parts_for(role).get(data["part"])
    if kind is None and not is_own(name):
        desk.refuse(at_name, _no_such_part(name, role))
        return None
    own_options = {} if kind else {key: value for key, value in data.items() if key not in PartOptions.model_fields}
    common = {key: value for key, value in data.items() if key not in own_options}
    options = desk.section(kind.options if kind else PartOptions, common, path)
    if options is None:
        _times_alone(common, path, desk)
        return None
    return _Read(name, kind, options, own_options, _times(options, path, desk))


def _times_alone(data: Mapping[str, Any], path: Path, desk: Desk) -> None:
    """Judge the times of a part whose other options are wrong."""
    alone = {key: value for key, value in data.items() if key in ("part", *_TIMES)}
    options = section_at(PartOptions, alone, path, SCENARIO_FILE, [])
    if options is not None:
        _times(options, path, desk)


def _made(role: Role, data: Any, path: Path, usual: str, carrier: Carrier, desk: Desk) -> Made | None:
    """One part, or None with findings."""
    read = _read(role, data, path, desk)
    if read is None:
        return None
    name, kind, options, own_options, times = read
    onboard = VehicleContext(
        carrier.name,
        carrier.plant,
        1e-9 * (times.period_ns if times else desk.step_ns),
        carrier.sensors,
        desk.environment.site,
        carrier.launch,
        carrier.controllers,
        carrier.asked_speeds,
    )
    try:
        if kind:
            part = kind.make(options, onboard)
        else:
            part = as_part(own_thing(name, own_options, onboard.vehicle, onboard.period, desk.folder))
    except PartError as error:
        desk.refuse((*path, *error.path), str(error), shows_value=error.path != ("part",))
        return None
    except ValueError as error:
        desk.refuse(path, f"cannot be made: {error}.", shows_value=False)
        return None
    if times is None:
        return None
    called = options.name or usual or (kind.name if kind else name.partition(":")[2])
    sees_truth = kind is not None and kind.sees_truth
    return Made(ScheduledPart(role, called, part, *times, sees_truth), kind, path)


def _no_such_part(name: str, role: Role) -> str:
    """What to write instead of a part that is not known in this role."""
    others = [kind.role.name.lower() for kind in PARTS if kind.name == name]
    if others:
        return f"is a part for {listed(others)}, not for {role.name.lower()}. {suggestion('', parts_for(role))}"
    return f"is no part for {role.name.lower()}. {suggestion(name, parts_for(role))} Your own is my_file.py:MyPart."


def own_thing(name: str, options: dict[str, Any], vehicle: Vehicle, period: float, folder: FilePath) -> Any:
    """What a file of the user's own makes; numbers with units among its options become SI. PartError where it fails."""
    values = {}
    for key, raw in options.items():
        try:
            values[key] = number_or_word(raw)
        except ValueError as error:
            raise PartError(str(error), key) from None
    made_by = load_own(name, folder)
    return make_own(made_by, str(folder / name.partition(":")[0]), values, vehicle, period)


def _times(options: PartOptions, path: Path, desk: Desk) -> Times | None:
    """The times of a part; every step unless it says otherwise."""
    period_ns = desk.step_ns
    if options.rate:
        period_ns = round(1e9 / options.rate.value)
    elif options.period:
        period_ns = round(1e9 * options.period.value)
    start_ns = round(1e9 * options.start.value) if options.start else 0
    stop_ns = round(1e9 * options.stop.value) if options.stop else None
    key = "rate" if options.rate else "period"
    fits = desk.check_period((*path, key), period_ns)
    fits = desk.check_multiple((*path, "start"), start_ns, "a start") and fits
    fits = (stop_ns is None or desk.check_multiple((*path, "stop"), stop_ns, "a stop")) and fits
    if stop_ns is not None and stop_ns <= start_ns:
        desk.refuse((*path, "stop"), f"must be later than the start at {seconds(start_ns)}.")
        return None
    return Times(period_ns, start_ns, stop_ns) if fits else None


def _check_names(made: list[Made], carrier: Carrier, desk: Desk) -> None:
    """Names that logs can hold, each once, sensors included."""
    taken = set(carrier.sensors)
    for part in made:
        name = part.scheduled.name
        if fault := name_fault(name):
            desk.refuse((*part.path, "name"), fault)
        elif name in taken:
            message = f'the name "{name}" is taken by another part or sensor of this vehicle. Give it another.'
            desk.refuse((*part.path, "name"), message, shows_value=False)
        taken.add(name)


def _check_fit(entry: Mapping[str, Any], made: list[Made], path: Path, desk: Desk) -> None:
    """Whether the parts understand each other: references, wrenches and commands."""
    guidance = next((part.kind for part in made if part.scheduled.role == Role.GUIDANCE), None)
    no_guidance, no_allocation = entry.get("guidance") is None, entry.get("allocation") is None
    for part in made:
        kind = part.kind
        if kind is None or kind.role != Role.CONTROL:
            continue
        if kind.takes and no_guidance:
            desk.refuse(part.path, f'"{kind.name}" needs guidance that gives {" or ".join(kind.takes)}.', False)
        elif kind.takes and guidance is not None and guidance.gives not in kind.takes:
            message = f'"{kind.name}" follows {" or ".join(kind.takes)}, but the guidance "{guidance.name}" gives '
            desk.refuse(part.path, f"{message}{guidance.gives}.", False)
        if kind.gives_commands and not no_allocation:
            desk.refuse(part.path, f'"{kind.name}" gives commands itself. Remove the allocation.', False)
        elif not kind.gives_commands and no_allocation:
            message = f'"{kind.name}" gives a wrench, which needs an allocation, e.g. allocation: pseudo_inverse.'
            desk.refuse(part.path, message, False)
    controllers = [part for part in made if part.scheduled.role == Role.CONTROL]
    if len(controllers) > 1 and no_allocation:
        desk.refuse((*path, "control"), "has several controllers, whose wrenches add up, but no allocation.", False)
    if any(getattr(part.scheduled.part, "needs", ()) for part in controllers) and entry.get("navigation") is None:
        desk.refuse(path, "has control but no navigation. Give e.g. navigation: truth.", False)


def _check_needs(made: list[Made], desk: Desk) -> None:
    """Refuse parts that would wait for ever, because navigation never tells what they need."""
    navigation = next((part for part in made if part.scheduled.role == Role.NAVIGATION), None)
    unknown = getattr(navigation.scheduled.part, "unknown", {}) if navigation else {}
    for part in made:
        needs = getattr(part.scheduled.part, "needs", ())
        for quantity in needs:
            if quantity in unknown:
                who = part.kind.name if part.kind else part.scheduled.name
                message = f'"{who}" needs the {quantity}, which the navigation never tells: {unknown[quantity]}.'
                desk.refuse(part.path, message, False)
