"""From a wish to a plan: swings are chosen, given time, flown, and judged by the flight."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from remora.experiments.axis_fits import equations_of, swings_in
from remora.experiments.excitation import TRIED, Swing, best_swing, names_of, wanted_deviations
from remora.experiments.motion_limits import ROOM_SHARE
from remora.experiments.requirements import DesignError, Wish
from remora.experiments.scenario_text import PAUSE, SETTLE, duration_of, scenario_text
from remora.experiments.simulation import Flight, fly
from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.parameters import units_of, values_of
from remora.identification.uncertainty.predicted_accuracy import predicted_covariance

SHORTEST_SWING, LONGEST_SWING = 40.0, 600.0  # s
MARGIN = 1.1  # time more than the prediction asks for
MOST_SATURATED = 0.02  # of the time
MOST_TILTED = 0.5  # rad
SMALLER, FLIGHTS = 0.85, 8


class Foretold(NamedTuple):
    """How well a parameter will be known."""

    name: str
    unit: str
    value: float  # in the vehicle file
    sigma: float  # predicted
    wanted: float

    @property
    def met(self) -> bool:
        """Whether it is good enough."""
        return self.sigma <= self.wanted


class Plan(NamedTuple):
    """An experiment, flown once."""

    wish: Wish
    swings: tuple[Swing, ...]
    times: tuple[float, ...]  # s, of each swing
    foretold: tuple[Foretold, ...]
    covariance: Array
    flight: Flight

    @property
    def duration(self) -> float:
        """Seconds of the whole experiment."""
        return duration_of(self.times)

    @property
    def met(self) -> bool:
        """Whether every parameter will be known as well as wanted."""
        return all(one.met for one in self.foretold)

    def text(self, file: str) -> str:
        """The scenario, with the vehicle file as it shall be named there."""
        return scenario_text(self.wish, self.swings, self.times, file)


def make_plan(wish: Wish) -> Plan:
    """Choose swings and times, fly them, and make them smaller or longer until they fit.

    Raises
    ------
    DesignError
        When the duration that is given is too short for the axes that must swing.
    """
    least = duration_of([SHORTEST_SWING] * len(wish.axes))
    if wish.duration is not None and wish.duration < least:
        raise DesignError(f"duration is {wish.duration:g} s: {len(wish.axes)} axes need at least {least:g} s")
    swings = tuple(best_swing(wish, axis) for axis in wish.axes)
    times = _times(wish, [swing.worst for swing in swings])
    plan = flown(wish, swings, times)
    for _ in range(FLIGHTS):
        smaller = tuple(_smaller(plan.flight, swing) for swing in plan.swings)
        longer = _longer(plan)
        if smaller == plan.swings and longer == plan.times:
            break
        plan = flown(wish, smaller, longer)
    return plan


def flown(wish: Wish, swings: Sequence[Swing], times: Sequence[float]) -> Plan:
    """The plan with these swings, judged by its flight."""
    text = scenario_text(wish, swings, times, wish.vehicle.file)
    flight = fly(wish, text, tuple(times), SETTLE)
    parameters = wish.vehicle.parameters
    covariance = _covariance(wish, flight.truth, times)
    wanted = wanted_deviations(wish, wish.parameters)
    values, units = values_of(parameters, wish.parameters), units_of(parameters, wish.parameters)
    foretold = tuple(
        Foretold(*one) for one in zip(wish.parameters, units, values.tolist(), np.sqrt(np.diag(covariance)).tolist(),
                                      wanted.tolist(), strict=True)
    )  # fmt: skip
    return Plan(wish, tuple(swings), tuple(times), foretold, covariance, flight)


def _covariance(wish: Wish, truth: Record, times: Sequence[float]) -> Array:
    """Predicted covariance of all parameters, each axis by itself as `fit_swings` does it."""
    whole, places = np.zeros((len(wish.parameters),) * 2), list(wish.parameters)
    for axis, part in zip(wish.axes, swings_in(truth, times), strict=True):
        names = names_of(wish, axis)
        own = [places.index(name) for name in names]
        equations = equations_of(wish, axis)
        whole[np.ix_(own, own)] = predicted_covariance(part, wish.vehicle.parameters, names, wish.noise, equations)
    return whole


def _times(wish: Wish, worst: Sequence[float]) -> tuple[float, ...]:
    """Seconds for each swing: as long as it takes, or the time given shared out so that all axes come out alike."""
    needed = MARGIN * TRIED * np.square(worst)
    if wish.duration is None:
        return tuple(np.round(np.clip(needed, SHORTEST_SWING, LONGEST_SWING)).tolist())
    left = wish.duration - SETTLE - len(worst) * PAUSE
    spare = left - SHORTEST_SWING * len(worst)
    finite = np.minimum(np.where(np.isfinite(needed), needed, 0.0), 100.0 * LONGEST_SWING)
    shares = finite / finite.sum() if finite.sum() > 0.0 else np.full(len(worst), 1.0 / len(worst))
    return tuple(np.floor(SHORTEST_SWING + spare * shares).tolist())


def _smaller(flight: Flight, swing: Swing) -> Swing:
    """A swing that left its room, had thrusters at their limits, or tilted the vehicle too far, made smaller."""
    if flight.reach[swing.axis] > 1.0:
        return swing.scaled(ROOM_SHARE / flight.reach[swing.axis])._replace(limit="room")
    if flight.tilt[swing.axis] > MOST_TILTED:
        return swing.scaled(SMALLER)._replace(limit="tilt")
    if flight.saturated[swing.axis] > MOST_SATURATED:
        return swing.scaled(SMALLER)._replace(limit="thrust")
    return swing


def _longer(plan: Plan) -> tuple[float, ...]:
    """Times with which axes that fall short would do, as far as time is free."""
    if plan.wish.duration is not None:
        return plan.times
    by_name = {one.name: one for one in plan.foretold}
    times = []
    for swing, time in zip(plan.swings, plan.times, strict=True):
        worst = max(by_name[name].sigma / by_name[name].wanted for name in names_of(plan.wish, swing.axis))
        needed = round(MARGIN * time * worst**2) if worst > 1.0 and np.isfinite(worst) else time
        times.append(float(min(max(needed, time), LONGEST_SWING)))
    return tuple(times)
