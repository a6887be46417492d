"""Hydrodynamics of a vehicle file for a body of a MuJoCo model: added mass, damping, buoyancy, current and thrusters.

MuJoCo computes rigid body, weight, joints and contacts. There are two interfaces.

- `Hydrodynamics.apply(data)` before each `mj_step` writes one wrench per step (the direct method of Britto Neto 2018).
  It works with every model and integrator, to first order in the step. Contacts and actuators of MuJoCo act on the
  rigid body without added mass.
- Inside `with submerged(water):` MuJoCo calls back at each evaluation, at all four stages of its RK4, and the added
  mass is part of MuJoCo's inertia matrix. Contacts, joints and actuators then act on the total inertia.
"""

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from remora.distribution import install_line
from remora.equations.actuators.response import actuator_target
from remora.equations.algebra.quaternions import conjugate, normalize, product, rotation_matrix
from remora.equations.engine import to_engine, twist_from_engine
from remora.equations.packed import HULL_SIZE
from remora.files.arrays import Array
from remora.interop.dry_body import dry, with_rigid_body
from remora.interop.mujoco.model import (
    BODY_AXES,
    WORLDS,
    check_mass,
    check_vehicle,
    find_body,
    frame_rotation,
    has_joints_below,
    inertia_places,
    rigid_inertia,
    vertical_gravity,
)
from remora.plant import pack
from remora.plant.forms.user_forms import codes_of
from remora.plant.inputs import numbers
from remora.plant.kernels.engine_hydrodynamics import (
    ADD_INERTIA,
    INERTIA_INDICES,
    TRIANGLE,
    engine_hydrodynamics_kernel,
    engine_memory,
    memory_size,
    update_outputs,
)
from remora.vehicles import Vehicle

MISSING = f"MuJoCo is not installed: {install_line('mujoco')}"
JOINTED = "something hangs on body {!r} by a joint, and one wrench per step cannot allow for it: use submerged(water)"
NO_WRENCH = np.zeros(6)


def load_mujoco() -> Any:
    """The package of MuJoCo, or an error with the command that installs it."""
    try:
        return importlib.import_module("mujoco")
    except ImportError as error:
        raise ImportError(MISSING) from error


@final
class Hydrodynamics:
    """Hydrodynamics of one body with a free joint.

    One object serves one `MjData`, because it holds the outputs of the vehicle's actuators.

    Parameters
    ----------
    model
        An `MjModel`, without fluid forces of its own.
    body
        Name of a body with a free joint. Its frame has the origin of the vehicle file.
    vehicle
        The vehicle. Mass and moments of inertia come from the model, all else from the vehicle.
    world
        World frame of the model: ``north-west-up`` or ``east-north-up``.
    axes
        The body's axes in the model: ``forward-left-up`` or ``forward-right-down``.
    current
        Velocity of the water in the model's world, m/s; uniform and steady.

    Raises
    ------
    ImportError
        When MuJoCo is not installed; the message holds the command.
    ValueError
        When model and vehicle do not fit together; the message says what to change.
    """

    def __init__(
        self,
        model: Any,
        body: str,
        vehicle: Vehicle,
        world: str = "north-west-up",
        axes: str = "forward-left-up",
        current: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        self._mujoco = load_mujoco()
        q_NE, q_FB = frame_rotation("world", WORLDS, world), frame_rotation("axes", BODY_AXES, axes)
        R_FB = np.array(rotation_matrix(q_FB))
        self._q_NE, self._q_FB, self._R_NE = q_NE, q_FB, np.array(rotation_matrix(q_NE))
        self._options = model.opt
        self.model, self.vehicle, self.body = model, vehicle, find_body(self._mujoco, model, body)
        check_vehicle(vehicle)
        check_mass(model, self.body, vehicle)
        gravity = vertical_gravity(model, self._R_NE)
        rigid = rigid_inertia(self._mujoco, model, self.body, R_FB)
        wet = with_rigid_body(vehicle.parameters, rigid, gravity)
        self._packed = pack(wet)
        self._memory = np.zeros(memory_size(self._packed.row.size, self._packed.actuators))
        self._at = engine_memory(self._packed.row.size)
        self._write(0, self._packed.row)
        self._write(self._at.hull, pack(dry(wet)).row[:HULL_SIZE])
        self._write(self._at.added_inertia, self._packed.row[:36] - rigid.ravel())
        self._write(self._at.q_NE, q_NE)
        self._write(self._at.q_FB, q_FB)
        self._write(self._at.wrench_point, R_FB.T @ model.body_ipos[self.body])
        self.set_current(current)
        self._codes = np.append(codes_of(self._packed.layout), [0, self._packed.row.size, *[0] * TRIANGLE])
        self._inside = self._codes.copy()
        self._is_jointed = has_joints_below(model, self.body)
        self._kernel, self._data = engine_hydrodynamics_kernel(), None

    @property
    def actuator_names(self) -> tuple[str, ...]:
        """Thrusters, then fins: the order of commands."""
        return (*self.vehicle.parameters.thruster_names, *self.vehicle.parameters.fin_names)

    def set_current(self, velocity: ArrayLike) -> None:
        """Let the water move with another velocity in the model's world, m/s."""
        self._write(self._at.water, self._R_NE @ numbers("current", velocity, (3,)))

    def command(self, data: Any, commands: ArrayLike) -> None:
        """Set commands of thrusters and fins, held until the next call; outputs follow with their time constants."""
        count = self._packed.actuators
        given = numbers("commands", commands, (count,))
        targets = [actuator_target(self._packed.row, self._packed.layout, i, given[i]) for i in range(count)]
        self._write(self._at.outputs, self.outputs(data))
        self._write(self._at.outputs + count, targets)
        self._memory[self._at.time] = data.time

    def reset(self) -> None:
        """Thrusters and fins at rest at time zero, to go with `mj_resetData`."""
        self._memory[self._at.time] = 0.0
        self._memory[self._at.outputs :] = 0.0

    def outputs(self, data: Any) -> Array:
        """BlockOutputs of thrusters and fins now."""
        update_outputs(self._memory, self._codes, data.time)
        count = self._packed.actuators
        return self._memory[self._at.outputs + 2 * count :][:count].copy()

    def state(self, data: Any) -> Array:
        """Position, quaternion and twist of the body as in `Plant`: N and forward-right-down body axes."""
        self._bind(data)
        q_EB = product(normalize(tuple(self._position[3:].tolist())), self._q_FB)
        v_E, w_F = self._speed.tolist()[:3], self._speed.tolist()[3:]
        twist = twist_from_engine(q_EB, self._q_FB, tuple(v_E), tuple(w_F))
        return np.array([*(self._R_NE @ self._position[:3]), *product(self._q_NE, q_EB), *twist])

    def place(self, data: Any, state: ArrayLike) -> None:
        """Set pose and velocity of the body from a state of `Plant`."""
        self._bind(data)
        given = numbers("state", np.asarray(state)[:13], (13,)).tolist()
        q_EB = product(conjugate(self._q_NE), tuple(given[3:7]))
        self._position[:3] = self._R_NE.T @ given[:3]
        self._position[3:] = product(q_EB, conjugate(self._q_FB))
        self._speed[:] = to_engine(q_EB, self._q_FB, tuple(given[7:]))

    def apply(self, data: Any) -> None:
        """Write the hydrodynamic wrench of the coming step into `data.qfrc_applied` of the body's free joint.

        Forces in `data.xfrc_applied` of this body act on the total inertia. Thrust is that at mid-step.
        """
        if data is not self._data:
            self._bind(data)
        if self._is_jointed:
            raise ValueError(JOINTED.format(self.model.body(self.body).name))
        time = data.time + 0.5 * self._options.timestep
        self._kernel(
            self._memory, self._codes, self._position, self._speed, time, self._external, self._applied, NO_WRENCH
        )

    def prepare_inside(self) -> None:
        """Locate the entries of MuJoCo's inertia matrix for the added mass; ValueError where there are none."""
        self._inside[ADD_INERTIA] = 1
        self._inside[INERTIA_INDICES:] = inertia_places(self._mujoco, self.model, self.body)

    def add_passive(self, data: Any) -> None:
        """Add the added mass to MuJoCo's inertia matrix, and the other hydrodynamic forces to `data.qfrc_passive`.

        For the passive callback of MuJoCo, set by `submerged`; call `prepare_inside` first.
        """
        if data is not self._data:
            self._bind(data)
        inside = self._inside
        self._kernel(
            self._memory, inside, self._position, self._speed, data.time, NO_WRENCH, self._passive, self._inertia
        )
        self._mujoco.mj_factorM(self.model, data)

    def _write(self, place: int, values: ArrayLike) -> None:
        row = np.ravel(values)
        self._memory[place : place + row.size] = row

    def _bind(self, data: Any) -> None:
        """Keep views of the arrays of this data: faster than looking them up at each step."""
        if data.qpos.size != self.model.nq or data.qvel.size != self.model.nv:
            raise ValueError("the data belong to another model: make them with MjData(model)")
        joint = self.model.body_jntadr[self.body]
        q, v = int(self.model.jnt_qposadr[joint]), int(self.model.jnt_dofadr[joint])
        self._position, self._speed = data.qpos[q : q + 7], data.qvel[v : v + 6]
        self._applied, self._passive = data.qfrc_applied[v : v + 6], data.qfrc_passive[v : v + 6]
        self._external, self._inertia = data.xfrc_applied[self.body], getattr(data, "M", NO_WRENCH)
        self._data = data


@contextmanager
def submerged(*waters: Hydrodynamics) -> Iterator[None]:
    """Context in which MuJoCo evaluates the hydrodynamics of these bodies at each of its evaluations.

    A passive callback that is already set is called first. Inside the context `apply` must not be called. Raises a
    ValueError when MuJoCo's inertia matrix has no entries for a body's added mass; it says how to change the model.
    """
    mujoco = load_mujoco()
    for water in waters:
        water.prepare_inside()
    before = mujoco.get_mjcb_passive()

    def passive(model: Any, data: Any) -> None:
        if before is not None:
            before(model, data)
        for water in waters:
            if water.model is model:
                water.add_passive(data)

    mujoco.set_mjcb_passive(passive)
    try:
        yield
    finally:
        mujoco.set_mjcb_passive(before)
