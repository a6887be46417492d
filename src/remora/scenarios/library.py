"""Bundled scenarios."""

from pathlib import Path

from remora.files.catalogue import Catalogue, catalogue_of
from remora.files.did_you_mean import suggestion
from remora.vehicles.library import morphology_names, preset_names

_FOLDER = Path(__file__).parent / "presets"


def scenario_names() -> tuple[str, ...]:
    """Names of all bundled scenarios."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.yaml")))


def unknown_scenario(name: str) -> str:
    """Message for a name that is none of a bundled scenario."""
    if name in (*preset_names(), *morphology_names()):
        what = "vehicle" if name in preset_names() else "morphology"
        return f"this is a bundled {what}. Name it in a scenario, as in vehicles: [{{name: rov, file: {name}}}]."
    return f"there is no scenario of this name. {suggestion(name, scenario_names())} A file is given by its path."


def scenario_path(name: str) -> Path:
    """Path of the file of a bundled scenario."""
    return _FOLDER / f"{name}.yaml"


def scenarios() -> Catalogue:
    """Names and titles of all bundled scenarios."""
    return catalogue_of(_FOLDER)
