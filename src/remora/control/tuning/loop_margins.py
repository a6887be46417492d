"""Gain, phase and delay margins: of a frequency response, of one axis, and of a whole control loop.

A whole loop is the linearised plant with thruster lag, latency and hold, and the linearised software. It is cut at the
wrench; the open loop of an axis has all other axes closed. Where guidance is sampled more slowly than the controllers,
the poles belong to the periodic loop, over one period of the guidance.

The sampled loop of one axis is position P and velocity PI on an inertia, as `PositionControl` closes it, cut at the
force. Drag is left out: it adds phase, so that the margins hold without it.
"""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple, final

import numpy as np

from remora.control.tuning.sampled_plant import (
    ERRORS,
    LinearSystem,
    LoopTiming,
    frequencies_for,
    sampled_plant,
    smoothing_response,
)
from remora.files.arrays import Array
from remora.plant.dual.linearisation import PlantJacobian
from remora.plant.pack import PackedVehicle, resting_outputs
from remora.vehicles.names import DEGREES_OF_FREEDOM

TINY = 1e-300  # keeps the logarithm of a gain of zero finite


class StabilityMargins(NamedTuple):
    """Margins of a stable loop; infinite where nothing is crossed."""

    gain: float  # factor by which the gain may rise
    gain_reduction: float  # factor by which it may fall, as a number above 1
    phase: float  # rad
    delay: float  # s, additional latency
    crossover: float  # rad/s, highest frequency of gain one; 0 where the gain stays below one
    sensitivity: float  # largest |1 / (1 + L)|


def stability_margins(frequencies: Array, response: Array) -> StabilityMargins:
    """Margins of a loop with negative feedback: ascending frequencies, rad/s, and the complex open loop L at each."""
    size, phase = np.log(np.maximum(np.abs(response), TINY)), np.unwrap(np.angle(response))
    crossed = [(_between(frequencies, k, share), _between(phase, k, share)) for k, share in _crossings(size)]
    turns = [_between(size, k, share) for level in _odd_turns(phase) for k, share in _crossings(phase - level)]
    beyond = [(w, (p - math.pi) % (2.0 * math.pi)) for w, p in crossed]  # rad, ahead of -180 degrees
    return StabilityMargins(
        gain=min((math.exp(-s) for s in turns if s < 0.0), default=math.inf),
        gain_reduction=min((math.exp(s) for s in turns if s > 0.0), default=math.inf),
        phase=min((min(angle, 2.0 * math.pi - angle) for _, angle in beyond), default=math.inf),
        delay=min((angle / w for w, angle in beyond), default=math.inf),
        crossover=max((w for w, _ in crossed), default=0.0),
        sensitivity=float(np.max(1.0 / np.abs(1.0 + response))),
    )


def _crossings(values: Array) -> list[tuple[int, float]]:
    """Places where a sampled curve crosses zero: index before, and share of the interval."""
    before, after = values[:-1], values[1:]
    places = np.flatnonzero(np.signbit(before) != np.signbit(after))
    return [(int(k), float(before[k] / (before[k] - after[k]))) for k in places]


def _between(values: Array, k: int, share: float) -> float:
    return float(values[k] + share * (values[k + 1] - values[k]))


def _odd_turns(phase: Array) -> list[float]:
    """Odd multiples of pi within the range of a phase, rad."""
    low, high = float(np.min(phase)), float(np.max(phase))
    first = math.ceil((low / math.pi - 1.0) / 2.0)
    last = math.floor((high / math.pi - 1.0) / 2.0)
    return [(2 * k + 1) * math.pi for k in range(first, last + 1)]


def margin_text(gain: float) -> str:
    """A gain margin in decibels."""
    return "any" if math.isinf(gain) else f"{20.0 * math.log10(gain):.3g} dB"


POSE_AND_TWIST = ("position", "rotation", "twist")
STABLE = 1.0 + 1e-7  # spectral radius; a pole of an uncontrolled position is at 1 to rounding
LEAST_GAIN = 1e-9  # of an open loop; below it the controller does not act in the axis


class OperatingPoint(NamedTuple):
    """Where a loop is linearised."""

    body: Array  # position, quaternion and twist
    wrench: Array  # of the thrusters, N and N m
    water: tuple[float, float, float]  # m/s, current in N


class AxisMargins(NamedTuple):
    """Open loop of an axis and its margins."""

    axis: str
    response: Array  # complex, over the frequencies of the loop
    margins: StabilityMargins


class LoopMargins(NamedTuple):
    """Result of one plant."""

    radius: float  # spectral radius of the closed loop per sample
    slowest: float  # s, time constant of the slowest closed-loop pole; that of growth where unstable
    frequencies: Array  # rad/s
    axes: tuple[AxisMargins, ...]

    @property
    def is_stable(self) -> bool:
        """Whether every pole is inside the unit circle."""
        return self.radius < STABLE


class SlowGuidance(NamedTuple):
    """Linearised software whose guidance runs in one of several samples and is held in the others."""

    update: LinearSystem  # a sample in which guidance runs
    hold: LinearSystem  # a sample with the reference of the last one
    samples: int  # of the controllers per sample of the guidance


@final
@dataclass(frozen=True, eq=False)
class SampledLoop:
    """Linearised software with its timing; any plant closes it."""

    software: LinearSystem  # from pose and twist errors to the wrench
    actuation: Array  # 6 x 6: wrench of the thrusters for a desired one
    timing: LoopTiming
    slow_guidance: SlowGuidance | None = None  # the software gives the frequency response, this the poles

    def margins(self, packed: PackedVehicle, point: OperatingPoint, count: int = 400) -> LoopMargins:
        """Margins with a plant at an operating point, from this many frequencies."""
        plant = self._sampled(*linear_plant(packed, point))
        radius, frequencies = self._radius(plant), frequencies_for(self.timing.period, count)
        z = np.exp(1j * frequencies * self.timing.period)
        loop = self.software.response(z) @ plant.response(z) @ (self._filter(z)[:, None, None] * self.actuation)
        rows = []
        for i, axis in enumerate(DEGREES_OF_FREEDOM):
            response = -_others_closed(loop, i)
            if np.abs(response).max() > LEAST_GAIN:
                rows.append(AxisMargins(axis, response, stability_margins(frequencies, response)))
        return LoopMargins(radius, _time_constant(radius, self.timing.period), frequencies, tuple(rows))

    def growing_motion(self, A: Array, B: Array) -> tuple[float, Array]:
        """Spectral radius of the loop with a continuous linear plant, and pose and twist errors of that motion."""
        transition, samples = self._transition(self._sampled(A, B))
        values, vectors = np.linalg.eig(transition)
        largest = int(np.argmax(np.abs(values)))
        return float(abs(values[largest]) ** (1.0 / samples)), vectors[:ERRORS, largest]

    def stable_share(self, A: Array, B: Array) -> float:
        """Largest share of the gains, up to one, at which the loop is stable; zero where none of those tried is."""
        plant = self._sampled(A, B)
        for share in np.geomspace(1.0, 0.02, 79):
            if replace(self, actuation=share * self.actuation)._radius(plant) < STABLE:
                return float(share)
        return 0.0

    def _sampled(self, A: Array, B: Array) -> LinearSystem:
        return sampled_plant(A, B, self.timing, self._latencies())

    def _radius(self, plant: LinearSystem) -> float:
        transition, samples = self._transition(plant)
        return float(np.abs(np.linalg.eigvals(transition)).max(initial=0.0) ** (1.0 / samples))

    def _transition(self, plant: LinearSystem) -> tuple[Array, int]:
        """Transition matrix of the closed loop over the period after which it repeats, and the samples in it."""
        if self.slow_guidance is None:
            return self._closed(plant, self.software), 1
        update, hold, samples = self.slow_guidance
        held = np.linalg.matrix_power(self._closed(plant, hold), samples - 1)
        return held @ self._closed(plant, update), samples

    def _latencies(self) -> tuple[float, ...]:
        """Latency of forces and torques, by the motion that they answer to, s."""
        late, turn = self.timing.latency, self.timing.turn_latency
        return (late,) * 3 + (late if turn is None else turn,) * 3

    def _filter(self, z: Array) -> Array:
        return smoothing_response(self.timing.smoothing_share, z)

    def _closed(self, plant: LinearSystem, software: LinearSystem) -> Array:
        """Transition matrix of the closed loop over one sample: plant, software and smoothed wrench."""
        share = self.timing.smoothing_share
        n, m = plant.A.shape[0], software.A.shape[0]
        wrench = np.hstack([software.D @ plant.C, software.C, np.zeros((6, 6))])
        smoothed = share * wrench
        smoothed[:, n + m :] += (1.0 - share) * np.eye(6)
        F = np.zeros((n + m + 6, n + m + 6))
        F[:n, :n] = plant.A
        F[:n] += plant.B @ self.actuation @ smoothed
        F[n : n + m, :n], F[n : n + m, n : n + m] = software.B @ plant.C, software.A
        F[n + m :] = smoothed
        return F


def linear_plant(packed: PackedVehicle, point: OperatingPoint) -> tuple[Array, Array]:
    """Rate of pose and twist errors at an operating point: A, and B for a wrench about B in body axes."""
    jacobian = PlantJacobian(packed, (*POSE_AND_TWIST, "external"))
    outputs = resting_outputs(packed)
    state = np.concatenate([point.body, outputs, np.zeros(packed.actuator_states - packed.actuators)])
    _, J = jacobian(jacobian.inputs(state, outputs, point.wrench, point.water))
    return J[:ERRORS, :ERRORS].copy(), J[:ERRORS, ERRORS:].copy()


def _others_closed(loop: Array, i: int) -> Array:
    """Response from the wrench in an axis to that which the software answers, the other axes closed."""
    rest = [k for k in range(6) if k != i]
    inner = np.eye(5) - loop[:, rest][:, :, rest]
    answer = np.linalg.solve(inner, loop[:, rest, i][:, :, None])
    return np.asarray(loop[:, i, i] + (loop[:, i, rest][:, None] @ answer)[:, 0, 0])


def _time_constant(radius: float, period: float) -> float:
    return period / abs(np.log(radius)) if 0.0 < radius != 1.0 else np.inf


DOUBLE_INTEGRATOR = (np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[0.0], [1.0]]))  # position and velocity


class CascadeGains(NamedTuple):
    """Gains of one axis: a = velocity (position e - v + integral of the sum), 1/s each."""

    position: float
    velocity: float
    integral: float


@final
@dataclass(frozen=True, eq=False)
class CascadeLoop:
    """Frequency response of an axis behind lag, latency and hold, for any gains."""

    timing: LoopTiming
    frequencies: Array  # rad/s
    z: Array  # exp(j w h)
    position: Array  # response of the position to an acceleration, complex
    velocity: Array

    def response(self, gains: CascadeGains) -> Array:
        """Open loop at the frequencies."""
        summed = gains.integral * self.timing.period / (1.0 - 1.0 / self.z)
        smoothed = smoothing_response(self.timing.smoothing_share, self.z)
        loop = gains.velocity * (1.0 + summed) * (gains.position * self.position + self.velocity)
        return np.asarray(smoothed * loop)

    def margins(self, gains: CascadeGains) -> StabilityMargins:
        """Margins; those of an unstable loop mean nothing, see `radius`."""
        return stability_margins(self.frequencies, self.response(gains))

    def radius(self, gains: CascadeGains) -> float:
        """Spectral radius of the closed loop per sample; unstable from 1 on."""
        return cascade_radius(gains, self.timing)


def cascade_loop(timing: LoopTiming) -> CascadeLoop:
    """The loop of an axis with this timing."""
    frequencies = frequencies_for(timing.period)
    z = np.exp(1j * frequencies * timing.period)
    response = sampled_plant(*DOUBLE_INTEGRATOR, timing).response(z)
    return CascadeLoop(timing, frequencies, z, response[:, 0, 0], response[:, 1, 0])


def cascade_radius(gains: CascadeGains, timing: LoopTiming) -> float:
    """Spectral radius of a closed loop per sample; unstable from 1 on."""
    plant = sampled_plant(*DOUBLE_INTEGRATOR, timing)
    states = plant.A.shape[0]
    error = -(gains.position * plant.C[0] + plant.C[1])  # desired minus measured speed
    growth = gains.integral * timing.period
    law = gains.velocity * (1.0 + growth) * error  # the integral includes the present error
    share = timing.smoothing_share
    command = np.array([*(share * law), share * gains.velocity, 1.0 - share])  # smoothed, from states, sum and itself
    F = np.zeros((states + 2, states + 2))
    F[:states, :states] = plant.A
    F[:states] += np.outer(plant.B[:, 0], command)
    F[states, :states], F[states, states] = growth * error, 1.0
    F[states + 1] = command
    return float(np.abs(np.linalg.eigvals(F)).max())
