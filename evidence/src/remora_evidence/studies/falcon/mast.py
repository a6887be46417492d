"""X10: motion of the Falcon from the markers on its mast, as the cameras see them. Proctor 2014, ch. 2 and app. C."""

import math
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.navigation.falcon_filter import attitude_of
from remora.files.arrays import Array
from remora.guidance.velocity_guidance import FALCON_SPEEDS
from remora.navigation.surveys.markers import pose_from_markers, track_markers
from remora.sensors import Stream
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.falcon.array_runs import STEP, ArrayTrial, Route, flown
from remora_evidence.studies.falcon.latencies import SWING, Swing, truth_at
from remora_evidence.studies.sampling import normals

# Table 2.1, m, in body axes.
MARKERS = np.array([
    [-0.05523, 0.01295, -1.27840], [-0.28817, 0.00740, -1.27340], [-0.15688, 0.45266, -1.26852],
    [-0.17723, 0.45209, -1.26794], [-0.17998, 0.02586, -1.74386], [-0.20050, 0.02512, -1.74247],
    [-0.16516, -0.43204, -1.28365], [-0.18800, -0.43211, -1.28468], [-0.17060, 0.02263, -1.50774],
    [-0.19118, 0.02136, -1.50879], [-0.18186, 0.28964, -1.26754], [-0.18633, -0.20329, -1.28059],
])  # fmt: skip
RATE, START, SECONDS = 125.0, 5.0, 20.0  # Hz, s, s
MARKER_STD, VISIBLE = 0.001, 6  # m, markers per frame
LARGEST_SPEED, LARGEST_TURN = 1.5, 50.0  # m/s, deg/s
SETTLED = 1.0  # s
# North within the boathouse, up to the largest speed and turn rate.
FASTEST = Swing((2.0, 0.0), (4.0 * math.pi / LARGEST_SPEED, 1.0), yaw_period=2.0 * math.pi * 60.0 / LARGEST_TURN)


def frames_of(seed: int, states: Array) -> Array:
    """Measured markers of all frames, those that are hidden as NaN."""
    noise = MARKER_STD * normals(seed, "markers", len(states) * MARKERS.size).reshape(-1, *MARKERS.shape)
    stream, frames = Stream(seed, "visible markers"), []
    for k, state in enumerate(states.tolist()):
        seen = MARKERS @ np.array(rotation_matrix(attitude_of(state))).T + state[:3] + noise[k]
        seen[np.argsort(stream.uniforms(k, len(MARKERS)))[VISIBLE:]] = np.nan
        frames.append(seen)
    return np.array(frames)


def flown_frames(trial: ArrayTrial) -> Array:
    """Body states of the vehicle on its way through the array, one row per frame."""
    states = flown(trial)[0][:: round(1.0 / (RATE * STEP)), :13]
    return states[round(START * RATE) : round((START + SECONDS) * RATE)]


def slow_round(seed: int) -> Array:
    """The slow round of N1."""
    return flown_frames(ArrayTrial(seed))


def printed_round(seed: int) -> Array:
    """The same at the speeds of Table 6.1."""
    return flown_frames(ArrayTrial(seed, Route(speeds=FALCON_SPEEDS)))


def swinging(seed: int, swing: Swing = SWING) -> Array:
    """Body states of a motion with 0.3 m/s2 and 38 deg/s."""
    truths = [truth_at(k / RATE, swing) for k in range(round(SECONDS * RATE))]
    return np.array([[*truth.p_NB, *truth.q_NB, *truth.twist] for truth in truths])


def fastest(seed: int) -> Array:
    """The same up to the largest speed and turn rate, with 1.1 m/s2."""
    return swinging(seed, FASTEST)


def _rms(errors: Array) -> float:
    """Root mean square length of the rows after the start."""
    return float(np.sqrt(np.mean(np.sum(errors[round(SETTLED * RATE) :] ** 2, axis=1))))


@cache
def filter_errors(seed: int, motion: Callable[[int], Array]) -> list[float]:
    """RMS errors of the filter in position, velocity and turn rate, and of single poses."""
    states = motion(seed)
    frames = frames_of(seed, states)
    track = track_markers(MARKERS, frames, 1.0 / RATE)
    twist = track.twist - states[:, 7:13]
    poses = np.array([pose_from_markers(MARKERS, frame).p_NB for frame in frames[::10]])
    single = math.sqrt(np.mean(np.sum((poses - states[::10, :3]) ** 2, axis=1)))
    return [_rms(track.position - states[:, :3]), _rms(twist[:, :3]), _rms(twist[:, 3:]), single]


def mast_pose(seeds: Sequence[int]) -> list[Value]:
    """Errors of the marker filter and of single poses, over all seeds."""
    slow = np.sqrt(np.mean(np.square([filter_errors(seed, slow_round) for seed in seeds]), axis=0))
    fast = np.sqrt(np.mean(np.square([filter_errors(seed, swinging) for seed in seeds]), axis=0))
    return [
        ("largest motion per frame at 1.5 m/s and 50 deg/s", 100.0 * LARGEST_SPEED / RATE),
        ("largest turn per frame at 1.5 m/s and 50 deg/s", LARGEST_TURN / RATE),
        ("position of the filter, RMS", float(slow[0])),
        ("velocity of the filter, RMS", float(slow[1])),
        ("turn rate of the filter, RMS", float(slow[2])),
        ("position by least squares, RMS", float(slow[3])),
        ("position of the filter while swinging, RMS", float(fast[0])),
        ("velocity of the filter while swinging, RMS", float(fast[1])),
        *_faster(seeds),
    ]


def _faster(seeds: Sequence[int]) -> list[Value]:
    """Errors of the filter at the printed speeds, over all seeds."""
    figures: list[Value] = []
    for words, motion in (("speeds of Table 6.1", printed_round), ("1.5 m/s and 50 deg/s", fastest)):
        found = np.sqrt(np.mean(np.square([filter_errors(seed, motion) for seed in seeds]), axis=0))
        figures.append((f"{words}: position of the filter, RMS", float(found[0])))
        figures.append((f"{words}: velocity of the filter, RMS", float(found[1])))
    return figures


STUDIES: dict[str, StudyFunction] = {"X10": mast_pose}
