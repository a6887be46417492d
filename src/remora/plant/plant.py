"""`Plant`: one vehicle ready for simulation, a thin object around the compiled kernels."""

from __future__ import annotations  # so that help() shows ArrayLike and not its expansion

from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.plant import rollouts
from remora.plant.batches.packed_batch import PackedBatch
from remora.plant.batches.step_length import is_long
from remora.plant.batches.variations import pack_variations
from remora.plant.dual import linearisation
from remora.plant.inputs import STILL_WATER, ZERO_WRENCH
from remora.plant.methods import RK4, IntegrationMethod
from remora.plant.pack import PackedVehicle, pack
from remora.plant.stepper import KeptSteppers, Stepper, environment_row
from remora.vehicles.checks.variation_checks import check_variations
from remora.vehicles.parameters import actuator_names
from remora.vehicles.variants.variations import over_variants, read_variations, varied
from remora.vehicles.vehicle import Vehicle

MOST_STEPS_OF_A_STEPPER = 100  # more of them run without the interpreter's lock, so that other threads go on
BODY_STATE_NAMES = ("north", "east", "down", "q0", "q1", "q2", "q3", "u", "v", "w", "p", "q", "r")


@final
@dataclass(frozen=True)
class Plant:
    """A vehicle in water without a state of its own: every method takes a state and returns a new one.

    A state is a row of numbers: position (m, north-east-down), quaternion (scalar first), twist (m/s and rad/s, body
    axes), then the output of each actuator and the speed of each moving_mass.

    Parameters
    ----------
    vehicle
        The vehicle, from `load_vehicle`.
    locked
        Degrees of freedom that do not move, in addition to those of the vehicle: surge, sway, heave, roll, pitch, yaw.
    simplifications
        ``coriolis_off`` or ``munk_off``, in addition to those of the vehicle.
    """

    vehicle: Vehicle
    locked: tuple[str, ...] = ()
    simplifications: tuple[str, ...] = ()
    packed: PackedVehicle = field(init=False, repr=False, compare=False)
    _steppers: KeptSteppers = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.vehicle, Vehicle):
            raise ValueError(f"vehicle is {self.vehicle!r:.60}: give one from load_vehicle or make_vehicle")
        packed = pack(self.vehicle.parameters, tuple(self.locked), tuple(self.simplifications))
        # The dataclass is frozen; these fields are known once the vehicle is packed.
        object.__setattr__(self, "packed", packed)
        object.__setattr__(self, "_steppers", KeptSteppers(packed))
        object.__setattr__(self, "locked", packed.locked)
        object.__setattr__(self, "simplifications", packed.simplifications)

    @property
    def actuator_names(self) -> tuple[str, ...]:
        """Thrusters, fins, servos, moving masses: the order of commands and of the outputs in a state."""
        return actuator_names(self.vehicle.parameters)

    @property
    def state_names(self) -> tuple[str, ...]:
        """Name of each number of a state."""
        speeds = (f"{name} speed" for name in self.vehicle.parameters.moving_mass_names)
        return (*BODY_STATE_NAMES, *self.actuator_names, *speeds)

    def initial_state(
        self,
        position: ArrayLike = (0.0, 0.0, 0.0),
        quaternion: ArrayLike = (1.0, 0.0, 0.0, 0.0),
        twist: ArrayLike = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        outputs: ArrayLike | None = None,
        method: IntegrationMethod = RK4,
    ) -> Array:
        """Initial state: at rest at the origin, heading north, unless given."""
        return rollouts.initial_state(self.packed, position, quaternion, twist, outputs, method)

    def derivative(
        self,
        state: ArrayLike,
        commands: ArrayLike | None = None,
        external: ArrayLike = ZERO_WRENCH,
        water: ArrayLike = STILL_WATER,
    ) -> Array:
        """Rate of a state under commands, an external wrench about B in body axes and a current in N.

        Actuators rest unless commands are given.
        """
        return rollouts.derivative(self.packed, state, commands, external, water)

    def step(
        self,
        state: ArrayLike,
        commands: ArrayLike,
        interval: float,
        steps: int = 1,
        external: ArrayLike = ZERO_WRENCH,
        water: ArrayLike = STILL_WATER,
        method: IntegrationMethod = RK4,
    ) -> Array:
        """The state after one interval of held inputs, in `steps` steps.

        The first call with an interval and a method prepares compiled code for them, later ones take microseconds.
        A kept `stepper` is faster still.

        Parameters
        ----------
        state
            State at the start of the interval.
        commands
            One command per actuator.
        interval
            Length of the interval, s.
        steps
            Steps of the method in the interval; an adaptive method chooses its own.
        external
            External wrench about B in body axes, N and N m.
        water
            Velocity of the water in N, m/s, or the numbers of varying water (see `rollout`).
        method
            Integration method.

        Raises
        ------
        ValueError
            When an input has the wrong shape, holds a NaN, or the interval is not positive.
        RunError
            When the step is too long for the method, or the motion leaves the vehicle's envelope or diverges.
        """
        try:
            if steps <= MOST_STEPS_OF_A_STEPPER and not is_long(interval, steps, method):
                start: Any = state  # a stepper takes rows of floats, and refuses or converts all else
                held: Any = np.asarray(commands) if isinstance(commands, list | tuple) else commands
                stepper = self._steppers.stepper(interval, steps, method)
                return stepper(start, held, environment_row(external, water))
        except (AttributeError, TypeError, ValueError):
            pass  # `rollout` names the wrong input, takes single rows of all inputs and judges long steps
        return self.rollout(state, commands, interval, steps, external, water, method, intervals=1)[-1]

    def stepper(self, interval: float, method: IntegrationMethod = RK4) -> Stepper:
        """A prepared function of state, commands and environment that steps by one interval per call."""
        return Stepper(self.packed, interval, method)

    def rollout(
        self,
        state: ArrayLike,
        commands: ArrayLike,
        interval: float,
        steps: int = 1,
        external: ArrayLike = ZERO_WRENCH,
        water: ArrayLike = STILL_WATER,
        method: IntegrationMethod = RK4,
        intervals: int | None = None,
    ) -> Array:
        """States at the ends of intervals of held inputs, the start first; see `remora.plant.rollout`."""
        return rollouts.rollout(self.packed, state, commands, interval, steps, external, water, method, intervals)

    def variations(
        self,
        *,
        mass: ArrayLike | None = None,
        displaced_mass: ArrayLike | None = None,
        center_of_gravity: ArrayLike | None = None,
        center_of_buoyancy: ArrayLike | None = None,
        inertia: ArrayLike | None = None,
        added_mass: ArrayLike | None = None,
        linear_damping: ArrayLike | None = None,
        quadratic_damping: ArrayLike | None = None,
        thrust: ArrayLike | None = None,
    ) -> PackedBatch:
        """Many variants of this vehicle, packed for `batch` and `BatchStepper`.

        The first axis of every array is the variant; a quantity that is not given stays that of the vehicle. Matrices
        are [variant, row, column], or [variant, row] for diagonal ones. Variants are checked as vehicle files are.

        Parameters
        ----------
        mass
            Mass, kg. Moments of inertia about the centre of gravity do not change with it.
        displaced_mass
            Mass of the displaced water, kg.
        center_of_gravity, center_of_buoyancy
            Positions in body axes, m.
        inertia
            Inertia tensor about the centre of gravity, kg m2.
        added_mass
            Added mass about B, 6x6, kg, kg m and kg m2.
        linear_damping, quadratic_damping
            Damping matrices 6x6, stored positive, SI.
        thrust
            Factor of the thrust of each thruster.

        Raises
        ------
        InputError
            When a shape is wrong, a number is not finite, or a variant (which it names) violates S1 (rigid
            body), S2 (added mass) or S5 (damping).
        """
        parameters = self.vehicle.parameters
        given = {
            "mass": mass,
            "displaced_mass": displaced_mass,
            "center_of_gravity": center_of_gravity,
            "center_of_buoyancy": center_of_buoyancy,
            "inertia": inertia,
            "added_mass": added_mass,
            "linear_damping": linear_damping,
            "quadratic_damping": quadratic_damping,
            "thrust": thrust,
        }
        chosen, count = read_variations(parameters, given)
        bodies = varied(parameters, over_variants(chosen))
        accepted = "asymmetric_added_mass" in self.vehicle.accepted
        check_variations(parameters, chosen, bodies, self.packed.locked, accepted)
        return pack_variations(self.packed, parameters, chosen, bodies, count)

    def linearise(
        self, state: ArrayLike, commands: ArrayLike, external: ArrayLike = ZERO_WRENCH, water: ArrayLike = STILL_WATER
    ) -> linearisation.Linearisation:
        """Rate of a state with its exact derivatives A and B; see `remora.plant.dual.linearisation.linearise`."""
        return linearisation.linearise(self.packed, state, commands, external, water)

    def jacobian(
        self,
        state: ArrayLike,
        commands: ArrayLike,
        interval: float,
        steps: int = 1,
        external: ArrayLike = ZERO_WRENCH,
        water: ArrayLike = STILL_WATER,
        method: IntegrationMethod = RK4,
    ) -> linearisation.StepJacobian:
        """The state after one interval with its exact derivatives; see `remora.plant.dual.linearisation`."""
        return linearisation.step_jacobian(self.packed, state, commands, interval, steps, external, water, method)
