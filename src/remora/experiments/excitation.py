"""Optimal excitation of one axis: two sinusoids within workspace, speed and thrust limits, and its accuracy."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import optimize

from remora.equations.estimation.single_axis import axis_damping, equivalent_damping
from remora.experiments.requirements import Requirements, equation_of, moved_axis
from remora.files.arrays import Array
from remora.guidance.signals import low_crest_phases
from remora.identification.data.record import inputs_of, record_from_arrays
from remora.identification.parameter_names import damping_of
from remora.identification.parameters import values_of
from remora.identification.uncertainty.predicted_accuracy import predicted_covariance
from remora.vehicles.names import DEGREES_OF_FREEDOM, FOUR_AXES
from remora.vehicles.parameters import total_inertia

INTERVAL = 0.1  # s between samples
TRIED = 60.0  # s of motion on which an excitation is evaluated; standard deviations scale with 1 / sqrt(time)
FASTEST, SLOWEST = 1.0, 2.0 * math.pi / 30.0  # rad/s: bandwidth of the position controller, and two periods in TRIED
APART = (1.4, 4.0)  # ratio of the two frequencies: closer ones would beat for longer than the experiment lasts
LINES = 2  # sinusoids: linear and quadratic damping need two speeds
_LIMITS = ("workspace", "speed", "thrust")
# The accuracy of a damping term below this share of the damping of its axis refers to the whole damping.
SMALL_SHARE = 0.1


class AxisExcitation(NamedTuple):
    """Sum of sinusoids along one axis, and the limit that sets its amplitude."""

    axis: str
    amplitudes: tuple[float, ...]  # m or rad
    frequencies: tuple[float, ...]  # rad/s
    phases: tuple[float, ...]  # rad
    limit: str  # workspace, speed, thrust or tilt
    worst: float  # largest ratio of predicted to required standard deviation after TRIED seconds

    def scaled(self, share: float) -> "AxisExcitation":
        """The same excitation with scaled amplitudes."""
        return self._replace(amplitudes=tuple(share * a for a in self.amplitudes))

    @property
    def peaks(self) -> tuple[float, float]:
        """Largest excursion and speed within TRIED seconds."""
        t = np.arange(0.0, TRIED, INTERVAL)
        position, speed, _ = motion(self.amplitudes, self.frequencies, self.phases, t)
        return float(np.abs(position).max()), float(np.abs(speed).max())


def motion(
    amplitudes: Sequence[float], frequencies: Sequence[float], phases: Sequence[float], time: Array
) -> tuple[Array, Array, Array]:
    """Position, speed and acceleration of a sum of sinusoids."""
    a, w, phase = (np.array(x)[:, None] for x in (amplitudes, frequencies, phases))
    angle = w * time + phase
    return (a * np.sin(angle)).sum(0), (a * w * np.cos(angle)).sum(0), (-a * w**2 * np.sin(angle)).sum(0)


def best_excitation(requirements: Requirements, axis: str) -> AxisExcitation:
    """Excitation of an axis with the smallest standard deviation of its worst parameter (differential evolution)."""
    bounds = [(math.log(SLOWEST), math.log(FASTEST / APART[0])), APART, (0.05, 0.95)]

    def cost(x: Array) -> float:
        return math.log(_excitation(requirements, axis, x).worst)

    found = optimize.differential_evolution(
        cost, bounds, maxiter=6, popsize=6, rng=np.random.default_rng(0), polish=False, init="sobol"
    )
    rough = _excitation(requirements, axis, found.x)
    phases = low_crest_phases(rough.amplitudes, rough.frequencies, TRIED)
    better = _excitation(requirements, axis, found.x, phases)
    return better if better.worst < rough.worst else rough


def _excitation(
    requirements: Requirements, axis: str, x: Array, phases: Sequence[float] | None = None
) -> AxisExcitation:
    """Excitation from x: logarithm of the slow frequency, frequency ratio, share of the fast sinusoid in the speed."""
    slow = math.exp(x[0])
    frequencies = np.array([slow, min(float(x[1]) * slow, FASTEST)])
    shape = np.array([1.0 - x[2], x[2]]) / frequencies
    used = (0.0,) * LINES if phases is None else tuple(phases)
    time = np.arange(0.0, TRIED + 0.5 * INTERVAL, INTERVAL)
    sizes = _largest(requirements, axis, motion(shape.tolist(), frequencies.tolist(), used, time))
    amplitudes = tuple((min(sizes) * shape).tolist())
    made = AxisExcitation(axis, amplitudes, tuple(frequencies.tolist()), used, _LIMITS[int(np.argmin(sizes))], math.inf)
    required = required_deviations(requirements, names_of(requirements, axis))
    return made._replace(worst=float(np.max(deviations(requirements, made) / required)))


def _largest(requirements: Requirements, axis: str, shape: tuple[Array, Array, Array]) -> tuple[float, float, float]:
    """Factors by which a motion may grow within the limits of workspace, speed and thrust."""
    limits, p = requirements.limits[axis], requirements.vehicle.parameters
    i = DEGREES_OF_FREEDOM.index(axis)
    mass, linear, quadratic = total_inertia(p)[i][i], p.linear_damping[i][i], p.quadratic_damping[i][i]
    position, speed, acceleration = shape

    def excess_thrust(size: float) -> float:
        moving: Array = size * speed
        needed = mass * size * acceleration + axis_damping(linear, quadratic, moving)  # type: ignore[arg-type]
        return float(np.abs(needed).max()) - limits.thrust

    travel, fast = limits.travel / np.abs(position).max(), limits.speed / np.abs(speed).max()
    most = min(travel, fast)
    thrust = most if excess_thrust(most) <= 0.0 else optimize.brentq(excess_thrust, 0.0, most, xtol=1e-6)
    return float(travel), float(fast), float(thrust) if thrust < most else math.inf


def names_of(requirements: Requirements, axis: str) -> tuple[str, ...]:
    """Parameters identified by the motion of an axis."""
    return tuple(name for name in requirements.parameters if moved_axis(name, requirements.vehicle.parameters) == axis)


def deviations(requirements: Requirements, excitation: AxisExcitation) -> Array:
    """Predicted standard deviation of each parameter of an axis after TRIED seconds of perfect tracking."""
    time = np.arange(0.0, TRIED + 0.5 * INTERVAL, INTERVAL)
    twist = np.zeros((len(time), 6))
    twist[:, DEGREES_OF_FREEDOM.index(excitation.axis)] = motion(
        excitation.amplitudes, excitation.frequencies, excitation.phases, time
    )[1]
    record = record_from_arrays(time, twist, inputs_of("wrench", np.zeros((len(time), 6))), source="plan")
    names = names_of(requirements, excitation.axis)
    equations = tuple(dict.fromkeys(equation_of(name, requirements.vehicle.parameters) for name in names))
    noise = {axis: requirements.noise[axis] for axis in dict.fromkeys((*equations, excitation.axis))}
    covariance = predicted_covariance(record, requirements.vehicle.parameters, names, noise, equations)
    return np.sqrt(np.diag(covariance))


def required_deviations(requirements: Requirements, names: Sequence[str]) -> Array:
    """Required standard deviations: a share of each value, or of the whole damping of the axis for small terms.

    A term that is 1 % of the drag cannot be known to 5 % of itself, and need not be. The whole damping is the
    equivalent linear damping at the speed that the planned thrust reaches.
    """
    sizes = np.abs(values_of(requirements.vehicle.parameters, names))
    for k, name in enumerate(names):
        whole = whole_damping(requirements, name)
        if whole is not None and sizes[k] < SMALL_SHARE * whole:
            sizes[k] = whole
    return np.asarray(requirements.accuracy * np.maximum(sizes, 1e-12))


def whole_damping(requirements: Requirements, name: str) -> float | None:
    """Equivalent damping of an axis in the unit of the parameter; None for other parameters."""
    axis = next((axis for axis in FOUR_AXES if name in damping_of(axis)), None)
    if axis is None:
        return None
    p, i, limits = requirements.vehicle.parameters, DEGREES_OF_FREEDOM.index(axis), requirements.limits[axis]
    linear, quadratic = p.linear_damping[i][i], p.quadratic_damping[i][i]
    speed = min(steady_speed(linear, quadratic, limits.thrust), limits.speed)
    whole = equivalent_damping(linear, quadratic, speed)
    return whole if name == damping_of(axis)[0] else whole / equivalent_damping(0.0, 1.0, speed)


def steady_speed(linear: float, quadratic: float, force: float) -> float:
    """Speed at which damping balances a force, m/s or rad/s."""
    if quadratic <= 0.0:
        return force / max(linear, 1e-9)
    return (math.sqrt(linear**2 + 4.0 * quadratic * force) - linear) / (2.0 * quadratic)
