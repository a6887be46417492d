"""A CSV table of numbers with named columns."""

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError


class NumberTable(NamedTuple):
    """Columns by name; an empty cell is NaN."""

    file: str
    names: tuple[str, ...]
    values: Array  # a row for each line with text
    lines: tuple[int, ...]  # of the file, from 1, one for each row

    @property
    def rows(self) -> int:
        """Number of lines below the heading."""
        return len(self.values)

    def column(self, name: str) -> Array:
        """A column; InputError where there is none of this name."""
        if name not in self.names:
            raise InputError(f'{self.file} has no column "{name}". {suggestion(name, self.names)}').about(
                "columns", name, self.names
            )
        return np.asarray(self.values[:, self.names.index(name)])


def read_table(path: Path) -> NumberTable:
    """Read a table; an InputError when it is empty, or a cell holds no number."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        lines = csv.reader(stream)
        names = tuple(name.strip() for name in next(lines, []))
        rows = [(lines.line_num, _numbers(cells, names, path, lines.line_num)) for cells in lines if cells]
    if not names or not rows:
        raise InputError(f"{path} is empty: it has no line of numbers").about("file", str(path))
    numbers, values = zip(*rows, strict=True)
    return NumberTable(str(path), names, np.array(values), numbers)


def _numbers(cells: list[str], names: tuple[str, ...], path: Path, line: int) -> list[float]:
    if len(cells) != len(names):
        raise InputError(f"{path}, line {line}: {len(cells)} cells under {len(names)} headings").about("file", line)
    try:
        return [float(cell) if cell.strip() else float("nan") for cell in cells]
    except ValueError as error:
        raise InputError(f"{path}, line {line}: {error}").about("file", line) from None
