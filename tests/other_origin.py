"""A vehicle with full matrices, and the same vehicle described about another origin."""

import numpy as np

from remora.equations.actuators.thrusters import THRUST_FROM_SPEED_AND_INFLOW, thruster_effect
from remora.equations.algebra.kinematics import inertia_about_B
from remora.equations.hull.inertia import rigid_body_inertia
from sample_features import general
from sample_vehicles import falcon_thrusters, tuples, with_thrusters


def vehicle():
    """Full matrices about S, and three propellers that feel their inflow; quadratic drag knows its axes, so none."""
    bare = general(np.random.default_rng(5))._replace(quadratic_damping=tuples(np.zeros((6, 6))))
    drives = [t._replace(effect=thruster_effect(t.position, t.axis, 0.02)) for t in falcon_thrusters()[:3]]
    return with_thrusters(bare, drives, THRUST_FROM_SPEED_AND_INFLOW, mapped=True)


def about_B(parameters, p_BS, R_BS):
    """The same vehicle with all its numbers moved from S to B."""

    def place(p):
        return tuples(np.array(p_BS) + np.array(R_BS) @ p)

    turn = np.array(R_BS)
    inertia_G = tuples(turn @ np.array(parameters.inertia_G) @ turn.T)
    drives = []
    for t in parameters.thrusters:
        position, axis = place(t.position), tuples(turn @ t.axis)
        drives.append(t._replace(position=position, axis=axis, effect=thruster_effect(position, axis, 0.02)))
    return parameters._replace(
        p_BG=place(parameters.p_BG),
        p_BC=place(parameters.p_BC),
        inertia_G=inertia_G,
        rigid_body_inertia=rigid_body_inertia(parameters.mass, place(parameters.p_BG), inertia_G),
        added_mass=inertia_about_B(parameters.added_mass, p_BS, R_BS),
        linear_damping=inertia_about_B(parameters.linear_damping, p_BS, R_BS),
        thrusters=tuple(drives),
    )
