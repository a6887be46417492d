"""Vehicles as data: YAML files with units, sources and checks, read into frozen parameters.

>>> from remora.vehicles import load_vehicle
>>> load_vehicle("falcon").parameters.mass
116.0

Reading imports a YAML parser and a validator, so the names below are only loaded when they are used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
