"""`Morphology`: modules with ports, their poses, and the links between them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, final

from remora.equations.algebra.quaternions import IDENTITY, conjugate, product, rotation_matrix
from remora.equations.algebra.vectors import ZERO3, add3, matvec3
from remora.equations.types import Matrix3, Quaternion, Vector3
from remora.files.arrays import Array
from remora.vehicles.vehicle import Vehicle

NEAR = 1e-6  # m, rad


class PortPose(NamedTuple):
    """Pose of a frame in another: origin in m, and the rotation of its vectors into the axes of the other."""

    position: Vector3
    quaternion: Quaternion

    @property
    def axes(self) -> Matrix3:
        """Rotation matrix."""
        return rotation_matrix(self.quaternion)


ORIGIN = PortPose(ZERO3, IDENTITY)


def compose(first: PortPose, second: PortPose) -> PortPose:
    """Pose of a frame that is given in a second frame, which is given in a first."""
    s, x, y, z = product(first.quaternion, second.quaternion)
    turned = (s, x, y, z) if s >= 0.0 else (-s, -x, -y, -z)
    return PortPose(add3(first.position, matvec3(first.axes, second.position)), turned)


def inverse(pose: PortPose) -> PortPose:
    """Pose of the outer frame in the inner one."""
    back = conjugate(pose.quaternion)
    x, y, z = matvec3(rotation_matrix(back), pose.position)
    return PortPose((-x, -y, -z), back)


def relative_poses(states: Sequence[Array]) -> tuple[PortPose, ...]:
    """Poses of bodies in the frame of the first, from states that begin with position and quaternion in N."""
    found = []
    for state in states:
        x, y, z, s, a, b, c = (float(number) for number in state[:7])
        found.append(PortPose((x, y, z), (s, a, b, c)))
    return tuple(compose(inverse(found[0]), pose) for pose in found)


def are_near(poses: Sequence[PortPose], others: Sequence[PortPose]) -> bool:
    """Whether poses are equal to a micrometre and a microradian."""
    for one, other in zip(poses, others, strict=True):
        apart = compose(inverse(one), other)
        if max(map(abs, (*apart.position, *(2.0 * x for x in apart.quaternion[1:])))) > NEAR:
            return False
    return True


class Module(NamedTuple):
    """A vehicle or passive body of a morphology."""

    name: str
    vehicle: Vehicle
    ports: dict[str, PortPose]  # in the axes of the module, x out of it
    pose: PortPose = ORIGIN  # in the frame of the origin module


class ModuleLink(NamedTuple):
    """A link between ports of two modules. Its frame coincides with that of the other side where it is rigid."""

    name: str
    kind: str
    first: str  # module
    second: str
    ports: tuple[str, str]
    frame_first: PortPose  # of the link, in the axes of the first module
    frame_second: PortPose  # in those of the second
    axis: Vector3 = (0.0, 0.0, 1.0)  # of a hinge or slider, in the frame of the link
    length: float = 0.0  # m, of a distance link
    stiffness: tuple[float, float] = (0.0, 0.0)  # N/m and N m/rad, of a latch
    damping: tuple[float, float] = (0.0, 0.0)  # N s/m and N m s/rad, of a latch

    @property
    def attitude(self) -> Quaternion:
        """Attitude of the second module in the first while the frames of the link coincide."""
        return product(self.frame_first.quaternion, conjugate(self.frame_second.quaternion))

    @property
    def axis_first(self) -> Vector3:
        """Axis of a hinge or slider in the axes of the first module."""
        return matvec3(self.frame_first.axes, self.axis)


@final
@dataclass(frozen=True, repr=False)
class Morphology:
    """Modules at their initial poses, and their links."""

    name: str
    title: str
    source: str
    use: str
    notes: str
    file: str = field(compare=False)
    text: str = field(compare=False)
    modules: tuple[Module, ...]  # the origin module first
    links: tuple[ModuleLink, ...]
    degrees_of_freedom: int = 6  # of the whole
    redundant_rows: int = 0  # constraint rows beyond the rank

    @property
    def module_names(self) -> tuple[str, ...]:
        """Names of all modules, the origin module first."""
        return tuple(module.name for module in self.modules)

    @property
    def is_rigid(self) -> bool:
        """Whether all links are rigid, so that the whole moves as one body."""
        return all(link.kind == "rigid" for link in self.links)

    @property
    def locked(self) -> "Morphology":
        """The same with every joint held at its initial pose."""
        return replace(self, links=tuple(link._replace(kind="rigid") for link in self.links))

    def placed(self, poses: Sequence[PortPose]) -> "Morphology":
        """The same modules at other poses in the frame of the first; the frames of the links stay."""
        pairs = zip(self.modules, poses, strict=True)
        return replace(self, modules=tuple(module._replace(pose=pose) for module, pose in pairs))

    def module(self, name: str) -> Module:
        """The module of a name."""
        return next(module for module in self.modules if module.name == name)

    def __repr__(self) -> str:
        return f"<Morphology {self.name}: {len(self.modules)} modules, {len(self.links)} links>"
