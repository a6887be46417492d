"""Remora: underwater vehicles, from equations written once.

>>> from remora import Plant, load_vehicle
>>> plant = Plant(load_vehicle("falcon"))

The names below load what they need when they are first used, so that `import remora` stays cheap.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remora.kernels.plant import Plant
    from remora.vehicles.file_kind import VehicleFileError
    from remora.vehicles.library import preset_names
    from remora.vehicles.vehicle_reader import load_vehicle

__version__ = "0.1.0"

_HOME = {
    "Plant": "remora.kernels.plant",
    "VehicleFileError": "remora.vehicles.file_kind",
    "load_vehicle": "remora.vehicles.vehicle_reader",
    "preset_names": "remora.vehicles.library",
}

__all__ = ["Plant", "VehicleFileError", "__version__", "load_vehicle", "preset_names"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
