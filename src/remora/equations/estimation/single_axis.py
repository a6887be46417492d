"""Motion along or about one axis, as towing tanks, step tests and free decays see it. Coefficients are positive."""


def axis_damping(linear: float, quadratic: float, speed: float) -> float:
    """Drag at a speed along one axis, against the motion: D_L v + D_Q |v| v."""
    return (linear + quadratic * abs(speed)) * speed


def axis_acceleration(inertia: float, linear: float, quadratic: float, speed: float, effort: float) -> float:
    """Acceleration along one axis under an effort: (tau - D_L v - D_Q |v| v) / M."""
    return (effort - axis_damping(linear, quadratic, speed)) / inertia


def equivalent_damping(linear: float, quadratic: float, amplitude: float) -> float:
    """Linear damping that takes as much energy out of an oscillation of this speed amplitude: D_L + 8/(3 pi) D_Q V."""
    return linear + 0.8488263631567751 * quadratic * amplitude


def damping_by_added_mass(measured: float, added_mass: float, other_added_mass: float) -> float:
    """Damping of an axis that was not measured: that of a measured one times the ratio of added masses.

    An estimate for want of better: a hull that pushes more water is taken to feel more drag (Nielsen 2018, sec. 5.4.4).
    """
    return measured * other_added_mass / added_mass
