"""Sliding-mode velocity control in surge, sway, heave and yaw, with dynamic inversion and a boundary layer."""

import math
from dataclasses import dataclass
from typing import NamedTuple, final

from remora.control.allocation.thrusters import HELD_AXES
from remora.control.autopilots.velocity_tracking import default_velocity_gains
from remora.control.feedback.dynamic_inversion import DynamicInversion
from remora.equations.algebra.four_axes import clipped4, scale4, subtract4
from remora.equations.algebra.vectors import ZERO6, subtract6
from remora.equations.control.velocity_tracking import LEAST_BLOCKED, sliding_accelerations
from remora.equations.types import Quaternion, Twist, Vector4, Wrench
from remora.vehicles.checks.actuation import reachable_wrench
from remora.vehicles.parameters import VehicleParameters, total_inertia

SLOPE_SHARE = 0.25  # of the slope of the sliding surface in the velocity gain inside the layer
SWITCHING_SHARE = 0.25  # of the switching gain in the acceleration that the thrusters can give
UNLIMITED_ACCELERATION = 1.0  # m/s2 and rad/s2, for thrusters without limits


class SlidingSurfaces(NamedTuple):
    """Parameters for surge, sway, heave and yaw."""

    slopes: Vector4  # 1/s
    switching_gains: Vector4  # m/s2 and rad/s2
    layers: Vector4  # m/s and rad/s


def default_surfaces(parameters: VehicleParameters, period: float) -> SlidingSurfaces:
    """Surfaces of a vehicle: a share of its thrust, and inside the layer the gains of velocity control; period in s."""
    reaches, inertia = reachable_wrench(parameters), total_inertia(parameters)
    rows = []
    for axis, total in zip(HELD_AXES, default_velocity_gains(parameters, period), strict=True):
        most = min(abs(end) for end in reaches[axis].alone) / inertia[axis][axis]
        gain = SWITCHING_SHARE * (most if 0.0 < most < math.inf else UNLIMITED_ACCELERATION)
        slope = SLOPE_SHARE * total
        rows.append((slope, gain, gain / (total - slope)))
    slopes, gains, layers = ((a, b, c, d) for a, b, c, d in zip(*rows, strict=True))
    return SlidingSurfaces(slopes, gains, layers)


class SlidingModeState(NamedTuple):
    """State of sliding-mode control."""

    integral: Vector4 = (0.0, 0.0, 0.0, 0.0)  # m and rad, of the velocity error
    is_safe: bool | None = None  # None before the first sample
    wrench: Wrench = ZERO6  # of the previous step, N and N m
    current: tuple[float, float] = (0.0, 0.0)  # m/s, north and east, estimated from the thrust


@final
@dataclass(frozen=True, eq=False)
class SlidingModeControl:
    """Wrench that drives the velocity error to zero against disturbances below the switching gain.

    Drag and Coriolis forces are cancelled at the desired velocity; the switching term makes up for the difference.
    With an estimate or reference that is not finite the wrench is zero and the integral is kept.
    """

    inversion: DynamicInversion
    surfaces: SlidingSurfaces
    period: float = 0.05  # s

    def initial(self) -> SlidingModeState:
        """Zero integral."""
        return SlidingModeState()

    def step(
        self,
        state: SlidingModeState,
        q_NB: Quaternion,
        twist: Twist,
        desired: Vector4,
        missing: Wrench = ZERO6,
    ) -> tuple[SlidingModeState, Wrench]:
        """One sample; parameters as in `VelocityTracking`."""
        if not math.isfinite(sum(q_NB) + sum(twist) + sum(desired)):
            return self.safe(state), ZERO6
        error = subtract4(desired, (twist[0], twist[1], twist[2], twist[5]))
        asked = sliding_accelerations(error, state.integral, *self.surfaces)
        lost = self.inversion.acceleration(twist[2], missing)
        # Drag at the measured speed over ground would be positive feedback in a current: the faster, the more thrust.
        planned = (desired[0], desired[1], desired[2], twist[3], twist[4], desired[3])
        current = self.inversion.current(state.current, q_NB, twist, subtract6(state.wrench, missing))
        wrench = self.inversion.wrench(q_NB, planned, asked, current)
        return SlidingModeState(self._summed(state.integral, error, lost), False, wrench, current), wrench

    def safe(self, state: SlidingModeState) -> SlidingModeState:
        """State after a safe output."""
        return SlidingModeState(state.integral, True, ZERO6, state.current)

    def _summed(self, integral: Vector4, error: Vector4, lost: Vector4) -> Vector4:
        """Integral after a step: frozen towards a missing acceleration, and no further than the boundary layer."""
        grown = [
            before if wrong * more > 0.0 and abs(more) > LEAST_BLOCKED else before + self.period * wrong
            for before, wrong, more in zip(integral, error, lost, strict=True)
        ]
        bound = [
            layer / slope if slope > 0.0 else math.inf
            for layer, slope in zip(self.surfaces.layers, self.surfaces.slopes, strict=True)
        ]
        most = (bound[0], bound[1], bound[2], bound[3])
        return clipped4((grown[0], grown[1], grown[2], grown[3]), scale4(-1.0, most), most)
