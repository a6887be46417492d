"""Result of a trajectory fit: values, covariance with correlated residuals, identifiability and warnings."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from remora.files.arrays import Array
from remora.files.problems import Advice, Fix
from remora.identification.data.record import Record
from remora.identification.parameters import units_of
from remora.identification.result import Ambiguity, Fit, Identifiability
from remora.identification.trajectory.dead_band_search import DeadBandWidth
from remora.identification.trajectory.gauss_newton import Constraints, Iterate, Minimum, root_of, sums_of_products
from remora.identification.trajectory.shooting_intervals import TrajectoryData, kind_of
from remora.identification.uncertainty import identifiability
from remora.identification.uncertainty.correlated_residuals import (
    independent_rows,
    influence_of,
    jackknife_covariance,
    pieces_of,
    whiteness,
)
from remora.identification.uncertainty.priors import prior_rows
from remora.identification.warnings import all_assumptions, largest_speeds, negative_damping, sources
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.vehicle import Vehicle

# Explained share of the variance of a speed below which a fit is not trusted.
_NO_NEGATIVE_DELAY = Fix(
    "A delay is never negative: if the clock of the inputs is late, as where the default method reports that inputs "
    "act earlier than the model says, give {inputs_late}.",
    {"inputs_late": "S"},
)
_WELL_EXPLAINED = 0.7
# Residuals of less than this, in SI, are rounding.
_ROUNDING = 1e-12


def described(
    records: Sequence[Record],
    vehicle: Vehicle,
    data: TrajectoryData,
    constraints: Constraints,
    found: Minimum,
    scale: Sequence[Ambiguity],
    method: str,
) -> Fit:
    """Fit with covariance, identifiability and warnings."""
    names, iterate = constraints.names, found.iterate
    factor = np.vstack([found.jacobian.factor, prior_rows(constraints.prior, names, iterate.values)])
    hidden = identifiability.hidden_directions(factor, names)
    own = _own_jacobian(found)
    covariance, freedom = _uncertainty(data, constraints, found, own)
    covariance = identifiability.unknown_where_hidden(covariance, names, hidden)
    amplitudes = identifiability.largest_amplitudes(records)
    pairs = identifiability.inseparable_damping(names, iterate.values, covariance, amplitudes)
    residuals = _residuals(data, iterate)
    unseen = {name for ambiguity in hidden for name in ambiguity.names}
    ambiguities = (*scale, *hidden, *pairs)
    doubts = [*_not_converged(found), *_poorly_explained(data, residuals)]
    warnings = [
        *all_assumptions(records, vehicle.parameters),
        *doubts,
        *_bound_warnings(constraints, found, np.sqrt(np.diag(covariance))),
        *(ambiguity.sentence for ambiguity in ambiguities),
        *_colour(residuals),
        *negative_damping(names, iterate.values),
    ]
    return Fit(
        method=f"{'constrained ' if constraints.constrained else ''}{method}",
        names=names,
        units=units_of(constraints.vehicle, names),
        values=iterate.values,
        covariance=covariance,
        degrees_of_freedom=freedom,
        residuals=residuals,
        noise=dict(zip(data.channels, found.noise.tolist(), strict=True)),
        identifiability=Identifiability(
            identifiability.condition_number(found.jacobian.factor[:, :-1]),
            _condition_numbers(data, own),
            ambiguities,
            tuple(name not in unseen for name in names),
        ),
        warnings=tuple(dict.fromkeys(warnings)),
        base=vehicle,
        data=sources(records),
        speeds=largest_speeds(records),
        doubts=tuple(doubts),
    )


def with_widths(fit: Fit, widths: Mapping[str, DeadBandWidth], names: Sequence[str]) -> Fit:
    """Fit with the searched dead bands, in the order of the requested parameters."""
    if not widths or fit.base is None:
        return fit
    size, more = len(fit.names), list(widths)
    # The uncertainty of the width adds to that of the other parameters.
    jacobian = np.column_stack([width.jacobian for width in widths.values()])
    spread = np.diag([width.sigma**2 for width in widths.values()])
    of_width = jacobian @ spread
    covariance = np.block([[fit.covariance + of_width @ jacobian.T, of_width], [of_width.T, spread]])
    every = (*fit.names, *more)
    order = [every.index(name) for name in names if name in every]
    freedom = np.broadcast_to(fit.degrees_of_freedom, size)
    shown = (*fit.identifiability.identified, *[True] * len(more))
    return replace(
        fit,
        names=tuple(every[k] for k in order),
        units=units_of(fit.base.parameters, [every[k] for k in order]),
        values=np.concatenate([fit.values, [w.value for w in widths.values()]])[order],
        covariance=covariance[np.ix_(order, order)],
        degrees_of_freedom=np.concatenate([freedom, np.full(len(more), np.inf)])[order],
        identifiability=fit.identifiability._replace(identified=tuple(shown[k] for k in order)),
    )


def _own_jacobian(found: Minimum) -> list[Array]:
    """Jacobian of the parameters [parameter, interval, row], projected orthogonally to the initial states."""
    jacobian = found.jacobian
    return [
        matrix - np.einsum("sqp,qsr->psr", answer[..., :-1], starts)
        for starts, matrix, answer in zip(jacobian.starts, jacobian.matrix, jacobian.solved, strict=True)
    ]


def _uncertainty(
    data: TrajectoryData, constraints: Constraints, found: Minimum, own: list[Array]
) -> tuple[Array, Array]:
    """Covariance of the values with residuals correlated in time, and degrees of freedom of each variance."""
    jacobian, left = _in_time_order(data, found, own)
    known = prior_rows(constraints.prior, constraints.names, found.iterate.values)[:, :-1]
    factor = np.vstack([found.jacobian.factor[:, :-1], known])
    scale = np.linalg.norm(factor, axis=0)
    scale[scale == 0.0] = 1.0
    inverse = np.linalg.pinv(factor / scale, rcond=1e-9)
    inverse, jacobian = inverse @ inverse.T, jacobian / scale
    starts = pieces_of(len(left))
    pieces = (jacobian[a:b].reshape(-1, len(scale)) for a, b in pairwise([*starts.tolist(), len(left)]))
    products = np.array([piece.T @ piece for piece in pieces])
    influence = influence_of(np.einsum("rcp,rc->rp", jacobian, left), products, inverse)
    covariance, freedom = jackknife_covariance(influence, 1.0)
    covariance = covariance / _share_left(data, independent_rows(influence.rows, 1.0))
    from_prior = inverse @ (known / scale).T @ (known / scale) @ inverse
    return (covariance + from_prior) / np.outer(scale, scale), freedom


def _in_time_order(data: TrajectoryData, found: Minimum, own: list[Array]) -> tuple[Array, Array]:
    """Jacobian [sample, channel, parameter] and residuals [sample, channel], both over noise.

    Samples without a compared channel are omitted.
    """
    order = _order(data)
    used = order[np.concatenate([group.counted.any(axis=2).ravel() for group in data.groups])[order]]
    shapes = [(group.rows.size, len(data.channels)) for group in data.groups]
    jacobian = [np.moveaxis(part.reshape(len(part), *shape), 0, 2) for part, shape in zip(own, shapes, strict=True)]
    left = [target.reshape(shape) for target, shape in zip(found.jacobian.target, shapes, strict=True)]
    return np.concatenate(jacobian)[used], np.concatenate(left)[used]


def _share_left(data: TrajectoryData, independent: float) -> float:
    """Share of the noise left by free initial states: each absorbs one independent sample of a channel."""
    starts = sum(len(group.rows) for group in data.groups) * len(data.start_columns)
    return max(1.0 - starts / (independent * len(data.channels)), 0.5)


def _condition_numbers(data: TrajectoryData, own: list[Array]) -> dict[str, float]:
    """Condition number of the parameters in each channel."""
    numbers = {}
    for c, channel in enumerate(data.channels):
        parts = [sums_of_products(jacobian[:, :, c :: len(data.channels)]).sum(axis=0) for jacobian in own]
        table = root_of(np.sum(parts, axis=0))
        numbers[channel] = identifiability.condition_number(table[:, np.linalg.norm(table, axis=0) > 0.0])
    return numbers


def _residuals(data: TrajectoryData, iterate: Iterate) -> dict[str, Array]:
    """Measurement less model of each channel, ordered by record and time, where compared."""
    order, found = _order(data), {}
    for c, channel in enumerate(data.channels):
        errors = np.concatenate([error[..., c].ravel() for error in iterate.errors])[order]
        counted = np.concatenate([group.counted[..., c].ravel() for group in data.groups])[order]
        found[channel] = -errors[counted]
    return found


def _order(data: TrajectoryData) -> Any:
    """Order of the samples of all groups by record and time."""
    places = {id(record): k for k, record in reversed(list(enumerate(group.record for group in data.groups)))}
    records = np.concatenate([np.full(group.rows.size, places[id(group.record)]) for group in data.groups])
    return np.lexsort((np.concatenate([group.rows.ravel() for group in data.groups]), records))


def _not_converged(found: Minimum) -> list[str]:
    return [] if found.converged else [f"The fit did not converge in {found.steps} steps."]


def _bound_warnings(constraints: Constraints, found: Minimum, sigma: Array) -> list[str]:
    """Warnings about parameters on a bound."""
    sentences: list[str] = []
    for k, (name, value) in enumerate(zip(constraints.names, found.iterate.values.tolist(), strict=True)):
        if any(np.isclose(value, limit[k], rtol=1e-9, atol=0.0) for limit in (constraints.low, constraints.high)):
            finding = f"{name} rests on its bound, {value:.4g} (+- {sigma[k]:.2g} without it)."
            late = name == "delay" and value == 0.0
            sentences.append(Advice(finding, _NO_NEGATIVE_DELAY) if late else finding)
    return sentences


def _poorly_explained(data: TrajectoryData, residuals: Mapping[str, Array]) -> list[str]:
    """Warnings about speeds that the model explains poorly: the fit may be at a wrong minimum."""
    sentences = []
    for c, channel in enumerate(data.channels):
        if kind_of(channel) != "twist":
            continue
        i = 7 + DEGREES_OF_FREEDOM.index(channel)
        seen = np.concatenate([group.measured[..., i][group.counted[..., c]] for group in data.groups])
        share = 1.0 - float(np.mean(residuals[channel] ** 2)) / max(float(np.var(seen)), 1e-300)
        if share < _WELL_EXPLAINED:
            sentences.append(
                f"{channel}: the model explains only {max(share, 0.0):.0%} of the variance; noise or missing forces "
                "are as large as the motion, and numbers that rest on it may be wrong by more than their intervals."
            )
    return sentences


def _colour(residuals: Mapping[str, Array]) -> list[str]:
    sentences = []
    for channel, values in residuals.items():
        if np.std(values) < _ROUNDING:  # an axis locked in model and data
            continue
        test = whiteness(values)
        if test.probability < 0.01 and len(test.autocorrelation) and test.autocorrelation[0] > 0.2:
            sentences.append(
                f"{channel}: what is left over is not white (correlation {test.autocorrelation[0]:.2f} from one sample "
                "to the next): noise that lasts, or something that is not in the model. The intervals allow for it."
            )
    return sentences
