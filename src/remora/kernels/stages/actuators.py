"""What the actuators do within a step: their outputs at its nodes, and the wrench of thrusters that follow from these.

Written as plain Python and compiled like the loops that call it. For held commands outputs are exact at any step.
"""

from remora.equations.actuators.drives import motor_speed_rate
from remora.equations.actuators.motors import motor_speed_after
from remora.equations.actuators.propulsion import static_thrusters_wrench, thruster_now
from remora.equations.actuators.slewing import moves_at_once, slewed_output, slewing_acceleration, slewing_speed
from remora.equations.actuators.thrusters import advance_speed, lag_decay, lagged_output, rises
from remora.equations.algebra.elementary import select
from remora.equations.algebra.pose import BodyState
from remora.equations.algebra.vectors import Twist, Vector6
from remora.equations.packed import (
    Layout,
    actuator_count,
    has_motor_at,
    motor_at,
    motor_start,
)
from remora.equations.plant import actuator_lag_time, actuator_slew, actuator_target
from remora.equations.water.local_water import Water
from remora.files.arrays import Array
from remora.kernels.stages.body import through_water


def node_of_stage(weights: Array, s: int) -> int:
    """Which of the nodes of a step a stage stands at: several stages may share one."""
    return int(weights[weights.shape[1] + 2, s])


def time_of_stage(weights: Array, s: int) -> float:
    """Where in its step a stage stands, from 0 to 1."""
    time = 0.0
    for j in range(s):
        time += weights[s, j]
    return time


def time_of_node(weights: Array, nodes: int, n: int) -> float:
    """Where in its step a node stands, from 0 to 1; the last one is its end."""
    if n < nodes - 1:
        for s in range(weights.shape[1]):
            if node_of_stage(weights, s) == n:
                return time_of_stage(weights, s)
    return 1.0


def fill_decays(row: Array, layout: Layout, weights: Array, step: float, decays: Array) -> None:
    """What is left of each actuator's lag at each node of a step: decays[actuator, falling or rising, node]."""
    end = decays.shape[2] - 1
    for i in range(actuator_count(layout)):
        for rising in range(2):
            time_constant = actuator_lag_time(row, layout, i, rising == 1)
            for s in range(weights.shape[1]):
                decays[i, rising, node_of_stage(weights, s)] = lag_decay(
                    time_of_stage(weights, s) * step, time_constant
                )
            decays[i, rising, end] = lag_decay(step, time_constant)


def keep_push(pushes: Array, n: int, push: Vector6) -> None:
    """Write the wrench at a node."""
    for i in range(6):
        pushes[n, i] = push[i]


def begin_pushes(
    row: Array,
    layout: Layout,
    decays: Array,
    start: Array,
    commands: Array,
    targets: Array,
    outputs: Array,
    pushes: Array,
) -> None:
    """Take up fresh commands: targets of the actuators, and what they do at the start of the first step.

    Their outputs there are taken as they are, not computed: a run in pieces comes out like the whole, bit by bit.
    """
    for i in range(targets.size):
        targets[i] = actuator_target(row, layout, i, commands[i])
        lags = select(rises(start[i], targets[i]), decays[i, 1, 0], decays[i, 0, 0]) > 0.0
        outputs[0, i] = select(lags, start[i], targets[i])
    if layout.slewing + layout.motors > 0:
        begin_uncommon(row, layout, start, targets, outputs[0])
    keep_push(pushes, 0, static_thrusters_wrench(row, layout, outputs[0]))


def fill_pushes(
    row: Array,
    layout: Layout,
    weights: Array,
    step: float,
    decays: Array,
    start: Array,
    targets: Array,
    outputs: Array,
    pushes: Array,
    x: BodyState,
    water: Water,
    since: float,
) -> None:
    """What the actuators do at the nodes of a step behind its start.

    Their outputs, from those at the start of the step: outputs[node, actuator]; and pushes[node], the wrench of
    thrusters that do not feel the water. The state x is that at the start of the step, so long since the inputs came.
    """
    for n in range(1, outputs.shape[0]):
        for i in range(targets.size):
            decay = select(rises(start[i], targets[i]), decays[i, 1, n], decays[i, 0, n])
            outputs[n, i] = lagged_output(start[i], targets[i], decay)
        if layout.slewing + layout.motors > 0:
            elapsed = step * time_of_node(weights, outputs.shape[0], n)
            fill_uncommon(row, layout, start, targets, elapsed, x, water, since, outputs[n])
        keep_push(pushes, n, static_thrusters_wrench(row, layout, outputs[n]))


def begin_uncommon(row: Array, layout: Layout, start: Array, targets: Array, outputs: Array) -> None:
    """Outputs that are no plain lags at the start of a first step: where they are, unless they move at once."""
    if layout.motors:
        for i in range(layout.thrusters):
            has_motor = has_motor_at(row, motor_start(layout, i)) > 0.5
            outputs[i] = select(has_motor, start[i], outputs[i])
    if layout.slewing:
        for i in range(layout.thrusters, targets.size):
            at_once = moves_at_once(actuator_slew(row, layout, i))
            outputs[i] = select(at_once, targets[i], start[i])
        keep_speeds(row, layout, targets, outputs)


def fill_uncommon(
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
    """Outputs that are no plain lags after a time of a step; the advance speed of motors is that at its start."""
    if layout.motors:
        fill_motors(row, layout, start, targets, elapsed, through_water(x, water, since), outputs)
    if layout.slewing:
        for i in range(layout.thrusters, targets.size):
            outputs[i] = slewed_output(actuator_slew(row, layout, i), start[i], targets[i], elapsed)
        keep_speeds(row, layout, targets, outputs)


def keep_speeds(row: Array, layout: Layout, targets: Array, outputs: Array) -> None:
    """Write the speeds and accelerations of loads behind the outputs."""
    actuators = actuator_count(layout)
    for i in range(actuators - layout.loads, actuators):
        slew = actuator_slew(row, layout, i)
        outputs[i + layout.loads] = slewing_speed(slew, outputs[i], targets[i])
        outputs[i + 2 * layout.loads] = slewing_acceleration(slew, outputs[i], targets[i])


def fill_motors(
    row: Array, layout: Layout, start: Array, targets: Array, elapsed: float, twist: Twist, outputs: Array
) -> None:
    """Shaft speeds of motors after a time, at the advance speed of a twist."""
    for i in range(layout.thrusters):
        k = motor_start(layout, i)
        advance = advance_speed(thruster_now(row, layout, i, start), twist)
        speed = motor_speed_after(motor_at(row, k), targets[i], start[i], advance, elapsed)
        outputs[i] = select(has_motor_at(row, k) > 0.5, speed, outputs[i])


def output_rate(row: Array, layout: Layout, outputs: Array, i: int, target: float, twist: Twist) -> float:
    """Rate of one output; an actuator without lag is at its target and has none."""
    if i >= layout.thrusters:
        return slewing_speed(actuator_slew(row, layout, i), outputs[i], target)
    lag = actuator_lag_time(row, layout, i, rises(outputs[i], target))
    rate = (target - outputs[i]) / lag if lag > 0.0 else 0.0
    if layout.motors:
        k = motor_start(layout, i)
        if has_motor_at(row, k) > 0.5:
            advance = advance_speed(thruster_now(row, layout, i, outputs), twist)
            return motor_speed_rate(motor_at(row, k), target, outputs[i], advance)
    return rate


def end_pushes(outputs: Array, pushes: Array, start: Array) -> None:
    """Let the next step begin with what the actuators do at the end of this one."""
    last = outputs.shape[0] - 1
    for i in range(start.size):
        outputs[0, i] = start[i] = outputs[last, i]
    for i in range(start.size, outputs.shape[1]):
        outputs[0, i] = outputs[last, i]
    for i in range(6):
        pushes[0, i] = pushes[last, i]
