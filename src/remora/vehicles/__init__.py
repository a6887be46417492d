"""Vehicles as data: YAML files with units, sources and checks, read into frozen parameters.

>>> from remora.vehicles import load_vehicle
>>> load_vehicle("falcon").parameters.mass
116.0

The names are imported on first use, because the YAML parser and the validator are slow to import.
"""

import lazy_loader

from remora.files.catalogue import list_when_called

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

list_when_called(__name__)
