"""The text protocol of an operator: one line in, one line out."""

import math
from contextlib import suppress
from dataclasses import dataclass, field
from typing import final

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.messages.operator_command import PILOT_WORDS, WORDS, Authority, CommandError, parsed_command
from remora.run.loop.assembly_run import RunningAssembly
from remora.run.loop.loop import Loop
from remora.run.loop.vehicle_run import VehicleRun

LONGEST_LINE = 200  # characters
HELP = f"ok commands: {WORDS}, status, help, each after 'VEHICLE:' where there are several"


@final
@dataclass(slots=True)
class OperatorSession:
    """One operator of a running loop. A bad line gets an answer that begins with error and changes nothing.

    All operators of a loop share `pilots`: who takes the authority takes it from the other.
    """

    loop: Loop
    pilots: dict[str, "OperatorSession"] = field(default_factory=dict)  # who took the authority of each vehicle

    def answer(self, line: str) -> str:
        """Carry a line out and answer it; the answer begins with ok or error."""
        if len(line) > LONGEST_LINE:
            return f"error the line has {len(line)} characters: give at most {LONGEST_LINE}"
        try:
            return self._answered(line.strip())
        except ValueError as error:
            return f"error {error}"

    def _answered(self, line: str) -> str:
        name, colon, rest = line.partition(":")
        vehicle, line = (name.strip(), rest.strip()) if colon else ("", line)
        if line == "help":
            return HELP
        run = self.loop.vehicle_named(vehicle)
        if line == "status":
            return f"ok {self.status(run)}"
        command = parsed_command(line)
        if command.word in PILOT_WORDS and not self._is_pilot(run):
            need = "need" if command.word == "speeds" else "needs"
            return f"error {command.word} {need} the authority: send take first; after silence it is lost"
        remark = self.loop.send(line, run.name)
        if command.word == "take":
            self.pilots[run.name] = self
        elif command.word not in PILOT_WORDS:
            self.pilots.pop(run.name, None)
        return f"ok {command.text} at {1e-9 * self.loop.time_ns:.3f} s{f'; {remark}' if remark else ''}"

    def _is_pilot(self, run: VehicleRun | RunningAssembly) -> bool:
        """Whether this operator has the authority, or has just taken it."""
        return self.pilots.get(run.name) is self and (run.authority == Authority.PILOT or run.has_commands)

    def status(self, run: VehicleRun | RunningAssembly) -> str:
        """Time, authority, and the estimated pose; unknown numbers are left out."""
        who = "none" if run.authority is None else run.authority.name.lower()
        text = f"time {1e-9 * self.loop.time_ns:.3f} authority {who}"
        estimate = run.estimate
        if estimate is None:
            return f"{text} pose unknown"
        place = dict(zip(("north", "east", "down"), estimate.p_NB, strict=True))
        found = [f"{name} {value:.3f}" for name, value in place.items() if math.isfinite(value)]
        heading = math.degrees(to_euler_zyx(estimate.q_NB)[2])
        found += [f"heading {heading:.2f}deg"] if math.isfinite(heading) else []
        return f"{text} {' '.join(found)}" if found else f"{text} pose unknown"

    def close(self) -> None:
        """The connection is lost: vehicles that this operator steers keep their station.

        One that has joined an assembly, or left it, follows the guidance of another already.
        """
        for name in sorted(name for name, pilot in self.pilots.items() if pilot is self):
            with suppress(CommandError):
                self.loop.send("hold", name)
            self.pilots.pop(name)
