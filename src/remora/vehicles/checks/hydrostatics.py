"""Hydrostatics of a free vehicle: net buoyancy, trim and natural periods.

Weight acts at G and buoyancy at C. Their moment about B is lever x down with lever = W p_BG - B p_BC, so a vehicle is
at rest where the lever points down, and the restoring stiffness of a rotation about an axis a is
|lever| (1 - (a . down)^2). Fossen 2021, ch. 4.
"""

import math
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.kinematics import inertia_about_B
from remora.equations.algebra.vectors import IDENTITY3, ZERO3, scale3, subtract3
from remora.equations.types import Vector3
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters, net_buoyancy, total_inertia

# Shorter righting levers have no measurable effect.
_SHORTEST_LEVER = 1e-9  # m
_HELD_BY_MODEL = "locked by the model"


class Trim(NamedTuple):
    """Attitude at rest, at any heading."""

    roll: float  # rad
    pitch: float  # rad


class NaturalPeriods(NamedTuple):
    """Undamped periods of small oscillations about the trim attitude; infinite without a restoring moment."""

    roll: float  # s
    pitch: float  # s


def righting_lever(parameters: VehicleParameters) -> Vector3:
    """The vector W p_BG - B p_BC in N m whose cross product with down is the restoring moment about B."""
    p = parameters
    weight, buoyancy = p.mass * p.gravity, p.displaced_mass * p.gravity
    return subtract3(scale3(weight, p.p_BG), scale3(buoyancy, p.p_BC))


def righting_stiffness(parameters: VehicleParameters) -> tuple[float, float]:
    """Righting moment per small angle of roll and of pitch about the attitude at rest, N m/rad."""
    lever, down = math.hypot(*righting_lever(parameters)), _down_at_rest(parameters) or ZERO3
    return lever * (1.0 - down[0] ** 2), lever * (1.0 - down[1] ** 2)


def trim_attitude(parameters: VehicleParameters) -> Trim | None:
    """Roll and pitch in radians at which the restoring moment about B is zero and the vehicle stable.

    Net buoyancy then acts through B and causes no rotation, apart from damping. None without a righting lever, where
    every attitude is at rest.
    """
    down = _down_at_rest(parameters)
    if down is None:
        return None
    return Trim(math.atan2(down[1], down[2]), math.atan2(-down[0], math.hypot(down[1], down[2])))


def natural_periods(parameters: VehicleParameters) -> NaturalPeriods:
    """Periods of small roll and pitch about the rest attitude, each alone: T = 2 pi sqrt(I / k).

    I is the moment of inertia about G, water included, and k the righting stiffness. The coupling to
    sway and surge is neglected, as in tables of free-decay tests; `coupled_periods` includes it. Infinite without a
    lever and for a locked axis.
    """
    down = _down_at_rest(parameters)
    if down is None:
        return NaturalPeriods(math.inf, math.inf)
    p_GB = scale3(-1.0, parameters.p_BG)
    inertia = inertia_about_B(total_inertia(parameters), p_GB, IDENTITY3)
    stiffness = righting_stiffness(parameters)
    periods = [
        math.inf if name in parameters.locked else _period(inertia[3 + i][3 + i], stiffness[i])
        for i, name in enumerate(("roll", "pitch"))
    ]
    return NaturalPeriods(*periods)


def coupled_periods(parameters: VehicleParameters) -> NaturalPeriods:
    """Periods of the two coupled oscillations of a free vehicle, as in a simulated free decay.

    From the eigenvalues of the restoring stiffness with the reduced inertia I - L^T M^-1 L. The mode with more roll is
    called roll.
    """
    down = _down_at_rest(parameters)
    if down is None:
        return NaturalPeriods(math.inf, math.inf)
    free = [i for i, name in enumerate(DEGREES_OF_FREEDOM) if name not in parameters.locked]
    inverse = np.zeros((6, 6))
    inverse[np.ix_(free, free)] = np.linalg.inv(np.array(total_inertia(parameters))[np.ix_(free, free)])
    d = np.array(down)
    stiffness = math.hypot(*righting_lever(parameters)) * (np.eye(3) - np.outer(d, d))
    squares, shapes = np.linalg.eig(inverse[3:, 3:] @ stiffness)
    two = np.argsort(squares.real)[1:]  # the third mode is yaw, without restoring moment
    first, second = sorted(two, key=lambda i: -abs(shapes[0, i]))
    return NaturalPeriods(_period(1.0, float(squares[first].real)), _period(1.0, float(squares[second].real)))


def net_buoyancy_text(parameters: VehicleParameters) -> str:
    """Net buoyancy as text."""
    force = net_buoyancy(parameters)
    if abs(force) < 1e-9 * parameters.mass * parameters.gravity:
        return "0 N (neutral)"
    return f"{abs(force):.3g} N {'up (floats)' if force > 0.0 else 'down (sinks)'}"


def trim_text(parameters: VehicleParameters) -> str:
    """Trim attitude as text, or the reason why there is none."""
    trim = trim_attitude(parameters)
    if {"roll", "pitch"} <= set(parameters.locked):
        return f"roll and pitch are {_HELD_BY_MODEL}"
    if trim is None:
        return "none: G and C coincide, so every attitude is at rest"
    return ", ".join(
        f"{name} {_HELD_BY_MODEL}" if name in parameters.locked else f"{name} {_degrees(angle)}"
        for name, angle in zip(("roll", "pitch"), trim, strict=True)
    )


def period_text(parameters: VehicleParameters) -> str:
    """Natural periods as text, or the reason why there are none."""
    periods = natural_periods(parameters)
    texts = []
    for name, period in zip(("roll", "pitch"), periods, strict=True):
        if name in parameters.locked:
            texts.append(f"{name} {_HELD_BY_MODEL}")
        else:
            texts.append(f"{name} {period:.2f} s" if math.isfinite(period) else f"{name} none (nothing rights it)")
    return ", ".join(texts)


def _down_at_rest(parameters: VehicleParameters) -> Vector3 | None:
    """The downward unit vector in body axes at rest; None without a lever."""
    lever = righting_lever(parameters)
    length = math.hypot(*lever)
    heavier = max(parameters.mass, parameters.displaced_mass) * parameters.gravity
    return scale3(1.0 / length, lever) if length > _SHORTEST_LEVER * heavier else None


def _period(inertia: float, stiffness: float) -> float:
    return 2.0 * math.pi * math.sqrt(inertia / stiffness) if stiffness > 1e-9 * inertia > 0.0 else math.inf


def _degrees(angle: float) -> str:
    """An angle in degrees with its sign; zero without one."""
    degrees = round(math.degrees(angle), 2) + 0.0
    return f"{degrees:+.2f} deg" if degrees else "0 deg"
