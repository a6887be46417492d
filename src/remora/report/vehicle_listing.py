"""Vehicles on paper: what each preset is, and every number of one with its source and uncertainty."""

import math
from collections.abc import Iterator
from typing import Any

from remora.vehicles.units import unit_named
from remora.vehicles.vehicle import Figure, Vehicle


def vehicle_data(vehicle: Vehicle, numbers: bool) -> dict[str, Any]:
    """A vehicle for programs: plain data without infinities, numbers in SI."""
    past = vehicle.historical
    data = {
        "name": vehicle.name,
        "title": vehicle.title,
        "source": vehicle.source,
        "use": vehicle.use,
        "notes": vehicle.notes,
        "file": vehicle.file,
        "historical": {"reason": past.reason, "violates": list(past.violates), "envelope": _finite(past.envelope)}
        if past
        else None,
    }
    if numbers:
        data["numbers"] = {
            field: {"si_value": _finite(f.value), "si_sigma": _finite(f.sigma), "unit": f.unit, "source": f.source}
            for field, f in vehicle.provenance.items()
        }
    return data


def heading_lines(vehicle: Vehicle) -> Iterator[tuple[str, str]]:
    """What a vehicle is, as pairs of a word and a text."""
    yield "name", vehicle.name
    yield "title", vehicle.title
    yield "source", vehicle.source
    yield "use", vehicle.use
    if vehicle.historical:
        yield "historical", f"{vehicle.historical.reason} It breaks {', '.join(vehicle.historical.violates)}."
    if vehicle.notes:
        yield "notes", vehicle.notes
    yield "file", vehicle.file


def number_lines(vehicle: Vehicle) -> Iterator[str]:
    """Every number in the unit of the file, under the source that it and its neighbours have."""
    width = max(map(len, vehicle.provenance), default=0)
    source = None
    for field, figure in vehicle.provenance.items():
        if figure.source != source:
            source = figure.source
            yield ""
            yield source
        unit = "" if figure.unit in ("1", "SI") else f" {figure.unit}"
        sigma = "" if figure.sigma is None else f" +/- {_text(figure.sigma, figure)}{unit}"
        text = f"  {field:<{width}}  {_text(figure.value, figure)}{unit}{sigma}"
        yield text.replace("\n", "\n" + " " * (width + 5))


def _text(value: Any, figure: Figure) -> str:
    """A number or nested numbers in the unit of the file; the rows of a matrix stand below each other."""
    if isinstance(value, tuple):
        deep = any(isinstance(item, tuple) for item in value)
        return (",\n" if deep else ", ").join(_text(item, figure) for item in value).join("[]")
    if isinstance(value, str | bool):
        return str(value).lower() if isinstance(value, bool) else value
    unit = unit_named(figure.unit)
    return f"{value / unit.factor:.10g}" if unit and isinstance(value, float) else f"{value:.10g}"


def _finite(value: Any) -> Any:
    """Nested lists with None in place of what is not finite, which JSON cannot say."""
    if isinstance(value, tuple | list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
