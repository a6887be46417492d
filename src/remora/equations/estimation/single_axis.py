"""Motion along or about one axis: towing tanks, step tests and free decays.

An effort is a force or a torque. Linear and quadratic damping D_L and D_Q are positive, in N s/m and N s2/m2 or in
N m s/rad and N m s2/rad2.
"""


def axis_damping(linear: float, quadratic: float, speed: float) -> float:
    """Drag at a speed along one axis, against the motion: D_L v + D_Q |v| v."""
    return (linear + quadratic * abs(speed)) * speed


def axis_acceleration(inertia: float, linear: float, quadratic: float, speed: float, effort: float) -> float:
    """Acceleration along one axis: (tau - D_L v - D_Q |v| v) / M. Britto Neto 2018, eq. 3.12."""
    return (effort - axis_damping(linear, quadratic, speed)) / inertia


def equivalent_damping(linear: float, quadratic: float, amplitude: float) -> float:
    """Linear damping with the energy loss of an oscillation of this speed amplitude: D_L + 8/(3 pi) D_Q V."""
    return linear + 0.8488263631567751 * quadratic * amplitude


def damping_by_added_mass(measured: float, added_mass: float, other_added_mass: float) -> float:
    """Damping of an unmeasured axis: that of a measured one times the ratio of added masses.

    A rough estimate: a hull that moves more water is assumed to have more drag (Nielsen 2018, sec. 5.4.4). `measured`
    and `added_mass` are damping and added mass of the measured axis, `other_added_mass` of the other one.
    """
    return measured * other_added_mass / added_mass
