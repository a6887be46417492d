"""From a scenario file to the setup of a run."""

import hashlib
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any

from remora.equations.geometry.earth import Geodetic, normal_gravity
from remora.files.did_you_mean import suggestion
from remora.files.document import Document, parse_document, problem_at, read_text
from remora.files.problems import Finding, Problem
from remora.files.quantities import Quantity
from remora.files.structure import described
from remora.kernels.methods import METHODS
from remora.logs import LogError
from remora.logs.problems import seconds
from remora.logs.schema import check_channels
from remora.simulation.log_channels import run_channels
from remora.simulation.monitoring.limits import EVERYTHING, Watch
from remora.simulation.scenarios.builders.faults import Line, lines_of, read_line
from remora.simulation.scenarios.builders.monitoring import watch_from
from remora.simulation.scenarios.builders.vehicles import Loaded, loaded, vehicle_setup
from remora.simulation.scenarios.builders.world import world_from
from remora.simulation.scenarios.description import ScenarioDescription, TunnelSection, WaterSection
from remora.simulation.scenarios.library import scenario_names, scenario_path
from remora.simulation.scenarios.problems import SCENARIO_FILE, Desk, ScenarioError, name_fault
from remora.simulation.setup import EnvironmentSetup, Setup, SetupError
from remora.vehicles import preset_names
from remora.vehicles.variants.other_water import in_water
from remora.world.ground.tunnel_sections import CrossSection, Horseshoe, Rectangle, Round
from remora.world.ground.tunnels import Tunnel

STEP_NS = 10_000_000  # unless the scenario says otherwise


def read_scenario(path_or_name: str | os.PathLike[str], changes: Mapping[str, Any] | None = None) -> Setup:
    """The run that a YAML file describes, or a shipped one by its name.

    Parameters
    ----------
    path_or_name
        A path (with a folder or an ending such as .yaml), or the name of a shipped scenario such as "tunnel".
    changes
        Entries that replace those at the top of the file, such as ``{"seed": 3, "duration": "20 s"}``. The entry
        ``vehicle`` is a preset or vehicle file that takes the place of the scenario's only vehicle.

    Raises
    ------
    ScenarioError
        With every problem of the file at once.
    """
    given = os.fspath(path_or_name)
    path = scenario_path(given) if given in scenario_names() else FilePath(given)
    looks_like_name = isinstance(path_or_name, str) and path.name == given and not path.suffix
    if looks_like_name and not path.exists():
        known = suggestion(given, scenario_names())
        message = f"there is no scenario of this name. {known} A file is given by its path."
        raise ScenarioError([Problem(given, None, None, "", "", message, "file")])
    return scenario_from_text(read_text(path, SCENARIO_FILE), str(path), path.parent, changes)


def scenario_from_text(
    text: str,
    file: str = "text",
    folder: str | os.PathLike[str] = ".",
    changes: Mapping[str, Any] | None = None,
) -> Setup:
    """The run in a YAML text; the file's name is for messages, paths in it are relative to the folder."""
    document = parse_document(text, file, SCENARIO_FILE)
    replaced: list[Problem] = []
    if changes:
        replaced = _replaced_problems(document, changes)
        document = _changed(document, changes)
        text += repr(sorted(changes.items()))
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    # A run that is cut short or made longer by the caller is not blamed for a mission that it does not finish.
    usual = replace(EVERYTHING, unfinished=None) if changes and "duration" in changes else EVERYTHING
    return _setup(document, FilePath(folder), digest, usual, replaced)


def _changed(document: Document, changes: Mapping[str, Any]) -> Document:
    """The document with other entries at its top."""
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


def _from_here(given: str) -> str:
    """A vehicle as given on a command line: a file counts from the working folder, not from that of the scenario."""
    return given if given in preset_names() else str(FilePath(given).absolute())


def _replaced_problems(document: Document, changes: Mapping[str, Any]) -> list[Problem]:
    """What is wrong with entries of the file that the changes replace; they are mistakes of the file all the same."""
    given = document.data if isinstance(document.data, dict) else {}
    replaced = {key: given[key] for key in changes if key in given and key in ScenarioDescription.model_fields}
    findings: list[Finding] = []
    described(ScenarioDescription, replaced, SCENARIO_FILE, findings, examples={})
    return [problem_at(document, finding) for finding in findings]


def _setup(document: Document, folder: FilePath, digest: str, usual: Watch, replaced: Sequence[Problem]) -> Setup:
    """The setup in a document, or all that is wrong with it."""
    findings, problems = list(document.findings), list(replaced)
    if not isinstance(document.data, dict):
        message = "expected a mapping with keys such as name, duration and vehicles at the top of the file."
        raise ScenarioError([problem_at(document, Finding((), message, shows_value=False))])
    described_as = described(ScenarioDescription, document.data, SCENARIO_FILE, findings)
    desk = _desk(described_as, folder, findings, problems)
    desk = desk._replace(watch=watch_from(described_as.watch, ("watch",), usual, desk))
    setup = _assembled(described_as, document.data, desk, digest)
    if findings or problems or setup is None:
        raise ScenarioError([*(problem_at(document, finding) for finding in findings), *problems])
    return replace(setup, load_notes=tuple(str(problem_at(document, note)) for note in desk.notes))


def _desk(description: ScenarioDescription, folder: FilePath, findings: list[Finding], problems: list[Problem]) -> Desk:
    """What the parts of the file are read with."""
    step_ns = round(1e9 * description.step.value) if description.step else STEP_NS
    duration_ns = round(1e9 * description.duration.value) if description.duration else step_ns
    desk = Desk(folder, step_ns, duration_ns, description.seed, EnvironmentSetup(), findings, problems, [], [])
    if description.duration and duration_ns < step_ns:
        desk.refuse(("duration",), f"must be at least one step of {seconds(step_ns)}.")
    if description.name is not None and (fault := name_fault(description.name)):
        desk.refuse(("name",), fault)
    return desk._replace(environment=_environment(description, desk))


def _environment(description: ScenarioDescription, desk: Desk) -> EnvironmentSetup:
    """The world but for density and gravity, which the vehicles have a say in."""
    water, origin = description.water or WaterSection(), description.origin
    given: dict[str, Any] = {
        name: quantity.value
        for name in ("sound_speed", "surface_depth", "bottom_depth", "magnetic_field")
        if (quantity := getattr(water, name)) is not None
    }
    if origin is not None:
        height = origin.height.value if origin.height else 0.0
        given["origin"] = Geodetic(origin.latitude.value, origin.longitude.value, height)
    if description.tunnel is not None:
        given["tunnel"] = _tunnel(description.tunnel, desk)
    points = {name: quantity.value for name, quantity in (description.points or {}).items()}
    return EnvironmentSetup(**given, points=points)


def _tunnel(section: TunnelSection, desk: Desk) -> Tunnel | None:
    try:
        return Tunnel(
            _outline(section),
            section.start.value if section.start else (0.0, 0.0, 0.0),
            section.heading.value if section.heading else 0.0,
            section.slope.value if section.slope else 0.0,
            section.length.value if section.length else math.inf,
        )
    except ValueError as error:
        desk.refuse(("tunnel",), f"{error}.", shows_value=False)
        return None


def _outline(section: TunnelSection) -> CrossSection:
    if section.section == "round" and section.diameter:
        return Round(section.diameter.value)
    assert section.width is not None
    assert section.height is not None
    made = Rectangle if section.section == "rectangle" else Horseshoe
    return made(section.width.value, section.height.value)


def _assembled(description: ScenarioDescription, data: dict[str, Any], desk: Desk, digest: str) -> Setup | None:
    """The setup; None with findings."""
    entries = description.vehicles or []
    if description.vehicles is not None and not entries:
        desk.refuse(("vehicles",), "is empty. A run needs at least one vehicle.", shows_value=False)
    read = [made for i, item in enumerate(entries) if (made := loaded(item, ("vehicles", i), desk)) is not None]
    _refuse_twice(entries, desk)
    wet, desk = _in_the_water(description.water or WaterSection(), read, desk)
    names = [entry["name"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("name"), str)]
    desk = _in_the_world(data, wet, names, desk)
    method = METHODS[description.method]
    shared = _shared_faults(description.faults, names, desk)
    for name in set(names) - {made.name for made in wet}:
        for line in shared[name]:
            read_line(line, desk)
    vehicles = [
        vehicle_setup(made, data["vehicles"][made.path[1]], method, shared.get(made.name, ()), desk) for made in wet
    ]
    log_ns = _log_period(description, desk)
    if desk.findings or desk.problems:
        return None
    try:
        setup = Setup(
            vehicles=tuple(vehicle for vehicle in vehicles if vehicle is not None),
            duration_ns=desk.duration_ns,
            step_ns=desk.step_ns,
            seed=desk.seed,
            environment=desk.environment,
            method=method,
            log_period_ns=log_ns,
            name=description.name or "",
            scenario_hash=digest,
            vehicle_hashes={made.name: made.hash for made in wet},
            notes={key: text for key in ("title", "notes") if (text := getattr(description, key))},
        )
        check_channels(run_channels(setup))
        return setup
    except (SetupError, LogError) as error:
        desk.refuse((), f"{error}.", shows_value=False)
        return None


def _shared_faults(given: Any, names: Sequence[str], desk: Desk) -> dict[str, list[Line]]:
    """Faults at the top of the file by vehicle; a current is felt by all unless the line names a vehicle."""
    shared: dict[str, list[Line]] = {name: [] for name in names}
    for line in lines_of(given, ("faults",), desk):
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
            desk.refuse((*line.path, "vehicle"), f"which vehicle does it happen to? {known}")
            read_line(line._replace(data=plain), desk)
    return shared


def _refuse_twice(entries: Sequence[Any], desk: Desk) -> None:
    """Two vehicles of one name, whether their files can be read or not."""
    seen: set[str] = set()
    for i, entry in enumerate(entries):
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(name, str) and name in seen:
            desk.refuse(("vehicles", i, "name"), "another vehicle has this name already. Give each its own.")
        seen |= {name} if isinstance(name, str) else set()


def _in_the_water(water: WaterSection, read: list[Loaded], desk: Desk) -> tuple[list[Loaded], Desk]:
    """The vehicles in the water of the scenario, which is that of their files unless the scenario gives another."""
    chosen = {}
    if water.gravity_by_latitude:
        water = water.model_copy(update={"gravity": _local_gravity(desk)})
    for key, words in (("density", "kg/m3"), ("gravity", "m/s2")):
        given = getattr(water, key)
        own = {getattr(made.vehicle.parameters, key): made.vehicle.name for made in read}
        if given is None and len(own) > 1:
            files = ", ".join(f"{name} {value:g} {words}" for value, name in own.items())
            message = f"the vehicle files differ ({files}). Give the {key} of the water that they are all in."
            desk.refuse(("water", key), message, shows_value=False)
        usual = next(iter(own), getattr(desk.environment, key))
        chosen[key] = given.value if given is not None else usual
    wet = []
    for made in read:
        try:
            parameters = in_water(made.vehicle.parameters, chosen["density"], chosen["gravity"])
            wet.append(made._replace(vehicle=replace(made.vehicle, parameters=parameters)))
        except ValueError as error:
            message = f"{made.vehicle.name} cannot be put into this water: {error}. Leave the density out"
            desk.refuse(("water", "density"), f"{message}, or choose another vehicle.")
    return wet, desk._replace(environment=replace(desk.environment, **chosen))


def _local_gravity(desk: Desk) -> Quantity[float] | None:
    """That of the Earth's ellipsoid at the origin, which must be given."""
    if desk.environment.origin == Geodetic(0.0, 0.0, 0.0):
        desk.refuse(("water", "gravity_by_latitude"), "needs an origin with a latitude at the top of the file.")
        return None
    origin = desk.environment.origin
    return Quantity(normal_gravity(origin.latitude, origin.height), "m/s2", "", None)


def _in_the_world(data: dict[str, Any], wet: Sequence[Loaded], names: Sequence[str], desk: Desk) -> Desk:
    """The desk with the world of the file."""
    world = world_from(data, desk)
    for name in () if world.contact is None else world.contact.sizes:
        if name not in names:
            desk.refuse(("contact", "sizes", name), f"there is no vehicle of this name. {suggestion(name, names)}")
    try:
        world.contacts({made.name: made.vehicle.parameters for made in wet}, 1e-9 * desk.step_ns)
    except ValueError as error:
        desk.refuse(("contact",), f"{error}.", shows_value=False)
    return desk._replace(environment=replace(desk.environment, given_world=world))


def _log_period(description: ScenarioDescription, desk: Desk) -> int | None:
    log = description.log
    if log is None or (log.rate is None and log.period is None):
        return None
    key = "rate" if log.rate else "period"
    period_ns = round(1e9 / log.rate.value) if log.rate else round(1e9 * log.period.value) if log.period else 0
    return period_ns if desk.check_period(("log", key), period_ns) else None
