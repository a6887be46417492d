"""Bundled morphologies."""

from pathlib import Path

from remora.files.catalogue import Catalogue, catalogue_of

_FOLDER = Path(__file__).parent / "presets"


def morphology_names() -> tuple[str, ...]:
    """Names of all bundled morphologies."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.yaml")))


def morphology_path(name: str) -> Path:
    """Path of the file of a bundled morphology."""
    return _FOLDER / f"{name}.yaml"


def morphologies() -> Catalogue:
    """Names and titles of all bundled morphologies."""
    return catalogue_of(_FOLDER)
