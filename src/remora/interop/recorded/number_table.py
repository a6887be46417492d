"""Columns of a table of another program, with their units."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array
from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError
from remora.files.units import Unit, unit_named
from remora.logs.readers.tables import TableHeader, column_and_unit, name_and_unit, read_columns, read_header


class NumberTable(NamedTuple):
    """Columns by the texts that name them; an empty cell is NaN."""

    file: str
    columns: dict[str, Array]
    units: dict[str, str]  # empty where neither text nor heading states one
    lines: NDArray[np.int64]  # of the file, from 1, one for each row

    @property
    def rows(self) -> int:
        """Number of lines of numbers."""
        return len(self.lines)

    def of_rows(self, rows: NDArray[np.bool_]) -> "NumberTable":
        """Some of the rows."""
        columns = {text: values[rows] for text, values in self.columns.items()}
        return NumberTable(self.file, columns, self.units, self.lines[rows])

    def unit(self, text: str, si: str) -> Unit:
        """The unit of a column; where none is stated, an InputError with the unit of the example."""
        unit = unit_named(self.units[text])
        if unit is None:
            raise InputError(f'"{text}": give a column and its unit, as in {text or "speed"}:{si}').about(
                "columns", text
            )
        return unit


def read_table(path: Path, texts: Sequence[str], stamps: str) -> NumberTable:
    """Read some columns of a table, each given as COLUMN or COLUMN:UNIT; without a unit the heading gives it.

    `stamps` is the one of them with the times, which may be dates. A table that is empty, has no such column, a cell
    without a number or a heading of another unit is an InputError.
    """
    header = read_header(path)
    found = {text: _column(text, header, path) for text in texts}
    read = read_columns(header, [name for name, _ in found.values()], found[stamps][0])
    if not len(read.lines):
        raise InputError(f"{path} is empty: it has no line of numbers").about("file", str(path))
    units = {text: unit for text, (_, unit) in found.items()}
    if read.dates:
        units[stamps] = "s"
    return NumberTable(str(path), {text: read.values[name] for text, (name, _) in found.items()}, units, read.lines)


def _column(text: str, header: TableHeader, path: Path) -> tuple[str, str]:
    """Name and unit of a column."""
    name, unit = column_and_unit(text, header.names)
    if name not in header.names:
        name = name_and_unit(name)[0]  # a whole heading, as in "depth [m]:m"; its unit is read from the table
    if name not in header.names:
        raise InputError(f'{path} has no column "{name}". {suggestion(name, header.names)}').about(
            "columns", name, header.names
        )
    heading = header.unit_of[name]
    if unit and unit_named(unit) is None:
        raise InputError(f'"{text}": {unit} is no unit that is known').about("columns", text)
    written, stated = unit_named(heading), unit_named(unit)
    if written is not None and stated is not None and written != stated:
        raise InputError(
            f'{path}: column "{name}" is in {heading} by its heading, but {unit} is stated. Correct one of both.'
        ).about("columns", text)
    return name, unit or heading
