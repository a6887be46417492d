"""Faults of body and environment: lost mass, flooding, sudden current, snagged tether."""

from dataclasses import dataclass
from typing import ClassVar, final

from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.vectors import add6, subtract6
from remora.equations.hull.inertia import (
    RigidBody,
    common_centre,
    current_step_impulse,
    heave_mass_change,
    intake_impulse,
    rigid_body_inertia,
    solve_with_heave_change,
    with_point_mass,
)
from remora.equations.packed import heave_asymmetry_at, hull_at
from remora.equations.types import Matrix6, Quaternion, Twist, Vector3, Wrench
from remora.equations.water.current import current_twist
from remora.plant.pack import PackedVehicle
from remora.run.faults.fault import FaultEffect
from remora.vehicles.checks.invariants import violations_S1
from remora.vehicles.parameters import VehicleParameters


@final
@dataclass(frozen=True)
class Loss(FaultEffect):
    """A mass leaves the body with its local velocity; the velocity of the rest is unchanged."""

    mass: float  # kg
    place: Vector3  # m, in body axes
    volume: float = 0.0  # m3, displaced by the lost mass

    logged: ClassVar = ("mass", "volume", "place")

    @property
    def summary(self) -> str:
        """Text for the log."""
        return f"{self.mass:g} kg leave the vehicle"

    def remaining(self, parameters: VehicleParameters) -> VehicleParameters:
        """The vehicle without the mass; added mass and drag are assumed unchanged. A ValueError when none is left."""
        p, displaced = parameters, parameters.density * self.volume
        if not 0.0 <= displaced < p.displaced_mass:
            raise ValueError(f"the whole vehicle displaces {p.displaced_mass / p.density:.6g} m3 only")
        p_BC = common_centre(p.displaced_mass, p.p_BC, -displaced, self.place)
        lighter = p._replace(displaced_mass=p.displaced_mass - displaced, p_BC=p_BC)
        return with_mass(lighter, -self.mass, self.place)


@final
@dataclass(frozen=True)
class Flooding(FaultEffect):
    """Water, at rest outside, enters a compartment until it is full."""

    rate: float  # kg/s
    place: Vector3  # m, in body axes, centre of the compartment
    volume: float  # m3, of the compartment

    logged: ClassVar = ("rate", "volume", "place")

    @property
    def summary(self) -> str:
        """Text for the log."""
        return f"{self.rate:g} kg of water come in each second"

    def water(self, elapsed: float, density: float) -> float:
        """Mass of the intake after a time in s, kg."""
        return min(self.rate * elapsed, density * self.volume)


@final
@dataclass(frozen=True)
class CurrentStep(FaultEffect):
    """Sudden change of the current; the pressure impulse acts on the vehicle."""

    change: Vector3  # m/s, in N

    logged: ClassVar = ("change",)

    @property
    def summary(self) -> str:
        """Text for the log."""
        north, east, down = self.change
        return f"the current changes by {north:g}, {east:g}, {down:g} m/s"


@final
@dataclass(frozen=True)
class Snag(FaultEffect):
    """A tether is snagged at a distance in m along it from the vehicle; None: half way."""

    along: float | None = None

    @property
    def summary(self) -> str:
        """Text for the log."""
        return "the tether is caught half way" if self.along is None else f"the tether is caught after {self.along:g} m"


def with_mass(parameters: VehicleParameters, mass: float, place: Vector3) -> VehicleParameters:
    """The vehicle with a point mass in body axes (kg in air, m) added, or removed where it is negative.

    Raises a ValueError when only the total inertia is known, or when the remaining inertia is not physical.
    """
    p = parameters
    if p.total_inertia_only:
        raise ValueError("only the total inertia of this vehicle is known, and not the share of its body")
    if p.mass + mass <= 0.0:
        raise ValueError(f"the whole vehicle has {p.mass:g} kg only")
    body = with_point_mass(RigidBody(p.mass, p.p_BG, p.inertia_G), mass, place)
    changed = p._replace(**body._asdict(), rigid_body_inertia=rigid_body_inertia(*body))
    for violation in violations_S1(changed):
        raise ValueError(f"no body could be what is left: {violation.text}")
    return changed


def twist_with_water_taken_in(
    packed: PackedVehicle, mass: float, place: Vector3, twist: Twist, q_NB: Quaternion, current: Vector3
) -> Twist:
    """Twist of a vehicle, packed with all its intake, after an intake of `mass` kg more."""
    relative = subtract6(twist, current_twist(q_NB, current))
    return _after_impulse(packed, twist, intake_impulse(mass, place, relative), relative)


def twist_in_changed_current(
    packed: PackedVehicle,
    parameters: VehicleParameters,
    change: Vector3,
    twist: Twist,
    q_NB: Quaternion,
    current: Vector3,
) -> Twist:
    """Twist of a vehicle after a sudden change of the current.

    Where only the total inertia is known, the vehicle is assumed neutrally buoyant and follows the water.
    """
    change_B, relative = to_body(q_NB, change), subtract6(twist, current_twist(q_NB, current))
    displaced = 0.0 if parameters.total_inertia_only else parameters.displaced_mass
    added = _added_mass(packed, parameters, relative[2])
    return _after_impulse(packed, twist, current_step_impulse(added, displaced, parameters.p_BC, change_B), relative)


def _after_impulse(packed: PackedVehicle, twist: Twist, impulse: Wrench, relative: Twist) -> Twist:
    """Twist after an impulse; locked degrees of freedom stay unchanged."""
    inverse = hull_at(packed.row.tolist()).inverse_inertia
    return add6(twist, solve_with_heave_change(inverse, _heave_change(packed, relative[2]), impulse))


def _heave_change(packed: PackedVehicle, heave: float) -> float:
    """Heave mass at a speed, relative to the mean of both directions."""
    return heave_mass_change(heave_asymmetry_at(packed.row.tolist()), heave) if packed.layout.asymmetric_heave else 0.0


def _added_mass(packed: PackedVehicle, parameters: VehicleParameters, heave: float) -> Matrix6:
    """Added mass of a packed vehicle at a heave speed."""
    total, body = hull_at(packed.row.tolist()).inertia, parameters.rigid_body_inertia
    one, two, three, four, five, six = (subtract6(x, y) for x, y in zip(total, body, strict=True))
    heave_row = add6(three, (0.0, 0.0, _heave_change(packed, heave), 0.0, 0.0, 0.0))
    return (one, two, heave_row, four, five, six)
