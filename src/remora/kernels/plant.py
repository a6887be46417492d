"""`Plant`: one vehicle ready for simulation, a thin object around the compiled kernels."""

from __future__ import annotations  # so that help() shows ArrayLike and not its expansion

from dataclasses import dataclass, field
from typing import final

from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.kernels import rollouts
from remora.kernels.inputs import STILL_WATER, ZERO_WRENCH
from remora.kernels.methods import RK4, IntegrationMethod
from remora.kernels.pack import PackedVehicle, pack
from remora.kernels.stepper import Stepper
from remora.vehicles.parameters import actuator_names
from remora.vehicles.vehicle import Vehicle

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

    def __post_init__(self) -> None:
        if not isinstance(self.vehicle, Vehicle):
            raise ValueError(f"vehicle is {self.vehicle!r:.60}: give one from load_vehicle or make_vehicle")
        packed = pack(self.vehicle.parameters, tuple(self.locked), tuple(self.simplifications))
        # The dataclass is frozen; locked axes and simplifications are known once the vehicle is packed.
        object.__setattr__(self, "packed", packed)
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
        commands: ArrayLike = (),
        external: ArrayLike = ZERO_WRENCH,
        water: ArrayLike = STILL_WATER,
    ) -> Array:
        """Rate of a state under commands, an external wrench about B in body axes and a current in N."""
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
        """The state after one interval of held inputs, in `steps` steps; `stepper` is faster in a loop."""
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
        """States at the ends of intervals of held inputs, the start first; see `remora.kernels.rollout`."""
        return rollouts.rollout(self.packed, state, commands, interval, steps, external, water, method, intervals)
