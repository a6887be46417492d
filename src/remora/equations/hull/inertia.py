"""Inertia of a body: about any origin, its Coriolis wrench, its solution for an acceleration, and changes of mass.

Where the added mass differs between sinking and rising, the inertia of the hull holds the mean of both directions and
`HeaveAsymmetry` the difference, with a smooth transition. Damping that differs is a force form,
`hull.forms.rising_heave`.

Lost mass leaves with the velocity that it had on the body, so the rest keeps its own. Mass taken in was at rest in the
water: linear and angular momentum of body, added mass and water taken in are conserved.
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import tanh
from remora.equations.algebra.vectors import (
    IDENTITY3,
    add3,
    add6,
    add_matrix3,
    angular,
    column6,
    cross,
    dot3,
    dot6,
    from_blocks,
    join,
    linear,
    matvec6,
    multiply6,
    scale3,
    scale6,
    scale_matrix3,
    skew,
    solve6,
    subtract6,
)
from remora.equations.types import Inertia, Matrix3, Matrix6, RelativeTwist, SixDof, Twist, Vector3, Vector6, Wrench

_NO_INERTIA: Matrix3 = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))

# Width of the change from one direction to the other, m/s (Falcon work, smooth form).
HEAVE_BLEND_SPEED = 0.02


def point_mass_inertia(mass: float, p_BG: Vector3) -> Matrix3:
    """Moment of inertia about B of a point mass at G: -m S(p)^2 (parallel axes). Simu2VITA eq. 12."""
    x, y, z = p_BG
    r2 = dot3(p_BG, p_BG)
    return (
        (mass * (r2 - x * x), -mass * x * y, -mass * x * z),
        (-mass * y * x, mass * (r2 - y * y), -mass * y * z),
        (-mass * z * x, -mass * z * y, mass * (r2 - z * z)),
    )


def rigid_body_inertia(mass: float, p_BG: Vector3, inertia_G: Matrix3) -> Matrix6:
    """6x6 inertia about B. Fossen 2021, ch. 3; Simu2VITA eq. 11."""
    lever = scale_matrix3(mass, skew(p_BG))
    return from_blocks(
        scale_matrix3(mass, IDENTITY3),
        scale_matrix3(-1.0, lever),
        lever,
        add_matrix3(inertia_G, point_mass_inertia(mass, p_BG)),
    )


def inertia_about_G(mass: float, p_BG: Vector3, inertia_B: Matrix3) -> Matrix3:
    """Moment of inertia about G from that about B: the inverse of Simu2VITA eq. 12."""
    return add_matrix3(inertia_B, scale_matrix3(-1.0, point_mass_inertia(mass, p_BG)))


def kinetic_energy(inertia: Inertia, twist: Twist) -> float:
    """Kinetic energy nu . M nu / 2, J."""
    return 0.5 * dot6(twist, matvec6(inertia, twist))


def solve_with_locked(inertia: Inertia, free: SixDof, wrench: Vector6) -> Vector6:
    """Acceleration from an inertia and a wrench with locked degrees of freedom.

    `free` is 1 for each free degree of freedom and 0 for a locked one.
    """
    f = free
    row0, row1, row2, row3, row4, row5 = inertia
    return solve6(
        (
            _locked_row(row0, f, f[0], (1.0 - f[0], 0.0, 0.0, 0.0, 0.0, 0.0)),
            _locked_row(row1, f, f[1], (0.0, 1.0 - f[1], 0.0, 0.0, 0.0, 0.0)),
            _locked_row(row2, f, f[2], (0.0, 0.0, 1.0 - f[2], 0.0, 0.0, 0.0)),
            _locked_row(row3, f, f[3], (0.0, 0.0, 0.0, 1.0 - f[3], 0.0, 0.0)),
            _locked_row(row4, f, f[4], (0.0, 0.0, 0.0, 0.0, 1.0 - f[4], 0.0)),
            _locked_row(row5, f, f[5], (0.0, 0.0, 0.0, 0.0, 0.0, 1.0 - f[5])),
        ),
        multiply6(f, wrench),
    )


def _locked_row(row: Vector6, free: SixDof, own: float, instead: Vector6) -> Vector6:
    """A row of the inertia without the columns of locked axes; a locked row becomes that of the identity."""
    return add6(scale6(own, multiply6(free, row)), instead)


def solve_with_heave_change(inverse: Matrix6, change: float, wrench: Vector6) -> Vector6:
    """Acceleration (M + change e3 e3^T)^-1 wrench from the inverse of M: Sherman-Morrison rank-one update.

    A heave mass that depends on the direction of heave costs one extra column instead of a 6x6 solve. `inverse` is
    M^-1, `change` the change of the heave mass in kg.
    """
    plain = matvec6(inverse, wrench)
    heave = column6(inverse, 2)
    return subtract6(plain, scale6(change * plain[2] / (1.0 + change * heave[2]), heave))


def coriolis_of_momentum(momentum: Vector6, twist: Twist) -> Wrench:
    """C(nu) nu for a given momentum (p, l): (w x p, v x p + w x l). Britto Neto 2018, eq. 3.2 to 3.4: -H(M nu) nu.

    It does no work for any momentum: v.(w x p) + w.(v x p) = 0 and w.(w x l) = 0.
    """
    p, l = linear(momentum), angular(momentum)  # noqa: E741 - the letters of the literature
    v, w = linear(twist), angular(twist)
    return join(cross(w, p), add3(cross(v, p), cross(w, l)))


def coriolis_wrench(inertia: Inertia, twist: Twist) -> Wrench:
    """C(nu) nu of an inertia, on the left-hand side. Simu2VITA eq. 13 and 14; Nielsen 2018, eq. 2.25."""
    return coriolis_of_momentum(matvec6(inertia, twist), twist)


def roll_coupling_wrench(p: Vector3, twist: Twist) -> Wrench:
    """Roll-rate part of C(nu) nu of a linear momentum, on the left-hand side; it does no work.

    Of C(nu) the elements (sway, roll), (heave, roll), (roll, sway) and (roll, heave) are kept. The added-mass elements
    (surge, pitch), (heave, pitch), (surge, yaw), (sway, yaw) and their transposes are zero, as in `remus100` of the
    Python Vehicle Simulator and of MSS.
    """
    v, w, roll_rate = twist[1], twist[2], twist[3]
    return (0.0, -roll_rate * p[2], roll_rate * p[1], v * p[2] - w * p[1], 0.0, 0.0)


class HeaveAsymmetry(NamedTuple):
    """Half the difference of the heave mass between sinking and rising."""

    inertia: float  # kg
    momentum: float  # kg, the part that takes part in Coriolis: zero when that is switched off


def heave_blend(heave: float) -> float:
    """-1 while rising, +1 while sinking, smooth in between."""
    return tanh(heave / HEAVE_BLEND_SPEED)


def heave_mass_change(asymmetry: HeaveAsymmetry, heave: float) -> float:
    """Heave mass at a heave speed, minus the mean of both directions, kg."""
    return asymmetry.inertia * heave_blend(heave)


def heave_asymmetry_wrench(asymmetry: HeaveAsymmetry, twist: Twist) -> Wrench:
    """Coriolis wrench of the difference from the mean, on the left-hand side."""
    w = twist[2]
    return coriolis_of_momentum((0.0, 0.0, asymmetry.momentum * heave_blend(w) * w, 0.0, 0.0, 0.0), twist)


class RigidBody(NamedTuple):
    """Mass, centre of gravity and moment of inertia."""

    mass: float  # kg
    p_BG: Vector3  # m
    inertia_G: Matrix3  # kg m2


def common_centre(mass: float, place: Vector3, other_mass: float, other_place: Vector3) -> Vector3:
    """Common centre of two masses, m; a negative mass is removed.

    Places are the centres of the masses in body axes.
    """
    moment = add3(scale3(mass, place), scale3(other_mass, other_place))
    return scale3(1.0 / (mass + other_mass), moment)


def with_point_mass(body: RigidBody, mass: float, place: Vector3) -> RigidBody:
    """The body plus a point mass; minus it where the mass is negative.

    `place` is in body axes.
    """
    total = body.mass + mass
    p_BG = common_centre(body.mass, body.p_BG, mass, place)
    about_B = add_matrix3(body.inertia_G, point_mass_inertia(body.mass, body.p_BG))
    about_B = add_matrix3(about_B, point_mass_inertia(mass, place))
    return RigidBody(total, p_BG, inertia_about_G(total, p_BG, about_B))


def intake_impulse(mass: float, place: Vector3, relative_twist: RelativeTwist) -> Wrench:
    """Impulse on a body that takes in a mass at rest in the water: -M_m nu_r.

    With M' the inertia afterwards, M' (nu_r + M'^-1 J) = M nu_r: momentum is conserved. `place` is where the mass is
    taken in, in body axes.
    """
    return scale6(-1.0, matvec6(rigid_body_inertia(mass, place, _NO_INERTIA), relative_twist))


def current_step_impulse(added_mass: Inertia, displaced_mass: float, p_BC: Vector3, change_B: Vector3) -> Wrench:
    """Impulse of an instantaneous change of the current: on added mass and displaced water.

    The time integral of the forces of unsteady water. A neutral body moves with the water; a sphere of s times the
    density of the water gains 3 / (2 s + 1) of the change.
    """
    change = join(change_B, (0.0, 0.0, 0.0))
    push = scale3(displaced_mass, change_B)
    return add6(matvec6(added_mass, change), join(push, cross(p_BC, push)))
