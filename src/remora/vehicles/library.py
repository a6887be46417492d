"""The vehicles that come with the package."""

from pathlib import Path

_FOLDER = Path(__file__).parent / "presets"


def preset_names() -> tuple[str, ...]:
    """Names of all shipped vehicles."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.yaml")))


def preset_path(name: str) -> Path:
    """The file of a shipped vehicle."""
    return _FOLDER / f"{name}.yaml"
