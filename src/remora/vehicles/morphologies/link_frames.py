"""Frames of ports and links from the sections of a morphology file."""

import math

from remora.equations.algebra.quaternions import IDENTITY, from_axis_angle, from_euler_zyx
from remora.equations.algebra.vectors import ZERO3, cross, transpose3
from remora.equations.types import Quaternion, Vector3
from remora.files.problems import Finding, Path
from remora.vehicles.assembly.actuators import orientation, orientation_fault
from remora.vehicles.axes import BODY_AXES, quaternion_from_matrix
from remora.vehicles.morphologies.morphology import ModuleLink, PortPose, compose
from remora.vehicles.morphologies.sections import LinkSection, PortSection

_OPPOSITE = PortPose(ZERO3, (0.0, 0.0, 0.0, 1.0))  # a docked port faces the other
_HINGE_AXIS, _SLIDER_AXIS = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)
_UPRIGHT = 0.999  # |cosine| of a port axis with the z axis from which the z axis of the port is taken along -x


def port_pose(section: PortSection, path: Path, findings: list[Finding]) -> PortPose | None:
    """Pose of a port; without direction and orientation its x axis points from the origin of the module to it."""
    position = section.position.value
    if section.orientation is not None:
        if fault := orientation_fault(section.orientation):
            findings.append(fault._replace(path=(*path, "orientation", *fault.path)))
            return None
        return PortPose(position, orientation(section.orientation, BODY_AXES))
    direction = section.direction.value if section.direction else position
    return PortPose(position, IDENTITY if direction == ZERO3 else _facing(_unit(direction)))


def link_of(
    section: LinkSection,
    name: str,
    modules: tuple[str, str],
    ports: tuple[str, str],
    poses: tuple[PortPose, PortPose],
) -> ModuleLink:
    """The link of a section: at rest the two ports share a point, x against x and z along z, turned by `roll`."""
    roll = PortPose(ZERO3, from_axis_angle((1.0, 0.0, 0.0), section.roll.value if section.roll else 0.0))
    usual = _HINGE_AXIS if section.kind == "hinge" else _SLIDER_AXIS
    stiffness, damping = (
        tuple(one.value if one else 0.0 for one in pair)
        for pair in ((section.stiffness, section.turn_stiffness), (section.damping, section.turn_damping))
    )
    return ModuleLink(
        name=name,
        kind=section.kind,
        first=modules[0],
        second=modules[1],
        ports=ports,
        frame_first=compose(poses[0], roll),
        frame_second=compose(poses[1], _OPPOSITE),
        axis=_unit(section.axis.value if section.axis else usual),
        length=section.length.value if section.length else 0.0,
        stiffness=(stiffness[0], stiffness[1]),
        damping=(damping[0], damping[1]),
    )


def start_of(section: LinkSection) -> PortPose:
    """Initial pose of the second side of a link in the frame of its first."""
    axis = section.axis.value if section.axis else None
    if section.kind == "hinge" and section.angle:
        return PortPose(ZERO3, from_axis_angle(_unit(axis or _HINGE_AXIS), section.angle.value))
    if section.kind == "ball" and section.angles:
        return PortPose(ZERO3, from_euler_zyx(*section.angles.value))
    if section.kind == "slider" and section.travel:
        x, y, z = _unit(axis or _SLIDER_AXIS)
        travel = section.travel.value
        return PortPose((travel * x, travel * y, travel * z), IDENTITY)
    if section.kind == "distance" and section.length:
        return PortPose((section.length.value, 0.0, 0.0), IDENTITY)
    return PortPose(ZERO3, IDENTITY)


def _unit(axis: Vector3) -> Vector3:
    size = math.hypot(*axis)
    return (axis[0] / size, axis[1] / size, axis[2] / size)


def _facing(x: Vector3) -> Quaternion:
    """Quaternion of axes with this x axis and the z axis as near to that of the module as possible."""
    near = (-math.copysign(1.0, x[2]), 0.0, 0.0) if abs(x[2]) > _UPRIGHT else (0.0, 0.0, 1.0)
    y = _unit(cross(near, x))
    return quaternion_from_matrix(transpose3((x, y, cross(x, y))))
