"""The scenarios that come with the package."""

from pathlib import Path

_FOLDER = Path(__file__).parent / "presets"


def scenario_names() -> tuple[str, ...]:
    """Names of all shipped scenarios."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.yaml")))


def scenario_path(name: str) -> Path:
    """The file of a shipped scenario."""
    return _FOLDER / f"{name}.yaml"
