"""Walk of a thruster command: the files of the package that it passes, from the part that gives it to its curve.

Two runs differ in one command and in nothing else. A function is on the walk when a number among its arguments or in
its result differs between the runs. Numbers inside tuples, arrays, mappings, bytes and dataclasses count.

- The walk begins with the first step of the loop: the scenario is parsed, the loop is built and the log is open. It
  ends with the curves of the commands, inputs, outputs, true motion and readings in a picture of the log.
- It goes through the plant once. Explicit Euler evaluates the plant once a step. Evaluations of plant and external
  loads at states that already depend on the command, of later steps and for the truth of sensors, are the next lap.
- `equations/algebra`, arithmetic on vectors, matrices and quaternions, is not counted.

Run as a program with the compiler off: NUMBA_DISABLE_JIT=1 python tests/command_walk.py
"""

import dataclasses
import json
import math
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import remora
from remora.plant import entries
from remora.report.logs.figure import channels_figure
from remora.run.loop.loop import Loop, run_loop
from remora.run.recorder import Recorder
from remora.scenarios import scenario_from_text

SOURCES = Path(remora.__file__).parent
ARITHMETIC = "equations/algebra/"
PLANT = ("plant/entries.py", "run/plant/external_loads.py")  # a new lap begins with a new state there
CHANNELS = ("commands", "inputs", "outputs", "truth", "shaft")
SCENARIO = """
name: walk
duration: 80 ms
step: 10 ms
method: euler
vehicles:
  - name: rov
    file: flatfish_gazebo_physical
    position: [0, 0, 5 m]
    sensors: [{name: shaft, kind: shaft_speed, rate: 100 Hz, parameters: {thruster: 0}}]
    actuators: {resolution: 0.1 rad/s}
    commands:
      - {at: 10 ms, set: {surge_starboard: %d rad/s}}
"""


class Passage(NamedTuple):
    """The call of a function, or its return."""

    file: str
    function: str
    is_call: bool
    numbers: int  # hash of the numbers of its arguments, or of its result
    state: int  # hash of the argument `state`


def numbers_in(value: Any, depth: int = 0) -> Any:
    """All numbers of a value; None for objects that are not made of numbers."""
    if isinstance(value, (bool, int, float, bytes, bytearray)):
        return bytes(value) if isinstance(value, bytearray) else value
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tobytes()
    if depth > 8:
        return None
    if isinstance(value, (tuple, list)):
        return tuple(numbers_in(entry, depth + 1) for entry in value)
    if isinstance(value, Mapping):
        return tuple(numbers_in(entry, depth + 1) for entry in value.values())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return tuple(numbers_in(getattr(value, entry.name, None), depth + 1) for entry in dataclasses.fields(value))
    return None


def passages(speed: int, folder: Path) -> list[Passage]:
    """Every call and return in the package during a run with a shaft speed in rad/s, and while its log is drawn."""
    found: list[Passage] = []

    def note(frame: Any, event: str, result: Any) -> None:
        code = frame.f_code
        if event not in ("call", "return") or not code.co_filename.startswith(str(SOURCES)):
            return
        given = {name: frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount]}
        file = Path(code.co_filename).relative_to(SOURCES).as_posix()
        numbers = hash(numbers_in(given if event == "call" else result))
        found.append(Passage(file, code.co_qualname, event == "call", numbers, hash(numbers_in(given.get("state")))))

    log = folder / f"{speed}.mcap"
    setup = dataclasses.replace(scenario_from_text(SCENARIO % speed), scenario_hash="", texts={})
    recorder = Recorder.open(setup, log)
    loop = Loop(setup, recorder)
    sys.setprofile(note)
    try:
        run_loop(loop)
        recorder.close()
        channels_figure(log, [f"rov/{name}" for name in CHANNELS])
    finally:
        sys.setprofile(None)
    return found


def walk(first: list[Passage], second: list[Passage]) -> Iterator[Passage]:
    """The passages that depend on the command, once through the plant."""
    inside = 0  # nested calls within a later lap
    for one, other in zip(first, second, strict=True):
        assert one[:3] == other[:3], f"the runs take other ways: {one} and {other}"
        if inside:
            inside += 1 if one.is_call else -1
        elif one.is_call and one.file in PLANT and one.state != other.state:
            inside = 1
        elif one.numbers != other.numbers and not one.file.startswith(ARITHMETIC):
            yield one


def array_view(memory: Any, start: int, shape: tuple[int, ...]) -> Any:
    """As `remora.plant.arrays.array_view`, which has no body in Python."""
    return memory[start : start + math.prod(shape)].reshape(shape)


def files_passed() -> dict[str, list[str]]:
    """The files of the walk in order, each with its functions in order."""
    entries.array_view = array_view
    with tempfile.TemporaryDirectory() as folder:
        passages(60, Path(folder))  # what is loaded once and kept is no part of the walk
        found = walk(passages(60, Path(folder)), passages(80, Path(folder)))
        files: dict[str, list[str]] = {}
        for one in found:
            functions = files.setdefault(one.file, [])
            if one.function not in functions:
                functions.append(one.function)
    return files


if __name__ == "__main__":
    json.dump(files_passed(), sys.stdout, indent=1)
