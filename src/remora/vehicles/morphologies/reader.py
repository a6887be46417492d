"""Read a morphology from a YAML file, a text or the name of a bundled one."""

import math
import os
import re
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from remora.files.did_you_mean import suggestion
from remora.files.document import Document, parse_document, problem_at, read_text
from remora.files.file_kinds import FileKind
from remora.files.problems import Finding, InputFileError, Path, Problem, path_text
from remora.files.structure import described, section_at
from remora.vehicles.file_kind import VehicleFileError
from remora.vehicles.library import preset_names, preset_path
from remora.vehicles.morphologies.composite import composite_vehicle
from remora.vehicles.morphologies.library import morphology_names, morphology_path
from remora.vehicles.morphologies.link_frames import link_of, port_pose, start_of
from remora.vehicles.morphologies.morphology import Module, ModuleLink, Morphology, PortPose
from remora.vehicles.morphologies.passive_bodies import rod_vehicle
from remora.vehicles.morphologies.placement import Placement, counts, placed
from remora.vehicles.morphologies.sections import LinkSection, ModuleSection, MorphologyDescription, PortSection
from remora.vehicles.sensor_kinds import FindKind
from remora.vehicles.variants.other_water import in_water
from remora.vehicles.vehicle import Vehicle
from remora.vehicles.vehicle_reader import load_vehicle

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_MODULES_KEY = re.compile(r"^modules\s*:", re.MULTILINE)


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


class _ReadModule(NamedTuple):
    """A module of a file before its water is known."""

    section: ModuleSection
    vehicle: Vehicle | None  # None: a rod
    ports: dict[str, PortPose]


class _ReadContext(NamedTuple):
    """Folder of the file, sensor kinds, and what is wrong so far."""

    folder: FilePath
    find_kind: FindKind | None
    findings: list[Finding]
    problems: list[Problem]  # of vehicle files

    def refuse(self, path: Path, message: str, shows_value: bool = True) -> None:
        self.findings.append(Finding(path, message, shows_value=shows_value))


def load_morphology(path_or_name: str | os.PathLike[str], find_kind: FindKind | None = None) -> Morphology:
    """Load a morphology from a YAML file, or a bundled one by name.

    Parameters
    ----------
    path_or_name
        A path (with a folder or an ending such as .yaml), or the name of a bundled morphology.
    find_kind
        Finds the kinds of sensors, such as `remora.sensors.find_kind`; None: sensor kinds are not checked.

    Raises
    ------
    MorphologyError
        With every problem of the file at once.
    """
    given = path_text("path_or_name", path_or_name)
    path = morphology_path(given) if given in morphology_names() else FilePath(given)
    if path.name == given and not path.suffix and not path.exists():
        known = suggestion(given, morphology_names())
        message = f"there is no morphology of this name. {known} A file is given by its path."
        raise MorphologyError([Problem(given, None, None, "", "", message, "file")])
    return morphology_from_text(read_text(path, MORPHOLOGY_FILE), str(path), find_kind)


def is_morphology(path_or_name: str | os.PathLike[str]) -> bool:
    """Whether this is the name of a bundled morphology, or a file with a section `modules`."""
    try:
        path = FilePath(path_or_name)
        if str(path_or_name) in morphology_names():
            return True
        return path.is_file() and bool(_MODULES_KEY.search(path.read_text(encoding="utf-8")))
    except (OSError, TypeError, ValueError):
        return False


def load_vehicle_or_morphology(path_or_name: str | os.PathLike[str], find_kind: FindKind | None = None) -> Vehicle:
    """Load a vehicle, or a rigid morphology as one vehicle about the origin of its first module.

    Raises
    ------
    VehicleFileError, MorphologyError
        With every problem of the file at once.
    """
    if not is_morphology(path_or_name):
        return load_vehicle(path_or_name, find_kind)
    return composite_vehicle(load_morphology(path_or_name, find_kind))


def morphology_from_text(text: str, file: str = "text", find_kind: FindKind | None = None) -> Morphology:
    """The morphology in a YAML text.

    Parameters
    ----------
    text
        YAML.
    file
        Name of the text in messages; vehicle files are relative to its folder.
    find_kind
        As for `load_morphology`.
    """
    document = parse_document(text, file, MORPHOLOGY_FILE)
    context = _ReadContext(FilePath(file).parent, find_kind, list(document.findings), [])
    if not isinstance(document.data, dict):
        message = "expected a mapping with keys such as name, modules and links at the top of the file."
        raise MorphologyError([problem_at(document, Finding((), message, shows_value=False))])
    description = described(MorphologyDescription, document.data, MORPHOLOGY_FILE, context.findings)
    made = _morphology(description, document, text, context)
    if context.findings or context.problems or made is None:
        raise MorphologyError(
            [*(problem_at(document, finding) for finding in context.findings), *dict.fromkeys(context.problems)]
        )
    return made


def _morphology(
    description: MorphologyDescription, document: Document, text: str, context: _ReadContext
) -> Morphology | None:
    """The morphology of a description; None with findings."""
    common = _ports(description.ports, ("ports",), context)
    given = list(enumerate(description.modules or []))
    read = {i: made for i, data in given if (made := _module(data, i, common, context)) is not None}
    _refuse_duplicates(read, context)
    modules = _in_one_water(description, read, context)
    sections = {i: one for i, data in enumerate(description.links or []) if (one := _link_section(data, i, context))}
    links = {i: link for i in sections if (link := _link(i, sections, read, context)) is not None}
    _refuse_two_docks(sections, links, context)
    origin = _origin(description, modules, context)
    if context.findings or context.problems or not modules or origin is None:
        return None
    starts = [start_of(sections[i]) for i in links]
    found = placed(modules, list(links.values()), origin, starts)
    _refuse_placement(found, {link.name: i for i, link in links.items()}, context)
    at = [module._replace(pose=found.poses[module.name]) for module in modules if module.name in found.poses]
    at.sort(key=lambda module: module.name != origin)
    freedom, redundant = counts(at, list(links.values()))
    return Morphology(
        name=description.name or "",
        title=description.title or "",
        source=description.source or "",
        use=description.use,
        notes=description.notes,
        file=document.file,
        text=text,
        modules=tuple(at),
        links=tuple(links.values()),
        degrees_of_freedom=freedom,
        redundant_rows=redundant,
    )


def _module(data: Any, index: int, common: dict[str, PortPose], context: _ReadContext) -> _ReadModule | None:
    path: Path = ("modules", index)
    section = section_at(ModuleSection, data, path, MORPHOLOGY_FILE, context.findings)
    if section is None:
        return None
    if not _NAME.fullmatch(section.name):
        context.refuse((*path, "name"), "a name starts with a letter and has letters, digits, _ and - only.")
    ports = common | _ports(section.ports, (*path, "ports"), context)
    if section.file is None:
        return _ReadModule(section, None, ports)
    file = _vehicle_file(section.file, (*path, "file"), context)
    if file is None:
        return None
    try:
        return _ReadModule(section, load_vehicle(file, context.find_kind), ports)
    except VehicleFileError as error:
        context.problems.extend(error.problems)
        context.refuse((*path, "file"), "this vehicle file has faults of its own; they are listed with their lines.")
        return None


def _vehicle_file(given: str, path: Path, context: _ReadContext) -> FilePath | None:
    """The file of a preset, or a path relative to the morphology."""
    if given in preset_names():
        return preset_path(given)
    file = context.folder / given
    if file.is_file():
        return file
    if FilePath(given).name == given and not FilePath(given).suffix:
        context.refuse(path, f"there is no vehicle of this name. {suggestion(given, preset_names())}")
    else:
        context.refuse(path, f"there is no file {file}. A path is relative to the folder of the morphology.")
    return None


def _ports(given: dict[str, Any] | None, path: Path, context: _ReadContext) -> dict[str, PortPose]:
    """Valid ports by name."""
    found = {}
    for name, data in (given or {}).items():
        section = section_at(PortSection, data, (*path, name), MORPHOLOGY_FILE, context.findings)
        if not _NAME.fullmatch(str(name)):
            context.refuse((*path, name), "a port starts with a letter and has letters, digits, _ and - only.")
        pose = None if section is None else port_pose(section, (*path, name), context.findings)
        if pose is not None:
            found[str(name)] = pose
    return found


def _refuse_duplicates(read: dict[int, _ReadModule], context: _ReadContext) -> None:
    seen: set[str] = set()
    for i, module in read.items():
        if module.section.name in seen:
            context.refuse(("modules", i, "name"), "another module has this name already. Give each its own.")
        seen.add(module.section.name)


def _in_one_water(
    description: MorphologyDescription, read: dict[int, _ReadModule], context: _ReadContext
) -> list[Module]:
    """All modules in the water of the file, or in that of their own files where they agree."""
    chosen: dict[str, float] = {}
    for key, words in (("density", "kg/m3"), ("gravity", "m/s2")):
        own = {getattr(one.vehicle.parameters, key): one.section.name for one in read.values() if one.vehicle}
        given = getattr(description.water, key).value if description.water else None
        if given is None and len(own) > 1:
            files = ", ".join(f"{name} {value:g} {words}" for value, name in own.items())
            context.refuse(
                ("water", key), f"the vehicle files differ ({files}). Give water: density and gravity.", False
            )
        if given is None and not own:
            context.refuse(("water",), "is missing: no vehicle file gives it. Give density and gravity.", False)
        chosen[key] = given if given is not None else next(iter(own), 1.0)
    return [
        Module(one.section.name, vehicle, one.ports)
        for i, one in read.items()
        if (vehicle := _wet(one, i, chosen, context)) is not None
    ]


def _wet(read: _ReadModule, index: int, water: dict[str, float], context: _ReadContext) -> Vehicle | None:
    """The vehicle of a module in the common water."""
    try:
        if read.vehicle is None:
            assert read.section.rod is not None
            return rod_vehicle(read.section.name, read.section.rod, water["density"], water["gravity"])
        parameters = in_water(read.vehicle.parameters, water["density"], water["gravity"])
        return replace(read.vehicle, parameters=parameters)
    except ValueError as error:
        context.refuse(("modules", index), f"cannot be put into this water: {error}.", shows_value=False)
        return None


def _link_section(data: Any, index: int, context: _ReadContext) -> LinkSection | None:
    path: Path = ("links", index)
    section = section_at(LinkSection, data, path, MORPHOLOGY_FILE, context.findings)
    if section is not None and len(section.between) != 2:
        context.refuse((*path, "between"), "expected two ports, such as [left/bow, right/stern].")
        return None
    if section is not None and section.name is not None and not _NAME.fullmatch(section.name):
        context.refuse((*path, "name"), "a name starts with a letter and has letters, digits, _ and - only.")
    return section


def _link(
    index: int, sections: dict[int, LinkSection], read: dict[int, _ReadModule], context: _ReadContext
) -> ModuleLink | None:
    """The link of a section; None with findings."""
    section, path = sections[index], ("links", index, "between")
    ends = [_end(one, (*path, i), read, context) for i, one in enumerate(section.between)]
    if ends[0] is None or ends[1] is None:
        return None
    (first, port_a, pose_a), (second, port_b, pose_b) = ends[0], ends[1]
    if first == second:
        context.refuse(path, f'links "{first}" to itself. Give ports of two modules.')
        return None
    name = _link_name(section)
    if name in [_link_name(other) for i, other in sections.items() if i < index]:
        context.refuse(("links", index, "name"), f'another link is called "{name}". Give each its own name.', False)
    return link_of(section, name, (first, second), (port_a, port_b), (pose_a, pose_b))


def _link_name(section: LinkSection) -> str:
    return section.name or "-".join(str(port).partition("/")[0] for port in section.between)


def _end(
    given: Any, path: Path, read: dict[int, _ReadModule], context: _ReadContext
) -> tuple[str, str, PortPose] | None:
    """Module, port and its pose of one end of a link; None with a finding."""
    modules = {one.section.name: one for one in read.values()}
    module, slash, port = str(given).partition("/")
    if not slash:
        context.refuse(path, "expected module/port, such as left/bow.")
        return None
    if module not in modules:
        context.refuse(path, f'there is no module "{module}". {suggestion(module, modules)}')
        return None
    if port not in modules[module].ports:
        context.refuse(path, f'module "{module}" has no port "{port}". {suggestion(port, modules[module].ports)}')
        return None
    return module, port, modules[module].ports[port]


def _refuse_two_docks(sections: dict[int, LinkSection], links: dict[int, ModuleLink], context: _ReadContext) -> None:
    """One link per port."""
    taken: dict[str, str] = {}
    for i, link in links.items():
        for k, place in enumerate(sections[i].between):
            if place in taken:
                message = f'this port is docked already, by the link "{taken[place]}". Give the module another port.'
                context.refuse(("links", i, "between", k), message)
            taken[place] = link.name


def _origin(description: MorphologyDescription, modules: list[Module], context: _ReadContext) -> str | None:
    names = [module.name for module in modules]
    if description.origin is None:
        return names[0] if names else None
    if description.origin not in names:
        context.refuse(("origin",), f"there is no module of this name. {suggestion(description.origin, names)}")
        return None
    return description.origin


def _refuse_placement(found: Placement, places: dict[str, int], context: _ReadContext) -> None:
    """Modules without a link, and loops that do not close."""
    if found.apart:
        message = f"no link joins {', '.join(found.apart)} to the others. Add one, or remove the module."
        context.refuse(("links",), message, shows_value=False)
    worst = found.gap
    if worst is None:
        return
    degrees = math.degrees(worst.angle)
    message = (
        f'the loop through "{worst.link.name}" cannot close: its ports miss each other by {worst.distance:.3g} m and '
        f"{degrees:.3g} deg at best. Change the position or orientation of a port, or use a joint with more freedom."
    )
    context.refuse(("links", places[worst.link.name]), message, shows_value=False)
