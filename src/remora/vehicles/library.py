"""Bundled vehicles."""

from pathlib import Path

from remora.files.catalogue import Catalogue, catalogue_of

_FOLDER = Path(__file__).parent / "presets"


def preset_names() -> tuple[str, ...]:
    """Names of all bundled vehicles."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.yaml")))


def preset_path(name: str) -> Path:
    """Path of the file of a bundled vehicle."""
    return _FOLDER / f"{name}.yaml"


def vehicles() -> Catalogue:
    """Names and titles of all bundled vehicles."""
    return catalogue_of(_FOLDER)
