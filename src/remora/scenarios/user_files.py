"""User code and plug-ins of a scenario: parts, drive stages, sensors, currents and hull forces."""

import hashlib
import inspect
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from remora.equations.hull.forms.user_form import package_digest
from remora.files.problems import InputError
from remora.files.registries import Extension, Plugin, reported
from remora.files.user_code import is_reference, is_user_code, referenced, source_file
from remora.scenarios.part_registry import PLUGINS as PARTS
from remora.sensors.registry import PLUGINS as SENSORS
from remora.vehicles.sections.force_sections import PLUGINS as FORCES
from remora.vehicles.vehicle import Vehicle

CODE_KEYS = ("part", "kind", "navigation", "guidance", "control", "allocation", "stage")  # that may name user code


def user_code_digest(data: Any, folder: Path, vehicles: Sequence[Vehicle]) -> str:
    """Digest of the contents of all files of user code, and of the packages of plug-ins; empty where there is none."""
    sources = {_source(name, folder) for _, name in _names(data) if is_user_code(name)}
    sources |= {f"{one} {package_digest(one.module)}".encode() for one in used_plugins(data, vehicles)}
    for vehicle in vehicles:
        sources |= {_source(entry.kind, Path(entry.folder)) for entry in vehicle.sensors if is_user_code(entry.kind)}
        origins = [force.form.origin for force in vehicle.parameters.forces if force.form.origin is not None]
        sources |= {_content(Path(one.file)) if one.is_file else one.digest.encode() for one in origins}
    digests = sorted(hashlib.sha256(source).hexdigest() for source in sources if source)
    return "".join(digests)


def used_plugins(data: Any, vehicles: Sequence[Vehicle]) -> list[Plugin]:
    """The plug-ins whose parts, sensors and forces a scenario and its vehicles name."""
    origins = [(force.form.name, force.form.origin) for one in vehicles for force in one.parameters.forces]
    named: dict[Extension[Any], set[str]] = {
        PARTS: {name for key, name in _names(data) if key != "kind"},
        SENSORS: {name for key, name in _names(data) if key == "kind"}
        | {sensor.kind for one in vehicles for sensor in one.sensors},
        FORCES: {name for name, origin in origins if origin is not None and origin.plugin},
    }
    return [plugin for kinds, names in named.items() for plugin in kinds.offered().values() if plugin.name in names]


def plugin_notes(data: Any, vehicles: Sequence[Vehicle]) -> dict[str, str]:
    """Notes for the header of a log: the plug-ins that the run uses, and faults of others that were named."""
    used = ", ".join(f"{one.name} ({one.group}) of {one.origin}" for one in used_plugins(data, vehicles))
    found = {"plug-ins": used, "plug-ins left out": " ".join(reported())}
    return {key: text for key, text in found.items() if text}


def _names(data: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Keys and texts below an entry that may name user code or a plug-in."""
    if isinstance(data, str) and key in CODE_KEYS:
        yield key, data
    elif isinstance(data, dict):
        for name, value in data.items():
            yield from _names(value, name)
    elif isinstance(data, list):
        for value in data:
            yield from _names(value, key)


def _source(name: str, folder: Path) -> bytes:
    """Content of the file of `my_file.py:Name` or `my_module:Name`; empty where it cannot be read."""
    if not is_reference(name):
        return _content(folder / name.partition(":")[0])
    try:
        defined = referenced(name)
    except InputError:
        return b""
    file = source_file(defined)
    if file is not None:
        return _content(file)
    try:
        return inspect.getsource(defined).encode()
    except (OSError, TypeError):
        return b""


def _content(file: Path) -> bytes:
    return file.read_bytes() if file.is_file() else b""
