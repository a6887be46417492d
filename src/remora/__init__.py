"""Remora: underwater vehicles, from equations written once.

>>> import remora
>>> log = remora.simulate("dive_and_turn", duration=5)
>>> vehicle = remora.load_vehicle("falcon").with_(mass="118 kg")

docs/python.md describes the names, which the stub beside this file lists. They are imported on first use, so that
`import remora` stays cheap.
"""

from importlib import import_module
from typing import Any

import lazy_loader

__version__ = "0.1.0"

_attribute, _, _names = lazy_loader.attach_stub(__name__, __file__)
__all__ = [*_names, "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _names:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # There are a package and a function of these names: the package can be called.
    return import_module(f"remora.{name}") if name in ("scenarios", "vehicles") else _attribute(name)


def __dir__() -> list[str]:
    return sorted(__all__)
