"""Finds the file of a scenario; vehicles and morphologies in its place are refused with the way to run them."""

import os
from pathlib import Path as FilePath
from typing import Any

from remora.files.did_you_mean import suggestion
from remora.files.problems import Problem, path_text
from remora.simulation.scenarios.library import scenario_names, scenario_path
from remora.simulation.scenarios.load_context import ScenarioError
from remora.vehicles.library import preset_names
from remora.vehicles.morphologies.library import morphology_names


def scenario_file(path_or_name: str | os.PathLike[str]) -> FilePath:
    """Path of a scenario file, or of a bundled one by name; ScenarioError for an unknown name."""
    given = path_text("path_or_name", path_or_name)
    path = scenario_path(given) if given in scenario_names() else FilePath(given)
    looks_like_name = isinstance(path_or_name, str) and path.name == given and not path.suffix
    if not looks_like_name or path.exists():
        return path
    for kind, names in (("vehicle", preset_names()), ("morphology", morphology_names())):
        if given in names:
            raise _not_a_scenario(kind, given)
    known = suggestion(given, scenario_names())
    message = f"there is no scenario of this name. {known} A file is given by its path."
    raise ScenarioError([Problem(given, None, None, "", "", message, "file")])


def refuse_other_kinds(data: dict[str, Any], file: str) -> None:
    """Refuse the content of a vehicle or morphology file with one message instead of one for each of its keys."""
    if "vehicles" in data or "duration" in data:
        return
    kind = "vehicle" if "body" in data else "morphology" if "modules" in data else None
    if kind is not None:
        raise _not_a_scenario(kind, file)


def _not_a_scenario(kind: str, given: str) -> ScenarioError:
    entry = f"vehicles: [{{name: robot, file: {FilePath(given).name}}}]"
    message = f"is a {kind}, not a scenario. Write one that names it: {{name: my_run, duration: 60 s, {entry}}}."
    return ScenarioError([Problem(given, None, None, "", "", message, "file")])
