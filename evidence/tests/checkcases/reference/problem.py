"""The problem files as the reference solutions read them: body, start, inputs, water, output times and tolerances."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from ruamel.yaml import YAML

Array: TypeAlias = NDArray[np.float64]

CASES = Path(__file__).parents[3] / "src" / "remora_evidence" / "checkcases" / "cases"


class Held(NamedTuple):
    """Inputs from a time on, until the next ones or the end."""

    start: float  # s
    commands: Array  # one per actuator: thrusters, then fins
    wrench: Array  # N and N m about B, in body axes


class Water(NamedTuple):
    """A steady flow U(x) = velocity + gradient x, in north-east-down axes."""

    velocity: Array  # m/s
    gradient: Array  # 1/s, dU_i / dx_j


class Run(NamedTuple):
    """One motion of a case."""

    name: str
    position: Array
    quaternion: Array
    velocity: Array
    rates: Array
    water: Water
    inputs: tuple[Held, ...]

    def inputs_at(self, time: float) -> Held:
        """The inputs that hold from a time on."""
        return [held for held in self.inputs if held.start <= time + 1e-9][-1]


class Problem(NamedTuple):
    """A check-case as its file defines it; numbers are SI, angles rad."""

    id: str
    vehicle: Mapping[str, Any]
    runs: tuple[Run, ...]
    duration: float  # s
    interval: float  # s between output times
    step: float  # s, of the fourth-order method on which the tolerances rest
    tolerances: Mapping[str, float]
    docking: tuple[float, float] | None = None  # s: the runs are two bodies, welded together between these times
    is_navigation: bool = False  # the runs are those of a filter with other errors

    @property
    def times(self) -> Array:
        """Output times, s."""
        return np.asarray(self.interval * np.arange(round(self.duration / self.interval) + 1), dtype=float)

    @property
    def steps(self) -> int:
        """Steps in each interval."""
        return round(self.interval / self.step)


def case_ids() -> tuple[str, ...]:
    """All cases, in order."""
    return tuple(sorted(file.stem for file in CASES.glob("UC-*.yaml")))


def case_data(case: str) -> Any:
    """The file of an id."""
    return YAML(typ="safe", pure=True).load((CASES / f"{case}.yaml").read_text(encoding="utf-8"))


def load_problem(case: str) -> Problem:
    """The problem of an id."""
    data = case_data(case)
    devices = sum(len(data["vehicle"].get(kind, ())) for kind in ("thrusters", "fins"))
    tolerance, is_navigation = data["tolerance"], "navigation" in data
    runs = [{"name": str(1 + i)} for i in range(data["navigation"]["runs"])] if is_navigation else data["runs"]
    return Problem(
        data["id"],
        data["vehicle"],
        tuple(_run(run, devices) for run in runs),
        float(data["duration"]),
        float(data["output_interval"]),
        float(tolerance["step"]),
        tolerance["values"],
        (float(data["docking"]["from"]), float(data["docking"]["until"])) if "docking" in data else None,
        is_navigation,
    )


def _run(data: Mapping[str, Any], devices: int) -> Run:
    """One run; what its file leaves out is zero."""
    start, water = data.get("start", {}), data.get("water", {})
    return Run(
        data["name"],
        _numbers(start, "position", (3,)),
        np.array(start.get("quaternion", [1, 0, 0, 0]), dtype=float),
        _numbers(start, "velocity", (3,)),
        _numbers(start, "rates", (3,)),
        Water(_numbers(water, "velocity", (3,)), _numbers(water, "gradient", (3, 3))),
        tuple(
            Held(float(held["from"]), _numbers(held, "commands", (devices,)), _numbers(held, "wrench", (6,)))
            for held in data.get("inputs", [{"from": 0}])
        ),
    )


def _numbers(section: Mapping[str, Any], key: str, shape: tuple[int, ...]) -> Array:
    return np.array(section[key], dtype=float).reshape(shape) if key in section else np.zeros(shape)
