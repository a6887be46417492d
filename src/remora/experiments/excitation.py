"""One axis by itself: a motion of two lines, as large as room, speed and thrust allow, and what it would show."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import optimize

from remora.equations.estimation.single_axis import axis_damping, equivalent_damping
from remora.experiments.requirements import Wish, equation_of, moved_axis
from remora.files.arrays import Array
from remora.guidance.excitation import AXES
from remora.guidance.signals import low_crest_phases
from remora.identification.data.record import inputs_of, record_from_arrays
from remora.identification.parameters import values_of
from remora.identification.uncertainty.predicted_accuracy import predicted_covariance
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import total_inertia

INTERVAL = 0.1  # s between samples
TRIED = 60.0  # s of motion on which a swing is judged; deviations go with one over the root of the time
FASTEST, SLOWEST = 1.0, 2.0 * math.pi / 30.0  # rad/s: what the position controller follows, and two swings in TRIED
APART = (1.4, 4.0)  # the second line is so many times faster: nearer lines would beat for longer than they swing
LINES = 2  # linear and quadratic damping need two speeds
_LIMITS = ("room", "speed", "thrust")
# Damping below this share of the whole damping of its axis is judged against the whole.
SMALL_SHARE = 0.1


class Swing(NamedTuple):
    """The motion of one axis, and what sets its size."""

    axis: str
    amplitudes: tuple[float, ...]  # m or rad
    frequencies: tuple[float, ...]  # rad/s
    phases: tuple[float, ...]  # rad
    limit: str  # room, speed, thrust or tilt
    worst: float  # deviation over the wanted one, of the worst parameter, after TRIED seconds

    def scaled(self, share: float) -> "Swing":
        """A smaller or larger one."""
        return self._replace(amplitudes=tuple(share * a for a in self.amplitudes))

    @property
    def peaks(self) -> tuple[float, float]:
        """Largest excursion and speed within the time on which it is judged."""
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


def best_swing(wish: Wish, axis: str) -> Swing:
    """The swing of an axis that shows its worst parameter best."""
    bounds = [(math.log(SLOWEST), math.log(FASTEST / APART[0])), APART, (0.05, 0.95)]

    def cost(x: Array) -> float:
        return math.log(_swing(wish, axis, x).worst)

    found = optimize.differential_evolution(
        cost, bounds, maxiter=6, popsize=6, rng=np.random.default_rng(0), polish=False, init="sobol"
    )
    rough = _swing(wish, axis, found.x)
    phases = low_crest_phases(rough.amplitudes, rough.frequencies, TRIED)
    better = _swing(wish, axis, found.x, phases)
    return better if better.worst < rough.worst else rough


def _swing(wish: Wish, axis: str, x: Array, phases: Sequence[float] | None = None) -> Swing:
    """From the slow frequency (its logarithm), how much faster the other is, and its share of the speed."""
    slow = math.exp(x[0])
    frequencies = np.array([slow, min(float(x[1]) * slow, FASTEST)])
    shape = np.array([1.0 - x[2], x[2]]) / frequencies
    used = (0.0,) * LINES if phases is None else tuple(phases)
    time = np.arange(0.0, TRIED + 0.5 * INTERVAL, INTERVAL)
    sizes = _largest(wish, axis, motion(shape.tolist(), frequencies.tolist(), used, time))
    amplitudes = tuple((min(sizes) * shape).tolist())
    made = Swing(axis, amplitudes, tuple(frequencies.tolist()), used, _LIMITS[int(np.argmin(sizes))], math.inf)
    wanted = wanted_deviations(wish, names_of(wish, axis))
    return made._replace(worst=float(np.max(deviations(wish, made) / wanted)))


def _largest(wish: Wish, axis: str, shape: tuple[Array, Array, Array]) -> tuple[float, float, float]:
    """How many times a motion fits into room, speed and thrust."""
    limits, p = wish.limits[axis], wish.vehicle.parameters
    i = DEGREES_OF_FREEDOM.index(axis)
    mass, linear, quadratic = total_inertia(p)[i][i], p.linear_damping[i][i], p.quadratic_damping[i][i]
    position, speed, acceleration = shape

    def pushed(size: float) -> float:
        moving: Array = size * speed
        needed = mass * size * acceleration + axis_damping(linear, quadratic, moving)  # type: ignore[arg-type]
        return float(np.abs(needed).max()) - limits.thrust

    room, fast = limits.room / np.abs(position).max(), limits.speed / np.abs(speed).max()
    most = min(room, fast)
    thrust = most if pushed(most) <= 0.0 else optimize.brentq(pushed, 0.0, most, xtol=1e-6)
    return float(room), float(fast), float(thrust) if thrust < most else math.inf


def names_of(wish: Wish, axis: str) -> tuple[str, ...]:
    """The parameters that an axis shows when it moves."""
    return tuple(name for name in wish.parameters if moved_axis(name, wish.vehicle.parameters) == axis)


def deviations(wish: Wish, swing: Swing) -> Array:
    """Predicted standard deviation of each parameter of an axis after TRIED seconds, as if followed exactly."""
    time = np.arange(0.0, TRIED + 0.5 * INTERVAL, INTERVAL)
    twist = np.zeros((len(time), 6))
    twist[:, DEGREES_OF_FREEDOM.index(swing.axis)] = motion(swing.amplitudes, swing.frequencies, swing.phases, time)[1]
    record = record_from_arrays(time, twist, inputs_of("wrench", np.zeros((len(time), 6))), source="plan")
    names = names_of(wish, swing.axis)
    equations = tuple(dict.fromkeys(equation_of(name) for name in names))
    noise = {axis: wish.noise[axis] for axis in dict.fromkeys((*equations, swing.axis))}
    covariance = predicted_covariance(record, wish.vehicle.parameters, names, noise, equations)
    return np.sqrt(np.diag(covariance))


def wanted_deviations(wish: Wish, names: Sequence[str]) -> Array:
    """A share of each number; damping that is small against the whole damping of its axis is judged against the whole.

    A hundredth of the drag cannot be known to 5 % of itself, and need not be. The whole is one linear damping that
    takes out as much at the speed that the thrust of the plan reaches.
    """
    sizes = np.abs(values_of(wish.vehicle.parameters, names))
    for k, name in enumerate(names):
        whole = whole_damping(wish, name)
        if whole is not None and sizes[k] < SMALL_SHARE * whole:
            sizes[k] = whole
    return np.asarray(wish.accuracy * np.maximum(sizes, 1e-12))


def whole_damping(wish: Wish, name: str) -> float | None:
    """Linear and quadratic damping of an axis together, in the unit of the parameter; None for other parameters."""
    head, _, axis = name.rpartition(".")
    if head not in ("damping.linear", "damping.quadratic") or axis not in AXES:
        return None
    p, i, limits = wish.vehicle.parameters, DEGREES_OF_FREEDOM.index(axis), wish.limits[axis]
    linear, quadratic = p.linear_damping[i][i], p.quadratic_damping[i][i]
    speed = min(steady_speed(linear, quadratic, limits.thrust), limits.speed)
    whole = equivalent_damping(linear, quadratic, speed)
    return whole if head == "damping.linear" else whole / equivalent_damping(0.0, 1.0, speed)


def steady_speed(linear: float, quadratic: float, force: float) -> float:
    """Speed at which damping balances a force."""
    if quadratic <= 0.0:
        return force / max(linear, 1e-9)
    return (math.sqrt(linear**2 + 4.0 * quadratic * force) - linear) / (2.0 * quadratic)
