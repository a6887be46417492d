"""Inertia, added mass and damping estimated from simple shapes, for a vehicle without measured coefficients.

Every shape is closed, deeply submerged and described about its own centre, x along its length; sizes are in m, masses
in kg, densities in kg/m3. Six-component results are the diagonals of 6x6 matrices, stored positive:
`equations.algebra.vectors.diagonal6` makes the matrix. Expect 10 % from the added mass of a closed shape and a factor
of two from drag; an open frame holds less water than its outline. docs/theory-shapes.md has the limits of each.
"""

import math
from typing import NamedTuple

from remora.equations.types import Vector3, Vector6


class SpheroidCoefficients(NamedTuple):
    """Added mass of a prolate spheroid as a fraction of the water it displaces. Lamb 1932, ch. V."""

    axial: float  # k1, of the displaced mass
    transverse: float  # k2, of the displaced mass
    rotational: float  # k', of the inertia of the displaced water in pitch and yaw


def _require_positive(**sizes: float) -> None:
    """Raise ValueError for a size that is zero, negative or not a number."""
    for name, value in sizes.items():
        if not (math.isfinite(value) and value > 0.0):
            raise ValueError(f"{name} = {value}: must be a finite number above zero, in SI units")


def _require_not_negative(**values: float) -> None:
    """Raise ValueError for a value that is negative or not a number."""
    for name, value in values.items():
        if not (math.isfinite(value) and value >= 0.0):
            raise ValueError(f"{name} = {value}: must be a finite number, zero or above, in SI units")


# Rigid bodies


def sphere_inertia(mass: float, diameter: float) -> Vector3:
    """Moments of inertia of a uniform sphere: m d^2 / 10."""
    _require_positive(mass=mass, diameter=diameter)
    moment = mass * diameter**2 / 10.0
    return (moment, moment, moment)


def spheroid_inertia(mass: float, length: float, diameter: float) -> Vector3:
    """Moments of inertia of a uniform spheroid: m d^2 / 10 about its axis, m (L^2 + d^2) / 20 across."""
    _require_positive(mass=mass, length=length, diameter=diameter)
    across = mass * (length**2 + diameter**2) / 20.0
    return (mass * diameter**2 / 10.0, across, across)


def cylinder_inertia(mass: float, length: float, diameter: float) -> Vector3:
    """Moments of inertia of a uniform cylinder: m d^2 / 8 about its axis, m (3 d^2 / 4 + L^2) / 12 across."""
    _require_positive(mass=mass, length=length, diameter=diameter)
    across = mass * (0.75 * diameter**2 + length**2) / 12.0
    return (mass * diameter**2 / 8.0, across, across)


def box_inertia(mass: float, length: float, width: float, height: float) -> Vector3:
    """Moments of inertia of a uniform box: m (sum of the squares of the two other sides) / 12."""
    _require_positive(mass=mass, length=length, width=width, height=height)
    return (
        mass * (width**2 + height**2) / 12.0,
        mass * (length**2 + height**2) / 12.0,
        mass * (length**2 + width**2) / 12.0,
    )


# Added mass


def sphere_added_mass(diameter: float, density: float) -> Vector6:
    """Half of the displaced mass in every direction and nothing in rotation: exact. Lamb 1932, ch. V."""
    _require_positive(diameter=diameter, density=density)
    half = 0.5 * density * math.pi / 6.0 * diameter**3
    return (half, half, half, 0.0, 0.0, 0.0)


def spheroid_coefficients(length: float, diameter: float) -> SpheroidCoefficients:
    """Lamb's k1, k2 and k' of a prolate spheroid, exact in potential flow. Lamb 1932, ch. V.

    With the eccentricity e: g = (artanh e - e) / e^3, alpha = 2 (1 - e^2) g, beta = 1 - alpha / 2,
    k1 = alpha / (2 - alpha), k2 = beta / (2 - beta) and, with D = (beta - alpha) / e^2,
    k' = e^4 D / ((2 - e^2) (2 - (2 - e^2) D)). Near the sphere g and D are summed as power series.
    """
    _require_positive(length=length, diameter=diameter)
    if length < diameter:
        raise ValueError(
            f"length = {length} is below diameter = {diameter}: the spheroid must be prolate. "
            "Turn its axes, or describe a flat hull as a cylinder or a box"
        )
    e2 = 1.0 - (diameter / length) ** 2
    g, D = _spheroid_integrals(e2)
    alpha = 2.0 * (1.0 - e2) * g
    beta = 1.0 - 0.5 * alpha
    rotational = e2**2 * D / ((2.0 - e2) * (2.0 - (2.0 - e2) * D))
    return SpheroidCoefficients(alpha / (2.0 - alpha), beta / (2.0 - beta), rotational)


def _spheroid_integrals(e2: float) -> tuple[float, float]:
    """g and D of `spheroid_coefficients`: power series below e^2 = 0.1, where the closed forms lose their digits."""
    if e2 < 0.1:
        g = sum(e2**n / (2 * n + 3) for n in range(18))
        return g, sum(6.0 * e2**n / ((2 * n + 3) * (2 * n + 5)) for n in range(18))
    e = math.sqrt(e2)
    g = (math.atanh(e) - e) / e**3
    return g, (1.0 - 3.0 * (1.0 - e2) * g) / e2


def spheroid_added_mass(length: float, diameter: float, density: float) -> Vector6:
    """Added mass of a prolate spheroid: Lamb's coefficients times the displaced mass. Lamb 1932, ch. V."""
    _require_positive(length=length, diameter=diameter, density=density)
    displaced_mass = density * math.pi / 6.0 * length * diameter**2
    pitch_inertia = spheroid_inertia(displaced_mass, length, diameter)[1]
    return slender_hull_added_mass(length, diameter, displaced_mass, pitch_inertia)


def slender_hull_added_mass(
    length: float, diameter: float, displaced_mass: float, displaced_pitch_inertia: float
) -> Vector6:
    """Added mass of a hull fuller than a spheroid: Lamb's coefficients times the displaced mass and inertia.

    The pitch inertia is that of the displaced water, for a torpedo that of a uniform cylinder. Roll is zero: the added
    mass of fins is not included.
    """
    _require_positive(displaced_mass=displaced_mass, displaced_pitch_inertia=displaced_pitch_inertia)
    k = spheroid_coefficients(length, diameter)
    transverse = k.transverse * displaced_mass
    rotational = k.rotational * displaced_pitch_inertia
    return (k.axial * displaced_mass, transverse, transverse, 0.0, rotational, rotational)


def cylinder_added_mass(length: float, diameter: float, density: float) -> Vector6:
    """Added mass of a circular cylinder with flat ends: strip theory over the length that the ends leave effective.

    Across, density pi r^2 per metre (Lamb 1932, ch. IV) acts over L^2 / (L + 0.7 d), a fit of DNV-RP-H103 (2011),
    table A-2, within 4 %. In pitch that effective length enters by its cube, plus the turning disc 16/45 density r^5.
    Along, the disc 8/3 density r^3 (both Lamb 1932, ch. V) grows with the length by up to 60 %. Roll is zero.
    Against potential flow: 2 % across and along and 5 % in pitch for L >= d, 15 % down to L = 0.1 d.
    """
    _require_positive(length=length, diameter=diameter, density=density)
    radius = 0.5 * diameter
    section = density * math.pi * radius**2
    effective = length**2 / (length + 0.7 * diameter)
    along = 8.0 / 3.0 * density * radius**3 * (1.0 + 0.6 * length / (length + 0.6 * diameter))
    pitch = section * effective**3 / 12.0 + 16.0 / 45.0 * density * radius**5
    return (along, section * effective, section * effective, 0.0, pitch, pitch)


def box_added_mass(length: float, width: float, height: float, density: float) -> Vector6:
    """Added mass of a closed rectangular box. See `_block_added_mass` and `_block_added_inertia` for the formulas.

    Against potential flow within 8 % in translation and 17 % in rotation while no side is more than five times
    another; within 15 % and 23 % up to ten times. DNV-RP-H103 (2011), table A-2, gives a cube 0.68 density a^3,
    this estimate 0.66, potential flow 0.64.
    """
    _require_positive(length=length, width=width, height=height, density=density)
    return (
        density * _block_added_mass(length, width, height),
        density * _block_added_mass(width, length, height),
        density * _block_added_mass(height, length, width),
        density * _block_added_inertia(length, width, height),
        density * _block_added_inertia(width, length, height),
        density * _block_added_inertia(height, length, width),
    )


def _block_added_mass(depth: float, side: float, other_side: float) -> float:
    """Added mass, per density, of a block that moves along its depth: a flat plate corrected for its depth.

    The plate is pi/4 s^2 l times l / (l + 0.75 s) for its finite span, which fits the rectangular plates of
    DNV-RP-H103 (2011), table A-2, within 4 %; the depth adds up to 80 %, which fits its square prisms within 3 %.
    """
    short, long = sorted((side, other_side))
    plate = math.pi / 4.0 * short**2 * long * long / (long + 0.75 * short)
    return plate * (1.0 + 0.8 * depth / (depth + 0.7 * short))


def _block_added_inertia(axis: float, side: float, other_side: float) -> float:
    """Added inertia, per density, of a block that turns about the side `axis`.

    Strip theory over the longer of the two other sides (p^2/12 of the added mass) for a slender block, 3/8 of it
    (the flat plate of Lamb 1932, ch. IV) for a wide one, and between them a fit of potential flow; a square section
    adds 40 %.
    """
    q, p = sorted((side, other_side))
    strip = _block_added_mass(q, p, axis) * p**2 / 12.0
    return strip * (p + 1.5 * axis) / (p + 4.0 * axis) * (1.0 + 0.4 * (q / p) ** 6)


# Damping


def morison_drag(drag_coefficient: float, area: float, density: float) -> float:
    """Quadratic drag D_Q = density C_d A / 2, kg/m, force D_Q |v| v. Morison et al. 1950; Nielsen 2018, eq. 4.2."""
    _require_positive(drag_coefficient=drag_coefficient, area=area, density=density)
    return 0.5 * density * drag_coefficient * area


def cross_flow_drag(drag_coefficient: float, length: float, width: float, density: float) -> tuple[float, float]:
    """Quadratic drag of a uniform hull across its length: translation in kg/m and rotation in kg m^2.

    Strip theory with the local cross-flow speed of each strip: D_Q = density C_d L width / 2 sideways and
    D_Q L^3 / 32 in yaw or pitch about the middle. Fossen 2021, ch. 6. Sway and yaw together, or a pivot away from
    the middle, need the strips themselves: `remora.equations.hull.forms.cross_flow.strip_damping_wrench`.
    """
    _require_positive(length=length, width=width)
    translation = morison_drag(drag_coefficient, length * width, density)
    return translation, translation * length**3 / 32.0


def linear_from_quadratic(quadratic: float, fraction: float = 0.16) -> float:
    """Linear drag of a translation D_L = 0.16 D_Q, kg/s. Nielsen 2018, eq. 4.3.

    A rule of thumb whose 0.16 carries the unit m/s: the two drags are equal at that speed.
    """
    _require_not_negative(quadratic=quadratic, fraction=fraction)
    return fraction * quadratic


def linear_rotational_damping(damping_ratio: float, inertia: float, added_inertia: float, stiffness: float) -> float:
    """Linear drag of a rotation D_L = 2 zeta I sqrt(r / (I + I_a)), kg m^2/s. Nielsen 2018, eq. 4.4.

    The stiffness r is that of the restoring torque, weight times the height of the buoyancy above the mass, N m/rad;
    zeta is 0.02 to 0.10. The rule has I before the root, as printed; a damping ratio in the strict sense would
    have I + I_a there.
    """
    _require_positive(damping_ratio=damping_ratio, inertia=inertia)
    _require_not_negative(added_inertia=added_inertia, stiffness=stiffness)
    return 2.0 * damping_ratio * inertia * math.sqrt(stiffness / (inertia + added_inertia))


def linear_by_ratio(known_linear: float, known_quadratic: float, quadratic: float) -> float:
    """Linear drag of an axis with the ratio of a known one: N_r = (K_p / K_pp) N_rr. Nielsen 2018, eq. 4.6."""
    _require_positive(known_quadratic=known_quadratic)
    _require_not_negative(known_linear=known_linear, quadratic=quadratic)
    return known_linear / known_quadratic * quadratic


def extrapolated_damping(added_mass: Vector6, surge: float, heave: float, pitch: float) -> Vector6:
    """The damping of all six axes from three measured ones. Nielsen 2018, section 5.4.4.

    Sway follows heave, roll and yaw follow pitch, each in proportion to the added mass: Y = (Y_vdot / Z_wdot) Z,
    K = (K_pdot / M_qdot) M, N = (N_rdot / M_qdot) M. For linear and for quadratic coefficients alike. There is no
    theory behind it, and a hull without added inertia in pitch (a sphere) cannot use it.
    """
    _, sway_mass, heave_mass, roll_inertia, pitch_inertia, yaw_inertia = added_mass
    _require_positive(heave_added_mass=heave_mass, pitch_added_inertia=pitch_inertia)
    _require_not_negative(sway_added_mass=sway_mass, roll_added_inertia=roll_inertia, yaw_added_inertia=yaw_inertia)
    _require_not_negative(surge=surge, heave=heave, pitch=pitch)
    per_mass, per_inertia = heave / heave_mass, pitch / pitch_inertia
    return (surge, per_mass * sway_mass, heave, per_inertia * roll_inertia, pitch, per_inertia * yaw_inertia)
