"""Readings as events of a filter, one by one, and checks that do not depend on the belief."""

from math import inf, isfinite, isnan
from typing import NamedTuple

import numpy as np

from remora.messages.reading import Reading
from remora.navigation.filters.beliefs import FilterEvent
from remora.navigation.filters.models import FUTURE, INACTIVE, NOT_FINITE, TOO_LATE, USED, AidingModel

LONGEST = 2**62  # ns, instead of infinity
_new_tuple = tuple.__new__


class IntakeLimits(NamedTuple):
    """Times that readings must keep to."""

    early_ns: int  # by which a stamp may be later than its arrival
    delay_ns: int  # by which a reading with a delayed residual may be late


class SensorIntake(NamedTuple):
    """How readings of a sensor become events."""

    kind: int  # 0 for inputs, else 1 plus the index of the sensor
    size: int  # measured values
    sigmas: int  # own standard deviations
    parameters: int  # own parameters
    latency_ns: int
    delayed: bool
    padding: tuple[float, ...]  # after values and sigmas
    filling: tuple[float, ...]  # after all numbers of an event
    sigma: tuple[float, ...]
    active: bool
    once: bool
    length: int  # numbers of a reading
    rest: tuple[float, ...] | None  # of an event after its values; None with own standard deviations or parameters


def inputs_intake(size: int, width: int) -> SensorIntake:
    """Intake of the inputs of the process model, for events of this many numbers."""
    filling = (0.0,) * (width - size)
    return SensorIntake(0, size, 0, 0, 0, False, (), filling, (), True, False, size, filling)


def aiding_intake(kind: int, aiding: AidingModel, most: int, width: int) -> SensorIntake:
    """Intake of an aiding sensor.

    Parameters
    ----------
    kind
        Its kind of event.
    aiding
        The sensor.
    most
        Values of the longest measurement.
    width
        Numbers of an event.
    """
    size, own = len(aiding.sigma), aiding.own_parameters
    latency, sigmas = nanoseconds(aiding.latency), size if aiding.own_sigma else 0
    padding, filling = (0.0,) * (most - size), (0.0,) * (width - 2 * most - own)
    rest = None if sigmas or own else (*padding, *aiding.sigma, *padding, *filling)
    return SensorIntake(
        kind, size, sigmas, own, latency, aiding.delayed_residual, padding, filling, aiding.sigma, aiding.active,
        not aiding.repeats, size + sigmas + own, rest,
    )  # fmt: skip


def event_of(reading: Reading, intake: SensorIntake) -> FilterEvent:
    """A reading as an event.

    It is used at its time of validity, or on arrival with the residual of that time.
    """
    _, stamp_ns, arrival_ns, _, values = reading
    valid = stamp_ns - intake.latency_ns
    data = _numbers(values, intake) if intake.rest is None else (*values, *intake.rest)
    time = max(arrival_ns, valid) if intake.delayed else valid
    return _new_tuple(FilterEvent, (time, intake.kind, stamp_ns, valid, np.array(data, float)))


def _numbers(values: tuple[float, ...], intake: SensorIntake) -> tuple[float, ...]:
    """Numbers of an event from those of a reading with own standard deviations or parameters."""
    size, end, padding, sigma = intake.size, intake.size + intake.sigmas, intake.padding, intake.sigma
    if intake.sigmas:
        given = values[size:end]
        sigma = tuple([usual if isnan(one) else one for one, usual in zip(given, sigma, strict=True)])
    return (*values[:size], *padding, *sigma, *padding, *values[end:], *intake.filling)


def screened(reading: Reading, intake: SensorIntake, event: FilterEvent, limits: IntakeLimits) -> int:
    """Why a reading is refused, whatever the belief; USED when it is not.

    Parameters
    ----------
    reading
        The reading.
    intake
        That of its sensor.
    event
        The same reading as an event.
    limits
        Times that it must keep to.
    """
    if not intake.active:
        return INACTIVE
    _, stamp_ns, arrival_ns, _, values = reading
    if not isfinite(sum(values)):  # seldom, so that single numbers are seldom looked at
        measured = values[: intake.size]
        if not (any if intake.kind else all)(map(isfinite, measured)) or not _extras_are_sound(event, intake):
            return NOT_FINITE
    elif intake.sigmas and not _extras_are_sound(event, intake):
        return NOT_FINITE
    if stamp_ns - arrival_ns > limits.early_ns:
        return FUTURE
    return TOO_LATE if event[0] - event[3] > limits.delay_ns else USED


def _extras_are_sound(event: FilterEvent, intake: SensorIntake) -> bool:
    """Whether the standard deviations of an event are positive and its parameters finite."""
    if not intake.sigmas and not intake.parameters:
        return True
    numbers, most = event.data.tolist(), intake.size + len(intake.padding)
    sigma = numbers[most : most + intake.size]
    return all(0.0 < one < inf for one in sigma) and all(map(isfinite, numbers[2 * most :]))


def nanoseconds(seconds: float) -> int:
    """A time in ns, at most LONGEST."""
    return round(min(1e9 * seconds, LONGEST))
