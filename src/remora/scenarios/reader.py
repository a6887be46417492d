"""Read a scenario file into the setup of a run."""

import hashlib
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from remora.equations.geometry.earth import Geodetic, normal_gravity
from remora.files.did_you_mean import suggestion
from remora.files.document import Document, parse_document, problem_at, read_text
from remora.files.problems import Finding, Problem, path_text
from remora.files.quantities import Quantity
from remora.files.structure import described
from remora.logs import LogError
from remora.logs.problems import seconds
from remora.logs.schema import check_channels
from remora.plant.methods import METHODS
from remora.run.monitoring.limits import WATCH_ALL, Watch
from remora.run.recorder import run_channels
from remora.run.setup import Setup, SetupError
from remora.scenarios.builders.assemblies import assembly_setup
from remora.scenarios.builders.faults import FaultEntry, fault_entries, read_fault_entry
from remora.scenarios.builders.monitoring import watch_from
from remora.scenarios.builders.vehicles import LoadedEntry, LoadedVehicle, load_entry, vehicle_setup
from remora.scenarios.builders.world import world_from
from remora.scenarios.description import ScenarioDescription, ScenarioWaterSection, TunnelSection
from remora.scenarios.library import scenario_names, scenario_path, unknown_scenario
from remora.scenarios.load_context import SCENARIO_FILE, LoadContext, ScenarioError, name_fault
from remora.scenarios.plausible_entries import note_implausible_entries
from remora.scenarios.user_code import user_code_digest
from remora.vehicles import preset_names
from remora.vehicles.library import morphology_names
from remora.vehicles.variants.other_water import in_water
from remora.vehicles.vehicle import Vehicle
from remora.world.ground.beds import FlatBed
from remora.world.ground.tunnels import CrossSection, Horseshoe, Rectangle, Round, Tunnel
from remora.world.scene import Scene
from remora.world.world import World

STEP_NS = 10_000_000  # default


class ScenarioSource(NamedTuple):
    """Text of a scenario, with the entries that replace some of it."""

    file: str  # name without folder
    text: str
    changes: str  # as text; empty for none

    def hash(self, user_code: str) -> str:
        """Hash of text, changes and the digest of user code."""
        return hashlib.sha256((self.text + self.changes + user_code).encode()).hexdigest()[:16]


def read_scenario(path_or_name: str | os.PathLike[str], changes: Mapping[str, Any] | None = None) -> Setup:
    """Read the run of a YAML file, or a bundled one by name.

    Parameters
    ----------
    path_or_name
        A path (with a folder or an ending such as .yaml), or the name of a bundled scenario such as "tunnel".
    changes
        Entries that replace those at the top of the file, such as ``{"seed": 3, "duration": "20 s"}``. The entry
        ``vehicle`` is a preset or vehicle file that replaces the only vehicle of the scenario.

    Raises
    ------
    ScenarioError
        With every problem of the file at once.
    """
    path = scenario_file(path_or_name)
    return scenario_from_text(read_text(path, SCENARIO_FILE), str(path), path.parent, changes)


def scenario_file(path_or_name: str | os.PathLike[str]) -> FilePath:
    """Path of a scenario file, or of a bundled one by name; ScenarioError for an unknown name."""
    given = path_text("path_or_name", path_or_name)
    path = scenario_path(given) if given in scenario_names() else FilePath(given)
    looks_like_name = isinstance(path_or_name, str) and path.name == given and not path.suffix
    if looks_like_name and not path.exists():
        raise ScenarioError([Problem(given, None, None, "", "", unknown_scenario(given), "file")])
    return path


def scenario_from_text(
    text: str,
    file: str = "text",
    folder: str | os.PathLike[str] = ".",
    changes: Mapping[str, Any] | None = None,
    vehicles: Mapping[str, Vehicle] | None = None,
) -> Setup:
    """Read the run of a YAML text.

    Parameters
    ----------
    text
        The YAML text.
    file
        Name of the text in messages.
    folder
        Base of relative paths.
    changes
        As in `read_scenario`.
    vehicles
        Vehicles by the file that entries name; other files are read.
    """
    document, source = parse_document(text, file, SCENARIO_FILE), ScenarioSource(FilePath(file).name, text, "")
    replaced: list[Problem] = []
    if changes:
        replaced = _replaced_problems(document, changes)
        document = _changed(document, changes)
        source = source._replace(changes=repr(sorted(_by_file_name(changes).items())))
    # A run with another duration is not expected to finish its mission.
    usual = replace(WATCH_ALL, unfinished=None) if changes and "duration" in changes else WATCH_ALL
    return _setup(document, FilePath(folder), source, usual, replaced, vehicles or {})


def _changed(document: Document, changes: Mapping[str, Any]) -> Document:
    """The document with changed top-level entries."""
    if not isinstance(document.data, dict):
        return document
    data = {**document.data, **{key: value for key, value in changes.items() if key != "vehicle"}}
    if "vehicle" in changes:
        entries = data.get("vehicles")
        if not isinstance(entries, list) or len(entries) != 1 or not isinstance(entries[0], dict):
            message = "another vehicle can only take the place of the one vehicle of a scenario; this one has several."
            raise ScenarioError([problem_at(document, Finding(("vehicles",), message, shows_value=False))])
        data["vehicles"] = [{**entries[0], "file": _from_here(changes["vehicle"])}]
    return document._replace(data=data)


def _by_file_name(changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes with a vehicle file by its name, so that the folder of a file changes no log."""
    return {key: FilePath(value).name if key == "vehicle" else value for key, value in changes.items()}


def _from_here(given: str) -> str:
    """A preset name, or a path relative to the working folder as an absolute one."""
    return given if given in (*preset_names(), *morphology_names()) else str(FilePath(given).absolute())


def _replaced_problems(document: Document, changes: Mapping[str, Any]) -> list[Problem]:
    """Problems of replaced entries, which are still mistakes of the file."""
    given = document.data if isinstance(document.data, dict) else {}
    replaced = {key: given[key] for key in changes if key in given and key in ScenarioDescription.model_fields}
    findings: list[Finding] = []
    described(ScenarioDescription, replaced, SCENARIO_FILE, findings, examples={})
    return [problem_at(document, finding) for finding in findings]


def _setup(
    document: Document,
    folder: FilePath,
    source: ScenarioSource,
    usual: Watch,
    replaced: Sequence[Problem],
    vehicles: Mapping[str, Vehicle],
) -> Setup:
    """The setup in a document; raises ScenarioError with all problems."""
    findings, problems = list(document.findings), list(replaced)
    if not isinstance(document.data, dict):
        message = "expected a mapping with keys such as name, duration and vehicles at the top of the file."
        raise ScenarioError([problem_at(document, Finding((), message, shows_value=False))])
    described_as = described(ScenarioDescription, document.data, SCENARIO_FILE, findings)
    context = _load_context(described_as, folder, findings, problems)._replace(vehicles=vehicles)
    context = context._replace(watch=watch_from(described_as.watch, usual, context.at("watch")))
    setup = _assembled(described_as, document.data, context, source)
    if findings or problems or setup is None:
        raise ScenarioError([*(problem_at(document, finding) for finding in findings), *problems])
    note_implausible_entries(document.data, context)
    return replace(setup, load_notes=tuple(str(problem_at(document, note)) for note in context.notes))


def _load_context(
    description: ScenarioDescription, folder: FilePath, findings: list[Finding], problems: list[Problem]
) -> LoadContext:
    """The context in which the sections of the file are read."""
    step_ns = round(1e9 * description.step.value) if description.step else STEP_NS
    duration_ns = round(1e9 * description.duration.value) if description.duration else step_ns
    context = LoadContext(folder, step_ns, duration_ns, description.seed, World(), findings, problems, [], [])
    if description.duration and duration_ns < step_ns:
        context.at("duration").refuse(f"must be at least one step of {seconds(step_ns)}.")
    if description.name is not None and (fault := name_fault(description.name)):
        context.at("name").refuse(fault)
    return context._replace(environment=_environment(description, context))


def _environment(description: ScenarioDescription, context: LoadContext) -> World:
    """The environment without current, bed and obstacles, and without density and gravity of vehicle files."""
    water, origin = description.water or ScenarioWaterSection(), description.origin
    given: dict[str, Any] = {
        name: quantity.value
        for name in ("sound_speed", "surface_depth", "magnetic_field")
        if (quantity := getattr(water, name)) is not None
    }
    if origin is not None:
        height = origin.height.value if origin.height else 0.0
        given["origin"] = Geodetic(origin.latitude.value, origin.longitude.value, height)
    tunnel = None if description.tunnel is None else _tunnel(description.tunnel, context)
    bed = None if water.bottom_depth is None else FlatBed(water.bottom_depth.value)
    points = {name: quantity.value for name, quantity in (description.points or {}).items()}
    return World(scene=Scene(() if tunnel is None else (tunnel,), bed), points=points, **given)


def _tunnel(section: TunnelSection, context: LoadContext) -> Tunnel | None:
    try:
        return Tunnel(
            _outline(section),
            section.start.value if section.start else (0.0, 0.0, 0.0),
            section.heading.value if section.heading else 0.0,
            section.slope.value if section.slope else 0.0,
            section.length.value if section.length else math.inf,
        )
    except ValueError as error:
        context.at("tunnel").refuse(f"{error}.", shows_value=False)
        return None


def _outline(section: TunnelSection) -> CrossSection:
    if section.section == "round" and section.diameter:
        return Round(section.diameter.value)
    assert section.width is not None
    assert section.height is not None
    made = Rectangle if section.section == "rectangle" else Horseshoe
    return made(section.width.value, section.height.value)


def _assembled(
    description: ScenarioDescription, data: dict[str, Any], context: LoadContext, source: ScenarioSource
) -> Setup | None:
    """The setup; None with findings."""
    entries = description.vehicles or []
    if description.vehicles is not None and not entries:
        context.at("vehicles").refuse("is empty. A run needs at least one vehicle.", shows_value=False)
    loaded = [load_entry(item, context.at("vehicles", i)) for i, item in enumerate(entries)]
    _refuse_duplicates(entries, context)
    read, texts = _with_texts(loaded, source)
    wet, context = _in_water(description.water or ScenarioWaterSection(), read, context)
    names = _names(entries, wet)
    context = _with_world(data, wet, names, context)
    method = METHODS[description.method]
    shared = _shared_faults(description.faults, names, context)
    for name in set(names) - {made.name for made in wet}:
        for line in shared[name]:
            read_fault_entry(line)
    vehicles = [vehicle_setup(made, method, shared.get(made.name, ()), context) for made in wet]
    built = {vehicle.name: vehicle for vehicle in vehicles if vehicle is not None}
    assemblies = [assembly_setup(one.assembly, built, context) for one in loaded if one.assembly is not None]
    log_ns = _log_period(description, context)
    if context.findings or context.problems:
        return None
    try:
        setup = Setup(
            vehicles=tuple(built.values()),
            duration_ns=context.duration_ns,
            step_ns=context.step_ns,
            seed=context.seed,
            environment=context.environment,
            method=method,
            compiled=description.compiled,
            log_period_ns=log_ns,
            name=description.name or "",
            scenario_hash=source.hash(user_code_digest(data, context.folder, (made.vehicle for made in wet))),
            vehicle_hashes={made.name: made.hash for made in wet},
            notes=_notes(description, source),
            texts=texts,
            links=tuple(link for one in loaded for link in one.links),
            assemblies=tuple(one for one in assemblies if one is not None),
        )
        check_channels(run_channels(setup))
        return setup
    except (SetupError, LogError) as error:
        context.refuse(f"{error}.", shows_value=False)
        return None


def _names(entries: Sequence[Any], wet: Sequence[LoadedVehicle]) -> list[str]:
    """Names of all vehicles, those of refused entries included; a morphology of bodies has those of its modules."""
    given = [entry["name"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("name"), str)]
    names = [name for name in given if not any(made.name.startswith(f"{name}/") for made in wet)]
    return [*names, *(made.name for made in wet if made.name not in names)]


def _notes(description: ScenarioDescription, source: ScenarioSource) -> dict[str, str]:
    """Title and notes of the file, its name, and the entries that were replaced."""
    given = {key: text for key in ("title", "notes") if (text := getattr(description, key))}
    return given | {"scenario": source.file} | ({"changes": source.changes} if source.changes else {})


def _with_texts(loaded: Sequence[LoadedEntry], source: ScenarioSource) -> tuple[list[LoadedVehicle], dict[str, str]]:
    """The vehicles with the names of their texts, and all texts by name; other files of one name get a number."""
    texts, named = {source.file: source.text}, []
    for entry in loaded:
        for made in entry.vehicles:
            named.append(made._replace(file=_unique(made.file, made.vehicle.text, texts)))
        for file, text in entry.texts:
            _unique(file, text, texts)
    return named, texts


def _unique(file: str, text: str, texts: dict[str, str]) -> str:
    """The name under which a text is kept among others."""
    path, name, number = FilePath(file), file, 2
    while texts.setdefault(name, text) != text:
        name, number = f"{path.stem}_{number}{path.suffix}", number + 1
    return name


def _shared_faults(given: Any, names: Sequence[str], context: LoadContext) -> dict[str, list[FaultEntry]]:
    """Top-level faults by vehicle; a current fault applies to all unless it names a vehicle."""
    shared: dict[str, list[FaultEntry]] = {name: [] for name in names}
    for line in fault_entries(given, context.at("faults")):
        data = line.data if isinstance(line.data, dict) else {}
        name = data.get("vehicle")
        plain = {key: value for key, value in data.items() if key != "vehicle"} if data else line.data
        if name is None and (len(names) == 1 or data.get("fault") == "current"):
            for lines in shared.values():
                lines.append(line._replace(data=plain))
        elif isinstance(name, str) and name in shared:
            shared[name].append(line._replace(data=plain))
        else:
            known = suggestion(name if isinstance(name, str) else "", names) if names else ""
            line.context.at("vehicle").refuse(f"which vehicle does it happen to? {known}")
            read_fault_entry(line._replace(data=plain))
    return shared


def _refuse_duplicates(entries: Sequence[Any], context: LoadContext) -> None:
    """Two vehicles of one name, whether their files can be read or not."""
    seen: set[str] = set()
    for i, entry in enumerate(entries):
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(name, str) and name in seen:
            context.at("vehicles", i, "name").refuse("another vehicle has this name already. Give each its own.")
        seen |= {name} if isinstance(name, str) else set()


def _in_water(
    water: ScenarioWaterSection, read: list[LoadedVehicle], context: LoadContext
) -> tuple[list[LoadedVehicle], LoadContext]:
    """The vehicles in the water of the scenario; that of their files by default."""
    chosen = {}
    if water.gravity_by_latitude:
        water = water.model_copy(update={"gravity": _local_gravity(context)})
    for key, words in (("density", "kg/m3"), ("gravity", "m/s2")):
        given = getattr(water, key)
        own = {getattr(made.vehicle.parameters, key): made.vehicle.name for made in read}
        if given is None and len(own) > 1:
            files = ", ".join(f"{name} {value:g} {words}" for value, name in own.items())
            message = f"the vehicle files differ ({files}). Give the {key} of the water that they are all in."
            context.at("water", key).refuse(message, shows_value=False)
        usual = next(iter(own), getattr(context.environment, key))
        chosen[key] = given.value if given is not None else usual
    wet = []
    for made in read:
        try:
            parameters = in_water(made.vehicle.parameters, chosen["density"], chosen["gravity"])
            wet.append(made._replace(vehicle=replace(made.vehicle, parameters=parameters)))
        except ValueError as error:
            message = f"{made.vehicle.name} cannot be put into this water: {error}. Leave the density out"
            context.at("water", "density").refuse(f"{message}, or choose another vehicle.")
    return wet, context._replace(environment=replace(context.environment, **chosen))


def _local_gravity(context: LoadContext) -> Quantity[float] | None:
    """Normal gravity of the ellipsoid at the origin, which must be given."""
    if context.environment.origin == Geodetic(0.0, 0.0, 0.0):
        context.at("water", "gravity_by_latitude").refuse("needs an origin with a latitude at the top of the file.")
        return None
    origin = context.environment.origin
    return Quantity(normal_gravity(origin.latitude, origin.height), "m/s2", "", None)


def _with_world(
    data: dict[str, Any], wet: Sequence[LoadedVehicle], names: Sequence[str], context: LoadContext
) -> LoadContext:
    """The context with the world of the file."""
    world = world_from(data, context)
    for name in () if world.contact is None else world.contact.sizes:
        if name not in names:
            context.at("contact", "sizes", name).refuse(f"there is no vehicle of this name. {suggestion(name, names)}")
    try:
        world.contacts({made.name: made.vehicle.parameters for made in wet}, 1e-9 * context.step_ns)
    except ValueError as error:
        context.at("contact").refuse(f"{error}.", shows_value=False)
    filled = {name: getattr(world, name) for name in ("water", "scene", "column", "contact")}
    return context._replace(environment=replace(context.environment, **filled))


def _log_period(description: ScenarioDescription, context: LoadContext) -> int | None:
    log = description.log
    if log is None or (log.rate is None and log.period is None):
        return None
    key = "rate" if log.rate else "period"
    period_ns = round(1e9 / log.rate.value) if log.rate else round(1e9 * log.period.value) if log.period else 0
    return period_ns if context.at("log", key).check_period(period_ns) else None
