"""Plausible figures of data sheets that are no errors: frequencies, ranges and speeds of instruments."""

from typing import Any

from remora.files.quantities import Quantity
from remora.vehicles.checks.plausible_ranges import Mistake, Range, doubt, is_inside
from remora.vehicles.sensor_kinds import ParameterFault

_LENGTHS = (
    Mistake(1e-2, "Did you mean {right:.4g} m ({value:.4g} cm)?"),
    Mistake(1e-3, "Did you mean {right:.4g} m ({value:.4g} mm)?"),
)
_SOUND = Range(
    1e3,
    2e7,
    "Hz",
    (
        Mistake(1e3, "Did you mean {value:.4g} kHz?"),
        Mistake(1e6, "Did you mean {value:.4g} MHz?"),
        Mistake(1e-3, "Check its prefix."),
    ),
)
_SPEED = Range(0.2, 30.0, "m/s", (Mistake(1e-2, "Did you mean {right:.4g} m/s ({value:.4g} cm/s)?"),))
FIGURES: dict[str, Range] = {
    "frequency": _SOUND,
    "max_speed": _SPEED,
    "max_range": Range(0.05, 15_000.0, "m", _LENGTHS[::-1]),
    "min_range": Range(0.0, 200.0, "m", _LENGTHS),
    "altitude_range": Range(0.0, 1000.0, "m", _LENGTHS),
}


def figure_fault(name: str, parameter: Quantity[Any]) -> ParameterFault | None:
    """Doubt about a figure of a data sheet, in SI; None where there is none or nothing is known."""
    known = FIGURES.get(name)
    values = parameter.value if isinstance(parameter.value, tuple | list) else (parameter.value,)
    for value in values if known else ():
        if isinstance(value, float) and known is not None and not is_inside(known, value):
            return ParameterFault(doubt(known, "this figure", value, "that of any such instrument"), may_be_meant=True)
    return None
