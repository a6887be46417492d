"""Tables of other programs with damage, and column maps for them, as `remora fit` reads them."""

from functools import lru_cache
from pathlib import Path

import numpy as np

from fuzz.chance import Chance
from fuzz.damage import damaged_bytes, damaged_table
from fuzz.judgement import judged
from remora.identification.data.column_map import TableOptions, read_column_map, read_table
from remora.identification.data.record import Record
from remora.vehicles import Vehicle, load_vehicle

_VEHICLE = "flatfish_gazebo_physical"
_INPUTS = ("surge_port", "surge_starboard", "sway_front", "sway_rear")
_HEAD = ["t", "u [m/s]", "v", "r [deg/s]", "depth", *(f"n_{name} [rpm]" for name in _INPUTS)]
_MAP = {"time": "t", "surge": "u", "sway": "v", "yaw": "r", "depth": "depth"} | {name: f"n_{name}" for name in _INPUTS}
_UNITS = ("", ":m/s", ":deg/s", ":rpm", ":kn", ":parsec", ":", ":rad/s", ":N", "::", ":1")
_WORDS = (
    "t",
    "u",
    "v",
    "nothing",
    "",
    "surge",
    "heave",
    "~",
    "[a, b]",
    "{a: b}",
    "1.5",
    "yes",
    "&a x",
    "*a",
    "'",
    "\u00e4",
)


@lru_cache(maxsize=1)
def _vehicle() -> Vehicle:
    return load_vehicle(_VEHICLE)


def _table(separator: str = ",") -> str:
    time = np.arange(120) * 0.1
    waves = [np.sin((0.3 + 0.1 * k) * time) for k in range(len(_HEAD) - 1)]
    rows = [separator.join(f"{value:.6g}" for value in row) for row in np.column_stack([time, *waves]).tolist()]
    return "\n".join([separator.join(_HEAD), *rows]) + "\n"


def _map_text(chance: Chance) -> str:
    """A map with up to three lines that are wrong."""
    lines = [[name, column] for name, column in _MAP.items()]
    for _ in range(chance.whole(0, 3)):
        line = chance.one(lines)
        how = chance.whole(0, 4)
        if how == 0:
            lines.remove(line) if len(lines) > 1 else None
        elif how == 1:
            line[1] += chance.one(_UNITS)
        elif how == 2:
            line[chance.whole(0, 1)] = chance.one(_WORDS)
        elif how == 3:
            lines.append([*line])
        else:
            line[0] = chance.one((line[0] + "x", line[0].upper(), "roll", "qw", "supply", "thrust"))
    return "".join(f"{name}: {column}\n" for name, column in lines)


def recording(chance: Chance) -> bytes:
    """A damaged table."""
    separator = chance.one((",", ",", ";", "\t", " "))
    text = _table(separator)
    if chance.happens(0.25):
        return damaged_bytes(text.encode(), chance)
    return damaged_table(text, chance, separator).encode("utf-8", "surrogatepass")


def column_map(chance: Chance) -> bytes:
    """A map for a sound table."""
    text = _map_text(chance).encode("utf-8", "surrogatepass")
    return damaged_bytes(text, chance) if chance.happens(0.3) else text


def recording_tried(given: bytes, folder: Path) -> tuple[str, str]:
    """What the reader of tables makes of a recording."""
    (folder / "table.csv").write_bytes(given)
    return judged(lambda: _fault(read_table(folder / "table.csv", _vehicle(), TableOptions(_MAP))))


def column_map_tried(given: bytes, folder: Path) -> tuple[str, str]:
    """What the reader of tables makes of a map."""
    (folder / "table.csv").write_text(_table())
    (folder / "map.yaml").write_bytes(given)

    def read() -> str:
        columns = read_column_map(folder / "map.yaml")
        return _fault(read_table(folder / "table.csv", _vehicle(), TableOptions(columns)))

    return judged(read)


def _fault(record: Record) -> str:
    if (np.diff(record.time_ns) <= 0).any():
        return "time does not grow"
    if np.isinf(record.twist).any():
        return "an infinite speed"
    if record.inputs is not None and np.isinf(record.inputs.values).any():
        return "an infinite input"
    return ""
