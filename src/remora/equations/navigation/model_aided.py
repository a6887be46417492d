"""Model-aided inertial navigation: strapdown mechanisation beside a gyro-driven velocity model in a water current.

The model moves the velocity s relative to the mean current, in body axes; the water adds gusts g to the mean current c.
With the velocity through the water s - g_B and its modelled rate a, s' = a(s - g_B) + d - w x g_B, where d is a slow
unmodelled force per mass in sway and heave. In surge the drag is that of the model at u / (1 + e): with any thrust the
vehicle is 1 + e times as fast as its model. On one heading only the sum of speed and current is observed. A state e
makes this a straight line, which an update follows exactly, where a force would make it a parabola.
Over ground v_N = R s + c, which `model_constraint` compares with the strapdown velocity. Gusts act on the hull as a
steady flow does. Earth rotation is left out.
"""

from typing import Any, TypeAlias

from remora.equations.algebra.kinematics import position_rate, to_body
from remora.equations.algebra.quaternions import product, to_euler_zyx
from remora.equations.algebra.vectors import ZERO3, add3, cross, scale3, subtract3
from remora.equations.estimation.gyro_driven import (
    GyroDriven,
    Rotation,
    heading_terms,
    heave_terms,
    surge_terms,
    sway_terms,
)
from remora.equations.navigation.charts import (
    NavigationPose,
    minus_heading,
    plus_heading,
    rotation_about_vertical,
    rotation_over_step,
)
from remora.equations.navigation.process_models import decayed, strapdown_step
from remora.equations.types import AngularVelocity, Quaternion, Seconds, Vector3

STATES, ERRORS = 27, 26
INPUTS = 43

Values: TypeAlias = tuple[Any, ...]
# Position, attitude, velocity in N, gyro bias, accelerometer bias, s, current, gust (both north and east), e, d,
# deviation of the compass.
State: TypeAlias = Values
Error: TypeAlias = Values  # the same with velocity and attitude as in `plus_heading`; current and gust turn along
# Turn rates, specific force and angular acceleration in body axes at B, thrust, numbers of the model.
Inputs: TypeAlias = Values
# Gravity, correlation time of gusts, lever arms of DVL, depth sensor, water track and position.
Parameters: TypeAlias = Values


def pose(x: State) -> NavigationPose:
    """Position, velocity over ground and attitude of a state."""
    return NavigationPose((x[0], x[1], x[2]), (x[7], x[8], x[9]), (x[3], x[4], x[5], x[6]))


def plus(x: State, d: Error) -> State:
    """A state moved by an error; the rotation about the vertical also turns current and gust."""
    y = plus_heading(pose(x), ((d[0], d[1], d[2]), (d[6], d[7], d[8]), (d[3], d[4], d[5])))
    about = rotation_about_vertical(d[5])
    c = position_rate(about, (x[19] + d[18], x[20] + d[19], 0.0))
    g = position_rate(about, (x[21] + d[20], x[22] + d[21], 0.0))
    return (
        y.p[0], y.p[1], y.p[2], y.q[0], y.q[1], y.q[2], y.q[3], y.v[0], y.v[1], y.v[2],
        x[10] + d[9], x[11] + d[10], x[12] + d[11], x[13] + d[12], x[14] + d[13], x[15] + d[14], x[16] + d[15],
        x[17] + d[16], x[18] + d[17], c[0], c[1], g[0], g[1], x[23] + d[22], x[24] + d[23], x[25] + d[24],
        x[26] + d[25],
    )  # fmt: skip


def minus(y: State, x: State) -> Error:
    """Error of a state against a reference: inverse of `plus`."""
    p, v, e = minus_heading(pose(y), pose(x))
    back = rotation_about_vertical(-e[2])
    c = position_rate(back, (y[19], y[20], 0.0))
    g = position_rate(back, (y[21], y[22], 0.0))
    return (
        p[0], p[1], p[2], e[0], e[1], e[2], v[0], v[1], v[2], y[10] - x[10], y[11] - x[11], y[12] - x[12],
        y[13] - x[13], y[14] - x[14], y[15] - x[15], y[16] - x[16], y[17] - x[17], y[18] - x[18], c[0] - x[19],
        c[1] - x[20], g[0] - x[21], g[1] - x[22], y[23] - x[23], y[24] - x[24], y[25] - x[25], y[26] - x[26],
    )  # fmt: skip


def model_of(u: Inputs) -> GyroDriven:
    """The velocity model among the inputs."""
    return GyroDriven(
        u[10],
        (u[11], u[12], u[13], u[14], u[15], u[16], u[17], u[18], u[19], u[20], u[21]),
        (u[22], u[23], u[24], u[25], u[26], u[27], u[28], u[29], u[30], u[31], u[32], u[33]),
        (u[34], u[35], u[36], u[37], u[38], u[39], u[40], u[41]),
        u[42],
    )


def modelled_rate(
    model: GyroDriven, thrust: float, velocity: Vector3, rotation: Rotation, drag_speed: float
) -> Vector3:
    """`gyro_driven.velocity_rate` with its sums written out, for numbers of different kinds.

    `velocity` is surge, sway and heave through the water, `drag_speed` the surge at which the drag in surge is taken.
    """
    t, a = surge_terms((drag_speed, velocity[1], velocity[2]), rotation), model.surge
    surge = a[0] * t[0] + a[1] * t[1] + a[2] * t[2] + a[3] * t[3] + a[4] * t[4] + a[5] * t[5]
    surge = surge + a[6] * t[6] + a[7] * t[7] + a[8] * t[8] + a[9] * t[9] + a[10] * t[10]
    r, b = sway_terms(velocity, rotation), model.sway
    sway = b[0] * r[0] + b[1] * r[1] + b[2] * r[2] + b[3] * r[3] + b[4] * r[4] + b[5] * r[5]
    sway = sway + b[6] * r[6] + b[7] * r[7] + b[8] * r[8] + b[9] * r[9] + b[10] * r[10] + b[11] * r[11]
    h, c = heave_terms(velocity, rotation), model.heave
    heave = c[0] * h[0] + c[1] * h[1] + c[2] * h[2] + c[3] * h[3] + c[4] * h[4] + c[5] * h[5]
    return ((thrust + surge) / model.surge_mass, sway, heave + c[6] * h[6] + c[7] * h[7])


def relative_rate(x: State, u: Inputs, q: Quaternion, w: AngularVelocity, s: Vector3) -> Vector3:
    """Rate of the modelled velocity relative to the mean current, in body axes, m/s2.

    `x` gives the gust and the errors of the model; `s` is relative to the mean current, in body axes.
    """
    gust = to_body(q, (x[21], x[22], 0.0))
    model = model_of(u)
    angles = to_euler_zyx(q)
    rotation = Rotation(w, (u[6], u[7], u[8]), angles[1], heading_terms(model.circular_heading, angles[2]))
    v = subtract3(s, gust)
    rate = modelled_rate(model, u[9], v, rotation, v[0] / (1.0 + x[23]))
    return subtract3(add3(rate, (0.0, x[24], x[25])), cross(w, gust))


def process(x: State, u: Inputs, elapsed: Seconds, row: Parameters) -> State:
    """State after a time with held inputs: strapdown mechanisation, and the model by the midpoint rule."""
    before, h = pose(x), 0.5 * elapsed
    w = (u[0] - x[10], u[1] - x[11], u[2] - x[12])
    force = (u[3] - x[13], u[4] - x[14], u[5] - x[15])
    p, v, q = strapdown_step(before, force, w, row[0], ZERO3, elapsed)
    s = (x[16], x[17], x[18])
    half = add3(s, scale3(h, relative_rate(x, u, before.q, w, s)))
    middle = product(before.q, rotation_over_step(scale3(h, w)))
    s = add3(s, scale3(elapsed, relative_rate(x, u, middle, w, half)))
    return (
        p[0], p[1], p[2], q[0], q[1], q[2], q[3], v[0], v[1], v[2], x[10], x[11], x[12], x[13], x[14], x[15],
        s[0], s[1], s[2], x[19], x[20], decayed(x[21], 1.0 / row[1], elapsed), decayed(x[22], 1.0 / row[1], elapsed),
        x[23], x[24], x[25], x[26],
    )  # fmt: skip


def bottom_track(x: State, u: Inputs, row: Parameters) -> Values:
    """Velocity of the DVL over ground, in body axes, m/s."""
    v = to_body((x[3], x[4], x[5], x[6]), (x[7], x[8], x[9]))
    return add3(v, cross((u[0] - x[10], u[1] - x[11], u[2] - x[12]), (row[2], row[3], row[4])))


def depth(x: State, u: Inputs, row: Parameters) -> Values:
    """Depth of the pressure sensor, m."""
    return (x[2] + position_rate((x[3], x[4], x[5], x[6]), (row[5], row[6], row[7]))[2],)


def compass_heading(x: State, u: Inputs, row: Parameters) -> Values:
    """Heading of a compass with a constant deviation, rad."""
    return (to_euler_zyx((x[3], x[4], x[5], x[6]))[2] + x[26],)


def water_track(x: State, u: Inputs, row: Parameters) -> Values:
    """Velocity through the water at the sensor, in body axes, m/s: water track, or a model that runs by itself."""
    v = to_body((x[3], x[4], x[5], x[6]), (x[7] - x[19] - x[21], x[8] - x[20] - x[22], x[9]))
    return add3(v, cross((u[0] - x[10], u[1] - x[11], u[2] - x[12]), (row[8], row[9], row[10])))


def position(x: State, u: Inputs, row: Parameters) -> Values:
    """Position of an antenna or transponder in N, m."""
    return add3((x[0], x[1], x[2]), position_rate((x[3], x[4], x[5], x[6]), (row[11], row[12], row[13])))


def model_constraint(x: State, u: Inputs, row: Parameters) -> Values:
    """Strapdown velocity relative to the mean current less the modelled one, in body axes, m/s: zero."""
    v = to_body((x[3], x[4], x[5], x[6]), (x[7] - x[19], x[8] - x[20], x[9]))
    return subtract3(v, (x[16], x[17], x[18]))
