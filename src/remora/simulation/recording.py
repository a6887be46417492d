"""What a run leaves behind: a table of named columns with units, and the file it is written to."""

import csv
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from remora.kernels.loops import Array


class Recording(NamedTuple):
    """Rows of numbers over time; the first column is the time in seconds."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    rows: Array

    def column(self, name: str) -> Array:
        """One column by its name."""
        return np.asarray(self.rows[:, self.names.index(name)])

    def columns(self, names: tuple[str, ...]) -> Array:
        """Several columns side by side."""
        return np.asarray(self.rows[:, [self.names.index(name) for name in names]])


def write_csv(recording: Recording, path: Path, comment: str) -> None:
    """Write a recording as text: a comment line, a line of names with units, then numbers that read back exactly."""

    def write(file: Path) -> None:
        with file.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(f"# {comment}\n")
            table = csv.writer(stream, lineterminator="\n")
            table.writerow(f"{name} [{unit}]" for name, unit in zip(recording.names, recording.units, strict=True))
            table.writerows(map(repr, row) for row in recording.rows.tolist())

    write_atomically(path, write)


def write_atomically(path: Path, write: Callable[[Path], None]) -> None:
    """Let a function write a temporary file beside the path, then rename it: whole, or not there at all."""
    temporary = path.with_name(f".{path.stem}.{os.getpid()}.part{path.suffix}")
    try:
        write(temporary)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def file_hash(path: str | Path) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a file."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
