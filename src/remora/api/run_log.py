"""`RunLog`: a log in memory that draws, converts and saves itself."""

import math
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, final

from remora.api.arguments import output_file, several
from remora.api.shown_results import Page, Plot, is_notebook
from remora.files.catalogue import html_table
from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError, listed, path_text
from remora.files.writing import write_together
from remora.identification.data.log_files import record_of_log
from remora.identification.data.read_options import check_number, make_read_options
from remora.identification.data.record import Record
from remora.logs import comparison
from remora.logs.comparison import Comparison
from remora.logs.csv_writer import to_csv
from remora.logs.log import Log, Series, to_frames
from remora.logs.problems import LogError
from remora.logs.readers import registry
from remora.logs.schema import Channel, Event, RunHeader
from remora.report.logs.curve_reader import WHOLE, PlotWindow
from remora.report.logs.figure import channels_figure, log_figure
from remora.report.logs.panels import vehicles_of
from remora.report.mission_page import mission_page
from remora.report.simulations.chatter_tally import ChatterTally
from remora.report.simulations.mission_figure import run_picture
from remora.report.simulations.summary import WATCH, run_summary


@final
@dataclass(frozen=True, eq=False, repr=False)
class RunLog:
    """A log in memory, from `simulate` or `read_log`. `log["rov/truth"]["p_NB_z"]` is a column of a channel."""

    log: Log
    file: str = ""  # the log was read from or written to it; empty for a log in memory only
    data: bytes = b""  # MCAP file of a log in memory only
    notes: tuple[str, ...] = ()  # possible mistakes of the scenario, of a simulated log

    def __getitem__(self, channel: str) -> Series:
        """The values of a channel, by its name."""
        return self.log[channel]

    def __contains__(self, channel: object) -> bool:
        return channel in self.log

    def __iter__(self) -> Iterator[str]:
        return iter(self.log.series)

    def __len__(self) -> int:
        return len(self.log.series)

    @property
    def header(self) -> RunHeader:
        """Version, seed and inputs of the run."""
        return self.log.header

    @property
    def channels(self) -> Mapping[str, Channel]:
        """Names, fields, units and frames of the channels."""
        return self.log.channels

    @property
    def events(self) -> tuple[Event, ...]:
        """Events: lifecycle changes, faults, warnings."""
        return self.log.events

    @property
    def problems(self) -> tuple[str, ...]:
        """Damage of the file."""
        return self.log.problems

    @property
    def vehicle_names(self) -> tuple[str, ...]:
        """Names of the vehicles."""
        return vehicles_of(self.log.channels.values())

    @property
    def warnings(self) -> tuple[str, ...]:
        """Deviations from the scenario that the monitoring found, one line for each episode."""
        found = (event for event in self.log.events if event.source.endswith(WATCH) and event.level == "warning")
        return tuple(f"{one.source.removesuffix(WATCH)}, {1e-9 * one.time_ns:.6g} s: {one.text}" for one in found)

    def plot(
        self,
        channels: str | Sequence[str] = (),
        *,
        vehicle: str | None = None,
        start: float = -math.inf,
        end: float = math.inf,
    ) -> Plot:
        """Draw an overview, or some channels.

        Parameters
        ----------
        channels
            Names of channels, each drawn in its own panels; the overview unless given.
        vehicle
            Only vehicle of the overview.
        start, end
            Times between which values are drawn, s.

        Raises
        ------
        InputError
            When there is no such channel or vehicle, or nothing to draw.
        """
        names = several("channels", channels, str)
        window = _window(start, end)
        if names and vehicle is not None:
            fix = "Give one of both: channels carry the name of their vehicle."
            raise InputError(f"channels and vehicle do not go together. {fix}").about("vehicle", vehicle, fix=fix)
        if not names and vehicle is None and window == WHOLE:
            return Plot(run_picture(self.log), self.log.problems)
        drawn = channels_figure(self.log, names, window) if names else log_figure(self.log, vehicle, window)
        return Plot(drawn.figure, (*drawn.problems, *drawn.remarks))

    def view(self, other: Any = None, *, show: bool = True) -> Page:
        """The page of the run: scene, time series, events and figures; shown in a notebook, else opened in a browser.

        Parameters
        ----------
        other
            Second `RunLog`, drawn beside this one.
        show
            Whether to open a browser outside of a notebook; False only makes the page, for `save`.

        Raises
        ------
        InputError
            When there is nothing to show, or `other` is no log.
        """
        if other is not None and not isinstance(other, RunLog):
            fix = "Give a log of simulate or read_log."
            raise InputError(f"other is {other!r:.60}. {fix}").about("other", other, fix=fix)
        logs = [self, *([other] if other is not None else [])]
        names = [Path(one.file).stem or f"run {k}" for k, one in enumerate(logs, start=1)]
        page = Page(mission_page([one.log for one in logs], names))
        if show and not is_notebook():
            page.open()
        return page

    def to_pandas(self, channel: str | None = None) -> Any:
        """A pandas DataFrame of one channel, or a dictionary with one for each channel."""
        return to_frames(self.log) if channel is None else self.log[channel].to_pandas()

    def to_csv(self, folder: str | PathLike[str]) -> None:
        """Write a folder of CSV files, one for each channel; `read_log` reads it back."""
        to_csv(self.log, folder)

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the log as an MCAP file, the same bytes as `remora run` writes; an existing file is replaced.

        Raises
        ------
        InputError
            When the path does not end in .mcap, or the log was read from another kind of file.
        """
        place = output_file(path, ".mcap")
        if self.data:
            write_together({place: self.data})
        elif Path(self.file).suffix.lower() != ".mcap":
            raise LogError("only a log that was simulated or read from an MCAP file is saved as one", self.file)
        elif not Path(self.file).is_file():
            raise LogError("is not there any more, so it cannot be copied", self.file)
        elif place.resolve() != Path(self.file).resolve():
            shutil.copyfile(self.file, place)
        return place

    def record(
        self,
        vehicle: str | None = None,
        *,
        motion: str | Mapping[str, tuple[str, str]] = "estimate",
        inputs: str = "outputs",
        gap: float | None = None,
    ) -> Record:
        """Motion and inputs of one vehicle, for identification.

        Parameters
        ----------
        vehicle
            Name of the vehicle; the only one unless given.
        motion
            "estimate" of navigation, simulated "truth", or readings of sensors: degree of freedom -> (channel, field).
        inputs
            "outputs" of the actuators, "commands", or the "wrench".
        gap
            Interval between stamps from which on it is a gap, s; five typical ones unless given.
        """
        how = make_read_options(motion=motion, inputs=inputs, log_vehicle=vehicle, gap=gap)
        return record_of_log(self.log, how, Path(self.file or "log"))

    def chatter(self, vehicle: str | None = None, *, start: float = -math.inf, end: float = math.inf) -> float:
        """Mean change of a command from sample to sample of the control, in percent of a full command.

        NaN for a vehicle without control, and for logs of other origin, which do not state the period of the control.

        Parameters
        ----------
        vehicle
            Name of the vehicle; the only one unless given.
        start, end
            Times between which commands count, s, such as the times of station keeping.

        Raises
        ------
        InputError
            When the vehicle or its commands are not in the log.
        """
        names = [name for name in self.vehicle_names if f"{name}/commands" in self]
        if vehicle is None and len(names) != 1:
            raise InputError(f"the log has commands of {listed(names) or 'no vehicle'}: name one of them.").about(
                "vehicle", choices=names
            )
        name = names[0] if vehicle is None else vehicle
        if name not in names:
            fix = suggestion(name, names) if names else "The log holds no commands."
            raise InputError(f'there are no commands of "{name}". {fix}').about("vehicle", name, choices=names, fix=fix)
        tally = ChatterTally(self.header.vehicles.get(name, {}), start, end)
        tally.take(self[f"{name}/commands"])
        return tally.percent

    def summary(self) -> str:
        """What `remora run` prints: origin, motion, sensors, events."""
        return "\n".join(f"{label:<14}{text}" for label, text in self._lines())

    def __repr__(self) -> str:
        names = ", ".join(self.vehicle_names) or "no vehicle"
        ends = [series.time[-1] for series in self.log.series.values() if len(series)]
        warned = f", {len(self.warnings)} warnings" if self.warnings else ""
        damage = f", damaged: {self.problems[0]}" if self.problems else ""
        return f"<RunLog of {names}: {max(ends, default=0.0):g} s, {len(self)} channels{warned}{damage}>"

    def _repr_html_(self) -> str:
        return html_table(("log", self.file), self._lines())

    def _lines(self) -> list[tuple[str, str]]:
        return [*run_summary(self.log), *(("note", note) for note in self.notes)]


def read_log(path: str | PathLike[str]) -> RunLog:
    """Read a log: an MCAP file of Remora, a folder of CSV files, or a CSV file.

    Parameters
    ----------
    path
        File or folder.

    Raises
    ------
    LogError
        When it cannot be read. A damaged file is read as far as possible; `problems` then says what is missing.
    """
    file = path_text("path", path)
    return RunLog(registry.read_log(file), file)


def _window(start: float, end: float) -> PlotWindow:
    try:
        window = PlotWindow(float(start), float(end))
    except (TypeError, ValueError):
        raise InputError(f"start is {start!r} and end is {end!r}: give numbers of seconds.") from None
    if not window.start < window.end:
        raise InputError(f"start is {window.start:g} s and end is {window.end:g} s: there is no time between them.")
    return window


def compare(
    first: RunLog | str | PathLike[str], second: RunLog | str | PathLike[str], *, tolerance: float = 0.0
) -> Comparison:
    """Compare two logs, by default to the last bit; `same` tells the result, printing it the first difference.

    Parameters
    ----------
    first, second
        Logs or their files.
    tolerance
        Relative difference below which numbers count as equal, in [0, 1).
    """
    check_number("tolerance", tolerance, least=0.0)
    return comparison.compare(_source("first", first), _source("second", second), tolerance=tolerance)


def _source(field: str, given: Any) -> Log | str | PathLike[str]:
    if isinstance(given, RunLog):
        return given.log
    if isinstance(given, Log | str | PathLike):
        return given
    fix = "Give a log or the path of one."
    raise InputError(f"{field} is {given!r:.60}. {fix}").about(field, given, fix=fix)
