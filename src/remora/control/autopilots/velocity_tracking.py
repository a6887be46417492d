"""Velocity control in surge, sway, heave and yaw after Proctor 2014: reference model, PI and dynamic inversion.

The adaptive controller adds pseudo-control hedging, which hides from the PI law and the network what the thrusters
cannot do, and a network that learns what the model lacks. Each can be switched off.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, final

import numpy as np
from numba import float64, void

from remora.control.feedback.dynamic_inversion import DynamicInversion
from remora.control.feedback.feedback_linearisation import FeedbackLinearisation
from remora.equations.algebra.four_axes import ZERO4, add4, clipped4, multiply4, subtract4
from remora.equations.algebra.vectors import ZERO6, subtract6
from remora.equations.control.adaptive_network import (
    ZERO_WEIGHTS,
    Column9,
    Network,
    NetworkWeights,
    filtered_error,
    learned_weights,
    network_input,
    network_output,
)
from remora.equations.control.velocity_tracking import (
    TrackingGains,
    TrackingState,
    model_acceleration,
    tracking_acceleration,
    tracking_step,
)
from remora.equations.types import Quaternion, Twist, Vector4, Wrench
from remora.files.arrays import Array
from remora.plant.pack import PackedVehicle
from remora.plant.strict import strict_kernel
from remora.vehicles.checks.actuation import reachable_wrench
from remora.vehicles.parameters import VehicleParameters

INPUTS, HIDDEN, UNITS, OUTPUTS = 9, 5, 6, 4  # inputs with the bias, hidden units, those with the bias, outputs
SECOND = INPUTS * HIDDEN  # place of the output weights
WEIGHTS = SECOND + UNITS * OUTPUTS
_ROW = float64[::1]
SIGNATURE = void(_ROW, _ROW, float64, _ROW)


def network_at(row: Any) -> Network:
    """The constants of a network."""
    return Network((row[0], row[1], row[2], row[3], row[4]), row[5], row[6], row[7], row[8], row[9])


def nine_at(row: Any, k: int) -> Column9:
    """Nine numbers of a row."""
    return (
        row[k], row[k + 1], row[k + 2], row[k + 3], row[k + 4], row[k + 5], row[k + 6], row[k + 7], row[k + 8],
    )  # fmt: skip


def six_at(row: Any, k: int) -> Any:
    """Six numbers of a row."""
    return (row[k], row[k + 1], row[k + 2], row[k + 3], row[k + 4], row[k + 5])


def weights_at(row: Any, k: int) -> NetworkWeights:
    """Weights of a network."""
    inputs = (nine_at(row, k), nine_at(row, k + 9), nine_at(row, k + 18), nine_at(row, k + 27), nine_at(row, k + 36))
    m = k + SECOND
    return NetworkWeights(inputs, (six_at(row, m), six_at(row, m + 6), six_at(row, m + 12), six_at(row, m + 18)))


def learn(constants: Array, given: Array, period: float, out: Array) -> None:
    """Fill in the weights after a step of the learning law, then the output by those before it.

    `given` holds weights, input and filtered error.
    """
    network, weights, x = network_at(constants), weights_at(given, 0), nine_at(given, WEIGHTS)
    k = WEIGHTS + INPUTS
    after = learned_weights(network, weights, x, (given[k], given[k + 1], given[k + 2], given[k + 3]), period)
    output = network_output(network, weights, x)
    for i in range(HIDDEN):
        for j in range(INPUTS):
            out[INPUTS * i + j] = after.inputs[i][j]
    for i in range(OUTPUTS):
        for j in range(UNITS):
            out[SECOND + UNITS * i + j] = after.outputs[i][j]
        out[WEIGHTS + i] = output[i]


@lru_cache(maxsize=1)
def learning_kernel() -> Any:
    """Compiled `learn`, from the cache or compiled now."""
    return strict_kernel(learn, SIGNATURE, "the adaptive network", 4)


def learned(
    network: Network, weights: NetworkWeights, x: Column9, r: Vector4, period: float
) -> tuple[NetworkWeights, Vector4]:
    """Weights after a step of the learning law, and the output by those before it; r is the filtered error."""
    (a, b, c, d, e), (f, g, h, i) = weights
    given = np.array((*a, *b, *c, *d, *e, *f, *g, *h, *i, *x, *r))
    out = np.empty(WEIGHTS + OUTPUTS)
    learning_kernel()(np.array((*network.potentials, *network[1:])), given, period, out)
    numbers = out.tolist()
    surge, sway, heave, yaw = numbers[WEIGHTS:]
    return weights_at(numbers, 0), (surge, sway, heave, yaw)


FALCON_GAINS: Vector4 = (3.75, 3.75, 1.25, 5.0)  # 1/s, Proctor 2014, Table 6.1
# With thrusters of time constant T, sampled at a period P, gains are at most this share of 1 / (T + P).
LAG_SHARE = 0.5
SPEED_SCALES: Vector4 = (0.4, 0.2, 0.1, 0.2)  # m/s and rad/s, full scale of the network's inputs
FALCON_WRENCH_SCALES: Vector4 = (300.0, 250.0, 80.0, 60.0)  # N and N m


class VelocityTrackingState(NamedTuple):
    """State of velocity control."""

    tracking: TrackingState | None = None  # None before the first step, and after a safe output
    weights: NetworkWeights = ZERO_WEIGHTS
    wrench: Wrench = ZERO6  # of the previous step, N and N m
    is_safe: bool | None = None  # whether the last output was the safe one; None before the first
    current: tuple[float, float] = (0.0, 0.0)  # m/s, north and east, estimated from the thrust


@final
@dataclass(frozen=True, eq=False)
class VelocityTracking:
    """Reference model, PI law, dynamic inversion; optionally hedging and the adaptive network.

    With an estimate or reference that is not finite the wrench is zero, the safe output. Weights and integral are then
    kept, and the reference model starts again from the measured velocity.
    """

    inversion: DynamicInversion
    gains: TrackingGains
    period: float = 0.05  # s
    network: Network | None = None
    hedges: bool = False
    scales: tuple[Vector4, Vector4] = (SPEED_SCALES, FALCON_WRENCH_SCALES)  # full scale of speeds and wrenches

    def initial(self) -> VelocityTrackingState:
        """Zero integral and weights."""
        return VelocityTrackingState()

    def step(
        self,
        state: VelocityTrackingState,
        q_NB: Quaternion,
        twist: Twist,
        desired: Vector4,
        missing: Wrench = ZERO6,
        applied: Wrench | None = None,
    ) -> tuple[VelocityTrackingState, Wrench]:
        """One sample; velocities are in body axes, m/s and rad/s, the desired ones in surge, sway, heave and yaw.

        `missing` is the part of the previous wrench that the allocation could not produce, `applied` the measured
        wrench of the thrusters, if there is a measurement; N and N m.
        """
        if not math.isfinite(sum(q_NB) + sum(twist) + sum(desired)):
            return self.safe(state), ZERO6
        velocity = (twist[0], twist[1], twist[2], twist[5])
        tracking = self._tracking(state, velocity)
        model = model_acceleration(self.gains, tracking.model, desired)
        asked = add4(model, tracking_acceleration(self.gains, tracking, velocity, self.period))
        weights, learned = self._learned(state, tracking, velocity)
        near = self._near_the_model(twist, tracking.model)
        current = self.inversion.current(
            state.current, q_NB, twist, subtract6(state.wrench, missing) if applied is None else applied
        )
        wrench = self.inversion.wrench(q_NB, near, subtract4(asked, learned), current)
        unmet = missing if applied is None else _held(subtract6(wrench, applied))
        lost = self.inversion.acceleration(twist[2], unmet)
        after = tracking_step(
            self.gains,
            tracking,
            velocity,
            subtract4(model, lost) if self.hedges else model,
            ZERO4 if self.hedges else lost,
            self.period,
        )
        return VelocityTrackingState(after, weights, wrench, False, current), wrench

    def _near_the_model(self, twist: Twist, model: Vector4) -> Twist:
        """Velocity whose drag is cancelled: the measured one, within full scale of the reference model.

        Thrust that cancels the drag of a vehicle that is dragged along would push it with the disturbance.
        """
        velocity = (twist[0], twist[1], twist[2], twist[5])
        u, v, w, r = clipped4(velocity, subtract4(model, self.scales[0]), add4(model, self.scales[0]))
        return (u, v, w, twist[3], twist[4], r)

    def safe(self, state: VelocityTrackingState) -> VelocityTrackingState:
        """State after a safe output: the integral is kept, the reference model starts again."""
        tracking = state.tracking and state.tracking._replace(model=(math.nan,) * 4)
        return VelocityTrackingState(tracking, state.weights, ZERO6, True, state.current)

    @staticmethod
    def _tracking(state: VelocityTrackingState, velocity: Vector4) -> TrackingState:
        """Reference model and integral; a model that is not running starts at the measured velocity."""
        if state.tracking is None:
            return TrackingState(velocity)
        return TrackingState(velocity, state.tracking.integral) if state.is_safe else state.tracking

    def _learned(
        self, state: VelocityTrackingState, tracking: TrackingState, velocity: Vector4
    ) -> tuple[NetworkWeights, Vector4]:
        """NetworkWeights after this step, and the acceleration by those before it."""
        if self.network is None:
            return state.weights, ZERO4
        speeds, wrenches = self.scales
        last = (state.wrench[0], state.wrench[1], state.wrench[2], state.wrench[5])
        x = network_input(self.network, _over(velocity, speeds), _over(last, wrenches))
        error = subtract4(tracking.model, velocity)
        r = filtered_error(self.network, self.gains, tracking.integral, error)
        return learned(self.network, state.weights, x, r, self.period)


def _over(values: Vector4, scales: Vector4) -> Vector4:
    a, b, c, d = scales
    return multiply4(values, (1.0 / a, 1.0 / b, 1.0 / c, 1.0 / d))


def _held(wrench: Wrench) -> Wrench:
    """The controlled components of a wrench."""
    return (wrench[0], wrench[1], wrench[2], 0.0, 0.0, wrench[5])


def default_velocity_gains(parameters: VehicleParameters, period: float) -> Vector4:
    """Gains of Proctor 2014, in 1/s, lower where thrusters are slow or the period in s is long."""
    lag = max((thruster.rise_time for thruster in parameters.thrusters), default=0.0)
    u, v, w, r = (min(gain, LAG_SHARE / (lag + period)) for gain in FALCON_GAINS)
    return (u, v, w, r)


def critical_gains(proportional: Sequence[float], integral: Sequence[float] | None = None) -> TrackingGains:
    """Gains of reference model and PI law; without an integral gain K_i = K_p^2 / 4, the double pole."""
    a, b, c, d = proportional
    i, j, k, m = integral or (0.25 * gain * gain for gain in proportional)
    return TrackingGains((a, b, c, d), (a, b, c, d), (i, j, k, m), ZERO4)


def wrench_scales(parameters: VehicleParameters) -> Vector4:
    """Full scale of force and torque in surge, sway, heave and yaw, by the limits of the thrusters, N and N m."""
    reaches = reachable_wrench(parameters)
    sizes = [max(abs(end) for end in reaches[i].most) for i in (0, 1, 2, 5)]
    x, y, z, n = (
        size if math.isfinite(size) and size > 0.0 else default
        for size, default in zip(sizes, FALCON_WRENCH_SCALES, strict=True)
    )
    return (x, y, z, n)


def velocity_tracking(
    parameters: VehicleParameters,
    packed: PackedVehicle,
    gains: TrackingGains | None = None,
    period: float = 0.05,
    network: Network | None = None,
    hedges: bool = False,
    inversion: DynamicInversion | None = None,
) -> VelocityTracking:
    """Velocity control of a vehicle.

    Parameters
    ----------
    parameters, packed
        The vehicle.
    gains
        Gains; default those of Proctor 2014, lower with slow thrusters.
    period
        Seconds between steps.
    network
        Adaptive network; None for none.
    hedges
        Whether the reference model is hedged by the missing acceleration.
    inversion
        Inverse of the vehicle; default that of still water, as printed.
    """
    if gains is None:
        gains = critical_gains(default_velocity_gains(parameters, period))
    inversion = inversion or DynamicInversion(FeedbackLinearisation(packed))
    return VelocityTracking(inversion, gains, period, network, hedges, (SPEED_SCALES, wrench_scales(parameters)))
