"""Units of measurement, and the dimensions of quantities in input files.

A unit is a product of symbols with whole powers, such as "kg m2/s" or "N s2/rad2". Everything after a slash divides.
"""

import math
import re
from functools import lru_cache
from typing import NamedTuple, TypeAlias

SECOND = 1_000_000_000  # ns
NEVER = 1 << 62  # ns or steps, beyond any run

# Powers of kilogram, metre, second, ampere and radian; the radian distinguishes rpm from Hz.
Powers: TypeAlias = tuple[float, float, float, float, float]

STANDARD_GRAVITY = 9.80665  # m/s2, the definition of the kilogram-force


class Unit(NamedTuple):
    """Factor to SI and powers of the base units."""

    factor: float
    powers: Powers


def _unit(factor: float, kg: float = 0, m: float = 0, s: float = 0, A: float = 0, rad: float = 0) -> Unit:
    return Unit(factor, (kg, m, s, A, rad))


_SYMBOLS: dict[str, Unit] = {
    "1": _unit(1.0),
    "%": _unit(0.01),
    "ppm": _unit(1e-6),
    "px": _unit(1.0),
    "kg": _unit(1.0, kg=1),
    "g": _unit(1e-3, kg=1),
    "t": _unit(1e3, kg=1),
    "m": _unit(1.0, m=1),
    "km": _unit(1e3, m=1),
    "cm": _unit(1e-2, m=1),
    "mm": _unit(1e-3, m=1),
    "um": _unit(1e-6, m=1),
    "nm": _unit(1e-9, m=1),
    "L": _unit(1e-3, m=3),
    "l": _unit(1e-3, m=3),
    "litre": _unit(1e-3, m=3),
    "s": _unit(1.0, s=1),
    "ms": _unit(1e-3, s=1),
    "us": _unit(1e-6, s=1),
    "ns": _unit(1e-9, s=1),
    "min": _unit(60.0, s=1),
    "h": _unit(3600.0, s=1),
    "rth": _unit(60.0, s=0.5),
    "Hz": _unit(1.0, s=-1),
    "kHz": _unit(1e3, s=-1),
    "MHz": _unit(1e6, s=-1),
    "GHz": _unit(1e9, s=-1),
    "rtHz": _unit(1.0, s=-0.5),
    "kn": _unit(1852.0 / 3600.0, m=1, s=-1),
    "rad": _unit(1.0, rad=1),
    "mrad": _unit(1e-3, rad=1),
    "deg": _unit(math.pi / 180.0, rad=1),
    "rev": _unit(2.0 * math.pi, rad=1),
    "rpm": _unit(2.0 * math.pi / 60.0, s=-1, rad=1),
    "milli_g": _unit(1e-3 * STANDARD_GRAVITY, m=1, s=-2),
    "micro_g": _unit(1e-6 * STANDARD_GRAVITY, m=1, s=-2),
    "N": _unit(1.0, kg=1, m=1, s=-2),
    "kN": _unit(1e3, kg=1, m=1, s=-2),
    "kgf": _unit(STANDARD_GRAVITY, kg=1, m=1, s=-2),
    "gf": _unit(1e-3 * STANDARD_GRAVITY, kg=1, m=1, s=-2),
    "Pa": _unit(1.0, kg=1, m=-1, s=-2),
    "kPa": _unit(1e3, kg=1, m=-1, s=-2),
    "MPa": _unit(1e6, kg=1, m=-1, s=-2),
    "bar": _unit(1e5, kg=1, m=-1, s=-2),
    "mbar": _unit(1e2, kg=1, m=-1, s=-2),
    "dbar": _unit(1e4, kg=1, m=-1, s=-2),
    "J": _unit(1.0, kg=1, m=2, s=-2),
    "W": _unit(1.0, kg=1, m=2, s=-3),
    "kW": _unit(1e3, kg=1, m=2, s=-3),
    "Wh": _unit(3600.0, kg=1, m=2, s=-2),
    "kWh": _unit(3.6e6, kg=1, m=2, s=-2),
    "A": _unit(1.0, A=1),
    "Ah": _unit(3600.0, s=1, A=1),
    "V": _unit(1.0, kg=1, m=2, s=-3, A=-1),
    "ohm": _unit(1.0, kg=1, m=2, s=-3, A=-2),
    "mohm": _unit(1e-3, kg=1, m=2, s=-3, A=-2),
    "T": _unit(1.0, kg=1, s=-2, A=-1),
    "uT": _unit(1e-6, kg=1, s=-2, A=-1),
    "nT": _unit(1e-9, kg=1, s=-2, A=-1),
}
_OTHER_SPELLINGS = {"·": " ", "*": " ", "^": "", "²": "2", "³": "3", "°": "deg", "(": " ", ")": " ", "µ": "u"}
_FACTOR = re.compile(r"([A-Za-z_%]+|1(?!\d))(-?\d+)?")


@lru_cache(maxsize=512)
def unit_named(text: str) -> Unit | None:
    """The unit of a text, or None."""
    for spelling, plain in _OTHER_SPELLINGS.items():
        text = text.replace(spelling, plain)
    factor = 1.0
    powers = [0.0] * 5
    for place, group in enumerate(text.split("/")):
        if not group.split():
            return None
        for word in group.split():
            match = _FACTOR.fullmatch(word)
            if match is None or match[1] not in _SYMBOLS:
                return None
            power = int(match[2] or 1) * (1 if place == 0 else -1)
            symbol = _SYMBOLS[match[1]]
            factor *= symbol.factor**power
            powers = [old + power * new for old, new in zip(powers, symbol.powers, strict=True)]
    return Unit(factor, (powers[0], powers[1], powers[2], powers[3], powers[4]))


class Dimension(NamedTuple):
    """Dimension of a quantity; the first unit is SI, the others are proposed in messages."""

    words: str
    units: tuple[str, ...]
    angle_counts: bool = False  # True: radians must match too, as for rad/s and Hz

    def accepts(self, unit: Unit) -> bool:
        """Whether a unit measures this."""
        own = self.powers
        return unit.powers[:4] == own[:4] and (not self.angle_counts or unit.powers[4] == own[4])

    @property
    def powers(self) -> Powers:
        """Powers of the SI unit."""
        unit = unit_named(self.units[0])
        assert unit is not None, f"unknown SI unit {self.units[0]}"
        return unit.powers


MASS = Dimension("a mass", ("kg", "g", "t"))
LENGTH = Dimension("a length", ("m", "cm", "mm"))
AREA = Dimension("an area", ("m2", "cm2", "mm2"))
VOLUME = Dimension("a volume", ("m3", "litre", "L"))
MOMENT_OF_INERTIA = Dimension("a moment of inertia", ("kg m2", "kg cm2"))
DENSITY = Dimension("a density", ("kg/m3", "g/cm3"))
ACCELERATION = Dimension("an acceleration", ("m/s2", "milli_g"))
JERK = Dimension("a jerk", ("m/s3", "cm/s3"))
FORCE = Dimension("a force", ("N", "kgf"))
THRUST_RATE = Dimension("a thrust per time", ("N/s", "kgf/s"))
PRESSURE = Dimension("a pressure", ("Pa", "mbar", "kPa"))
SPEED = Dimension("a speed", ("m/s", "cm/s", "kn"))
TIME = Dimension("a time", ("s", "ms", "min"))
ANGLE = Dimension("an angle", ("rad", "deg"), angle_counts=True)
TURN_RATE = Dimension("a turn rate", ("rad/s", "deg/s", "rpm"), angle_counts=True)
FREQUENCY = Dimension("a frequency", ("Hz", "kHz", "1/min"), angle_counts=True)
MAGNETIC_FIELD = Dimension("a magnetic field", ("T", "uT", "nT"))
TORQUE = Dimension("a torque", ("N m", "kgf m"))
RATIO = Dimension("a plain number", ("1", "%"), angle_counts=True)
SLOPE = Dimension("a slope per angle", ("1/rad", "1/deg"))
LINEAR_DRAG = Dimension("a force per speed", ("kg/s", "N s/m"))
QUADRATIC_DRAG = Dimension("a force per squared speed", ("kg/m", "N s2/m2"))
CUBIC_DRAG = Dimension("a force per cubed speed", ("kg s/m2", "N s3/m3"))
THRUST_PER_SQUARE = Dimension("a thrust per squared shaft speed", ("N s2/rad2", "N/rpm2", "kg m"))
THRUST_PER_ADVANCE = Dimension("a thrust per shaft speed and advance speed", ("kg", "N s2/rad m"))
PULSE = Dimension("a pulse width", ("s", "us"))
THRUST_PER_PULSE = Dimension("a thrust per pulse width", ("N/s", "N/us"))
THRUST_PER_SQUARED_PULSE = Dimension("a thrust per squared pulse width", ("N/s2", "N/us2"))
VOLTAGE = Dimension("a voltage", ("V",))
CURRENT = Dimension("a current", ("A",))
RESISTANCE = Dimension("a resistance", ("ohm", "mohm", "V/A"))
ENERGY = Dimension("an energy", ("J", "Wh", "kWh"))
POWER = Dimension("a power", ("W", "kW"))
POWER_PER_CUBED_SPEED = Dimension("a power per cubed shaft speed", ("W s3/rad3", "W/rpm3"))
TORQUE_CONSTANT = Dimension("a torque per current", ("N m/A", "V s/rad"))
LINEAR_FRICTION = Dimension("a torque per shaft speed", ("N m s/rad",))
TORQUE_PER_SQUARE = Dimension("a torque per squared shaft speed", ("N m s2/rad2", "N m/rpm2"))
TORQUE_PER_ADVANCE = Dimension("a torque per shaft speed and advance speed", ("N s2/rad",))
MASS_FLOW = Dimension("a mass flow", ("kg/s", "kg/min"))
MASS_PER_LENGTH = Dimension("a mass per length", ("kg/m", "g/m"))
FORCE_PER_LENGTH = Dimension("a force per length", ("N/m",))
TORQUE_PER_ANGLE = Dimension("a torque per angle", ("N m/rad", "N m/deg"), angle_counts=True)
VOLUME_FLOW = Dimension("a volume flow", ("m3/s", "L/s", "L/min"))

# Per degree of freedom: 0 for a translation, 1 for a rotation.
_TURNS = (0, 0, 0, 1, 1, 1)


def _power(symbol: str, power: int) -> str:
    """A symbol to a power as part of a unit: " m2", or nothing."""
    return "" if power == 0 else f" {symbol}" if power == 1 else f" {symbol}{power}"


def added_mass_dimension(row: int, column: int) -> Dimension:
    """Of an element of an inertia matrix: kg, kg m or kg m2."""
    return Dimension("an added mass", ("kg" + _power("m", _TURNS[row] + _TURNS[column]),))


def linear_damping_dimension(row: int, column: int) -> Dimension:
    """Of an element of linear damping: kg/s, kg m/s or kg m2/s."""
    turns = _TURNS[row] + _TURNS[column]
    other = ("N s/m", "N s", "N m s")[turns]
    return Dimension("a linear damping", (f"kg{_power('m', turns)}/s", other))


def quadratic_damping_dimension(row: int, column: int) -> Dimension:
    """Of an element that multiplies |v_j| v_j: kg/m for a force and a speed, kg m2 for a torque and a rate."""
    power = _TURNS[row] + 2 * _TURNS[column] - 1
    return Dimension("a quadratic damping", ("kg/m" if power < 0 else "kg" + _power("m", power),))


def lift_dimension(row: int, column: int) -> Dimension:
    """Of an element that multiplies |u| v_j: kg/m, kg or kg m."""
    power = _TURNS[row] + _TURNS[column] - 1
    return Dimension("a lift coefficient", ("kg/m" if power < 0 else "kg" + _power("m", power),))
