"""`Scenario`: a run as data that is changed in Python, validated as a file is, and saved."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path as FilePath
from typing import Any, final

from remora.files.catalogue import html_table
from remora.files.did_you_mean import suggestion
from remora.files.document import read_text
from remora.files.problems import InputError, Path, dotted, path_text
from remora.files.user_code import SESSION, reference_of
from remora.files.writing import write_together
from remora.files.yaml_text import changed_text, path_of, plain_data, yaml_text
from remora.logs.problems import seconds
from remora.run.setup import Setup
from remora.scenarios.description import ScenarioDescription, ScenarioWaterSection, VehicleEntry
from remora.scenarios.load_context import SCENARIO_FILE, ScenarioError
from remora.scenarios.reader import scenario_file, scenario_from_text
from remora.sensors.registry import find_kind
from remora.vehicles.library import preset_names, preset_path
from remora.vehicles.saving import text_of
from remora.vehicles.vehicle import Vehicle
from remora.vehicles.vehicle_reader import load_vehicle


@final
@dataclass(frozen=True, eq=False, repr=False)
class Scenario:
    """A validated scenario, from `load_scenario` or `make_scenario`."""

    text: str  # YAML
    file: str  # for messages
    folder: FilePath  # base of relative paths
    vehicles: Mapping[str, Vehicle]  # file as named in the text -> vehicle that was made in Python
    setup: Setup  # of the run

    @property
    def name(self) -> str:
        """Name of the scenario."""
        return self.setup.name

    @property
    def title(self) -> str:
        """Title of the scenario; empty where it has none."""
        return self.setup.notes.get("title", "")

    def with_(self, changes: Mapping[str, Any] | None = None, **fields: Any) -> "Scenario":
        """The scenario with changed fields, validated as a file is.

        Parameters
        ----------
        changes
            Dotted field of the file -> value, such as ``{"vehicles[0].guidance.speed": "0.5 m/s"}``.
        fields
            Fields by name: those at the top of the file, those of `water`, those of the only vehicle, and `vehicle`
            for another vehicle (a `Vehicle`, a bundled name or a path) in its place. Values are written as in a file:
            numbers in SI, texts such as "20 s", lists, arrays or mappings. A part may be a class. None removes a field.

        Raises
        ------
        InputError
            For a field that a scenario does not have.
        ScenarioError
            With every problem of the changed scenario at once.

        Examples
        --------
        >>> from remora import load_scenario
        >>> load_scenario("dive_and_turn").with_(duration="30 s", current=[0.1, 0, 0]).setup.duration_ns
        30000000000
        """
        given: Any = {} if changes is None else changes
        if not isinstance(given, Mapping):
            fix = "Give a mapping from fields to values, or fields by name: with_(seed=3)."
            raise InputError(f"changes is {changes!r}. {fix}").about("changes", changes, fix=fix)
        paths = {path_of(field, ScenarioDescription.model_fields): value for field, value in given.items()}
        for name, value in fields.items():
            path = self._path_named(name)
            paths[path] = loaded(value) if name == "vehicle" else value
        vehicles = dict(self.vehicles)
        written = {path: as_data(value, dotted(path), vehicles) for path, value in paths.items()}
        return scenario_of(changed_text(self.text, written), f"{self.name}, changed", self.folder, vehicles)

    def setup_with(self, changes: Mapping[str, Any]) -> Setup:
        """Setup of the run with `seed`, `duration` or `vehicle` replaced as by the options of `remora run`."""
        vehicles, given = dict(self.vehicles), dict(changes)
        if isinstance(vehicle := given.get("vehicle"), Vehicle):
            given["vehicle"] = reference = as_data(vehicle, "vehicle", vehicles)
            if reference in vehicles:  # an option names a file relative to the working folder
                vehicles[str(FilePath(reference).absolute())] = vehicle
        return scenario_from_text(self.text, self.file, self.folder, given, vehicles) if given else self.setup

    def save(self, path: str | PathLike[str]) -> None:
        """Write the scenario file, with its comments, and beside it the files of vehicles that were made in Python.

        An existing scenario is replaced.

        Raises
        ------
        InputError
            When the path does not end in .yaml, a part is a class of the running program, or a vehicle file of another
            content is in the way.
        ScenarioError
            When the scenario names files that are not found from its new place.
        """
        file = FilePath(path_text("path", path))
        if file.suffix.lower() not in (".yaml", ".yml") or file.is_dir():
            fix = "Give a file ending in .yaml."
            raise InputError(f"{file}: scenarios are written as YAML. {fix}").about("path", file, fix=fix)
        if SESSION in self.text or any(SESSION in vehicle.text for vehicle in self.vehicles.values()):
            fix = "Write it to a file beside the scenario and name it as my_file.py:MyPart."
            what = "a part is a class" if SESSION in self.text else "a force or sensor of a vehicle is an object"
            raise InputError(f"{what} of the running program, which no file can hold. {fix}").about("part", fix=fix)
        beside = {file.parent / name: vehicle for name, vehicle in self.vehicles.items()}
        for place, vehicle in beside.items():
            if place.is_file() and place.read_text(encoding="utf-8") != vehicle.text:
                fix = "Rename the vehicle with with_(name=...), or move the file."
                raise InputError(f"{place}: there is another vehicle file. {fix}").about("vehicle", place, fix=fix)
        scenario_from_text(self.text, str(file), file.parent, vehicles=self.vehicles)
        file.parent.mkdir(parents=True, exist_ok=True)
        texts = {file: self.text, **{place: vehicle.text for place, vehicle in beside.items()}}
        write_together({place: text.encode() for place, text in texts.items()})

    def _path_named(self, name: str) -> Path:
        """The path of a field that is known by its name alone."""
        known: dict[str, Path] = {}
        if len(self.setup.vehicles) == 1:
            own = [field.alias or name for name, field in VehicleEntry.model_fields.items()]
            known = {key: ("vehicles", 0, key) for key in own if key not in ("name", "file")}
            known["vehicle"] = ("vehicles", 0, "file")
        known |= {key: ("water", key) for key in ScenarioWaterSection.model_fields}
        known |= {key: (key,) for key in ScenarioDescription.model_fields}
        if name not in known:
            fix = f"{suggestion(name, known)} Other fields are given by their place, e.g. {{'vehicles[0].file': ...}}."
            raise InputError(f'a scenario has no field "{name}". {fix}').about(name, choices=known, fix=fix)
        return known[name]

    def __repr__(self) -> str:
        names = ", ".join(vehicle.name for vehicle in self.setup.vehicles)
        return f"<Scenario {self.name}: {self.title or names}, {seconds(self.setup.duration_ns)}>"

    def _repr_html_(self) -> str:
        setup = self.setup
        rows = [("title", self.title), ("duration", seconds(setup.duration_ns)), ("step", seconds(setup.step_ns))]
        rows.append(("seed", str(setup.seed)))
        for vehicle in setup.vehicles:
            parts = ", ".join(part.name for part in vehicle.parts) or "no parts"
            rows.append((vehicle.name, f"{vehicle.nominal.title}; {len(vehicle.sensors)} sensors; {parts}"))
        return html_table(("scenario", self.name), rows)


def load_scenario(path_or_name: str | PathLike[str]) -> Scenario:
    """Load a scenario from a YAML file, or a bundled one by name.

    Parameters
    ----------
    path_or_name
        A path (with a folder or an ending such as .yaml), or the name of a bundled scenario such as "tunnel".

    Raises
    ------
    ScenarioError
        With every problem of the file at once.
    """
    path = scenario_file(path_or_name)
    text = read_text(path, SCENARIO_FILE)
    return Scenario(text, str(path), path.parent, {}, scenario_from_text(text, str(path), path.parent))


def make_scenario(**sections: Any) -> Scenario:
    """A scenario from the sections of a scenario file, validated as a file is.

    Parameters
    ----------
    sections
        Those of a file: `name`, `duration`, `vehicles`, `water` and so on, as nested mappings. The `file` of a vehicle
        may be a `Vehicle`, and a part may be a class. Paths are relative to the working folder.

    Raises
    ------
    ScenarioError
        With every problem at once.

    Examples
    --------
    >>> from remora import make_scenario
    >>> make_scenario(name="drift", duration="10 s", vehicles=[{"name": "rov", "file": "bluerov2_heavy"}])
    <Scenario drift: rov, 10 s>
    """
    vehicles: dict[str, Vehicle] = {}
    data = {key: as_data(value, key, vehicles) for key, value in sections.items() if value is not None}
    name = f"scenario {sections.get('name', '')}".strip()
    return scenario_of(yaml_text(data), name, FilePath(), vehicles)


def scenario_of(text: str, file: str, folder: FilePath, vehicles: Mapping[str, Vehicle]) -> Scenario:
    """The scenario of a text that was made in Python; its problems name no line."""
    try:
        return Scenario(text, file, folder, vehicles, scenario_from_text(text, file, folder, vehicles=vehicles))
    except ScenarioError as error:
        raise ScenarioError(
            problem._replace(line=None, column=None) if problem.file == file else problem for problem in error.problems
        ) from None


def loaded(vehicle: Any) -> Vehicle:
    """A vehicle as given, or loaded by its name or path."""
    if isinstance(vehicle, Vehicle):
        return vehicle
    if isinstance(vehicle, str | PathLike):
        return load_vehicle(vehicle, find_kind)
    fix = "Give a vehicle from load_vehicle or make_vehicle, the name of a bundled one, or a path."
    raise InputError(f"vehicle is {repr(vehicle)[:60]}. {fix}").about("vehicle", type(vehicle).__name__, fix=fix)


def as_data(value: Any, field: str, vehicles: dict[str, Vehicle]) -> Any:
    """A value as data of a scenario file: vehicles by the name of their file, classes by their module and name.

    Vehicles that are not bundled are collected by the name of their file; the field is for messages.
    """
    if isinstance(value, Vehicle):
        return _file_of(value, vehicles)
    if isinstance(value, Mapping):
        return {str(key): as_data(item, f"{field}.{key}", vehicles) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_data(item, f"{field}[{i}]", vehicles) for i, item in enumerate(value)]
    if all(callable(getattr(value, name, None)) for name in ("initial", "step")) and not isinstance(value, type):
        fix = f"Give the class {type(value).__name__} itself, and its arguments as further keys."
        raise InputError(f"{field} is an object of a part. {fix}").about(field, type(value).__name__, fix=fix)
    return reference_of(value) if callable(value) else plain_data(value, field)


def _file_of(vehicle: Vehicle, vehicles: dict[str, Vehicle]) -> str:
    """Name of a bundled vehicle, or the file for any other beside the scenario."""
    if vehicle.name in preset_names() and text_of(vehicle) == preset_path(vehicle.name).read_text(encoding="utf-8"):
        return vehicle.name
    text_of(vehicle)  # raises where the file would not hold its parameters
    name = re.sub(r"[^A-Za-z0-9_.-]+", "_", vehicle.name) + ".yaml"
    if name in vehicles and vehicles[name] != vehicle:
        fix = "Rename one with with_(name=...)."
        raise InputError(f'two different vehicles are called "{vehicle.name}". {fix}').about("vehicle", name, fix=fix)
    vehicles[name] = vehicle
    return name
