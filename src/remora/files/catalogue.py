"""Catalogue of bundled files: names with titles, for a program or a notebook; tables for notebooks."""

import html
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import cast, final

from remora.files.did_you_mean import suggestion

_TITLE = re.compile(r"^title: *(.+?) *$", re.MULTILINE)


@final
class Catalogue(Mapping[str, str]):
    """Names of bundled files with their titles; iterates over the names."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        self._titles = dict(titles)

    def __getitem__(self, name: str) -> str:
        if name not in self._titles:
            raise KeyError(f'there is no "{name}". {suggestion(str(name), self._titles)}')
        return self._titles[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._titles)

    def __len__(self) -> int:
        return len(self._titles)

    def __repr__(self) -> str:
        width = max(map(len, self._titles), default=0)
        return "\n".join(f"{name:<{width}}  {title}" for name, title in self._titles.items())

    def _repr_html_(self) -> str:
        return html_table(("name", "title"), self._titles.items())


def catalogue_of(folder: Path) -> Catalogue:
    """Catalogue of the YAML files of a folder, whose titles stand in one line each.

    The files are not parsed, which would take a second for the bundled vehicles.
    """
    titles = {}
    for file in sorted(folder.glob("*.yaml")):
        found = _TITLE.search(file.read_text(encoding="utf-8"))
        titles[file.stem] = found[1] if found else ""
    return Catalogue(titles)


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


def html_table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of texts, which are escaped."""
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in heads)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"
