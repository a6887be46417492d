"""Thruster monitor on the data of a navigation filter: measured and predicted mean acceleration of each interval.

The mean angular acceleration of an interval is the change of the turn rate between its ends. All means are taken over
the stamps of the inertial readings, whatever their latency.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from remora.equations.actuators.response import actuator_lag_time, actuator_target
from remora.equations.actuators.thrusters import lag_decay, lagged_output, rises
from remora.equations.algebra.kinematics import to_body
from remora.equations.navigation.process_models import calibrated
from remora.files.arrays import Array
from remora.messages.estimate import Estimate
from remora.messages.reading import Reading
from remora.navigation.faults.thrust_regression import MotionSample
from remora.navigation.faults.thruster_monitor import PERIOD, MonitorState, ThrusterMonitor
from remora.navigation.inertial.inertial_filter import InertialFilter
from remora.navigation.inertial.state_functions import matrix_of, vector_of
from remora.plant.pack import PackedVehicle

LARGEST_SPEED_ERROR = 0.05  # m/s, standard deviation: with a larger one drag is not known well enough
LONGEST_NS = 200_000_000  # between two inertial readings of an interval
_Q, _TWIST, _SPEED_ERROR, _OUTPUTS = slice(0, 4), slice(4, 10), slice(10, 11), slice(11, None)  # of a sample


class WatchSample(NamedTuple):
    """Estimate and outputs at a sample of navigation."""

    time_ns: int
    numbers: tuple[float, ...]  # attitude, twist, standard deviation of the velocity, outputs


class WatchState(NamedTuple):
    """State of the watch."""

    monitor: MonitorState
    outputs: tuple[float, ...]
    time_ns: int = -1
    samples: tuple[WatchSample, ...] = ()  # from the start of the present interval on
    readings: tuple[Reading, ...] = ()  # of the present interval, in body axes; the first is its start


@final
@dataclass(frozen=True)
class ThrusterWatch:
    """Names thrusters that lost thrust."""

    monitor: ThrusterMonitor
    filter: InertialFilter

    def initial(self, lost: Mapping[str, float] | None = None) -> WatchState:
        """All thrusters at rest, and intact but for known losses: shares of the thrust by name."""
        return WatchState(self.monitor.initial(lost), (0.0,) * self.monitor.plant.packed.actuators)

    def failed(self, state: WatchState) -> dict[str, float]:
        """Estimated share of the thrust that is lost, by name of the thruster."""
        left = state.monitor.effectiveness.tolist()
        return {name: 1.0 - share for name, share in zip(self.monitor.names, left, strict=True) if share < 1.0}

    def tested(self, state: WatchState) -> tuple[str, ...]:
        """The thruster to leave out for a test."""
        return () if state.monitor.tested < 0 else (self.monitor.names[state.monitor.tested],)

    def step(
        self, state: WatchState, estimate: Estimate, x: Array, inertial: list[Reading], commands: tuple[float, ...]
    ) -> WatchState:
        """The state after a sample of navigation; x is the state of the filter, commands were held since the last.

        New inertial readings are specific forces and turn rates in body axes, m/s2 and rad/s, in order.
        """
        outputs = state.outputs
        if state.time_ns >= 0 and commands:
            elapsed = 1e-9 * (estimate.time_ns - state.time_ns)
            outputs = speeds_after(self.monitor.plant.packed, outputs, commands, elapsed)
        # Also where the motion is not known: shafts follow their commands all the same.
        state = state._replace(outputs=outputs, time_ns=estimate.time_ns)
        speed_error = max(estimate.sigma_v_B)
        if not estimate.is_complete or speed_error > LARGEST_SPEED_ERROR:
            return state._replace(samples=(), readings=())
        now = WatchSample(estimate.time_ns, (*estimate.q_NB, *estimate.twist, speed_error, *outputs))
        readings = _without_gaps((*state.readings, *inertial))
        state = state._replace(samples=(*state.samples, now), readings=readings)
        # A margin, as rounded stamps may be a little short of the period.
        if not readings or 1e-9 * (readings[-1].stamp_ns - readings[0].stamp_ns) < PERIOD - 1e-6:
            return state
        # Estimates must cover the interval from its start: interpolation would repeat the first one before it.
        known = state.samples[0].time_ns <= readings[0].stamp_ns
        after = self._compared(state, x) if known else state.monitor
        return state._replace(
            monitor=after, samples=_since(state.samples, readings[-1].stamp_ns), readings=readings[-1:]
        )

    def _compared(self, state: WatchState, x: Array) -> MonitorState:
        """The monitor after the interval that is complete."""
        suite, readings = self.filter.suite, state.readings
        stamps, values = np.array([r.stamp_ns for r in readings]), np.array([r.values for r in readings])
        times = np.array([sample.time_ns for sample in state.samples])
        numbers = np.array([sample.numbers for sample in state.samples])
        parts = (_Q, _TWIST, _SPEED_ERROR, _OUTPUTS)
        q, twist, speed_error, outputs = (_means(stamps, times, numbers[:, part]) for part in parts)
        attitude = tuple((q / np.linalg.norm(q)).tolist())
        elapsed = 1e-9 * float(stamps[-1] - stamps[0])
        layout = suite.layout
        bias, coupling = vector_of(layout, "accelerometer_bias")(x), matrix_of(layout, "accelerometer_coupling")(x)
        force = calibrated(tuple(_mean(stamps, values[:, :3])), bias, coupling)
        # A constant bias of the gyros drops out of the difference.
        turning = (values[-1, 3:] - values[0, 3:]) / elapsed
        v, w, r = twist[:3], twist[3:], np.array(suite.inputs.p_BI)
        weight = to_body(attitude, (0.0, 0.0, suite.gravity))
        # From the unit at r to B, and to the rate of the components of velocity in body axes, as the plant has it.
        moving = np.add(force, weight) - np.cross(turning, r) - np.cross(w, v + np.cross(w, r))
        acceleration = (*moving.tolist(), *turning.tolist())
        sample = MotionSample(
            attitude, tuple(twist.tolist()), tuple(outputs.tolist()), acceleration, *speed_error.tolist()
        )
        return self.monitor.step(state.monitor, sample)


def _without_gaps(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """The readings after the last long gap between two of them."""
    first = 0
    for i in range(1, len(readings)):
        if readings[i].stamp_ns - readings[i - 1].stamp_ns > LONGEST_NS:
            first = i
    return readings[first:]


def _since(samples: tuple[WatchSample, ...], time_ns: int) -> tuple[WatchSample, ...]:
    """The samples from the last one before a time on."""
    first = max((i for i, sample in enumerate(samples) if sample.time_ns <= time_ns), default=0)
    return samples[first:]


def _mean(stamps: Array, rows: Array) -> Array:
    """Mean over time by the trapezoidal rule."""
    return np.asarray(np.trapezoid(rows, stamps, axis=0) / (stamps[-1] - stamps[0]), dtype=float)


def _means(stamps: Array, times: Array, rows: Array) -> Array:
    """Mean of rows at other times over the interval of the stamps."""
    return _mean(stamps, np.column_stack([np.interp(stamps, times, row) for row in rows.T]))


def speeds_after(
    packed: PackedVehicle, speeds: Sequence[float], commands: Sequence[float], elapsed: float
) -> tuple[float, ...]:
    """Shaft speeds after a time in s with held commands, rad/s, for vehicles without speed feedback.

    They follow from the command map and the lag of the nominal thrusters.
    """
    found = []
    for i, (speed, command) in enumerate(zip(speeds, commands, strict=True)):
        target = actuator_target(packed.row, packed.layout, i, command)
        time_constant = actuator_lag_time(packed.row, packed.layout, i, rises(speed, target))
        found.append(float(lagged_output(speed, target, lag_decay(elapsed, time_constant))))
    return tuple(found)
