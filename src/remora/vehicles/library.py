"""Bundled vehicles and morphologies."""

import os
import re
from pathlib import Path

from remora.files.catalogue import Catalogue, catalogue_of

_FOLDER = Path(__file__).parent / "presets"
_MORPHOLOGIES = Path(__file__).parent / "morphologies" / "presets"
_MODULES_KEY = re.compile(r"^modules\s*:", re.MULTILINE)


def preset_names() -> tuple[str, ...]:
    """Names of all bundled vehicles."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.yaml")))


def preset_path(name: str) -> Path:
    """Path of the file of a bundled vehicle."""
    return _FOLDER / f"{name}.yaml"


def vehicles() -> Catalogue:
    """Names and titles of all bundled vehicles."""
    return catalogue_of(_FOLDER)


def morphology_names() -> tuple[str, ...]:
    """Names of all bundled morphologies."""
    return tuple(sorted(file.stem for file in _MORPHOLOGIES.glob("*.yaml")))


def morphology_path(name: str) -> Path:
    """Path of the file of a bundled morphology."""
    return _MORPHOLOGIES / f"{name}.yaml"


def morphologies() -> Catalogue:
    """Names and titles of all bundled morphologies."""
    return catalogue_of(_MORPHOLOGIES)


def is_morphology(path_or_name: str | os.PathLike[str]) -> bool:
    """Whether this is the name of a bundled morphology, or a file with a section `modules`."""
    try:
        path = Path(path_or_name)
        if str(path_or_name) in morphology_names():
            return True
        return path.is_file() and bool(_MODULES_KEY.search(path.read_text(encoding="utf-8")))
    except (OSError, TypeError, ValueError):
        return False
