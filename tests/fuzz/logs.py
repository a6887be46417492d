"""Logs with damage: MCAP files, single CSV tables, and folders of them as one archive of texts."""

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from fuzz.chance import Chance
from fuzz.damage import damaged_bytes, damaged_table
from fuzz.judgement import judged
from remora.logs import read_log
from remora.logs.csv_writer import to_csv
from remora.logs.log import Log
from remora.logs.schema import Channel, Field, RunHeader
from remora.logs.writer import LogWriter

_POSE = Channel("truth/pose", (Field("north", "m", "N"), Field("heading", "rad")))
_RANGE = Channel("rov/sonar", (Field("range", "m", optional=True), Field("status", "1", kind="int")))
_PARTS = b"\x1e"  # between the files of a folder


@lru_cache(maxsize=1)
def _sound() -> dict[str, bytes]:
    """A log by its format, and its tables by their names."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        with LogWriter(folder / "run.mcap", RunHeader("1", 7), (_POSE, _RANGE)) as log:
            for k in range(200):
                log.write("truth/pose", k * 10_000_000, (0.1 * k, 0.01 * k))
                log.write("rov/sonar", k * 10_000_000, (float("nan") if k % 9 == 0 else 3.0 + k, 4 * (k % 9 == 0)))
            log.event(500_000_000, "rov", "warning", "a remark", {"size": 1.0})
        tables = {file.name: file.read_bytes() for file in to_csv(read_log(folder / "run.mcap"), folder / "tables")}
        return {"run.mcap": (folder / "run.mcap").read_bytes(), **tables}


def content(chance: Chance) -> bytes:
    """The name of a file, and its content; of a folder of tables one is damaged."""
    sound = _sound()
    name = chance.one(("run.mcap", "run.mcap", *sorted(sound)))
    if name == "run.mcap" or chance.happens(0.3):
        return name.encode() + _PARTS + damaged_bytes(sound[name], chance)
    return name.encode() + _PARTS + damaged_table(sound[name].decode(), chance).encode("utf-8", "surrogatepass")


def tried(given: bytes, folder: Path) -> tuple[str, str]:
    """What `read_log` makes of the log."""
    name, _, damaged = given.partition(_PARTS)
    place = folder / "log"
    place.mkdir(exist_ok=True)
    if name == b"run.mcap":
        (place / "run.mcap").write_bytes(damaged)
        return judged(lambda: _mcap_fault(read_log(place / "run.mcap")))
    for table, sound in _sound().items():
        if table != "run.mcap":
            (place / table).write_bytes(damaged if table == name.decode() else sound)
    return judged(lambda: _fault(read_log(place)) or _single(place / name.decode()))


def _single(path: Path) -> str:
    """The same table without the folder that describes it."""
    return "" if path.name in ("log.json", "events.csv") else _fault(read_log(path))


def _mcap_fault(log: Log) -> str:
    """What is wrong with a log; one without reported damage has the values that were written."""
    if (fault := _fault(log)) or not log.complete or log.problems:
        return fault
    if set(log.series) != {"truth/pose", "rov/sonar"} or len(log.events) != 1:
        return "complete, without all channels and events"
    same = np.array_equal(log["truth/pose"]["north"], 0.1 * np.arange(200)) and len(log["rov/sonar"]) == 200
    return "" if same else "complete, with other values than were written"


def _fault(log: Log) -> str:
    for name, series in log.series.items():
        if (np.diff(series.time_ns) < 0).any():
            return f"time goes back in {name}"
        for field in series.channel.fields:
            values = np.asarray(series[field.name], dtype=float)
            if len(values) != len(series.time_ns):
                return f"{name}.{field.name} has another length"
            if np.isinf(values).any() or (np.isnan(values).any() and not field.optional):
                return f"{values[~np.isfinite(values)][0]} in {name}.{field.name}"
    return ""
