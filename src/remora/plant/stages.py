"""Body state and actuator outputs at the stage times of a step, and the resulting thruster wrench.

Commands follow a zero-order hold, for which the outputs are exact at any step length. Plain Python, compiled with the
loops that call it.
"""

from typing import Any, NamedTuple

from remora.equations.actuators.drives import motor_speed_rate
from remora.equations.actuators.motors import motor_speed_after
from remora.equations.actuators.propulsion import oriented_thruster, static_thrusters_wrench
from remora.equations.actuators.response import actuator_lag_time, actuator_slew, actuator_target
from remora.equations.actuators.slewing import is_instantaneous, slewed_output, slewing_acceleration, slewing_speed
from remora.equations.actuators.thrusters import advance_speed, lag_decay, lagged_output, rises
from remora.equations.algebra.elementary import both, select, sqrt
from remora.equations.algebra.vectors import subtract6
from remora.equations.packed import Layout, actuator_count, has_motor_at, motor_at, motor_start
from remora.equations.types import BodyState, Numbers, Twist, Vector6
from remora.equations.water.current import current_twist
from remora.equations.water.local_water import Water, water_velocity
from remora.files.arrays import Array


class StepArrays(NamedTuple):
    """Parameters, inputs and work space of a step: arrays of floats, of lanes or of dual numbers."""

    row: Any  # packed parameters
    start: Any  # actuator part of the state: outputs, speeds of moving masses
    commands: Any
    targets: Any  # of the actuators
    decays: Any  # [actuator, falling or rising, node]
    outputs: Any  # [node, output]
    thruster_wrenches: Any  # [node, 6]


class WholeArrays(NamedTuple):
    """The same with body and environment of several vehicles, or with derivatives."""

    actuators: StepArrays
    body: Any  # body part of the state
    environment: Any  # external wrench, water
    rates: Any  # [stage, number of the body]


def body_state_at(array: Numbers) -> BodyState:
    """The thirteen numbers of the body at the start of an array."""
    return (
        array[0],
        array[1],
        array[2],
        array[3],
        array[4],
        array[5],
        array[6],
        array[7],
        array[8],
        array[9],
        array[10],
        array[11],
        array[12],
    )


def with_twist_of(x: BodyState, other: BodyState) -> BodyState:
    """The pose of one state and the twist of another."""
    return (x[0], x[1], x[2], x[3], x[4], x[5], x[6], other[7], other[8], other[9], other[10], other[11], other[12])


def through_water(x: BodyState, water: Water, elapsed: float) -> Twist:
    """Twist relative to the water, `elapsed` seconds after the reference time of the water."""
    twist = (x[7], x[8], x[9], x[10], x[11], x[12])
    velocity = water_velocity(water, (x[0], x[1], x[2]), elapsed)
    return subtract6(twist, current_twist((x[3], x[4], x[5], x[6]), velocity))


def is_within(twist: Twist, limits: Vector6) -> bool:
    """Whether all six speeds are within their limits; false for NaN."""
    linear = both(both(abs(twist[0]) <= limits[0], abs(twist[1]) <= limits[1]), abs(twist[2]) <= limits[2])
    angular = both(both(abs(twist[3]) <= limits[3], abs(twist[4]) <= limits[4]), abs(twist[5]) <= limits[5])
    return both(linear, angular)


def error_size(error: BodyState, x: BodyState, relative: float, absolute: float) -> float:
    """Root mean square of an error, each component scaled by its tolerance; a step is accepted below one."""
    total = 0.0
    for i in range(13):
        scaled = error[i] / (absolute + relative * abs(x[i]))
        total += scaled * scaled
    return sqrt(total / 13.0)


def node_of_stage(weights: Array, s: int) -> int:
    """Node (distinct stage time) of a stage; several stages may share one."""
    return int(weights[weights.shape[1] + 2, s])


def time_of_stage(weights: Array, s: int) -> float:
    """Time of a stage within its step, from 0 to 1."""
    time = 0.0
    for j in range(s):
        time += weights[s, j]
    return time


def time_of_node(weights: Array, nodes: int, n: int) -> float:
    """Time of a node within its step, from 0 to 1; the last node is the end."""
    if n < nodes - 1:
        for s in range(weights.shape[1]):
            if node_of_stage(weights, s) == n:
                return time_of_stage(weights, s)
    return 1.0


def fill_decays(row: Array, layout: Layout, weights: Array, step: float, decays: Array) -> None:
    """Remaining fraction of each actuator's lag at each node of a step: decays[actuator, falling or rising, node]."""
    end = decays.shape[2] - 1
    for i in range(actuator_count(layout)):
        for rising in range(2):
            time_constant = actuator_lag_time(row, layout, i, rising == 1)
            for s in range(weights.shape[1]):
                decays[i, rising, node_of_stage(weights, s)] = lag_decay(
                    time_of_stage(weights, s) * step, time_constant
                )
            decays[i, rising, end] = lag_decay(step, time_constant)


def store_wrench(thruster_wrenches: Array, n: int, wrench: Vector6) -> None:
    """Write the thruster wrench at a node."""
    for i in range(6):
        thruster_wrenches[n, i] = wrench[i]


def begin_outputs(a: StepArrays, layout: Layout) -> None:
    """Apply new commands: targets of the actuators, and their outputs at the start of the first step.

    Outputs there are copied, not computed, so that a run in pieces is bit-identical to the whole.
    """
    for i in range(a.targets.size):
        a.targets[i] = actuator_target(a.row, layout, i, a.commands[i])
        lags = select(rises(a.start[i], a.targets[i]), a.decays[i, 1, 0], a.decays[i, 0, 0]) > 0.0
        a.outputs[0, i] = select(lags, a.start[i], a.targets[i])
    if layout.slewing + layout.motors > 0:
        begin_general_outputs(a.row, layout, a.start, a.targets, a.outputs[0])
    store_wrench(a.thruster_wrenches, 0, static_thrusters_wrench(a.row, layout, a.outputs[0]))


def fill_outputs(
    a: StepArrays, layout: Layout, weights: Array, step: float, x: BodyState, water: Water, since: float
) -> None:
    """Actuator outputs at the nodes after the start of a step: outputs[node, actuator].

    thruster_wrenches[node] is the wrench of thrusters that do not depend on the inflow. The state x is that at the
    start of the step, `since` seconds after the inputs changed.
    """
    for n in range(1, a.outputs.shape[0]):
        for i in range(a.targets.size):
            decay = select(rises(a.start[i], a.targets[i]), a.decays[i, 1, n], a.decays[i, 0, n])
            a.outputs[n, i] = lagged_output(a.start[i], a.targets[i], decay)
        if layout.slewing + layout.motors > 0:
            elapsed = step * time_of_node(weights, a.outputs.shape[0], n)
            fill_general_outputs(a.row, layout, a.start, a.targets, elapsed, x, water, since, a.outputs[n])
        store_wrench(a.thruster_wrenches, n, static_thrusters_wrench(a.row, layout, a.outputs[n]))


def begin_general_outputs(row: Array, layout: Layout, start: Array, targets: Array, outputs: Array) -> None:
    """Motor and rate-limited outputs at the start of a first step: unchanged, unless they are instantaneous."""
    if layout.motors:
        for i in range(layout.thrusters):
            has_motor = has_motor_at(row, motor_start(layout, i)) > 0.5
            outputs[i] = select(has_motor, start[i], outputs[i])
    if layout.slewing:
        for i in range(layout.thrusters, targets.size):
            at_once = is_instantaneous(actuator_slew(row, layout, i))
            outputs[i] = select(at_once, targets[i], start[i])
        store_moving_mass_rates(row, layout, targets, outputs)


def fill_general_outputs(
    row: Array,
    layout: Layout,
    start: Array,
    targets: Array,
    elapsed: float,
    x: BodyState,
    water: Water,
    since: float,
    outputs: Array,
) -> None:
    """Motor and rate-limited outputs after a time of a step; motors keep the advance speed of its start."""
    if layout.motors:
        fill_motors(row, layout, start, targets, elapsed, through_water(x, water, since), outputs)
    if layout.slewing:
        for i in range(layout.thrusters, targets.size):
            outputs[i] = slewed_output(actuator_slew(row, layout, i), start[i], targets[i], elapsed)
        store_moving_mass_rates(row, layout, targets, outputs)


def store_moving_mass_rates(row: Array, layout: Layout, targets: Array, outputs: Array) -> None:
    """Append the speeds and accelerations of moving masses to the outputs."""
    actuators = actuator_count(layout)
    for i in range(actuators - layout.moving_masses, actuators):
        slew = actuator_slew(row, layout, i)
        outputs[i + layout.moving_masses] = slewing_speed(slew, outputs[i], targets[i])
        outputs[i + 2 * layout.moving_masses] = slewing_acceleration(slew, outputs[i], targets[i])


def fill_motors(
    row: Array, layout: Layout, start: Array, targets: Array, elapsed: float, twist: Twist, outputs: Array
) -> None:
    """Shaft speeds of motors after a time, at the advance speed of a twist relative to the water."""
    for i in range(layout.thrusters):
        k = motor_start(layout, i)
        advance = advance_speed(oriented_thruster(row, layout, i, start), twist)
        speed = motor_speed_after(motor_at(row, k), targets[i], start[i], advance, elapsed)
        outputs[i] = select(has_motor_at(row, k) > 0.5, speed, outputs[i])


def output_rate(row: Array, layout: Layout, outputs: Array, i: int, target: float, twist: Twist) -> float:
    """Rate of one output; zero for an actuator without lag, which is at its target."""
    if i >= layout.thrusters:
        return slewing_speed(actuator_slew(row, layout, i), outputs[i], target)
    lag = actuator_lag_time(row, layout, i, rises(outputs[i], target))
    lagging = lag > 0.0
    rate = select(lagging, (target - outputs[i]) / select(lagging, lag, 1.0), 0.0)
    if layout.motors:
        k = motor_start(layout, i)
        if has_motor_at(row, k) > 0.5:
            advance = advance_speed(oriented_thruster(row, layout, i, outputs), twist)
            return motor_speed_rate(motor_at(row, k), target, outputs[i], advance)
    return rate


def end_outputs(outputs: Array, thruster_wrenches: Array, start: Array) -> None:
    """Start the next step with the outputs at the end of this one."""
    last = outputs.shape[0] - 1
    for i in range(start.size):
        outputs[0, i] = start[i] = outputs[last, i]
    for i in range(start.size, outputs.shape[1]):
        outputs[0, i] = outputs[last, i]
    for i in range(6):
        thruster_wrenches[0, i] = thruster_wrenches[last, i]
