"""Two modules on a rod, as Nielsen 2018 describes them: bodies, links, and runs of the plant and of dense forms."""

from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp

from remora.equations.actuators.thrusters import OUTPUT_IS_FORCE
from remora.equations.algebra.kinematics import twist_transform
from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import diagonal6
from remora.equations.hull.inertia import rigid_body_inertia
from remora.equations.types import Vector6
from remora.files.arrays import Array
from remora.plant.multibody import BodyModel, Link, MultibodyPlant
from remora.plant.multibody.solvers.memory import FORCE
from remora.plant.pack import pack
from remora.vehicles.parameters import VehicleParameters

ROLLED = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)  # by 90 degrees
LEVEL = (1.0, 0.0, 0.0, 0.0)
HALF_ROD = 0.298  # m, of the spheres
SPHERE_MASS, SPHERE_INERTIA = 14.3, (0.13, 0.16, 0.16)
SPHERE_ADDED: Vector6 = (6.49, 8.1, 7.41, 0.0074, 0.0317, 0.0453)
SPHERE_LINEAR: Vector6 = (0.61, 3.0, 1.9, 0.05, 0.0353, 0.0764)
SPHERE_QUADRATIC: Vector6 = (3.8, 18.9, 12.1, 0.0082, 0.05, 0.108)
NO_SIX: Vector6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def module(
    name: str,
    mass: float,
    inertia: tuple[float, float, float],
    added: Vector6,
    linear: Vector6,
    quadratic: Vector6 = NO_SIX,
    centre_of_buoyancy: float = 0.0,
    gravity: float = 9.81,
) -> BodyModel:
    """A neutral module with diagonal matrices, its centre of gravity at B; SI units.

    The centre of buoyancy is given by its z in body axes, added mass and damping by their diagonals.
    """
    moments = ((inertia[0], 0.0, 0.0), (0.0, inertia[1], 0.0), (0.0, 0.0, inertia[2]))
    zero = (0.0, 0.0, 0.0)
    parameters = VehicleParameters(
        mass=mass, displaced_mass=mass, p_BG=zero, p_BC=(0.0, 0.0, centre_of_buoyancy), inertia_G=moments,
        rigid_body_inertia=rigid_body_inertia(mass, zero, moments), added_mass=diagonal6(added),
        linear_damping=diagonal6(linear), quadratic_damping=diagonal6(quadratic), cubic_surge=0.0, heave_up=None,
        gravity=gravity, density=1000.0, thrusters=(), thruster_names=(), thrust_law=OUTPUT_IS_FORCE,
        mapped_commands=False, fins=(), fin_names=(), locked=(), simplifications=(), envelope=None,
        total_inertia_only=False,
    )  # fmt: skip
    return BodyModel(name, pack(parameters))


def sphere(name: str) -> BodyModel:
    """A sphere with thruster, Table 4.1, with the moment of inertia in yaw of that in pitch."""
    return module(
        name, SPHERE_MASS, SPHERE_INERTIA, SPHERE_ADDED, SPHERE_LINEAR, SPHERE_QUADRATIC, centre_of_buoyancy=-0.0114
    )


def rod(half: float, rolled: bool) -> Link:
    """A rigid rod along y of the first module, its joint point in the middle; the second may be rolled."""
    second = (0.0, 0.0, half) if rolled else (0.0, -half, 0.0)
    return Link("rod", "rigid", "A", "B", (0.0, half, 0.0), second, ROLLED if rolled else LEVEL)


def starting(half: float, rolled: bool) -> list[Array]:
    """States of both modules at rest, the second to the right of the first."""
    return [np.array([0.0, y, 0.0, *q, *NO_SIX]) for y, q in ((0.0, LEVEL), (2.0 * half, ROLLED if rolled else LEVEL))]


def pair(
    bodies: tuple[BodyModel, BodyModel], half: float, rolled: bool, step: float, projection: int = 1
) -> tuple[MultibodyPlant, Array]:
    """Plant and initial state of two modules on a rod of twice `half`, m; B may be rolled by 90 degrees.

    The step of RK4 is in s; poses are projected every `projection` steps, 0 for never.
    """
    plant = MultibodyPlant(bodies, (rod(half, rolled),), time_step=step, projection=projection)
    return plant, plant.state_of(starting(half, rolled))


def forcing(time: float) -> Array:
    """Vigorous wrench on the first module: [body, 6]."""
    one = 5 * np.sin(0.7 * time), 3 * np.cos(1.1 * time), 4 * np.sin(0.9 * time)
    other = 0.5 * np.sin(1.3 * time), 0.4 * np.cos(0.8 * time), 0.3 * np.sin(1.7 * time)
    return np.array([[*one, *other], NO_SIX])


def free_loads(plant: MultibodyPlant, x: Array, external: Array) -> tuple[Array, Array]:
    """Stacked inertia and force of two bodies of a plant without links; quaternions are scaled to unit length."""
    scaled = x.copy()
    scaled[:, 3:7] /= np.linalg.norm(x[:, 3:7], axis=1)[:, None]
    memory = plant.solved(scaled.ravel(), (), external)
    M = np.zeros((12, 12))
    M[:6, :6], M[6:, 6:] = (body.packed.row[:36].reshape(6, 6) for body in plant.bodies)
    return M, memory["loads"][:, FORCE : FORCE + 6].ravel().copy()


def integrated(accelerations: Callable[[float, Array], Array], x: Array, step: float, steps: int) -> list[Array]:
    """RK4 with plain arrays: states [body, 13] after each step, s, for dense forms with accelerations [body, 6]."""

    def rate(t: float, y: Array) -> Array:
        found = np.empty_like(y)
        for row, out in zip(y, found, strict=True):
            q, w = row[3:7], row[10:13]
            out[:3] = np.array(rotation_matrix(tuple(q.tolist()))) @ row[7:10]
            out[3] = -0.5 * q[1:] @ w
            out[4:7] = 0.5 * (q[0] * w + np.cross(q[1:], w))
        found[:, 7:] = accelerations(t, y)
        return found

    states = []
    for k in range(steps):
        t = k * step
        k1 = rate(t, x)
        k2 = rate(t + 0.5 * step, x + 0.5 * step * k1)
        k3 = rate(t + 0.5 * step, x + 0.5 * step * k2)
        k4 = rate(t + step, x + step * k3)
        x = x + step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        x[:, 3:7] /= np.linalg.norm(x[:, 3:7], axis=1)[:, None]
        states.append(x)
    return states


def composite_accelerations(plant: MultibodyPlant, rolled: bool, half: float) -> Callable[[Array, Array], Array]:
    """Accelerations of both modules as one body: M_c = sum H^T M H, forces per module. Nielsen 2018, 3.5; digest 4.4.

    The plant is one of `pair`.
    """
    R_AB = rotation_matrix(ROLLED if rolled else LEVEL)
    free = plant.with_links(())
    H = np.vstack([np.eye(6), np.array(twist_transform((0.0, 2.0 * half, 0.0), R_AB))])

    def accelerations(x: Array, external: Array) -> Array:
        M, f = free_loads(free, x, external)
        found: Array = H @ np.linalg.solve(H.T @ M @ H, H.T @ f)
        return found.reshape(2, 6)

    return accelerations


def first_peak(times: Array, angles: Array) -> tuple[float, float]:
    """Time and value of the lowest angle, by a parabola through three samples."""
    i = int(np.argmin(angles))
    a, b, c = angles[i - 1 : i + 2]
    shift = 0.5 * (a - c) / (a - 2.0 * b + c)
    return float(times[i] + shift * (times[1] - times[0])), float(b - 0.25 * (a - c) * shift)


def solved_pendulum(rate: Callable[[float, Array], tuple[float, float]], end: float) -> tuple[Array, Array]:
    """Angle of a pendulum released at zero, over time."""
    times = np.linspace(0.0, end, 2000)
    run = solve_ivp(rate, (0.0, end), (0.0, 0.0), t_eval=times, rtol=1e-10, atol=1e-12)
    return times, np.asarray(run.y[0])
