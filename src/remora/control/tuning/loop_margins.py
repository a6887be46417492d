"""Margins of a whole control loop: linearised plant with thruster lag, latency and hold, and linearised software.

The loop is cut at the wrench. The open loop of an axis is that with all others closed. Where guidance is sampled more
slowly than the controllers, the poles are those of the periodic loop, over one period of the guidance.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple, final

import numpy as np

from remora.control.tuning.chain_linearisation import ERRORS
from remora.control.tuning.sampled_plant import (
    LinearSystem,
    LoopTiming,
    frequencies_for,
    sampled_plant,
    smoothing_response,
)
from remora.control.tuning.stability_margins import StabilityMargins, stability_margins
from remora.files.arrays import Array
from remora.plant.dual.linearisation import PlantJacobian
from remora.plant.pack import PackedVehicle, resting_outputs
from remora.vehicles.names import DEGREES_OF_FREEDOM

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
