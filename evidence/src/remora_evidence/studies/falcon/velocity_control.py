"""G4 and S5 to S8: the Falcon flies to a waypoint and follows steps of velocity, Proctor 2014, chapters 5 and 6.

Waypoints are flown as the source does, by the sensors of the sled and the filter of 19 states. True states in their
place show what the control law does without errors of navigation, and are named so.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np

from remora.control.allocation.commands import command_chatter, total_variation
from remora.equations.algebra.four_axes import scale4
from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.types import Vector4
from remora.files.arrays import Array
from remora.guidance.velocity_guidance import FALCON_SPEEDS
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.falcon.closed_loop import PERIOD, FalconRun, FalconTrial, fly, step_response
from remora_evidence.studies.falcon.guidance import HEADING
from remora_evidence.studies.falcon.sled_navigation import fly_by_sled

WAYPOINT = (7.0, -2.0, 2.0, 0.2)  # m and rad
FIRST_WAYPOINT = (8.0, 4.3, 2.0, HEADING)  # of G4
AXES = ("surge", "sway", "heave", "yaw")
FULL_COMMAND = 100.0  # %
STATION = 40.0  # s, from when on station keeping is judged
STEP_SECONDS = 20.0
LEAST_OVERSHOOT = 0.03  # rad, of PI in yaw, to be compared


def errors(run: FalconRun, target: tuple[float, float, float, float] = WAYPOINT) -> Array:
    """Position and heading minus those of the waypoint, m and rad."""
    yaw = np.array([to_euler_zyx(tuple(q))[2] for q in run.states[:, 3:7].tolist()])
    return np.column_stack([run.states[:, :3] - target[:3], np.unwrap(yaw) - target[3]])


def arrival(times: Array, error: Array, band: float) -> float:
    """First time at which an error is inside a band, s; infinite where it never is."""
    inside = np.flatnonzero(np.abs(error) < band)
    return float(times[inside[0]]) if inside.size else math.inf


def settled(times: Array, error: Array, band: float) -> float:
    """Time from which on an error stays inside a band, s; infinite where it ends outside."""
    outside = np.flatnonzero(np.abs(error) >= band)
    if outside.size == 0:
        return 0.0
    return math.inf if outside[-1] == len(times) - 1 else float(times[outside[-1] + 1])


def rms(values: Array) -> Array:
    """Root mean square over time, of each column."""
    return np.asarray(np.sqrt(np.mean(values**2, axis=0)))


def mean_norm(values: Array) -> float:
    """Mean length of the rows."""
    return float(np.mean(np.linalg.norm(values, axis=1)))


def chatter(run: FalconRun) -> float:
    """Mean change of a command from sample to sample while it keeps station, %."""
    kept = run.times >= STATION
    seconds = float(np.ptp(run.times[kept]))
    commands = run.commands[kept]
    return command_chatter(seconds, total_variation(commands), [FULL_COMMAND] * commands.shape[1], PERIOD)


class FlightFigures(NamedTuple):
    """What is judged of one flight to the waypoint."""

    arrivals: tuple[float, ...]  # s, in x, y and z
    heading: float  # s, from when on it stays within its band
    station: Array  # RMS, m and rad
    chatter: float  # %
    tracking: Array  # RMS of velocity minus reference model
    asked: Array  # RMS of velocity minus that of the guidance
    integral: float  # mean length of the integral term
    effort: float  # %, mean command
    overshoot: float  # rad, in yaw
    weight: float  # largest of the network
    full: tuple[bool, ...]  # thrusters that reach full command


def figures_of(run: FalconRun) -> FlightFigures:
    """The figures of a flight."""
    off = errors(run)
    return FlightFigures(
        tuple(arrival(run.times, off[:, i], band) for i, band in enumerate((0.2, 0.2, 0.1))),
        settled(run.times, off[:, 3], 0.1),
        rms(off[run.times >= STATION]),
        chatter(run),
        rms(run.velocity - run.model),
        rms(run.velocity - run.desired),
        mean_norm(run.integral),
        float(np.abs(run.commands).mean()),
        float(off[:, 3].max()),
        float(run.largest_weight.max()),
        tuple((np.abs(run.commands).max(axis=0) >= 99.5).tolist()),
    )


@cache
def by_sled(trial: FalconTrial) -> FlightFigures:
    """A flight to the waypoint as the source flies it."""
    return figures_of(fly_by_sled(trial, WAYPOINT))


@cache
def by_truth(trial: FalconTrial) -> FlightFigures:
    """A flight to the waypoint with true states."""
    return figures_of(fly(trial, WAYPOINT))


Flight: TypeAlias = Callable[[FalconTrial], FlightFigures]


def _of_truth(values: Sequence[Value]) -> list[Value]:
    """Figures named as those of true states."""
    return [(f"true states: {name}", number) for name, number in values]


@cache
def mode_changes(seed: int) -> tuple[int, float]:
    """Most mode changes of an axis group on the way to the first waypoint, and the horizontal error at its end, m."""
    run = fly_by_sled(FalconTrial(seed, is_adaptive=True), FIRST_WAYPOINT)
    off = errors(run, FIRST_WAYPOINT)
    return int(np.sum(np.diff(run.modes, axis=0) != 0.0, axis=0).max()), float(np.abs(off[-1, :2]).max())


def disturbed_guidance(seeds: Sequence[int]) -> list[Value]:
    """G4: the whole vehicle with its filter and the adaptive controller; modes switch once and the vehicle stays."""
    changes, ends = zip(*map(mode_changes, seeds), strict=True)
    return [
        ("largest number of mode changes of an axis group", float(max(changes))),
        ("horizontal error at the end, worst seed", max(ends)),
    ]


def pid_waypoint(seeds: Sequence[int]) -> list[Value]:
    """S5: the PI controller brings the vehicle to the waypoint and holds it there."""
    full = by_truth(FalconTrial(seeds[0], is_scattered=False, is_disturbed=False)).full
    saturated = [
        ("nominal plant: thrusters 3, 4 and 5 at full command", float(sum(full[2:]))),
        ("nominal plant: thrusters 1 and 2 at full command", float(sum(full[:2]))),
    ]
    return [*_arrivals(by_sled, seeds), *_of_truth([*_arrivals(by_truth, seeds), *saturated])]


def _arrivals(flight: Flight, seeds: Sequence[int]) -> list[Value]:
    """Arrival and station keeping of the PI controller."""
    flown = [flight(FalconTrial(seed)) for seed in seeds]
    ahead, aside, down = zip(*(one.arrivals for one in flown), strict=True)
    late = np.array([one.station for one in flown])
    return [
        ("arrival in x, mean", float(np.mean(ahead))),
        ("arrival in x, earliest seed", min(ahead)),
        ("arrival in x, latest seed", max(ahead)),
        ("arrival in y, latest seed", max(aside)),
        ("arrival in z, latest seed", max(down)),
        ("heading within 0.1 rad for good, latest seed", max(one.heading for one in flown)),
        ("station keeping, horizontal RMS, worst seed and axis", float(100.0 * late[:, :2].max())),
        ("station keeping, vertical RMS, worst seed", float(100.0 * late[:, 2].max())),
        ("station keeping, heading RMS, worst seed", float(late[:, 3].max())),
        ("chatter per sample while it keeps station", float(np.mean([one.chatter for one in flown]))),
    ]


def two_steps(seeds: Sequence[int]) -> list[Value]:
    """S6: velocities step to half and then to all of the limits; only parameters are wrong."""
    levels: tuple[Vector4, ...] = (scale4(0.5, FALCON_SPEEDS), FALCON_SPEEDS)
    found = []
    for seed in seeds:
        trial = FalconTrial(seed, is_disturbed=False)
        pid = step_response(trial, levels, STEP_SECONDS)
        adaptive = step_response(trial._replace(is_adaptive=True), levels, STEP_SECONDS)
        second = pid.times >= STEP_SECONDS
        ratio = rms((adaptive.velocity - adaptive.model)[second]) / rms((pid.velocity - pid.model)[second])
        own = rms((adaptive.velocity - adaptive.model)[second]) / 2.0
        found.append((*ratio, *(own / rms((adaptive.velocity - adaptive.model)[~second]))[:2]))
    worst = 100.0 * np.array(found).max(axis=0)
    first = "adaptive: second step over first, per level"
    return [
        *((f"second step, adaptive over PI, {a}, worst seed", float(w)) for a, w in zip(AXES, worst[:4], strict=True)),
        *((f"{first}, {a}, worst seed", float(w)) for a, w in zip(AXES[:2], worst[4:], strict=True)),
    ]


def adaptive_waypoint(seeds: Sequence[int]) -> list[Value]:
    """S7: the adaptive controller on the runs of S5, and each of its elements alone."""
    return [*_adaptive_over_pi(by_sled, seeds), *_of_truth([*_adaptive_over_pi(by_truth, seeds), *_elements(seeds)])]


def _adaptive_over_pi(flight: Flight, seeds: Sequence[int]) -> list[Value]:
    pairs = [(flight(FalconTrial(s)), flight(FalconTrial(s, is_adaptive=True))) for s in seeds]
    ratio = 100.0 * np.mean([b.tracking / a.tracking for a, b in pairs], axis=0)
    asked = 100.0 * np.mean([b.asked / a.asked for a, b in pairs], axis=0)
    worse = [b.overshoot - a.overshoot for a, b in pairs if a.overshoot > LEAST_OVERSHOOT]
    return [
        *((f"velocity tracking, adaptive over PI, {a}", float(r)) for a, r in zip(AXES, ratio, strict=True)),
        *((f"tracking of the guidance, adaptive over PI, {a}", float(r)) for a, r in zip(AXES, asked, strict=True)),
        (
            "norm of the integral term, adaptive over PI",
            100.0 * float(np.mean([b.integral / a.integral for a, b in pairs])),
        ),
        (
            "mean command, adaptive over PI: difference",
            100.0 * abs(float(np.mean([b.effort / a.effort - 1.0 for a, b in pairs]))),
        ),
        ("largest weight of the network", max(b.weight for _, b in pairs)),
        ("yaw overshoot beyond that of PI, worst seed", max(worse, default=0.0)),
    ]


def _elements(seeds: Sequence[int]) -> list[Value]:
    """Yaw tracking of hedging and network alone, over that of PI, with true states."""
    adaptive = [FalconTrial(seed, is_adaptive=True) for seed in seeds]
    alone = {
        "hedging": [trial._replace(learning=False) for trial in adaptive],
        "network": [trial._replace(hedging=False) for trial in adaptive],
    }
    plain = [by_truth(FalconTrial(seed)).tracking[3] for seed in seeds]
    figures = []
    for name, trials in alone.items():
        ratios = [by_truth(trial).tracking[3] / pid for trial, pid in zip(trials, plain, strict=True)]
        figures.append((f"yaw tracking with {name} alone over PI", 100.0 * float(np.mean(ratios))))
    return figures


def motor_lag(seeds: Sequence[int]) -> list[Value]:
    """S8: both controllers with the printed gains behind the measured thruster lag."""
    return [*_yaw_behind_lag(by_sled, seeds), *_of_truth(_yaw_behind_lag(by_truth, seeds))]


def _yaw_behind_lag(flight: Flight, seeds: Sequence[int]) -> list[Value]:
    pid = [flight(FalconTrial(s, has_lag=True)).tracking[3] for s in seeds]
    adaptive = [flight(FalconTrial(s, is_adaptive=True, has_lag=True)).tracking[3] for s in seeds]
    return [
        ("yaw tracking, PI, mean", float(np.mean(pid))),
        ("yaw tracking, adaptive, worst seed", float(max(adaptive))),
        ("yaw tracking, adaptive over PI, mean", 100.0 * float(np.mean(adaptive) / np.mean(pid))),
    ]


STUDIES: dict[str, StudyFunction] = {
    "G4": disturbed_guidance,
    "S5": pid_waypoint,
    "S6": two_steps,
    "S7": adaptive_waypoint,
    "S8": motor_lag,
}
