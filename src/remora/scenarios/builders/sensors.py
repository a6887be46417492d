"""Builds the sensors of a vehicle from the entries of a scenario."""

from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from remora.equations.algebra.vectors import ZERO3
from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError
from remora.files.quantities import NumbersOrWords, number_or_word
from remora.files.user_code import is_user_code
from remora.logs.problems import seconds
from remora.messages.measured_quantities import MeasuredQuantities
from remora.messages.stated_errors import StatedErrors
from remora.messages.truth import BeamGeometry
from remora.scenarios.description import ChangedSensor, ScenarioSensor, SensorFields
from remora.scenarios.load_context import LoadContext, name_fault, scoped_name_fault
from remora.sensors.kind import SensorKind
from remora.sensors.library import make_sensor
from remora.sensors.registry import KINDS, find_kind
from remora.sensors.sensor import Sensor, SensorError
from remora.sensors.stated_errors import stated_errors
from remora.vehicles.assembly.actuators import orientation, orientation_fault
from remora.vehicles.axes import BODY_AXES
from remora.vehicles.checks.plausibility import implausible_sensor
from remora.vehicles.vehicle import SensorEntry, Vehicle

SHORTEST_PERIOD_NS = 1_000


class Fitted(NamedTuple):
    """A sensor, its entry and its kind."""

    entry: SensorEntry
    kind: SensorKind
    sensor: Sensor


def fitted_sensors(given: Any, scope: str, vehicle: Vehicle, context: LoadContext) -> tuple[Fitted, ...]:
    """The sensors of one vehicle; findings go to the context."""
    if given is None:
        return ()
    if given == "all":
        items: list[tuple[SensorEntry, LoadContext]] = [(entry, context) for entry in vehicle.sensors]
        if not items:
            context.refuse(f"the file of {vehicle.name} lists no sensors. Give entries of your own.")
    elif isinstance(given, list):
        items = list(_entries(given, vehicle, context))
    else:
        context.refuse("expected the word all, or a list of sensors.")
        return ()
    fitted: dict[str, Fitted] = {}
    for entry, place in items:
        if entry.name in fitted:
            place.at("name").refuse(f'two sensors of this vehicle are called "{entry.name}". Rename one.', False)
        elif fault := scoped_name_fault(entry.name):
            place.at("name").refuse(f'"{entry.name}": {fault}', False)
        elif (kind := _kind(entry.kind, FilePath(entry.folder), place)) is None:
            continue
        elif problem := kind.vehicle_fault(entry, vehicle):
            place.at("parameters", problem.field).refuse(f'sensor "{entry.name}": {problem.message}', False)
        elif (sensor := _made(entry, scope, place)) is not None:
            fitted[entry.name] = Fitted(entry, kind, sensor)
            place.at("parameters", "start").check_beginning(sensor.description.start_ns)
            _check_latency(entry, sensor.description.start_ns, place)
    return tuple(fitted.values())


def refused_sensors(given: Any, fitted: tuple[Fitted, ...], vehicle: Vehicle) -> tuple[str, ...]:
    """Names of the sensors of an entry that could not be built."""
    items = [one.name for one in vehicle.sensors] if given == "all" else given if isinstance(given, list) else []
    names = (item.get("name", item.get("from")) if isinstance(item, dict) else item for item in items)
    built = {one.entry.name for one in fitted}
    return tuple(name for name in names if isinstance(name, str) and name not in built)


def _check_latency(entry: SensorEntry, start_ns: int, context: LoadContext) -> None:
    """Warn of a sensor whose first reading arrives after the end of the run."""
    latency_ns = round(1e9 * (entry.latency or 0.0))
    if latency_ns > 0 and start_ns < context.duration_ns <= start_ns + latency_ns:
        late, end = seconds(start_ns + latency_ns), seconds(context.duration_ns)
        message = f"no reading arrives: the first is due at {late}, after the end of the run at {end}"
        context.at("latency").warn("unfinished", message)


def measured_quantities(fitted: tuple[Fitted, ...]) -> dict[str, MeasuredQuantities]:
    """Quantities for navigation by kind: of all bundled kinds, and of the user-defined ones of a vehicle."""
    bundled = {name: kind.measured for name, kind in KINDS.items()}
    return {**bundled, **{item.entry.kind_key: item.kind.measured for item in fitted}}


def beam_geometries(fitted: tuple[Fitted, ...]) -> dict[str, BeamGeometry]:
    """Beams of ranging sensors whose readings hold one range per beam, by name; echosounders have one along x_S."""
    found = {item.entry.name: one for item in fitted if (one := item.sensor.description.geometry) and one.angles}
    for item in fitted:
        entry = item.entry
        if entry.kind == "echosounder" and entry.q_BS is not None:
            found[entry.name] = BeamGeometry(entry.position or ZERO3, entry.q_BS, (0.0,))
    return found


def expected_errors(fitted: tuple[Fitted, ...]) -> dict[str, Mapping[str, StatedErrors]]:
    """Errors that data sheets state, for filters, by name of the sensor; those of user-defined kinds are unknown."""
    return {item.entry.name: stated_errors(item.entry) for item in fitted if not is_user_code(item.entry.kind)}


def _kind(name: str, folder: FilePath, context: LoadContext) -> SensorKind | None:
    """The kind of a sensor, or None with a finding."""
    try:
        return find_kind(name, folder)
    except InputError as error:
        context.at("kind").refuse(str(error))
        return None


def _entries(given: list[Any], vehicle: Vehicle, context: LoadContext) -> Iterator[tuple[SensorEntry, LoadContext]]:
    """Complete entries, each with its context."""
    known = {entry.name: entry for entry in vehicle.sensors}
    for index, item in enumerate(given):
        place = context.at(index)
        if isinstance(item, str) and item not in known:
            place.refuse(_no_such_sensor(item, known))
            continue
        item = {"from": item} if isinstance(item, str) else item
        entry = _changed(item, known, place) if isinstance(item, dict) and "from" in item else None
        if isinstance(item, dict) and "from" not in item:
            entry = _scenario_sensor(item, place)
        if not isinstance(item, dict):
            place.refuse("expected a sensor: the name of one of the vehicle file, or a mapping.")
        if entry is not None:
            for one in implausible_sensor(vehicle.parameters, entry):
                if one.field in item:
                    place.at(one.field).note(one.text)
            yield entry, place


def _changed(item: dict[str, Any], known: Mapping[str, SensorEntry], context: LoadContext) -> SensorEntry | None:
    """An entry of the vehicle file with the changes of the scenario."""
    section = context.section(ChangedSensor, item)
    if section is None:
        return None
    if section.from_ not in known:
        context.at("from").refuse(_no_such_sensor(section.from_, known))
        return None
    start = known[section.from_]
    kind = _kind(start.kind, FilePath(start.folder), context)
    fields = _fields(section, kind, context)
    parameters = {**start.parameters, **(fields.pop("parameters") or {})}
    changes = {key: value for key, value in fields.items() if value is not None and value != ""}
    return start._replace(name=section.name or start.name, parameters=parameters, **changes)


def _no_such_sensor(name: str, known: Mapping[str, SensorEntry]) -> str:
    """Message for a name that the vehicle file does not have."""
    hint = suggestion(name, known) if known else "It lists none; give a whole entry with name and kind."
    return f"the vehicle file has no such sensor. {hint}"


def _scenario_sensor(item: dict[str, Any], context: LoadContext) -> SensorEntry | None:
    """A sensor entry defined in the scenario."""
    section, given = context.section(ScenarioSensor, item), item.get("kind")
    kind = _kind(given, context.folder, context) if isinstance(given, str) else None
    if section is None or kind is None:
        _check_partly(item, kind, context)
        return None
    fields = _fields(section, kind, context)
    folder = str(context.folder) if is_user_code(section.kind) else ""
    parameters = fields.pop("parameters") or {}
    return SensorEntry(name=section.name, kind=section.kind, parameters=parameters, folder=folder, **fields)


def _check_partly(item: dict[str, Any], kind: SensorKind | None, context: LoadContext) -> None:
    """Check name and parameters of a sensor entry with other faults."""
    name, parameters = item.get("name"), item.get("parameters")
    if isinstance(name, str) and (fault := name_fault(name)):
        context.at("name").refuse(fault)
    if isinstance(parameters, dict):
        _parameters(parameters, kind, context.at("parameters"))


def _fields(section: SensorFields, kind: SensorKind | None, context: LoadContext) -> dict[str, Any]:
    """The fields of an entry in SI; None where they are not given."""
    q_BS = None
    if section.orientation:
        if fault := orientation_fault(section.orientation):
            context.at("orientation", *fault.path).refuse(fault.message)
        else:
            q_BS = orientation(section.orientation, BODY_AXES)
    if kind and section.rate and (message := kind.rate_fault(section.rate.value)):
        context.at("rate").note(message)
    return {
        "device": section.device,
        "notes": section.notes,
        "position": section.position.value if section.position else None,
        "q_BS": q_BS,
        "rate": section.rate.value if section.rate else None,
        "latency": section.latency.value if section.latency else None,
        "parameters": _parameters(section.parameters, kind, context.at("parameters")),
    }


def _parameters(given: dict[str, Any] | None, kind: SensorKind | None, context: LoadContext) -> dict[str, Any] | None:
    """Parameters in SI, with findings for those that are impossible or implausible for the kind."""
    parameters = {}
    for key, raw in (given or {}).items():
        try:
            parameters[key] = number_or_word(raw)
            is_plain = isinstance(raw, str | int | float | list) or (isinstance(raw, dict) and "value" in raw)
            fault = kind.parameter_fault(key, NumbersOrWords().read(raw)) if kind and is_plain else None
        except ValueError as error:
            context.at(key).refuse(str(error))
            continue
        if fault is not None:
            entry = context.at(key)
            (entry.note if fault.may_be_meant else entry.refuse)(fault.message)
    return parameters if given is not None else None


def _made(entry: SensorEntry, scope: str, context: LoadContext) -> Sensor | None:
    """The sensor of an entry, or None with findings at the fields that are wrong."""
    try:
        sensor = make_sensor(entry, context.seed, scope)
    except SensorError as error:
        for problem in error.problems:
            _refuse(entry, problem.field, problem.message, context)
        return None
    if sensor.description.period_ns < SHORTEST_PERIOD_NS:
        context.at("rate").refuse(f'sensor "{entry.name}": is faster than 1 MHz.', False)
        return None
    return sensor


def _refuse(entry: SensorEntry, field: str, message: str, context: LoadContext) -> None:
    """Add a finding at a field of a sensor."""
    if not field:
        context.refuse(f'sensor "{entry.name}": {message}', False)
        return
    is_parameter = field not in (*SensorEntry._fields, "orientation")
    place = context.at("parameters", field) if is_parameter else context.at(field)
    colon = "" if message.startswith("is ") else ":"
    place.refuse(f'sensor "{entry.name}": {field}{colon} {message}', False)
