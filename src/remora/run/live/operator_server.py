"""Server for operators of a running loop: one line in, one line out over TCP, on this machine only."""

import math
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self, final

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.messages.operator_command import PILOT_WORDS, WORDS, Authority, CommandError, parsed_command
from remora.run.live.listener import Client, Listener, Server
from remora.run.live.messages import ProcessLink, ProcessLinkError
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


IDLE = 300.0  # s without a line after which a connection is closed
LONGEST_INPUT = 4096  # bytes of a line; a longer one closes the connection


@final
class OperatorServer:
    """Takes operators of a loop who show `token`, on a TCP port of 127.0.0.1 (0: any free one), until closed."""

    def __init__(self, loop: Loop, port: int = 0) -> None:
        listener = Listener(port)
        self.port, self.token = listener.port, listener.token
        self._loop, self._pilots = loop, dict[str, OperatorSession]()
        self._server = Server(listener, self._serve, "operator")

    def _serve(self, client: Client) -> None:
        """Answer each line until the operator leaves or is silent for too long."""
        session = OperatorSession(self._loop, self._pilots)
        try:
            with ProcessLink(client.connection, client.rest, LONGEST_INPUT) as link:
                while (line := link.receive(IDLE)) is not None:
                    link.send(session.answer(line.rstrip("\r")))
                link.send(f"error there was no line for {IDLE:g} s; the connection is closed")
        except ProcessLinkError:
            pass  # the operator has gone, or sent a line without end
        finally:
            session.close()

    def close(self) -> None:
        """End all connections and take no more."""
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()
