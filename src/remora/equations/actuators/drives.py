"""Thruster drives: pulse widths, command maps, motors, batteries and shaft-speed feedback.

Outputs follow their targets by lags that are solved exactly; see also `equations.actuators.thrusters`.
"""

from typing import NamedTuple

from remora.equations.actuators.thrusters import lag_decay
from remora.equations.algebra.elementary import either, exp, floor, log, maximum, minimum, select, sqrt
from remora.equations.types import AdvanceSpeed, Seconds, ShaftSpeed

# How the water meets a propeller, after the flume tests of Proctor 2014.
AT_REST, EQUI_DIRECTIONAL, ANTI_DIRECTIONAL, VAGUE_DIRECTIONAL = 0.0, 1.0, 2.0, 3.0


def quantised(command: float, resolution: float) -> float:
    """The nearest multiple of the resolution; halves round up."""
    return resolution * floor(command / resolution + 0.5)


def outside_dead_band(command: float, width: float) -> float:
    """The command, or zero inside the dead band; without an offset beyond it."""
    return select(abs(command) < width, 0.0, command)


class PulseThrust(NamedTuple):
    """Thrust from a pulse width, both relative to neutral: linear x + quadratic |x| x (Nielsen 2018, eq. 4.8)."""

    linear: float  # N per microsecond
    quadratic: float  # N per squared microsecond
    dead_zone: float  # microseconds each way


def thrust_from_pulse(law: PulseThrust, pulse: float) -> float:
    """Static thrust of a pulse width relative to neutral. Nielsen 2018, eq. 4.8."""
    return (law.linear + law.quadratic * abs(pulse)) * outside_dead_band(pulse, law.dead_zone)


def pulse_from_thrust(law: PulseThrust, force: float) -> float:
    """Pulse width that gives a thrust; at least the edge of the dead zone."""
    size = abs(force)
    # The positive root, written so that it also holds for a law without quadratic part.
    root = 2.0 * size / (law.linear + sqrt(law.linear * law.linear + 4.0 * law.quadratic * size))
    return select(size == 0.0, 0.0, select(force > 0.0, 1.0, -1.0) * maximum(root, law.dead_zone))


class PulseSpeed(NamedTuple):
    """Shaft speed from a pulse width relative to neutral: scale |x|^exponent (Nielsen 2018, eq. 5.10)."""

    scale: float  # rad/s
    exponent: float
    dead_zone: float  # microseconds each way


def speed_from_pulse(law: PulseSpeed, pulse: float) -> float:
    """Steady shaft speed of a pulse width, regulated by the motor controller. Nielsen 2018, eq. 5.10."""
    size = abs(pulse)
    turns = size >= maximum(law.dead_zone, 1e-12)
    speed = law.scale * exp(law.exponent * log(select(turns, size, 1.0)))
    return select(turns, select(pulse > 0.0, speed, -speed), 0.0)


def pulse_from_speed(law: PulseSpeed, speed: float) -> float:
    """Pulse width that gives a shaft speed; at least the edge of the dead zone."""
    turns = abs(speed) > 0.0
    pulse = exp(log(select(turns, abs(speed), 1.0) / law.scale) / law.exponent)
    return select(turns, select(speed > 0.0, 1.0, -1.0) * maximum(pulse, law.dead_zone), 0.0)


class Motor(NamedTuple):
    """A direct-current motor with its propeller (Nielsen 2018, eq. 5.11 to 5.13)."""

    inertia: float  # kg m2, rotor, propeller and the water in it
    resistance: float  # ohm
    torque_constant: float  # N m/A, and V s/rad of the back voltage: one number in SI
    friction: float  # N m s/rad
    propeller_torque: float  # N m s2/rad2, at rest in the water
    propeller_relief: float  # N m s2/(rad m): torque that an advance speed takes off


def motor_current(motor: Motor, voltage: float, speed: ShaftSpeed) -> float:
    """Motor current, A; negative while it brakes and feeds power back."""
    return (voltage - motor.torque_constant * speed) / motor.resistance


def propeller_torque(motor: Motor, speed: ShaftSpeed, advance: AdvanceSpeed) -> float:
    """Torque of the water on the propeller, against its rotation, N m. Nielsen 2018, eq. 5.11."""
    return (motor.propeller_torque * abs(speed) - motor.propeller_relief * advance) * speed


def motor_speed_rate(motor: Motor, voltage: float, speed: ShaftSpeed, advance: AdvanceSpeed) -> float:
    """Rate of the shaft speed, rad/s2: motor torque less friction and propeller torque. Nielsen 2018, eq. 5.13."""
    driving = motor.torque_constant * motor_current(motor, voltage, speed)
    return (driving - motor.friction * speed - propeller_torque(motor, speed, advance)) / motor.inertia


def flow_regime(
    speed: ShaftSpeed, thrust_direction: float, advance: AdvanceSpeed, diameter: float, critical_advance_ratio: float
) -> float:
    """Flow regime of a propeller: at rest, equi-, anti- or vague-directional.

    Equi-directional: the vehicle moves in the direction of the thrust, or is at rest. Anti-directional: thrust against
    the motion, and the jet prevails. Vague-directional: the ratio of advance and tip speed exceeds the limit, and no
    thrust curve holds. Proctor 2014, ch. 3.

    `thrust_direction` is +1 or -1, the sign of the thrust along the axis; the critical ratio is advance speed over
    shaft speed x diameter.
    """
    against = -thrust_direction * advance
    loses = against > critical_advance_ratio * abs(speed) * diameter
    fighting = select(loses, VAGUE_DIRECTIONAL, ANTI_DIRECTIONAL)
    return select(speed == 0.0, AT_REST, select(against > 0.0, fighting, EQUI_DIRECTIONAL))


def rate_limited_lag(
    output: float, target: float, elapsed: Seconds, time_constant: Seconds, rate_limit: float
) -> float:
    """Rate-limited first-order lag after a time with a held target, exactly.

    The output moves at the rate limit until the rest is within time constant x rate limit, then settles as a lag. A
    time constant of zero gives a plain ramp.
    """
    left = target - output
    size = abs(left)
    knee = minimum(size, rate_limit * time_constant)
    ramp = (size - knee) / rate_limit
    settled = knee * lag_decay(maximum(elapsed - ramp, 0.0), time_constant)
    remaining = select(elapsed < ramp, size - rate_limit * minimum(elapsed, ramp), settled)
    return target - select(left > 0.0, 1.0, -1.0) * remaining


class Battery(NamedTuple):
    """A battery with an open-circuit voltage linear in its state of charge, and an internal resistance."""

    full_voltage: float  # V, open
    empty_voltage: float  # V, open
    resistance: float  # ohm
    capacity: float  # J


def terminal_voltage(battery: Battery, charge: float, power: float) -> float:
    """Terminal voltage under load: upper root of V^2 - E V + R P = 0, V.

    Beyond the largest power of the battery, half of the open-circuit voltage remains. The charge is from 0 to 1, the
    power drawn in W.
    """
    share = minimum(maximum(charge, 0.0), 1.0)
    open_voltage = battery.empty_voltage + share * (battery.full_voltage - battery.empty_voltage)
    room = open_voltage * open_voltage - 4.0 * battery.resistance * power
    return 0.5 * (open_voltage + sqrt(maximum(room, 0.0)))


def charge_rate(battery: Battery, charge: float, power: float) -> float:
    """Rate of the state of charge, 1/s: power drawn and internal losses; an empty battery stays empty.

    The charge is from 0 to 1, the power drawn in W.
    """
    voltage = terminal_voltage(battery, charge, power)
    current = power / voltage
    taken = power + battery.resistance * current * current
    return select(either(charge > 0.0, power < 0.0), -taken / battery.capacity, 0.0)


def counted_speed(poles: float, counts: float, interval: Seconds) -> float:
    """Shaft speed as an electronic speed controller reports it: zero crossings counted over an interval, rad/s."""
    return 6.283185307179586 * counts / (0.5 * poles * interval)


def counts_of_turning(poles: float, turned: float) -> float:
    """Number of whole zero crossings during a rotation of the shaft in radians."""
    return floor(0.5 * poles * turned / 6.283185307179586)


def power_from_speed(per_cubed_speed: float, speed: float) -> float:
    """Electric power of a thruster from its shaft speed: proportional to its cube, W."""
    return per_cubed_speed * abs(speed) * speed * speed


def power_from_thrust(per_thrust: float, force: float) -> float:
    """Electric power of a thruster from its static thrust: proportional to thrust^(3/2), W."""
    return per_thrust * abs(force) * sqrt(abs(force))
