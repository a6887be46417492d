"""Hydrodynamics for bodies of a MuJoCo model, and models to start from.

The names below are only loaded when they are used; MuJoCo itself with the first `Hydrodynamics`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
