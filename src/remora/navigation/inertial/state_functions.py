"""Plain functions on tuples that `compile_filter` takes, made for a layout of the state by filling in its indices.

A template reads the indices as global names, so that they are constants when it is compiled. Numbers of sensors
(places, axes, stations) come from the row of parameters; they do not change the compiled code.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any

from remora.equations.algebra.vectors import ZERO3, add3, matvec3
from remora.equations.navigation.charts import (
    NavigationPose,
    minus_body,
    minus_heading,
    minus_invariant,
    minus_levelled,
    minus_local,
    minus_rotation_vector,
    plus_body,
    plus_heading,
    plus_invariant,
    plus_levelled,
    plus_local,
    plus_rotation_vector,
)
from remora.equations.navigation.process_models import (
    calibrated,
    constant_velocity_step,
    decayed,
    decayed3,
    drag_step,
    strapdown_step,
)
from remora.equations.types import Matrix3, Vector3
from remora.navigation.filters.models import Chart, Process
from remora.navigation.inertial.state_blocks import DRAG_TIME, MEAN_VELOCITY, POSE_ERRORS, POSE_STATES, StateLayout

ZERO33 = (ZERO3, ZERO3, ZERO3)

# Errors of position, velocity and attitude by the name of their chart.
CHARTS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "heading": (plus_heading, minus_heading),  # a rotation about the vertical also turns the velocity
    "level": (plus_heading, minus_heading),
    "body": (plus_body, minus_body),  # velocity and attitude in body axes
    "local": (plus_local, minus_local),  # in the axes of N
    "invariant": (plus_invariant, minus_invariant),  # the right-invariant error
    "rotation_vector": (plus_rotation_vector, minus_rotation_vector),  # in body axes, attitude as a rotation vector
}
# Blocks whose errors are in level axes in the chart "level", and the share of the tilts: see `plus_levelled`.
LEVELLED = {"gyro_bias": 1.0, "accelerometer_bias": 0.5}

# Filled in for each layout.
A, B, C, E, F, G, RATE = 0, 0, 0, 0, 0, 0, 0
plus_pose: Any = None
minus_pose: Any = None
added: Any = None
subtracted: Any = None
kept: Any = None
first_row: Any = None
second_row: Any = None
third_row: Any = None
accelerometer_bias: Any = None
accelerometer_coupling: Any = None
gyro_bias: Any = None
gyro_coupling: Any = None
gyro_leakage: Any = None
rate: Any = None
mean_velocity: Any = None
DRAG_RATE, SHARE = 0.0, 0.0


def filled(template: Any, **names: Any) -> Any:
    """A copy of a template with these global names."""
    return FunctionType(template.__code__, {**template.__globals__, **names}, template.__name__)


def pose(x: Any) -> NavigationPose:
    """Position, velocity and attitude of a state."""
    return NavigationPose((x[0], x[1], x[2]), (x[3], x[4], x[5]), (x[6], x[7], x[8], x[9]))


def error_of_pose(d: Any) -> Any:
    """Errors of position, velocity and attitude."""
    return ((d[0], d[1], d[2]), (d[3], d[4], d[5]), (d[6], d[7], d[8]))


def flat_pose(x: NavigationPose) -> Any:
    """The ten numbers of a pose."""
    return (x.p[0], x.p[1], x.p[2], x.v[0], x.v[1], x.v[2], x.q[0], x.q[1], x.q[2], x.q[3])


def flat_error(d: Any) -> Any:
    """The nine numbers of an error."""
    return (d[0][0], d[0][1], d[0][2], d[1][0], d[1][1], d[1][2], d[2][0], d[2][1], d[2][2])


def chart_plus(x: Any, d: Any) -> Any:
    """State moved by an error."""
    return flat_pose(plus_pose(pose(x), error_of_pose(d))) + added(x, d)


def chart_minus(y: Any, x: Any) -> Any:
    """Inverse of `chart_plus`."""
    return flat_error(minus_pose(pose(y), pose(x))) + subtracted(y, x)


def nothing(x: Any, y: Any) -> Any:
    """No further states."""
    return ()


def kept_nothing(x: Any, elapsed: float, row: Any) -> Any:
    """No further states."""
    return ()


def added_one(x: Any, d: Any) -> Any:
    """A block of one number plus its error, and the blocks after it."""
    return (x[A] + d[E], *added(x, d))


def added_three(x: Any, d: Any) -> Any:
    """A block of three numbers plus its error, and the blocks after it."""
    return (x[A] + d[E], x[B] + d[F], x[C] + d[G], *added(x, d))


def added_levelled(x: Any, d: Any) -> Any:
    """A bias in body axes plus its error in level axes, and the blocks after it."""
    moved = plus_levelled((x[A], x[B], x[C]), (d[E], d[F], d[G]), pose(x).q, (d[6], d[7], d[8]), SHARE)
    return (*moved, *added(x, d))


def subtracted_one(y: Any, x: Any) -> Any:
    """Difference of a block of one number, and of the blocks after it."""
    return (y[A] - x[A], *subtracted(y, x))


def subtracted_three(y: Any, x: Any) -> Any:
    """Difference of a block of three numbers, and of the blocks after it."""
    return (y[A] - x[A], y[B] - x[B], y[C] - x[C], *subtracted(y, x))


def subtracted_levelled(y: Any, x: Any) -> Any:
    """Error of a bias in level axes, and of the blocks after it."""
    error = minus_levelled((y[A], y[B], y[C]), (x[A], x[B], x[C]), pose(y).q, pose(x).q, SHARE)
    return (*error, *subtracted(y, x))


def kept_one(x: Any, elapsed: float, row: Any) -> Any:
    """A block of one number after a time, and the blocks after it."""
    return (decayed(x[A], row[RATE], elapsed), *kept(x, elapsed, row))


def kept_drifting(x: Any, elapsed: float, row: Any) -> Any:
    """A number that grows at the rate of the block after it, and that and further blocks."""
    return (x[A] + elapsed * x[B], *kept(x, elapsed, row))


def kept_three(x: Any, elapsed: float, row: Any) -> Any:
    """A block of three numbers after a time, and the blocks after it."""
    return (*decayed3((x[A], x[B], x[C]), row[RATE], elapsed), *kept(x, elapsed, row))


def one(x: Any) -> Any:
    """A block of one number."""
    return x[A]


def no_number(x: Any) -> float:
    """An error that is not estimated."""
    return 0.0


def three(x: Any) -> Any:
    """Three numbers of a block."""
    return (x[A], x[B], x[C])


def no_vector(x: Any) -> Vector3:
    """Errors that are not estimated."""
    return ZERO3


def matrix(x: Any) -> Any:
    """A block of nine numbers as a matrix."""
    return (first_row(x), second_row(x), third_row(x))


def no_matrix(x: Any) -> Matrix3:
    """Errors that are not estimated."""
    return ZERO33


def inertial_rate(x: Any, u: Any) -> Any:
    """Angular velocity from an inertial unit: inputs specific force, angular velocity."""
    return calibrated((u[3], u[4], u[5]), gyro_bias(x), gyro_coupling(x))


def leaking_rate(x: Any, u: Any) -> Any:
    """Angular velocity from an inertial unit whose gyros sense specific force too."""
    bias = add3(gyro_bias(x), matvec3(gyro_leakage(x), (u[0], u[1], u[2])))
    return calibrated((u[3], u[4], u[5]), bias, gyro_coupling(x))


def gyro_rate(x: Any, u: Any) -> Any:
    """Angular velocity from gyros alone."""
    return calibrated((u[0], u[1], u[2]), gyro_bias(x), gyro_coupling(x))


def estimated_rate(x: Any, u: Any) -> Any:
    """Angular velocity as a state, without gyros."""
    return (x[A], x[B], x[C])


def inertial_process(x: Any, u: Any, elapsed: float, row: Any) -> Any:
    """Strapdown mechanisation; parameters gravity and Earth rate."""
    force = calibrated((u[0], u[1], u[2]), accelerometer_bias(x), accelerometer_coupling(x))
    after = strapdown_step(pose(x), force, rate(x, u), row[0], (row[1], row[2], row[3]), elapsed)
    return flat_pose(after) + kept(x, elapsed, row)


def free_process(x: Any, u: Any, elapsed: float, row: Any) -> Any:
    """Constant velocity in body axes, turned by gyros or by an estimated rate."""
    return flat_pose(constant_velocity_step(pose(x), rate(x, u), elapsed)) + kept(x, elapsed, row)


def drag_process(x: Any, u: Any, elapsed: float, row: Any) -> Any:
    """Velocity in body axes that drag returns to an estimated mean, turned by gyros or by an estimated rate."""
    after = drag_step(pose(x), mean_velocity(x), rate(x, u), DRAG_RATE, elapsed)
    return flat_pose(after) + kept(x, elapsed, row)


def number_of(layout: StateLayout, name: str) -> Any:
    """The function that reads a block of one number."""
    return filled(one, A=layout.start(name)) if layout.has(name) else no_number


def _three_from(at: int) -> Any:
    return filled(three, A=at, B=at + 1, C=at + 2)


def vector_of(layout: StateLayout, name: str) -> Any:
    """The function that reads a block of three numbers."""
    return _three_from(layout.start(name)) if layout.has(name) else no_vector


def matrix_of(layout: StateLayout, name: str) -> Any:
    """The function that reads a block of nine numbers."""
    if not layout.has(name):
        return no_matrix
    at = layout.start(name)
    rows = {"first_row": _three_from(at), "second_row": _three_from(at + 3), "third_row": _three_from(at + 6)}
    return filled(matrix, **rows)


def chart_of(layout: StateLayout, name: str) -> Chart:
    """A chart of a layout by name."""
    plus, minus = CHARTS[name]
    more, less = nothing, nothing
    levelled = {layout.start(one): LEVELLED[one] for one in LEVELLED if layout.has(one)} if name == "level" else {}
    for at, size in reversed(_pieces(layout)):
        names: dict[str, Any] = {"A": at, "B": at + 1, "C": at + 2, "E": at - 1, "F": at, "G": at + 1}
        adds, subtracts = (added_one, subtracted_one) if size == 1 else (added_three, subtracted_three)
        if at in levelled:
            adds, subtracts = added_levelled, subtracted_levelled
            names["SHARE"] = levelled[at]
        more = filled(adds, added=more, **names)
        less = filled(subtracts, subtracted=less, **names)
    return Chart(filled(chart_plus, plus_pose=plus, added=more), filled(chart_minus, minus_pose=minus, subtracted=less))


def _pieces(layout: StateLayout) -> list[tuple[int, int]]:
    """Start and size of the pieces of one or three numbers of which all blocks consist."""
    pieces = []
    for block in layout.blocks:
        at, size = layout.start(block.name), 1 if len(block.sigma) == 1 else 3
        pieces += [(at + i, size) for i in range(0, len(block.sigma), size)]
    return pieces


def rate_of(layout: StateLayout, driven_by: str) -> Any:
    """Angular velocity in body axes as a function of state and inputs; `driven_by` is "imu", "gyro" or ""."""
    if not driven_by:
        at = layout.start("turn_rate")
        return filled(estimated_rate, A=at, B=at + 1, C=at + 2)
    names = {"gyro_bias": vector_of(layout, "gyro_bias"), "gyro_coupling": matrix_of(layout, "gyro_coupling")}
    if layout.has("gyro_leakage"):
        return filled(leaking_rate, gyro_leakage=matrix_of(layout, "gyro_leakage"), **names)
    return filled(inertial_rate if driven_by == "imu" else gyro_rate, **names)


def process_of(layout: StateLayout, driven_by: str, rates_at: int) -> Process:
    """The process model of a layout, driven by "imu", "gyro", or nothing, with constant velocity.

    `rates_at` is the index of the inverse correlation times of the blocks in the row of parameters.
    """
    keep: Any = kept_nothing
    owners = [k for k, block in enumerate(layout.blocks) for _ in range(-(-len(block.sigma) // 3))]
    for (at, size), owner in reversed(list(zip(_pieces(layout), owners, strict=True))):
        names = {"A": at, "B": at + 1, "C": at + 2, "RATE": rates_at + owner}
        drifts = layout.has("pressure_drift") and layout.blocks[owner].name == "pressure_bias"
        keep = filled(kept_drifting if drifts else kept_one if size == 1 else kept_three, kept=keep, **names)
    common = {"kept": keep, "rate": rate_of(layout, driven_by)}
    if driven_by != "imu":
        process: Process = filled(free_process, **common)
        if layout.has(MEAN_VELOCITY):
            mean = vector_of(layout, MEAN_VELOCITY)
            process = filled(drag_process, mean_velocity=mean, DRAG_RATE=1.0 / DRAG_TIME, **common)
        return process
    names = {
        "accelerometer_bias": vector_of(layout, "accelerometer_bias"),
        "accelerometer_coupling": matrix_of(layout, "accelerometer_coupling"),
    }
    process = filled(inertial_process, **common, **names)
    return process


assert POSE_STATES == POSE_ERRORS + 1  # errors of blocks stand one place before their states
