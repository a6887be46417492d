"""Vehicles built in code, for tests of the physics that must not depend on vehicle files."""

import math

import numpy as np

from remora.equations.actuators.drives import Motor
from remora.equations.actuators.fins import Fin
from remora.equations.actuators.moving_mass import MovingMass
from remora.equations.actuators.quadrants import Disc
from remora.equations.actuators.servos import Swivel
from remora.equations.actuators.slewing import UNLIMITED_RATE, Slew
from remora.equations.actuators.thrusters import (
    OUTPUT_IS_FORCE,
    THRUST_FROM_SPEED_AND_INFLOW,
    THRUST_IN_FOUR_QUADRANTS,
    CommandMap,
    ThrustCurve,
    Thruster,
    thruster_effect,
)
from remora.equations.algebra.vectors import ZERO3, ZERO6, diagonal6
from remora.equations.hull.forms.cross_flow import CROSS_FLOW, Strip
from remora.equations.hull.forms.form import HullForce
from remora.equations.hull.forms.lift import LIFT, Lift
from remora.equations.hull.forms.six_matrices import SIX_MATRICES, SixMatrices
from remora.equations.hull.inertia import rigid_body_inertia
from remora.vehicles.parameters import HeaveUp, QuadrantSeries, VehicleParameters

NO_MATRIX = diagonal6(ZERO6)
NO_CURVE = ThrustCurve(0.0, 0.0, 0.0)
NO_MAP = CommandMap(0.0, 0.0, 0.0, 0.0, ZERO3, ZERO3)


def tuples(array):
    """Nested tuples of floats from an array."""
    return tuple(tuples(item) for item in array) if np.ndim(array) else float(array)


def diagonal3(a):
    return tuples(np.diag(a))


def body(mass, inertia_G, p_BG=ZERO3, p_BC=ZERO3, displaced_mass=None, **others):
    """A bare body; everything that is not given is absent, and it floats neutrally."""
    return VehicleParameters(
        mass=mass,
        displaced_mass=mass if displaced_mass is None else displaced_mass,
        p_BG=p_BG,
        p_BC=p_BC,
        inertia_G=inertia_G,
        rigid_body_inertia=rigid_body_inertia(mass, p_BG, inertia_G),
        **{
            "added_mass": NO_MATRIX,
            "linear_damping": NO_MATRIX,
            "quadratic_damping": NO_MATRIX,
            "cubic_surge": 0.0,
            "heave_up": None,
            "gravity": 9.81,
            "density": 1000.0,
            "thrusters": (),
            "thruster_names": (),
            "thrust_law": OUTPUT_IS_FORCE,
            "mapped_commands": False,
            "fins": (),
            "fin_names": (),
            "locked": (),
            "simplifications": (),
            "envelope": None,
            "total_inertia_only": False,
            **others,
        },
    )


def thruster(position, axis, **others):
    """A thruster that turns a commanded force into thrust, unless told otherwise."""
    plain = Thruster(
        position=position,
        axis=axis,
        effect=thruster_effect(position, axis, 0.0),
        effectiveness_forward=1.0,
        effectiveness_reverse=1.0,
        sense=1.0,
        positive=NO_CURVE,
        negative=NO_CURVE,
        inflow_is_signed=0.0,
        wake=1.0,
        rise_time=0.0,
        fall_time=0.0,
        command_minimum=-1e6,
        command_maximum=1e6,
        command_map=NO_MAP,
    )
    return plain._replace(**others)


def with_thrusters(parameters, thrusters, law=OUTPUT_IS_FORCE, mapped=False):
    names = tuple(f"T{i + 1}" for i in range(len(thrusters)))
    return parameters._replace(thrusters=tuple(thrusters), thruster_names=names, thrust_law=law, mapped_commands=mapped)


def with_fins(parameters, fins):
    return parameters._replace(fins=tuple(fins), fin_names=tuple(f"F{i + 1}" for i in range(len(fins))))


def undamped(parameters):
    """The same body in water without viscosity."""
    return parameters._replace(
        linear_damping=NO_MATRIX, quadratic_damping=NO_MATRIX, forces=(), cubic_surge=0.0,
    )  # fmt: skip


def neutral(parameters):
    """The same body with weight and buoyancy equal and in one point, so that nothing turns it."""
    return parameters._replace(displaced_mass=parameters.mass, p_BC=parameters.p_BG)


_BLUEROV2_AXES = [
    (0.707, -0.707, 0),
    (0.707, 0.707, 0),
    (-0.707, -0.707, 0),
    (-0.707, 0.707, 0),
    (0, 0, -1),
    (0, 0, -1),
]
_BLUEROV2_PLACES = [
    (0.156, 0.111, 0.085), (0.156, -0.111, 0.085), (-0.156, 0.111, 0.085), (-0.156, -0.111, 0.085),
    (0.0, 0.218, 0.0), (0.0, -0.218, 0.0),
]  # fmt: skip


def bluerov2():
    """A small ROV of 11.5 kg with six lagged thrusters, after Wu 2018."""
    hull = body(
        11.5,
        diagonal3((0.16, 0.16, 0.16)),
        p_BG=(0.0, 0.0, 0.02),
        displaced_mass=11.7,
        added_mass=diagonal6((5.5, 12.7, 14.57, 0.12, 0.12, 0.12)),
        linear_damping=diagonal6((4.03, 6.22, 5.18, 0.07, 0.07, 0.07)),
        quadratic_damping=diagonal6((18.18, 21.66, 36.99, 1.55, 1.55, 1.55)),
    )
    places = [
        thruster(
            position, tuples(np.array(axis) / np.linalg.norm(axis)), rise_time=0.15, fall_time=0.3,
            command_minimum=-40.0, command_maximum=50.0,
        )
        for position, axis in zip(_BLUEROV2_PLACES, _BLUEROV2_AXES, strict=True)
    ]  # fmt: skip
    return with_thrusters(hull, places)


def vita1(p_BG=ZERO3):
    """The small ROV of the Simu2VITA work (Gava et al. 2022), numbers of von Benzon et al. 2022, trimmed neutral."""
    return body(
        13.5,
        diagonal3((0.26, 0.23, 0.37)),
        p_BG=p_BG,
        p_BC=(0.0, 0.0, -0.01),
        added_mass=diagonal6((6.36, 7.12, 18.68, 0.189, 0.135, 0.222)),
        linear_damping=diagonal6((13.7, 0.0, 33.0, 0.3, 0.8, 0.3)),
        quadratic_damping=diagonal6((141.0, 217.0, 190.0, 1.19, 0.47, 1.5)),
    )


# Falcon, Proctor 2014: propeller diameter and sea water of the tests.
FALCON_DIAMETER, FALCON_DENSITY = 0.184, 1022.4
_FALCON_THRUSTERS = (
    ((0.24765, -0.18203, -0.05528), (0.79744, 0.60316, -0.01717)),
    ((-0.35850, 0.17351, -0.04623), (0.86426, 0.50287, -0.01291)),
    ((0.24572, 0.17422, -0.05315), (0.81275, -0.58236, -0.01725)),
    ((-0.35251, -0.18466, -0.04844), (0.82701, -0.56102, -0.03623)),
    ((-0.01796, -0.00835, -0.35058), (0.0, 0.0, -1.0)),
)
_FALCON_INTERFERENCE = (0.87, 0.83, 1.0, 0.83, 0.87, 1.0)
FALCON_COMMANDS = CommandMap(
    -60.0, 60.0, 0.661971, 0.650779, (0.013827, 3.667122, 130.533044), (-0.015015, 3.844637, -136.578499)
)


def _falcon_curve(alpha, beta, gamma):
    d = FALCON_DIAMETER
    return ThrustCurve(FALCON_DENSITY * d**4 * gamma, FALCON_DENSITY * d**3 * beta, FALCON_DENSITY * d**2 * alpha)


def falcon_thrusters():
    """Five thrusters that push along their axis at negative commands; hull and housing take their share."""
    drive = {
        "sense": -1.0,
        "positive": _falcon_curve(-0.025089, -0.042911, 0.011350),
        "negative": _falcon_curve(-0.067853, -0.026903, 0.011369),
        "rise_time": 0.159,
        "fall_time": 0.455,
        "command_minimum": -100.0,
        "command_maximum": 100.0,
        "command_map": FALCON_COMMANDS,
    }
    made = [thruster(position, axis, **drive) for position, axis in _FALCON_THRUSTERS]
    shares = [tuples(np.multiply(_FALCON_INTERFERENCE, t.effect)) for t in made[:4]]
    horizontal = [t._replace(effect=share) for t, share in zip(made[:4], shares, strict=True)]
    return (*horizontal, made[4]._replace(effectiveness_forward=0.15, effectiveness_reverse=0.65))


def falcon():
    """The ROV of Proctor 2014, whose heave is heavier downwards, with quadratic couplings as six matrices."""
    inertia = np.diag([283.6, 593.2, 499.0, 20.9, 30.4, 29.0])
    linear = np.diag([26.9, 35.8, 0.0, 3.0, 4.9, 3.5])
    inertia[1, 3] = inertia[3, 1] = -22.8
    inertia[0, 4] = inertia[4, 0] = -15.3
    linear[3, 1], linear[4, 0] = -3.5, -1.5
    tensor = np.zeros((6, 6, 6))
    for i, j, value in ((0, 0, 241.3), (1, 1, 503.8), (3, 3, 101.6), (3, 1, -46.4), (4, 4, 59.9), (4, 0, -13.7)):
        tensor[i, j, j] = value
    tensor[5, 5, 5] = 76.9
    moments = diagonal3((9.30079, 14.91636, 13.11394))
    hull = body(
        116.0,
        moments,
        p_BC=(-0.00045, -0.00128, -0.04298),
        displaced_mass=116.2,
        density=FALCON_DENSITY,
        added_mass=tuples(inertia - np.array(rigid_body_inertia(116.0, ZERO3, moments))),
        linear_damping=tuples(linear),
        quadratic_damping=diagonal6((0.0, 0.0, 265.61, 0.0, 0.0, 0.0)),
        forces=(HullForce(SIX_MATRICES, (SixMatrices(tuples(tensor)),)),),
        heave_up=HeaveUp(235.7, 6.19, 119.1),
    )
    return with_thrusters(hull, falcon_thrusters(), THRUST_FROM_SPEED_AND_INFLOW, mapped=True)


# FlatFish, Britto Neto 2018: columns of its thruster matrix in forward-left-up axes; +1 and -1 turn axes over.
FLIP = np.array([1.0, -1.0, -1.0, 1.0, -1.0, -1.0])
FLATFISH_MATRIX = np.array([
    [1, 1, 0, 0, 0, 0],
    [0, 0, -1, -1, 0, 0],
    [0, 0, 0, 0, 1, 1],
    [0, 0, 0.032, -0.032, 0, 0],
    [-0.0315, -0.0315, 0, 0, -0.4235, 0.556],
    [0.44, -0.4, -0.5735, 0.936, 0, 0],
])  # fmt: skip
_FLATFISH_PLACES = [
    (0, -0.44, -0.0315), (0, 0.40, -0.0315), (0.5735, 0, 0.032), (-0.936, 0, -0.032), (0.4235, 0, 0), (-0.556, 0, 0),
]  # fmt: skip


def flatfish_gazebo():
    """FlatFish as simulated by Britto Neto 2018, moments of inertia as printed, in forward-right-down axes."""
    hull = body(
        350.0,
        diagonal3((146.0, 36.0, 124.0)),
        p_BC=(0.0, 0.0, -0.1),
        displaced_mass=350.0 + 18.0 / 9.81,
        added_mass=diagonal6((500.0, 700.0, 1200.0, 290.0, 300.0, 400.0)),
        linear_damping=diagonal6((50.0, 50.0, 50.0, 45.0, 45.0, 45.0)),
        quadratic_damping=diagonal6((40.0, 40.0, 40.0, 35.0, 35.0, 35.0)),
    )
    axes = (FLIP[:, None] * FLATFISH_MATRIX)[:3].T
    places = np.array(_FLATFISH_PLACES) * FLIP[:3]
    units = [
        thruster(tuples(p), tuples(a), command_minimum=-60.0, command_maximum=60.0)
        for p, a in zip(places, axes, strict=True)
    ]
    return with_thrusters(hull, units)


def torpedo():
    """A slender AUV with lift, cross-flow strips, a cubic surge drag, four tail fins and one propeller."""
    lift = np.zeros((6, 6))
    lift[1, 1] = lift[2, 2] = 24.0
    lift[5, 1], lift[4, 2] = -15.6, 15.6  # the centre of pressure lies 0.65 m behind B
    added = np.diag([0.9, 68.2, 68.2, 0.07, 39.5, 39.5])
    added[1, 5] = added[5, 1] = -2.0
    added[2, 4] = added[4, 2] = 2.0
    hull = body(
        70.0,
        diagonal3((0.35, 42.7, 42.7)),
        p_BG=(0.0, 0.0, 0.01),
        displaced_mass=70.0 + 2.5 / 9.81,
        added_mass=tuples(added),
        linear_damping=diagonal6((32.7171, 0.0, 0.0, 0.5, 0.0, 0.0)),
        quadratic_damping=diagonal6((-22.3129, 0.0, 0.0, 0.13, 0.0, 0.0)),
        cubic_surge=8.5937,
        forces=(
            HullForce(LIFT, (Lift(tuples(lift)),)),
            HullForce(CROSS_FLOW, tuple(Strip(x, 55.0 * 0.3, 55.0 * 0.3) for x in np.linspace(-1.2, 1.2, 9).tolist())),
        ),
    )
    propeller = thruster(
        (-1.3, 0.0, 0.0), (1.0, 0.0, 0.0), effect=thruster_effect((-1.3, 0.0, 0.0), (1.0, 0.0, 0.0), -0.01),
        positive=ThrustCurve(0.0087, -0.05, -0.1), negative=ThrustCurve(0.006, -0.04, -0.1), inflow_is_signed=1.0,
        wake=0.9, rise_time=0.5, fall_time=0.5, command_minimum=-100.0, command_maximum=105.0,
    )  # fmt: skip
    with_propeller = with_thrusters(hull, [propeller], THRUST_FROM_SPEED_AND_INFLOW)
    return with_fins(with_propeller, [tail_fin(k * math.pi / 2 + math.pi / 4) for k in range(4)])


def tail_fin(clock_angle, **others):
    """One of the fins at the tail, at an angle from starboard towards the keel."""
    c, s = math.cos(clock_angle), math.sin(clock_angle)
    fin = Fin(
        position=(-1.15, 0.1 * c, 0.1 * s),
        chord=(1.0, 0.0, 0.0),
        normal=(0.0, -s, c),
        dynamic_area=3.35,
        lift_slope=3.12,
        drag_at_zero_lift=0.01,
        induced_drag=0.1,
        stall_angle=0.4,
        feels_cross_flow=1.0,
        lag=0.1,
        deflection_limit=0.35,
        rate_limit=UNLIMITED_RATE,
    )
    return fin._replace(**others)


def trim_mass(mass, position, direction, **others):
    """A mass that moves along a direction, by 20 cm either way; keywords of a moving mass or of how it moves."""
    slew = Slew(0.4, 0.05, -0.2, 0.2)._replace(**{k: others.pop(k) for k in Slew._fields if k in others})
    return MovingMass(position, direction, mass, 0.0, 0.0, 1.0, 0.0, slew)._replace(**others)


def with_moving_masses(parameters, *moving_masses):
    return parameters._replace(
        moving_masses=moving_masses, moving_mass_names=tuple(f"L{i + 1}" for i in range(len(moving_masses)))
    )


def with_servos(parameters, servos, of_thrusters, hinges, reactions=None):
    """Thrusters that hang on servos by index, or on none."""
    swivels = tuple(
        None if own is None else Swivel(hinge, reaction, (1.0,) * 6)
        for own, hinge, reaction in zip(of_thrusters, hinges, reactions or [0.0] * len(hinges), strict=True)
    )
    names = tuple(f"S{i + 1}" for i in range(len(servos)))
    return parameters._replace(
        servos=tuple(servos), servo_names=names, swivels=swivels, thruster_servos=tuple(of_thrusters)
    )


MOTOR = Motor(
    inertia=4e-4, resistance=0.18, torque_constant=0.019, friction=4e-5, propeller_torque=4e-4, propeller_relief=3e-3
)
# The shape of a Wageningen B4-70 at a pitch of 1.0, rounded: symmetric enough to read, with every harmonic in use.
QUADRANTS = QuadrantSeries(
    Disc(0.5 * 1000.0 * math.pi / 4.0 * 0.2**2, 0.35 * 0.2),
    (0.0, 0.30, 0.0, -0.14, 0.01, 0.02),
    (0.0, -0.90, 0.02, -0.12, -0.01, 0.015),
)


def glider():
    """No real vehicle: the torpedo with everything that moves inside or turns outside of it.

    A propeller on a motor with a four-quadrant series, two tilting pods of which one has a motor, fins that move at a
    largest rate, a battery that slides and one that rolls, a tank and a bladder.
    """
    base = torpedo()
    pods = [
        thruster(
            (0.3, y, 0.1), (0.8, 0.0, -0.6), positive=ThrustCurve(0.004, -0.02, 0.0),
            negative=ThrustCurve(0.003, -0.02, 0.0), inflow_is_signed=1.0, rise_time=0.1, fall_time=0.2,
            command_minimum=-80.0, command_maximum=90.0,
        )
        for y in (-0.3, 0.3)
    ]  # fmt: skip
    propeller = base.thrusters[0]._replace(rise_time=0.0, fall_time=0.0, command_minimum=-24.0, command_maximum=24.0)
    pods[1] = pods[1]._replace(rise_time=0.0, fall_time=0.0, command_minimum=-16.0, command_maximum=16.0)
    driven = with_thrusters(base, [propeller, *pods], THRUST_IN_FOUR_QUADRANTS)
    quick = with_fins(driven, [tail_fin(k * math.pi / 2 + math.pi / 4, rate_limit=0.5) for k in range(4)])
    turning = with_servos(
        quick._replace(motors=(MOTOR, None, MOTOR), quadrants=(QUADRANTS, None, None)),
        [Slew(0.1, 1.5, -1.5, 1.5), Slew(0.0, 0.8, -1.0, 1.0)],
        [None, 0, 1],
        [ZERO3, (0.0, 1.0, 0.0), (0.0, 0.8, 0.6)],
        [0.0, 0.02, -0.02],
    )
    return with_moving_masses(
        turning,
        trim_mass(8.0, (0.2, 0.0, 0.02), (1.0, 0.0, 0.0)),
        trim_mass(2.0, (-0.1, 0.05, 0.03), (0.0, 0.6, 0.8), neutral=0.01, rate_limit=UNLIMITED_RATE, lag=0.5),
        MovingMass((0.6, 0.0, -0.02), ZERO3, 0.3, 1.0, 0.0, 1.0, 0.5, Slew(0.3, 0.2, 0.0, 2.0)),
        MovingMass((0.9, 0.0, 0.0), ZERO3, 0.0, 0.0, 1000.0, 1.0, 2e-4, Slew(1.0, 1e-4, -5e-4, 1e-3)),
    )
