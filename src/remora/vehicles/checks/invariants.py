"""Physical invariants S1 (rigid body), S2 (added mass) and S5 (dissipative damping), with messages and fixes."""

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from remora.equations.algebra.vectors import ZERO6, add_matrix6, diagonal6
from remora.equations.hull.forms.form import HullForce, add_wrench, records_wrench
from remora.equations.types import Matrix3, Matrix6, Twist, Vector6, Wrench
from remora.files.arrays import Array
from remora.vehicles.hull_forces import hull_forces, while_rising
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import HeaveUp, VehicleParameters, with_heave

SAMPLES = 10_000
AXIS_SAMPLES = 200  # speeds per axis and direction, for forms that follow no single power of the speed
SEED = 5
_ROUNDING = 1e-12
_SLOWEST, _FASTEST = 1e-3, 10.0  # m/s, rad/s
HEAVE = 2
_UNITS = diagonal6((1.0, 1.0, 1.0, 1.0, 1.0, 1.0))  # motion along each degree of freedom
_AXIS_FIX = (
    "Damping is given positive, SNAME derivatives under sname. Correct it, or mark the file historical "
    "with an envelope below that speed."
)
_COUPLING_FIX = "Make the coupling terms smaller than the diagonal ones that they go with, or correct their sign."


class Violation(NamedTuple):
    """A violated invariant."""

    about: str  # mass, inertia, added_mass, total_inertia, damping, or the degree of freedom with negative damping
    text: str


class DampingTerms(NamedTuple):
    """Damping of a vehicle, as in `VehicleParameters`."""

    linear_damping: Matrix6
    quadratic_damping: Matrix6
    cubic_surge: float
    heave_up: HeaveUp | None
    forces: tuple[HullForce, ...] = ()


def dissipative_forces(terms: DampingTerms) -> tuple[HullForce, ...]:
    """Forces that must dissipate, with the heave coefficients of sinking; others, such as lift, are excluded."""
    return tuple(force for force in hull_forces(terms._replace(heave_up=None)) if force.form.dissipates is True)


def rigid_body_violations(mass: float, inertia_G: Matrix3) -> list[Violation]:
    """S1: positive mass; inertia about G symmetric, positive definite and within the triangle inequality."""
    violations = [] if mass > 0.0 else [Violation("mass", f"mass must be above zero, found {mass:g} kg.")]
    return [*violations, *inertia_violations(inertia_G)]


def inertia_violations(inertia: Matrix3, zero_allowed: bool = False) -> list[Violation]:
    """S1 for an inertia tensor about any point; thin parts may have a zero moment."""
    matrix = np.array(inertia)
    if np.abs(matrix - matrix.T).max() > 1e-9 * np.abs(matrix).max():
        return [Violation("inertia", "inertia must be symmetric. Give both partners the same value.")]
    violations = []
    small, middle, large = np.linalg.eigvalsh(matrix)
    if small < -1e-9 * abs(large) or (small <= 0.0 and not zero_allowed):
        text = f"the smallest principal moment is {small:.6g} kg m2, but each must be above zero."
        violations.append(
            Violation("inertia", text + " Check the moments, and the shift from B to G if they are about B.")
        )
    elif large > (small + middle) * (1.0 + 1e-9):
        text = f"the principal moments {small:.6g}, {middle:.6g}, {large:.6g} kg m2 break the triangle inequality"
        fix = "no body has a moment larger than the sum of the other two. Check for a lost or swapped digit."
        violations.append(Violation("inertia", f"{text}: {fix}"))
    return violations


def added_mass_violations(
    added_mass: Matrix6, rigid_body: Matrix6, locked: tuple[str, ...] = (), asymmetry_accepted: bool = False
) -> list[Violation]:
    """S2: added mass symmetric and positive semidefinite, total inertia positive definite in the free directions."""
    matrix = np.array(added_mass)
    violations = [] if asymmetry_accepted else _asymmetry(matrix)
    smallest = np.linalg.eigvalsh(0.5 * (matrix + matrix.T)).min()
    if not violations and smallest < -1e-9 * np.abs(matrix).max():
        text = f"has a negative eigenvalue, {smallest:.6g}: some motion would carry water of negative mass"
        fix = "Check signs: SNAME derivatives belong under sname, and total inertias need given_as: total."
        violations.append(Violation("added_mass", f"{text}. {fix}"))
    free = [i for i, name in enumerate(DEGREES_OF_FREEDOM) if name not in locked]
    total = np.array(add_matrix6(rigid_body, added_mass))[np.ix_(free, free)]
    total = 0.5 * (total + total.T)
    if not violations and free and np.linalg.eigvalsh(total).min() <= 1e-12 * np.abs(total).max():
        text = "rigid body and added mass together are not positive definite: some motion has no inertia"
        violations.append(
            Violation("total_inertia", f"{text}. Give the missing inertia or lock that degree of freedom.")
        )
    return violations


def _asymmetry(matrix: Any) -> list[Violation]:
    """Pairs of added mass that differ by more than 1e-9 of the largest element."""
    difference = np.abs(matrix - matrix.T)
    pairs = [(i, j) for i in range(6) for j in range(i) if difference[i, j] > 1e-9 * np.abs(matrix).max()]
    if not pairs:
        return []
    text = ", ".join(
        f"{DEGREES_OF_FREEDOM[i]}_{DEGREES_OF_FREEDOM[j]} = {matrix[i, j]:g} but "
        f"{DEGREES_OF_FREEDOM[j]}_{DEGREES_OF_FREEDOM[i]} = {matrix[j, i]:g}"
        for i, j in pairs[:3]
    )
    fix = 'Give both partners the same value, or write accept: {asymmetric_added_mass: "the reason"}.'
    return [Violation("added_mass", f"added mass must be symmetric: {text}. {fix}")]


def damping_violations(terms: DampingTerms, envelope: Vector6 | None = None) -> list[Violation]:
    """S5: damping dissipates energy at every speed, or at every speed inside an envelope."""
    limits = envelope or (math.inf,) * 6
    along_axis = (
        _axis_violation if all(force.form.degree for force in dissipative_forces(terms)) else _sampled_violation
    )
    violations = [found for i in range(6) if (found := along_axis(terms, i, limits[i]))]
    if violations:
        return violations
    matrix = _linear_matrix(terms)
    symmetric = 0.5 * (matrix + matrix.T)
    smallest = np.linalg.eigvalsh(symmetric).min()
    if smallest < -1e-9 * np.abs(symmetric).max():
        # At low speed only the linear part counts; its coupling is checked exactly instead of by samples.
        text = f"linear damping adds energy at low speed: its symmetric part has the eigenvalue {smallest:.4g}"
        return [Violation("damping", f"{text}. {_COUPLING_FIX}")]
    twists = random_twists(limits)
    worst, ratio = _worst_power(terms, twists)
    if ratio >= -_ROUNDING:
        return []
    text = ", ".join(f"{name} {speed:.3g}" for name, speed in zip(DEGREES_OF_FREEDOM, worst, strict=True) if speed)
    return [Violation("damping", f"coupled damping adds energy, for instance at {text} (m/s, rad/s). {_COUPLING_FIX}")]


def sign_change_speed(linear: float, quadratic: float, cubic: float = 0.0) -> float | None:
    """Lowest speed above which linear + quadratic s + cubic s^2 is negative; 0 if negative from rest."""
    # Coefficients twelve digits below the largest are rounding.
    least = 1e-12 * max(abs(linear), abs(quadratic), abs(cubic))
    linear, quadratic, cubic = (x if abs(x) > least else 0.0 for x in (linear, quadratic, cubic))
    if linear < 0.0 or (linear == 0.0 and (quadratic < 0.0 or (quadratic == 0.0 and cubic < 0.0))):
        return 0.0
    discriminant = quadratic * quadratic - 4.0 * cubic * linear
    if cubic == 0.0:
        return -linear / quadratic if quadratic < 0.0 else None
    if discriminant <= 0.0:
        return None
    # Numerically stable form of the roots.
    q = -0.5 * (quadratic + math.copysign(math.sqrt(discriminant), quadratic))
    return min((root for root in (q / cubic, linear / q) if root > 0.0), default=None)


def _axis_violation(terms: DampingTerms, i: int, limit: float) -> Violation | None:
    """Negative damping of one degree of freedom without coupling."""
    name, unit = DEGREES_OF_FREEDOM[i], "m/s" if i < 3 else "rad/s"
    directions = (
        [("", terms), (" while rising", while_rising(terms))] if i == HEAVE and terms.heave_up else [("", terms)]
    )
    for direction, case in directions:
        linear, quadratic, cubic = axis_coefficients(case, i)
        speed = sign_change_speed(linear, quadratic, cubic)
        if speed is None or speed >= limit:
            continue
        where = "at every speed" if speed == 0.0 else f"above {speed:.4g} {unit}"
        values = f"linear {linear:g}, quadratic {quadratic:g}" + (f", cubic {cubic:g}" if cubic else "")
        text = f"{name} damping{direction} adds energy {where} ({values})"
        return Violation(name, f"{text}. {_AXIS_FIX}")
    return None


def axis_coefficients(terms: DampingTerms, i: int) -> tuple[float, float, float]:
    """Linear, quadratic and cubic damping of one degree of freedom without coupling; of sinking for heave."""
    unit, by_degree = _UNITS[i], [0.0, 0.0, 0.0]
    for force in dissipative_forces(terms):
        if force.form.degree:
            by_degree[force.form.degree - 1] += records_wrench(force.form, force.records, unit)[i]
    return by_degree[0], by_degree[1], by_degree[2]


def _linear_matrix(terms: DampingTerms) -> Any:
    """Matrix of all forms that are linear in the speed."""
    matrix = np.zeros((6, 6))
    for force in dissipative_forces(terms):
        if force.form.degree == 1:
            matrix += np.column_stack([records_wrench(force.form, force.records, unit) for unit in _UNITS])
    return matrix


def _sampled_violation(terms: DampingTerms, i: int, limit: float) -> Violation | None:
    """Negative damping of one degree of freedom with forms that follow no single power of the speed."""
    unit = _UNITS[i]
    for sign in (1.0, -1.0):
        forces = dissipative_forces(while_rising(terms) if i == HEAVE and sign < 0.0 else terms)
        for speed in np.geomspace(_SLOWEST, min(limit, _FASTEST), AXIS_SAMPLES).tolist():
            a, b, c, d, e, f = (sign * speed * x for x in unit)
            force = forces_wrench(forces, (a, b, c, d, e, f))[i]
            if not sign * force >= 0.0:
                name, unit_name = DEGREES_OF_FREEDOM[i], "m/s" if i < 3 else "rad/s"
                names = ", ".join(f.name or f.form.name for f in forces if not f.form.degree)
                text = f"{name} damping adds energy at {sign * speed:.4g} {unit_name}, with the force {names}"
                return Violation(name, f"{text}. Correct its parameters or its wrench.")
    return None


def random_twists(limits: Vector6, samples: int = SAMPLES, seed: int = SEED) -> Twist:
    """Random twists over four decades of speed, some components zero; each component is an array."""
    bounded = np.array([min(limit, 10.0) for limit in limits]) / 10.0
    a, b, c, d, e, f = _random_speeds(samples, seed) * bounded[:, None]
    return (a, b, c, d, e, f)


@lru_cache(maxsize=4)
def _random_speeds(samples: int, seed: int) -> Array:
    """Speeds up to 10 along each degree of freedom; the same for every vehicle."""
    generator = np.random.default_rng(seed)
    speeds = 10.0 ** generator.uniform(-3.0, 1.0, (6, samples))
    return np.asarray(speeds * generator.choice((-1.0, 0.0, 1.0), (6, samples), p=(0.4, 0.2, 0.4)))


def damping_wrench(terms: DampingTerms, twist: Twist) -> Wrench:
    """Wrench of all dissipative forces (left-hand side), with the heave coefficients of sinking."""
    return forces_wrench(dissipative_forces(terms), twist)


def forces_wrench(forces: tuple[HullForce, ...], twist: Twist) -> Wrench:
    """Sum of the wrenches of some forces (left-hand side)."""
    wrench = ZERO6
    for force in forces:
        for record in force.records:
            wrench = add_wrench(force.form, wrench, force.form.wrench(record, twist))
    return wrench


def _worst_power(terms: DampingTerms, twists: Any) -> tuple[list[float], float]:
    """The twist with the most negative dissipation, and its power relative to the sum of magnitudes."""
    cases = [(terms, (*twists[:2], abs(twists[2]), *twists[3:])), (while_rising(terms), _rising(twists))]
    worst: tuple[list[float], float] = ([], 0.0)
    for case, moving in cases:
        wrench = damping_wrench(case, moving)
        parts = np.array([v * d for v, d in zip(moving, wrench, strict=True)])
        size = np.abs(parts).sum(axis=0)
        share = parts.sum(axis=0) / np.where(size > 0.0, size, 1.0)
        index = int(share.argmin())
        if share[index] < worst[1]:
            worst = ([float(component[index]) for component in moving], float(share[index]))
    return worst


def _rising(twists: Any) -> Any:
    """The twists with upward heave."""
    return (*twists[:2], -abs(twists[2]), *twists[3:])


def damping_terms(parameters: VehicleParameters) -> DampingTerms:
    """The damping of a loaded vehicle."""
    p = parameters
    return DampingTerms(p.linear_damping, p.quadratic_damping, p.cubic_surge, p.heave_up, p.forces)


def violations_S1(parameters: VehicleParameters) -> list[Violation]:
    """S1 for a loaded vehicle; empty where only a total inertia is known."""
    return [] if parameters.total_inertia_only else rigid_body_violations(parameters.mass, parameters.inertia_G)


def violations_S2(parameters: VehicleParameters) -> list[Violation]:
    """S2 for a loaded vehicle, in both directions of heave."""
    p = parameters
    violations = added_mass_violations(p.added_mass, p.rigid_body_inertia, p.locked)
    if p.heave_up and not violations:
        rising = with_heave(p.added_mass, p.heave_up.added_mass)
        violations = added_mass_violations(rising, p.rigid_body_inertia, p.locked)
    return violations


def violations_S5(parameters: VehicleParameters, envelope: Vector6 | None = None) -> list[Violation]:
    """S5 for a loaded vehicle, optionally within the envelope of a historical vehicle only."""
    return damping_violations(damping_terms(parameters), envelope)
