"""Which quantities of a filter are known: a velocity or a depth that has run away is not."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

from remora.files.problems import listed
from remora.messages.estimate import ATTITUDE, DEPTH, UNKNOWN3, VELOCITY, Estimate
from remora.navigation.inertial.state_blocks import MEAN_VELOCITY
from remora.navigation.inertial.suite import BOUND_VELOCITY, FIXES, SensorSuite

KNOWN_SPEED = 0.5  # m/s: the velocity becomes known once its standard deviation is below; chosen
LOST_SPEED = 1.0  # m/s: it is unknown again beyond, as after the loss of all sensors; chosen
LAUNCH_SHARE = 1.5  # of the deviation at the start, up to which fixes may leave it; chosen
KNOWN_DEPTH, LOST_DEPTH = 0.3, 1.0  # m: the same of a measured depth; chosen
OBSERVED = {VELOCITY: BOUND_VELOCITY, DEPTH: {"depth", "position"}, ATTITUDE: {"attitude"}}  # by roles of sensors
IN_USE = ("good", "waiting")  # health of a sensor


@final
@dataclass(frozen=True)
class KnownQuantities:
    """Velocity and depth of a suite, from standard deviations with hysteresis."""

    suite: SensorSuite
    launch_sigma: float  # m/s, of the velocity at the start

    @cached_property
    def _roles(self) -> frozenset[str]:
        return frozenset(one.role for one in self.suite.aidings)

    @cached_property
    def knows_launch(self) -> bool:
        """Whether the velocity at the start counts as known, until the first fixes."""
        return "velocity" not in self._roles and bool(self._roles & FIXES)

    @cached_property
    def _lost_speed(self) -> float:
        return max(LOST_SPEED, LAUNCH_SHARE * self.launch_sigma) if self.knows_launch else LOST_SPEED

    @property
    def never(self) -> dict[str, str]:
        """The velocity with the reason, where nothing bounds it and it is not known at the start."""
        is_bounded = bool(self._roles & BOUND_VELOCITY) or self.suite.layout.has(MEAN_VELOCITY)
        if is_bounded or self.launch_sigma < KNOWN_SPEED:
            return {}
        return {
            VELOCITY: "no sensor of its filter bounds the velocity. Fit a dvl, gps or usbl, or give "
            "states: {mean_velocity: 0.1 m/s}, the size of the speeds to be expected"
        }

    def without_unknown(self, estimate: Estimate, known: tuple[bool, bool]) -> tuple[Estimate, tuple[bool, bool]]:
        """The estimate without a velocity or depth that has run away, and which of the two are known now."""
        has_velocity = max(estimate.sigma_v_B) < (self._lost_speed if known[0] else KNOWN_SPEED)
        if not has_velocity:
            estimate = estimate._replace(twist=(*UNKNOWN3, *estimate.twist[3:]), sigma_v_B=UNKNOWN3)
        has_depth = "depth" not in self._roles or estimate.sigma_p_N[2] < (LOST_DEPTH if known[1] else KNOWN_DEPTH)
        if not has_depth:
            p, sigma = estimate.p_NB, estimate.sigma_p_N
            estimate = estimate._replace(p_NB=(p[0], p[1], math.nan), sigma_p_N=(sigma[0], sigma[1], math.nan))
        return estimate, (has_velocity, has_depth)


def unmeasured_quantities(suite: SensorSuite, health: Sequence[str], is_vague: bool) -> dict[str, str]:
    """Velocity, depth and attitude while none of the sensors that bound them is used, with the reason.

    The aiding sensors give their health in order; the attitude is vague when it is known to 20 deg only.
    """
    found = {}
    for quantity, roles in OBSERVED.items():
        sensors = [(one.name, state) for one, state in zip(suite.aidings, health, strict=True) if one.role in roles]
        if not sensors and (quantity != ATTITUDE or is_vague):  # inertial sensors carry an attitude on for a time
            found[quantity] = f"no sensor measures the {quantity}"
        elif sensors and all(state not in IN_USE for _, state in sensors):
            found[quantity] = listed(f"{name} is not used ({state})" for name, state in sensors)
    return found
