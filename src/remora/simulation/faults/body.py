"""Faults of the body and the water around it: mass that goes or comes, and a current that sets in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.quaternions import Quaternion
from remora.equations.algebra.vectors import Matrix6, Twist, Vector3, Wrench, add6, subtract6
from remora.equations.hull.heave import heave_mass_change
from remora.equations.hull.inertia import rigid_body_inertia, solve_with_heave_change
from remora.equations.hull.mass_change import (
    RigidBody,
    common_centre,
    current_step_impulse,
    intake_impulse,
    with_point_mass,
)
from remora.equations.packed import heave_asymmetry_at, hull_at
from remora.equations.water.current import current_twist
from remora.kernels.pack import PackedVehicle
from remora.simulation.faults.fault import Effect
from remora.vehicles.checks.invariants import faults_S1
from remora.vehicles.parameters import VehicleParameters


@final
@dataclass(frozen=True)
class Loss(Effect):
    """Something leaves the body with the velocity that it has there, so that the rest keeps its own."""

    mass: float  # kg
    place: Vector3  # m, in body axes
    volume: float = 0.0  # m3 of water that it displaced

    @property
    def words(self) -> str:
        """What happens."""
        return f"{self.mass:g} kg leave the vehicle"

    @property
    def figures(self) -> Mapping[str, Any]:
        """What, and from where."""
        return {"mass": self.mass, "volume": self.volume, "place": list(self.place)}

    def left(self, parameters: VehicleParameters) -> VehicleParameters:
        """The vehicle without it; its added mass and drag are taken to stay.

        Raises
        ------
        ValueError
            When no such vehicle can be.
        """
        p, displaced = parameters, parameters.density * self.volume
        if not 0.0 <= displaced < p.displaced_mass:
            raise ValueError(f"the whole vehicle displaces {p.displaced_mass / p.density:.6g} m3 only")
        p_BC = common_centre(p.displaced_mass, p.p_BC, -displaced, self.place)
        lighter = p._replace(displaced_mass=p.displaced_mass - displaced, p_BC=p_BC)
        return with_mass(lighter, -self.mass, self.place)


@final
@dataclass(frozen=True)
class Flooding(Effect):
    """Water that is at rest outside comes in and stays at a place, until the room there is full."""

    rate: float  # kg/s
    place: Vector3  # m, in body axes: the middle of the compartment
    volume: float  # m3 that it holds

    @property
    def words(self) -> str:
        """What happens."""
        return f"{self.rate:g} kg of water come in each second"

    @property
    def figures(self) -> Mapping[str, Any]:
        """How much, and where to."""
        return {"rate": self.rate, "volume": self.volume, "place": list(self.place)}

    def water(self, elapsed: float, density: float) -> float:
        """Kilograms that have come in after so many seconds."""
        return min(self.rate * elapsed, density * self.volume)


@final
@dataclass(frozen=True)
class CurrentStep(Effect):
    """The water is set moving at once; its pressure takes the vehicle along as far as its mass lets it."""

    change: Vector3  # m/s, in N

    @property
    def words(self) -> str:
        """What happens."""
        north, east, down = self.change
        return f"the current changes by {north:g}, {east:g}, {down:g} m/s"

    @property
    def figures(self) -> Mapping[str, Any]:
        """By how much."""
        return {"change": list(self.change)}


@final
@dataclass(frozen=True)
class Snag(Effect):
    """A tether is caught where it is, at so many metres from the vehicle; None: half way."""

    along: float | None = None

    @property
    def words(self) -> str:
        """What happens."""
        return "the tether is caught half way" if self.along is None else f"the tether is caught after {self.along:g} m"


def with_mass(parameters: VehicleParameters, mass: float, place: Vector3) -> VehicleParameters:
    """The vehicle with a mass more at a place, or less where it is negative.

    Raises
    ------
    ValueError
        When only the total inertia is known, or when no body has what is left.
    """
    p = parameters
    if p.total_inertia_only:
        raise ValueError("only the total inertia of this vehicle is known, and not the share of its body")
    if p.mass + mass <= 0.0:
        raise ValueError(f"the whole vehicle has {p.mass:g} kg only")
    body = with_point_mass(RigidBody(p.mass, p.p_BG, p.inertia_G), mass, place)
    changed = p._replace(**body._asdict(), rigid_body_inertia=rigid_body_inertia(*body))
    for fault in faults_S1(changed):
        raise ValueError(f"no body could be what is left: {fault.words}")
    return changed


def twist_with_water_taken_in(
    packed: PackedVehicle, mass: float, place: Vector3, twist: Twist, q_NB: Quaternion, current: Vector3
) -> Twist:
    """The twist of a vehicle, packed with the water it has taken in, just after it took in some kilograms more."""
    relative = subtract6(twist, current_twist(q_NB, current))
    return _pushed(packed, twist, intake_impulse(mass, place, relative), relative)


def twist_in_changed_current(
    packed: PackedVehicle,
    parameters: VehicleParameters,
    change: Vector3,
    twist: Twist,
    q_NB: Quaternion,
    current: Vector3,
) -> Twist:
    """The twist of a vehicle just after the current around it has changed.

    Where only the total inertia is known, the vehicle is taken to be neutral and goes with the water.
    """
    change_B, relative = to_body(q_NB, change), subtract6(twist, current_twist(q_NB, current))
    displaced = 0.0 if parameters.total_inertia_only else parameters.displaced_mass
    added = _added_mass(packed, parameters, relative[2])
    return _pushed(packed, twist, current_step_impulse(added, displaced, parameters.p_BC, change_B), relative)


def _pushed(packed: PackedVehicle, twist: Twist, impulse: Wrench, relative: Twist) -> Twist:
    """The twist after an impulse; locked degrees of freedom stay as they are."""
    inverse = hull_at(packed.row.tolist()).inverse_inertia
    return add6(twist, solve_with_heave_change(inverse, _heave_change(packed, relative[2]), impulse))


def _heave_change(packed: PackedVehicle, heave: float) -> float:
    """Heave mass at a speed, above the mean of both directions."""
    return heave_mass_change(heave_asymmetry_at(packed.row.tolist()), heave) if packed.layout.asymmetric_heave else 0.0


def _added_mass(packed: PackedVehicle, parameters: VehicleParameters, heave: float) -> Matrix6:
    """The added mass of a packed vehicle at a speed of heave."""
    total, body = hull_at(packed.row.tolist()).inertia, parameters.rigid_body_inertia
    one, two, three, four, five, six = (subtract6(x, y) for x, y in zip(total, body, strict=True))
    heave_row = add6(three, (0.0, 0.0, _heave_change(packed, heave), 0.0, 0.0, 0.0))
    return (one, two, heave_row, four, five, six)
