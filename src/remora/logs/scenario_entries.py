"""Entries of the scenario in the header of a log."""

from collections.abc import Mapping
from typing import Any

from remora.files.document import parse_document
from remora.files.file_kinds import FileKind
from remora.files.problems import InputFileError
from remora.logs.log import Log

_SCENARIO = FileKind("scenario", InputFileError, {}, lambda key: None)


def navigation_entry(log: Log, vehicle: str | None) -> Mapping[str, Any]:
    """The entry `navigation` of a vehicle, with its key `part`; empty without a scenario or such an entry."""
    if not log.scenario_text:
        return {}
    data = parse_document(log.scenario_text, "scenario of the log", _SCENARIO).data
    entries = data.get("vehicles") if isinstance(data, dict) else None
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and entry.get("name") == vehicle:
            navigation = entry.get("navigation")
            return navigation if isinstance(navigation, dict) else {"part": navigation}
    return {}
