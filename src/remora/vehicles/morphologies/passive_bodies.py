"""Passive bodies of a morphology as vehicles without thrusters, estimated from their shape: rods and tethers.

A tether is a chain of rods of equal length on ball joints, with their own drag, weight and buoyancy.
"""

import math
from itertools import pairwise

from remora.equations.algebra.quaternions import IDENTITY
from remora.files.quantities import Quantity
from remora.vehicles.assembly.shapes import (
    cross_flow_drag,
    cylinder_added_mass,
    cylinder_inertia,
    linear_from_quadratic,
    morison_drag,
)
from remora.vehicles.morphologies.link_frames import link_of
from remora.vehicles.morphologies.morphology import ModuleLink, PortPose
from remora.vehicles.morphologies.sections import LinkSection, RodSection, TetherChainSection
from remora.vehicles.vehicle import Vehicle
from remora.vehicles.vehicle_reader import vehicle_from_sections

NEAR, FAR = "near", "far"  # ports of a tether and of each segment
_BACKWARD = (0.0, 0.0, 0.0, 1.0)  # quaternion of a port that faces aft

CROSS_FLOW_COEFFICIENT = 1.1  # of a long circular cylinder below the drag crisis
END_COEFFICIENT = 0.9  # of a cylinder along its axis


def rod_vehicle(name: str, rod: RodSection, density: float, gravity: float) -> Vehicle:
    """A solid or sealed rod in water of a density, kg/m3: weight and buoyancy from mass and volume, at its middle."""
    length, diameter, mass = rod.length.value, rod.diameter.value, rod.mass.value
    coefficient = rod.drag_coefficient.value if rod.drag_coefficient else CROSS_FLOW_COEFFICIENT
    area = 0.25 * math.pi * diameter**2
    across, turning = cross_flow_drag(coefficient, length, diameter, density) if coefficient else (0.0, 0.0)
    along = morison_drag(END_COEFFICIENT, area, density)
    quadratic = (along, across, across, 0.0, turning, turning)
    linear = [linear_from_quadratic(one) for one in quadratic[:3]]
    return vehicle_from_sections(
        {
            "name": name,
            "title": f"rod of {length:g} m",
            "source": "estimated from its length, diameter and mass",
            "water": {"density": density, "gravity": gravity},
            "body": {
                "mass": mass,
                "volume": area * length,
                "inertia": {"moments": list(cylinder_inertia(mass, length, diameter))},
                "center_of_gravity": [0.0, 0.0, 0.0],
                "center_of_buoyancy": [0.0, 0.0, 0.0],
            },
            "added_mass": {"diagonal": list(cylinder_added_mass(length, diameter, density))},
            "damping": {"linear": {"diagonal": [*linear, 0.0, 0.0, 0.0]}, "quadratic": {"diagonal": list(quadratic)}},
            "accept": {"implausible": "a rod; its drag is estimated"},
            "looks": {"shapes": [{"shape": "capsule", "length": length, "diameter": diameter, "colour": "#adb5bd"}]},
        }
    )


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
