"""UC-12: the navigation filter of the package over the readings that the problem file defines."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import from_axis_angle, rotation_matrix
from remora.equations.navigation.charts import rotation_from_vector
from remora.files.arrays import Array
from remora.messages.site import ORIGIN, Site
from remora.navigation.consistency import normalised_squares
from remora.navigation.filters import Belief, FilterRun, run, table_of_series
from remora.navigation.inertial.inertial_filter import InertialFilter, fill_blocks, make_inertial_filter
from remora.navigation.inertial.suite import sensor_suite
from remora.navigation.replays.truth_errors import error_of_state
from remora.sensors.stated_errors import stated_errors
from remora.vehicles.vehicle import SensorEntry
from remora_evidence.checkcases.problem_file import CheckCase
from remora_evidence.checkcases.trajectory import Trajectory

SPLIT_MIX = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
AIDINGS = {"attitude": 3, "dvl": 3, "pressure": 1}  # values of each, in the order of updates
NEES_APART = 1.0  # s


class BoxPath(NamedTuple):
    """True motion at the start of each interval."""

    place: Array  # m, north and east
    heading: Array
    turn_rate: Array  # of the interval that begins


class BoxErrors(NamedTuple):
    """Normal numbers of a run."""

    start: Array  # of position, velocity and attitude, a row each
    biases: tuple[Array, Array, Array]  # of accelerometers, gyros, pressure
    force: Array
    walk: Array
    readings: Mapping[str, Array]


def our_navigation(problem: CheckCase, apart: float) -> list[Trajectory]:
    """Estimates of all runs with standard deviations and NEES, this many seconds apart."""
    numbers = problem.navigation or {}
    made, path = make_inertial_filter(box_suite(numbers)), box_path(numbers, problem.duration)
    return [_estimates(made, numbers, path, name, apart) for name in (run.name for run in problem.runs)]


def box_suite(numbers: Mapping[str, Any]) -> Any:
    """The sensors of the problem as a suite of the filter."""
    force, gyros, dvl, depth = (numbers[name] for name in ("accelerometers", "gyros", "dvl", "pressure"))
    inertial = {
        "accelerometer_random_walk": force["random_walk"], "accelerometer_bias_std": force["bias_std"],
        "gyro_bias_std": gyros["bias_std"], "gyro_bias_walk": gyros["bias_walk"],
    }  # fmt: skip
    angles = dict(zip(("roll_std", "pitch_std", "heading_std"), numbers["attitude"]["std"], strict=True))
    entries = [
        _entry("imu", "imu", (0.0, 0.0, 0.0), 1.0 / numbers["interval"], inertial),
        _entry("attitude", "ahrs", (0.0, 0.0, 0.0), numbers["attitude"]["rate"], angles),
        _entry("dvl", "dvl", tuple(dvl["position"]), dvl["rate"], {"std": tuple(dvl["std"])}),
        _entry("pressure", "pressure", tuple(depth["position"]), depth["rate"],
               {"std": depth["std"], "bias_std": depth["bias_std"], "water": "uniform"}),
    ]  # fmt: skip
    errors = {entry.name: stated_errors(entry) for entry in entries}
    return sensor_suite(entries, errors, Site(numbers["density"], numbers["gravity"], 0.0, ORIGIN, True))


def _entry(name: str, kind: str, position: Any, rate: float, parameters: Mapping[str, Any]) -> SensorEntry:
    return SensorEntry(name, kind, "", "", position, None, rate, 0.0, parameters)


def box_path(numbers: Mapping[str, Any], duration: float) -> BoxPath:
    """The box in closed form: whole sides, then the leg or the arc of the side at hand."""
    h, leg, corner, speed = (numbers[name] for name in ("interval", "leg", "corner", "speed"))
    side = np.floor((np.arange(round(duration / h) + 1) * h + 1e-9) / (leg + corner))
    along = np.arange(len(side)) * h - side * (leg + corner)
    angle = 0.5 * np.pi * np.maximum(along - leg, 0.0) / corner
    radius = speed * corner / (0.5 * np.pi)
    local = speed * np.minimum(along, leg) + radius * (np.sin(angle) + 1j * (1.0 - np.cos(angle)))
    turned = 1j**side
    whole = (speed * leg + radius * (1.0 + 1j)) * (1.0 - turned) / (1.0 - 1j)
    rate = np.where(along + 1e-9 >= leg, 0.5 * np.pi / corner, 0.0)
    place = whole + turned * local  # north + i east
    return BoxPath(np.column_stack([place.real, place.imag]), 0.5 * np.pi * side + angle, rate)


def normal_numbers(stream: int, count: int) -> Array:
    """Normal numbers of a run by SplitMix64 and Box-Muller."""
    step, first, second = (np.uint64(constant) for constant in SPLIT_MIX)
    x = (np.uint64(stream << 32) + np.arange(1, 2 * count + 1, dtype=np.uint64)) * step
    for shift, factor in ((30, first), (27, second)):
        x = (x ^ (x >> np.uint64(shift))) * factor
    x ^= x >> np.uint64(31)
    uniform = ((x >> np.uint64(11)).astype(float) + 0.5) * 2.0**-53
    radius, angle = np.sqrt(-2.0 * np.log(uniform[0::2])), 2.0 * np.pi * uniform[1::2]
    return np.asarray(radius * np.cos(angle))


def _drawn(stream: int, inputs: int, samples: Mapping[str, int]) -> BoxErrors:
    """The numbers of a run in the order of the problem file."""
    sizes = [9, 3, 3, 1, 3 * inputs, 3 * inputs, *(samples[name] * size for name, size in AIDINGS.items())]
    start, force_bias, gyro_bias, depth_bias, force, walk, *noise = np.split(
        normal_numbers(stream, sum(sizes)), np.cumsum(sizes)[:-1]
    )
    readings = {name: one.reshape(-1, size) for (name, size), one in zip(AIDINGS.items(), noise, strict=True)}
    biases = (force_bias, gyro_bias, depth_bias)
    return BoxErrors(start.reshape(3, 3), biases, force.reshape(-1, 3), walk.reshape(-1, 3), readings)


def _inputs(numbers: Mapping[str, Any], path: BoxPath, drawn: BoxErrors) -> Array:
    """Specific force and turn rate of each interval."""
    h, force, gyros = numbers["interval"], numbers["accelerometers"], numbers["gyros"]
    inputs = np.zeros((len(path.heading), 6))
    inputs[:, 1], inputs[:, 2], inputs[:, 5] = numbers["speed"] * path.turn_rate, -numbers["gravity"], path.turn_rate
    inputs[:, :3] += force["bias_std"] * drawn.biases[0] + force["random_walk"] / np.sqrt(h) * drawn.force
    walked = gyros["bias_walk"] * np.sqrt(h) * np.cumsum(drawn.walk[:-1], axis=0)
    inputs[:, 3:] += gyros["bias_std"] * drawn.biases[1]
    inputs[1:, 3:] += walked
    return inputs


def _every(numbers: Mapping[str, Any], sensor: str) -> int:
    """Intervals between two readings."""
    return round(1.0 / (numbers[sensor]["rate"] * numbers["interval"]))


def _series(numbers: Mapping[str, Any], path: BoxPath, drawn: BoxErrors) -> dict[str, tuple[Array, Array]]:
    """Stamps and values of the aiding sensors, those of the DVL with their standard deviations."""
    times = np.rint(1e9 * numbers["interval"] * np.arange(len(path.heading))).astype(np.int64)
    exact = {name: np.zeros((len(times), size)) for name, size in AIDINGS.items()}
    exact["attitude"][:, 2] = path.heading
    x, y, _ = numbers["dvl"]["position"]
    exact["dvl"][:, 0], exact["dvl"][:, 1] = numbers["speed"] - path.turn_rate * y, path.turn_rate * x
    depth = numbers["start"]["depth"] + numbers["pressure"]["position"][2]
    exact["pressure"][:] = numbers["density"] * numbers["gravity"] * depth
    exact["pressure"] += numbers["pressure"]["bias_std"] * drawn.biases[2]
    series = {}
    for name in AIDINGS:
        rows, std = slice(None, None, _every(numbers, name)), np.array(numbers[name]["std"])
        series[name] = (times[rows], exact[name][rows] + std * drawn.readings[name])
    stamps, values = series["dvl"]
    gap = numbers["dvl"]["dropout"]
    heard = (stamps < 1e9 * gap["from"] - 1.0) | (stamps >= 1e9 * gap["until"] - 1.0)
    values = np.column_stack([values, np.broadcast_to(numbers["dvl"]["std"], values.shape)])
    return series | {"dvl": (stamps[heard], values[heard])}


def _belief(made: InertialFilter, numbers: Mapping[str, Any], drawn: BoxErrors, inputs: Array) -> Belief:
    """Start of a run; the vehicle heads north. The error of the heading turns the velocity along in the filter."""
    std = numbers["start"]["std"]
    p, v, turn = (std[name] * row for name, row in zip(("position", "velocity", "attitude"), drawn.start, strict=True))
    v = v + np.array([numbers["speed"], 0.0, 0.0])
    q = rotation_from_vector(tuple(turn.tolist()))
    layout = made.suite.layout
    state = np.array([*p[:2], p[2] + numbers["start"]["depth"], *v, *q, *np.zeros(layout.states - 10)])
    covariance, to_filter = np.zeros((layout.states - 1, layout.states - 1)), np.eye(9)
    R = np.array(rotation_matrix(q))
    to_filter[3:6, 3:6] = R.T
    to_filter[3:6, 8] = R.T @ np.array([v[1], -v[0], 0.0])
    sigma = np.repeat([std["position"], std["velocity"], std["attitude"]], 3)
    covariance[:9, :9] = to_filter @ np.diag(sigma**2) @ to_filter.T
    fill_blocks(layout, covariance)
    return made.filter.initial(state, covariance, 0, tuple(inputs[0].tolist()))


def _estimates(made: InertialFilter, numbers: Mapping[str, Any], path: BoxPath, name: str, apart: float) -> Trajectory:
    """Estimates of one run."""
    samples = {sensor: -(-len(path.heading) // _every(numbers, sensor)) for sensor in AIDINGS}
    drawn = _drawn(int(name), len(path.heading), samples)
    inputs = _inputs(numbers, path, drawn)
    stamps = np.rint(1e9 * numbers["interval"] * np.arange(len(inputs))).astype(np.int64)
    table = table_of_series({"imu": (stamps, inputs), **_series(numbers, path, drawn)})
    found = run(made.filter, _belief(made, numbers, drawn, inputs), table, apart=apart, covariances=True)
    rows = [_row(made, numbers, path, inputs, found, i) for i in range(len(found.stamps_ns))]
    return Trajectory(name, np.asarray(1e-9 * found.stamps_ns, dtype=np.float64), np.array(rows))


def _row(
    made: InertialFilter, numbers: Mapping[str, Any], path: BoxPath, inputs: Array, found: FilterRun, i: int
) -> list[float]:
    """Estimate, standard deviations and NEES of an output time."""
    stamp, covariance = int(found.stamps_ns[i]), found.covariance(i)
    k = round(1e-9 * stamp / numbers["interval"])
    one = made.estimate_of(stamp, tuple(found.states[i].tolist()), covariance, tuple(inputs[k].tolist()))
    q = from_axis_angle((0.0, 0.0, 1.0), float(path.heading[k]))
    twist = (numbers["speed"], 0.0, 0.0, 0.0, 0.0, float(path.turn_rate[k]))
    north, east = path.place[k].tolist()
    error = error_of_state(made, (north, east, numbers["start"]["depth"]), q, twist, found.states[i])
    nees = normalised_squares(error[None], covariance[None, :9, :9])
    return [*one.p_NB, *one.q_NB, *one.twist, *one.sigma_p_N, *one.sigma_v_B, *one.sigma_turn_B, float(nees[0])]
