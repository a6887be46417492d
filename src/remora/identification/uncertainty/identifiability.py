"""Identifiability: condition numbers, hidden directions and inseparable parameters of a fit."""

from collections.abc import Mapping, Sequence

import numpy as np

from remora.equations.estimation.single_axis import equivalent_damping
from remora.files.arrays import Array
from remora.files.problems import listed
from remora.identification.data.record import Record
from remora.identification.parameter_names import damping_of
from remora.identification.regression.rows import Rows
from remora.identification.regression.solvers import least_squares
from remora.identification.result import Ambiguity, Identifiability
from remora.vehicles.names import DEGREES_OF_FREEDOM

# Ratio of singular values, columns of unit length, below which a combination of parameters is not identifiable.
LARGEST_CONDITION = 1e4
# Above this correlation, two damping terms of one axis are reported together.
TOGETHER = 0.9
# A term with a relative standard deviation below this is identified separately.
_KNOWN = 0.25
# Components of a direction smaller than this are not named.
_WORTH_NAMING = 0.1
# Known forces fix the scale where they exceed the residual by this factor.
_ANCHOR = 1.0


def condition_number(matrix: Array) -> float:
    """Condition number with columns scaled to unit length; infinite where a column is zero."""
    lengths = np.linalg.norm(matrix, axis=0)
    if matrix.shape[1] == 0 or np.any(lengths == 0.0):
        return float("inf")
    values = np.linalg.svd(matrix / lengths, compute_uv=False)
    return float(values[0] / values[-1]) if values[-1] > 0.0 else float("inf")


def hidden_directions(factor: Array, names: Sequence[str]) -> tuple[Ambiguity, ...]:
    """Combinations of parameters to which the data are insensitive."""
    matrix = factor[:, :-1]
    lengths = np.linalg.norm(matrix, axis=0)
    silent = lengths == 0.0
    found = [
        Ambiguity((name,), np.ones(1), f"The data say nothing about {name}: they do not depend on it.")
        for name, zero in zip(names, silent, strict=True)
        if zero
    ]
    seen = [k for k in range(len(names)) if not silent[k]]
    if len(seen) < 2:
        return tuple(found)
    _, values, directions = np.linalg.svd(matrix[:, seen] / lengths[seen])
    for value, direction in zip(values, directions, strict=False):
        if value * LARGEST_CONDITION < values[0]:
            found.append(_named(direction / lengths[seen], direction, [names[k] for k in seen]))
    return tuple(found)


def _named(change: Array, direction: Array, names: Sequence[str]) -> Ambiguity:
    big = np.abs(direction) > _WORTH_NAMING * np.abs(direction).max()
    part = change[big] / np.abs(change[big]).max()
    chosen = tuple(name for name, kept in zip(names, big, strict=True) if kept)
    steps = listed(f"{name} by {step:+.3g}" for name, step in zip(chosen, part, strict=True))
    return Ambiguity(
        chosen, part, f"The data cannot tell these apart: changing {steps} together leaves them as they are."
    )


def thrust_scale(factor: Array, names: Sequence[str], thrusts: Sequence[int], shares: Array) -> Ambiguity | None:
    """Ambiguity of the thrust scale: inertia, damping and thrust may be multiplied by one factor (Proctor 2014).

    `factor` is the triangular factor of the regression or of the linearised trajectory fit, its columns the named
    parameters; `thrusts` are the indices of thrust effectiveness, `shares` its values in the base vehicle.
    """
    kept = [k for k in range(len(names)) if k not in thrusts]
    thrust = factor[:, list(thrusts)] @ shares
    noise = _left_over(factor[:, kept], factor[:, -1])
    known = _left_over(factor[:, kept], factor[:, -1] + thrust)  # unexplained without thrust
    if known > max(_ANCHOR * noise, 1e-6 * float(np.linalg.norm(thrust))):
        return None
    return _scale_ambiguity([names[k] for k in thrusts])


def _left_over(matrix: Array, target: Array) -> float:
    return float(np.linalg.norm(matrix @ least_squares(np.column_stack([matrix, target])) - target))


def _scale_ambiguity(names: Sequence[str]) -> Ambiguity:
    message = (
        f"Only ratios of inertia and damping to the thrust are visible: multiplying {listed(names)}, inertia and "
        "damping by one number leaves the motion as it is. The share of thrust is kept as it was; a bollard pull, a "
        "known added weight or a known inertia would fix the scale."
    )
    return Ambiguity(tuple(names), np.ones(len(names)), message)


def inseparable_damping(
    names: Sequence[str], values: Array, covariance: Array, amplitudes: Mapping[str, float]
) -> list[Ambiguity]:
    """Linear and quadratic damping of an axis that are inseparable at the recorded speeds, as one equivalent value."""
    found = []
    for axis in DEGREES_OF_FREEDOM:
        pair = damping_of(axis)
        if not all(name in names for name in pair):
            continue
        i, j = (list(names).index(name) for name in pair)
        sizes = np.sqrt(covariance[i, i] * covariance[j, j])
        if not np.isfinite(sizes) or sizes == 0.0 or abs(covariance[i, j]) < TOGETHER * sizes:
            continue
        if all(np.sqrt(covariance[k, k]) < _KNOWN * abs(values[k]) for k in (i, j)):
            continue  # correlated, but each identified well enough
        speed = amplitudes[axis]
        unit = equivalent_damping(0.0, 1.0, speed)
        value = equivalent_damping(values[i], values[j], speed)
        gradient = np.array([1.0, unit])
        part = covariance[np.ix_([i, j], [i, j])]
        sigma = float(np.sqrt(gradient @ part @ gradient))
        message = (
            f"{axis}: linear and quadratic damping are hardly separable at the recorded speeds; together they act "
            f"like a linear damping of {value:.4g} +- {sigma:.2g} (one sigma) at a speed amplitude of {speed:.3g}."
        )
        found.append(Ambiguity((pair[0], pair[1]), np.array([1.0, -1.0 / unit]), message))
    return found


def amplitudes_of(record: Record) -> dict[str, float]:
    """Amplitude of a sinusoid with the mean square of each speed; zero where nothing was measured."""
    found = {}
    for i, axis in enumerate(DEGREES_OF_FREEDOM):
        speeds = record.twist[np.isfinite(record.twist[:, i]), i]
        found[axis] = float(np.sqrt(2.0 * np.mean(speeds**2))) if len(speeds) else 0.0
    return found


def largest_amplitudes(records: Sequence[Record]) -> dict[str, float]:
    """The largest of these amplitudes in several records."""
    several = [amplitudes_of(record) for record in records]
    return {axis: max(one[axis] for one in several) for axis in DEGREES_OF_FREEDOM}


def unknown_where_hidden(covariance: Array, names: Sequence[str], hidden: Sequence[Ambiguity]) -> Array:
    """Covariance with infinite variance for parameters in a hidden direction."""
    unknown = {name for ambiguity in hidden for name in ambiguity.names}
    result = covariance.copy()
    for k, name in enumerate(names):
        if name in unknown:
            result[k, :], result[:, k] = 0.0, 0.0
            result[k, k] = np.inf
    return result


def report(rows: Rows, factor: Array, ambiguities: Sequence[Ambiguity]) -> Identifiability:
    """Condition numbers, ambiguities, and the parameters that are identified separately."""
    hidden = {name for ambiguity in ambiguities for name in ambiguity.names}
    numbers = {block.axis: condition_number(block.triangle[:, :-1]) for block in rows.blocks}
    identified = tuple(name not in hidden for name in rows.names)
    return Identifiability(condition_number(factor[:, :-1]), numbers, tuple(ambiguities), identified)
