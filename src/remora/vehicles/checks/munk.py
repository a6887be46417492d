"""Speeds above which the Munk moment of the added mass tilts a vehicle against its righting moment.

At a small angle a to a course along one axis, the momentum of the water gives the moment (m_across - m_along) U^2 a
about the axis of the tilt, and weight and buoyancy right it with their stiffness. Fossen 2021, ch. 6. Lift, fins, pitch
damping and controllers are left out.
"""

import math
from typing import NamedTuple

from remora.files.problems import listed
from remora.vehicles.checks.hydrostatics import righting_stiffness
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters, total_inertia

COURSES, TILTS = (0, 1, 2), (3, 4)  # surge, sway and heave; roll and pitch


class MunkSpeed(NamedTuple):
    """The speed of a course above which a tilt grows by itself."""

    course: str  # surge, sway or heave
    tilt: str  # roll or pitch
    speed: float  # m/s


def munk_speed(parameters: VehicleParameters, course: int, tilt: int, held: float = 0.0) -> float:
    """Speed along a course above which the Munk moment about the axis of a tilt exceeds the righting moment, m/s.

    Course and tilt are indices of degrees of freedom. A controller may add a stiffness of its own, N m/rad. Infinite
    where the water does not turn the vehicle so.
    """
    across = 3 - course - (tilt - 3)
    inertia = total_inertia(parameters)
    excess = inertia[across][across] - inertia[course][course]
    stiffness = max(righting_stiffness(parameters)[tilt - 3] + held, 0.0)
    return math.sqrt(stiffness / excess) if excess > 0.0 else math.inf


def munk_speeds(parameters: VehicleParameters) -> tuple[MunkSpeed, ...]:
    """The finite speeds of all courses, for tilts that the model does not lock."""
    found = (
        MunkSpeed(DEGREES_OF_FREEDOM[course], DEGREES_OF_FREEDOM[tilt], munk_speed(parameters, course, tilt))
        for course in COURSES
        for tilt in TILTS
        if course != tilt - 3 and not {DEGREES_OF_FREEDOM[course], DEGREES_OF_FREEDOM[tilt]} & {*parameters.locked}
    )
    return tuple(one for one in found if math.isfinite(one.speed))


def munk_text(parameters: VehicleParameters) -> str:
    """The speeds as text; empty without any."""
    found = [f"in {one.course} above {one.speed:.2f} m/s ({one.tilt})" for one in munk_speeds(parameters)]
    if not found:
        return ""
    tilts = listed(dict.fromkeys(one.tilt for one in munk_speeds(parameters)))
    return f"Munk moment exceeds the righting moment {', '.join(found)}: there thrusters or fins must hold {tilts}"
