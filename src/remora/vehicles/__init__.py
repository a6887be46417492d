"""Vehicles as data: YAML files with units, sources and checks, read into frozen parameters.

>>> from remora.vehicles import load_vehicle
>>> load_vehicle("falcon").parameters.mass
116.0

Reading imports a YAML parser and a validator, so the names below are only loaded when they are used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remora.vehicles.library import preset_names, preset_path
    from remora.vehicles.parameters import HeaveUp, VehicleParameters, total_inertia
    from remora.vehicles.problems import Problem, VehicleFileError
    from remora.vehicles.reading import load_vehicle, vehicle_from_text
    from remora.vehicles.vehicle import Figure, Historical, Sensor, ThrusterFacts, Vehicle, with_one_heave_mass

_HOME = {
    "preset_names": "library",
    "preset_path": "library",
    "HeaveUp": "parameters",
    "VehicleParameters": "parameters",
    "total_inertia": "parameters",
    "Problem": "problems",
    "VehicleFileError": "problems",
    "load_vehicle": "reading",
    "vehicle_from_text": "reading",
    "Figure": "vehicle",
    "Historical": "vehicle",
    "Sensor": "vehicle",
    "ThrusterFacts": "vehicle",
    "Vehicle": "vehicle",
    "with_one_heave_mass": "vehicle",
}

__all__ = [
    "Figure",
    "HeaveUp",
    "Historical",
    "Problem",
    "Sensor",
    "ThrusterFacts",
    "Vehicle",
    "VehicleFileError",
    "VehicleParameters",
    "load_vehicle",
    "preset_names",
    "preset_path",
    "total_inertia",
    "vehicle_from_text",
    "with_one_heave_mass",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
