"""Verdict on a replay: normalised innovations of each sensor, normalised errors where there is a truth, observability.

Chosen before any replay: a mean NIS is judged by its two-sided 99.9 % interval, and one within 10 % of its expectation
is consistent however many readings there are, since no data sheet is better than that. Errors of one run are correlated
in time, so their mean NEES counts as a single sample, with a 99 % interval.
"""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from remora.files.arrays import Array
from remora.navigation.consistency import average_bounds
from remora.navigation.filters import FilterRun
from remora.navigation.inertial.suite import LARGEST_TURN
from remora.navigation.replays.sensor_statistics import ReplayedInputs, ReplayedSensor, SensorOutage, mean_interval
from remora.navigation.replays.truth_errors import TruthErrors

SURE, SURE_OF_RUN = 0.999, 0.99  # probabilities of the intervals of NIS and NEES
STATED_TO = 0.1  # relative error of a mean NIS that errors of data sheets leave open
MOST_REJECTED = 0.01  # share of readings beyond the gate; 0.0001 of consistent ones are
FASTEST, FARTHEST = 30.0, 1e5  # m/s, m: beyond any vehicle, and a standard deviation that means nothing any more
LOST_TRACK = 0.5  # share of all readings beyond the gate
COORDINATES = (
    *(f"velocity {axis}" for axis in ("forward", "starboard", "down")),
    *(f"rotation about {axis}" for axis in ("x", "y", "z")),
)

VerdictName: TypeAlias = Literal[
    "consistent", "diverged", "overconfident", "degraded", "not observable", "pessimistic", "not judged"
]


class ReplayVerdict(NamedTuple):
    """A verdict and its reasons."""

    name: VerdictName
    reasons: tuple[str, ...] = ()


def verdict_on(
    run: FilterRun, start: Array, inputs: ReplayedInputs, sensors: Sequence[ReplayedSensor], errors: TruthErrors | None
) -> ReplayVerdict:
    """The worst finding: diverged, overconfident, degraded, not observable, pessimistic.

    `start` is the standard deviation of each error coordinate before the first reading.
    """
    findings = [*_of_divergence(run, inputs, sensors)]
    findings += [finding for sensor in sensors for finding in _of_sensor(sensor)]
    findings += [*_of_outages(inputs.name, inputs.outages), *_of_errors(errors), *_unobservable(run, start)]
    names: tuple[VerdictName, ...] = ("diverged", "overconfident", "degraded", "not observable", "pessimistic")
    for name in names:
        reasons = tuple(text for found, text in findings if found == name)
        if reasons:
            return ReplayVerdict(name, (*reasons, *_advice(name, reasons, sensors)))
    return ReplayVerdict("consistent")


def _advice(name: VerdictName, reasons: Sequence[str], sensors: Sequence[ReplayedSensor]) -> list[str]:
    """What to check of sensors whose innovations are larger than predicted."""
    named = [one.name for one in sensors if any(reason.startswith(f"{one.name}: ") for reason in reasons)]
    if name != "overconfident" or not named:
        return []
    return [f"check position (lever arm), orientation, latency and stated errors of {', '.join(named)}"]


def _of_divergence(
    run: FilterRun, inputs: ReplayedInputs, sensors: Sequence[ReplayedSensor]
) -> list[tuple[VerdictName, str]]:
    """An estimate beyond any vehicle or most of its readings, and the sensor that disagrees most."""
    speed = float(np.linalg.norm(run.states[:, 3:6], axis=1).max())
    spread = float(run.sigma[:, :3].max())
    rejected, count = sum(one.rejected for one in sensors), sum(one.judged for one in sensors)
    if speed <= FASTEST and spread <= FARTHEST and rejected <= LOST_TRACK * count:
        return []
    text = f"speeds reach {speed:.3g} m/s, standard deviations of the position {spread:.3g} m"
    text += f", {rejected} of {count} readings are rejected"
    found: list[tuple[VerdictName, str]] = [("diverged", text)]
    judged = [one for one in sensors if one.median_squared > 0.0]
    if judged:
        worst = max(judged, key=lambda one: one.median_squared)
        found.append(("diverged", f"{worst.name} has the largest innovations: median NIS {worst.median_squared:.3g}"))
        names = " and ".join(filter(None, (worst.name, inputs.name)))
        found.append(("diverged", f"check units, signs and order of axes, position and orientation of {names}"))
    return found


def _of_outages(name: str, outages: Sequence[SensorOutage]) -> list[tuple[VerdictName, str]]:
    """Serious outages of a sensor."""
    return [
        ("degraded", f"{name}: {outage.cause} for {outage.seconds:.1f} s" + (" until the end" * outage.is_last))
        for outage in outages
        if outage.is_serious
    ]


def _of_sensor(sensor: ReplayedSensor) -> list[tuple[VerdictName, str]]:
    found = _of_outages(sensor.name, sensor.outages)
    if sensor.rejected > MOST_REJECTED * sensor.judged:
        found.append(("overconfident", f"{sensor.name}: {sensor.rejected} of {sensor.judged} readings rejected"))
    if not sensor.used:
        return found
    ratio = sensor.mean_squared / sensor.freedom
    low, high = mean_interval(round(sensor.freedom * sensor.used), sensor.used, SURE)
    text = f"{sensor.name}: mean NIS {sensor.mean_squared:.3g} of {sensor.freedom:.3g}"
    if sensor.mean_squared > high and ratio > 1.0 + STATED_TO:
        found.append(("overconfident", text))
    if sensor.mean_squared < low and ratio < 1.0 - STATED_TO and not sensor.is_over_bottom:
        found.append(("pessimistic", text))
    return found


def _of_errors(errors: TruthErrors | None) -> list[tuple[VerdictName, str]]:
    if errors is None:
        return []
    low, high = average_bounds(errors.errors.shape[1], 1, SURE_OF_RUN)
    text = f"mean NEES {errors.mean_nees:.3g}, outside {low:.3g} to {high:.3g}"
    if errors.mean_nees > high:
        return [("overconfident", text)]
    return [("pessimistic", text)] if errors.mean_nees < low else []


def _unobservable(run: FilterRun, start: Array) -> list[tuple[VerdictName, str]]:
    """Velocity and attitude that are no better known at the end than before the first reading."""
    before, after = start[3:9].tolist(), run.sigma[-1, 3:9].tolist()
    found: list[tuple[VerdictName, str]] = [
        ("not observable", f"{name}: standard deviation {last:.3g} at the end, {first:.3g} at the start")
        for name, first, last in zip(COORDINATES, before, after, strict=True)
        if last >= first
    ]
    widest = float(run.sigma[:, 6:9].max())
    if widest > LARGEST_TURN:
        limit = math.degrees(LARGEST_TURN)
        text = f"attitude: standard deviation up to {math.degrees(widest):.0f} deg"
        found.append(("not observable", f"{text}, and a linearised filter is overconfident beyond {limit:.0f} deg"))
    return found
