"""Packages that list their bundled files when they are called: `remora.vehicles()`, `remora.scenarios()`."""

import sys
from importlib import import_module
from types import ModuleType
from typing import cast, final

from remora.files.catalogue import Catalogue


@final
class ListedPackage(ModuleType):
    """A package whose module `library` has a function of the same name that lists its bundled files."""

    def __call__(self) -> Catalogue:
        """Names and titles of the bundled files."""
        listing = getattr(import_module(f"{self.__name__}.library"), self.__name__.rpartition(".")[2])
        return cast(Catalogue, listing())


def list_when_called(package: str) -> None:
    """Make a package callable; a function of its name could not stand beside it."""
    sys.modules[package].__class__ = ListedPackage
