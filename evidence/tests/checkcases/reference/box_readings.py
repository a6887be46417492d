"""Path, random numbers and readings of UC-12, all runs at once: arrays have the runs first."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from reference.problem import Array, Problem, case_data

GOLDEN, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


class Path(NamedTuple):
    """True motion at the start of each interval."""

    position: Array
    velocity: Array  # in N
    heading: Array
    turn_rate: Array  # of the interval that begins


class Box(NamedTuple):
    """All readings of UC-12; rows of the sensors are those of their times."""

    numbers: Mapping[str, Any]
    path: Path
    start: tuple[Array, Array, Array]  # estimated position, velocity and rotation at the start
    force: Array  # inputs, per run and interval
    rates: Array
    readings: Mapping[str, Array]  # of attitude, dvl and pressure


def normals(run: int, count: int) -> Array:
    """The first normal numbers of a run."""
    n = np.arange(2 * count, dtype=np.uint64) + np.uint64((run << 32) + 1)
    x = n * np.uint64(GOLDEN)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(FIRST)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(SECOND)
    u = ((x ^ (x >> np.uint64(31))) >> np.uint64(11)).astype(float) + 0.5
    u /= 2.0**53
    return np.asarray(np.sqrt(-2.0 * np.log(u[::2])) * np.cos(2.0 * np.pi * u[1::2]))


def path_of(numbers: Mapping[str, Any], duration: float) -> Path:
    """The box: integrals of the turn rate and of the velocity, exact for arcs and straight lines."""
    h, speed = numbers["interval"], numbers["speed"]
    count, side = round(duration / h) + 1, numbers["leg"] + numbers["corner"]
    turns = (np.arange(count) * h + 1e-9) % side >= numbers["leg"]
    r = np.where(turns, 0.5 * np.pi / numbers["corner"], 0.0)
    heading = np.concatenate([[0.0], np.cumsum(r[:-1] * h)])
    half = 0.5 * r * h
    chord = speed * h * np.sinc(half / np.pi)
    steps = chord[:, None] * np.stack([np.cos(heading + half), np.sin(heading + half), 0.0 * half], axis=1)
    position = np.concatenate([np.zeros((1, 3)), np.cumsum(steps[:-1], axis=0)])
    position[:, 2] += numbers["start"]["depth"]
    velocity = speed * np.stack([np.cos(heading), np.sin(heading), 0.0 * heading], axis=1)
    return Path(position, velocity, heading, r)


def sample_times(numbers: Mapping[str, Any], sensor: str, duration: float) -> Array:
    """Indices of the intervals that begin with a reading of a sensor."""
    every = round(1.0 / (numbers[sensor]["rate"] * numbers["interval"]))
    return np.arange(0, round(duration / numbers["interval"]) + 1, every)


def is_lost(numbers: Mapping[str, Any], time: float) -> bool:
    """Whether the DVL gives no reading at a time."""
    gap = numbers["dvl"]["dropout"]
    return bool(gap["from"] - 1e-9 <= time < gap["until"] - 1e-9)


def _drawn(numbers: Mapping[str, Any], run: int, inputs: int, samples: Mapping[str, int]) -> Iterator[Array]:
    """Normal numbers of a run in the order of the problem, each group in its shape."""
    sizes = {"attitude": 3, "dvl": 3, "pressure": 1}
    shapes = [(3,)] * 5 + [(1,), (inputs, 3), (inputs, 3)] + [(samples[name], sizes[name]) for name in sizes]
    drawn, at = normals(run, sum(int(np.prod(shape)) for shape in shapes)), 0
    for shape in shapes:
        size = int(np.prod(shape))
        yield drawn[at : at + size].reshape(shape)
        at += size


def draw_box(problem: Problem) -> Box:
    """All readings of the problem."""
    numbers = case_data(problem.id)["navigation"]
    path, h = path_of(numbers, problem.duration), numbers["interval"]
    samples = {name: len(sample_times(numbers, name, problem.duration)) for name in ("attitude", "dvl", "pressure")}
    drawn = [list(_drawn(numbers, run, len(path.heading), samples)) for run in range(1, numbers["runs"] + 1)]
    p, v, e, a, g, b, force, walk, *noise = (np.array(group) for group in zip(*drawn, strict=True))
    std, gyros = numbers["start"]["std"], numbers["gyros"]
    true_force = np.stack(
        [0.0 * path.heading, numbers["speed"] * path.turn_rate, -numbers["gravity"] + 0.0 * path.heading], 1
    )
    accelerometers = numbers["accelerometers"]
    forces = true_force + accelerometers["bias_std"] * a[:, None] + accelerometers["random_walk"] / np.sqrt(h) * force
    walked = np.cumsum(gyros["bias_walk"] * np.sqrt(h) * walk, axis=1)
    walked = np.concatenate([np.zeros_like(walked[:, :1]), walked[:, :-1]], axis=1)
    rates = _along_z(path.turn_rate) + gyros["bias_std"] * g[:, None] + walked
    start = (
        path.position[0] + std["position"] * p,
        path.velocity[0] + std["velocity"] * v,
        Rotation.from_rotvec(std["attitude"] * e).as_matrix(),
    )
    exact = _exact_readings(numbers, path, problem.duration)
    readings = {name: exact[name] + np.array(numbers[name]["std"]) * n for name, n in zip(samples, noise, strict=True)}
    readings["pressure"] += numbers["pressure"]["bias_std"] * b[:, None]
    return Box(numbers, path, start, forces, rates, readings)


def _along_z(values: Array) -> Array:
    return np.stack([0.0 * values, 0.0 * values, values], axis=-1)


def _exact_readings(numbers: Mapping[str, Any], path: Path, duration: float) -> dict[str, Array]:
    """Readings without noise and bias; the vehicle is level."""
    attitude, dvl, pressure = (sample_times(numbers, name, duration) for name in ("attitude", "dvl", "pressure"))
    heading = np.remainder(path.heading[attitude] + np.pi, 2.0 * np.pi) - np.pi
    lever = np.cross(_along_z(path.turn_rate[dvl]), numbers["dvl"]["position"])
    depth = path.position[pressure, 2] + numbers["pressure"]["position"][2]
    return {
        "attitude": _along_z(heading),
        "dvl": lever + np.array([numbers["speed"], 0.0, 0.0]),
        "pressure": numbers["density"] * numbers["gravity"] * depth[:, None],
    }
