"""Atomic writing and hashes of files."""

import hashlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path


def write_atomically(path: Path, write: Callable[[Path], None]) -> None:
    """Write through a temporary file that is renamed at the end: complete, or not at all."""
    temporary = path.with_name(f".{path.stem}.{os.getpid()}.part{path.suffix}")
    try:
        write(temporary)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def file_hash(path: str | Path) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a file."""
    return _digest(Path(path).read_bytes())


def text_hash(text: str) -> str:
    """The same of a text, as if it were in a file."""
    return _digest(text.encode())


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def write_together(files: Mapping[Path, bytes]) -> None:
    """Write several files atomically: none is renamed before all are written."""
    temporary = {path: path.with_name(f".{path.stem}.{os.getpid()}.part{path.suffix}") for path in files}
    try:
        for path, content in files.items():
            temporary[path].write_bytes(content)
        for path, beside in temporary.items():
            os.replace(beside, path)
    finally:
        for beside in temporary.values():
            beside.unlink(missing_ok=True)
