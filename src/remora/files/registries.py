"""Registries: the objects that modules of a package define, and those that plug-ins add.

A plug-in is an entry point of an installed distribution. Their lists are read here as `importlib.metadata` would read
them, because its import alone takes half the time of the help.
"""

import os
import sys
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from importlib import import_module
from typing import Any, Generic, NamedTuple, TypeVar, final

from remora.files.problems import InputError

T = TypeVar("T")


class PluginError(InputError):
    """A plug-in cannot be used; the message, of one line, names it and its distribution."""


class Plugin(NamedTuple):
    """An entry point of an installed distribution."""

    group: str  # such as remora.sensors
    name: str  # as files and commands write it
    value: str  # module:object
    distribution: str
    version: str

    @property
    def origin(self) -> str:
        """Distribution and version."""
        return f"{self.distribution} {self.version}"

    @property
    def module(self) -> str:
        """Name of the module that holds the object."""
        return self.value.partition(":")[0]

    def __str__(self) -> str:
        return f'plug-in "{self.name}" ({self.group}) of {self.origin}'


class PluginState(NamedTuple):
    """A plug-in, and why it is left out; empty where it can be used."""

    plugin: Plugin
    fault: str


@final
class Extension(Generic[T]):
    """A registry that plug-ins extend: its group of entry points, the names of its own, and the reader of an object.

    `read` makes an entry of the registry from a plug-in and its object. Nothing is imported before it is asked for. A
    plug-in that fails, or whose name is taken, is left out and named once on standard error.
    """

    def __init__(self, group: str, own: Collection[str], read: Callable[[Plugin, Any], T]) -> None:
        self.group, self._own, self._read = group, own, read

    def offered(self) -> dict[str, Plugin]:
        """The plug-ins by name, except those whose names are taken."""
        found = {}
        for plugin in installed(self.group):
            if fault := self._clash(plugin):
                report(f"{plugin} is left out: {fault}")
            else:
                found[plugin.name] = plugin
        return found

    def get(self, name: str) -> T | None:
        """The entry of a name, None where no plug-in has it; PluginError where it cannot be loaded."""
        plugin = self.offered().get(name)
        return None if plugin is None else self._loaded(plugin)

    def all(self) -> dict[str, T]:
        """All entries that can be loaded, by name."""
        found = {}
        for name, plugin in self.offered().items():
            try:
                found[name] = self._loaded(plugin)
            except PluginError as error:
                report(str(error))
        return found

    def states(self) -> Iterator[PluginState]:
        """All plug-ins, each loaded to find out whether it can be used."""
        for plugin in installed(self.group):
            fault = self._clash(plugin)
            if not fault:
                try:
                    self._loaded(plugin)
                except PluginError as error:
                    fault = str(error).removeprefix(f"{plugin} ")
            yield PluginState(plugin, fault)

    def _clash(self, plugin: Plugin) -> str:
        """Who else has the name of a plug-in; empty where nobody has."""
        if plugin.name in self._own:
            return f'remora itself has the name "{plugin.name}"'
        others = [one for one in installed(self.group) if one.name == plugin.name and one != plugin]
        return f"{others[0].origin} has the same name" if others else ""

    def _loaded(self, plugin: Plugin) -> T:
        """The entry of a plug-in; whatever its code raises becomes a PluginError."""
        try:
            made: Any = import_module(plugin.module)
            for name in plugin.value.partition(":")[2].split("."):
                made = getattr(made, name)
            return self._read(plugin, made)
        except (Exception, SystemExit) as error:
            from remora.files.user_code import user_line  # which only a failure needs

            said = " ".join(str(error).split())
            place = user_line(error)
            text = said if isinstance(error, InputError) else f"{type(error).__name__}: {said}"
            text += f", at {place}" if place else ""
            raise PluginError(f"{plugin} cannot be used: {text.rstrip('.')}.") from error


_reported: dict[str, None] = {}


def report(line: str) -> None:
    """Warn on standard error, of each fault once per process."""
    if line not in _reported:
        _reported[line] = None
        sys.stderr.write(f"warning: {line}\n")
        sys.stderr.flush()


def reported() -> tuple[str, ...]:
    """The faults of plug-ins that this process has named."""
    return tuple(_reported)


def check_name(plugin: Plugin, name: str) -> None:
    """Refuse an object with another name than its entry point."""
    if name != plugin.name:
        raise InputError(f'its object has the name "{name}". Give both one name')


def plugin_packages() -> frozenset[str]:
    """Names of the packages that plug-ins are in."""
    return frozenset(plugin.module.partition(".")[0] for plugin in _entry_points())


def installed(group: str) -> tuple[Plugin, ...]:
    """The plug-ins of a group, in the order of their distributions on the path."""
    return tuple(plugin for plugin in _entry_points() if plugin.group == group)


@lru_cache(maxsize=1)
def _entry_points() -> tuple[Plugin, ...]:
    """The entry points of all groups of Remora. Of two copies of a distribution the first on the path counts."""
    folders: dict[str, str] = {}
    for place in dict.fromkeys(sys.path):
        try:
            names = sorted(os.listdir(place or "."))
        except OSError:
            continue
        for name in names:
            if name.endswith(".dist-info"):
                distribution = name.removesuffix(".dist-info").rpartition("-")[0].replace("_", "-").lower()
                folders.setdefault(distribution, os.path.join(place, name))
    return tuple(plugin for distribution, folder in folders.items() for plugin in _entries(distribution, folder))


def _entries(distribution: str, folder: str) -> Iterator[Plugin]:
    """The entry points of a distribution; none where it has no readable list."""
    try:
        with open(os.path.join(folder, "entry_points.txt"), encoding="utf-8", errors="replace") as file:
            lines = [line.strip() for line in file]
    except OSError:
        return
    group, version = "", folder.removesuffix(".dist-info").rpartition("-")[2]
    for line in lines:
        if line.startswith("["):
            group = line.strip("[] ")
        elif group.startswith("remora.") and "=" in line and not line.startswith("#"):
            name, value = (part.strip() for part in line.partition("[")[0].split("=", 1))
            yield Plugin(group, name, value, distribution, version)


def instances_in(package: str, wanted: type[T]) -> tuple[T, ...]:
    """All module-level objects of a type in the modules of a package and its subpackages, by module and line."""
    things = (thing for module in modules_in(package) for thing in vars(import_module(module)).values())
    found = {id(thing): thing for thing in things if isinstance(thing, wanted)}
    return tuple(found.values())


def modules_in(package: str) -> list[str]:
    """Names of the modules below a package, sorted; an error of an import is raised."""
    from pkgutil import walk_packages  # which the list of commands does without

    def failed(name: str) -> None:
        raise ImportError(f"{name} cannot be imported", name=name)

    path = import_module(package).__path__
    return sorted(module.name for module in walk_packages(path, f"{package}.", failed) if not module.ispkg)
