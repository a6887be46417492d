"""A vehicle as MJCF, the XML of MuJoCo: its rigid body, so that a user can start from nothing."""

import numpy as np

from remora.equations.algebra.quaternions import rotation_matrix
from remora.interop.dry_body import tuples
from remora.interop.engine_frames import BODY_AXES, chosen_frame
from remora.vehicles import Vehicle
from remora.vehicles.axes import quaternion_from_matrix


def inertial_xml(vehicle: Vehicle, axes: str = "forward-left-up") -> str:
    """The `<inertial>` of a vehicle: mass, centre of gravity and moments of inertia.

    The principal axes are named so that they differ from the body's: of a body whose two frames are one MuJoCo keeps
    the diagonal alone, and an added mass has couplings.
    """
    parameters = vehicle.parameters
    R_FB = np.array(rotation_matrix(chosen_frame("axes", BODY_AXES, axes)))
    moments, R_FI = np.linalg.eigh(R_FB @ np.array(parameters.inertia_G) @ R_FB.T)
    if np.allclose(np.abs(R_FI), np.eye(3)):
        moments, R_FI = np.roll(moments, 1), np.roll(R_FI, 1, axis=1)
    R_FI[:, 2] *= np.linalg.det(R_FI)
    q_FI = quaternion_from_matrix(tuples(R_FI))
    return (
        f'<inertial pos="{_words(R_FB @ parameters.p_BG)}" mass="{parameters.mass!r}" '
        f'quat="{_words(q_FI)}" diaginertia="{_words(moments)}"/>'
    )


def body_xml(vehicle: Vehicle, axes: str = "forward-left-up", position: tuple[float, float, float] = (0, 0, 0)) -> str:
    """A free `<body>` named like the vehicle, with a ball of the displaced volume to look at that touches nothing."""
    volume = vehicle.parameters.displaced_mass / vehicle.parameters.density
    radius = (0.75 * volume / np.pi) ** (1 / 3)
    return (
        f'<body name="{vehicle.name}" pos="{_words(position)}">\n'
        f"  <freejoint/>\n"
        f"  {inertial_xml(vehicle, axes)}\n"
        f'  <geom type="sphere" size="{radius:.4g}" mass="0" contype="0" conaffinity="0"/>\n'
        f"</body>"
    )


def model_xml(vehicle: Vehicle, axes: str = "forward-left-up", step: float = 0.001, integrator: str = "RK4") -> str:
    """A whole model with one vehicle in a world whose z is up."""
    return (
        f'<mujoco model="{vehicle.name}">\n'
        f'<option timestep="{step!r}" integrator="{integrator}" gravity="0 0 {-vehicle.parameters.gravity!r}"/>\n'
        f"<worldbody>\n{body_xml(vehicle, axes)}\n</worldbody>\n"
        f"</mujoco>\n"
    )


def _words(numbers: object) -> str:
    return " ".join(repr(float(x)) for x in np.ravel(np.asarray(numbers)))
