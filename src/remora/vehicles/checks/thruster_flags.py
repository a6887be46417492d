"""Validity flags of thrusters: flow regime and valid range of the thrust law."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from remora.equations.actuators.drives import (
    ANTI_DIRECTIONAL,
    AT_REST,
    EQUI_DIRECTIONAL,
    VAGUE_DIRECTIONAL,
    flow_regime,
)
from remora.equations.actuators.laws.law import FORCE_OUTPUT
from remora.equations.actuators.laws.table import law_with
from remora.equations.actuators.thrusters import advance_speed
from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.algebra.vectors import ZERO3, subtract6
from remora.equations.types import Vector3
from remora.equations.water.current import current_twist
from remora.vehicles.checks.actuation import thruster_at
from remora.vehicles.vehicle import Vehicle

Regime: TypeAlias = Literal["at rest", "equi-directional", "anti-directional", "vague-directional"]
REGIMES: dict[float, Regime] = {
    AT_REST: "at rest",
    EQUI_DIRECTIONAL: "equi-directional",
    ANTI_DIRECTIONAL: "anti-directional",
    VAGUE_DIRECTIONAL: "vague-directional",
}


class ThrusterFlag(NamedTuple):
    """Flow regime of a thruster, and whether its law is valid at its shaft speed."""

    name: str
    regime: Regime | None  # None: no diameter or critical advance ratio, or a force law
    is_valid: bool | None  # None: no valid_speed in the file


def thruster_flags(vehicle: Vehicle, state: Sequence[float], water: Vector3 = ZERO3) -> tuple[ThrusterFlag, ...]:
    """Flags of every thruster in water of a velocity in N, m/s. Regimes after Proctor 2014, ch. 3."""
    p = vehicle.parameters
    numbers = [float(number) for number in state]
    first = BODY_SIZE + len(p.thrusters) + len(p.fins)
    angles = numbers[first : first + len(p.servos)]
    q0, q1, q2, q3, u, v, w, *rates = numbers[3:BODY_SIZE]
    twist = (u, v, w, rates[0], rates[1], rates[2])
    relative = subtract6(twist, current_twist((q0, q1, q2, q3), water))
    flags = []
    for i, facts in enumerate(vehicle.thruster_facts):
        thruster, speed = thruster_at(p, i, angles), numbers[BODY_SIZE + i]
        regime, is_valid = None, None
        if law_with(p.thrust_law).output != FORCE_OUTPUT and facts.diameter and facts.critical_advance_ratio:
            direction = thruster.sense if speed > 0.0 else -thruster.sense
            advance = advance_speed(thruster, relative)
            regime = REGIMES[flow_regime(speed, direction, advance, facts.diameter, facts.critical_advance_ratio)]
        if law_with(p.thrust_law).output != FORCE_OUTPUT and facts.valid_speed:
            is_valid = facts.valid_speed[0] <= speed <= facts.valid_speed[1]
        flags.append(ThrusterFlag(facts.name, regime, is_valid))
    return tuple(flags)
