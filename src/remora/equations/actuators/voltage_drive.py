"""Shaft speed of a thruster over pulse width and supply voltage, for controllers that do not regulate the speed."""

from typing import NamedTuple

from remora.equations.algebra.elementary import exp, log, maximum, select, sqrt


class VoltageSpeed(NamedTuple):
    """Steady shaft speed in still water from a pulse width, counted from neutral, and the voltage of the supply.

    At full pulse the voltage balances the back voltage and the current that the propeller's torque asks for:
    `back` n + `load` n^2 = V. In between the speed grows as a power of the pulse width beyond that at which the shaft
    starts, with an exponent that rises with the square of the voltage: strong currents are throttled at part pulse.
    """

    back: float  # V s/rad
    load: float  # V s2/rad2
    exponent: float  # towards no voltage
    exponent_growth: float  # per V2
    start_voltage: float  # V: share of the pulse times voltage below which the shaft stands
    full_pulse: float  # microseconds away from neutral


def speed_at_full_pulse(law: VoltageSpeed, voltage: float) -> float:
    """Shaft speed at full pulse: the positive root of back n + load n^2 = V."""
    return 2.0 * voltage / (law.back + sqrt(law.back * law.back + 4.0 * law.load * voltage))


def starting_pulse(law: VoltageSpeed, voltage: float) -> float:
    """The pulse width away from neutral at which the shaft begins to turn."""
    return law.full_pulse * law.start_voltage / voltage


def speed_from_pulse_and_voltage(law: VoltageSpeed, pulse: float, voltage: float) -> float:
    """Steady shaft speed, rad/s; still between neutral and the starting pulse."""
    start = starting_pulse(law, voltage)
    share = maximum((abs(pulse) - start) / (law.full_pulse - start), 0.0)
    turns = share > 0.0
    exponent = law.exponent + law.exponent_growth * voltage * voltage
    size = speed_at_full_pulse(law, voltage) * exp(exponent * log(select(turns, share, 1.0)))
    return select(turns, select(pulse > 0.0, size, -size), 0.0)
