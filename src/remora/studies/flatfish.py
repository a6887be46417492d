"""R29 and R30: thrusters of the FlatFish, Britto Neto 2018."""

from collections.abc import Sequence

import numpy as np

from remora.equations.thrusters import Thruster, speed_from_thrust, static_thrust
from remora.identification.bench import fit_quadratic_thrust
from remora.sensors import Stream
from remora.studies.figures import Figure, Study, at_most, near
from remora.vehicles import load_vehicle
from remora.vehicles.actuation import allocation_matrix

SOURCE = "Britto Neto 2018"
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
BENCH_NOISE, BENCH_SAMPLES = 1.0, 200  # N, and pairs of speed and force


def configuration(seeds: Sequence[int]) -> list[Figure]:
    """The matrix of the thrusters follows from their places and directions."""
    found = TURNED_OVER[:, None] * allocation_matrix(load_vehicle("flatfish_gazebo").parameters)
    return [at_most("largest difference from Table 2", np.abs(found - TABLE_2).max(), 1e-12, "N or N m per N")]


def thrust_curve(seeds: Sequence[int]) -> list[Figure]:
    """Force to speed and back, and the coefficient from a bench test with noise."""
    thruster = load_vehicle("flatfish_gazebo").parameters.thrusters[0]
    coefficient = thruster.positive.square
    forces = np.linspace(-60.0, 60.0, 241).tolist()
    back = [static_thrust(thruster, speed_from_thrust(thruster, force, 0.0)) for force in forces]
    exact = abs(bench_fit(thruster, None) / coefficient - 1.0)
    worst = max(abs(bench_fit(thruster, seed) / coefficient - 1.0) for seed in seeds)
    twin = (
        "twin: 200 pairs of speed and force in both directions, with 1 N of noise where there is any; none are printed"
    )
    return [
        at_most("force to speed to force, largest error", np.abs(np.subtract(back, forces)).max(), 1e-12, "N"),
        near(
            "speed at 60 N", speed_from_thrust(thruster, 60.0, 0.0), 94.6, 0.05, "rad/s",
            differs="with C_t a hundred times the printed one, which would need 946 rad/s",
        ),
        at_most("C_t fitted to a bench test, error without noise", 100.0 * exact, 1e-9, "%", differs=twin),
        at_most("C_t fitted to a bench test, error with 1 N of noise", 100.0 * worst, 1.0, "%", differs=twin),
    ]  # fmt: skip


def bench_fit(thruster: Thruster, seed: int | None) -> float:
    """C_t from pairs of speed and force in both directions, without noise where there is no seed."""
    speeds = np.linspace(-94.6, 94.6, BENCH_SAMPLES)
    forces = np.array([static_thrust(thruster, speed) for speed in speeds.tolist()])
    if seed is not None:
        forces += BENCH_NOISE * np.array([Stream(seed, "bench").normals(k, 1)[0] for k in range(BENCH_SAMPLES)])
    return fit_quadratic_thrust(speeds, forces, alike=True).value("square.both")


STUDIES = [
    Study("R29", f"{SOURCE}, Table 2", "Thruster configuration matrix", configuration),
    Study("R30", f"{SOURCE}, eq. 2.1", "Thrust curve and its inverse", thrust_curve, seeds=20),
]
