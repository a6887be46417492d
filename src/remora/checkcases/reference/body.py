"""A submerged body in momentum form: what its momenta in fixed axes do under the forces of the problem file.

With the twist nu = (v, w) over ground, the water's velocity U(x) at the origin B and nu_r = (v - R^T U, w), the momenta
of body and water are (p, h) = M_rigid nu + M_added nu_r in body axes, P = R p and H = R h in fixed axes, and

    P' = R f + m_d DU/Dt
    H' = R m - V x P_rigid - (V - U) x P_added + (R p_BC) x m_d DU/Dt
    R' = R S(w),  X' = R v

f and m hold weight, buoyancy, damping, lift, thrusters, fins and the wrench from outside; m_d is the displaced mass.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from remora.checkcases.problem import Array, Held, Water

POSITION, ROTATION, MOMENTUM, SPIN, OUTPUTS = slice(0, 3), slice(3, 12), slice(12, 15), slice(15, 18), slice(18, None)


class Body(NamedTuple):
    """The numbers of a problem file as arrays."""

    mass: float
    displaced_mass: float
    gravity: float
    p_BG: Array
    p_BC: Array
    rigid: Array  # 6x6 about B
    added: Array
    linear: Array
    quadratic: Array
    lift: Array
    strips: Array  # rows of x, sideways, vertical
    effects: Array  # 6 x thrusters: wrench per newton
    square: Array  # thrust per squared output, or NaN where the output is the thrust
    lags: Array  # s, of thrusters
    limits: Array  # of thruster commands, rows of lowest and highest
    fins: tuple[Mapping[str, Any], ...]


def skew(a: Array) -> Array:
    """S(a) b = a x b."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def cross(a: Array, b: Array) -> Array:
    """a x b for two vectors; the one of NumPy takes most of the time of a solution."""
    return skew(a) @ b


def matrix6(numbers: Any) -> Array:
    """A 6x6 matrix from its rows, or from its diagonal."""
    array = np.array(numbers, dtype=float)
    return np.diag(array) if array.ndim == 1 else array


def body_of(vehicle: Mapping[str, Any]) -> Body:
    """The body of a problem file."""
    p_BG = np.array(vehicle["center_of_gravity"], dtype=float)
    mass, lever = float(vehicle["mass"]), skew(p_BG)
    inertia_B = np.diag(np.array(vehicle["inertia_about_center_of_gravity"], dtype=float)) - mass * lever @ lever
    thrusters = vehicle.get("thrusters", [])
    return Body(
        mass=mass,
        displaced_mass=float(vehicle["displaced_mass"]),
        gravity=float(vehicle["gravity"]),
        p_BG=p_BG,
        p_BC=np.array(vehicle["center_of_buoyancy"], dtype=float),
        rigid=np.block([[mass * np.eye(3), -mass * lever], [mass * lever, inertia_B]]),
        added=matrix6(vehicle["added_mass"]),
        linear=matrix6(vehicle["linear_damping"]),
        quadratic=matrix6(vehicle["quadratic_damping"]),
        lift=matrix6(vehicle.get("lift", np.zeros(6))),
        strips=np.array(vehicle.get("strips", []), dtype=float).reshape(-1, 3),
        effects=np.array([_effect(thruster) for thruster in thrusters]).reshape(-1, 6).T,
        square=np.array([thruster.get("thrust_per_squared_speed", np.nan) for thruster in thrusters], dtype=float),
        lags=np.array([thruster["time_constant"] for thruster in thrusters], dtype=float),
        limits=np.array([thruster["limits"] for thruster in thrusters], dtype=float).reshape(-1, 2),
        fins=tuple(vehicle.get("fins", ())),
    )


def _effect(thruster: Mapping[str, Any]) -> Array:
    """Wrench about B per newton of thrust, with the reaction torque of the propeller."""
    axis = np.array(thruster["direction"], dtype=float)
    axis = axis / np.linalg.norm(axis)
    moment = cross(np.array(thruster["position"], dtype=float), axis) + thruster.get("reaction", 0.0) * axis
    return np.concatenate([axis, moment])


def targets(body: Body, held: Held) -> Array:
    """What the outputs of the thrusters tend to."""
    return np.clip(held.commands[: len(body.lags)], body.limits[:, 0], body.limits[:, 1])


def water_twist(water: Water, position: Array, rotation: Array) -> Array:
    """The water at the origin of the body, in body axes; its own rotation is left out."""
    return np.concatenate([rotation.T @ (water.velocity + water.gradient @ position), np.zeros(3)])


def twist_of(body: Body, water: Water, state: Array) -> Array:
    """Twist over ground from the momenta."""
    rotation = state[ROTATION].reshape(3, 3)
    momenta = np.concatenate([rotation.T @ state[MOMENTUM], rotation.T @ state[SPIN]])
    moved = momenta + body.added @ water_twist(water, state[POSITION], rotation)
    return np.asarray(np.linalg.solve(body.rigid + body.added, moved), dtype=float)


def start_of(body: Body, water: Water, position: Array, rotation: Array, twist: Array) -> Array:
    """The state of a body that starts to move, its thrusters at rest."""
    momenta = body.rigid @ twist + body.added @ (twist - water_twist(water, position, rotation))
    parts = (position, rotation.ravel(), rotation @ momenta[:3], rotation @ momenta[3:], np.zeros(len(body.lags)))
    return np.concatenate(parts)


def rate(body: Body, water: Water, held: Held, state: Array) -> Array:
    """Rate of position, rotation, momenta and outputs of the thrusters."""
    rotation, outputs = state[ROTATION].reshape(3, 3), state[OUTPUTS]
    twist = twist_of(body, water, state)
    relative = twist - water_twist(water, state[POSITION], rotation)
    rigid, added = body.rigid[:3] @ twist, body.added[:3] @ relative
    wrench = held.wrench + restoring(body, rotation) - damping(body, relative) + driving(body, held, outputs, relative)
    undisturbed = rotation.T @ _force_of_undisturbed_flow(body, water, state[POSITION])
    force = wrench[:3] + undisturbed
    turning = cross(twist[:3], rigid) + cross(relative[:3], added)
    torque = wrench[3:] - turning + cross(body.p_BC, undisturbed)
    spin = (rotation @ skew(twist[3:])).ravel()
    lagged = np.where(body.lags > 0.0, (targets(body, held) - outputs) / np.where(body.lags > 0.0, body.lags, 1.0), 0.0)
    return np.concatenate([rotation @ twist[:3], spin, rotation @ force, rotation @ torque, lagged])


def _force_of_undisturbed_flow(body: Body, water: Water, position: Array) -> Array:
    """m_d DU/Dt in fixed axes: the pressure that accelerates the water accelerates the body in its place."""
    return body.displaced_mass * (water.gradient @ (water.velocity + water.gradient @ position))


def restoring(body: Body, rotation: Array) -> Array:
    """Weight at G and buoyancy at C."""
    down = rotation.T @ np.array([0.0, 0.0, body.gravity])
    weight, buoyancy = body.mass * down, -body.displaced_mass * down
    return np.concatenate([weight + buoyancy, cross(body.p_BG, weight) + cross(body.p_BC, buoyancy)])


def damping(body: Body, relative: Array) -> Array:
    """Linear and quadratic damping, lift of the hull and drag of its slices, against the motion."""
    wrench = body.linear @ relative + body.quadratic @ (np.abs(relative) * relative)
    wrench = wrench + abs(relative[0]) * (body.lift @ relative)
    x, sideways, vertical = body.strips.T
    sway, heave = relative[1] + x * relative[5], relative[2] - x * relative[4]
    side, down = sideways * np.abs(sway) * sway, vertical * np.abs(heave) * heave
    return wrench + np.array([0.0, side.sum(), down.sum(), 0.0, -(x * down).sum(), (x * side).sum()])


def driving(body: Body, held: Held, outputs: Array, relative: Array) -> Array:
    """Thrusters and fins."""
    reached = np.where(body.lags > 0.0, outputs, targets(body, held))
    thrust = np.where(np.isnan(body.square), reached, body.square * np.abs(reached) * reached)
    wrench = body.effects @ thrust
    for fin, command in zip(body.fins, held.commands[len(body.lags) :], strict=True):
        wrench = wrench + fin_wrench(fin, float(command), relative)
    return wrench


def fin_wrench(fin: Mapping[str, Any], command: float, relative: Array) -> Array:
    """Lift of a fin below its stall: half density x area x slope x deflection x squared speed along the chord."""
    deflection = min(max(command, -fin["deflection_limit"]), fin["deflection_limit"])
    position = np.array(fin["position"], dtype=float)
    speed = np.dot(fin["chord"], relative[:3] + cross(relative[3:], position))
    force = fin["half_density_area"] * fin["lift_slope"] * deflection * speed * abs(speed) * np.array(fin["normal"])
    return np.concatenate([force, cross(position, force)])
