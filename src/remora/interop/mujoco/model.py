"""Frames and data of a MuJoCo model, and checks that model and vehicle fit together."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from remora.equations.algebra.vectors import add_matrix6
from remora.equations.hull.inertia import rigid_body_inertia
from remora.equations.packed import is_general
from remora.equations.types import Matrix6, Quaternion
from remora.files.arrays import Array
from remora.files.did_you_mean import nearest
from remora.interop.dry_body import tuples
from remora.plant.pack import pack
from remora.vehicles import Vehicle

MASS_TOLERANCE = 0.01  # largest relative difference of the masses of model and vehicle file
# Any orientation of the principal axes other than the identity works; this one permutes them.
RENAMED_AXES = 'quat="0.5 0.5 0.5 0.5" diaginertia="I_y I_z I_x"'
HALF = 0.5**0.5
# Rotation of vectors from the engine's world E into N.
WORLDS: dict[str, Quaternion] = {
    "north-west-up": (0.0, 1.0, 0.0, 0.0),
    "east-north-up": (0.0, HALF, HALF, 0.0),
    "north-east-down": (1.0, 0.0, 0.0, 0.0),
}
# Rotation of vectors from body axes B into the axes of the engine, F.
BODY_AXES: dict[str, Quaternion] = {
    "forward-left-up": (0.0, 1.0, 0.0, 0.0),
    "forward-right-down": (1.0, 0.0, 0.0, 0.0),
}


def frame_rotation(kind: str, known: dict[str, Quaternion], name: str) -> Quaternion:
    """Rotation of a named frame; ValueError with the known names."""
    if name not in known:
        near = nearest(str(name), known, most=1)
        hint = f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(map(repr, known))}"
        raise ValueError(f"{kind} {name!r} is not known: {hint}")
    return known[name]


def find_body(mujoco: Any, model: Any, name: str) -> int:
    """Index of a named body with a free joint."""
    names = [model.body(i).name for i in range(1, model.nbody)]
    if name not in names:
        near = nearest(str(name), names, most=1)
        hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(map(repr, names)) or 'no bodies'}"
        raise ValueError(f"the model has no body {name!r}: {hint}")
    body = int(model.body(name).id)
    joint = int(model.body_jntadr[body])
    if joint < 0 or model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_FREE:
        raise ValueError(f"body {name!r} does not move freely: write <freejoint/> into it")
    return body


def vertical_gravity(model: Any, R_NE: Array) -> float:
    """Gravity of the model, m/s2; ValueError unless it points down and MuJoCo's fluid forces are off."""
    if model.opt.density != 0.0 or model.opt.viscosity != 0.0:
        raise ValueError(
            f"the model has fluid forces of its own (density {model.opt.density:g}, viscosity "
            f"{model.opt.viscosity:g}), so that water would count twice: write "
            '<option density="0" viscosity="0"/>'
        )
    north, east, down = (R_NE @ model.opt.gravity).tolist()
    if abs(north) + abs(east) > 1e-9 * abs(down) or down < 0.0:
        raise ValueError(
            f"gravity {model.opt.gravity.tolist()} does not point down in this world: give it as the world names it, "
            "for instance 0 0 -9.81 where z is up"
        )
    return float(down)


def check_vehicle(vehicle: Vehicle) -> None:
    """Refuse a vehicle without separate added mass, with locked axes, or with actuators that are not supported."""
    parameters = vehicle.parameters
    if parameters.total_inertia_only:
        raise ValueError(
            f"{vehicle.name} gives only its total inertia: without added mass apart there is nothing to add"
        )
    if parameters.locked:
        held = ", ".join(parameters.locked)
        raise ValueError(f"{vehicle.name} holds {held}: hold them by joints of the model and take them out of the file")
    if is_general(pack(parameters).layout):
        raise ValueError(
            f"{vehicle.name} has servos, moving masses, motors, rate limits or four-quadrant propellers, which do not "
            "act in another engine yet: take them out of the file"
        )


def rigid_parts(model: Any, body: int) -> list[int]:
    """Indices of the body and all bodies welded to it."""
    return [int(i) for i in np.flatnonzero(model.body_weldid == model.body_weldid[body])]


def check_mass(model: Any, body: int, vehicle: Vehicle) -> None:
    """Refuse a body whose mass differs from the mass of the vehicle: weight and buoyancy would not balance."""
    mass, expected = float(model.body_mass[rigid_parts(model, body)].sum()), vehicle.parameters.mass
    if abs(mass - expected) > MASS_TOLERANCE * expected:
        name = model.body(body).name
        raise ValueError(
            f"body {name!r} has {mass:.6g} kg in the model and {expected:.6g} kg in {vehicle.name}: give it the "
            "<inertial> that remora.interop.mujoco.mjcf.inertial_xml writes, or change the mass in the vehicle file"
        )


def rigid_inertia(mujoco: Any, model: Any, body: int, R_FB: Array) -> Array:
    """6x6 inertia about B of the body and all that is welded to it."""
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    R_EB, origin = data.xmat[body].reshape(3, 3) @ R_FB, data.xpos[body]
    total: Matrix6 | None = None
    for part in rigid_parts(model, body):
        R = R_EB.T @ data.ximat[part].reshape(3, 3)
        p_BG = tuple((R_EB.T @ (data.xipos[part] - origin)).tolist())
        own = rigid_body_inertia(
            float(model.body_mass[part]), p_BG, tuples(R @ np.diag(model.body_inertia[part]) @ R.T)
        )
        total = own if total is None else add_matrix6(total, own)
    return np.array(total)


def has_joints_below(model: Any, body: int) -> bool:
    """Whether another body is attached by a joint."""
    below = model.body_rootid == model.body_rootid[body]
    return bool(np.any(below & (model.body_weldid != model.body_weldid[body])))


def inertia_places(mujoco: Any, model: Any, body: int) -> list[int]:
    """Indices in `data.M` of the lower triangle of the free joint's inertia, row by row.

    Raises a ValueError when only the diagonal is stored, because body axes and principal axes coincide, or when an
    option of the model disables passive forces.
    """
    silent = int(mujoco.mjtDisableBit.mjDSBL_SPRING) | int(mujoco.mjtDisableBit.mjDSBL_DAMPER)
    if model.opt.disableflags & silent == silent:
        raise ValueError(
            "the model disables springs and dampers, and MuJoCo asks for no passive forces then: write "
            '<flag damper="enable"/>'
        )
    if model.opt.solver == mujoco.mjtSolver.mjSOL_PGS:
        raise ValueError(
            'the solver PGS works with an inertia of its own, without water: write <option solver="Newton"/>, or call '
            "apply(data) before each step"
        )
    if not hasattr(model, "M_rowadr"):
        raise ValueError(
            "this MuJoCo hides the inertia matrix: pip install -U mujoco-core, or call apply(data) before each step"
        )
    first = int(model.jnt_dofadr[model.body_jntadr[body]])
    rows = [_row(model, first + i) for i in range(6)]
    if any(first + j not in row for i, row in enumerate(rows) for j in range(i + 1)):
        raise ValueError(
            f"MuJoCo keeps only the diagonal of the inertia of body {model.body(body).name!r}, because its axes are "
            f"its principal axes: name these in another order, <inertial {RENAMED_AXES} .../>, as "
            "remora.interop.mujoco.mjcf.inertial_xml does, or call apply(data) before each step"
        )
    return [rows[i][first + j] for i in range(6) for j in range(i + 1)]


def _row(model: Any, dof: int) -> dict[int, int]:
    """Column -> index in `data.M` of one row of the inertia."""
    start, count = int(model.M_rowadr[dof]), int(model.M_rownnz[dof])
    columns: Iterable[int] = model.M_colind[start : start + count].tolist()
    return {column: start + k for k, column in enumerate(columns)}
