"""Values of the options of `remora design`: accuracy, workspace and noise, with units."""

import re

from remora.experiments.requirements import DesignError
from remora.files.units import SPEED, TURN_RATE, Dimension, unit_named

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"


def read_accuracy(text: str) -> float:
    """A share from "5%", "5 %" or "0.05"."""
    match = re.fullmatch(rf"\s*({_NUMBER})\s*(%?)\s*", text)
    if not match:
        raise DesignError(f'--accuracy "{text}": write a share such as 5% or 0.05')
    return float(match[1]) * (0.01 if match[2] else 1.0)


def read_workspace(text: str) -> tuple[float, float, float]:
    """Length, width and height in metres from "10x5x3"."""
    sides = re.fullmatch(rf"\s*({_NUMBER})\s*x\s*({_NUMBER})\s*x\s*({_NUMBER})\s*m?\s*", text)
    if not sides:
        raise DesignError(f'--workspace "{text}": write length, width and height in metres as 10x5x3')
    return float(sides[1]), float(sides[2]), float(sides[3])


def read_noise(text: str) -> tuple[float, float]:
    """Noise of speeds and turn rates in SI from "1 cm/s, 0.2 deg/s"."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2:
        raise DesignError(f'--noise "{text}": write that of speeds and of turn rates, as "1 cm/s, 0.2 deg/s"')
    return _in_si(parts[0], SPEED, "1 cm/s"), _in_si(parts[1], TURN_RATE, "0.2 deg/s")


def _in_si(text: str, dimension: Dimension, example: str) -> float:
    match = re.fullmatch(rf"({_NUMBER})\s*(\S*)", text)
    unit = unit_named(match[2]) if match and match[2] else None
    if match is None or unit is None or not dimension.accepts(unit):
        raise DesignError(f'--noise: found "{text}" where a value such as "{example}" is expected')
    return float(match[1]) * unit.factor
