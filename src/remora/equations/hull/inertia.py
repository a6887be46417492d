"""Inertia of a rigid body about any origin, and solution of the inertia for an acceleration."""

from remora.equations.algebra.vectors import (
    IDENTITY3,
    add6,
    add_matrix3,
    column6,
    dot3,
    dot6,
    from_blocks,
    matvec6,
    multiply6,
    scale6,
    scale_matrix3,
    skew,
    solve6,
    subtract6,
)
from remora.equations.types import Matrix3, Matrix6, Twist, Vector3, Vector6


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
    """6x6 inertia about B. Fossen 2021, ch. 3; Simu2VITA eq. 11.

    Parameters
    ----------
    mass, p_BG
        Mass, kg, and centre of gravity in body axes, m.
    inertia_G
        Moment of inertia about G, kg m2.
    """
    lever = scale_matrix3(mass, skew(p_BG))
    return from_blocks(
        scale_matrix3(mass, IDENTITY3),
        scale_matrix3(-1.0, lever),
        lever,
        add_matrix3(inertia_G, point_mass_inertia(mass, p_BG)),
    )


def inertia_about_G(mass: float, p_BG: Vector3, inertia_B: Matrix3) -> Matrix3:
    """Moment of inertia about G from that about B: the inverse of Simu2VITA eq. 12.

    Parameters
    ----------
    mass, p_BG
        Mass, kg, and centre of gravity in body axes, m.
    inertia_B
        Moment of inertia about B, kg m2.
    """
    return add_matrix3(inertia_B, scale_matrix3(-1.0, point_mass_inertia(mass, p_BG)))


def kinetic_energy(inertia: Matrix6, twist: Twist) -> float:
    """Kinetic energy nu . M nu / 2, J."""
    return 0.5 * dot6(twist, matvec6(inertia, twist))


def solve_with_locked(inertia: Matrix6, free: Vector6, wrench: Vector6) -> Vector6:
    """Acceleration from an inertia and a wrench with locked degrees of freedom.

    Parameters
    ----------
    inertia
        6x6 inertia about B.
    free
        1 for each free degree of freedom, 0 for a locked one.
    wrench
        Wrench about B in body axes, N and N m.
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


def _locked_row(row: Vector6, free: Vector6, own: float, instead: Vector6) -> Vector6:
    """A row of the inertia without the columns of locked axes; a locked row becomes that of the identity."""
    return add6(scale6(own, multiply6(free, row)), instead)


def solve_with_heave_change(inverse: Matrix6, change: float, wrench: Vector6) -> Vector6:
    """Acceleration (M + change e3 e3^T)^-1 wrench from the inverse of M: Sherman-Morrison rank-one update.

    A heave mass that depends on the direction of heave costs one extra column instead of a 6x6 solve.

    Parameters
    ----------
    inverse
        Inverse of the 6x6 inertia M.
    change
        Change of the heave mass, kg.
    wrench
        Wrench about B in body axes, N and N m.
    """
    plain = matvec6(inverse, wrench)
    heave = column6(inverse, 2)
    return subtract6(plain, scale6(change * plain[2] / (1.0 + change * heave[2]), heave))
