"""Adaptive identification of one degree of freedom (Smallwood and Whitcomb 2003, as used by Britto Neto 2018).

A model of the axis runs in parallel to the record, and its lumped parameters are adapted by the error of its speed.
Nothing is differentiated and no matrix is inverted, but the result depends on gains: `normalised_gains` scales them to
the record.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from remora.equations.estimation.adaptive import AdaptiveGains, adaptive_energy
from remora.equations.estimation.single_axis import Lumped, SingleAxis, to_lumped
from remora.files.arrays import Array
from remora.identification.data import checks
from remora.identification.data.record import Record
from remora.identification.problems import RecordError
from remora.identification.regression.lumped import LumpedEstimate, applied_effort, physical_fit, regressor_table
from remora.identification.regression.prefilter import differentiated
from remora.identification.regression.rows import sampled
from remora.identification.result import Fit
from remora.identification.sampling.resampling import uniform_interval
from remora.identification.uncertainty.identifiability import condition_number
from remora.plant.pack import pack
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.vehicle import Vehicle

# Fewest whole periods of a record.
_FEWEST = 3
# Relative change of the mean per period above which it has not converged.
_MOVING = 0.02
# Zero-padding factor of the spectrum.
_FINER = 8


class Settled(NamedTuple):
    """An estimate over the last periods of a record."""

    mean: Array  # over the last period
    covariance: Array  # of such means, from those of the last half of the record
    periods: int  # number of periods behind the covariance
    moved: Array  # change of the mean from the period before

    def warnings(self, names: Sequence[str]) -> list[str]:
        """Warnings about the meaning of the intervals and about convergence; names are those of the columns."""
        sentences = [
            f"Intervals are the spread of the estimate over the last {self.periods} periods: they show noise and "
            "ripple, not the distance from convergence."
        ]
        shares = {
            name: abs(step / size)
            for name, step, size in zip(names, self.moved, self.mean, strict=True)
            if abs(step) > _MOVING * abs(size)
        }
        if shares:
            moved = ", ".join(f"{name} moved by {100.0 * share:.2g} %" for name, share in shares.items())
            sentences.append(f"Not converged: from one period to the next {moved}. Record longer.")
        return sentences


def excitation_period(signal: Array, interval: float) -> float:
    """Period of the dominant frequency of a uniformly sampled signal, s."""
    centred = (signal - signal.mean()) * np.hanning(len(signal))
    length = _FINER * len(signal)
    power = np.abs(np.fft.rfft(centred, length)) ** 2
    strongest = 1 + int(np.argmax(power[1:]))
    return length * interval / strongest


def settled_estimate(history: Array, interval: float, period: float, source: str) -> Settled:
    """Mean of an estimate over the last period, and its spread between periods.

    The history has one row per sample; sampling interval and period of the excitation are in s. Raises a RecordError
    when there are fewer than three periods.
    """
    samples = max(round(period / interval), 1)
    whole = len(history) // samples
    if whole < _FEWEST:
        message = f"has {whole} whole periods of {period:.3g} s; an estimate averaged over one needs {_FEWEST}"
        raise RecordError(f"{message}. Record longer, hold out less, or give the period of the excitation.", source)
    used = max(_FEWEST, whole // 2)
    tail = history[len(history) - used * samples :]
    means = tail.reshape(used, samples, -1).mean(axis=1)
    covariance = np.atleast_2d(np.cov(means, rowvar=False))
    return Settled(means[-1], covariance, used, means[-1] - means[-2])


Report: TypeAlias = Literal["averaged", "last"]
# Tables 7 and 11 of Britto Neto 2018, tuned by hand: basin -> degree of freedom -> gains.
PRINTED_GAINS = {
    "basin": {
        "surge": AdaptiveGains(1.0, 2e-4, 0.5, 0.5, 0.0),
        "sway": AdaptiveGains(1.0, 2e-4, 0.5, 0.5, 0.0),
        "heave": AdaptiveGains(1.0, 1.5e-4, 0.5, 0.5, 5e-2),
        "yaw": AdaptiveGains(1.0, 1e-2, 1e4, 5.0, 0.0),
    },
    "bay": {
        "surge": AdaptiveGains(1.0, 2e-4, 0.5, 0.5, 0.0),
        "sway": AdaptiveGains(1.0, 2e-4, 0.5, 0.5, 0.0),
        "heave": AdaptiveGains(1.0, 1.5e-4, 0.5, 0.5, 5e-2),
        "yaw": AdaptiveGains(1.0, 5e-4, 50.0, 0.5, 0.0),
    },
}
# Start of the source: inertia of 100, no damping.
PRINTED_START = SingleAxis(100.0, 0.0, 0.0, 0.0)
# Default rates of adaptation of alpha, beta, mu and nu times the error gain, 1/s2, and the error gain, 1/s. Inertia
# adapts first; linear and quadratic damping, inseparable at one amplitude, have different rates.
RATES = (0.5, 0.01, 0.05, 0.02)
PULL = 1.0
# Lower bound of alpha relative to its start.
_LEAST_ALPHA = 1e-3


SHARED_DAMPING = (
    "Where the speeds have one amplitude, gains and not data share damping out between its linear and quadratic "
    "part: compare equivalent damping."
)


class AxisSamples(NamedTuple):
    """Samples of one degree of freedom; the step of the first sample of a segment is negative."""

    interval: float
    steps: Array
    efforts: Array
    speeds: Array


class AdaptiveHistory(NamedTuple):
    """History of the identifier, one row per sample; parameters are those after the sample."""

    time: Array  # s
    speed: Array  # estimated
    lumped: Array  # n x 4: alpha, beta, mu, nu
    error: Array  # estimated less measured speed, before the sample
    held: int  # samples with alpha at its lower bound
    energy: Array | None  # the Lyapunov function, where a truth was given


class AdaptiveFit(NamedTuple):
    """Lumped parameters and covariance, physical parameters in `fit`, and the history."""

    lumped: Lumped
    covariance: Array  # of alpha, beta, mu, nu
    fit: Fit
    history: AdaptiveHistory


def fit_adaptive_lumped(
    record: Record,
    vehicle: Vehicle,
    axis: str,
    gains: AdaptiveGains | None = None,
    *,
    start: SingleAxis = PRINTED_START,
    report: Report = "averaged",
    period: float | None = None,
    truth: SingleAxis | None = None,
) -> AdaptiveFit:
    """Run the adaptive identifier of one degree of freedom over a record.

    Parameters
    ----------
    record, vehicle, axis
        Motion in one degree of freedom with its inputs, uniform segments without NaN; source of the thrusters and base
        of the fitted vehicle; the degree of freedom.
    gains
        `normalised_gains` of the record unless given; `PRINTED_GAINS` holds those of Britto Neto (2018).
    start, truth
        Initial parameters; true ones, for the history of the Lyapunov function.
    report
        "averaged" over the last period of the excitation, or the "last" sample, which may lie on a ripple.
    period
        Period of the excitation, s; that of the dominant frequency of the speed unless given.

    Raises
    ------
    RecordError
        When the record cannot be used, has fewer than three periods, or makes the identifier diverge.
    """
    samples = axis_samples(record, vehicle, axis)
    chosen = normalised_gains(record, vehicle, axis) if gains is None else gains
    history = adapted(record, samples, chosen, start, truth)
    length = excitation_period(samples.speeds, samples.interval) if period is None else period
    settled = settled_estimate(history.lumped, samples.interval, length, record.source)
    numbers = settled.mean if report == "averaged" else history.lumped[-1]
    lumped = Lumped(*numbers.tolist())
    warnings = [*settled.warnings(("alpha", "beta", "mu", "nu")), SHARED_DAMPING]
    if history.held:
        warnings.append(f"Inertia was kept from growing without bound at {history.held} samples.")
    regressor = regressor_table(samples.efforts, samples.speeds)[:, :3]
    estimate = LumpedEstimate(
        lumped, settled.covariance, -chosen.pull * history.error, condition_number(regressor), settled.periods - 1.0,
        chosen.constant != 0.0, f"adaptive identifier of {axis}, {report}",
    )  # fmt: skip
    fit = physical_fit(record, vehicle, axis, estimate)
    return AdaptiveFit(lumped, settled.covariance, fit.with_warning(*warnings), history)


def axis_samples(record: Record, vehicle: Vehicle, axis: str) -> AxisSamples:
    """Measured speeds and efforts of one degree of freedom."""
    interval = uniform_interval(record)
    checks.check_record(record, [axis], interval)
    packed, i = pack(vehicle.parameters), DEGREES_OF_FREEDOM.index(axis)
    table = sampled(record, vehicle.parameters, differentiated(interval))
    steps, efforts = np.full(len(record), interval), np.zeros(len(record))
    for s in record.segments:
        efforts[s.start : s.stop] = applied_effort(packed, table.motion(s), axis)
        steps[s.start] = -interval
    return AxisSamples(interval, steps, efforts, np.ascontiguousarray(table.measured[:, i]))


def normalised_gains(
    record: Record,
    vehicle: Vehicle,
    axis: str,
    rates: tuple[float, float, float, float] = RATES,
    pull: float = PULL,
    constant: bool | None = None,
) -> AdaptiveGains:
    """Gains for given rates of adaptation, independent of the signal amplitude: rate / mean(f_j^2).

    Parameters
    ----------
    record, vehicle, axis
        As for `fit_adaptive_lumped`.
    rates
        Rates of adaptation of alpha, beta, mu and nu times the error gain, 1/s2.
    pull
        Error gain a_m: convergence rate of the estimated speed, 1/s.
    constant
        Whether a constant force is adapted; by default only in heave.
    """
    samples = axis_samples(record, vehicle, axis)
    powers = np.mean(regressor_table(samples.efforts, samples.speeds) ** 2, axis=0)
    if powers[0] == 0.0:
        raise RecordError(f"has no effort in {axis}. An identifier needs motion that is driven.", record.source)
    with_constant = axis == "heave" if constant is None else constant
    gains = (np.array(rates) * [1.0, 1.0, 1.0, float(with_constant)] / powers).tolist()
    return AdaptiveGains(pull, *gains)


def adapted(
    record: Record, samples: AxisSamples, gains: AdaptiveGains, start: SingleAxis, truth: SingleAxis | None = None
) -> AdaptiveHistory:
    """Run the identifier by explicit Euler steps, as in the source."""
    from remora.plant.adaptive import PARTS, adaptive_kernels

    first = to_lumped(start)
    if not first.alpha > 0.0:
        raise ValueError(f"start: the inertia is {start.inertia}. Give a positive one.")
    state = np.array([samples.speeds[0], *first])
    table = np.empty((len(samples.steps), PARTS))
    held = adaptive_kernels().axis(
        state, np.array(gains, dtype=float), _LEAST_ALPHA * first.alpha, samples.steps, samples.efforts,
        samples.speeds, table,
    )  # fmt: skip
    if not np.all(np.isfinite(table)):
        when = record.time[int(np.flatnonzero(~np.isfinite(table).all(axis=1))[0])]
        raise RecordError(f"drives the identifier to infinity after {when:.3g} s. Take smaller gains.", record.source)
    before = np.append(samples.speeds[0], table[:-1, 0])
    error = np.where(samples.steps < 0.0, 0.0, before - samples.speeds)
    energy = None if truth is None else _energy(gains, truth, error, np.vstack([first, table[:-1, 1:]]))
    return AdaptiveHistory(record.time, table[:, 0], table[:, 1:], error, held, energy)


def _energy(gains: AdaptiveGains, truth: SingleAxis, error: Array, lumped: Array) -> Array:
    """Lyapunov function before each sample."""
    inverse = Lumped(*(1.0 / gain if gain else 0.0 for gain in gains[1:]))
    columns: Any = (error, Lumped(*(lumped - np.array(to_lumped(truth))).T))
    return np.asarray(adaptive_energy(inverse, *columns))
