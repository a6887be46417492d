"""Forces on a body of a problem file, as wrenches about B in body axes."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reference.body import Body, cross
from reference.problem import Array, Held


def targets(body: Body, held: Held) -> Array:
    """What the outputs of the thrusters tend to."""
    return np.clip(held.commands[: len(body.lags)], body.limits[:, 0], body.limits[:, 1])


def lag_rates(body: Body, held: Held, outputs: Array) -> Array:
    """Rates of the outputs of thrusters that lag behind their commands."""
    lags = np.where(body.lags > 0.0, body.lags, np.inf)
    return (targets(body, held) - outputs) / lags


def restoring(body: Body, rotation: Array) -> Array:
    """Weight at G and buoyancy at C."""
    down = rotation.T @ np.array([0.0, 0.0, body.gravity])
    weight, buoyancy = body.mass * down, -body.displaced_mass * down
    return np.concatenate([weight + buoyancy, cross(body.p_BG, weight) + cross(body.p_BC, buoyancy)])


def flows(body: Body, relative: Array) -> Array:
    """The speeds through the water whose squares drag: the six of the body, then those across each slice."""
    x = body.strips[:, 0]
    return np.concatenate([relative, relative[1] + x * relative[5], relative[2] - x * relative[4]])


def dragging(body: Body) -> NDArray[np.bool_]:
    """Which of these flows drag at all."""
    hull = body.quadratic.any(axis=0) | (np.arange(6) == 0) & body.lift.any()
    return np.concatenate([hull, body.strips[:, 1] != 0.0, body.strips[:, 2] != 0.0])


def damping(body: Body, relative: Array, signs: Array | None = None) -> Array:
    """Linear and quadratic damping, lift of the hull and drag of its slices, against the motion.

    |v| v is taken as s v^2 where a sign s is given for a flow, and is then smooth through zero.
    """
    flow = flows(body, relative)
    size = np.abs(flow) if signs is None else np.where(signs == 0.0, np.abs(flow), signs * flow)
    square = size * flow
    wrench = body.linear @ relative + body.quadratic @ square[:6] + size[0] * (body.lift @ relative)
    x, sideways, vertical = body.strips.T
    side, down = sideways * square[6 : 6 + len(x)], vertical * square[6 + len(x) :]
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
