"""Random variation of vehicle parameters that keeps them physical, for plants unknown to the controllers.

Factors are lognormal or uniform with mean one and never negative. Inertia and added mass stay symmetric and positive
definite; hull force forms scale as they declare, damping d(v) to S d(S v) with a positive diagonal S, which dissipates
wherever d does.
"""

import math
from typing import NamedTuple, Protocol

from remora.equations.actuators.thrusters import Thruster
from remora.equations.algebra.vectors import scale_matrix3
from remora.equations.hull.forms.form import powers6, scaled_matrix6
from remora.equations.hull.inertia import rigid_body_inertia
from remora.equations.types import Vector3, Vector6
from remora.vehicles.checks.invariants import violations_S5
from remora.vehicles.hull_forces import with_changed_forces
from remora.vehicles.parameters import VehicleParameters

HALVINGS = 20  # of a damping scatter that violates S5, for a vehicle valid in an envelope only


class Spread(NamedTuple):
    """Standard deviation of each parameter: relative, in m for the centre of gravity; zero: no variation."""

    mass: float = 0.0
    center_of_gravity: float = 0.0
    buoyancy: float = 0.0
    added_mass: float = 0.0
    linear_damping: float = 0.0
    quadratic_damping: float = 0.0
    thrust: float = 0.0
    uniform: bool = False  # True: uniform within plus and minus these values instead
    trimmed: bool = False  # whether a change of the mass changes the displaced mass alike, as of a trimmed vehicle


SCATTERED = Spread._fields[:-2]
LARGEST_UNIFORM = 0.95  # relative; keeps all factors positive


class RandomStream(Protocol):
    """Named stream of random numbers."""

    def of(self, word: str) -> "RandomStream":
        """The sub-stream of this name."""

    def normals(self, k: int, count: int) -> tuple[float, ...]:
        """Standard normal numbers of sample k."""

    def uniforms(self, k: int, count: int) -> tuple[float, ...]:
        """Uniform numbers in [0, 1) of sample k."""


def scattered(parameters: VehicleParameters, spread: Spread, stream: RandomStream) -> VehicleParameters:
    """A random vehicle around a nominal one; invariants S1, S2 and S5 stay satisfied.

    Moments of inertia scale with the mass. Added mass and damping get one factor per degree of freedom, thrust one per
    thruster.

    Parameters
    ----------
    parameters
        The nominal vehicle.
    spread
        Standard deviations, relative; m for the centre of gravity, in body axes.
    stream
        Random numbers; the same stream gives the same vehicle.

    Raises
    ------
    ValueError
        When a deviation is negative or not a number, or the body shall vary and only its total inertia is known.
    """
    if not all(0.0 <= deviation < math.inf for deviation in spread):
        raise ValueError(f"{spread}: give deviations that are not negative")
    shares = spread._replace(center_of_gravity=0.0, uniform=False, trimmed=False)
    if spread.uniform and max(shares) > LARGEST_UNIFORM:
        raise ValueError(f"{spread}: a uniform deviation is at most {LARGEST_UNIFORM:g}, so that no factor is negative")
    if parameters.total_inertia_only and (spread.mass or spread.center_of_gravity or spread.buoyancy):
        raise ValueError("only the total inertia is known: mass, center_of_gravity and buoyancy cannot be scattered")
    changed = _scattered_body(parameters, spread, stream)
    changed = _scattered_added_mass(changed, _factors(stream, "added_mass", spread.added_mass, spread))
    changed = _scattered_damping(changed, spread, stream)
    thrust = _factors(stream, "thrust", spread.thrust, spread, len(parameters.thrusters))
    thrusters = (scaled_thrust(t, f) for t, f in zip(parameters.thrusters, thrust, strict=True))
    return changed._replace(thrusters=tuple(thrusters))


def _factors(
    stream: RandomStream, word: str, deviation: float, spread: Spread, count: int = 6, share: float = 1.0
) -> tuple[float, ...]:
    """Factors of mean one: lognormal with this relative deviation, or uniform within 1 +/- deviation."""
    if spread.uniform and deviation:
        return tuple(1.0 + share * deviation * (2.0 * u - 1.0) for u in stream.of(word).uniforms(0, count))
    variance = math.log1p((share * deviation) ** 2)
    if not deviation or not count:
        return (1.0,) * count
    drawn = stream.of(word).normals(0, count)
    return tuple(math.exp(math.sqrt(variance) * n - 0.5 * variance) for n in drawn)


def _scattered_body(p: VehicleParameters, spread: Spread, stream: RandomStream) -> VehicleParameters:
    if not (spread.mass or spread.center_of_gravity or spread.buoyancy):
        return p
    (heavier,) = _factors(stream, "mass", spread.mass, spread, 1)
    (larger,) = _factors(stream, "buoyancy", spread.buoyancy, spread, 1)
    mass = heavier * p.mass
    inertia_G = scale_matrix3(heavier, p.inertia_G)
    chance = stream.of("center_of_gravity")
    moved = tuple(2.0 * u - 1.0 for u in chance.uniforms(0, 3)) if spread.uniform else chance.normals(0, 3)
    x, y, z = (g + spread.center_of_gravity * n for g, n in zip(p.p_BG, moved, strict=True))
    p_BG: Vector3 = (x, y, z)
    return p._replace(
        mass=mass,
        displaced_mass=larger * (p.displaced_mass + (mass - p.mass if spread.trimmed else 0.0)),
        p_BG=p_BG,
        inertia_G=inertia_G,
        rigid_body_inertia=rigid_body_inertia(mass, p_BG, inertia_G),
    )


def _scattered_added_mass(p: VehicleParameters, factors: tuple[float, ...]) -> VehicleParameters:
    """S A S with S the square roots of the factors; applied to the total inertia where only that is known."""
    up, root = p.heave_up, powers6(_six(factors), 0.5)
    return p._replace(
        added_mass=scaled_matrix6(root, p.added_mass, root),
        heave_up=up._replace(added_mass=factors[2] * up.added_mass) if up else None,
    )


def _scattered_damping(p: VehicleParameters, spread: Spread, stream: RandomStream) -> VehicleParameters:
    """Scaled damping; for a vehicle valid in an envelope only, the deviations are halved until S5 holds."""
    if not spread.linear_damping and not spread.quadratic_damping:
        return p
    share = 1.0
    for _ in range(HALVINGS):
        linear = _factors(stream, "linear_damping", spread.linear_damping, spread, share=share)
        quadratic = _factors(stream, "quadratic_damping", spread.quadratic_damping, spread, share=share)
        changed = _with_damping(p, linear, quadratic)
        if not violations_S5(changed, p.envelope):
            return changed
        share *= 0.5
    return p


def _with_damping(p: VehicleParameters, linear: tuple[float, ...], quadratic: tuple[float, ...]) -> VehicleParameters:
    of_linear, of_quadratic = _six(linear), _six(quadratic)
    return with_changed_forces(p, lambda form, record: form.scaled(record, of_linear, of_quadratic))


def _six(factors: tuple[float, ...]) -> Vector6:
    a, b, c, d, e, f = factors
    return (a, b, c, d, e, f)


def scaled_thrust(thruster: Thruster, factor: float) -> Thruster:
    """The thruster with its thrust multiplied by a factor, both ways."""
    return thruster._replace(
        effectiveness_forward=factor * thruster.effectiveness_forward,
        effectiveness_reverse=factor * thruster.effectiveness_reverse,
    )
