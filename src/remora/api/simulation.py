"""`simulate`: run a scenario and return its log."""

import tempfile
import warnings
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from remora.api.arguments import output_file, whole_number
from remora.api.progress import shown_progress
from remora.api.run_log import RunLog
from remora.files.problems import InputError
from remora.identification.data.read_options import check_number
from remora.logs.readers.registry import read_log
from remora.plant.compilation import kernels_for
from remora.run.loop import loop as loops
from remora.run.setup import Setup
from remora.scenarios.scenario import Scenario, load_scenario, loaded
from remora.vehicles.checks.report import warning_lines
from remora.vehicles.vehicle import Vehicle


class RunWarning(UserWarning):
    """A run did not go as its scenario asks, or a parameter of its vehicle is implausible."""


class SimulationError(RuntimeError):
    """A run failed; `log` holds what was simulated until then."""

    def __init__(self, message: str, log: RunLog) -> None:
        super().__init__(message)
        self.log = log


def simulate(
    scenario: Scenario | str | PathLike[str],
    *,
    seed: int | None = None,
    duration: float | None = None,
    vehicle: Vehicle | str | PathLike[str] | None = None,
    log: str | PathLike[str] | None = None,
    progress: bool | None = None,
) -> RunLog:
    """Simulate a scenario; the same scenario and seed give the same log, bit for bit.

    Parameters
    ----------
    scenario
        Name of a bundled scenario, path of a scenario file, or a `Scenario`.
    seed, duration, vehicle
        In place of the values of the scenario; duration in s. A run with another duration is not expected to finish.
    log
        MCAP file to write as well; an existing one is replaced.
    progress
        Whether the progress is shown; in a terminal or a notebook unless given.

    Returns
    -------
    RunLog
        The log; its `warnings` come from the monitoring, and each of them is also a `RunWarning`.

    Raises
    ------
    ScenarioError, InputError
        When the scenario or an argument is refused.
    SimulationError
        When the run fails; the error holds the log until then.

    Examples
    --------
    >>> import remora
    >>> log = remora.simulate("dive_and_turn", duration=5)
    >>> log
    <RunLog of rov: 5 s, 6 channels>
    """
    setup = _setup(scenario, seed, duration, vehicle)
    for line in (line for one in setup.vehicles for line in warning_lines(one.plant.vehicle)):
        warnings.warn(line, RunWarning, stacklevel=2)
    if log is not None:
        file = output_file(log, ".mcap")
        outcome = _run(setup, file, progress)
        result = RunLog(read_log(file), str(file), notes=setup.load_notes)
    else:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "run.mcap"
            outcome = _run(setup, file, progress)
            result = RunLog(read_log(file), "", file.read_bytes(), setup.load_notes)
    _report(outcome, result)
    return result


def _setup(scenario: Any, seed: Any, duration: Any, vehicle: Any) -> Setup:
    """The run with its replaced values."""
    if not isinstance(scenario, Scenario | str | PathLike):
        fix = "Give the name of a bundled scenario, a path, or a Scenario."
        raise InputError(f"scenario is {repr(scenario)[:60]}. {fix}").about(
            "scenario", type(scenario).__name__, fix=fix
        )
    changes: dict[str, Any] = {}
    if seed is not None:
        changes["seed"] = whole_number("seed", seed)
    if duration is not None:
        check_number("duration", duration, above=0.0)
        changes["duration"] = f"{float(duration)!r} s"
    if vehicle is not None:
        whole_vehicle = loaded(vehicle)  # raises for an unknown one
        changes["vehicle"] = whole_vehicle if isinstance(vehicle, Vehicle) else fspath(vehicle)
    whole = scenario if isinstance(scenario, Scenario) else load_scenario(scenario)
    return whole.setup_with(changes)


def _run(setup: Setup, file: Path, progress: bool | None) -> loops.RunOutcome:
    for one in setup.vehicles:  # compiled now, if ever, so that the progress shows the run
        kernels_for(one.plant.packed.layout)
    with shown_progress(setup.notes.get("title", setup.name), setup.duration_ns * 1e-9, "s", progress) as update:
        return loops.run(setup, file, progress=update)


def _report(outcome: loops.RunOutcome, log: RunLog) -> None:
    """Warn of a run that did not go as asked; raise for one that failed or was stopped."""
    for one in outcome.warnings:
        warnings.warn(f"the run did not go as asked: {one}", RunWarning, stacklevel=3)
    if outcome.stopped == loops.INTERRUPTED:
        raise KeyboardInterrupt(f"the run was stopped at {1e-9 * outcome.time_ns:g} s")
    if outcome.stopped:
        raise SimulationError(f"the run failed: {outcome.stopped}", log)
    if outcome.refused:
        names = ", ".join(outcome.refused)
        raise SimulationError(f"{names}: gave values that are no numbers; the log says when", log)
