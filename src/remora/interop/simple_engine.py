"""Plain rigid-body engine: semi-implicit Euler, forces evaluated once per step, no hydrodynamics."""

from dataclasses import dataclass, field
from typing import final

import numpy as np

from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.vectors import scale6
from remora.equations.hull.coriolis import coriolis_wrench
from remora.equations.motion import Hull, hull_restoring_wrench
from remora.equations.packed import hull_at
from remora.equations.types import Twist, Wrench
from remora.files.arrays import Array
from remora.interop.dry_body import dry
from remora.plant import SEMI_IMPLICIT_EULER, Stepper, initial_state, pack
from remora.vehicles.parameters import VehicleParameters

NO_COMMANDS = np.zeros(0)


@final
@dataclass(frozen=True)
class Engine:
    """A rigid body with weight: M_RB nu' = -C_RB nu + g_0 + applied wrench, evaluated once per step, s."""

    parameters: VehicleParameters
    step: float
    hull: Hull = field(init=False, repr=False)
    _stepper: Stepper = field(init=False, repr=False)

    def __post_init__(self) -> None:
        packed = pack(dry(self.parameters))
        # Derived from the parameters, set once.
        object.__setattr__(self, "hull", hull_at(packed.row.tolist()))
        object.__setattr__(self, "_stepper", Stepper(packed, self.step, SEMI_IMPLICIT_EULER))

    def initial(self, position: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Array:
        """At rest, pointing north."""
        return initial_state(self._stepper.packed, position)

    def native(self, state: list[float]) -> tuple[Wrench, Wrench]:
        """Wrenches that the engine computes: Coriolis effort, on the right-hand side, and weight."""
        twist: Twist = tuple(state[7:13])  # type: ignore[assignment]
        down_B = down_in_body((state[3], state[4], state[5], state[6]))
        carried = scale6(-1.0, coriolis_wrench(self.hull.coriolis_inertia, twist))
        return carried, hull_restoring_wrench(self.hull, down_B)

    def advance(self, state: Array, given: Wrench) -> Array:
        """The state one step later under a wrench about B in body axes, held over the step."""
        return self._stepper(state, NO_COMMANDS, np.array((*given, 0.0, 0.0, 0.0)))
