"""Dead-band avoidance: opposed thrusters are biased out of their dead bands, without a change of the wrench."""

from dataclasses import dataclass
from typing import final

import numpy as np

from remora.equations.actuators.thrusters import effective_thrust
from remora.files.arrays import Array
from remora.vehicles.checks.actuation import RANK_TOLERANCE, steady_output, thrust_at
from remora.vehicles.drives import DIRECT, full_voltage, input_from_command
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.thrust_table import ThrustTable

NEGLIGIBLE = 1e-9  # relative, of a component of a null-space vector


@final
@dataclass(frozen=True, eq=False)
class DeadBandAvoidance:
    """Null-space vectors of the allocation matrix with few thrusters each, and the forces at the dead bands."""

    vectors: Array  # one per row
    lowest: Array  # N, one per thruster: force at the lower edge of its dead band, at most zero
    highest: Array  # N, at the upper edge

    def outside(self, forces: Array, limits: tuple[Array, Array]) -> Array:
        """Forces with the same wrench and fewer thrusters inside their dead bands; limits are lowest and highest, N."""
        for vector in self.vectors:
            forces = self._along(vector, forces, limits)
        return forces

    def _along(self, vector: Array, forces: Array, limits: tuple[Array, Array]) -> Array:
        """The forces moved least along one vector so that none of its thrusters is inside its dead band."""
        used = np.abs(vector) > NEGLIGIBLE * np.abs(vector).max()
        if not self._inside(forces)[used].any() or not (forces[used] != 0.0).any():
            return forces  # a vehicle at rest stays at rest
        edges = np.concatenate([(edge - forces)[used] / vector[used] for edge in (self.lowest, self.highest)])
        for amount in sorted(edges, key=abs):
            moved = forces + amount * (1.0 + NEGLIGIBLE) * vector
            within = (moved[used] >= limits[0][used]).all() and (moved[used] <= limits[1][used]).all()
            if within and not self._inside(moved)[used].any():
                return np.asarray(moved)
        return forces

    def _inside(self, forces: Array) -> Array:
        return np.asarray((forces > self.lowest) & (forces < self.highest))


def dead_band_avoidance(parameters: VehicleParameters, matrix: Array, axes: tuple[int, ...]) -> DeadBandAvoidance:
    """Dead-band avoidance of a vehicle for an allocation matrix, with the dead bands of its drives.

    Parameters
    ----------
    parameters
        The vehicle.
    matrix
        Allocation matrix, 6 x thrusters.
    axes
        Controlled degrees of freedom by index.
    """
    edges = np.array([[_edge(parameters, i, side) for side in (-1.0, 1.0)] for i in range(matrix.shape[1])])
    return DeadBandAvoidance(_sparse_null_space(matrix[list(axes)]), edges.min(axis=1), edges.max(axis=1))


def _edge(parameters: VehicleParameters, index: int, side: float) -> float:
    """Effective force of a thruster at one edge of the dead band of its drive, N."""
    drive = parameters.drives[index] if parameters.drives else DIRECT
    if drive.dead_band <= 0.0:
        return 0.0
    voltage = full_voltage(drive.law, parameters.supply) if isinstance(drive.law, ThrustTable) else 0.0
    free = drive._replace(dead_band=0.0, resolution=0.0)
    plant_input = input_from_command(free, drive.neutral + side * drive.dead_band, voltage)
    thrust = thrust_at(parameters, index, steady_output(parameters, index, plant_input), 0.0)
    return effective_thrust(parameters.thrusters[index], thrust)


def _sparse_null_space(rows: Array) -> Array:
    """Null-space vectors in reduced row echelon form, so that thrusters of separate groups do not mix."""
    _, singular, right = np.linalg.svd(rows)
    scale = singular.max(initial=0.0)
    rank = int(np.sum(singular > RANK_TOLERANCE * max(scale, 1.0)))
    vectors = right[rank:].copy()
    for k in range(len(vectors)):
        free = np.abs(vectors[k:]).max(axis=0)
        column = int(np.argmax(free))
        best = k + int(np.argmax(np.abs(vectors[k:, column])))
        vectors[[k, best]] = vectors[[best, k]]
        vectors[k] /= vectors[k, column]
        for other in range(len(vectors)):
            if other != k:
                vectors[other] -= vectors[other, column] * vectors[k]
    vectors[np.abs(vectors) < NEGLIGIBLE] = 0.0
    return vectors
