"""Errors of scenario files, and the context in which their sections are read."""

from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel

from remora.files.file_kinds import FileKind
from remora.files.problems import Finding, InputFileError, Path, Problem
from remora.files.structure import section_at
from remora.logs.problems import seconds
from remora.run.monitoring.limits import WATCH_ALL, Watch
from remora.vehicles.names import NAME
from remora.vehicles.vehicle import Vehicle
from remora.world.world import World

M = TypeVar("M", bound=BaseModel)


class ScenarioError(InputFileError):
    """A scenario file was refused; `problems` may include those of its vehicle files."""


SCENARIO_FILE = FileKind(
    "scenario",
    ScenarioError,
    {
        "name": "Give a short word, e.g. name: my_run.",
        "duration": "Give a time, e.g. duration: 60 s.",
        "vehicles": "Give a list, e.g. vehicles: [{name: rov, file: falcon}].",
    },
    lambda key: None,
)


VEHICLE_EXAMPLES = {
    "name": "Give a short word, e.g. name: rov.",
    "file": "Give the name of a bundled vehicle or the path of a vehicle file.",
}


class PendingWarning(NamedTuple):
    """An expected deviation from the scenario; a warning of the run if watched, otherwise a note."""

    watch: str  # the name of the watch
    finding: Finding


class LoadContext(NamedTuple):
    """Context of reading an entry of a scenario: its path, times, environment, and the collected findings."""

    folder: FilePath  # base of relative paths
    step_ns: int
    duration_ns: int
    seed: int
    environment: World
    findings: list[Finding]
    problems: list[Problem]  # of other files
    notes: list[Finding]  # possible mistakes
    pending_warnings: list[PendingWarning]  # of the vehicle that is being read
    watch: Watch = WATCH_ALL  # of vehicles that do not give their own
    vehicles: Mapping[str, Vehicle] = {}  # file of an entry -> vehicle that was made in Python
    path: Path = ()  # of the entry; findings are about it

    def at(self, *keys: str | int) -> "LoadContext":
        """The context of an entry within this one."""
        return self._replace(path=(*self.path, *keys))

    def to(self, path: Path) -> "LoadContext":
        """The context of another entry of the file."""
        return self._replace(path=path)

    def section(self, model: type[M], data: Any) -> M | None:
        """The section that the entry holds, or None with findings."""
        return section_at(model, data, self.path, SCENARIO_FILE, self.findings)

    def refuse(self, message: str, shows_value: bool = True) -> None:
        """Add a finding; the file is refused."""
        self.findings.append(Finding(self.path, message, shows_value=shows_value))

    def note(self, message: str, shows_value: bool = True) -> None:
        """Add a note on a possible mistake."""
        self.notes.append(Finding(self.path, message, shows_value=shows_value))

    def warn(self, watch: str, message: str) -> None:
        """Add an expected deviation from the scenario."""
        self.pending_warnings.append(PendingWarning(watch, Finding(self.path, message, shows_value=False)))

    def check_beginning(self, time_ns: int) -> None:
        """Warn of an event after the end of the run."""
        if time_ns >= self.duration_ns:
            ends = "with the end of the run" if time_ns == self.duration_ns else "after the end of the run"
            self.warn("unfinished", f"never begins: {seconds(time_ns)} is {ends} at {seconds(self.duration_ns)}")

    def check_period(self, period_ns: int) -> bool:
        """Whether a period is a positive multiple of the step; a finding otherwise."""
        if period_ns < 1:
            self.refuse(f"is faster than any step. The step is {seconds(self.step_ns)}.")
            return False
        return self.check_multiple(period_ns, "a period")

    def check_multiple(self, time_ns: int, what: str) -> bool:
        """Whether a time is a multiple of the step; a finding otherwise."""
        if time_ns % self.step_ns == 0 and time_ns >= 0:
            return True
        near = max(1, round(time_ns / self.step_ns)) * self.step_ns
        self.refuse(
            f"{what} of {seconds(time_ns)} is no multiple of the step of {seconds(self.step_ns)}. "
            f"Give {seconds(near)}, or a step that divides it."
        )
        return False


def name_fault(name: str) -> str | None:
    """Message for a name that log channels cannot have; None for a valid one."""
    if NAME.fullmatch(name) and len(name) <= 60:
        return None
    return "a name starts with a letter and has letters, digits, _ and - only, such as rov_1."


def scoped_name_fault(name: str) -> str | None:
    """The same for a name that may carry its module, such as left/dvl."""
    return next((fault for part in name.split("/") if (fault := name_fault(part))), None)
