"""Read a morphology from a YAML file, a text or the name of a bundled one."""

import math
import os
from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from remora.files.did_you_mean import suggestion
from remora.files.document import Document, parse_document, problem_at, read_text
from remora.files.problems import Finding, Path, Problem, path_text
from remora.files.structure import described, section_at
from remora.vehicles.library import is_morphology, morphology_names, morphology_path
from remora.vehicles.morphologies.composite import composite_vehicle
from remora.vehicles.morphologies.hull_overlaps import overlapping
from remora.vehicles.morphologies.link_frames import link_of, start_of
from remora.vehicles.morphologies.module_reader import (
    MORPHOLOGY_FILE,
    MorphologyError,
    ReadContext,
    ReadModule,
    in_one_water,
    is_name,
    read_modules,
)
from remora.vehicles.morphologies.morphology import ORIGIN, Module, ModuleLink, Morphology, PortPose
from remora.vehicles.morphologies.passive_bodies import FAR, NEAR, end_of, tether_links
from remora.vehicles.morphologies.placement import Placement, counts, placed
from remora.vehicles.morphologies.sections import LinkSection, MorphologyDescription
from remora.vehicles.sensor_kinds import FindKind
from remora.vehicles.vehicle import Vehicle
from remora.vehicles.vehicle_reader import load_vehicle


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
    context = ReadContext(FilePath(file).parent, find_kind, list(document.findings), [], {})
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


class _PlacedLink(NamedTuple):
    """A link with the initial pose of its second side, and its place in the file."""

    link: ModuleLink
    start: PortPose
    path: Path


def _morphology(
    description: MorphologyDescription, document: Document, text: str, context: ReadContext
) -> Morphology | None:
    """The morphology of a description; None with findings."""
    read = read_modules(description, context)
    modules = in_one_water(description, read, context)
    ends = _Ends(read, _given_ports(description), context)
    joints = _joints(ends)
    links = [*joints, *_links(description, ends, joints)]
    origin = _origin(description, modules, context)
    is_whole = len({one.place for one in read}) == len(description.modules or []) and len(modules) == len(read)
    is_joined = len(links) == len(description.links or []) + sum(n - 1 for n in context.tethers.values())
    if not (modules and origin and is_whole and is_joined):
        return None
    plain = [one.link for one in links]
    found = placed(modules, plain, origin, [one.start for one in links])
    _refuse_placement(found, {one.link.name: one.path for one in links}, context)
    at = [module._replace(pose=found.poses[module.name]) for module in modules if module.name in found.poses]
    at.sort(key=lambda module: module.name != origin)
    if not context.findings:
        _refuse_overlaps(at, read, context)
    freedom, redundant = counts(at, plain) if not context.findings else (6, 0)
    return Morphology(
        name=description.name or "",
        title=description.title or "",
        source=description.source or "",
        use=description.use,
        notes=description.notes,
        file=document.file,
        text=text,
        modules=tuple(at),
        links=tuple(plain),
        degrees_of_freedom=freedom,
        redundant_rows=redundant,
    )


class _Ends(NamedTuple):
    """Modules and ports between which links are made."""

    read: Sequence[ReadModule]
    given: dict[str, set[str]]  # ports of every module in the file, with those that have faults
    context: ReadContext

    def find(self, given: Any, path: Path) -> tuple[str, str, PortPose] | None:
        """Module, port and its pose of one end of a link; None with a finding, of the link or of its module."""
        modules, refuse = {one.name: one for one in self.read}, self.context.refuse
        named, slash, port = str(given).partition("/")
        if not slash:
            refuse(path, "expected module/port, such as left/bow.")
            return None
        module = named
        if named in self.context.tethers:
            module = end_of(named, self.context.tethers[named], port)
            if not module:
                refuse(path, f'tether "{named}" has the ports {NEAR} and {FAR}, not "{port}".')
                return None
        if module not in modules:
            if module not in self.given:
                refuse(path, f'there is no module "{module}". {suggestion(module, self.given)}')
            return None
        if port not in modules[module].ports:
            if port not in self.given.get(module, ()):
                refuse(path, f'module "{module}" has no port "{port}". {suggestion(port, modules[module].ports)}')
            return None
        return module, port, modules[module].ports[port]


def _given_ports(description: MorphologyDescription) -> dict[str, set[str]]:
    """Names of all modules of a file with those of their ports, right or wrong."""
    common, found = set(description.ports or ()), {}
    for data in description.modules or []:
        if isinstance(data, dict) and isinstance(data.get("name"), str):
            own = data.get("ports")
            found[data["name"]] = common | set(own if isinstance(own, dict) else ())
    return found


def _joints(ends: _Ends) -> list[_PlacedLink]:
    """Ball joints between the segments of all tethers."""
    found = []
    for name, count in ends.context.tethers.items():
        first = next(one for one in ends.read if one.name == end_of(name, count, NEAR))
        for link in tether_links(name, count, first.ports):
            found.append(_PlacedLink(link, ORIGIN, ("modules", first.place)))
    return found


def _links(description: MorphologyDescription, ends: _Ends, joints: Sequence[_PlacedLink]) -> list[_PlacedLink]:
    """The valid links of a file, beside the joints of its tethers."""
    given = list(enumerate(description.links or []))
    sections = {i: one for i, data in given if (one := _link_section(data, i, ends))}
    links = {i: link for i in sections if (link := _link(i, sections, ends)) is not None}
    taken = {place: one.link.name for one in joints for place in _places(one.link)}
    _refuse_two_docks(links, taken, ends.context)
    return [_PlacedLink(link, start_of(sections[i]), ("links", i)) for i, link in links.items()]


def _link_section(data: Any, index: int, ends: _Ends) -> LinkSection | None:
    path: Path = ("links", index)
    section = section_at(LinkSection, data, path, MORPHOLOGY_FILE, ends.context.findings)
    between = data.get("between") if isinstance(data, dict) else None
    if section is None and isinstance(between, list):  # its ports are checked although it has other faults
        for i, one in enumerate(between):
            ends.find(one, (*path, "between", i))
    if section is not None and len(section.between) != 2:
        ends.context.refuse((*path, "between"), "expected two ports, such as [left/bow, right/stern].")
        return None
    if section is not None and section.name is not None and not is_name(section.name):
        ends.context.refuse((*path, "name"), "a name starts with a letter and has letters, digits, _ and - only.")
    return section


def _link(index: int, sections: dict[int, LinkSection], ends: _Ends) -> ModuleLink | None:
    """The link of a section; None with findings."""
    section, path, refuse = sections[index], ("links", index, "between"), ends.context.refuse
    first, second = (ends.find(one, (*path, i)) for i, one in enumerate(section.between))
    if first is None or second is None:
        return None
    if first[0] == second[0]:
        refuse(path, f'links "{first[0]}" to itself. Give ports of two modules.')
        return None
    name = _link_name(section)
    if name in [_link_name(other) for i, other in sections.items() if i < index]:
        refuse(("links", index, "name"), f'another link is called "{name}". Give each its own name.', False)
    return link_of(section, name, (first[0], second[0]), (first[1], second[1]), (first[2], second[2]))


def _link_name(section: LinkSection) -> str:
    return section.name or "-".join(str(port).partition("/")[0] for port in section.between)


def _places(link: ModuleLink) -> tuple[tuple[str, str], tuple[str, str]]:
    """Module and port of both ends of a link."""
    return (link.first, link.ports[0]), (link.second, link.ports[1])


def _refuse_two_docks(links: dict[int, ModuleLink], taken: dict[tuple[str, str], str], context: ReadContext) -> None:
    """One link per port."""
    for i, link in links.items():
        for k, place in enumerate(_places(link)):
            if place in taken:
                message = f'this port is docked already, by the link "{taken[place]}". Give the module another port.'
                context.refuse(("links", i, "between", k), message)
            taken[place] = link.name


def _origin(description: MorphologyDescription, modules: list[Module], context: ReadContext) -> str | None:
    names = [module.name for module in modules]
    if description.origin is None:
        return names[0] if names else None
    if description.origin not in names:
        context.refuse(("origin",), f"there is no module of this name. {suggestion(description.origin, names)}")
        return None
    return description.origin


def _refuse_overlaps(modules: Sequence[Module], read: Sequence[ReadModule], context: ReadContext) -> None:
    """Vehicles that share a place, where their files give their shape; rods and tethers may pass through frames."""
    places = {one.name: one.place for one in read if one.vehicle is not None and one.vehicle.looks}
    for first, second, depth in overlapping([module for module in modules if module.name in places]):
        message = f'"{second.name}" overlaps "{first.name}" by {depth:.2g} m: both would displace the same water.'
        context.refuse(("modules", places[second.name]), f"{message} Move a port outwards, or turn it.", False)


def _refuse_placement(found: Placement, places: dict[str, Path], context: ReadContext) -> None:
    """Modules without a link, and loops that do not close."""
    if found.apart:
        message = f"no link joins {', '.join(found.apart)} to the others. Add one, or remove the module."
        context.refuse(("links",), message, shows_value=False)
    worst = found.gap
    if worst is None:
        return
    message = f'the loop through "{worst.link.name}" '
    if found.closing is None:
        message += (
            f"cannot close: its ports miss each other by {worst.distance:.3g} m and "
            f"{_degrees(worst.angle)} at best. Change the position or orientation of a port, or use a joint with more "
            "freedom."
        )
    else:
        angles = ", ".join(f"{_degrees(angle)} of {name}" for name, angle in found.closing.items())
        such = f", such as {angles}" if angles else ""
        message += f"does not close from these angles of its joints, but from others{such}. Start near them."
    context.refuse(places[worst.link.name], message, shows_value=False)


def _degrees(angle: float) -> str:
    return f"{round(math.degrees(angle), 3) + 0.0:g} deg"
