"""Thruster monitor on the data of a navigation filter: mean acceleration and actuator outputs between two residuals.

The angular acceleration is the difference of mean turn rates of two intervals; all else is averaged over both.
"""

from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from remora.equations.algebra.kinematics import to_body
from remora.files.arrays import Array
from remora.messages.estimate import Estimate
from remora.messages.reading import Values
from remora.navigation.faults.thrust_regression import SplitAcceleration, split_acceleration
from remora.navigation.faults.thruster_monitor import PERIOD, MonitorState, ThrusterMonitor
from remora.navigation.inertial.inertial_filter import InertialFilter
from remora.navigation.inertial.state_functions import vector_of
from remora.navigation.shaft_speeds import speeds_after


class WatchedInterval(NamedTuple):
    """Means over the time between two residuals."""

    forces: Array  # m/s2, acceleration of I in body axes without the turning of the body
    rates: Array  # rad/s
    split: SplitAcceleration


class WatchState(NamedTuple):
    """State of the watch; sums are those since the last residual."""

    monitor: MonitorState
    outputs: tuple[float, ...]
    output_sum: tuple[float, ...]
    samples: int = 0
    inertial_sum: tuple[float, ...] = (0.0,) * 6
    readings: int = 0
    time_ns: int = -1
    residual_ns: int = -1
    before: WatchedInterval | None = None


@final
@dataclass(frozen=True)
class ThrusterWatch:
    """Names thrusters that lost thrust."""

    monitor: ThrusterMonitor
    filter: InertialFilter

    def initial(self) -> WatchState:
        """All thrusters intact and at rest."""
        rest = (0.0,) * self.monitor.plant.packed.actuators
        return WatchState(self.monitor.initial(), rest, rest)

    def failed(self, state: WatchState) -> dict[str, float]:
        """Estimated share of the thrust that is lost, by name of the thruster."""
        left = state.monitor.effectiveness.tolist()
        return {name: 1.0 - share for name, share in zip(self.monitor.names, left, strict=True) if share < 1.0}

    def step(
        self, state: WatchState, estimate: Estimate, x: Array, inertial: list[Values], commands: tuple[float, ...]
    ) -> WatchState:
        """The state after a sample of navigation.

        Parameters
        ----------
        state
            Before.
        estimate
            Of the filter.
        x
            State of the filter.
        inertial
            New specific forces and turn rates in body axes, m/s2 and rad/s.
        commands
            That are held, in the units of the actuators.
        """
        packed, elapsed = self.monitor.plant.packed, 1e-9 * (estimate.time_ns - state.time_ns)
        outputs = state.outputs
        if state.time_ns >= 0 and commands:
            outputs = speeds_after(packed, outputs, commands, elapsed)
        state = state._replace(
            time_ns=estimate.time_ns,
            outputs=outputs,
            output_sum=tuple(np.add(state.output_sum, outputs).tolist()),
            samples=state.samples + 1,
            inertial_sum=tuple(np.sum([state.inertial_sum, *inertial], axis=0).tolist()),
            readings=state.readings + len(inertial),
        )
        if 1e-9 * (estimate.time_ns - state.residual_ns) < PERIOD - 1e-6:
            return state
        found = self._interval(state, estimate, x) if state.readings and estimate.is_complete else None
        after = self._compared(state, found, estimate) if found is not None else state.monitor
        rest = (0.0,) * len(outputs)
        return WatchState(after, outputs, rest, time_ns=state.time_ns, residual_ns=estimate.time_ns, before=found)

    def _interval(self, state: WatchState, estimate: Estimate, x: Array) -> WatchedInterval:
        """Means since the last residual."""
        suite, means = self.filter.suite, np.array(state.inertial_sum) / state.readings
        v, w, r = np.array(estimate.twist[:3]), np.array(estimate.twist[3:]), np.array(suite.inputs.p_BI)
        weight = np.array(to_body(estimate.q_NB, (0.0, 0.0, suite.gravity)))
        force = means[:3] - vector_of(suite.layout, "accelerometer_bias")(x) + weight
        outputs = tuple((np.array(state.output_sum) / state.samples).tolist())
        split = split_acceleration(self.monitor.plant, estimate.q_NB, estimate.twist, outputs, len(self.monitor.names))
        return WatchedInterval(force - np.cross(w, v + np.cross(w, r)), means[3:], split)

    def _compared(self, state: WatchState, found: WatchedInterval, estimate: Estimate) -> MonitorState:
        """The monitor after another residual; the first interval and one after a pause give none."""
        elapsed, before = 1e-9 * (estimate.time_ns - state.residual_ns), state.before
        if before is None or elapsed > 2.0 * PERIOD:
            return state.monitor
        turning = (found.rates - before.rates) / elapsed
        r = np.array(self.filter.suite.inputs.p_BI)
        moving = 0.5 * (before.forces + found.forces) - np.cross(turning, r)
        split = SplitAcceleration(*(0.5 * (a + b) for a, b in zip(before.split, found.split, strict=True)))
        return self.monitor.step(state.monitor, split, np.concatenate([moving, turning]))
