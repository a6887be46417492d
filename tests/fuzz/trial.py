"""One random scenario: written, read and run, and judged by what must never happen."""

import traceback
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fuzz.breaking import broken_text
from fuzz.chance import Chance
from fuzz.judgement import NOT_CLEAR
from fuzz.scenarios import random_scenario
from fuzz.yaml_writer import yaml_text
from remora.logs import read_log
from remora.run.loop.loop import run
from remora.run.setup import Setup
from remora.scenarios import ScenarioError, read_scenario

MOST_STEPS = 300
MOST_SAMPLES = 1500  # of the fastest sensor
LONGEST_NS = 2_000_000_000


class Trial(NamedTuple):
    """What became of a trial."""

    number: int
    ending: str  # ran, stopped, refused, or misbehaved
    words: str  # what was said; of a misbehaviour what was wrong
    content: bytes


def is_broken(number: int) -> bool:
    """Whether a scenario is broken on purpose: every third."""
    return number % 3 == 2


def trial_text(seed: int, number: int) -> str:
    """The file of a scenario by its number."""
    chance = Chance(seed, number)
    scenario = random_scenario(chance)
    return broken_text(scenario, chance) if is_broken(number) else yaml_text(scenario)


def tried(seed: int, number: int, folder: Path) -> Trial:
    """Write, read and run a scenario; what it should not do is told as a misbehaviour."""
    text = trial_text(seed, number)
    ending, words = _judged(text, folder)
    return Trial(number, ending, words, text.encode("utf-8", "surrogatepass"))


def _judged(text: str, folder: Path) -> tuple[str, str]:
    file, log = folder / "scenario.yaml", folder / "run.mcap"
    try:
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # arithmetic that goes wrong where nobody looks
                setup = read_scenario(file)
        except ScenarioError as error:
            return _of_refusal(error, file)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            stopped = run(shortened(setup), log).stopped
        if fault := log_fault(log):
            return "misbehaved", fault
        if stopped and NOT_CLEAR.search(stopped):
            return "misbehaved", f"not a clear message: {stopped}"
        return ("stopped", stopped) if stopped else ("ran", "")
    except Exception:
        return "misbehaved", traceback.format_exc()


def _of_refusal(error: ScenarioError, file: Path) -> tuple[str, str]:
    """A refusal is fine when each problem names its file and says something a reader understands."""
    words = str(error)
    unclear = not error.problems or not all(p.file.endswith(".yaml") and p.message for p in error.problems)
    if unclear or NOT_CLEAR.search(words.replace(str(file), "")):
        return "misbehaved", f"not a clear message: {words}"
    return "refused", words


def shortened(setup: Setup) -> Setup:
    """The same run, no longer than a trial should take."""
    periods = [sensor.description.period_ns for vehicle in setup.vehicles for sensor in vehicle.sensors]
    most = min(LONGEST_NS, MOST_STEPS * setup.step_ns, MOST_SAMPLES * min(periods, default=LONGEST_NS))
    return replace(setup, duration_ns=max(setup.step_ns, min(setup.duration_ns, most)))


def log_fault(path: Path) -> str | None:
    """What is in a log that must never be there: a value that is no number, where none is missing."""
    log = read_log(path)
    for name in log.channels:
        series = log[name]
        gone = _missing_allowed(series)
        for field in series.channel.fields:
            values = np.asarray(series[field.name], dtype=float)
            if np.isinf(values).any():
                return f"an infinite number in {name}.{field.name}"
            if np.isnan(values[~gone] if field.optional else values).any():
                return f"NaN in {name}.{field.name}"
    return None


def _missing_allowed(series: Any) -> Any:
    """Rows in which values may be missing: those whose status or validity says so."""
    names = series.channel.names
    if "status" in names:
        return series["status"] != 0
    if "valid" in names:
        return series["valid"] != 1
    return np.zeros(len(series), dtype=bool)
