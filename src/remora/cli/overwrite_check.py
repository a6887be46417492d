"""Overwrite check: a command may replace results of Remora and empty files, nothing else."""

from pathlib import Path

SIGNATURES = {
    ".mcap": (b"\x89MCAP0\r\n", b"remora"),
    ".png": (b"\x89PNG\r\n", b"Software\x00remora"),
    ".yaml": (b"#", b"by remora"),
    ".yml": (b"#", b"by remora"),
    ".html": (b"<", b"remora"),
    ".csv": (b"time [s],north [m],east [m],down [m]",),
    ".checkpoint": (b"remora checkpoint",),
}
DESCRIPTIONS = {
    ".mcap": "a log", ".png": "a picture", ".yaml": "a file", ".yml": "a file", ".html": "a report",
    ".csv": "a list of points", ".checkpoint": "a checkpoint",
}  # fmt: skip
FIRST_BYTES = 4096


def check_replaceable(option: str, path: Path | None) -> None:
    """Refuse, by a ValueError, to overwrite a file that was not written by Remora."""
    if path is None or not path.is_file():
        return
    with path.open("rb") as stream:
        start = stream.read(FIRST_BYTES)
    first, *others = SIGNATURES.get(path.suffix.lower(), (b"",))
    if not start or (start.startswith(first) and all(mark in start for mark in others)):
        return
    what = DESCRIPTIONS.get(path.suffix.lower(), "a result")
    raise ValueError(f"{option} {path}: there is a file that is not {what} of Remora. Give another place, or move it.")


def replaces_another(log: Path, scenario_hash: str) -> bool:
    """Whether a log is that of another scenario, or of another version of it, by the hash in its header."""
    if not scenario_hash or not log.is_file():
        return False
    with log.open("rb") as stream:
        start = stream.read(FIRST_BYTES)
    return b"scenario_hash" in start and scenario_hash.encode() not in start
