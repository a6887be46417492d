"""MJCF, the XML of MuJoCo, for the rigid body of a vehicle: a starting point for models."""

import numpy as np

from remora.equations.algebra.quaternions import rotation_matrix
from remora.interop.dry_body import tuples
from remora.interop.mujoco.model import BODY_AXES, frame_rotation
from remora.vehicles import Vehicle
from remora.vehicles.axes import quaternion_from_matrix


def inertial_xml(vehicle: Vehicle, axes: str = "forward-left-up") -> str:
    """The `<inertial>` of a vehicle: mass, centre of gravity and moments of inertia.

    The order of the principal axes differs from the body axes: with equal frames MuJoCo stores the diagonal of the
    inertia only, and an added mass has couplings.
    """
    parameters = vehicle.parameters
    R_FB = np.array(rotation_matrix(frame_rotation("axes", BODY_AXES, axes)))
    moments, R_FI = np.linalg.eigh(R_FB @ np.array(parameters.inertia_G) @ R_FB.T)
    if np.allclose(np.abs(R_FI), np.eye(3)):
        moments, R_FI = np.roll(moments, 1), np.roll(R_FI, 1, axis=1)
    R_FI[:, 2] *= np.linalg.det(R_FI)
    q_FI = quaternion_from_matrix(tuples(R_FI))
    return (
        f'<inertial pos="{_attribute(R_FB @ parameters.p_BG)}" mass="{parameters.mass!r}" '
        f'quat="{_attribute(q_FI)}" diaginertia="{_attribute(moments)}"/>'
    )


def body_xml(vehicle: Vehicle, axes: str = "forward-left-up", position: tuple[float, float, float] = (0, 0, 0)) -> str:
    """A free `<body>` with the name of the vehicle and a visible sphere of its volume, without contacts.

    Parameters
    ----------
    vehicle
        The vehicle.
    axes
        Body axes: ``forward-left-up`` or ``forward-right-down``.
    position
        Initial position in the model's world, m.
    """
    volume = vehicle.parameters.displaced_mass / vehicle.parameters.density
    radius = (0.75 * volume / np.pi) ** (1 / 3)
    return (
        f'<body name="{vehicle.name}" pos="{_attribute(position)}">\n'
        f"  <freejoint/>\n"
        f"  {inertial_xml(vehicle, axes)}\n"
        f'  <geom type="sphere" size="{radius:.4g}" mass="0" contype="0" conaffinity="0"/>\n'
        f"</body>"
    )


def model_xml(vehicle: Vehicle, axes: str = "forward-left-up", step: float = 0.001, integrator: str = "RK4") -> str:
    """A complete model with one vehicle, z up.

    Parameters
    ----------
    vehicle
        The vehicle.
    axes
        Body axes: ``forward-left-up`` or ``forward-right-down``.
    step
        Time step, s.
    integrator
        Integrator of MuJoCo.
    """
    return (
        f'<mujoco model="{vehicle.name}">\n'
        f'<option timestep="{step!r}" integrator="{integrator}" gravity="0 0 {-vehicle.parameters.gravity!r}"/>\n'
        f"<worldbody>\n{body_xml(vehicle, axes)}\n</worldbody>\n"
        f"</mujoco>\n"
    )


def _attribute(numbers: object) -> str:
    return " ".join(repr(float(x)) for x in np.ravel(np.asarray(numbers)))
