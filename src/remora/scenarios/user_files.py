"""Sources of the user code of a scenario: parts, drive stages, sensors, currents and hull forces."""

import hashlib
import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from remora.files.problems import InputError
from remora.files.user_code import is_reference, is_user_code, referenced, source_file
from remora.vehicles.vehicle import Vehicle

CODE_KEYS = ("part", "kind", "navigation", "guidance", "control", "allocation", "stage")  # that may name user code


def user_code_digest(data: Any, folder: Path, vehicles: Iterable[Vehicle]) -> str:
    """Digest of the contents of all files of user code; empty where there is none."""
    sources = {_source(name, folder) for name in _names(data)}
    for vehicle in vehicles:
        sources |= {_source(entry.kind, Path(entry.folder)) for entry in vehicle.sensors if is_user_code(entry.kind)}
        origins = [force.form.origin for force in vehicle.parameters.forces if force.form.origin is not None]
        sources |= {_content(Path(one.file)) if one.is_file else one.digest.encode() for one in origins}
    digests = sorted(hashlib.sha256(source).hexdigest() for source in sources if source)
    return "".join(digests)


def _names(data: Any, key: str = "") -> Iterator[str]:
    """All texts below an entry that name user code."""
    if isinstance(data, str) and key in CODE_KEYS and is_user_code(data):
        yield data
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
