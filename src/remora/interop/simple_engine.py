"""Plain rigid-body engine (semi-implicit Euler, forces once per step), and one with added mass by a scheme."""

from dataclasses import dataclass, field
from typing import final

import numpy as np

from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.pose import TWIST
from remora.equations.algebra.vectors import ZERO6, add6, matvec6, scale6, subtract6
from remora.equations.hull.inertia import coriolis_wrench
from remora.equations.motion import Hull, hull_restoring_wrench
from remora.equations.packed import hull_at
from remora.equations.types import Matrix6, Twist, Vector3, Wrench
from remora.files.arrays import Array
from remora.interop.added_mass_schemes import Efforts, Scheme
from remora.interop.dry_body import dry
from remora.plant import EULER, SEMI_IMPLICIT_EULER, PackedVehicle, Stepper, initial_state, pack
from remora.plant.stepper import STILL_ENVIRONMENT
from remora.vehicles.parameters import VehicleParameters, total_inertia

NO_COMMANDS = np.zeros(0)
DIVERGENCE_LIMIT = 1e3  # m/s or rad/s


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
        twist: Twist = tuple(state[TWIST])  # type: ignore[assignment]
        down_B = down_in_body((state[3], state[4], state[5], state[6]))
        carried = scale6(-1.0, coriolis_wrench(self.hull.coriolis_inertia, twist))
        return carried, hull_restoring_wrench(self.hull, down_B)

    def advance(self, state: Array, given: Wrench) -> Array:
        """The state one step later under a wrench about B in body axes, held over the step."""
        return self._stepper(state, NO_COMMANDS, np.array((*given, 0.0, 0.0, 0.0)))


class CompensatedEngine:
    """An engine with a compensation scheme and their states; locked degrees of freedom do not move in the water."""

    def __init__(
        self,
        parameters: VehicleParameters,
        scheme: Scheme,
        step: float,
        position: Vector3,
        locked: tuple[str, ...] = (),
    ) -> None:
        self.engine, self.scheme = Engine(parameters, step), scheme
        self.wet: PackedVehicle = pack(parameters, locked)
        self._euler = Stepper(self.wet, step, EULER)
        self.inertia: Matrix6 = total_inertia(parameters)
        self.state, self.scheme_state = self.engine.initial(position), scheme.initial()
        self.last_rate: Twist = ZERO6

    def efforts(self, outputs: Array, environment: Array = STILL_ENVIRONMENT) -> Wrench:
        """F: the sum of all efforts of the complete model at the engine's state."""
        # An Euler step gives the rate faster than `derivative`, which checks its input.
        after = self._euler(np.concatenate([self.state, outputs]), outputs, environment)
        return matvec6(self.inertia, tuple(((after[TWIST] - self.state[TWIST]) / self.engine.step).tolist()))

    def advance(
        self,
        outputs: Array,
        contact: Wrench = ZERO6,
        hook: bool = False,
        environment: Array = STILL_ENVIRONMENT,
    ) -> None:
        """One step of the engine with thruster outputs and a contact wrench of the engine.

        With the hook the contact wrench is compensated too; without, it acts on the rigid body alone. The environment
        is a wrench of the complete model, and the velocity of the water.
        """
        total = self.efforts(outputs, environment)
        carried, weight = self.engine.native(self.state.tolist())
        seen = add6(total, contact) if hook else total
        self.scheme_state, compensation = self.scheme.step(self.scheme_state, Efforts(seen, carried, self.last_rate))
        given = subtract6(add6(total, compensation), add6(carried, weight))
        after = self.engine.advance(self.state, add6(given, contact))
        self.last_rate = tuple(((after[TWIST] - self.state[TWIST]) / self.engine.step).tolist())
        self.state = after
