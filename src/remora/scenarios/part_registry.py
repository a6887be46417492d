"""Registry of the parts available in scenarios, by role: every `PartKind` in the packages `parts`, and plug-ins."""

from collections.abc import Callable
from typing import Any, TypeAlias

from remora.files.problems import InputError
from remora.files.registries import Extension, Plugin, check_name, instances_in
from remora.messages.part import Role
from remora.messages.part_options import PartKind

PARTS: tuple[PartKind, ...] = (
    *instances_in("remora.navigation.parts", PartKind),
    *instances_in("remora.guidance.parts", PartKind),
    *instances_in("remora.control.parts", PartKind),
)

# A kind of part, or a class or function that makes parts like those of a user's file.
PluginPart: TypeAlias = PartKind | Callable[..., Any]


def _plugin_part(plugin: Plugin, made: Any) -> PluginPart:
    if isinstance(made, PartKind):
        check_name(plugin, made.name)
    elif not callable(made):
        raise InputError(f"{plugin.value} is neither a class nor a PartKind")
    return made


PLUGINS = Extension("remora.parts", {kind.name for kind in PARTS}, _plugin_part)


def parts_for(role: Role) -> dict[str, PartKind]:
    """The bundled parts that can fill a role, by name."""
    return {kind.name: kind for kind in PARTS if kind.role == role}
