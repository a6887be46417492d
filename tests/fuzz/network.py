"""Messages of other processes: operators, browsers, on-board computers and vehicles that send what is wrong."""

import json
import math
from functools import lru_cache
from pathlib import Path

from fuzz.chance import Chance
from fuzz.damage import damaged_bytes
from fuzz.judgement import judged
from remora.report.mission_page.live_view import request_judge
from remora.run.live.listener import Judge, line_judge
from remora.run.live.messages import CommandsMessage, MessageError, ReadingsMessage
from remora.run.live.onboard import OnboardProcess
from remora.run.live.operator_server import OperatorSession
from remora.run.loop.errors import LoopError
from remora.run.loop.loop import Loop
from remora.run.setup import Setup
from remora.scenarios import read_scenario

_TOKEN, _PORT = "abcdefghijklmnopqrstuv", 5555
_LAST = b"\n"
_LINES = (
    *(
        "take",
        "hold",
        "mission",
        "status",
        "help",
        "speeds 0.1 0 0 0",
        "go_to 1 0 4.5 30deg",
        "go_to 1 1 4",
        "rov: hold",
    ),
    *(
        "speeds 1e400 0 0 0",
        "go_to nan 0 0",
        "speeds",
        "go_to 1 0 -3",
        ":",
        "x: y: z",
        "go_to 1 0 4 1e9deg",
        "TAKE",
        "",
    ),
)
_VALUES = (
    *(math.nan, math.inf, -1, 1e300, 10**40, True, None, "x", [], {}, [[1.0]], "1.0", 2**62, 0.5, -0.0, "\ud800"),
)
_REQUEST = (
    f"GET /{_TOKEN}/state?since=3 HTTP/1.1\r\nHost: 127.0.0.1:{_PORT}\r\nOrigin: http://127.0.0.1:{_PORT}\r\n\r\n"
)


@lru_cache(maxsize=1)
def _setup() -> Setup:
    return read_scenario("bluerov_square")


def content(chance: Chance) -> bytes:
    """What is sent, and to whom, in the first line."""
    kind = chance.one(("operator", "browser", "client", "computer", "vehicle", "vehicle"))
    sent = {"operator": _operator, "browser": _browser, "client": _client, "computer": _computer, "vehicle": _readings}
    return kind.encode() + _LAST + sent[kind](chance)


def _operator(chance: Chance) -> bytes:
    lines = [chance.one(_LINES) for _ in range(chance.whole(1, 8))]
    text = _LAST.join(line.encode() for line in lines)
    return damaged_bytes(text, chance) if chance.happens(0.7) else text


def _browser(chance: Chance) -> bytes:
    return damaged_bytes(_REQUEST.encode(), chance, 4)


def _client(chance: Chance) -> bytes:
    return damaged_bytes(f"token {_TOKEN}\nhold\n".encode(), chance, 2)


def _computer(chance: Chance) -> bytes:
    return _json_line([chance.whole(0, 10**9), [0.0] * 8], chance)


def _readings(chance: Chance) -> bytes:
    """Several messages of readings, most of them sound, and one that is wrong."""
    lines = []
    wrong = chance.whole(0, 5)
    for k in range(6):
        time_ns = k * 50_000_000
        rows = [[name, time_ns, time_ns, 0, [0.1] * count] for name, count in _sensors().items()]
        data = [time_ns, rows]
        lines.append(_json_line(data, chance) if k == wrong else json.dumps(data).encode())
    return _LAST.join(lines)


def _sensors() -> dict[str, int]:
    """Numbers of values of the sensors by name."""
    described = [sensor.description for sensor in _setup().vehicles[0].sensors]
    return {one.name: len(one.channels) for one in described}


def _json_line(data: list[object], chance: Chance) -> bytes:
    """A message with a value, a place or bytes that are wrong."""
    for _ in range(chance.whole(1, 2)):
        inside: object = data
        while isinstance(inside, list) and inside:
            at = chance.whole(0, len(inside) - 1)
            if not isinstance(inside[at], list) or not inside[at] or chance.happens(0.3):
                if chance.happens(0.2):
                    del inside[at]
                else:
                    inside[at] = chance.one(_VALUES)
                break
            inside = inside[at]
    line = json.dumps(data).encode("utf-8", "surrogatepass")
    return damaged_bytes(line, chance) if chance.happens(0.3) else line


def tried(given: bytes, folder: Path) -> tuple[str, str]:
    """What the receiver makes of what was sent."""
    kind, _, sent = given.partition(_LAST)
    receivers = {b"operator": _operated, b"browser": _browsed, b"client": _greeted, b"computer": _commanded}
    receive = receivers.get(kind, _informed)
    return judged(lambda: receive(sent), (MessageError, LoopError))


def _operated(sent: bytes) -> str:
    """Every line has an answer; the loop goes on."""
    loop = Loop(read_scenario("pilot_hold", {"duration": "2 s"}))
    session = OperatorSession(loop)
    for line in sent.split(_LAST):
        answer = session.answer(line.decode("utf-8", "replace").rstrip("\r"))
        if not answer.startswith(("ok", "error")) or "\n" in answer or "Error" in answer:
            return f"the answer is {answer!r}"
        loop.advance(2)
    session.close()
    loop.advance(2)
    return "" if all(map(math.isfinite, loop.vehicles[0].state[:13])) else "the state is no number"


def _browsed(sent: bytes) -> str:
    return _admitted(request_judge(_TOKEN, _PORT), sent, f"/{_TOKEN}/".encode())


def _greeted(sent: bytes) -> str:
    return _admitted(line_judge(_TOKEN, _PORT), sent, _TOKEN.encode())


def _admitted(judge: Judge, sent: bytes, needed: bytes) -> str:
    """Nobody is admitted without the token, whole or byte by byte."""
    for end in range(1, len(sent) + 1):
        verdict = judge(sent[:end])
        if verdict is not None:
            return "admitted without the token" if verdict.is_admitted and needed not in sent[:end] else ""
    return ""


def _commanded(sent: bytes) -> str:
    message = CommandsMessage.parsed(sent.decode("utf-8", "replace"))
    return "" if all(map(math.isfinite, message.commands)) else "commands that are no numbers"


def _informed(sent: bytes) -> str:
    """The parts give finite commands for whatever readings they accept."""
    onboard = OnboardProcess(_setup())
    for line in sent.split(_LAST):
        commands = onboard.commands(ReadingsMessage.parsed(line.decode("utf-8", "replace"))).commands
        if not all(map(math.isfinite, commands)):
            return f"commands that are no numbers: {commands}"
    return ""
