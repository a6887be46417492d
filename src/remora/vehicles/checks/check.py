"""Physical invariants of a loaded vehicle, S1 to S3 and S5 to S9.

S4 concerns several bodies and does not apply to a single vehicle.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from remora.equations.actuators.thrusters import effective_thrust
from remora.equations.algebra.kinematics import down_in_body, inertia_about_B, twist_at, wrench_at
from remora.equations.algebra.quaternions import (
    from_axis_angle,
    normalize,
    product,
    rotation_matrix,
    rotation_x,
    rotation_z,
)
from remora.equations.algebra.vectors import dot6, matmul3, matvec6
from remora.equations.hull.inertia import coriolis_wrench
from remora.equations.hull.restoring import potential_energy, restoring_wrench
from remora.equations.types import Quaternion, Vector3
from remora.files.arrays import Array
from remora.vehicles.checks import actuation
from remora.vehicles.checks.invariants import Violation, random_twists, violations_S1, violations_S2, violations_S5
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters, net_buoyancy, total_inertia
from remora.vehicles.vehicle import Vehicle

# Mass, displaced mass, p_BG, p_BC and gravity: arguments of the restoring equations.
Body: TypeAlias = tuple[float, float, Vector3, Vector3, float]

GRADIENT_STEP = 1e-4  # m and rad, of central differences


class InvariantCheck(NamedTuple):
    """Result of the check of one invariant."""

    invariant: str
    holds: bool
    text: str


def check_vehicle(vehicle: Vehicle) -> list[InvariantCheck]:
    """Check a loaded vehicle against all invariants."""
    p = vehicle.parameters
    return [
        _finding("S1", violations_S1(p), _rigid_body_text(p)),
        _finding("S2", [] if "asymmetric_added_mass" in vehicle.accepted else violations_S2(p), _added_mass_text(p)),
        check_coriolis(p),
        _finding("S5", violations_S5(p), "damping takes energy out at every one of 10,000 random speeds"),
        check_restoring(p),
        check_allocation(p),
        check_derived(p),
        check_transforms(p),
    ]


def _finding(invariant: str, faults: list[Violation], text_when_satisfied: str) -> InvariantCheck:
    text = " ".join(violation.text for violation in faults)
    return InvariantCheck(invariant, not faults, text or text_when_satisfied)


def _rigid_body_text(p: VehicleParameters) -> str:
    if p.total_inertia_only:
        return "only a total inertia is known, so the rigid body cannot be checked separately"
    moments = np.linalg.eigvalsh(np.array(p.inertia_G))
    return f"mass {p.mass:g} kg, principal moments about G {', '.join(f'{m:.4g}' for m in moments)} kg m2"


def _added_mass_text(p: VehicleParameters) -> str:
    condition = np.linalg.cond(np.array(total_inertia(p)))
    return f"added mass symmetric and not negative; condition number of the total inertia {condition:.3g}"


def check_coriolis(p: VehicleParameters) -> InvariantCheck:
    """S3: the Coriolis wrench does no work, relative to momentum times speed."""
    inertia, twists = total_inertia(p), random_twists((np.inf,) * 6)
    momentum = np.abs(np.array(matvec6(inertia, twists)))
    speeds = np.abs(np.array(twists))
    size = momentum.sum(axis=0) * speeds.sum(axis=0) ** 2
    power = np.abs(dot6(twists, coriolis_wrench(inertia, twists)))
    worst = float(np.max(power / np.where(size > 0.0, size, 1.0)))
    return InvariantCheck("S3", worst < 1e-12, f"Coriolis does no work: largest share of power left over {worst:.1e}")


def check_restoring(p: VehicleParameters) -> InvariantCheck:
    """S6: the restoring wrench is minus the gradient of the potential energy."""
    worst = 0.0
    scale = p.gravity * max(p.mass, p.displaced_mass) or 1.0  # without weight where only a total inertia is known
    for numbers in np.random.default_rng(6).normal(size=(50, 4)):
        q = normalize(tuple(numbers.tolist()))
        body = (p.mass, p.displaced_mass, p.p_BG, p.p_BC, p.gravity)
        wrench = np.array(restoring_wrench(*body, down_in_body(q)))
        worst = max(worst, float(np.abs(wrench - minus_gradient(body, q)).max()) / scale)
    return InvariantCheck(
        "S6", worst < 1e-6, f"restoring wrench is minus the gradient of potential energy to {worst:.1e}"
    )


def minus_gradient(body: Body, q: Quaternion) -> Array:
    """Negative gradient of the potential energy along the six body axes, by central differences."""

    def energy(shift_B: Vector3, turn: Quaternion) -> float:
        depth = float(np.dot(np.array(rotation_matrix(q))[2], shift_B))
        return float(potential_energy(*body, down_in_body(product(q, turn)), depth))

    slopes = []
    for axis in np.eye(3):
        ends = [energy(tuple((sign * GRADIENT_STEP * axis).tolist()), (1.0, 0.0, 0.0, 0.0)) for sign in (1, -1)]
        slopes.append(-(ends[0] - ends[1]) / (2 * GRADIENT_STEP))
    for axis in np.eye(3):
        turns = [from_axis_angle(tuple(axis.tolist()), sign * GRADIENT_STEP) for sign in (1, -1)]
        ends = [energy((0.0, 0.0, 0.0), turn) for turn in turns]
        slopes.append(-(ends[0] - ends[1]) / (2 * GRADIENT_STEP))
    return np.array(slopes)


def check_allocation(p: VehicleParameters) -> InvariantCheck:
    """S7: the allocation matrix is the derivative of the thruster wrench; unreachable directions are listed."""
    if not p.thrusters:
        return InvariantCheck("S7", True, "no thrusters; fins and outside forces move this vehicle")
    matrix = actuation.allocation_matrix(p)
    worst = 0.0
    for i, thruster in enumerate(p.thrusters):
        for force in (10.0, -10.0):
            share = effective_thrust(thruster, force + 1.0) - effective_thrust(thruster, force)
            expected = share * np.array(thruster.effect)
            ratio = thruster.effectiveness_forward if force > 0.0 else thruster.effectiveness_reverse
            worst = max(worst, float(np.abs(expected - ratio * matrix[:, i]).max()))
    if p.servos:
        worst = max(worst, _servo_column_error(p))
    rank = actuation.rank(p)
    text = f"allocation matrix equals the derivative of the thrusters' wrench to {worst:.1e}; rank {rank}"
    unreached = [r.name for r in actuation.reachable_wrench(p) if r.most == (0.0, 0.0)]
    mixed = [r.name for r in actuation.reachable_wrench(p) if r.alone == (0.0, 0.0) and r.name not in unreached]
    if unreached:
        text += f"; out of reach: {', '.join(unreached)}"
    if mixed:
        text += f"; only together with others: {', '.join(mixed)}"
    return InvariantCheck("S7", worst < 1e-9, text)


def _servo_column_error(p: VehicleParameters) -> float:
    """Largest error of the columns of thrusters on servos at both servo limits, against force and lever arm about B."""
    worst = 0.0
    for angles in ([slew.lowest for slew in p.servos], [slew.highest for slew in p.servos]):
        for i, swivel in enumerate(p.swivels):
            if swivel is None:
                continue
            turned = actuation.thruster_at(p, i, angles)
            moment = np.cross(turned.position, turned.axis) + swivel.reaction * np.array(turned.axis)
            expected = np.array(swivel.shares) * np.concatenate([turned.axis, moment])
            worst = max(worst, float(np.abs(expected - actuation.allocation_matrix(p, angles)[:, i]).max()))
    return worst


def check_derived(p: VehicleParameters) -> InvariantCheck:
    """S8: derived quantities agree with their sources; files that give them are refused on reading."""
    weight, buoyancy = p.mass * p.gravity, p.displaced_mass * p.gravity
    volume = p.displaced_mass / p.density
    text = f"weight {weight:.2f} N from mass, buoyancy {buoyancy:.2f} N from {1e3 * volume:.3f} litres displaced"
    return InvariantCheck(
        "S8", bool(np.isclose(buoyancy - weight, net_buoyancy(p), rtol=1e-12, atol=1e-12 * weight)), text
    )


def check_transforms(p: VehicleParameters) -> InvariantCheck:
    """S9: power is the same in another body frame, and the inertia survives a round trip."""
    p_BS, R_BS = (0.3, -0.2, 0.1), matmul3(rotation_z(0.7), rotation_x(-0.4))
    inertia = total_inertia(p)
    back_p, back_R = _inverse_pose(p_BS, R_BS)
    moved = inertia_about_B(inertia_about_B(inertia, p_BS, R_BS), back_p, back_R)
    round_trip = float(np.abs(np.array(moved) - np.array(inertia)).max() / np.abs(np.array(inertia)).max())
    twist, wrench = (0.5, -0.3, 0.2, 0.1, -0.4, 0.6), (20.0, 10.0, -5.0, 3.0, 2.0, -1.0)
    power = dot6(twist_at(twist, p_BS, R_BS), wrench_at(wrench, p_BS, R_BS))
    loss = abs(power - dot6(twist, wrench)) / abs(power)
    text = f"power is the same in any frame to {loss:.1e}, inertia survives a round trip to {round_trip:.1e}"
    return InvariantCheck("S9", max(loss, round_trip) < 1e-12, text)


def _inverse_pose(p_BS: Vector3, R_BS: Any) -> tuple[Vector3, Any]:
    """Pose of B in S."""
    R = np.array(R_BS)
    p = -R.T @ np.array(p_BS)
    return (float(p[0]), float(p[1]), float(p[2])), tuple(tuple(row) for row in R.T.tolist())


def added_mass_ratios(p: VehicleParameters) -> dict[str, float]:
    """Added mass over rigid-body inertia in each degree of freedom; infinite without a rigid-body inertia."""
    added, rigid = np.diag(np.array(p.added_mass)), np.diag(np.array(p.rigid_body_inertia))
    pairs = zip(DEGREES_OF_FREEDOM, added, rigid, strict=True)
    return {name: float(a / r) if r > 0.0 else float("inf") for name, a, r in pairs}
