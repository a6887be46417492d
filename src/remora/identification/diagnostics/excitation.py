"""Excitation of a record: amplitudes, condition numbers and order of persistent excitation."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.parameter_names import canonical
from remora.identification.problems import RecordError
from remora.identification.regression.prefilter import filtered
from remora.identification.regression.rows import regression_rows
from remora.identification.regression.solvers import triangle, unit_weights
from remora.identification.result import Ambiguity
from remora.identification.sampling.resampling import uniform_interval
from remora.identification.uncertainty.identifiability import condition_number, hidden_directions
from remora.vehicles.parameters import VehicleParameters

# Share of the power of the strongest frequency from which on a frequency counts as excited.
_EXCITED = 0.01


class Amplitude(NamedTuple):
    """Amplitude of a speed."""

    rms: float  # m/s or rad/s
    largest: float
    reversals: int  # number of zero crossings


class ExcitationReport(NamedTuple):
    """Excitation of a record."""

    amplitudes: Mapping[str, Amplitude]
    condition_number: float  # of all columns, scaled to unit length
    condition_numbers: Mapping[str, float]  # per degree of freedom
    order: Mapping[str, int]  # of persistent excitation per input: the number of identifiable parameters
    weakest: float  # excitation of the quietest part relative to an even distribution
    hidden: tuple[Ambiguity, ...]

    @property
    def sentences(self) -> list[str]:
        """The report as sentences."""
        moved = [
            f"{axis}: rms {a.rms:.3g}, largest {a.largest:.3g}, {a.reversals} reversals"
            for axis, a in self.amplitudes.items()
        ]
        numbers = [f"{axis}: condition number {number:.3g}" for axis, number in self.condition_numbers.items()]
        orders = [f"{name}: persistently exciting of order {order}" for name, order in self.order.items()]
        together = f"all together: condition number {self.condition_number:.3g}"
        quiet = f"the quietest part excites {100.0 * self.weakest:.2g} % of what an even share would be"
        return [*moved, *numbers, f"{together}; {quiet}", *orders, *(ambiguity.sentence for ambiguity in self.hidden)]


def excitation(
    record: Record,
    vehicle: VehicleParameters,
    names: Sequence[str],
    axes: Sequence[str] | None = None,
    windows: int = 8,
) -> ExcitationReport:
    """Excitation of a record for some parameters.

    Parameters
    ----------
    record, vehicle, names
        Record with uniform segments, base vehicle, which gives the thrust, and parameters to be fitted.
    axes, windows
        Degrees of freedom, all measured ones unless given, and number of parts compared for the weakest one.
    """
    used = tuple(record.measured if axes is None else axes)
    interval = uniform_interval(record)
    spelled = [canonical(name) for name in names]
    rows = regression_rows(record, vehicle, spelled, used, filtered(interval), interval)
    factor = triangle(rows, unit_weights(rows))
    inputs = {} if record.inputs is None else dict(zip(record.inputs.names, record.inputs.values.T, strict=True))
    return ExcitationReport(
        amplitudes={axis: _amplitude(record.speed(axis)) for axis in used},
        condition_number=condition_number(factor[:, :-1]),
        condition_numbers={block.axis: condition_number(block.triangle[:, :-1]) for block in rows.blocks},
        order={name: persistency(values[np.isfinite(values)]) for name, values in inputs.items()},
        weakest=min(_weakest(block.matrix, windows) for block in rows.blocks),
        hidden=hidden_directions(factor, spelled),
    )


def _amplitude(speeds: Array) -> Amplitude:
    known = speeds[np.isfinite(speeds)]
    # Hysteresis: small motions about zero are noise.
    band = 0.1 * float(np.sqrt(np.mean(known**2)))
    signs = np.sign(known[np.abs(known) > band])
    return Amplitude(
        float(np.sqrt(np.mean(known**2))), float(np.abs(known).max()), int(np.sum(signs[1:] != signs[:-1]))
    )


def _weakest(matrix: Array, windows: int) -> float:
    """Smallest singular value of any part relative to that of the whole, with equal column scaling."""
    lengths = np.linalg.norm(matrix, axis=0)
    if matrix.shape[1] == 0 or np.any(lengths == 0.0) or len(matrix) < windows * matrix.shape[1]:
        return 0.0
    scaled = matrix / lengths
    whole = np.linalg.svd(scaled, compute_uv=False)[-1]
    parts = [np.linalg.svd(part, compute_uv=False)[-1] for part in np.array_split(scaled, windows)]
    return float(min(parts) * np.sqrt(windows) / whole) if whole > 0.0 else 0.0


def persistency(signal: Array) -> int:
    """Order of persistent excitation: two for each frequency that the signal holds, one for a constant part.

    A single sinusoid identifies two parameters.
    """
    if len(signal) < 4:
        raise RecordError(f"{len(signal)} samples are too few to see frequencies in them.")
    mean = float(signal.mean())
    window = np.hanning(len(signal))
    power = np.abs(np.fft.rfft((signal - mean) * window)) ** 2
    if power.max() <= 1e-24 * max(mean**2, 1e-300) * len(signal):
        return 1 if mean != 0.0 else 0
    strong = power > _EXCITED * power.max()
    inner = power[1:-1]
    peaks = strong[1:-1] & (inner >= power[:-2]) & (inner > power[2:])
    level = 1 if mean**2 > _EXCITED * float(np.var(signal)) else 0
    return 2 * max(int(np.sum(peaks)), 1) + level
