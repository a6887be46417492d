"""Added-mass compensation for engines that integrate the rigid body only. Britto Neto 2018, chapter 4.

With F the sum of all efforts of the complete model, the engine integrates M_RB nu' = F + C and should integrate
(M_RB + M_A) nu' = F. A scheme computes the compensation C. It has frozen parameters and passes its state.
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol, final

import numpy as np

from remora.equations.algebra.vectors import ZERO6, add6, matvec6, scale6, subtract6
from remora.equations.types import Matrix6, Twist, Wrench
from remora.interop.dry_body import tuples
from remora.vehicles.parameters import VehicleParameters, total_inertia


class Efforts(NamedTuple):
    """Inputs of a scheme in one step."""

    total: Wrench  # F: Coriolis of body and water, damping, weight and buoyancy, thrust
    carried: Wrench  # the engine's own part of it, -C_RB nu, which engines do not report among forces
    last_rate: Twist  # acceleration of the engine in the previous step


SchemeState = tuple[Wrench, ...]


class Scheme(Protocol):
    """A compensation scheme."""

    def initial(self) -> SchemeState:
        """State before the first step."""

    def step(self, state: SchemeState, efforts: Efforts) -> tuple[SchemeState, Wrench]:
        """One step: the next state, and the compensation C."""


@final
@dataclass(frozen=True)
class Uncompensated:
    """No added mass at all: C = 0."""

    def initial(self) -> SchemeState:
        """No state."""
        return ()

    def step(self, state: SchemeState, efforts: Efforts) -> tuple[SchemeState, Wrench]:
        """No state."""
        return state, ZERO6


@final
@dataclass(frozen=True)
class LastAcceleration:
    """Added-mass force from the acceleration of the previous step: C = -M_A a, eq. 4.2.

    A share of 1 is the naive scheme, stable only with an added mass below the rigid-body mass. Otherwise a is filtered,
    a[k] = (1 - share) a[k-1] + share nu'[k-1], stable below `largest_share`.
    """

    added_mass: Matrix6
    share: float = 1.0

    def initial(self) -> SchemeState:
        """At rest."""
        return (ZERO6,)

    def step(self, state: SchemeState, efforts: Efforts) -> tuple[SchemeState, Wrench]:
        """One step."""
        a = add6(scale6(1.0 - self.share, state[0]), scale6(self.share, efforts.last_rate))
        return (a,), scale6(-1.0, matvec6(self.added_mass, a))


@final
@dataclass(frozen=True)
class DelayedCompensation:
    """Method 1: compensation from the efforts of an earlier step, C[k] = (K - 1) F[k - delay], eqs. 4.13 and 4.14.

    Two common mistakes in reconstructing F from the reported state of an engine can be switched on.
    """

    excess: Matrix6  # K - 1 with K = M_RB M^-1
    delay: int = 1  # steps
    forgets_coriolis: bool = False  # the engine's own Coriolis effort is missing in F
    keeps_compensation: bool = False  # the previous compensation is not removed from F

    def initial(self) -> SchemeState:
        """No efforts yet."""
        return (ZERO6,) * self.delay

    def step(self, state: SchemeState, efforts: Efforts) -> tuple[SchemeState, Wrench]:
        """One step."""
        compensation = matvec6(self.excess, state[0])
        rebuilt = efforts.total
        if self.forgets_coriolis:
            rebuilt = subtract6(rebuilt, efforts.carried)
        if self.keeps_compensation:
            rebuilt = add6(rebuilt, compensation)
        return (*state[1:], rebuilt), compensation


@final
@dataclass(frozen=True)
class DirectCompensation:
    """Method 2: compensation from the efforts of the same step, C = (K - 1) F, eq. 4.15."""

    excess: Matrix6  # K - 1

    def initial(self) -> SchemeState:
        """No state."""
        return ()

    def step(self, state: SchemeState, efforts: Efforts) -> tuple[SchemeState, Wrench]:
        """One step."""
        return state, matvec6(self.excess, efforts.total)


def excess(parameters: VehicleParameters) -> Matrix6:
    """K - 1 with K = M_RB M^-1, eq. 4.9: compensation per effort."""
    rigid, total = np.array(parameters.rigid_body_inertia), np.array(total_inertia(parameters))
    return tuples(rigid @ np.linalg.inv(total) - np.eye(6))


def added_mass_ratio(parameters: VehicleParameters) -> float:
    """Spectral radius of M_RB^-1 M_A, the error growth of the naive scheme per step."""
    ratio = np.linalg.solve(np.array(parameters.rigid_body_inertia), np.array(parameters.added_mass))
    return float(np.abs(np.linalg.eigvals(ratio)).max())


def largest_share(parameters: VehicleParameters) -> float:
    """Share of the newest acceleration below which the filtered scheme is stable: 2 / (1 + ratio)."""
    return 2.0 / (1.0 + added_mass_ratio(parameters))
