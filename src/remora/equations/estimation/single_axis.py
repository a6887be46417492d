"""Motion along or about one axis: towing tanks, step tests and free decays. Coefficients are positive."""


def axis_damping(linear: float, quadratic: float, speed: float) -> float:
    """Drag at a speed along one axis, against the motion: D_L v + D_Q |v| v.

    Parameters
    ----------
    linear, quadratic
        Damping D_L, N s/m or N m s/rad, and D_Q, N s2/m2 or N m s2/rad2.
    speed
        Speed v, m/s or rad/s.
    """
    return (linear + quadratic * abs(speed)) * speed


def axis_acceleration(inertia: float, linear: float, quadratic: float, speed: float, effort: float) -> float:
    """Acceleration along one axis: (tau - D_L v - D_Q |v| v) / M. Britto Neto 2018, eq. 3.12.

    Parameters
    ----------
    inertia
        Total inertia M, kg or kg m2.
    linear, quadratic
        Damping D_L, N s/m or N m s/rad, and D_Q, N s2/m2 or N m s2/rad2.
    speed
        Speed v, m/s or rad/s.
    effort
        Force or torque, N or N m.
    """
    return (effort - axis_damping(linear, quadratic, speed)) / inertia


def equivalent_damping(linear: float, quadratic: float, amplitude: float) -> float:
    """Linear damping with the energy loss of an oscillation of this speed amplitude: D_L + 8/(3 pi) D_Q V.

    Parameters
    ----------
    linear, quadratic
        Damping D_L, N s/m or N m s/rad, and D_Q, N s2/m2 or N m s2/rad2.
    amplitude
        Speed amplitude V, m/s or rad/s.
    """
    return linear + 0.8488263631567751 * quadratic * amplitude


def damping_by_added_mass(measured: float, added_mass: float, other_added_mass: float) -> float:
    """Damping of an unmeasured axis: that of a measured one times the ratio of added masses.

    A rough estimate: a hull that moves more water is assumed to have more drag (Nielsen 2018, sec. 5.4.4).

    Parameters
    ----------
    measured
        Damping of the measured axis.
    added_mass
        Added mass of the measured axis.
    other_added_mass
        Added mass of the other axis.
    """
    return measured * other_added_mass / added_mass
