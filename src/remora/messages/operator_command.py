"""Commands of an operator to a running vehicle, and their text form."""

import math
from enum import IntEnum
from typing import NamedTuple

from remora.vehicles.names import FOUR_AXES

WORDS = (
    "take, speeds SURGE SWAY HEAVE YAW, go_to NORTH EAST DOWN [HEADING], hold, mission, "
    "force SURGE SWAY HEAVE YAW, dive DOWN [HEADING], manual, stabilise, depth_hold"
)
FASTEST = 20.0  # m/s and rad/s, of a plausible speed
FARTHEST = 1e6  # m, of a plausible position
STRONGEST = 1e6  # N and N m, of a plausible force
MODE_WORDS = ("manual", "stabilise", "depth_hold")
FORCE_WORDS = ("force", "dive", *MODE_WORDS)  # for guidance that does not know the velocity
VELOCITY_WORDS = ("speeds", "go_to")  # and for guidance that does
PILOT_WORDS = ("speeds", "force", *MODE_WORDS)  # of whoever has the authority as pilot
BARE = ("take", "hold", "mission", *MODE_WORDS)  # words without numbers
FULL_TURN = 2.0 * math.pi * (1.0 + 1e-12)  # rad


class Authority(IntEnum):
    """Who steers the vehicle."""

    HOLD = 0  # nobody: it keeps its station
    PILOT = 1  # a pilot, by speeds
    MISSION = 2  # the mission of the scenario
    GO_TO = 3  # a waypoint of the operator


class OperatorCommand(NamedTuple):
    """A command of an operator."""

    word: str  # one of WORDS
    numbers: tuple[float, ...] = ()  # SI

    @property
    def text(self) -> str:
        """The command as a line of text."""
        return " ".join((self.word, *(f"{number:g}" for number in self.numbers)))


class CommandError(ValueError):
    """A line that is no command; its text says what to change."""


def parsed_command(line: str) -> OperatorCommand:
    """The command of a line; CommandError otherwise.

    Speeds are in m/s and rad/s, forces in N and N m, positions in m; a heading is in rad, or in degrees with the
    ending deg.
    """
    word, *rest = line.split() or [""]
    if word in BARE:
        if rest:
            raise CommandError(f"{word} takes no numbers, but there is {rest[0]!r}")
        return OperatorCommand(word)
    if word == "speeds":
        return OperatorCommand(word, _numbers(word, rest, FOUR_AXES, FASTEST))
    if word == "force":
        return OperatorCommand(word, _numbers(word, rest, FOUR_AXES, STRONGEST))
    if word == "dive":
        return OperatorCommand(word, _numbers(word, rest, ("down", "heading")[: max(1, min(len(rest), 2))], FARTHEST))
    if word == "go_to":
        names = ("north", "east", "down", "heading")[: max(3, min(len(rest), 4))]
        return OperatorCommand(word, _numbers(word, rest, names, FARTHEST))
    raise CommandError(f"unknown command {word[:40]!r}; known are {WORDS}")


def _numbers(word: str, given: list[str], names: tuple[str, ...], largest: float) -> tuple[float, ...]:
    if len(given) != len(names):
        raise CommandError(f"{word} takes {len(names)} numbers ({' '.join(names)}), not {len(given)}")
    return tuple(_number(text, name, largest) for text, name in zip(given, names, strict=True))


def _number(text: str, name: str, largest: float) -> float:
    degrees = name == "heading" and text.endswith("deg")
    try:
        value = float(text.removesuffix("deg") if degrees else text)
    except ValueError:
        raise CommandError(f"{name} is {text[:40]!r}: give a number") from None
    if not math.isfinite(value) or abs(value) > largest:
        raise CommandError(f"{name} is {text[:40]}: give a finite number of at most {largest:g}")
    value = math.radians(value) if degrees else value
    if name == "heading" and abs(value) > FULL_TURN:
        more = f"heading is {text[:40]}{'' if degrees else ' rad'}, more than a full turn"
        raise CommandError(f"{more}: give at most 360deg" if degrees else f"{more}: degrees are written {text[:40]}deg")
    return value
