"""What is tried: contents drawn by chance, and the judgement on what Remora makes of them."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from fuzz import logs, morphologies, network, recordings, trial
from fuzz.chance import Chance
from fuzz.trial import Trial


class Subject(NamedTuple):
    """Contents of one kind."""

    content: Callable[[Chance], bytes]
    tried: Callable[[bytes, Path], tuple[str, str]]  # ending and words, in a folder
    suffix: str  # of a file with the content


OTHERS = {
    "morphologies": Subject(morphologies.content, morphologies.tried, ".yaml"),
    "logs": Subject(logs.content, logs.tried, ".log"),
    "recordings": Subject(recordings.recording, recordings.recording_tried, ".csv"),
    "columns": Subject(recordings.column_map, recordings.column_map_tried, ".yaml"),
    "messages": Subject(network.content, network.tried, ".txt"),
}
SUBJECTS = ("scenarios", *OTHERS)


def content_of(subject: str, seed: int, number: int) -> bytes:
    """The content of a trial by its number."""
    if subject == "scenarios":
        return trial.trial_text(seed, number).encode("utf-8", "surrogatepass")
    return OTHERS[subject].content(Chance(seed, number, subject))


def tried(subject: str, seed: int, number: int, folder: Path) -> Trial:
    """One trial; what it should not do is told as a misbehaviour."""
    if subject == "scenarios":
        return trial.tried(seed, number, folder)
    given = content_of(subject, seed, number)
    ending, words = OTHERS[subject].tried(given, folder)
    return Trial(number, ending, words, given)
