"""G4 and S5 to S8: the Falcon flies to a waypoint and follows steps of velocity, Proctor 2014, chapters 5 and 6."""

import math
from collections.abc import Sequence

import numpy as np

from remora.equations.algebra.four_axes import Vector4, scale4
from remora.equations.algebra.quaternions import to_euler_zyx
from remora.evidence.requirements import StudyFunction, Value
from remora.evidence.studies.falcon.closed_loop import FalconRun, FalconTrial, fly, step_response
from remora.evidence.studies.falcon.guidance import HEADING
from remora.files.arrays import Array
from remora.guidance.velocity_guidance import FALCON_SPEEDS

WAYPOINT = (7.0, -2.0, 2.0, 0.2)  # m and rad
FIRST_WAYPOINT = (8.0, 4.3, 2.0, HEADING)  # of G4
AXES = ("surge", "sway", "heave", "yaw")
STATION = 40.0  # s, from when on station keeping is judged
STEP_SECONDS = 20.0
LEAST_OVERSHOOT = 0.03  # rad, of PI in yaw, to be compared


def errors(run: FalconRun, target: tuple[float, float, float, float] = WAYPOINT) -> Array:
    """Position and heading minus those of the waypoint, m and rad."""
    yaw = np.array([to_euler_zyx(tuple(q))[2] for q in run.states[:, 3:7].tolist()])
    return np.column_stack([run.states[:, :3] - target[:3], np.unwrap(yaw) - target[3]])


def arrival(run: FalconRun, axis: int, band: float) -> float:
    """First time at which an error is inside a band, s; infinite where it never is."""
    inside = np.flatnonzero(np.abs(errors(run)[:, axis]) < band)
    return float(run.times[inside[0]]) if inside.size else math.inf


def rms(values: Array) -> Array:
    """Root mean square over time, of each column."""
    return np.asarray(np.sqrt(np.mean(values**2, axis=0)))


def mean_norm(values: Array) -> float:
    """Mean length of the rows."""
    return float(np.mean(np.linalg.norm(values, axis=1)))


def tracking(run: FalconRun) -> Array:
    """RMS of velocity minus reference model in each axis."""
    return rms(run.velocity - run.model)


def disturbed_guidance(seeds: Sequence[int]) -> list[Value]:
    """G4: the whole vehicle with disturbances; modes switch once and the vehicle stays."""
    runs = [fly(FalconTrial(seed), FIRST_WAYPOINT) for seed in seeds]
    switches = [int(np.sum(np.diff(run.modes[:, i]) != 0.0)) for run in runs for i in range(3)]
    ends = [float(np.abs(errors(run, FIRST_WAYPOINT)[-1, :2]).max()) for run in runs]
    return [
        ("largest number of mode changes of an axis group", float(max(switches))),
        ("horizontal error at the end, worst seed", max(ends)),
    ]


def pid_waypoint(seeds: Sequence[int]) -> list[Value]:
    """S5: the PI controller brings the vehicle to the waypoint and holds it there."""
    runs = [fly(FalconTrial(seed), WAYPOINT) for seed in seeds]
    ahead = [arrival(run, 0, 0.2) for run in runs]
    late = np.array([rms(errors(run)[run.times >= STATION]) for run in runs])
    nominal = fly(FalconTrial(seeds[0], is_scattered=False, is_disturbed=False), WAYPOINT)
    full = np.abs(nominal.commands).max(axis=0) >= 99.5
    return [
        ("arrival in x, mean", float(np.mean(ahead))),
        ("arrival in x, earliest seed", min(ahead)),
        ("arrival in x, latest seed", max(ahead)),
        ("arrival in y, latest seed", max(arrival(run, 1, 0.2) for run in runs)),
        ("arrival in z, latest seed", max(arrival(run, 2, 0.1) for run in runs)),
        ("arrival in heading, latest seed", max(arrival(run, 3, 0.1) for run in runs)),
        ("station keeping, horizontal RMS, worst seed and axis", float(100.0 * late[:, :2].max())),
        ("station keeping, vertical RMS, worst seed", float(100.0 * late[:, 2].max())),
        ("nominal plant: thrusters 3, 4 and 5 at full command", float(np.sum(full[2:]))),
        ("nominal plant: thrusters 1 and 2 at full command", float(np.sum(full[:2]))),
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
    pairs = [(fly(FalconTrial(s), WAYPOINT), fly(FalconTrial(s, is_adaptive=True), WAYPOINT)) for s in seeds]
    ratio = 100.0 * np.mean([tracking(b) / tracking(a) for a, b in pairs], axis=0)
    asked = 100.0 * np.mean([rms(b.velocity - b.desired) / rms(a.velocity - a.desired) for a, b in pairs], axis=0)
    integral = [mean_norm(b.integral) / mean_norm(a.integral) for a, b in pairs]
    effort = [float(np.abs(b.commands).mean() / np.abs(a.commands).mean() - 1.0) for a, b in pairs]
    over = [(float(errors(a)[:, 3].max()), float(errors(b)[:, 3].max())) for a, b in pairs]
    worse = [b - a for a, b in over if a > LEAST_OVERSHOOT]
    return [
        *((f"velocity tracking, adaptive over PI, {a}", float(r)) for a, r in zip(AXES, ratio, strict=True)),
        *((f"tracking of the guidance, adaptive over PI, {a}", float(r)) for a, r in zip(AXES, asked, strict=True)),
        ("norm of the integral term, adaptive over PI", 100.0 * float(np.mean(integral))),
        ("mean command, adaptive over PI: difference", 100.0 * abs(float(np.mean(effort)))),
        ("largest weight of the network", float(max(b.largest_weight.max() for _, b in pairs))),
        ("yaw overshoot beyond that of PI, worst seed", max(worse, default=0.0)),
        *_elements(seeds),
    ]


def _elements(seeds: Sequence[int]) -> list[Value]:
    """Yaw tracking of hedging and network alone, over that of PI."""
    adaptive = [FalconTrial(seed, is_adaptive=True) for seed in seeds]
    alone = {
        "hedging": [trial._replace(learning=False) for trial in adaptive],
        "network": [trial._replace(hedging=False) for trial in adaptive],
    }
    plain = [tracking(fly(FalconTrial(seed), WAYPOINT))[3] for seed in seeds]
    figures = []
    for name, trials in alone.items():
        ratios = [tracking(fly(trial, WAYPOINT))[3] / pid for trial, pid in zip(trials, plain, strict=True)]
        figures.append((f"yaw tracking with {name} alone over PI", 100.0 * float(np.mean(ratios))))
    return figures


def motor_lag(seeds: Sequence[int]) -> list[Value]:
    """S8: both controllers with the printed gains behind the measured thruster lag."""
    pid = [tracking(fly(FalconTrial(s, has_lag=True), WAYPOINT))[3] for s in seeds]
    adaptive = [tracking(fly(FalconTrial(s, is_adaptive=True, has_lag=True), WAYPOINT))[3] for s in seeds]
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
