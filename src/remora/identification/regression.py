"""Least squares on the equation of motion: per degree of freedom or all six together.

Every variant starts from a vehicle, changes the named numbers, keeps all others, and returns a `Fit`.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from remora.equations.thrusters import OUTPUT_IS_FORCE
from remora.identification import checks, identifiability
from remora.identification.constraints import constrained_least_squares
from remora.identification.covariance import whiteness
from remora.identification.open_loop import replay
from remora.identification.parameters import canonical, thruster_choice, units_of, values_of, with_values
from remora.identification.problems import RecordError
from remora.identification.record import Array, Record
from remora.identification.result import Ambiguity, Fit
from remora.identification.rows import Rows, actuator_outputs, block, regression_rows
from remora.identification.solving import (
    Weights,
    instrumental_variables,
    least_squares,
    noise_weights,
    residual,
    total_least_squares,
    triangle,
    uncertainty,
    unit_weights,
)
from remora.identification.timing import uniform_interval
from remora.identification.treatment import Kind, Treatment, differentiated, filtered
from remora.kernels.failures import RunError
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.vehicle import Vehicle

Errors: TypeAlias = Literal["none", "instruments", "total"]
_REWEIGHTINGS = 2
_REFINEMENTS = 3
# Rows that a fit needs for each parameter, so that there is something left over to judge it by.
_ROWS_PER_PARAMETER = 5
# Instruments are simulated in stretches of this many seconds: long enough to forget the noise of their start.
_INSTRUMENT_STRETCH = 20.0
_DRAWS = 8


class Setup(NamedTuple):
    """What a fit works on."""

    records: tuple[Record, ...]
    vehicle: VehicleParameters
    names: tuple[str, ...]
    axes: tuple[str, ...]
    treatments: tuple[Treatment, ...]
    intervals: tuple[float, ...]


def fit_least_squares(
    records: Record | Sequence[Record],
    vehicle: Vehicle,
    parameters: Sequence[str] | None = None,
    *,
    axes: Sequence[str] | None = None,
    treatment: Kind = "filtered",
    half_width: float | None = None,
    window: int = 33,
    order: int = 3,
    errors: Errors = "none",
    weighted: bool = True,
    constrained: bool = True,
    noise: Mapping[str, float] | None = None,
    generator: np.random.Generator | None = None,
) -> Fit:
    """Fit parameters in which the equation of motion is linear.

    Parameters
    ----------
    records
        One record or several, each with uniform segments.
    vehicle
        Where to start from; numbers that are not fitted are kept.
    parameters
        Names as in `remora.identification.parameters`; added mass, linear and quadratic damping of each used degree of
        freedom unless given.
    axes
        Degrees of freedom whose equations are used; all that were measured unless given.
    treatment
        "filtered": both sides through one low-pass window, no differentiation. "differentiated": Savitzky-Golay
        acceleration and raw regressors. "smoothed": the same with smoothed regressors.
    half_width
        Half width of the low-pass window in seconds, for "filtered".
    window, order
        Samples and order of the polynomials, for the other two.
    errors
        What is done about noise in the regressors. "none": nothing. "instruments": instrumental variables from a
        simulation with the first fit, which removes the bias. "total": total least squares with the noise given.
    weighted
        Whether degrees of freedom count by how well they fit; else a newton counts as much as a newton metre.
    constrained
        Whether only vehicles that can exist are allowed: positive inertia, dissipative damping.
    noise
        Degree of freedom -> standard deviation of its measured speed; needed for "total".
    generator
        Random numbers for "total"; a fixed seed unless given.

    Raises
    ------
    RecordError
        When a record is too short, too quiet, has holes or wrong units.
    ParameterNameError
        When a parameter is not known.
    """
    given = (records,) if isinstance(records, Record) else tuple(records)
    setup = _setup(given, vehicle.parameters, parameters, axes, treatment, half_width, window, order)
    rows = joined_rows([_rows_of(setup, k) for k in range(len(given))])
    for k in range(len(given)):
        _check_thrust(setup, k)
    setup, rows, scale = _with_scale_held(setup, rows)
    _check_counts(rows, given[0].source)
    change, weights = _weighted_solution(rows, weighted)
    warnings: list[str] = list(_assumptions(setup))
    instruments = rows
    if errors == "instruments":
        change, instruments, notes = _instrumental(setup, rows, weights, change)
        warnings += notes
    elif errors == "total":
        change = _total(setup, rows, weights, noise, generator)
    spread = uncertainty(rows, instruments, weights, change)
    free = change
    if constrained:
        change, notes = _constrained(setup, rows, weights, change, spread.covariance)
        warnings += notes
    values = values_of(setup.vehicle, setup.names) + change
    factor = triangle(rows, weights)
    hidden = list(identifiability.hidden_directions(factor, setup.names))
    covariance = _unknown_where_hidden(spread.covariance, setup.names, hidden)
    amplitudes = [identifiability.amplitudes_of(record) for record in given]
    largest = {axis: max(one[axis] for one in amplitudes) for axis in DEGREES_OF_FREEDOM}
    pairs = identifiability.together(setup.names, values_of(setup.vehicle, setup.names) + free, covariance, largest)
    residuals = {part.axis: residual(part, change) for part in rows.blocks}
    warnings += [*(a.words for a in (*scale, *hidden, *pairs)), *_colour(residuals, rows), *_signs(setup.names, values)]
    described = identifiability.report(rows, factor, [*scale, *hidden])
    return Fit(
        method=_method(treatment, errors, weighted, constrained),
        names=setup.names,
        units=units_of(setup.vehicle, setup.names),
        values=values,
        covariance=covariance,
        degrees_of_freedom=spread.degrees_of_freedom,
        residuals=residuals,
        noise={axis: float(np.std(values)) for axis, values in residuals.items()},
        identifiability=described._replace(ambiguities=(*scale, *hidden, *pairs)),
        warnings=tuple(dict.fromkeys(warnings)),
        base=vehicle,
        data=", ".join(dict.fromkeys(record.source for record in given)),
        speeds=tuple(max(_largest(record, i) for record in given) for i in range(6)),
    )


def default_parameters(axes: Sequence[str]) -> tuple[str, ...]:
    """Added mass, linear and quadratic damping of each degree of freedom."""
    return tuple(f"{head}.{axis}" for axis in axes for head in ("added_mass", "damping.linear", "damping.quadratic"))


def _setup(
    records: tuple[Record, ...],
    vehicle: VehicleParameters,
    parameters: Sequence[str] | None,
    axes: Sequence[str] | None,
    treatment: Kind,
    half_width: float | None,
    window: int,
    order: int,
) -> Setup:
    if not records:
        raise RecordError("no record is given.")
    shared = [axis for axis in DEGREES_OF_FREEDOM if all(axis in record.measured for record in records)]
    used = tuple(shared if axes is None else axes)
    if not used:
        raise RecordError("no degree of freedom was measured.", records[0].source)
    names = tuple(canonical(name) for name in (default_parameters(used) if parameters is None else parameters))
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise RecordError(f"{twice} is asked for twice.", records[0].source)
    values_of(vehicle, names)
    intervals, treatments = [], []
    for record in records:
        interval = uniform_interval(record)
        made = filtered(interval, half_width) if treatment == "filtered" else differentiated(
            interval, window, order, treatment == "smoothed")  # fmt: skip
        checks.check_record(record, used, made.window)
        checks.check_shaft_speeds(record, _speed_limits(vehicle))
        intervals.append(interval)
        treatments.append(made)
    return Setup(records, vehicle, names, used, tuple(treatments), tuple(intervals))


def _speed_limits(vehicle: VehicleParameters) -> dict[str, float]:
    """Largest shaft speeds, where commands are shaft speeds themselves."""
    if vehicle.thrust_law == OUTPUT_IS_FORCE or vehicle.mapped_commands:
        return {}
    sizes = [max(abs(t.command_minimum), abs(t.command_maximum)) for t in vehicle.thrusters]
    return dict(zip(vehicle.thruster_names, sizes, strict=True))


def _rows_of(setup: Setup, k: int, simulated: Array | None = None, record: Record | None = None) -> Rows:
    return regression_rows(
        record or setup.records[k], setup.vehicle, setup.names, setup.axes, setup.treatments[k], setup.intervals[k],
        simulated,
    )  # fmt: skip


def _check_thrust(setup: Setup, k: int) -> None:
    """Refuse shaft speeds whose thrust does not go with the motion at all."""
    vehicle = setup.vehicle
    if vehicle.thrust_law == OUTPUT_IS_FORCE or not vehicle.thrusters:
        return
    whole = ["thrusters.effectiveness"]
    rows = regression_rows(
        setup.records[k], vehicle, whole, setup.axes, setup.treatments[k], setup.intervals[k]
    )  # fmt: skip
    share = values_of(vehicle, whole)[0]
    for part in rows.blocks:
        if part.matrix.shape[1] == 0:
            continue
        applied = -share * part.matrix[:, 0]
        checks.check_scale_of_thrust(applied - part.target, applied, setup.records[k].source)


def joined_rows(several: Sequence[Rows]) -> Rows:
    """The rows of several records as one regression."""
    if len(several) == 1:
        return several[0]
    first = several[0]
    blocks = []
    for a, own in enumerate(first.blocks):
        active = np.unique(np.concatenate([rows.blocks[a].active for rows in several]))
        matrices = []
        for rows in several:
            part = rows.blocks[a]
            matrix = np.zeros((rows.number, len(active)))
            matrix[:, np.searchsorted(active, part.active)] = part.matrix
            matrices.append(matrix)
        target = np.concatenate([rows.blocks[a].target for rows in several])
        blocks.append(block(own.axis, active, np.concatenate(matrices), target))
    runs = tuple(run for rows in several for run in rows.runs)
    spacing, window = min(r.spacing for r in several), max(r.window for r in several)
    return Rows(first.names, tuple(blocks), runs, spacing, window)


def _with_scale_held(setup: Setup, rows: Rows) -> tuple[Setup, Rows, list[Ambiguity]]:
    """Hold the share of thrust where nothing in the data fixes its scale."""
    thrusts = [k for k, name in enumerate(setup.names) if thruster_choice(name, setup.vehicle)]
    if not thrusts or len(thrusts) == len(setup.names):
        return setup, rows, []
    shares = values_of(setup.vehicle, [setup.names[k] for k in thrusts])
    ambiguity = identifiability.thrust_scale(rows, unit_weights(rows), thrusts, shares)
    if ambiguity is None:
        return setup, rows, []
    kept = [k for k in range(len(setup.names)) if k not in thrusts]
    names = tuple(setup.names[k] for k in kept)
    blocks = []
    for part in rows.blocks:
        stay = np.isin(part.active, kept)
        active = np.searchsorted(kept, part.active[stay])
        blocks.append(block(part.axis, active, part.matrix[:, stay], part.target))
    return setup._replace(names=names), rows._replace(names=names, blocks=tuple(blocks)), [ambiguity]


def _check_counts(rows: Rows, source: str) -> None:
    for part in rows.blocks:
        if rows.number < _ROWS_PER_PARAMETER * len(part.active):
            words = f"gives {rows.number} rows for {len(part.active)} parameters in {part.axis}"
            raise RecordError(f"{words}: it is too short. Record longer or fit fewer.", source)
        if len(part.active) == 0:
            raise RecordError(f"no parameter acts in {part.axis}. Leave it out of the axes.", source)


def _weighted_solution(rows: Rows, weighted: bool) -> tuple[Array, Weights]:
    weights = unit_weights(rows)
    change = least_squares(triangle(rows, weights))
    for _ in range(_REWEIGHTINGS if weighted and len(rows.blocks) > 1 else 0):
        weights = noise_weights(rows, change)
        change = least_squares(triangle(rows, weights))
    return change, weights


def _instrumental(setup: Setup, rows: Rows, weights: Weights, change: Array) -> tuple[Array, Rows, list[str]]:
    """Instruments from a simulation with the fit so far; each round has better ones."""
    instruments = rows
    for _ in range(_REFINEMENTS):
        try:
            instruments = joined_rows(
                [_simulated_rows(setup, k, rows, weights, change) for k in range(len(setup.records))]
            )
        except RunError as error:
            sentence = f"The instruments could not be simulated ({error}); noise in the regressors may bias the fit."
            return change, instruments, [sentence]
        change = instrumental_variables(rows, instruments, weights)
    return change, instruments, []


def _simulated_rows(setup: Setup, k: int, rows: Rows, weights: Weights, change: Array) -> Rows:
    possible = constrained_least_squares(_around(rows, weights, change), setup.vehicle, setup.names).change
    base = values_of(setup.vehicle, setup.names)
    model = with_values(setup.vehicle, setup.names, base + possible)
    found = replay(setup.records[k], model, restart=_INSTRUMENT_STRETCH)
    simulated = np.column_stack([found.twist, found.quaternion])
    lost = np.asarray(np.isnan(simulated).any(axis=1))  # single samples left over at the end of a segment
    measured = np.column_stack([np.nan_to_num(setup.records[k].twist), _attitude(setup.records[k])])
    return _rows_of(setup, k, np.where(lost[:, None], measured, simulated))


def _around(rows: Rows, weights: Weights, change: Array) -> Array:
    """The triangle of the data, with its minimum moved to a solution: distances as the data see them."""
    factor = triangle(rows, weights)
    factor[:, -1] = factor[:, :-1] @ change
    return factor


def _attitude(record: Record) -> Array:
    level = np.tile((1.0, 0.0, 0.0, 0.0), (len(record), 1))
    return level if record.quaternion is None else record.quaternion


def _total(
    setup: Setup, rows: Rows, weights: Weights, noise: Mapping[str, float] | None, generator: np.random.Generator | None
) -> Array:
    """Total least squares; the errors of the columns come from records with noise added once more."""
    missing = [axis for axis in setup.axes if axis not in (noise or {})]
    if missing or noise is None:
        raise RecordError(f"total least squares needs the noise of {', '.join(missing)}.", setup.records[0].source)
    draw = np.random.default_rng(0) if generator is None else generator
    errors = np.zeros((len(setup.names) + 1,) * 2)
    sigma = np.array([noise.get(axis, 0.0) for axis in DEGREES_OF_FREEDOM])
    for _ in range(_DRAWS):
        noisy = [
            _rows_of(
                setup,
                k,
                record=r.with_note("Noise added.", twist=r.twist + sigma * draw.standard_normal(r.twist.shape)),
            )
            for k, r in enumerate(setup.records)
        ]
        errors += _difference(joined_rows(noisy), rows, weights) / _DRAWS
    return total_least_squares(triangle(rows, weights), errors)


def _difference(noisy: Rows, rows: Rows, weights: Weights) -> Array:
    k = len(rows.names)
    total = np.zeros((k + 1, k + 1))
    for one, other, weight in zip(noisy.blocks, rows.blocks, weights.per_block, strict=True):
        places = np.append(one.active, k)
        error = np.column_stack([one.matrix - other.matrix, one.target - other.target]) * weight
        total[np.ix_(places, places)] += error.T @ error
    return total


def _constrained(
    setup: Setup, rows: Rows, weights: Weights, change: Array, covariance: Array
) -> tuple[Array, list[str]]:
    """The nearest vehicle that can exist, as the data see distance, and what had to give way for it."""
    found = constrained_least_squares(_around(rows, weights, change), setup.vehicle, setup.names)
    wanted = values_of(setup.vehicle, setup.names) + change
    sigma = np.sqrt(np.diag(covariance))
    notes = []
    for k, name in enumerate(setup.names):
        if name in found.held:
            notes.append(f"{name} rests on its bound; without bounds it would be {wanted[k]:.4g} +- {sigma[k]:.2g}.")
    if found.cuts:
        notes.append("Couplings were reduced until inertia is positive and damping takes energy out at every motion.")
    return found.change, notes


def _unknown_where_hidden(covariance: Array, names: Sequence[str], hidden: Sequence[Ambiguity]) -> Array:
    """Infinite variance for parameters in a direction that the data do not show."""
    unknown = {name for ambiguity in hidden for name in ambiguity.names}
    result = covariance.copy()
    for k, name in enumerate(names):
        if name in unknown:
            result[k, :], result[:, k] = 0.0, 0.0
            result[k, k] = np.inf
    return result


def _assumptions(setup: Setup) -> list[str]:
    record = setup.records[0]
    sentences = list(actuator_outputs(record, setup.vehicle)[2])
    resting = [axis for axis in DEGREES_OF_FREEDOM if axis not in record.measured]
    if resting:
        sentences.append(f"{', '.join(resting)} were not measured and are taken as zero.")
    if record.quaternion is None:
        sentences.append("No attitude was recorded; the vehicle is taken as level.")
    return sentences


def _colour(residuals: Mapping[str, Array], rows: Rows) -> list[str]:
    sentences = []
    for axis, values in residuals.items():
        apart = max(1, round(rows.window / rows.spacing))
        test = whiteness(values[::apart])
        if test.probability < 0.01 and len(test.autocorrelation) and test.autocorrelation[0] > 0.2:
            sentences.append(
                f"{axis}: what is left over is not white beyond the window (correlation "
                f"{test.autocorrelation[0]:.2f} from one to the next): something that lasts longer than "
                f"{rows.window:.2g} s is not in the model."
            )
    return sentences


def _signs(names: Sequence[str], values: Array) -> list[str]:
    return [
        f"{name} is negative ({value:.4g}), which no damping can be; it will not be written to a file without a reason."
        for name, value in zip(names, values, strict=True)
        if name.startswith(("damping.linear.", "damping.quadratic.")) and "_" not in name and value < 0.0
    ]


def _method(treatment: Kind, errors: Errors, weighted: bool, constrained: bool) -> str:
    kind = {"none": "least squares", "instruments": "instrumental variables", "total": "total least squares"}[errors]
    words = [treatment, *(["weighted"] if weighted else []), *(["constrained"] if constrained else []), kind]
    return " ".join(words)


def _largest(record: Record, i: int) -> float:
    speeds = record.twist[np.isfinite(record.twist[:, i]), i]
    return float(np.abs(speeds).max()) if len(speeds) else 0.0
