"""R29 to R31: thrusters of the FlatFish and their allocation, Britto Neto 2018."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from remora.control.allocation.thrusters import HELD_AXES, BoundedAllocation, bounded_allocation
from remora.equations.actuators.thrusters import Thruster, speed_from_thrust, static_thrust
from remora.files.arrays import Array
from remora.identification.bench import fit_quadratic_thrust
from remora.sensors import Stream
from remora.vehicles import load_vehicle
from remora.vehicles.checks.actuation import allocation_matrix
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.sampling import normals

# Table 2, in axes forward, left, up; ours are forward, right, down.
TABLE_2 = np.array([
    [1, 1, 0, 0, 0, 0],
    [0, 0, -1, -1, 0, 0],
    [0, 0, 0, 0, 1, 1],
    [0, 0, 0.032, -0.032, 0, 0],
    [-0.0315, -0.0315, 0, 0, -0.4235, 0.556],
    [0.44, -0.4, -0.5735, 0.936, 0, 0],
])  # fmt: skip
TURNED_OVER = np.array([1.0, -1.0, -1.0, 1.0, -1.0, -1.0])
# Least forces per newton or newton metre of surge, sway, heave and yaw, in the axes of Table 2.
LEAST_NORM = np.array([
    [0.49437, 0.05102, 0, 0.28148],
    [0.50563, -0.05102, 0, -0.28148],
    [0.01012, -0.59168, 0, -0.50583],
    [-0.01012, -0.40832, 0, 0.50583],
    [0, 0, 0.5, 0],
    [0, 0, 0.5, 0],
])  # fmt: skip
WRENCHES = 200  # per seed
LARGE = np.array([100.0, 100.0, 100.0, 0.0, 0.0, 60.0])  # N and N m: mostly beyond reach
MODEST = np.array([8.0, 6.0, 10.0, 0.0, 0.0, 3.0])  # within reach of any five thrusters
BENCH_NOISE, BENCH_SAMPLES = 1.0, 200  # N, and pairs of speed and force


def configuration(seeds: Sequence[int]) -> list[Value]:
    """The matrix of the thrusters follows from their places and directions."""
    found = TURNED_OVER[:, None] * allocation_matrix(load_vehicle("flatfish_gazebo").parameters)
    return [("largest difference from Table 2", np.abs(found - TABLE_2).max())]


def thrust_curve(seeds: Sequence[int]) -> list[Value]:
    """Force to speed and back, and the coefficient from a bench test with noise."""
    thruster = load_vehicle("flatfish_gazebo").parameters.thrusters[0]
    coefficient = thruster.positive.square
    forces = np.linspace(-60.0, 60.0, 241).tolist()
    back = [static_thrust(thruster, speed_from_thrust(thruster, force, 0.0)) for force in forces]
    exact = abs(bench_fit(thruster, None) / coefficient - 1.0)
    worst = max(abs(bench_fit(thruster, seed) / coefficient - 1.0) for seed in seeds)
    return [
        ("force to speed to force, largest error", np.abs(np.subtract(back, forces)).max()),
        ("speed at 60 N", speed_from_thrust(thruster, 60.0, 0.0)),
        ("C_t fitted to a bench test, error without noise", 100.0 * exact),
        ("C_t fitted to a bench test, error with 1 N of noise", 100.0 * worst),
    ]  # fmt: skip


@cache
def bench_fit(thruster: Thruster, seed: int | None) -> float:
    """C_t from pairs of speed and force in both directions, without noise where there is no seed."""
    speeds = np.linspace(-94.6, 94.6, BENCH_SAMPLES)
    forces = np.array([static_thrust(thruster, speed) for speed in speeds.tolist()])
    if seed is not None:
        forces += BENCH_NOISE * np.array([Stream(seed, "bench").normals(k, 1)[0] for k in range(BENCH_SAMPLES)])
    return fit_quadratic_thrust(speeds, forces, alike=True).value("square.both")


def allocations(seeds: Sequence[int]) -> list[Value]:
    """Limits of the thrusters, the pseudo-inverse inside them, and what is left with a thruster switched off."""
    parameters = load_vehicle("flatfish_gazebo").parameters
    free = bounded_allocation(parameters, HELD_AXES)
    broken = [bounded_allocation(parameters, HELD_AXES, (i,)) for i in range(len(parameters.thrusters))]
    large, modest = (np.concatenate([wanted_wrenches(seed, size) for seed in seeds]) for size in (LARGE, MODEST))
    forces = np.array([[one.allocate(wrench).forces for wrench in large] for one in (free, *broken)])
    missed = max(np.abs(one.allocate(wrench).missing).max() for one in broken for wrench in modest)
    from_table, wrong = inside_limits(free, modest)
    switched_off = max(np.abs(forces[i + 1, :, i]).max() for i in range(len(broken)))
    return [
        ("largest force of a thruster, whatever is asked", np.abs(forces).max()),
        ("inside the limits, forces from the least-norm table, per newton asked", from_table),
        ("inside the limits, wrench of the forces from that asked for", wrong),
        ("one thruster off: its force", switched_off),
        ("one thruster off: missed of wrenches within reach", missed),
        ("one thruster off: missed over what clipped forces miss", against_clipping(broken, large)),
    ]


def inside_limits(free: BoundedAllocation, wrenches: Array) -> tuple[float, float]:
    """How far allocated forces are from those of the table, over the wrench, and their wrench from that asked for."""
    held = list(HELD_AXES)
    forces = np.array([free.allocate(wrench).forces for wrench in wrenches])
    expected = (wrenches * TURNED_OVER)[:, held] @ LEAST_NORM.T
    apart = np.abs(forces - expected).max(axis=1) / np.abs(wrenches).sum(axis=1)
    made = forces @ allocation_matrix(load_vehicle("flatfish_gazebo").parameters).T
    return float(apart.max()), float(np.abs(made - wrenches)[:, held].max())


def wanted_wrenches(seed: int, size: Array) -> Array:
    """Wrenches of chance in surge, sway, heave and yaw, none larger than twice the size."""
    return np.asarray(size * np.clip(normals(seed, "wrenches", 6 * WRENCHES).reshape(-1, 6), -2.0, 2.0))


def against_clipping(broken: Sequence[BoundedAllocation], wrenches: Array) -> float:
    """What is missed of wrenches beyond reach, root mean square, over what clipped least-norm forces miss."""
    missed, clipped = [], []
    for one in broken:
        for wrench in wrenches:
            missed.append(one.allocate(wrench).missing)
            made = one.matrix @ np.clip(one.inverse @ wrench, one.lowest, one.highest)
            clipped.append(one.controlled * (wrench - made))
    return float(np.linalg.norm(missed) / np.linalg.norm(clipped))


STUDIES: dict[str, StudyFunction] = {
    "R29": configuration,
    "R30": thrust_curve,
    "R31": allocations,
}
