"""Validated description of a vehicle file, with `thruster_defaults` filled into each thruster."""

from typing import Any

from remora.files.document import Document
from remora.files.problems import Finding, Path
from remora.files.structure import described, section_at
from remora.vehicles.assembly.actuators import check_names
from remora.vehicles.names import VEHICLE_FILE
from remora.vehicles.sections.force_sections import force_sections
from remora.vehicles.sections.vehicle_sections import DampingSection, VehicleDescription

DEFAULTS = "thruster_defaults"


def describe(document: Document) -> tuple[VehicleDescription, list[Finding]]:
    """Description of the vehicle in a document and all findings on its form; faulty sections are None."""
    if not isinstance(document.data, dict):
        message = "expected a mapping with keys such as name, water and body at the top of the file."
        return VehicleDescription(), [*document.findings, Finding((), message, shows_value=False)]
    data, findings = _with_thruster_defaults(document.data)
    description = described(VehicleDescription, data, VEHICLE_FILE, findings)
    description = _with_valid_damping_fields(description, data, findings)
    sections = force_sections(description.forces, document.file, findings)
    description = description.model_copy(update={"forces": sections})
    findings += _names_of_sections_with_faults(description, data)
    findings = [_at_its_source(finding, document) for finding in findings]
    return description, [*document.findings, *findings]


def _with_valid_damping_fields(
    description: VehicleDescription, data: dict[str, Any], findings: list[Finding]
) -> VehicleDescription:
    """Damping without its faulty fields, so that the signs of the others are checked at the same time.

    Not for historical vehicles, where the faulty part may explain the sign.
    """
    given = data.get("damping")
    if description.damping is not None or not isinstance(given, dict) or "historical" in data:
        return description
    wrong = {finding.path[1] for finding in findings if finding.path[:1] == ("damping",) and len(finding.path) > 1}
    rest = {key: value for key, value in given.items() if key not in wrong}
    section = section_at(DampingSection, rest, ("damping",), VEHICLE_FILE, []) if rest else None
    return description.model_copy(update={"damping": section})


def _names_of_sections_with_faults(description: VehicleDescription, data: dict[str, Any]) -> list[Finding]:
    """Duplicate names in lists with faults; valid lists are checked later."""
    findings: list[Finding] = []
    for key in ("thrusters", "fins", "servos", "moving_masses", "sensors"):
        items = data.get(key)
        if getattr(description, key) is not None or not isinstance(items, list):
            continue
        names = [
            item["name"] if isinstance(item, dict) and isinstance(item.get("name"), str) else None for item in items
        ]
        check_names(key, names, findings)
    return findings


def _with_thruster_defaults(data: dict[str, Any]) -> tuple[dict[str, Any], list[Finding]]:
    """The data with the fields of `thruster_defaults` filled into thrusters that omit them."""
    defaults = data.get(DEFAULTS)
    rest = {key: value for key, value in data.items() if key != DEFAULTS}
    if defaults is None:
        return rest, []
    if not isinstance(defaults, dict):
        return rest, [Finding((DEFAULTS,), "expected a mapping with fields of a thruster.")]
    thrusters = rest.get("thrusters")
    if not isinstance(thrusters, list):
        return rest, [Finding((DEFAULTS,), "there are no thrusters to use it. Remove it or add thrusters.")]
    rest["thrusters"] = [{**defaults, **item} if isinstance(item, dict) else item for item in thrusters]
    return rest, []


def sources_of_defaults(document: Document) -> dict[Path, str]:
    """The source of `thruster_defaults` for each thruster field taken from there."""
    data = document.data if isinstance(document.data, dict) else {}
    defaults, thrusters = data.get(DEFAULTS), data.get("thrusters")
    if not isinstance(defaults, dict) or not isinstance(thrusters, list) or not isinstance(defaults.get("source"), str):
        return {}
    return {
        ("thrusters", index, key): defaults["source"]
        for index, thruster in enumerate(thrusters)
        for key in defaults
        if isinstance(thruster, dict) and key not in thruster
    }


def _at_its_source(finding: Finding, document: Document) -> Finding:
    """The finding at the position of its value; a fault in a default is reported once, not per thruster."""
    path = finding.path
    of_thruster = path[:1] == ("thrusters",) and len(path) > 2 and path[:3] not in document.positions
    if of_thruster and (DEFAULTS, path[2]) in document.positions:
        path = (DEFAULTS, *path[2:])
    if finding.shows_value:
        while path and path not in document.positions:
            path = path[:-1]
    return finding._replace(path=path)
