"""Ranges of plausible numbers, and the unit or sign that was probably meant for a number outside."""

import math
from typing import NamedTuple


class Mistake(NamedTuple):
    """A likely mistake: times the factor, the number would be inside its range."""

    factor: float
    question: str  # may name {value} and {right}


class Range(NamedTuple):
    """Plausible range of a quantity."""

    lowest: float
    highest: float
    unit: str
    mistakes: tuple[Mistake, ...] = ()
    otherwise: str = "Check the number and its unit."


def is_inside(known: Range, value: float) -> bool:
    """Whether a value lies in a range, both ends included."""
    return known.lowest <= value <= known.highest


def doubt(known: Range, what: str, value: float, among: str = "every vehicle") -> str:
    """A sentence on a value outside its range, with the likely mistake."""
    right = (mistake for mistake in known.mistakes if is_inside(known, value * mistake.factor))
    mistake = next(right, None)
    question = known.otherwise
    if mistake is not None:
        question = mistake.question.format(value=value, right=value * mistake.factor)
    bounds = f"between {known.lowest:g} and {known.highest:g} {known.unit}"
    return f"{what} is {value:.4g} {known.unit}, and {among} lies {bounds}. {question}"


_LENGTH_MISTAKES = (Mistake(1e-3, "Are these millimetres?"), Mistake(1e-2, "Are these centimetres?"))
_ROOT = math.sqrt
RANGES: dict[str, Range] = {
    "density": Range(
        950.0,
        1300.0,
        "kg/m3",
        (
            Mistake(1e3, "Did you mean {right:.4g} kg/m3 ({value:.4g} g/cm3)?"),
            Mistake(16.018463, "Did you mean {right:.4g} kg/m3 ({value:.4g} lb/ft3)?"),
            Mistake(1e-3, "Did you mean {right:.4g} kg/m3?"),
        ),
    ),
    "gravity": Range(
        9.7,
        9.9,
        "m/s2",
        (
            Mistake(1e-2, "Did you mean {right:.4g} m/s2 ({value:.4g} cm/s2)?"),
            Mistake(0.3048, "Did you mean {right:.4g} m/s2 ({value:.4g} ft/s2)?"),
            Mistake(9.80665, "Did you mean {right:.4g} m/s2 ({value:.4g} g)?"),
        ),
    ),
    "mass": Range(
        0.01,
        1e8,
        "kg",
        (
            Mistake(1e-3, "Did you mean {right:.4g} kg ({value:.4g} g)?"),
            Mistake(1e3, "Did you mean {right:.4g} kg ({value:.4g} t)?"),
        ),
    ),
    "displaced": Range(
        0.7,
        1.4,
        "times the mass",
        (
            Mistake(1e-3, "Is the volume in litres, or the mass in tonnes?"),
            Mistake(1e3, "Is the mass in grams, or the volume in units of 1000 m3?"),
            Mistake(1 / 9.81, "Is the buoyancy in newtons where kilograms are wanted?"),
            Mistake(9.81, "Is the weight in newtons where the mass in kilograms is wanted?"),
            Mistake(2.2046226, "Is the mass in pounds?"),
        ),
        "Nothing that floats up or sinks so hard can be steered: check volume and ballast.",
    ),
    "body_density": Range(
        300.0,
        3000.0,
        "kg/m3",
        (Mistake(1e3, "Is the density of the water in g/cm3?"), Mistake(1e-3, "Is the volume in litres?")),
    ),
    "gyration": Range(
        0.08,
        6.0,
        "times the size",
        (
            Mistake(_ROOT(1e-4), "Are the moments of inertia in kg cm2?"),
            Mistake(_ROOT(1e-6), "Are the moments of inertia in kg mm2?"),
            Mistake(_ROOT(1e-7), "Are the moments of inertia in g cm2?"),
            Mistake(_ROOT(1e-9), "Are the moments of inertia in g mm2?"),
            Mistake(_ROOT(1e3), "Are the moments of inertia in t m2?"),
        ),
    ),
    "centre": Range(0.0, 10.0, "times the size", _LENGTH_MISTAKES),
    "separation": Range(0.0, 1.0, "times the size", _LENGTH_MISTAKES),
    "added_mass": Range(
        0.0, 20.0, "times the displaced mass", (Mistake(1e-3, "Is the added mass in grams or the body in tonnes?"),)
    ),
    "added_inertia": Range(
        0.0,
        6.0,
        "times the size",
        (Mistake(_ROOT(1e-4), "Is it in kg cm2?"), Mistake(_ROOT(1e-6), "Is it in kg mm2?")),
    ),
    "speed": Range(
        0.1,
        20.0,
        "m/s",
        (Mistake(0.1, "Is the thrust in newtons and the damping in other units?"),),
        "Check the unit of the thrust limits and of the damping.",
    ),
    "turn_rate": Range(0.005, 60.0, "rad/s", (), "Check the lever arms, the thrust limits and the damping."),
    "thrust": Range(
        1e-4,
        10.0,
        "times the weight",
        (
            Mistake(1e-3, "Is the thrust in millinewtons or the mass in tonnes?"),
            Mistake(9.81, "Is the thrust in kilogram-force?"),
        ),
    ),
    "dead_band": Range(
        0.0,
        0.5,
        "times the way from neutral to the limit",
        (),
        "Less than half of the commands would do anything: check its width and unit.",
    ),
    "neutral": Range(300.0, 3000.0, "us", (), "Pulses of servos and speed controllers last about 1500 us."),
    "lever": Range(0.0, 10.0, "times the size", _LENGTH_MISTAKES),
    "lag": Range(0.0, 10.0, "s", (Mistake(1e-3, "Did you mean {right:.4g} s ({value:.4g} ms)?"),)),
    "latency": Range(0.0, 10.0, "s", (Mistake(1e-3, "Did you mean {right:.4g} s ({value:.4g} ms)?"),)),
    "doppler_tilt": Range(
        0.0,
        90.0,
        "deg",
        (),
        "Its beams look up: they look along its own z axis. Write [180 deg, 0 deg, 0 deg] where the axes of the file "
        "are forward-left-up, [0 deg, 0 deg, 0 deg] where they are forward-right-down, unless it tracks ice above.",
    ),
    "roll": Range(
        -90.0,
        90.0,
        "deg",
        (),
        "It rests upside down: z points down, so G lies below C where its z is the larger one. "
        "If the whole file counts y to port and z up, write axes: forward-left-up.",
    ),
    "pitch": Range(
        -45.0, 45.0, "deg", (), "Check the x of both centres, and whether their z are exchanged: z points down."
    ),
    "period": Range(
        0.2, 600.0, "s", (), "Check the distance between the centres and the moments of inertia."
    ),
    "battery_voltage": Range(
        5.0,
        1000.0,
        "V",
        (Mistake(1e-3, "Did you mean {right:.4g} V ({value:.4g} mV)?"),),
        "Give the voltage of the whole battery, not of a cell.",
    ),
    "battery_resistance": Range(
        0.0, 3.0, "ohm", (Mistake(1e-3, "Did you mean {right:.4g} ohm ({value:.4g} mohm)?"),)
    ),
    "specific_energy": Range(
        360.0,
        2.2e6,
        "J per kg of the vehicle",
        (
            Mistake(3600.0, "Is the capacity in Wh? A bare number is in J: write the unit."),
            Mistake(1e-3, "Is the capacity in kWh where Wh is meant?"),
        ),
        "Check the capacity: energy in Wh, not charge in Ah.",
    ),
    "specific_load": Range(
        0.0, 100.0, "W per kg of the vehicle", (Mistake(1e-3, "Is the hotel load in kW where W is meant?"),)
    ),
    "looks": Range(
        0.0,
        30.0,
        "times the size",
        (
            Mistake(1e-3, "Are these millimetres? For a mesh give scale: 0.001."),
            Mistake(1e-2, "Are these centimetres? For a mesh give scale: 0.01."),
        ),
    ),
}  # fmt: skip
