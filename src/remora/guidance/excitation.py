"""Excitation for identification: reference signals in one or several axes, or a manoeuvre.

Britto Neto 2018 excites the FlatFish with A sin(w t) through its position controller, one degree of freedom at a time.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, final

from remora.equations.types import Vector3
from remora.guidance.manoeuvres import Legs, RelativeMotion, TurningCircle
from remora.guidance.minimum_jerk import SECOND
from remora.guidance.signals import ExcitationSignal, Sinusoid

AXES = ("surge", "sway", "heave", "yaw")
_AT_START = RelativeMotion(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class PoseReference(NamedTuple):
    """Reference pose and its rates."""

    p_NR: Vector3  # m
    heading: float  # rad, unwrapped
    v_NR_N: Vector3  # m/s
    heading_rate: float  # rad/s


class ExcitationState(NamedTuple):
    """Time and pose at the start of the excitation; the time is None before the first step."""

    start_ns: int | None
    p_N: Vector3
    heading: float


@final
@dataclass(frozen=True)
class ExcitationGuidance:
    """Excitation signals about the pose at the first step, in level axes along the heading there.

    Parameters
    ----------
    surge, sway, heave
        Signals ahead, to the right and down, in m; None holds the axis.
    yaw
        ExcitationSignal of the heading, in rad.
    manoeuvre
        A turning circle or legs; the signals are added.
    """

    surge: ExcitationSignal | None = None
    sway: ExcitationSignal | None = None
    heave: ExcitationSignal | None = None
    yaw: ExcitationSignal | None = None
    manoeuvre: TurningCircle | Legs | None = None

    @classmethod
    def single(cls, axis: str, amplitude: float, frequency: float, ramp: float = 0.0) -> "ExcitationGuidance":
        """A sin(w t) in one axis, with w in rad/s; the others are held.

        Raises
        ------
        ValueError
            When the axis is not surge, sway, heave or yaw, or the frequency is not positive.
        """
        if axis not in AXES:
            raise ValueError(f"unknown axis {axis!r}: choose from {', '.join(AXES)}")
        swing: dict[str, Any] = {axis: Sinusoid(amplitude, _period(frequency), ramp)}
        return cls(**swing)

    @classmethod
    def all_four(
        cls, amplitudes: tuple[float, ...], frequencies: tuple[float, ...], ramp: float = 0.0
    ) -> "ExcitationGuidance":
        """Simultaneous sinusoids in surge, sway, heave and yaw; amplitudes in m and rad, frequencies in rad/s."""
        swings = (Sinusoid(a, _period(w), ramp) for a, w in zip(amplitudes, frequencies, strict=True))
        all_swings: dict[str, Any] = dict(zip(AXES, swings, strict=True))
        return cls(**all_swings)

    def initial(self) -> ExcitationState:
        """Before the first step."""
        return ExcitationState(None, (0.0, 0.0, 0.0), 0.0)

    def step(
        self, state: ExcitationState, time_ns: int, p_NB: Vector3, heading: float
    ) -> tuple[ExcitationState, PoseReference]:
        """The reference at a time; position and heading matter at the first step only."""
        if state.start_ns is None and not math.isfinite(sum(p_NB) + heading):
            return state, PoseReference(p_NB, heading, (0.0, 0.0, 0.0), 0.0)  # starts at the first known pose
        if state.start_ns is None:
            state = ExcitationState(time_ns, p_NB, heading)
        assert state.start_ns is not None
        elapsed = (time_ns - state.start_ns) / SECOND
        x, y, z, turn, vx, vy, vz, rate = self.relative_motion(elapsed)
        c, s = math.cos(state.heading), math.sin(state.heading)
        p = state.p_N
        position = (p[0] + c * x - s * y, p[1] + s * x + c * y, p[2] + z)
        return state, PoseReference(position, state.heading + turn, (c * vx - s * vy, s * vx + c * vy, vz), rate)

    def relative_motion(self, elapsed: float) -> RelativeMotion:
        """Motion of the reference relative to its start, a time in seconds after it."""
        signals = (self.surge, self.sway, self.heave, self.yaw)
        values, rates = zip(*(one.at(elapsed) if one else (0.0, 0.0) for one in signals), strict=True)
        under_way = self.manoeuvre.at(elapsed) if self.manoeuvre else _AT_START
        return RelativeMotion(*(a + b for a, b in zip((*values, *rates), under_way, strict=True)))


def _period(frequency: float) -> float:
    if not 0.0 < frequency < math.inf:
        raise ValueError(f"frequency is {frequency}: give a positive number in rad/s")
    return 2.0 * math.pi / frequency
