"""Check of the sensor entries of a vehicle file against the kinds of sensors.

The package `sensors` defines the kinds and depends on this one, so a caller passes `remora.sensors.find_kind` to the
reader of vehicle files. Without it, kinds and parameters of sensors are not checked.
"""

from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import Any, NamedTuple, Protocol, TypeAlias

from remora.files.problems import Finding, InputError, Path, dotted
from remora.files.quantities import Is, NumbersOrWords, Quantity, positive
from remora.files.units import FREQUENCY


class ParameterFault(NamedTuple):
    """Fault of a parameter; one that may be meant is not refused."""

    message: str
    may_be_meant: bool


class KnownKind(Protocol):
    """A kind of sensor as far as vehicle files are concerned."""

    def parameter_fault(self, name: str, parameter: Quantity[Any]) -> ParameterFault | None:
        """Fault in the unit or the size of a parameter; None where there is none, or nothing is known of it."""

    def data_sheet_faults(self, parameters: Mapping[str, Any], rate: float) -> list[tuple[str, str]]:
        """Wrong parameters, in SI and read at a rate in Hz, each with a message."""

    def rate_fault(self, rate: float) -> str | None:
        """Message for an implausible sampling rate, in Hz; None for any other."""


# The kind of a name; the path of a user-defined one is relative to the folder. InputError where there is no such kind.
FindKind: TypeAlias = Callable[[str, FilePath], KnownKind]


class SensorFindings(NamedTuple):
    """Faults of the sensor entries of a file."""

    refused: list[Finding]
    implausible: tuple[tuple[str, str], ...]  # dotted field and message of parameters that may be meant


def sensor_findings(data: Any, find_kind: FindKind | None, folder: FilePath) -> SensorFindings:
    """Check the sensor entries of a vehicle file; entries with other faults are checked as far as possible.

    Without `find_kind` nothing is checked.
    """
    refused: list[Finding] = []
    meant: list[tuple[str, str]] = []
    entries = data.get("sensors") if find_kind and isinstance(data, dict) else None
    for index, entry in enumerate(entries if isinstance(entries, list) else []):
        if find_kind is None or not isinstance(entry, dict) or not isinstance(entry.get("kind"), str):
            continue
        try:
            kind = find_kind(entry["kind"], folder)
        except InputError as error:
            refused.append(Finding(("sensors", index, "kind"), str(error)))
            continue
        if (rate := _rate(entry)) is not None and (message := kind.rate_fault(rate)):
            meant.append((dotted(("sensors", index, "rate")), message))
        for path, fault in _parameter_faults(kind, entry, ("sensors", index, "parameters")):
            if fault.may_be_meant:
                meant.append((dotted(path), fault.message))
            else:
                refused.append(Finding(path, fault.message))
    return SensorFindings(refused, tuple(meant))


def _rate(entry: Mapping[str, Any]) -> float | None:
    """Rate of a sensor, Hz; None for one that is missing or no rate, which is reported with the section."""
    try:
        return Is(FREQUENCY, rule=positive).read(entry.get("rate")).value
    except ValueError:
        return None


def _parameter_faults(kind: KnownKind, entry: Mapping[str, Any], path: Path) -> list[tuple[Path, ParameterFault]]:
    """Faults of the parameters of one sensor; faults of form are reported with the section."""
    given = entry.get("parameters")
    faults: dict[str, ParameterFault] = {}
    values: dict[str, Any] = {}
    for name, raw in given.items() if isinstance(given, dict) else ():
        try:
            quantity = NumbersOrWords().read(raw)
        except ValueError:
            continue
        values[name] = quantity.value
        if (fault := kind.parameter_fault(name, quantity)) is not None:
            faults[name] = fault
    for name, message in kind.data_sheet_faults(values, _rate(entry) or 1.0):
        if name not in faults or faults[name].may_be_meant:
            faults[name] = ParameterFault(message, may_be_meant=False)
    return [((*path, name), fault) for name, fault in faults.items()]
