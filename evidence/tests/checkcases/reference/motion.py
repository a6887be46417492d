"""A submerged body in momentum form: what its momenta in fixed axes do under the forces of the problem file.

With the twist nu = (v, w) over ground, the water's velocity U(x) at the origin B and nu_r = (v - R^T U, w), the momenta
of body and water are (p, h) = M_rigid nu + M_added nu_r in body axes, P = R p and H = R h in fixed axes, and

    P' = R f + m_d DU/Dt - (grad U)^T P_added
    H' = R m - V x P_rigid - (V - U) x P_added + (R p_BC) x m_d DU/Dt
    R' = R S(w),  X' = R v

f and m hold weight, buoyancy, damping, lift, thrusters, fins and the wrench from outside; m_d is the displaced mass.
"""

from typing import NamedTuple

import numpy as np

from reference import forces
from reference.body import Body, cross, skew
from reference.problem import Array, Held, Water

# A state: position, rotation matrix, linear and angular momentum in fixed axes, outputs of the thrusters.
POSITION, ROTATION, MOMENTUM, SPIN, OUTPUTS = slice(0, 3), slice(3, 12), slice(12, 15), slice(15, 18), slice(18, None)


class Motion(NamedTuple):
    """A body, the water around it and the inputs that hold for a while."""

    body: Body
    water: Water
    held: Held


def water_twist(water: Water, position: Array, rotation: Array) -> Array:
    """The water at the origin of the body, in body axes; its own rotation is left out."""
    return np.concatenate([rotation.T @ (water.velocity + water.gradient @ position), np.zeros(3)])


def start_of(body: Body, water: Water, position: Array, rotation: Array, twist: Array) -> Array:
    """The state of a body that starts to move, its thrusters at rest."""
    momenta = body.rigid @ twist + body.added @ (twist - water_twist(water, position, rotation))
    parts = (position, rotation.ravel(), rotation @ momenta[:3], rotation @ momenta[3:], np.zeros(len(body.lags)))
    return np.concatenate(parts)


def twists_of(body: Body, water: Water, state: Array) -> tuple[Array, Array]:
    """Twist over ground and twist through the water, from the momenta."""
    rotation = state[ROTATION].reshape(3, 3)
    momenta = np.concatenate([rotation.T @ state[MOMENTUM], rotation.T @ state[SPIN]])
    around = water_twist(water, state[POSITION], rotation)
    twist = body.inverse @ (momenta + body.added @ around)
    return twist, twist - around


def flows_of(motion: Motion, state: Array) -> Array:
    """The speeds through the water whose squares drag."""
    return forces.flows(motion.body, twists_of(motion.body, motion.water, state)[1])


def rate(motion: Motion, state: Array, signs: Array | None = None) -> Array:
    """Rate of a state; see `forces.damping` for the signs."""
    body, water, held = motion
    rotation, outputs = state[ROTATION].reshape(3, 3), state[OUTPUTS]
    twist, relative = twists_of(body, water, state)
    wrench = held.wrench + forces.restoring(body, rotation) - forces.damping(body, relative, signs)
    wrench = wrench + forces.driving(body, held, outputs, relative)
    undisturbed = rotation.T @ _force_of_undisturbed_flow(body, water, state[POSITION])
    turning = cross(twist[:3], body.rigid[:3] @ twist) + cross(relative[:3], body.added[:3] @ relative)
    turned = rotation.T @ (water.gradient.T @ (rotation @ (body.added[:3] @ relative)))
    force = wrench[:3] + undisturbed - turned
    torque = wrench[3:] - turning + cross(body.p_BC, undisturbed)
    spin = (rotation @ skew(twist[3:])).ravel()
    lagged = forces.lag_rates(body, held, outputs)
    return np.concatenate([rotation @ twist[:3], spin, rotation @ force, rotation @ torque, lagged])


def _force_of_undisturbed_flow(body: Body, water: Water, position: Array) -> Array:
    """m_d DU/Dt in fixed axes: the pressure that accelerates the water accelerates the body in its place."""
    return body.displaced_mass * (water.gradient @ (water.velocity + water.gradient @ position))
