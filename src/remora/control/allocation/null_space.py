"""Use of the freedom that redundant thrusters leave: dead-band avoidance and excitation.

Dead-band avoidance lets thrusters work outside their dead bands, with the same mean wrench. Opposed thrusters are
biased against each other, which leaves the wrench as it is. A thruster without a partner alternates between rest and
the edge of its dead band: the force that it owes is carried over to the next step.

A thruster that carries no load cannot be judged by a fault detector. Sinusoids of different frequencies, one per
thruster, are projected on the null space of the allocation matrix, so that every thruster works, the wrench stays, and
thrusters along one line can be told apart as well.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from remora.control.allocation.thrusters import HELD_AXES, independent_axes, pseudo_inverse
from remora.equations.actuators.thrusters import effective_thrust
from remora.files.arrays import Array
from remora.vehicles.checks.actuation import RANK_TOLERANCE, steady_output, thrust_at
from remora.vehicles.drives import DIRECT, ThrusterDrive, full_voltage, input_from_command
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.thrust_table import ThrustTable

NEGLIGIBLE = 1e-9  # relative, of a component of a null-space vector
SLACK = 1e-9  # N, of forces at a limit
OPPOSED = 0.1  # least share of the largest component of a thruster that a bias brings out of its dead band


class PulsedForces(NamedTuple):
    """Forces of one step, N, and what each thruster owes of its mean."""

    forces: Array
    owed: Array


@final
@dataclass(frozen=True, eq=False)
class DeadBandAvoidance:
    """Null-space vectors of the allocation matrix with few thrusters each, and the forces at the dead bands."""

    vectors: Array  # one per row
    lowest: Array  # N, one per thruster: force at the lower edge of its dead band, at most zero
    highest: Array  # N, at the upper edge

    @property
    def single(self) -> tuple[int, ...]:
        """Thrusters with a dead band that no bias can bring out of it."""
        is_paired = np.array([_opposed(vector) for vector in self.vectors]).any(axis=0)
        return tuple(int(i) for i in np.flatnonzero((self.highest > self.lowest) & ~is_paired))

    def outside(self, forces: Array, limits: tuple[Array, Array], before: Array) -> Array:
        """Forces with the same wrench and fewer thrusters inside their dead bands.

        Forces and their lowest and highest values are in N. A bias keeps the direction that it had before.
        """
        for vector in self.vectors:
            forces = self._along(vector, forces, limits, float(before @ vector))
        return forces

    def pulsed(self, forces: Array, limits: tuple[Array, Array], owed: Array) -> PulsedForces:
        """Forces at rest or at the edge instead of inside a dead band, whichever brings the mean closer.

        `owed` is the sum of the differences to the desired forces so far; all in N.
        """
        # What was not given before is due now, so that the mean force is the desired one.
        due = forces + owed
        edges = np.where(due > 0.0, self.highest, self.lowest) * (1.0 + NEGLIGIBLE)
        is_reached = (edges >= limits[0]) & (edges <= limits[1])
        pulses = np.where((np.abs(due) >= 0.5 * np.abs(edges)) & is_reached, edges, 0.0)
        inside = self._inside(forces)
        # Bounded: a pulse that the limits forbid must not be owed without end.
        kept = np.clip(due - pulses, self.lowest, self.highest)
        return PulsedForces(np.where(inside, pulses, forces), np.where(inside, kept, 0.0))

    def _along(self, vector: Array, forces: Array, limits: tuple[Array, Array], side: float) -> Array:
        """The forces moved least along one vector so that none of its thrusters is inside its dead band.

        Of both ways along the vector the one to the given side is tried first.
        """
        used = _opposed(vector)
        if not self._inside(forces)[used].any() or not (forces[used] != 0.0).any():
            return forces  # a vehicle at rest stays at rest
        edges = np.concatenate([(edge - forces)[used] / vector[used] for edge in (self.lowest, self.highest)])
        for amount in sorted(edges, key=lambda one: (one * side < 0.0, abs(one))):
            # A little beyond the edge, so that rounding leaves no thruster inside.
            moved = forces + amount * (1.0 + NEGLIGIBLE) * vector
            within = (moved >= limits[0] - SLACK).all() and (moved <= limits[1] + SLACK).all()
            if within and not self._inside(moved)[used].any():
                return np.asarray(moved)
        return forces

    def _inside(self, forces: Array) -> Array:
        return np.asarray((forces > self.lowest) & (forces < self.highest))


def _opposed(vector: Array) -> Array:
    """Whether each thruster has a considerable part in a null-space vector."""
    return np.asarray(np.abs(vector) > OPPOSED * np.abs(vector).max())


def dead_band_avoidance(parameters: VehicleParameters, matrix: Array, axes: tuple[int, ...]) -> DeadBandAvoidance:
    """Dead-band avoidance of a vehicle for an allocation matrix, with the dead bands of its drives.

    The matrix is 6 x thrusters; the axes are controlled degrees of freedom by index.
    """
    edges = np.array([[_edge(parameters, i, side) for side in (-1.0, 1.0)] for i in range(matrix.shape[1])])
    return DeadBandAvoidance(_sparse_null_space(matrix[list(axes)]), edges.min(axis=1), edges.max(axis=1))


def hidden_errors(parameters: VehicleParameters, stiffness: tuple[float, ...]) -> tuple[float, ...]:
    """Errors in surge, sway, heave and yaw up to which some thruster stays inside its dead band, m and rad.

    The stiffness is the wrench per error of a controller without integral action in these axes, N/m and N m/rad.
    """
    forces = pseudo_inverse(parameters, independent_axes(parameters)).inverse
    edges = np.array([max(abs(_edge(parameters, i, side)) for side in (-1.0, 1.0)) for i in range(len(forces))])
    found = []
    for axis, one in zip(HELD_AXES, stiffness, strict=True):
        shares = np.abs(forces[:, axis])
        used = shares > RANK_TOLERANCE * max(shares.max(initial=0.0), 1e-9)
        wrench = float(np.max(edges[used] / shares[used], initial=0.0))
        found.append(wrench / one if one > 0.0 else 0.0)
    return tuple(found)


def _edge(parameters: VehicleParameters, index: int, side: float) -> float:
    """Effective force of a thruster at one edge of the largest dead band of its drive, N."""
    drive = parameters.drives[index] if parameters.drives else DIRECT
    band = least_command(drive)
    if band <= 0.0:
        return 0.0
    voltage = full_voltage(drive.law, parameters.supply) if isinstance(drive.law, ThrustTable) else 0.0
    free = drive._replace(dead_band=0.0, resolution=0.0)
    plant_input = input_from_command(free, drive.neutral + side * band, voltage)
    thrust = thrust_at(parameters, index, steady_output(parameters, index, plant_input), 0.0)
    return effective_thrust(parameters.thrusters[index], thrust)


def least_command(drive: ThrusterDrive) -> float:
    """Least command from neutral that surely moves a thruster: the largest dead band, in whole steps of the drive."""
    band = drive.dead_band + drive.dead_band_spread
    return drive.resolution * math.ceil(band / drive.resolution) if drive.resolution > 0.0 else band


def _sparse_null_space(rows: Array) -> Array:
    """Null-space vectors in reduced row echelon form, so that thrusters of separate groups do not mix."""
    _, singular, right = np.linalg.svd(rows)
    scale = singular.max(initial=0.0)
    rank = int(np.sum(singular > RANK_TOLERANCE * max(scale, 1.0)))
    vectors = right[rank:].copy()
    for k in range(len(vectors)):
        free = np.abs(vectors[k:]).max(axis=0)
        # The largest pivot of the rows and columns that are left, for rounding.
        column = int(np.argmax(free))
        best = k + int(np.argmax(np.abs(vectors[k:, column])))
        vectors[[k, best]] = vectors[[best, k]]
        vectors[k] /= vectors[k, column]
        for other in range(len(vectors)):
            if other != k:
                vectors[other] -= vectors[other, column] * vectors[k]
    vectors[np.abs(vectors) < NEGLIGIBLE] = 0.0
    return vectors


SLOWEST, FASTEST = 0.3, 0.8  # Hz: within seconds, and slower than the lag of a thruster
# Multiples of irrational numbers spread frequencies and phases evenly, whatever the number of thrusters.
FREQUENCY_STEP, PHASE_STEP = 0.5 * (math.sqrt(5.0) - 1.0), math.sqrt(2.0) - 1.0
LEAST_REDUNDANCY = 1e-6


@final
@dataclass(frozen=True, eq=False)
class NullSpaceExcitation:
    """Forces without effect on the vehicle; `null_space_excitation` builds it."""

    amplitude: float  # N, before the projection
    projector: Array  # thrusters x thrusters
    frequencies: Array  # Hz
    phases: Array  # rad

    def added(self, forces: Array, limits: tuple[Array, Array], time_ns: int) -> Array:
        """Forces with the excitation, N, less of it where a thruster would leave its limits, lowest and highest."""
        wave = np.sin(2.0 * math.pi * self.frequencies * 1e-9 * time_ns + self.phases)
        extra = self.amplitude * (self.projector @ wave)
        # One share for all thrusters: with less of some alone the excitation would leave the null space.
        room = np.where(extra > 0.0, limits[1] - forces, forces - limits[0])
        moving = np.abs(extra) > 1e-12
        share = float(np.min(room[moving] / np.abs(extra[moving]), initial=1.0))
        return np.asarray(forces + max(share, 0.0) * extra)


def null_space_excitation(matrix: Array, amplitude: float) -> NullSpaceExcitation | None:
    """Excitation for an allocation matrix; None where it leaves no freedom.

    Columns of disabled thrusters are zero. The amplitude, N, is that of the sinusoids before their projection.
    """
    used = np.abs(matrix).max(axis=0) > 0.0
    freedom = np.eye(len(used)) - np.linalg.pinv(matrix, rcond=RANK_TOLERANCE) @ matrix
    # Disabled thrusters are not free: their columns are zero, so that the projector would keep all of their waves.
    freedom[~used], freedom[:, ~used] = 0.0, 0.0
    if np.abs(np.diag(freedom)).max(initial=0.0) < LEAST_REDUNDANCY:
        return None
    number = np.arange(matrix.shape[1], dtype=float)
    frequencies = SLOWEST + (FASTEST - SLOWEST) * (number * FREQUENCY_STEP % 1.0)
    return NullSpaceExcitation(amplitude, freedom, frequencies, 2.0 * math.pi * PHASE_STEP * number)
