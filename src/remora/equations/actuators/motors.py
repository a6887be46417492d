"""Shaft speed of a direct-current motor under a held voltage, in closed form.

Along the direction of rotation, y = |n| obeys y' = push - brake y - drag y^2: a Riccati equation with constant
coefficients while voltage and advance speed are held. A motor that reverses passes through zero.
"""

from typing import NamedTuple

from remora.equations.actuators.drives import Motor
from remora.equations.algebra.elementary import atan2, both, cos, exp, log, maximum, minimum, select, sin, sqrt, tanh
from remora.equations.types import AdvanceSpeed, Seconds, ShaftSpeed

NEVER = 1e12  # s


class Riccati(NamedTuple):
    """Coefficients of y' = push - brake y - drag y^2."""

    push: float
    brake: float
    drag: float


def motor_equation(motor: Motor, voltage: float, advance: AdvanceSpeed, direction: float) -> Riccati:
    """The Riccati equation of a motor whose shaft turns in a direction. Nielsen 2018, eq. 5.13.

    `direction` is +1 or -1.
    """
    push = motor.torque_constant * voltage / motor.resistance
    electric = motor.torque_constant * motor.torque_constant / motor.resistance
    brake = electric + motor.friction - motor.propeller_relief * advance
    return Riccati(direction * push / motor.inertia, brake / motor.inertia, motor.propeller_torque / motor.inertia)


def quarter_discriminant(equation: Riccati) -> float:
    """Discriminant / 4: positive where y settles like a hyperbolic tangent, negative where it falls like a tangent."""
    return 0.25 * equation.brake * equation.brake + equation.push * equation.drag


def riccati_value(equation: Riccati, start: float, elapsed: Seconds) -> float:
    """y after a time, from its initial value.

    The sum and the difference of g and half the brake, whose product is push times drag, are each computed in the form
    without cancellation: a windmilling propeller has a negative brake.
    """
    push, drag, half = equation.push, equation.drag, 0.5 * equation.brake
    quarter = quarter_discriminant(equation)
    g = sqrt(abs(quarter))
    turn = g * elapsed
    settles, moves = quarter > 0.0, turn > 0.0
    angle = select(moves, turn, 1.0)
    left = select(settles, 2.0 / (1.0 + exp(2.0 * minimum(turn, 300.0))), cos(turn))  # 1 - tanh, or the cosine
    s = elapsed * select(moves, select(settles, tanh(turn), sin(turn)) / angle, 1.0)
    total = select(half < 0.0, push * drag / select(half < 0.0, g - half, 1.0), g + half)
    difference = select(half > 0.0, push * drag / select(half > 0.0, g + half, 1.0), g - half)
    below = left + s * (select(settles, total, half) + drag * start)
    above = start * left + s * (push + start * select(settles, difference, -half))
    return above / select(below == 0.0, 1.0, below)


def inverse_tanh(x: float) -> float:
    """Inverse hyperbolic tangent on [0, 1); by its series where the logarithm loses digits."""
    inside = minimum(x, 1.0 - 1e-15)
    x2 = inside * inside
    series = inside * (1.0 + x2 * (1.0 / 3.0 + x2 * (1.0 / 5.0 + x2 * (1.0 / 7.0 + x2 / 9.0))))
    return select(inside < 0.01, series, 0.5 * log((1.0 + inside) / (1.0 - inside)))


def time_to_zero(equation: Riccati, start: float) -> float:
    """Time until y reaches zero from a positive start, s; NEVER unless the push is negative and strong enough."""
    quarter = quarter_discriminant(equation)
    g = sqrt(abs(quarter))
    lever = 0.5 * equation.brake * start - equation.push
    ahead = lever > 0.0
    ratio = g * start / select(ahead, lever, 1.0)
    g_or_one = select(g > 0.0, g, 1.0)
    by_tanh = select(both(ahead, ratio < 1.0), inverse_tanh(ratio) / g_or_one, NEVER)
    by_tan = atan2(g * start, lever) / g_or_one
    straight = start / select(ahead, lever, 1.0)
    moving = select(quarter > 0.0, by_tanh, select(quarter < 0.0, by_tan, straight))
    return select(both(equation.push < 0.0, start > 0.0), moving, select(start > 0.0, NEVER, 0.0))


def motor_speed_after(
    motor: Motor, voltage: float, speed: ShaftSpeed, advance: AdvanceSpeed, elapsed: Seconds
) -> float:
    """Shaft speed after a time with held voltage and advance speed: exact solution of `drives.motor_speed_rate`."""
    with_voltage = select(voltage < 0.0, -1.0, 1.0)
    direction = select(speed > 0.0, 1.0, select(speed < 0.0, -1.0, with_voltage))
    now = motor_equation(motor, voltage, advance, direction)
    turned = motor_equation(motor, voltage, advance, -direction)
    to_zero = select(speed == 0.0, NEVER, time_to_zero(now, abs(speed)))
    before = riccati_value(now, abs(speed), minimum(elapsed, to_zero))
    after = riccati_value(turned, 0.0, maximum(elapsed - to_zero, 0.0))
    return direction * select(elapsed < to_zero, before, -after)


def steady_motor_speed(motor: Motor, voltage: float, advance: AdvanceSpeed) -> float:
    """Steady shaft speed at a held voltage, rad/s."""
    direction = select(voltage < 0.0, -1.0, 1.0)
    equation = motor_equation(motor, voltage, advance, direction)
    half, g = 0.5 * equation.brake, sqrt(quarter_discriminant(equation))
    windmilling = (g - half) / select(equation.drag > 0.0, equation.drag, 1.0)
    below = select(half < 0.0, 1.0, g + half)
    driven = equation.push / select(below > 0.0, below, 1.0)
    return direction * select(both(half < 0.0, equation.push > 0.0), windmilling, driven)


def voltage_for_speed(motor: Motor, speed: ShaftSpeed, advance: AdvanceSpeed) -> float:
    """Voltage that holds a shaft speed, V."""
    propeller = (motor.propeller_torque * abs(speed) - motor.propeller_relief * advance) * speed
    return (
        motor.torque_constant * speed + motor.resistance * (motor.friction * speed + propeller) / motor.torque_constant
    )
