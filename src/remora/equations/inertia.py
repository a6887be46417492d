"""Inertia of a rigid body about any origin, of several parts together, and of the water that moves along."""

from remora.equations.vectors import (
    IDENTITY3,
    Matrix3,
    Matrix6,
    Twist,
    Vector3,
    Vector6,
    add_matrix3,
    column6,
    dot3,
    dot6,
    from_blocks,
    matvec6,
    scale6,
    scale_matrix3,
    skew,
    subtract6,
)


def point_mass_inertia(mass: float, p_BG: Vector3) -> Matrix3:
    """Moment of inertia about B of a mass concentrated at G: -m S(p)^2 (parallel axes)."""
    x, y, z = p_BG
    r2 = dot3(p_BG, p_BG)
    return (
        (mass * (r2 - x * x), -mass * x * y, -mass * x * z),
        (-mass * y * x, mass * (r2 - y * y), -mass * y * z),
        (-mass * z * x, -mass * z * y, mass * (r2 - z * z)),
    )


def rigid_body_inertia(mass: float, p_BG: Vector3, inertia_G: Matrix3) -> Matrix6:
    """6x6 inertia about B of a body with its moment of inertia given about its own G. Fossen 2021, ch. 3."""
    lever = scale_matrix3(mass, skew(p_BG))
    return from_blocks(
        scale_matrix3(mass, IDENTITY3),
        scale_matrix3(-1.0, lever),
        lever,
        add_matrix3(inertia_G, point_mass_inertia(mass, p_BG)),
    )


def inertia_about_G(mass: float, p_BG: Vector3, inertia_B: Matrix3) -> Matrix3:
    """Moment of inertia about G from the one about B: the parallel-axes rule backwards."""
    return add_matrix3(inertia_B, scale_matrix3(-1.0, point_mass_inertia(mass, p_BG)))


def kinetic_energy(inertia: Matrix6, twist: Twist) -> float:
    """Half of twist . inertia twist."""
    return 0.5 * dot6(twist, matvec6(inertia, twist))


def solve_with_heave_change(inverse: Matrix6, change: float, wrench: Vector6) -> Vector6:
    """Acceleration (M + change e3 e3^T)^-1 wrench from the inverse of M: Sherman and Morrison's rank-one update.

    A heave mass that depends on the direction of heave costs one extra column this way instead of a 6x6 solve.
    """
    plain = matvec6(inverse, wrench)
    heave = column6(inverse, 2)
    return subtract6(plain, scale6(change * plain[2] / (1.0 + change * heave[2]), heave))
