"""Commands of an operator in a scenario: section, times and checks."""

from remora.files.section import Section
from remora.files.units import SECOND
from remora.messages.operator_command import MODE_WORDS, CommandError, OperatorCommand, parsed_command
from remora.messages.part_options import Moment, PartError


class ScheduledCommand(Section):
    """A command at a time, as text."""

    at: Moment
    command: str


def operator_schedule(entries: list[ScheduledCommand]) -> tuple[tuple[int, OperatorCommand], ...]:
    """Times and commands; PartError for lines that are no commands and times out of order."""
    found: list[tuple[int, OperatorCommand]] = []
    for index, entry in enumerate(entries):
        try:
            command = parsed_command(entry.command)
        except CommandError as error:
            raise PartError(f"{error}.", "operator", index, "command") from None
        found.append((round(1e9 * entry.at.value), command))
        if index and found[index][0] < found[index - 1][0]:
            raise PartError("is earlier than the command before it. Sort them by time.", "operator", index, "at")
    return tuple(found)


def check_words(schedule: tuple[tuple[int, OperatorCommand], ...], words: tuple[str, ...], fault: str) -> None:
    """PartError for scheduled commands with one of some words."""
    for index, (_, command) in enumerate(schedule):
        if command.word in words:
            raise PartError(f"{command.word} {fault}", "operator", index, "command")


def check_authority(
    schedule: tuple[tuple[int, OperatorCommand], ...], has_mission: bool, timeout: float, steering: str
) -> None:
    """PartError for scheduled commands without effect: a mission that is not there, steering without the authority.

    The timeout is in s; the word that steers is speeds or force.
    """
    until_ns = -1  # when the pilot loses the authority
    for index, (time_ns, command) in enumerate(schedule):
        path = ("operator", index, "command")
        if command.word == "mission" and not has_mission:
            raise PartError("there is no mission to go on with. Give a mission, or another command.", *path)
        if command.word == steering and time_ns > until_ns:
            silent = f"was silent for more than the timeout of {timeout:g} s"
            reason = "has not taken the authority" if until_ns < 0 else silent
            raise PartError(f"has no effect: the pilot {reason}. Give take before it.", *path)
        if command.word in MODE_WORDS:  # the pilot keeps the authority
            until_ns = time_ns + round(timeout * SECOND) if until_ns >= time_ns else until_ns
            continue
        steers = command.word in ("take", steering)
        until_ns = time_ns + round(timeout * SECOND) if steers else -1
