"""Navigation estimate: pose and velocity of a vehicle, as guidance and control see them."""

import math
from typing import NamedTuple

from remora.equations.types import Quaternion, Twist, Vector3

# Names of the quantities of an estimate, for the needs of parts.
ATTITUDE, RATES, VELOCITY, DEPTH, POSITION = "attitude", "rates", "velocity", "depth", "position"
POSE = (ATTITUDE, DEPTH, POSITION)
MOTION = (ATTITUDE, RATES, VELOCITY)
POSE_AND_MOTION = (*MOTION, DEPTH, POSITION)

UNKNOWN3: Vector3 = (math.nan, math.nan, math.nan)


class Estimate(NamedTuple):
    """Position, attitude and velocities at one time; an unknown number is NaN, never zero."""

    time_ns: int
    p_NB: Vector3  # m
    q_NB: Quaternion
    twist: Twist  # m/s and rad/s, in body axes
    sigma_p_N: Vector3 = UNKNOWN3  # m, standard deviation of each component of p_NB; NaN where it is unknown
    sigma_v_B: Vector3 = UNKNOWN3  # m/s, of the velocity in body axes
    sigma_turn_B: Vector3 = UNKNOWN3  # rad, of small rotations about the body axes: error of the attitude
    force_B: Vector3 = UNKNOWN3  # N, oscillating force of waves or a tether; NaN where it is not estimated
    force_rate_B: Vector3 = UNKNOWN3  # N/s

    @property
    def is_complete(self) -> bool:
        """Whether every number is known, standard deviations aside."""
        return math.isfinite(sum(self.p_NB) + sum(self.q_NB) + sum(self.twist))

    @property
    def unknown(self) -> tuple[str, ...]:
        """Quantities with an unknown number."""
        groups = {
            "attitude": self.q_NB, "rates": self.twist[3:], "velocity": self.twist[:3],
            "depth": self.p_NB[2:], "position": self.p_NB[:2],
        }  # fmt: skip
        return tuple(name for name, values in groups.items() if not math.isfinite(sum(values)))
