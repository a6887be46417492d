"""Vehicles as data: YAML files with units, sources and checks, read into frozen parameters.

>>> from remora.vehicles import load_vehicle
>>> load_vehicle("falcon").parameters.mass
116.0

The names are imported on first use, because the YAML parser and the validator are slow to import.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from remora.files.catalogue import Catalogue

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


class _VehiclesPackage(ModuleType):
    """The package itself, which lists the bundled vehicles when it is called: `remora.vehicles()`."""

    def __call__(self) -> "Catalogue":
        from remora.vehicles.library import vehicles

        return vehicles()


sys.modules[__name__].__class__ = _VehiclesPackage
