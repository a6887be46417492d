"""A tether as a chain of bodies: rods of equal length on ball joints, with their own drag, weight and buoyancy."""

from itertools import pairwise

from remora.files.quantities import Quantity
from remora.vehicles.morphologies.link_frames import link_of
from remora.vehicles.morphologies.morphology import IDENTITY, ModuleLink, PortPose
from remora.vehicles.morphologies.sections import LinkSection, RodSection, TetherChainSection

NEAR, FAR = "near", "far"  # ports of a tether and of each segment
_BACKWARD = (0.0, 0.0, 0.0, 1.0)  # quaternion of a port that faces aft


def segment_names(tether: str, count: int) -> tuple[str, ...]:
    """Names of the segments, from the near end to the far one."""
    return tuple(f"{tether}_{k}" for k in range(1, count + 1))


def end_of(tether: str, count: int, port: str) -> str:
    """The segment with the near or far end of a tether; empty for another port."""
    return {NEAR: f"{tether}_1", FAR: f"{tether}_{count}"}.get(port, "")


def segment_of(tether: TetherChainSection) -> RodSection:
    """One segment."""
    length = tether.length.value / tether.segments
    return RodSection.model_construct(
        length=_si(length, "m"),
        diameter=tether.diameter,
        mass=_si(tether.mass.value * length, "kg"),
        drag_coefficient=tether.drag_coefficient,
    )


def segment_ports(tether: TetherChainSection) -> dict[str, PortPose]:
    """Ports at both ends of a segment."""
    half = 0.5 * tether.length.value / tether.segments
    return {NEAR: PortPose((-half, 0.0, 0.0), _BACKWARD), FAR: PortPose((half, 0.0, 0.0), IDENTITY)}


def tether_links(tether: str, count: int, ports: dict[str, PortPose]) -> list[ModuleLink]:
    """Ball joints between the segments of a tether."""
    names = segment_names(tether, count)
    section = LinkSection(kind="ball", between=[FAR, NEAR])
    return [link_of(section, f"{a}-{b}", (a, b), (FAR, NEAR), (ports[FAR], ports[NEAR])) for a, b in pairwise(names)]


def _si(value: float, unit: str) -> Quantity[float]:
    return Quantity(value, unit, "", None)
