"""Reader of text tables: encodings, separators, header with names and units, numbers, dates.

Cells are separated by commas, semicolons, tabs or blanks. The decimal mark is a point or, unless commas separate cells,
a comma. Lines that start with # or % are comments; the last of them holds the names where no other line does. A line of
units may follow the names. An empty cell is a value that was not measured.
"""

import csv
import re
import warnings
from array import array
from collections.abc import Container, Iterable, Iterator, Sequence
from datetime import UTC, datetime, time
from itertools import islice
from operator import itemgetter
from os import PathLike, fspath
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array
from remora.files.problems import Fix, InputError
from remora.files.units import unit_named

_SEPARATORS = (",", ";", "\t")
_REMARKS = ("#", "%")
_NOT_MEASURED = ("", "na", "n/a", "null", "none", "-")
MOST_COLUMNS = 10_000
# Number of lines searched for the names.
_LONGEST_HEAD = 200
_NO_TEXT = "is no text in UTF-8. Save the table as CSV in UTF-8."
_SQUARE = re.compile(r"(.*\S)\s*\[([^\]]*)\]")
_ROUND = re.compile(r"(.*\S)\s*\(([^)]*)\)")


class TableError(InputError):
    """A table was refused: the message names the finding, `source` and `line` the place, the fix what to give."""

    def __init__(
        self,
        message: str,
        source: str | PathLike[str] = "",
        line: int | None = None,
        fix: Fix | None = None,
        *,
        field: str = "",
        found: str = "",
        choices: Iterable[str] = (),
    ) -> None:
        self.source = fspath(source)
        self.line = line
        place = f"{self.source}:{line}" if line is not None else self.source
        text = message if fix is None else f"{message} {fix}".replace(" \n", "\n")
        super().__init__(f"{place}: {text}" if place else text)
        self.message = message
        self.about(field, found, choices, fix or "")


class UnreadableRowError(Exception):
    """A row of a table cannot be read: its line, and either the cells are wrong or a byte is no text."""

    def __init__(self, line: int, cells: str = "", byte: int | None = None) -> None:
        super().__init__(line, cells, byte)
        self.line, self.cells, self.byte = line, cells, byte


class TableHeader(NamedTuple):
    """Header of a table and its format."""

    path: Path

    names: tuple[str, ...]  # without units
    units: tuple[str, ...]  # "" where none is written
    line: int  # of the names, from 1
    lines: int  # before the first row of numbers
    separator: str
    encoding: str
    error: type[TableError]  # of what is refused

    @property
    def unit_of(self) -> dict[str, str]:
        """Units by column name."""
        return dict(zip(self.names, self.units, strict=True))


class TableColumns(NamedTuple):
    """Values of some columns."""

    values: dict[str, Array]  # NaN where not measured
    dates: bool  # whether the stamps are dates or times of day, converted to seconds
    left_out: tuple[int, ...]  # lines that could not be read
    lines: NDArray[np.int64]  # of the file, from 1, one for each row


def encoding_of(path: Path) -> str:
    """Encoding of a text file by its first bytes: UTF-16 or UTF-8; an OSError where it cannot be read."""
    with path.open("rb") as file:
        return "utf-16" if file.read(2) in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"


def rows_of_cells(
    path: Path, encoding: str, separator: str, skipped: int = 0, strict: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """Rows of a table below some lines, each with the number of its line, from 1.

    Raises an UnreadableRowError. A strict table has no blanks before its cells, and quotes only around whole cells.
    """
    line = skipped
    try:
        with path.open(encoding=encoding, newline="") as stream:
            below = _without_nul(islice(stream, skipped, None))
            reader = csv.reader(below, delimiter=separator, skipinitialspace=not strict, strict=strict)
            for cells in reader:
                line = skipped + reader.line_num
                yield line, cells
    except UnicodeDecodeError as error:
        raise UnreadableRowError(line + 1, byte=error.object[error.start]) from None
    except csv.Error as error:
        raise UnreadableRowError(line + 1, cells=str(error)) from None


def _without_nul(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if "\0" in line:
            raise csv.Error("it holds a byte of zero, as no text does")
        yield line


def column_and_unit(text: str, names: Container[str]) -> tuple[str, str]:
    """Column and unit of a text COLUMN or COLUMN:UNIT; names of columns may contain colons."""
    column, _, unit = text.rpartition(":")
    return (text, "") if text in names or not column else (column, unit)


def read_header(path: Path, error: type[TableError] = TableError) -> TableHeader:
    """Read names, units and format of a table; an error of the given class when there is no line of names."""
    try:
        encoding = encoding_of(path)
        with path.open(encoding=encoding, newline="") as stream:
            lines = list(islice(_without_nul(stream), _LONGEST_HEAD))
    except OSError as fault:
        raise error(f"cannot be read: {fault.strerror or fault}.", path) from None
    except UnicodeDecodeError:
        raise error(_NO_TEXT, path) from None
    except csv.Error as fault:
        raise error(f"is no table: {fault}.", path) from None
    filled = [(number, line.strip("\r\n")) for number, line in enumerate(lines, 1) if line.strip()]
    if not filled:
        raise error("is empty: not even a line of names.", path)
    remarks = [one for one in filled if _is_remark(one[1])]
    plain = [one for one in filled if not _is_remark(one[1])]
    below = plain[0] if plain else None
    if remarks and (below is None or _is_numbers(below[1], _separator(below[1]))):
        line, text = remarks[-1][0], remarks[-1][1].lstrip("#% ")
        after = plain
    else:
        line, text = plain[0]
        after = plain[1:]
    separator = _separator(text)
    if _is_numbers(text, separator):
        raise error("has no line of names: numbers stand in its first line. Write names above them.", path, line)
    cells = [name_and_unit(cell) for cell in _cells(text, separator)]
    units = _unit_line(after[0][1], separator, len(cells)) if after else None
    if units is not None:
        after = after[1:]
        cells = [(name, unit or below) for (name, unit), below in zip(cells, units, strict=True)]
    if len(cells) > MOST_COLUMNS:
        raise error(f"names {len(cells)} columns, and a table has at most {MOST_COLUMNS}.", path, line)
    names, found = zip(*cells, strict=True)
    return TableHeader(path, names, found, line, after[0][0] - 1 if after else len(lines), separator, encoding, error)


def read_columns(
    header: TableHeader, names: Sequence[str], stamps: str = "", salvage: bool | None = None
) -> TableColumns:
    """Read columns by name; stamps may be dates.

    With `salvage` unreadable lines are skipped instead of refused; None where the caller offers no such option.
    """
    places = [_place(header, name) for name in dict.fromkeys(names)]
    if (plain := _plain(header)) is not None:
        values = dict(zip(dict.fromkeys(names), plain[:, places].T, strict=True))
        return TableColumns(values, False, (), _filled_lines(header))
    layout = _RowLayout(tuple(dict.fromkeys(names)), tuple(places), stamps, len(header.names), header.separator != ",")
    found, left_out, dates, lines = array("d"), [], False, array("q")
    pick = itemgetter(*places) if len(places) > 1 else lambda row: (row[places[0]],)
    rows = rows_of_cells(header.path, header.encoding, header.separator, header.lines)
    try:
        for line, row in rows:
            try:
                if len(row) > layout.width:
                    raise ValueError
                numbers: Sequence[float] | None = [float(cell) for cell in pick(row)]
            except (ValueError, IndexError):
                try:
                    numbers, dated = _careful(row, layout)
                    dates = dates or dated
                except ValueError as error:
                    if not salvage:
                        raise header.error(f"{error}.", header.path, line, _line_fix(salvage)) from None
                    left_out.append(line)
                    continue
            if numbers is not None:
                found.extend(numbers)
                lines.append(line)
    except UnreadableRowError as fault:
        raise _refused(header.error, header.path, fault) from None
    table = np.array(found).reshape(-1, len(places))
    values = dict(zip(layout.names, table.T, strict=True))
    return TableColumns(values, dates, tuple(left_out), np.array(lines, dtype=np.int64))


def _refused(error: type[TableError], path: Path, fault: UnreadableRowError) -> TableError:
    if fault.cells:
        return error(f"cannot be read as a table: {fault.cells}.", path, fault.line)
    return error(_NO_TEXT, path)


def _filled_lines(header: TableHeader) -> NDArray[np.int64]:
    """Numbers of the lines with text below the header, from 1."""
    with header.path.open(encoding=header.encoding, newline="") as stream:
        filled = [number for number, line in enumerate(stream, 1) if number > header.lines and line.strip()]
    return np.array(filled, dtype=np.int64)


def _line_fix(salvage: bool | None) -> Fix:
    if salvage is None:
        return Fix("Correct the line.", {})
    sentence = "Correct the line, or give {salvage} to leave out such lines."
    return Fix(sentence, {"salvage": ""}, {"salvage": "salvage=True"})


def _plain(header: TableHeader) -> Array | None:
    """Fast reader for tables of plain numbers; None for any other table."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a table without rows is reported later
            found = np.loadtxt(
                header.path,
                delimiter=header.separator,
                skiprows=header.lines,
                ndmin=2,
                comments=None,
                encoding=header.encoding,
            )
    except ValueError:
        return None
    return found if found.shape[1] == len(header.names) and not np.isnan(found).any() else None


class _RowLayout(NamedTuple):
    """Layout of the rows: columns to read and decimal mark."""

    names: tuple[str, ...]
    places: tuple[int, ...]
    stamps: str
    width: int
    decimal_commas: bool


def _careful(row: Sequence[str], layout: _RowLayout) -> tuple[list[float] | None, bool]:
    """Values of a row with other than plain numbers, and whether its stamp is a date; None for a comment."""
    if not any(cell.strip() for cell in row) or _is_remark(row[0]):
        return None, False
    if any(cell.strip() for cell in row[layout.width :]):
        hint = "" if layout.decimal_commas else " (decimal commas need semicolons between the cells)"
        raise ValueError(f"{len(row)} cells stand under {layout.width} names{hint}")
    numbers, dated = [], False
    for name, place in zip(layout.names, layout.places, strict=True):
        if place >= len(row):
            raise ValueError(f"the line is too short: {len(row)} cells, and {name} is cell {place + 1}")
        cell = row[place].strip()
        number = _number(cell, layout.decimal_commas)
        if name == layout.stamps and (number is None or np.isnan(number)):
            number, dated = _seconds(cell), True
            if number is None:
                hint = "write seconds or stamps such as 2025-03-01T12:00:00.100"
                raise ValueError(f'{name} is "{cell}", no number and no date: {hint}')
        if number is None:
            raise ValueError(f'{name} is "{cell}", which is no number')
        numbers.append(number)
    return numbers, dated


def _number(cell: str, decimal_commas: bool) -> float | None:
    if cell.lower() in _NOT_MEASURED:
        return float("nan")
    try:
        return float(cell.replace(",", ".") if decimal_commas else cell)
    except ValueError:
        return None


def _seconds(cell: str) -> float | None:
    """Seconds of a date since 1970, or of a time since midnight; UTC without a time zone."""
    try:
        date = datetime.fromisoformat(cell)
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except ValueError:
        pass
    try:
        day = time.fromisoformat(cell)
        return 3600.0 * day.hour + 60.0 * day.minute + day.second + 1e-6 * day.microsecond
    except ValueError:
        return None


def _place(header: TableHeader, name: str) -> int:
    """Index of a column, which must be unique."""
    places = [k + 1 for k, found in enumerate(header.names) if found == name]
    if len(places) > 1:
        message = f'has {len(places)} columns "{name}", at {" and ".join(map(str, places))}'
        raise header.error(f"{message}. Give them different names.", header.path, header.line)
    if not places:
        raise header.error(f"has no column {name}. It has: {', '.join(header.names)}.", header.path, header.line)
    return places[0] - 1


def name_and_unit(cell: str) -> tuple[str, str]:
    """Name and unit of a column; square brackets always hold a unit, round ones only a known unit."""
    if match := _SQUARE.fullmatch(cell):
        return match[1], match[2].strip()
    if (match := _ROUND.fullmatch(cell)) and unit_named(match[2]):
        return match[1], match[2].strip()
    return cell, ""


def _unit_line(text: str, separator: str, width: int) -> list[str] | None:
    """Units of a line of units; None for any other line."""
    cells = [cell.strip("[]() ") for cell in _cells(text, separator)]
    known = [cell for cell in cells if cell not in ("", "-")]
    if not known or len(cells) > width or not all(unit_named(cell) for cell in known):
        return None
    if _number(known[0], True) is not None:  # "1" is a unit and a number
        return None
    return [cell if cell in known else "" for cell in cells] + [""] * (width - len(cells))


def _separator(text: str) -> str:
    best = max(_SEPARATORS, key=text.count)
    return best if best in text else " " if " " in text.strip() else ","


def _is_numbers(text: str, separator: str) -> bool:
    first = _cells(text, separator)[0]
    return bool(first) and (_number(first, True) is not None or _seconds(first) is not None)


def _is_remark(text: str) -> bool:
    return text.lstrip().startswith(_REMARKS)


def _cells(text: str, separator: str) -> list[str]:
    try:
        row = next(csv.reader([text.strip()], delimiter=separator, skipinitialspace=True), [""])
        return [cell.strip() for cell in row]
    except csv.Error:
        return [text]
