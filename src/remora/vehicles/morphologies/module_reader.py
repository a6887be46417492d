"""Reads the modules of a morphology file: vehicle files, rods, tethers, ports, shared water, and interaction."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from remora.equations.algebra.vectors import scale_matrix6
from remora.files.did_you_mean import suggestion
from remora.files.file_kinds import FileKind
from remora.files.problems import Finding, InputFileError, Path, Problem
from remora.files.structure import section_at
from remora.vehicles.hull_forces import with_changed_forces
from remora.vehicles.library import is_morphology, morphology_names, preset_names, preset_path
from remora.vehicles.morphologies.link_frames import port_pose
from remora.vehicles.morphologies.morphology import Module, PortPose
from remora.vehicles.morphologies.passive_bodies import rod_vehicle, segment_names, segment_of, segment_ports
from remora.vehicles.morphologies.sections import (
    InteractionSection,
    ModuleSection,
    MorphologyDescription,
    PortSection,
    RodSection,
    TetherChainSection,
)
from remora.vehicles.names import NAME, VehicleFileError
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.sensor_kinds import FindKind
from remora.vehicles.variants.other_water import in_water
from remora.vehicles.vehicle import Vehicle
from remora.vehicles.vehicle_reader import load_vehicle


class MorphologyError(InputFileError):
    """A morphology file was refused; `problems` may include those of its vehicle files."""


MORPHOLOGY_FILE = FileKind(
    "morphology",
    MorphologyError,
    {
        "name": "Give a short word, e.g. name: my_pair.",
        "title": "Give one line that says what it is.",
        "modules": "Give a list, e.g. modules: [{name: left, file: bluerov2}].",
        "links": "Give a list, e.g. links: [{kind: rigid, between: [left/bow, right/stern]}].",
    },
    lambda key: None,
)


class ReadModule(NamedTuple):
    """A module of a file before its water is known."""

    place: int  # in the file; the segments of a tether share one
    name: str
    vehicle: Vehicle | None  # None: a rod
    rod: RodSection | None
    ports: dict[str, PortPose]
    interaction: InteractionSection | None


class ReadContext(NamedTuple):
    """Folder of the file, sensor kinds, and what is wrong so far."""

    folder: FilePath
    find_kind: FindKind | None
    findings: list[Finding]
    problems: list[Problem]  # of vehicle files
    tethers: dict[str, int]  # segments of each tether

    def refuse(self, path: Path, message: str, shows_value: bool = True) -> None:
        """Add a finding; the file is refused."""
        self.findings.append(Finding(path, message, shows_value=shows_value))


def is_name(text: str) -> bool:
    """Whether a text may be the name of a module, port or link."""
    return NAME.fullmatch(text) is not None


def read_modules(description: MorphologyDescription, context: ReadContext) -> list[ReadModule]:
    """All valid modules of a file, a tether as its segments; findings go to the context."""
    common = _ports(description.ports, ("ports",), context)
    read = [one for i, data in enumerate(description.modules or []) for one in _modules(data, i, common, context)]
    _refuse_duplicates(read, context)
    return read


def _modules(data: Any, index: int, common: dict[str, PortPose], context: ReadContext) -> list[ReadModule]:
    """The module of an entry, or the segments of a tether; empty with findings."""
    path: Path = ("modules", index)
    section = section_at(ModuleSection, data, path, MORPHOLOGY_FILE, context.findings)
    if section is None:
        _check_alone(data, path, context)
        return []
    if not is_name(section.name):
        context.refuse((*path, "name"), "a name starts with a letter and has letters, digits, _ and - only.")
    if section.tether is not None:
        return _segments(section, section.tether, index, context)
    ports = common | _ports(section.ports, (*path, "ports"), context)
    if section.file is None:
        return [ReadModule(index, section.name, None, section.rod, ports, section.interaction)]
    vehicle = _vehicle(section.file, (*path, "file"), context)
    return [] if vehicle is None else [ReadModule(index, section.name, vehicle, None, ports, section.interaction)]


def _check_alone(data: Any, path: Path, context: ReadContext) -> None:
    """Check vehicle file and ports of a module with other faults."""
    if isinstance(data, dict) and isinstance(data.get("file"), str):
        _vehicle(data["file"], (*path, "file"), context)
    if isinstance(data, dict) and isinstance(data.get("ports"), dict):
        _ports(data["ports"], (*path, "ports"), context)


def _segments(section: ModuleSection, tether: TetherChainSection, index: int, context: ReadContext) -> list[ReadModule]:
    """Rods of equal length with a port at either end; `tether_links` joins them."""
    if section.ports:
        message = "a tether has the ports near and far. Remove them."
        context.refuse(("modules", index, "ports"), message, shows_value=False)
    context.tethers[section.name] = tether.segments
    rod, ports = segment_of(tether), segment_ports(tether)
    names = segment_names(section.name, tether.segments)
    return [ReadModule(index, name, None, rod, ports, section.interaction) for name in names]


def _vehicle(given: str, path: Path, context: ReadContext) -> Vehicle | None:
    """The vehicle of a module; None with findings."""
    file = _vehicle_file(given, path, context)
    if file is None:
        return None
    try:
        return load_vehicle(file, context.find_kind)
    except VehicleFileError as error:
        context.problems.extend(error.problems)
        context.refuse(path, "this vehicle file has faults of its own; they are listed with their lines.")
        return None


def _vehicle_file(given: str, path: Path, context: ReadContext) -> FilePath | None:
    """The file of a preset, or a path relative to the morphology."""
    if given in preset_names():
        return preset_path(given)
    file = context.folder / given
    if given in morphology_names() or is_morphology(file):
        context.refuse(path, "is a morphology. A module is one vehicle: list the modules and links of both here.")
        return None
    if file.is_file():
        return file
    if FilePath(given).name == given and not FilePath(given).suffix:
        context.refuse(path, f"there is no vehicle of this name. {suggestion(given, preset_names())}")
    else:
        context.refuse(path, f"there is no file {file}. A path is relative to the folder of the morphology.")
    return None


def _ports(given: dict[str, Any] | None, path: Path, context: ReadContext) -> dict[str, PortPose]:
    """Valid ports by name."""
    found = {}
    for name, data in (given or {}).items():
        section = section_at(PortSection, data, (*path, name), MORPHOLOGY_FILE, context.findings)
        if not is_name(str(name)):
            context.refuse((*path, name), "a port starts with a letter and has letters, digits, _ and - only.")
        pose = None if section is None else port_pose(section, (*path, name), context.findings)
        if pose is not None:
            found[str(name)] = pose
    return found


def _refuse_duplicates(read: list[ReadModule], context: ReadContext) -> None:
    seen: set[str] = set()
    for module in read:
        if module.name in seen or module.name in context.tethers:
            context.refuse(
                ("modules", module.place, "name"), "another module has this name already. Give each its own."
            )
        seen.add(module.name)


def in_one_water(description: MorphologyDescription, read: Sequence[ReadModule], context: ReadContext) -> list[Module]:
    """All modules in the water of the file, or in that of their own files where they agree."""
    chosen: dict[str, float] = {}
    for key, words in (("density", "kg/m3"), ("gravity", "m/s2")):
        own = {getattr(one.vehicle.parameters, key): one.name for one in read if one.vehicle}
        given = getattr(description.water, key).value if description.water else None
        if given is None and len(own) > 1:
            files = ", ".join(f"{name} {value:g} {words}" for value, name in own.items())
            context.refuse(
                ("water", key), f"the vehicle files differ ({files}). Give water: density and gravity.", False
            )
        if given is None and not own and not context.findings:
            context.refuse(("water",), "is missing: no vehicle file gives it. Give density and gravity.", False)
        chosen[key] = given if given is not None else next(iter(own), 1.0)
    return [Module(one.name, vehicle, one.ports) for one in read if (vehicle := _wet(one, chosen, context)) is not None]


def _wet(read: ReadModule, water: dict[str, float], context: ReadContext) -> Vehicle | None:
    """The vehicle of a module in the common water, with its interaction factors."""
    try:
        if read.vehicle is None:
            assert read.rod is not None
            vehicle = rod_vehicle(read.name, read.rod, water["density"], water["gravity"])
        else:
            parameters = in_water(read.vehicle.parameters, water["density"], water["gravity"])
            vehicle = replace(read.vehicle, parameters=parameters)
    except ValueError as error:
        context.refuse(("modules", read.place), f"cannot be put into this water: {error}.", shows_value=False)
        return None
    if read.interaction is None:
        return vehicle
    try:
        return replace(vehicle, parameters=with_interaction(vehicle.parameters, read.interaction))
    except ValueError as error:
        context.refuse(("modules", read.place, "interaction"), f"{error}.", shows_value=False)
        return None


def with_interaction(parameters: VehicleParameters, section: InteractionSection) -> VehicleParameters:
    """The parameters with factors for the neighbours of a module, on added mass and damping in all degrees of freedom.

    Raises a ValueError for a factor on the added mass where only the total inertia is known.
    """
    added, damping = (one.value if one else 1.0 for one in (section.added_mass, section.damping))
    if parameters.total_inertia_only and added != 1.0:
        raise ValueError("only the total inertia of this vehicle is known, so that its added mass has no factor")
    up, six = parameters.heave_up, (damping, damping, damping, damping, damping, damping)
    changed = parameters._replace(
        added_mass=scale_matrix6(added, parameters.added_mass),
        heave_up=up._replace(added_mass=added * up.added_mass) if up else None,
    )
    return with_changed_forces(changed, lambda form, record: form.scaled(record, six, six))
