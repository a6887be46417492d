"""Excitation of thrusters in the null space of the allocation matrix: every thruster works, and the wrench stays.

A thruster that carries no load cannot be judged by a fault detector. Sinusoids of different frequencies, one per
thruster, are projected on the null space, so that thrusters along one line can be told apart as well.
"""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from remora.files.arrays import Array
from remora.vehicles.checks.actuation import RANK_TOLERANCE

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
    freedom[~used], freedom[:, ~used] = 0.0, 0.0
    if np.abs(np.diag(freedom)).max(initial=0.0) < LEAST_REDUNDANCY:
        return None
    number = np.arange(matrix.shape[1], dtype=float)
    frequencies = SLOWEST + (FASTEST - SLOWEST) * (number * FREQUENCY_STEP % 1.0)
    return NullSpaceExcitation(amplitude, freedom, frequencies, 2.0 * math.pi * PHASE_STEP * number)
