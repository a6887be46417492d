"""Shaft speed of a thruster over pulse width and supply voltage, for controllers without speed regulation."""

from typing import NamedTuple

from remora.equations.algebra.elementary import exp, log, maximum, select, sqrt


class VoltageSpeed(NamedTuple):
    """Steady shaft speed in still water from pulse width, relative to neutral, and supply voltage.

    At full pulse the supply balances the back voltage and the current of the propeller torque: `back` n + `load` n^2 =
    V. In between the speed is a power of the pulse width beyond the starting pulse, with an exponent that grows with
    the square of the voltage, because strong currents are throttled at part pulse.
    """

    back: float  # V s/rad
    load: float  # V s2/rad2
    exponent: float  # at zero voltage
    exponent_growth: float  # per V2
    start_voltage: float  # V: relative pulse x voltage below which the shaft does not turn
    full_pulse: float  # microseconds away from neutral


def speed_at_full_pulse(law: VoltageSpeed, voltage: float) -> float:
    """Shaft speed at full pulse: positive root of back n + load n^2 = V, rad/s."""
    return 2.0 * voltage / (law.back + sqrt(law.back * law.back + 4.0 * law.load * voltage))


def starting_pulse(law: VoltageSpeed, voltage: float) -> float:
    """Pulse width relative to neutral at which the shaft starts to turn, microseconds."""
    return law.full_pulse * law.start_voltage / voltage


def speed_from_pulse_and_voltage(law: VoltageSpeed, pulse: float, voltage: float) -> float:
    """Steady shaft speed, rad/s; zero below the starting pulse.

    The pulse is relative to neutral, in microseconds.
    """
    start = starting_pulse(law, voltage)
    share = maximum((abs(pulse) - start) / (law.full_pulse - start), 0.0)
    turns = share > 0.0
    exponent = law.exponent + law.exponent_growth * voltage * voltage
    size = speed_at_full_pulse(law, voltage) * exp(exponent * log(select(turns, share, 1.0)))
    return select(turns, select(pulse > 0.0, size, -size), 0.0)
