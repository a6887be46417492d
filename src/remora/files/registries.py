"""Registries that are derived from the modules of a package."""

from importlib import import_module
from pkgutil import walk_packages
from typing import TypeVar

T = TypeVar("T")


def instances_in(package: str, wanted: type[T]) -> tuple[T, ...]:
    """All module-level objects of a type in the modules of a package and its subpackages, by module and line."""
    things = (thing for module in modules_in(package) for thing in vars(import_module(module)).values())
    found = {id(thing): thing for thing in things if isinstance(thing, wanted)}
    return tuple(found.values())


def modules_in(package: str) -> list[str]:
    """Names of the modules below a package, sorted; an error of an import is raised."""

    def failed(name: str) -> None:
        raise ImportError(f"{name} cannot be imported", name=name)

    path = import_module(package).__path__
    return sorted(module.name for module in walk_packages(path, f"{package}.", failed) if not module.ispkg)
