"""modular-14.10-warped: turning runs against a tracked twin, by warping and correlation. Nielsen 2018, section 6.5.

Warping knows no rotation, so that heading, speed and turn rate are compared and not the position on a circle.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np

from remora.files.arrays import Array
from remora.identification.similarity import dynamic_time_warping, pearson_correlation
from remora.navigation.surveys.markers import track_kinematics
from remora.vehicles.morphologies import composite_vehicle, load_morphology
from remora.vehicles.vehicle import Vehicle
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.modular.assemblies import (
    IDLE,
    MARKER,
    NOISE,
    PORT_THRUSTERS,
    PULSES,
    TETHER,
    TRACKER,
    OpenLoop,
    driven,
    heavier_pair,
    marker_track,
    shaft_speeds,
)
from remora_evidence.studies.sampling import normals

TURN = 20.0  # s
CHANNELS = {"heading": "rad", "speed": "m/s", "turn rate": "rad/s"}
HEADING_NOISE, TURN_SPREAD = np.radians(0.2), 3.0  # rad and rad/s2 of the filter of the heading
LOST_FROM, LOST_UNTIL, LOST_SHARE = 6.0, 10.0, 0.3  # s, and share of the frames that the tracker loses in between
FRAMES = round(TURN / TRACKER) + 1
EVERY = 8  # frames between compared ones


def tether_drag(state: Array) -> Sequence[float]:
    """Skin friction of the tether against the motion, in body axes, N."""
    speed = float(np.hypot(state[7], state[8]))
    return (-TETHER * speed * state[7], -TETHER * speed * state[8], 0.0, 0.0, 0.0, 0.0)


@cache
def turning(pulse: float, as_twin: bool) -> OpenLoop:
    """A turn by the thrusters of the port vehicle: of the model, or of a twin with mass, lag and tether."""
    vehicle = composite_vehicle(load_morphology("two_bluerovs"))
    commands = shaft_speeds(vehicle, PORT_THRUSTERS, pulse)
    made: Vehicle = heavier_pair() if as_twin else vehicle
    return driven(made, commands, TURN, tether_drag if as_twin else None)


def place_of_marker() -> tuple[float, float, float]:
    """Place of the marker, on the left vehicle, m."""
    x, y, z = load_morphology("two_bluerovs").module("left").pose.position
    return (x + MARKER[0], y + MARKER[1], z + MARKER[2])


def tracked(run: OpenLoop, seed: int | None) -> Array:
    """Heading, speed of the marker and turn rate as tracker and filter see them; without noise or loss for no seed."""
    times = TRACKER * np.arange(FRAMES)
    track = marker_track(run, place_of_marker())[:, :2]
    seen = np.column_stack([np.interp(times, run.times, one) for one in (*track.T, run.heading)])
    if seed is not None:
        chance = normals(seed, "tracker", 4 * FRAMES).reshape(4, FRAMES)
        seen += (chance[:3] * np.array([[NOISE], [NOISE], [HEADING_NOISE]])).T
        lost = (times >= LOST_FROM) & (times < LOST_UNTIL) & (chance[3] < np.quantile(chance[3], LOST_SHARE))
        seen[lost] = np.nan
    moved = track_kinematics(seen[:, :2], TRACKER, NOISE, 1.0)
    turned = track_kinematics(seen[:, 2], TRACKER, HEADING_NOISE, TURN_SPREAD)
    speed = np.linalg.norm(moved.velocity, axis=1)
    return np.column_stack([turned.position[:, 0], speed, turned.velocity[:, 0]])[round(IDLE / TRACKER) :: EVERY]


@cache
def expected(pulse: float) -> Array:
    """The model through the same filter, so that its lag cancels."""
    return tracked(turning(pulse, as_twin=False), None)


@cache
def likeness(pulse: float, seed: int) -> Array:
    """Warped errors, correlations and equal-time errors of heading, speed and turn rate."""
    seen, model = tracked(turning(pulse, as_twin=True), seed), expected(pulse)
    warped = [dynamic_time_warping(a, b).mean_error for a, b in zip(seen.T, model.T, strict=True)]
    return np.array([warped, pearson_correlation(seen, model), np.abs(seen - model).mean(axis=0)])


@cache
def clean_correlation(pulse: float) -> list[float]:
    """Correlations without noise: what mass, lag and tether alone change."""
    return pearson_correlation(tracked(turning(pulse, as_twin=True), None), expected(pulse))


def warped_turns(seeds: Sequence[int]) -> list[Value]:
    """Worst of all pulse widths and seeds, and the worst correlation at each pulse width."""
    found = np.array([[likeness(pulse, seed) for seed in seeds] for pulse in PULSES])
    values: list[Value] = []
    for i, channel in enumerate(CHANNELS):
        values += [
            (f"{channel}: warped error", found[:, :, 0, i].max()),
            (f"{channel}: error at equal times", found[:, :, 2, i].max()),
            (f"{channel}: warped over equal-time error", (found[:, :, 0, i] / found[:, :, 2, i]).max()),
        ]
        quiet = [clean_correlation(pulse)[i] for pulse in PULSES]
        values.append((f"{channel}: least correlation without noise and lost frames", min(quiet)))
        values += [
            (f"{channel}: correlation at 1500 + {pulse} us", found[k, :, 1, i].min()) for k, pulse in enumerate(PULSES)
        ]
    return values


STUDIES: dict[str, StudyFunction] = {"modular-14.10-warped": warped_turns}
