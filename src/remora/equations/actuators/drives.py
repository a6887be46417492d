"""What stands between a command and a turning propeller: pulses, maps, motors, batteries, and what is reported back.

Outputs follow their targets by lags that are solved exactly; see also `equations.thrusters`.
"""

from typing import NamedTuple

from remora.equations.actuators.thrusters import lag_decay
from remora.equations.algebra.elementary import either, exp, floor, log, maximum, minimum, select, sqrt

# How the water meets a propeller, after the flume tests of Proctor 2014.
AT_REST, EQUI_DIRECTIONAL, ANTI_DIRECTIONAL, VAGUE_DIRECTIONAL = 0.0, 1.0, 2.0, 3.0


def quantised(command: float, resolution: float) -> float:
    """The nearest multiple of the resolution; halves go up."""
    return resolution * floor(command / resolution + 0.5)


def outside_dead_band(command: float, width: float) -> float:
    """The command, or nothing when it is smaller than the dead band; nothing is taken off beyond it."""
    return select(abs(command) < width, 0.0, command)


class PulseThrust(NamedTuple):
    """Thrust from a pulse width, both counted from neutral: linear x + quadratic |x| x (Nielsen 2018, eq. 4.8)."""

    linear: float  # N per microsecond
    quadratic: float  # N per squared microsecond
    dead_zone: float  # microseconds each way


def thrust_from_pulse(law: PulseThrust, pulse: float) -> float:
    """Static thrust of a pulse width away from neutral."""
    return (law.linear + law.quadratic * abs(pulse)) * outside_dead_band(pulse, law.dead_zone)


def pulse_from_thrust(law: PulseThrust, force: float) -> float:
    """The pulse width that gives a thrust; the edge of the dead zone where it would lie inside."""
    size = abs(force)
    # The positive root, written so that it also holds for a law without quadratic part.
    root = 2.0 * size / (law.linear + sqrt(law.linear * law.linear + 4.0 * law.quadratic * size))
    return select(size == 0.0, 0.0, select(force > 0.0, 1.0, -1.0) * maximum(root, law.dead_zone))


class PulseSpeed(NamedTuple):
    """Shaft speed from a pulse width away from neutral: scale |x|^exponent (Nielsen 2018, eq. 5.10)."""

    scale: float  # rad/s
    exponent: float
    dead_zone: float  # microseconds each way


def speed_from_pulse(law: PulseSpeed, pulse: float) -> float:
    """Steady shaft speed of a pulse width; the controller of the motor holds it against the inflow."""
    size = abs(pulse)
    turns = size >= maximum(law.dead_zone, 1e-12)
    speed = law.scale * exp(law.exponent * log(select(turns, size, 1.0)))
    return select(turns, select(pulse > 0.0, speed, -speed), 0.0)


def pulse_from_speed(law: PulseSpeed, speed: float) -> float:
    """The pulse width that gives a shaft speed; the edge of the dead zone where it would lie inside."""
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


def motor_current(motor: Motor, voltage: float, speed: float) -> float:
    """Current through the motor, A; negative while it brakes and gives power back."""
    return (voltage - motor.torque_constant * speed) / motor.resistance


def propeller_torque(motor: Motor, speed: float, advance: float) -> float:
    """Torque of the water on the propeller, against its rotation."""
    return (motor.propeller_torque * abs(speed) - motor.propeller_relief * advance) * speed


def motor_speed_rate(motor: Motor, voltage: float, speed: float, advance: float) -> float:
    """Rate of the shaft speed: motor torque less friction and propeller torque, over the inertia."""
    driving = motor.torque_constant * motor_current(motor, voltage, speed)
    return (driving - motor.friction * speed - propeller_torque(motor, speed, advance)) / motor.inertia


def flow_regime(speed: float, thrust_direction: float, advance: float, diameter: float, losing_ratio: float) -> float:
    """Which of the four ways the water meets the propeller.

    Equi-directional: the vehicle moves the way the thruster pushes, or stands. Anti-directional: it pushes against the
    motion and its jet wins. Vague-directional: it is too slow for that, at a ratio of advance and tip speed beyond the
    losing one; no thrust curve holds there. Proctor 2014, ch. 3.
    """
    against = -thrust_direction * advance
    loses = against > losing_ratio * abs(speed) * diameter
    fighting = select(loses, VAGUE_DIRECTIONAL, ANTI_DIRECTIONAL)
    return select(speed == 0.0, AT_REST, select(against > 0.0, fighting, EQUI_DIRECTIONAL))


def rate_limited_lag(output: float, target: float, elapsed: float, time_constant: float, largest_rate: float) -> float:
    """A first-order lag that can only move so fast, after a time with a held target, exactly.

    It moves at the largest rate until what is left is within the time constant at that rate, then settles as a lag.
    A time constant of zero leaves a plain ramp.
    """
    left = target - output
    size = abs(left)
    knee = minimum(size, largest_rate * time_constant)
    ramp = (size - knee) / largest_rate
    settled = knee * lag_decay(maximum(elapsed - ramp, 0.0), time_constant)
    remaining = select(elapsed < ramp, size - largest_rate * minimum(elapsed, ramp), settled)
    return target - select(left > 0.0, 1.0, -1.0) * remaining


class Battery(NamedTuple):
    """A battery as a voltage that falls with its charge, behind a resistance."""

    full_voltage: float  # V, open
    empty_voltage: float  # V, open
    resistance: float  # ohm
    capacity: float  # J


def terminal_voltage(battery: Battery, charge: float, power: float) -> float:
    """Voltage at the terminals at a charge between 0 and 1 while power is drawn: V^2 - E V + R P = 0, the upper root.

    Beyond the largest power that the battery can give, half of the open voltage is left.
    """
    share = minimum(maximum(charge, 0.0), 1.0)
    open_voltage = battery.empty_voltage + share * (battery.full_voltage - battery.empty_voltage)
    room = open_voltage * open_voltage - 4.0 * battery.resistance * power
    return 0.5 * (open_voltage + sqrt(maximum(room, 0.0)))


def charge_rate(battery: Battery, charge: float, power: float) -> float:
    """Rate of the charge, per second: the power drawn and that lost in the battery; an empty battery stays empty."""
    voltage = terminal_voltage(battery, charge, power)
    current = power / voltage
    taken = power + battery.resistance * current * current
    return select(either(charge > 0.0, power < 0.0), -taken / battery.capacity, 0.0)


def counted_speed(poles: float, counts: float, interval: float) -> float:
    """Shaft speed in rad/s as an electronic speed controller reports it: zero crossings counted over an interval."""
    return 6.283185307179586 * counts / (0.5 * poles * interval)


def counts_of_turning(poles: float, turned: float) -> float:
    """Whole zero crossings while the shaft turned by an angle in radians."""
    return floor(0.5 * poles * turned / 6.283185307179586)


def power_from_speed(per_cubed_speed: float, speed: float) -> float:
    """Electric power of a thruster by its shaft speed: torque grows with the square of it."""
    return per_cubed_speed * abs(speed) * speed * speed


def power_from_thrust(per_thrust: float, force: float) -> float:
    """Electric power of a thruster by its thrust at rest: thrust to the power 3/2, as for any actuator disc."""
    return per_thrust * abs(force) * sqrt(abs(force))
