"""Read a vehicle from a YAML file, a text or a preset name."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any

from pydantic import BaseModel

from remora.files.did_you_mean import suggestion
from remora.files.document import Document, parse_document, problem_at, read_text
from remora.files.problems import Finding, Path, Problem, dotted, path_text
from remora.files.quantities import Quantity
from remora.files.yaml_text import plain_data, yaml_text
from remora.vehicles.assembly import actuators
from remora.vehicles.assembly.looks import looks_of
from remora.vehicles.assembly.vehicle_assembly import assemble, assemble_hull, envelope
from remora.vehicles.axes import axes_named
from remora.vehicles.checks.plausibility import implausible_hull
from remora.vehicles.library import preset_names, preset_path
from remora.vehicles.names import VEHICLE_FILE, VehicleFileError
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.sections.force_sections import with_references
from remora.vehicles.sections.thruster_defaults import describe, sources_of_defaults
from remora.vehicles.sections.vehicle_sections import VehicleDescription
from remora.vehicles.sensor_kinds import FindKind, SensorFindings, sensor_findings
from remora.vehicles.vehicle import Historical, SourcedValue, Vehicle


def load_vehicle(path_or_preset_name: str | os.PathLike[str], find_kind: FindKind | None = None) -> Vehicle:
    """Load a vehicle from a YAML file, or a bundled one by name.

    Parameters
    ----------
    path_or_preset_name
        A path (with a folder or an ending such as .yaml), or the name of a preset such as "falcon".
    find_kind
        Finds the kinds of sensors, such as `remora.sensors.find_kind`; None: sensor kinds and errors are not checked.

    Raises
    ------
    VehicleFileError
        With every problem of the file at once.
    """
    given = path_text("path_or_preset_name", path_or_preset_name)
    if given in preset_names():
        return _vehicle_of_file(preset_path(given), find_kind)
    path = FilePath(given)
    looks_like_name = isinstance(path_or_preset_name, str) and path.name == given and not path.suffix
    if looks_like_name and not path.exists():
        message = f"there is no preset of this name. {suggestion(given, preset_names())} A file is given by its path."
        raise VehicleFileError([Problem(given, None, None, "", "", message, "file")])
    return _vehicle_of_file(path, find_kind)


def vehicle_from_text(text: str, file: str = "text", find_kind: FindKind | None = None) -> Vehicle:
    """The vehicle in a YAML text.

    Parameters
    ----------
    text
        YAML.
    file
        Name of the text in messages; paths in the text are relative to its folder.
    find_kind
        As for `load_vehicle`.
    """
    vehicle = _vehicle(parse_document(text, file, VEHICLE_FILE), find_kind)
    return replace(vehicle, text=text, find_kind=find_kind)


def vehicle_from_sections(sections: Mapping[str, Any], find_kind: FindKind | None = None) -> Vehicle:
    """The vehicle of the sections of a vehicle file, as nested mappings; problems name no line."""
    given = {key: with_references(value, key) for key, value in sections.items() if value is not None}
    text = yaml_text({key: plain_data(value, key) for key, value in given.items()})
    label = f"vehicle {sections.get('name', '')}".strip()
    return without_lines(lambda: vehicle_from_text(text, label, find_kind))


def without_lines(read: Callable[[], Vehicle]) -> Vehicle:
    """What `read` gives; problems of a vehicle that was made in Python name no line."""
    try:
        return read()
    except VehicleFileError as error:
        raise VehicleFileError(problem._replace(line=None, column=None) for problem in error.problems) from None


def _vehicle_of_file(path: FilePath, find_kind: FindKind | None) -> Vehicle:
    return vehicle_from_text(read_text(path, VEHICLE_FILE), str(path), find_kind)


def _vehicle(document: Document, find_kind: FindKind | None) -> Vehicle:
    """The vehicle in a document; raises VehicleFileError with all its problems."""
    description, findings = describe(document)
    parameters, more = assemble(description)
    provenance, unsourced = _provenance(description, sources_of_defaults(document))
    sensors = sensor_findings(document.data, find_kind, FilePath(document.file).parent)
    looks = looks_of(
        description.looks, axes_named(description.axes, description.euler_order), FilePath(document.file).parent
    )
    findings = [*findings, *more, *sensors.refused, *unsourced, *looks.findings]
    if findings or parameters is None:
        findings += _implausible(description, sensors, findings)
        raise VehicleFileError(problem_at(document, finding) for finding in findings)
    vehicle = _assembled_vehicle(document.file, description, parameters, provenance)
    return replace(vehicle, implausible_sensors=sensors.implausible, looks=looks.solids)


def _implausible(description: VehicleDescription, sensors: SensorFindings, refused: Sequence[Finding]) -> list[Finding]:
    """Implausible numbers of a refused file, so that they need no second round; not where a number is refused.

    Of devices only those of sensors.
    """
    parameters = assemble_hull(description)
    found = [] if parameters is None else implausible_hull(parameters)
    body = [Finding(tuple(one.field.split(".")), f"implausible: {one.text}", "plausibility", False) for one in found]
    others = (f"implausible: {field}: {text}" for field, text in sensors.implausible)
    body = [one for one in body if not any(_overlaps(one.path, other.path) for other in refused)]
    return [*body, *(Finding(("sensors",), text, "plausibility", shows_value=False) for text in others)]


def _overlaps(one: Path, other: Path) -> bool:
    """Whether one path leads to or below the other."""
    shared = min(len(one), len(other))
    return one[:shared] == other[:shared]


def _assembled_vehicle(
    file: str, description: VehicleDescription, parameters: VehicleParameters, provenance: dict[str, SourcedValue]
) -> Vehicle:
    """The vehicle from its checked description and parameters."""
    axes = axes_named(description.axes, description.euler_order)
    historical, limits, accept = description.historical, envelope(description), description.accept
    return Vehicle(
        name=description.name or "",
        title=description.title or "",
        source=description.source or "",
        use=description.use,
        notes=description.notes,
        file=file,
        parameters=parameters,
        historical=Historical(historical.reason, tuple(historical.violates), limits) if historical and limits else None,
        sensors=tuple(actuators.sensor(section, axes, FilePath(file).parent) for section in description.sensors or []),
        thruster_facts=tuple(actuators.thruster_facts(section) for section in description.thrusters or []),
        figures=actuators.values_of(description.figures),
        accepted=accept.model_dump(exclude_none=True, exclude={"source"}) if accept else {},
        provenance=provenance,
    )


def _provenance(
    description: VehicleDescription, defaults: Mapping[Path, str]
) -> tuple[dict[str, SourcedValue], list[Finding]]:
    """Every number with its source, and one finding per section for numbers without one."""
    figures: dict[str, SourcedValue] = {}
    without: dict[str | int, list[Path]] = {}
    for path, quantity, source in _numbers(description, (), None, defaults):
        if source is None:
            without.setdefault(path[0], []).append(path)
        else:
            figures[dotted(path)] = SourcedValue(quantity.value, quantity.unit, source, quantity.sigma)
    findings = []
    for paths in without.values():
        others = f" (nor have {len(paths) - 1} other numbers of {paths[0][0]})" if len(paths) > 1 else ""
        fix = "Write source: at the top of the file, in the section, or beside the number."
        findings.append(Finding(paths[0], f"has no source{others}. {fix}"))
    return figures, findings


def _numbers(
    thing: Any, path: Path, source: str | None, defaults: Mapping[Path, str]
) -> Iterator[tuple[Path, Quantity[Any], str | None]]:
    """Each number below a section with its path and source; `defaults` holds the sources of thruster defaults."""
    if isinstance(thing, Quantity):
        yield path, thing, thing.source or source
    elif isinstance(thing, BaseModel):
        own = getattr(thing, "source", None) or source
        for key in type(thing).model_fields:
            yield from _numbers(getattr(thing, key), (*path, key), defaults.get((*path, key), own), defaults)
    elif isinstance(thing, dict):
        for key, item in thing.items():
            yield from _numbers(item, (*path, key), source, defaults)
    elif isinstance(thing, list):
        for index, item in enumerate(thing):
            yield from _numbers(item, (*path, index), source, defaults)
