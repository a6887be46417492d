"""Gain selection for a vehicle that is steered by fins: depth, heading and speed under way.

Among the gains that keep the stated margins on the straight and level course, those with the stiffest course and depth
are chosen.
"""

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple, NoReturn, final

import numpy as np

from remora.control.allocation.thrusters import HELD_AXES, pseudo_inverse
from remora.control.autopilots.fin_autopilot import FinAutopilot, FinGains, fin_autopilot
from remora.control.tuning.course_loop import CourseLoop, CourseTiming, held_by, settled_course
from remora.control.tuning.gain_selection import (
    DEFAULT_GOALS,
    LARGEST_BANDWIDTH,
    THRUST_SHARE,
    TuningGoals,
    check_goals,
)
from remora.control.tuning.loop_margins import AxisMargins, LoopMargins
from remora.control.tuning.stability_margins import margin_text
from remora.equations.algebra.pose import BODY_SIZE
from remora.files.problems import InputError
from remora.plant.plant import Plant
from remora.vehicles.parameters import VehicleParameters

DEPTH = 10.0  # m, of the course; nothing depends on it
RATES, ANGLE_SHARES = np.geomspace(0.4, 8.0, 16), (0.1, 0.15, 0.2, 0.25, 0.35)  # 1/s, and of the rate gain
DEPTHS, SPEEDS = np.geomspace(0.05, 0.6, 12), np.geomspace(0.1, 2.0, 12)  # 1/s
INTEGRAL_SHARE, DEPTH_INTEGRAL_SHARE = 0.15, 0.15  # of the square of a gain in its integral gain
COARSE = 120  # frequencies of the search
ENVELOPE_SHARE = 0.7  # of the speed for which the parameters are valid


class TunedCourse(NamedTuple):
    """Gains of the fin autopilot, and their margins at a speed."""

    goals: TuningGoals
    timing: CourseTiming
    speed: float  # m/s
    gains: FinGains
    axes: tuple[AxisMargins, ...]


def is_steered_by_fins(parameters: VehicleParameters) -> bool:
    """Whether fins steer a vehicle that its thrusters cannot hold in place."""
    if not parameters.fins:
        return False
    return not parameters.thrusters or bool(pseudo_inverse(parameters, HELD_AXES).uncontrollable)


def tuned_course(
    plant: Plant,
    goals: TuningGoals = DEFAULT_GOALS,
    period: float = 0.1,
    latency: float = 0.0,
    speed: float | None = None,
) -> TunedCourse:
    """Gains of the fin autopilot for a vehicle.

    Parameters
    ----------
    plant
        The nominal vehicle.
    goals
        Margins, and the largest crossover of pitch and yaw; speeds, noise and smoothing are for thrusters only.
    period
        Seconds between samples of the controller.
    latency
        Latency of the estimate, s.
    speed
        Speed ahead, m/s; default that of four fifths of the thrust, within the valid speeds.

    Raises
    ------
    InputError
        When fins cannot steer the vehicle, the speed is out of reach, or no gains keep the margins.
    """
    check_goals(goals, period, latency)
    for field in ("max_speeds", "noise", "smoothing"):
        if getattr(goals, field) is not None:
            raise InputError(f"{field} is for vehicles that thrusters hold in place. Leave it out.").about(field)
    parameters = plant.vehicle.parameters
    try:
        usual = fin_autopilot(parameters, period)
    except ValueError as error:
        raise InputError(f"{plant.vehicle.name} cannot be steered by fins: {error}.").about("vehicle") from None
    most = largest_course_speed(usual)
    asked = most if speed is None else speed
    if not usual.gains.least_speed <= asked <= most / THRUST_SHARE:
        raise InputError(
            f"speed is {asked:.3g} m/s: must be from {usual.gains.least_speed:g} m/s, where fins begin to steer, to "
            f"{most / THRUST_SHARE:.3g} m/s, which thrust and valid speeds allow."
        ).about("speed", asked)
    point, timing = settled_course(plant, usual, asked, DEPTH), CourseTiming(period, latency)

    def margins(gains: FinGains, count: int = COARSE) -> LoopMargins:
        made = fin_autopilot(parameters, period, gains)
        held = CourseLoop(made, point._replace(held=held_by(made, usual, point.held)), timing)
        return held.margins(plant.packed, count)

    gains = _selected(margins, goals)
    return TunedCourse(goals, timing, asked, gains, margins(gains, 400).axes)


def _selected(margins: Callable[[FinGains], LoopMargins], goals: TuningGoals) -> FinGains:
    """The stiffest course whose depth keeps the margins, then the stiffest depth, then the stiffest speed."""
    tried = [
        FinGains(rate=rate, rate_integral=INTEGRAL_SHARE * rate**2, angle=share * rate)
        for rate in RATES.tolist()
        for share in ANGLE_SHARES
    ]
    search = _Search(margins, goals)
    for course in sorted(tried, key=lambda one: -one.rate * one.angle):
        if search.keeps(_deep(course, 0.15 * course.angle), ("pitch", "yaw", "heading")):
            deeper = (_deep(course, depth) for depth in DEPTHS[::-1].tolist())
            gains = search.first(deeper, ("pitch", "yaw", "heading", "depth"))
            if gains is not None:
                faster = (gains._replace(speed=one) for one in SPEEDS[::-1].tolist())
                return search.first(faster, ("surge",)) or search.refuse()
    return search.refuse()


def _deep(course: FinGains, depth: float) -> FinGains:
    """A course with a gain of the depth, 1/s."""
    return course._replace(depth=depth, depth_integral=DEPTH_INTEGRAL_SHARE * depth**2)


@final
class _Search:
    """Margins of tried gains, and those that came nearest to the goals."""

    def __init__(self, margins: Callable[[FinGains], LoopMargins], goals: TuningGoals) -> None:
        self._margins, self._goals, self._nearest = margins, goals, (-math.inf, "")

    def keeps(self, gains: FinGains, axes: tuple[str, ...]) -> bool:
        """Whether the loop is stable and keeps the margins in some axes."""
        found = self._margins(gains)
        judged = [_share_met(one, self._goals) for one in found.axes if one.axis in axes]
        met, text = min(judged) if found.is_stable and judged else (-math.inf, "")
        self._nearest = max(self._nearest, (met, text)) if met < 1.0 else self._nearest
        return met >= 1.0

    def first(self, tried: Iterable[FinGains], axes: tuple[str, ...]) -> FinGains | None:
        """The first gains that keep the margins in some axes."""
        return next((gains for gains in tried if self.keeps(gains, axes)), None)

    def refuse(self) -> NoReturn:
        """InputError with the margins that came nearest."""
        goals, best = self._goals, f"; the nearest leave {self._nearest[1]}" if self._nearest[1] else ""
        raise InputError(
            f"no gains keep a phase margin of {math.degrees(goals.phase_margin):.3g} deg and a gain margin of "
            f"{margin_text(goals.gain_margin)}{best}. Ask for smaller margins, another speed or bandwidth, or shorten "
            "latency or period."
        ).about("phase_margin")


def _share_met(one: AxisMargins, goals: TuningGoals) -> tuple[float, str]:
    """The share of a goal that an axis meets least, and its margins as text."""
    found, gain = one.margins, min(one.margins.gain, one.margins.gain_reduction)
    shares = [found.phase / goals.phase_margin, math.log(gain) / math.log(goals.gain_margin)]
    if one.axis in ("pitch", "yaw"):
        shares.append((goals.bandwidth or LARGEST_BANDWIDTH) / max(found.crossover, 1e-9))
    text = f"{math.degrees(found.phase):.3g} deg and {margin_text(gain)} in {one.axis} at {found.crossover:.2g} rad/s"
    return min(shares), text


def largest_course_speed(autopilot: FinAutopilot) -> float:
    """Speed at which the drag takes the share of the thrust that is left for control, within the valid speeds, m/s."""
    envelope = autopilot.parameters.envelope
    low, high = 0.0, 20.0 if envelope is None else ENVELOPE_SHARE * envelope[0]
    thrust = THRUST_SHARE * float(autopilot.thrust.allocate([1e6, 0.0, 0.0, 0.0, 0.0, 0.0]).wrench[0])
    for _ in range(40):
        middle = 0.5 * (low + high)
        body = np.zeros(BODY_SIZE)
        body[3], body[7] = 1.0, middle
        low, high = (middle, high) if float(autopilot.drag.wrench(body)[0]) <= thrust else (low, middle)
    return low
