"""Listing of vehicles: description, and all parameters with source and uncertainty."""

import math
from collections.abc import Iterator
from typing import Any

from remora.files.units import unit_named
from remora.vehicles.parameters import actuator_groups
from remora.vehicles.vehicle import SourcedValue, Vehicle


def vehicle_data(vehicle: Vehicle, numbers: bool) -> dict[str, Any]:
    """A vehicle as JSON data in SI units, without infinities."""
    past = vehicle.historical
    data: dict[str, Any] = {
        "name": vehicle.name,
        "title": vehicle.title,
        "source": vehicle.source,
        "use": vehicle.use,
        "notes": vehicle.notes,
        "file": vehicle.file,
        "actuators": {word: list(names) for word, names in actuator_groups(vehicle.parameters).items()},
        "historical": {"reason": past.reason, "violates": list(past.violates), "envelope": _finite(past.envelope)}
        if past
        else None,
    }
    if numbers:
        data["sensors"] = [
            {key: getattr(sensor, key) for key in ("name", "kind", "device", "rate", "latency")}
            for sensor in vehicle.sensors
        ]
        data["numbers"] = {
            field: {"si_value": _finite(f.value), "si_sigma": _finite(f.sigma), "unit": f.unit, "source": f.source}
            for field, f in vehicle.provenance.items()
        }
    return data


def heading_lines(vehicle: Vehicle) -> Iterator[tuple[str, str]]:
    """Description of a vehicle, as pairs of label and text."""
    yield "name", vehicle.name
    yield "title", vehicle.title
    yield "source", vehicle.source
    yield "use", vehicle.use
    if vehicle.historical:
        yield "historical", f"{vehicle.historical.reason} It breaks {', '.join(vehicle.historical.violates)}."
    if vehicle.notes:
        yield "notes", vehicle.notes
    yield "file", vehicle.file
    yield from actuator_lines(vehicle)


def actuator_lines(vehicle: Vehicle) -> Iterator[tuple[str, str]]:
    """Names of thrusters and other actuators as scenarios, faults and logs call them; empty kinds are left out."""
    for word, names in actuator_groups(vehicle.parameters).items():
        if names:
            yield word, ", ".join(names)


def sensor_lines(vehicle: Vehicle) -> Iterator[str]:
    """The sensors that `sensors: all` of a scenario takes: name, kind, rate, latency and device."""
    names = max((len(sensor.name) for sensor in vehicle.sensors), default=0)
    kinds = max((len(sensor.kind) for sensor in vehicle.sensors), default=0)
    for sensor in vehicle.sensors:
        rate = "" if sensor.rate is None else f"{sensor.rate:g} Hz"
        late = f", {sensor.latency:g} s late" if sensor.latency else ""
        yield f"  {sensor.name:<{names}}  {sensor.kind:<{kinds}}  {rate + late:<18}  {sensor.device}".rstrip()


def number_lines(vehicle: Vehicle) -> Iterator[str]:
    """All parameters in the units of the file, grouped by source."""
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


def _text(value: Any, figure: SourcedValue) -> str:
    """A number or nested numbers in the unit of the file; the rows of a matrix stand below each other."""
    if isinstance(value, tuple):
        deep = any(isinstance(item, tuple) for item in value)
        return (",\n" if deep else ", ").join(_text(item, figure) for item in value).join("[]")
    if isinstance(value, str | bool):
        return str(value).lower() if isinstance(value, bool) else value
    unit = unit_named(figure.unit)
    return f"{value / unit.factor:.10g}" if unit and isinstance(value, float) else f"{value:.10g}"


def _finite(value: Any) -> Any:
    """Nested lists with None in place of numbers that are not finite."""
    if isinstance(value, tuple | list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
