"""Current of the user: an object with the method `at`, whose results, gradient and rate included, are checked."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from remora.equations.types import Vector3
from remora.files.user_code import raised_in
from remora.world.water.local_water import FlowField, LocalWater

LENGTH, TIME_NS = 1e-3, 1_000_000  # m and ns, steps of the differences
RELATIVE = 0.02  # of the larger of derivative and difference
SMALLEST = 1e-6  # 1/s and m/s2; smaller derivatives move no vehicle
KINK = 0.1  # relative difference of the two one-sided differences at which there is no derivative

At = Callable[[int, Vector3], LocalWater]


def derivative_fault(at: At, time_ns: int, p_N: Vector3) -> str:
    """Message for a gradient or rate that is not that of the velocity; empty where both are.

    The time is in ns, the place in N, m.
    """
    here = at(time_ns, p_N)
    for axis, name in enumerate(("north", "east", "down")):
        step = tuple(LENGTH * (i == axis) for i in range(3))
        after, before = at(time_ns, _plus(p_N, step, 1.0)), at(time_ns, _plus(p_N, step, -1.0))
        for i in range(3):
            slopes = _slopes(before.velocity[i], here.velocity[i], after.velocity[i], LENGTH)
            if _differs(here.gradient[i][axis], slopes):
                found = f"gradient[{i}][{axis}] is {here.gradient[i][axis]:.4g} 1/s"
                return f"{found}, but velocity[{i}] changes by {sum(slopes) / 2.0:.4g} m/s per metre {name}"
    after, before = at(time_ns + TIME_NS, p_N), at(time_ns - TIME_NS, p_N)
    for i in range(3):
        slopes = _slopes(before.velocity[i], here.velocity[i], after.velocity[i], 1e-9 * TIME_NS)
        if _differs(here.rate[i], slopes):
            found = f"rate[{i}] is {here.rate[i]:.4g} m/s2"
            return f"{found}, but velocity[{i}] changes by {sum(slopes) / 2.0:.4g} m/s per second"
    return ""


def _plus(p_N: Vector3, step: tuple[float, ...], sign: float) -> Vector3:
    return (p_N[0] + sign * step[0], p_N[1] + sign * step[1], p_N[2] + sign * step[2])


def _slopes(before: float, here: float, after: float, step: float) -> tuple[float, float]:
    return (here - before) / step, (after - here) / step


def _differs(derivative: float, slopes: tuple[float, float]) -> bool:
    """Whether a derivative is not that of two one-sided differences; never at a kink, which has none."""
    low, high = slopes
    size = max(abs(low), abs(high), abs(derivative))
    if size < SMALLEST or abs(high - low) > KINK * size:
        return False
    return abs(derivative - 0.5 * (low + high)) > RELATIVE * size


# Times and places at which a current is checked before a run; those where it fails are left out, except the first.
PROBES: tuple[tuple[int, Vector3], ...] = (
    (0, (0.0, 0.0, 0.0)),
    (1_300_000_000, (0.7, -0.4, 1.9)),
    (17_000_000_000, (-3.1, 5.3, 6.1)),
)


@final
@dataclass(frozen=True)
class UserCurrent(FlowField):
    """Wrapper of a current of the user; its Python file is named in messages.

    Its method `at(time_ns, p_N)` returns a `LocalWater`, as that of a `FlowField`. Raises a ValueError when there is no
    such method, when it fails or returns something else at the origin of N at time zero, when two calls at one time and
    place differ, or when gradient or rate is not that of the velocity.
    """

    inner: Any
    file: Path

    def __post_init__(self) -> None:
        if not callable(getattr(self.inner, "at", None)):
            raise ValueError(f"what {self.file} makes has no at; a current needs at(time_ns, p_N)")
        self.at(*PROBES[0])
        for time_ns, p_N in PROBES:
            try:
                first, again = self.at(time_ns, p_N), self.at(time_ns, p_N)
                fault = _repeat_fault(first, again) or derivative_fault(self.at, time_ns, p_N)
            except ValueError:
                continue  # outside of the place or time for which it is defined; reported where a run gets there
            if fault:
                raise ValueError(f"{self.file}: at {p_N} and {1e-9 * time_ns:g} s {fault}")

    @property
    def may_have_head(self) -> bool:
        """As far as is known."""
        return True

    def at(self, time_ns: int, p_N: Vector3) -> LocalWater:
        """See `FlowField`; ValueError with file and line where the code of the user fails."""
        try:
            water = self.inner.at(time_ns, p_N)
        except Exception as error:
            raise ValueError(f"{raised_in(self.file, error)} while it gave the water at {p_N}") from error
        if not isinstance(water, LocalWater):
            raise ValueError(
                f"{self.file}: at returned {type(water).__name__} {str(water)[:60]}, not a LocalWater. "
                "Write return LocalWater((north, east, down)), from remora.world"
            )
        velocity, gradient, rate, surface, head = water
        try:
            _check(velocity, "velocity")
            _check(rate, "rate")
            for row in _three(gradient, "gradient"):
                _check(row, "gradient")
            _check((surface, head, 0.0), "surface and head")
        except ValueError as error:
            raise ValueError(f"{self.file}: {error}") from None
        return water


def _repeat_fault(first: LocalWater, again: LocalWater) -> str:
    """Message for two results of one time and place that differ; empty for equal ones."""
    if first == again:
        return ""
    return (
        f"two calls give velocities of {first.velocity} and {again.velocity}. at must be a function of time and place: "
        "take random numbers from context.stream.normals(k, count), with k from the time"
    )


def _three(numbers: Any, what: str) -> Iterable[Any]:
    if not isinstance(numbers, tuple) or len(numbers) != 3:
        raise ValueError(f"{what} of the water is {numbers}: give a tuple of three")
    return numbers


def _check(numbers: Any, what: str) -> None:
    for number in _three(numbers, what):
        if not isinstance(number, float | int) or not math.isfinite(number):
            raise ValueError(f"{what} of the water is {numbers}: give finite numbers")
