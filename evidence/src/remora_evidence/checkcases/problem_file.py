"""Check-cases as their YAML files define them: body, start, inputs, water, output times and tolerances."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from ruamel.yaml import YAML

from remora.files.arrays import Array
from remora.files.did_you_mean import nearest

CASES = Path(__file__).parent / "cases"


class ProblemInputs(NamedTuple):
    """Inputs from a time on, until the next ones or the end."""

    start: float  # s
    commands: Array  # one per actuator, in the order of the vehicle's thrusters and fins
    wrench: Array  # N and N m about B, in body axes


class LinearFlow(NamedTuple):
    """A steady flow U(x) = velocity + gradient x, in north-east-down axes."""

    velocity: Array  # m/s
    gradient: Array  # 1/s, dU_i / dx_j


class CaseRun(NamedTuple):
    """One motion of a case."""

    name: str
    position: Array
    quaternion: Array
    velocity: Array
    rates: Array
    water: LinearFlow
    inputs: tuple[ProblemInputs, ...]

    def inputs_at(self, time: float) -> ProblemInputs:
        """The inputs that hold from a time on."""
        return [held for held in self.inputs if held.start <= time + 1e-9][-1]


class CheckCase(NamedTuple):
    """A check-case as its file defines it; numbers are SI, angles rad."""

    id: str
    title: str
    vehicle: Mapping[str, Any]  # the numbers of the body as written in the file
    runs: tuple[CaseRun, ...]
    duration: float  # s
    interval: float  # s between output times, of which every change of an input is one
    step: float  # s, of the fourth-order method on which the tolerances rest
    tolerances: Mapping[str, float]  # per quantity
    docking: tuple[float, float] | None = None  # s: the runs are two bodies, welded together between these times
    navigation: Mapping[str, Any] | None = None  # the runs are those of a filter with other errors

    @property
    def is_navigation(self) -> bool:
        """Whether the trajectories are estimates of a filter."""
        return self.navigation is not None

    @property
    def intervals(self) -> int:
        """Number of intervals between output times."""
        return round(self.duration / self.interval)

    @property
    def times(self) -> Array:
        """Output times, s."""
        return np.asarray(self.interval * np.arange(self.intervals + 1), dtype=float)

    @property
    def steps(self) -> int:
        """Steps in each interval."""
        return round(self.interval / self.step)

    @property
    def actuators(self) -> tuple[str, ...]:
        """Names of thrusters and fins, in the order of commands."""
        return tuple(str(device["name"]) for kind in ("thrusters", "fins") for device in self.vehicle.get(kind, ()))


def case_ids() -> tuple[str, ...]:
    """All cases, in order."""
    return tuple(sorted(file.stem for file in CASES.glob("UC-*.yaml")))


def chosen_ids(words: Iterable[str]) -> tuple[str, ...]:
    """The cases that words ask for, each once and in order; without words all of them.

    Small and capital letters are the same. Raises a ValueError with a suggestion for an unknown case.
    """
    known = case_ids()
    wanted = [word.upper() for word in words]
    for word in wanted:
        if word not in known:
            near = nearest(word, known)
            hint = f"Did you mean {' or '.join(near)}?" if near else f"Known: {', '.join(known)}."
            raise ValueError(f"there is no check-case {word!r}. {hint}")
    return tuple(name for name in known if name in wanted or not wanted)


def load_problem(case: str) -> CheckCase:
    """The problem of an id."""
    data = YAML(typ="safe", pure=True).load((CASES / f"{case}.yaml").read_text(encoding="utf-8"))
    navigation = data.get("navigation")
    runs = data["runs"] if navigation is None else [{"name": str(1 + i)} for i in range(navigation["runs"])]
    devices = sum(len(data["vehicle"].get(kind, ())) for kind in ("thrusters", "fins"))
    return CheckCase(
        id=data["id"],
        title=data["title"],
        vehicle=data["vehicle"],
        runs=tuple(_run(run, devices) for run in runs),
        duration=float(data["duration"]),
        interval=float(data["output_interval"]),
        step=float(data["tolerance"]["step"]),
        tolerances=dict(data["tolerance"]["values"]),
        docking=(float(data["docking"]["from"]), float(data["docking"]["until"])) if "docking" in data else None,
        navigation=navigation,
    )


def _run(data: Mapping[str, Any], devices: int) -> CaseRun:
    """One run; what its file leaves out is zero."""
    start, water = data.get("start", {}), data.get("water", {})
    return CaseRun(
        name=data["name"],
        position=_numbers(start, "position", (3,)),
        quaternion=np.array(start.get("quaternion", [1, 0, 0, 0]), dtype=float),
        velocity=_numbers(start, "velocity", (3,)),
        rates=_numbers(start, "rates", (3,)),
        water=LinearFlow(_numbers(water, "velocity", (3,)), _numbers(water, "gradient", (3, 3))),
        inputs=tuple(
            ProblemInputs(float(held["from"]), _numbers(held, "commands", (devices,)), _numbers(held, "wrench", (6,)))
            for held in data.get("inputs", [{"from": 0}])
        ),
    )


def _numbers(section: Mapping[str, Any], key: str, shape: tuple[int, ...]) -> Array:
    """The numbers of a key, or zeros."""
    return np.array(section[key], dtype=float).reshape(shape) if key in section else np.zeros(shape)
