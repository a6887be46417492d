"""Navigation filter of a sensor suite: compiled filter, alignment, inputs from inertial readings, and estimates."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, final

import numpy as np

from remora.equations.algebra.kinematics import position_rate, to_body
from remora.equations.algebra.quaternions import conjugate, from_euler_zyx, product, rotation_matrix
from remora.equations.algebra.vectors import IDENTITY3, add3, cross, matvec3, subtract3, vector3_at
from remora.equations.instruments import tilt_from_specific_force
from remora.equations.types import Matrix3, Quaternion, Vector3
from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.messages.estimate import Estimate
from remora.messages.reading import Reading, Status, Values
from remora.navigation.filters import AidingModel, Belief, ErrorStateFilter, compile_filter
from remora.navigation.filters.beliefs import Integers
from remora.navigation.inertial.aiding_sensors import STEEP
from remora.navigation.inertial.body_estimate import SIZE, deviations_of, estimate_kernel, places_of
from remora.navigation.inertial.measure_functions import measure_of
from remora.navigation.inertial.state_blocks import POSE_ERRORS, POSE_STATES, ErrorBlock, StateLayout
from remora.navigation.inertial.state_functions import LEVELLED, chart_of, pose, process_of, rate_of
from remora.navigation.inertial.suite import SensorSuite

GATE = 0.9999  # probability of accepting a consistent reading
RECOVERY = 10.0  # s of rejections after which a sensor is trusted more than the estimate; chosen
PREDICTION_NS = 20_000_000  # inertial readings are averaged over about this time
# Standard deviations at the start, beside stated errors; chosen.
LAUNCH_SIGMA = 0.1  # m
SPEED_SIGMA = 2.0  # m/s
LOOSE = 10.0  # the attitude starts with this many times the error of its first reading, which is then used
LEVEL_SIGMA = math.radians(1.0)  # of a vehicle levelled by its accelerometers, from its own acceleration
STEEP_START = 1.5  # the same near 90 degrees of pitch, where errors of roll and heading add up
LAG_MARGIN = 0.2  # s, beyond the latency of the slowest sensor
PLAUSIBLE_GRAVITY = (0.5, 1.5)  # range of the first specific force over gravity
# Random walk of velocity and attitude in a gap of the inertial readings, at constant velocity and turn rate; chosen:
# 0.3 m/s2 and 0.3 rad/s with a correlation of a second.
COASTING_MOTION, COASTING_TURN = 0.3, 0.3  # m/s and rad per root second
COASTING_RATE, COASTING_TIME = 0.3, 1.0  # rad/s, s: the same motion as a Gauss-Markov process of the turn rate
HEADING, LEVEL = "heading", "level"  # charts that estimates read
_new_tuple = tuple.__new__
_OK = Status.OK
_RATES_AT = 4  # parameters: gravity, Earth rate (3), inverse correlation times of the blocks, then sensors


class Launch(NamedTuple):
    """What is known before the first reading."""

    position: Vector3  # m, p_NB
    sigma: float = LAUNCH_SIGMA  # m
    speed_sigma: float = SPEED_SIGMA  # m/s
    heading: float | None = None  # rad; needed without an attitude sensor
    heading_sigma: float = math.radians(5.0)


class InputMean(NamedTuple):
    """Time integral of inertial readings since the last input of the filter, in body axes."""

    start_ns: int
    last_ns: int
    last: Values
    integral: Values
    samples: int


@final
@dataclass(frozen=True)
class InertialFilter:
    """A compiled navigation filter for one sensor suite."""

    suite: SensorSuite
    filter: ErrorStateFilter
    process: Any
    rate: Any
    per_input: int  # inertial readings per input of the filter
    coasting: ErrorStateFilter  # the same filter with the noise of constant velocity and turn rate, for gaps
    options: tuple[str, float] = (HEADING, 0.0)  # of `make_inertial_filter`

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Copied and pickled as its suite; compiled code is looked up again."""
        return make_inertial_filter, (self.suite, *self.options)

    def body_inputs(self, values: Values) -> Values:
        """An inertial reading in body axes."""
        if self._has_body_axes:
            return values[: self.suite.inputs.size]
        R, (x, y, z) = self._input_axes, values[:3]
        found: Values = matvec3(R, (x, y, z))
        if self.suite.inputs.size > 3:
            x, y, z = values[3:6]
            found += matvec3(R, (x, y, z))
        return found

    @cached_property
    def _places(self) -> Integers:
        """Where compiled estimates find the state."""
        sizes, driven_by = self.filter.setup.sizes, self.suite.inputs.driven_by
        return places_of(self.suite.layout, sizes, driven_by, _RATES_AT)

    @cached_property
    def _place(self) -> Array:
        """Inertial unit from B, m."""
        return np.array(self.suite.inputs.p_BI)

    @cached_property
    def _input_axes(self) -> Matrix3:
        """Axes of the inertial unit in body axes."""
        return rotation_matrix(self.suite.inputs.q_BS)

    @cached_property
    def _has_body_axes(self) -> bool:
        """Whether the axes of the inertial unit are the body axes."""
        return self._input_axes == IDENTITY3

    def started(self, stamp_ns: int, values: Values) -> InputMean:
        """The mean that begins with a reading."""
        return InputMean(stamp_ns, stamp_ns, values, (0.0,) * len(values), 0)

    def is_frozen(self, mean: InputMean, values: Values) -> bool:
        """Whether a reading repeats the one before it, which readings with noise do not."""
        return values == mean[2] and any(self.suite.noise[6:9])

    def averaged(self, mean: InputMean, stamp_ns: int, values: Values) -> tuple[InputMean, Reading | None]:
        """The mean after a reading by the trapezoidal rule, and an input of the filter where it is complete.

        An input is stamped with the start of its interval, so that the filter holds it over that interval.
        """
        start_ns, last_ns, last, integral, samples = mean
        half = 0.5e-9 * (stamp_ns - last_ns)
        total = tuple([i + half * (a + b) for i, a, b in zip(integral, last, values, strict=True)])
        if samples + 1 < self.per_input:
            return _new_tuple(InputMean, (start_ns, stamp_ns, values, total, samples + 1)), None
        elapsed = 1e-9 * (stamp_ns - start_ns)
        means = tuple([i / elapsed for i in total])
        reading = _new_tuple(Reading, (self.suite.inputs.name, start_ns, stamp_ns, _OK, means))
        return _new_tuple(InputMean, (stamp_ns, stamp_ns, values, (0.0,) * len(values), 0)), reading

    def aligned(self, launch: Launch, stamp_ns: int, inputs: Values, angles: Values | None) -> Belief:
        """The belief at the start, at the time of the first attitude.

        The inertial reading is in body axes; it levels the vehicle without an attitude sensor, when there are no
        angles. Raises an InputError when the specific force is far from gravity, or the heading is unknown.
        """
        suite = self.suite
        if suite.inputs.driven_by == "imu":
            check_gravity(inputs[:3], suite.gravity)
        q_NB, turn = _first_attitude(suite, launch, inputs, angles)
        is_levelled = suite.aiding("attitude") is None or angles is None
        p_NI = add3(launch.position, position_rate(q_NB, suite.inputs.p_BI))
        extras = [block.mean for block in suite.layout.blocks for _ in block.sigma]
        state = np.array([*p_NI, 0.0, 0.0, 0.0, *q_NB, *extras])
        covariance = np.zeros((len(state) - 1, len(state) - 1))
        covariance[:9, :9] = np.diag([launch.sigma**2] * 3 + [launch.speed_sigma**2] * 3 + [t * t for t in turn])
        fill_blocks(suite.layout, covariance)
        if is_levelled:
            _correlate_levelling(suite, q_NB, inputs, covariance)
        if self.options[0] == LEVEL:
            covariance = _in_level_axes(suite.layout, q_NB, covariance)
        return self.filter.initial(state, covariance, stamp_ns, inputs)

    def estimate(self, belief: Belief, now_ns: int, last: Values) -> Estimate:
        """Position, attitude and motion of B at a time, with standard deviations.

        The belief may be some milliseconds old. The latest inertial reading is in body axes; empty for the held inputs.
        """
        elapsed = max(0.0, 1e-9 * (now_ns - belief.stamp_ns))
        memory, out = belief.snapshots[-1].memory, np.empty(SIZE)
        inputs = np.array(last) if last else memory[memory.size - belief.sizes.inputs :]
        row = self.filter.setup.parameters
        estimate_kernel()(memory, self._places, row, elapsed, inputs, self._place, out)
        x, y, z, s, i, j, k, u, v, w, p, q, r, a, b, c, d, e, f, g, h, n = out.tolist()
        return Estimate(now_ns, (x, y, z), (s, i, j, k), (u, v, w, p, q, r), (a, b, c), (d, e, f), (g, h, n))

    def estimate_of(self, now_ns: int, x: Values, covariance: Array, inputs: Values) -> Estimate:
        """Position, attitude and motion of B of a state of the filter, with standard deviations."""
        here, w, r = pose(x), self.rate(x, inputs), self.suite.inputs.p_BI
        p = subtract3(here.p, position_rate(here.q, r))
        v_I = to_body(here.q, here.v)
        v = subtract3(v_I, cross(w, r))
        sigma = deviations_of(covariance, here.q, v_I, r)
        deviations = (vector3_at(sigma, 0), vector3_at(sigma, 3), vector3_at(sigma, 6))
        return Estimate(now_ns, p, here.q, (*v, *w), *deviations)


def held_inputs(belief: Belief) -> Values:
    """Latest inputs of a belief."""
    memory = belief.snapshots[-1].memory
    return tuple(memory[memory.size - belief.sizes.inputs :].tolist())


def check_gravity(force: Sequence[float], gravity: float) -> None:
    """Refuse a first specific force that is far from gravity: a wrong unit, or an accelerometer without gravity."""
    size = math.sqrt(sum(value * value for value in force))
    low, high = PLAUSIBLE_GRAVITY
    if not low * gravity <= size <= high * gravity:
        raise InputError(
            f"the specific force is {size:.4g} m/s2 at the start, but gravity {gravity:.4g} m/s2: is its unit m/s2? "
            "The vehicle must not be accelerated then, as by a strong current in which it starts at rest."
        ).about("specific_force", size)


def _first_attitude(
    suite: SensorSuite, launch: Launch, inputs: Values, angles: Values | None
) -> tuple[Quaternion, Vector3]:
    """q_NB and the deviation of each component of its error."""
    sensor = suite.aiding("attitude")
    if sensor is not None and angles is not None:
        x, y, z = (angles[0], angles[1], angles[2])
        q_BS = (sensor.numbers[3], sensor.numbers[4], sensor.numbers[5], sensor.numbers[6])
        bias = next((block.sigma for block in sensor.blocks if block.name == "attitude_bias"), (0.0,) * 3)
        is_steep = abs(y) > STEEP  # then the reading is not used besides
        widest = max(math.hypot(s, b) for s, b in zip(sensor.sigma, bias, strict=True))
        loose = (STEEP_START if is_steep else LOOSE) * widest
        return product(from_euler_zyx(x, y, z), conjugate(q_BS)), (loose, loose, loose)
    if launch.heading is None or suite.inputs.driven_by != "imu":
        raise InputError("no sensor gives the attitude: give the heading at launch, and an inertial unit").about(
            "launch.heading", launch.heading
        )
    roll, pitch = tilt_from_specific_force((inputs[0], inputs[1], inputs[2]))
    return from_euler_zyx(roll, pitch, launch.heading), (LEVEL_SIGMA, LEVEL_SIGMA, launch.heading_sigma)


def _correlate_levelling(suite: SensorSuite, q_NB: Quaternion, inputs: Values, covariance: Array) -> None:
    """Tilts of a vehicle that was levelled by its accelerometers are also their errors divided by gravity.

    The error R df of the specific force in N gives the tilts (df_y, -df_x) / g.
    """
    R = np.array(rotation_matrix(q_NB))
    by_force = np.array([R[1], -R[0]]) / suite.gravity
    gain = np.zeros((2, len(covariance)))
    offset = POSE_STATES - POSE_ERRORS
    if suite.layout.has("accelerometer_bias"):
        at = suite.layout.start("accelerometer_bias") - offset
        gain[:, at : at + 3] = by_force
    if suite.layout.has("accelerometer_coupling"):
        at = suite.layout.start("accelerometer_coupling") - offset
        gain[:, at : at + 9] = np.kron(by_force, inputs[:3])
    shared = gain @ covariance
    covariance[6:8, :] += shared
    covariance[:, 6:8] += shared.T
    own = gain @ covariance[:, 6:8]
    covariance[6:8, 6:8] += 0.5 * (own + own.T)


def _in_level_axes(layout: StateLayout, q_NB: Quaternion, covariance: Array) -> Array:
    """Covariance in the chart "level" from one with errors of biases in body axes."""
    J = np.eye(len(covariance))
    for block in _levelled(layout):
        at = layout.start(block.name) - (POSE_STATES - POSE_ERRORS)
        J[at : at + 3, at : at + 3] = rotation_matrix(q_NB)
    turned = J @ covariance @ J.T
    return np.asarray(0.5 * (turned + turned.T))


def _levelled(layout: StateLayout) -> list[ErrorBlock]:
    """Blocks whose errors are in level axes in the chart "level"."""
    return [block for block in layout.blocks if block.name in LEVELLED]


def _chart_noise(suite: SensorSuite, chart: str) -> Array:
    """Process noise in a chart; in level axes the noise of a bias is the largest of its axes in all directions."""
    noise = np.array(suite.noise)
    for block in _levelled(suite.layout) if chart == LEVEL else ():
        at = suite.layout.start(block.name) - (POSE_STATES - POSE_ERRORS)
        noise[at : at + 3] = max(block.noise)
    return noise


def chart_of_suite(suite: SensorSuite) -> str:
    """The chart in which directions that a suite does not observe are the same at every state."""
    is_levelled = suite.inputs.driven_by == "imu" and suite.aiding("attitude") is None
    return LEVEL if is_levelled else HEADING


def fill_blocks(layout: StateLayout, covariance: Array) -> None:
    """Initial covariance of the blocks."""
    for block in layout.blocks:
        at = layout.start(block.name) - (POSE_STATES - POSE_ERRORS)
        for i, sigma in enumerate(block.sigma):
            covariance[at + i, at + i] = sigma**2
        for i, j in ((1, 3), (2, 6), (5, 7)) if block.correlation else ():
            shared = block.correlation * block.sigma[i] * block.sigma[j]
            covariance[at + i, at + j] = covariance[at + j, at + i] = shared


def make_inertial_filter(suite: SensorSuite, chart: str | None = None, extra_lag: float = 0.0) -> InertialFilter:
    """The filter of a suite, compiled or from the cache.

    Parameters
    ----------
    suite
        Inputs, aiding sensors and states.
    chart
        Errors of the state: level, heading, body, local, invariant or rotation_vector. Estimates read the first two;
        by default "heading", or "level" for an inertial unit without an attitude sensor.
    extra_lag
        Seconds by which readings may be late beyond their stated latency.
    """
    chart = chart or chart_of_suite(suite)
    functions, row = model_functions(suite, chart)
    noise, aidings = _chart_noise(suite, chart), {}
    for one, measure in zip(suite.aidings, functions.measures, strict=True):
        aidings[one.name] = AidingModel(
            measure, one.sigma, one.wrap, GATE, own_sigma=one.own_sigma, recovery=RECOVERY,
            repeats=not one.repeats_mean_frozen, own_parameters=one.own_parameters,
        )  # fmt: skip
    lag = max(one.latency for one in suite.aidings) + LAG_MARGIN + extra_lag
    made = compile_filter(
        functions.chart, functions.process, aidings, states=suite.layout.states, noise=noise,
        inputs=suite.inputs.name, input_size=suite.inputs.size, parameters=row, lag=lag,
    )  # fmt: skip
    per_input = max(1, PREDICTION_NS // suite.inputs.period_ns) if suite.inputs.period_ns else 1
    return InertialFilter(
        suite, made, functions.process, functions.rate, per_input, _coasting(suite, made, noise), (chart, extra_lag)
    )


def _coasting(suite: SensorSuite, made: ErrorStateFilter, noise: Array) -> ErrorStateFilter:
    """The filter with the noise of constant velocity and turn rate."""
    noise = noise.copy()
    if suite.inputs.driven_by == "imu":
        noise[3:6] = np.maximum(noise[3:6], COASTING_MOTION)
    noise[6:9] = np.maximum(noise[6:9], COASTING_TURN)
    return made.with_noise(noise)


class FilterFunctions(NamedTuple):
    """Plain functions of a filter."""

    chart: Any
    process: Any
    rate: Any
    measures: tuple[Any, ...]


def model_functions(suite: SensorSuite, chart: str = "heading") -> tuple[FilterFunctions, list[float]]:
    """Functions of the filter of a suite, and the row of parameters that they read."""
    layout, row, places = suite.layout, [suite.gravity, *suite.earth_rate_N], []
    row += [block.rate for block in layout.blocks]
    for one in suite.aidings:
        at = len(row)
        row += [*one.numbers, *(number for point in one.points for number in point)]
        first = at + len(one.numbers)
        places.append((one, at, tuple(range(first, first + 3 * len(one.points), 3))))
    models = tuple((one.template, at, points, len(row) if one.own_parameters else 0) for one, at, points in places)
    return _functions(_shape(layout), suite.inputs.driven_by, chart, models), row


def _shape(layout: StateLayout) -> StateLayout:
    """The layout without its numbers, which do not change the functions."""
    empty = tuple(ErrorBlock(block.name, (0.0,) * len(block.sigma), ()) for block in layout.blocks)
    return StateLayout(empty)


@lru_cache(maxsize=64)
def _functions(layout: StateLayout, driven_by: str, chart: str, places: tuple[Any, ...]) -> FilterFunctions:
    """The functions of a filter; the same objects for the same layout, so that Numba compiles them once."""
    measures = tuple(measure_of(template, layout, driven_by, at, points, own) for template, at, points, own in places)
    process = process_of(layout, driven_by, _RATES_AT)
    return FilterFunctions(chart_of(layout, chart), process, rate_of(layout, driven_by), measures)
