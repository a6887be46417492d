"""Links of a morphology between bodies of a plant."""

from remora.plant.multibody.link_table import Link
from remora.vehicles.morphologies.morphology import ModuleLink


def body_link(link: ModuleLink, scope: str = "") -> Link:
    """A link of a morphology between bodies, whose names carry a scope: robot/module."""
    prefix = f"{scope}/" if scope else ""
    return Link(
        name=f"{prefix}{link.name}",
        kind=link.kind,
        first=f"{prefix}{link.first}",
        second=f"{prefix}{link.second}",
        point_first=link.frame_first.position,
        point_second=link.frame_second.position,
        attitude=link.attitude,
        axis=link.axis_first,
        length=link.length,
        stiffness=link.stiffness,
        damping=link.damping,
    )
