"""Bundled scenarios."""

from pathlib import Path

from remora.files.catalogue import Catalogue, catalogue_of

_FOLDER = Path(__file__).parent / "presets"


def scenario_names() -> tuple[str, ...]:
    """Names of all bundled scenarios."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.yaml")))


def scenario_path(name: str) -> Path:
    """Path of the file of a bundled scenario."""
    return _FOLDER / f"{name}.yaml"


def scenarios() -> Catalogue:
    """Names and titles of all bundled scenarios."""
    return catalogue_of(_FOLDER)
