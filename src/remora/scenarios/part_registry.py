"""Registry of the parts available in scenarios, by role: every `PartKind` in the packages `parts`."""

from remora.files.registries import instances_in
from remora.messages.part import Role
from remora.messages.part_options import PartKind

PARTS: tuple[PartKind, ...] = (
    *instances_in("remora.navigation.parts", PartKind),
    *instances_in("remora.guidance.parts", PartKind),
    *instances_in("remora.control.parts", PartKind),
)


def parts_for(role: Role) -> dict[str, PartKind]:
    """The parts that can fill a role, by name."""
    return {kind.name: kind for kind in PARTS if kind.role == role}
