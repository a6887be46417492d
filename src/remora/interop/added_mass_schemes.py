"""Ways to put added mass into an engine that knows its rigid body only. Britto Neto 2018, chapter 4.

Each scheme compensates: with F the sum of all efforts of the complete model, the engine is made to integrate
M_RB nu' = F + C, and should integrate (M_RB + M_A) nu' = F. A scheme says what C is. It has frozen parameters and
passes its state.
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol, final

import numpy as np

from remora.equations.algebra.vectors import ZERO6, Matrix6, Twist, Wrench, add6, matvec6, scale6, subtract6
from remora.interop.dry_body import tuples
from remora.vehicles.parameters import VehicleParameters, total_inertia


class Efforts(NamedTuple):
    """What a scheme may look at in one step."""

    total: Wrench  # F: Coriolis of body and water, damping, weight and buoyancy, thrust
    carried: Wrench  # the engine's own part of it, -C_RB nu, which engines leave out when they are asked for forces
    last_rate: Twist  # the acceleration that the engine made in the step before


Memory = tuple[Wrench, ...]


class Scheme(Protocol):
    """A way to compensate."""

    def initial(self) -> Memory:
        """What is remembered before the first step."""

    def step(self, memory: Memory, efforts: Efforts) -> tuple[Memory, Wrench]:
        """One step: what is remembered, and the compensation C."""


@final
@dataclass(frozen=True)
class Uncompensated:
    """No added mass at all: C = 0."""

    def initial(self) -> Memory:
        """Nothing."""
        return ()

    def step(self, memory: Memory, efforts: Efforts) -> tuple[Memory, Wrench]:
        """Nothing."""
        return memory, ZERO6


@final
@dataclass(frozen=True)
class LastAcceleration:
    """The added-mass force from the acceleration of the step before: C = -M_A a, eq. 4.2.

    With a share of 1 this is the naive scheme, stable only where the added mass is below the rigid body's. With less, a
    is filtered, a[k] = (1 - share) a[k-1] + share nu'[k-1], and `largest_share` is the limit.
    """

    added_mass: Matrix6
    share: float = 1.0

    def initial(self) -> Memory:
        """At rest."""
        return (ZERO6,)

    def step(self, memory: Memory, efforts: Efforts) -> tuple[Memory, Wrench]:
        """One step."""
        a = add6(scale6(1.0 - self.share, memory[0]), scale6(self.share, efforts.last_rate))
        return (a,), scale6(-1.0, matvec6(self.added_mass, a))


@final
@dataclass(frozen=True)
class Delayed:
    """Method 1: the compensation from the efforts of an earlier step, C[k] = (K - 1) F[k - delay], eqs. 4.13 and 4.14.

    Two mistakes that are easily made when F is rebuilt from what an engine tells of the step before can be made here.
    """

    excess: Matrix6  # K - 1 with K = M_RB M^-1
    delay: int = 1  # steps
    forgets_coriolis: bool = False  # the engine's own Coriolis effort is not added to what it tells
    keeps_compensation: bool = False  # the compensation of that step is not taken out of what the engine tells

    def initial(self) -> Memory:
        """No efforts yet."""
        return (ZERO6,) * self.delay

    def step(self, memory: Memory, efforts: Efforts) -> tuple[Memory, Wrench]:
        """One step."""
        compensation = matvec6(self.excess, memory[0])
        rebuilt = efforts.total
        if self.forgets_coriolis:
            rebuilt = subtract6(rebuilt, efforts.carried)
        if self.keeps_compensation:
            rebuilt = add6(rebuilt, compensation)
        return (*memory[1:], rebuilt), compensation


@final
@dataclass(frozen=True)
class Direct:
    """Method 2: the compensation from the efforts of this very step, C = (K - 1) F, eq. 4.15."""

    excess: Matrix6  # K - 1

    def initial(self) -> Memory:
        """Nothing."""
        return ()

    def step(self, memory: Memory, efforts: Efforts) -> tuple[Memory, Wrench]:
        """One step."""
        return memory, matvec6(self.excess, efforts.total)


def excess(parameters: VehicleParameters) -> Matrix6:
    """K - 1 with K = M_RB M^-1, eq. 4.9: what an effort must be changed by."""
    rigid, total = np.array(parameters.rigid_body_inertia), np.array(total_inertia(parameters))
    return tuples(rigid @ np.linalg.inv(total) - np.eye(6))


def added_mass_ratio(parameters: VehicleParameters) -> float:
    """Spectral radius of M_RB^-1 M_A: the naive scheme multiplies an error by it in each step."""
    ratio = np.linalg.solve(np.array(parameters.rigid_body_inertia), np.array(parameters.added_mass))
    return float(np.abs(np.linalg.eigvals(ratio)).max())


def largest_share(parameters: VehicleParameters) -> float:
    """Share of the newest acceleration below which the filtered scheme is stable: 2 / (1 + ratio)."""
    return 2.0 / (1.0 + added_mass_ratio(parameters))
