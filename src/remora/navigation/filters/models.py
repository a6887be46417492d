"""What a user writes for a filter: a chart of its state, a process model and measurement models, on plain tuples."""

from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from remora.files.problems import InputError

# States, errors, inputs and parameters are flat rows of numbers.
Plus: TypeAlias = Callable[[Any, Any], tuple[Any, ...]]
Minus: TypeAlias = Callable[[Any, Any], tuple[Any, ...]]
Process: TypeAlias = Callable[[Any, Any, Any, Any], tuple[Any, ...]]
Measure: TypeAlias = Callable[[Any, Any, Any], tuple[Any, ...]]
NoiseInput: TypeAlias = Callable[[Any, Any, Any, Any], tuple[Any, ...]]
NoiseScale: TypeAlias = Callable[[Any, Any, Any, Any], tuple[Any, ...]]


class Chart(NamedTuple):
    """Errors of a state as plain vectors: minus(plus(x, d), x) = d.

    A left, right or invariant error is another chart. Both functions take and return flat tuples of numbers.
    """

    plus: Plus  # plus(state, error) -> state
    minus: Minus  # minus(state, reference) -> error


class AidingModel(NamedTuple):
    """A sensor that corrects a filter."""

    measure: Measure  # measure(state, inputs, parameters) -> predicted values
    sigma: tuple[float, ...]  # standard deviation of each value
    wrap: tuple[bool, ...] = ()  # which values are angles, whose innovations are wrapped; none by default
    gate: float = 1.0  # probability of accepting a consistent reading; 1 accepts every finite one
    latency: float = 0.0  # s, by which the stamps of its readings are late
    delayed_residual: bool = False  # used on arrival: residual of the past, Jacobian and gain of the present
    own_sigma: bool = False  # each reading brings its standard deviations after its values; NaN: as in `sigma`
    own_parameters: int = 0  # numbers at the end of each reading, which `measure` finds after the parameters
    recovery: float = inf  # s of rejections after which a reading is used with an inflated covariance
    repeats: bool = True  # False: a reading with the values of the one before it is not used again
    active: bool = True  # False: readings are ignored


class Innovation(NamedTuple):
    """Result of one reading."""

    sensor: str
    stamp_ns: int  # when it was valid
    outcome: str  # see OUTCOMES
    values: tuple[float, ...] = ()  # measured less predicted
    deviations: tuple[float, ...] = ()  # predicted standard deviation of each
    squared: float = 0.0  # normalised innovation squared, of the finite values


# Outcome of a reading; only "used" and "recovered" change the estimate.
OUTCOMES = {
    "used": "it was used",
    "rejected": "its normalised innovation squared is beyond the gate",
    "not finite": "no value of it, or of its prediction, is a finite number",
    "too late": "it was valid before the lag of the filter began",
    "duplicate": "a reading of this sensor with this stamp is known",
    "recovered": "it was beyond the gate, but used after a time of rejections, with an inflated covariance",
    "in the future": "its stamp is later than its arrival, or beyond the largest gap",
    "repeated": "it has the values of the reading before it",
    "inactive": "its sensor is switched off",
}
# Numbers of the outcomes in compiled code.
USED, REJECTED, NOT_FINITE, TOO_LATE, DUPLICATE, RECOVERED, FUTURE, REPEATED, INACTIVE = range(9)
OUTCOME_NAMES = tuple(OUTCOMES)


def check_aiding(name: str, aiding: AidingModel) -> None:
    """Refuse impossible numbers of an aiding sensor."""
    sigma = np.asarray(aiding.sigma, dtype=float)
    if sigma.ndim != 1 or sigma.size == 0 or not np.isfinite(sigma).all() or (sigma <= 0.0).any():
        raise InputError(f"sigma of {name} is {aiding.sigma}: give positive standard deviations").about(
            "sigma", aiding.sigma
        )
    if aiding.wrap and len(aiding.wrap) != sigma.size:
        raise InputError(f"wrap of {name} has {len(aiding.wrap)} entries for {sigma.size} values").about(
            "wrap", aiding.wrap
        )
    if not 0.0 < aiding.gate <= 1.0:
        raise InputError(f"gate of {name} is {aiding.gate}: give a probability in (0, 1]").about("gate", aiding.gate)
    if not 0.0 <= aiding.latency < np.inf:
        raise InputError(f"latency of {name} is {aiding.latency}: give seconds, not negative").about(
            "latency", aiding.latency
        )
    if not aiding.recovery > 0.0:
        raise InputError(f"recovery of {name} is {aiding.recovery}: give a positive time in seconds").about(
            "recovery", aiding.recovery
        )
    if aiding.own_parameters < 0:
        raise InputError(f"own_parameters of {name} is {aiding.own_parameters}: give a number of values").about(
            "own_parameters", aiding.own_parameters
        )


def check_changes(sensor: str, aidings: dict[str, AidingModel], changes: dict[str, Any]) -> AidingModel:
    """An aiding sensor with changes that need no compilation."""
    if sensor not in aidings:
        known = ", ".join(aidings)
        raise InputError(f"the filter has no aiding sensor {sensor!r}: it has {known}").about(
            "sensor", sensor, tuple(aidings)
        )
    old, free = aidings[sensor], [name for name in AidingModel._fields if name not in ("measure", "own_parameters")]
    for name in changes:
        if name not in free:
            raise InputError(f"{name} of {sensor} cannot be changed in a compiled filter").about(
                name, name, tuple(free)
            )
    new = old._replace(**changes)
    check_aiding(sensor, new)
    if len(new.sigma) != len(old.sigma):
        raise InputError(f"sigma of {sensor} has {len(new.sigma)} entries: give {len(old.sigma)}").about(
            "sigma", new.sigma
        )
    return new
