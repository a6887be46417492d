"""Lumped-parameter fit of one degree of freedom (Britto Neto 2018), and conversion to inertia and damping."""

from typing import Any, NamedTuple

import numpy as np

from remora.equations.estimation.adaptive import lumped_regressor
from remora.equations.estimation.single_axis import Lumped, SingleAxis, from_lumped
from remora.files.arrays import Array
from remora.identification.data import checks
from remora.identification.data.record import Record
from remora.identification.parameter_names import BUOYANCY, damping_of
from remora.identification.parameters import units_of
from remora.identification.problems import RecordError
from remora.identification.regression.prefilter import differentiated
from remora.identification.regression.regressor import MotionSamples, as_column, base_wrenches
from remora.identification.regression.rows import sampled
from remora.identification.result import Fit, Identifiability
from remora.identification.sampling.resampling import uniform_interval
from remora.identification.uncertainty import identifiability
from remora.identification.uncertainty.correlated_residuals import long_run_covariance
from remora.identification.uncertainty.identifiability import condition_number
from remora.plant.pack import PackedVehicle, pack
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.vehicle import Vehicle


class LumpedFit(NamedTuple):
    """Lumped parameters and covariance, and the physical parameters in `fit`."""

    lumped: Lumped
    covariance: Array  # of alpha, beta, mu, nu; zero for nu where it is not fitted
    fit: Fit


class LumpedEstimate(NamedTuple):
    """Lumped parameters of one axis as an estimator found them."""

    lumped: Lumped
    covariance: Array  # of alpha, beta, mu, nu
    residual: Array  # of the acceleration, m/s2 or rad/s2
    condition: float  # of the regressor
    degrees_of_freedom: float
    constant: bool  # whether a constant force was fitted
    method: str


def fit_lumped(
    record: Record,
    vehicle: Vehicle,
    axis: str,
    *,
    window: int = 33,
    order: int = 3,
    smooth: bool = False,
    constant: bool | None = None,
) -> LumpedFit:
    """Least squares of v' = alpha u + beta v |v| + mu v + nu, and its back-conversion.

    Parameters
    ----------
    record, vehicle, axis
        Motion in one degree of freedom with its inputs; source of the thrusters and base of the fitted vehicle; the
        degree of freedom.
    window, order
        Samples and order of the Savitzky-Golay polynomials.
    smooth
        Whether velocity and effort in the regressor are smoothed as well, which reduces the bias from noise.
    constant
        Whether a constant force is fitted; by default only in heave, where it is the net weight.
    """
    interval = uniform_interval(record)
    checks.check_record(record, [axis], window * interval)
    with_constant = axis == "heave" if constant is None else constant
    matrix, rate = lumped_rows(record, vehicle, axis, interval, window, order, smooth)
    kept = matrix if with_constant else matrix[:, :3]
    solution: Array = np.linalg.lstsq(kept, rate, rcond=None)[0].astype(float)
    residual = rate - kept @ solution
    method = f"lumped least squares of {axis}{', smoothed regressors' if smooth else ''}"
    return lumped_fit(record, vehicle, axis, solution, kept, residual, float(window), method)


def lumped_fit(
    record: Record,
    vehicle: Vehicle,
    axis: str,
    solution: Array,
    matrix: Array,
    residual: Array,
    overlap: float,
    method: str,
) -> LumpedFit:
    """Fit of three or four lumped parameters with covariance; rows closer than the overlap are correlated."""
    if condition_number(matrix) > identifiability.LARGEST_CONDITION:
        raise RecordError(f"cannot tell effort and damping of {axis} apart. Excite it more.", record.source)
    inverse = np.linalg.inv(matrix.T @ matrix)
    spread = long_run_covariance(matrix * residual[:, None], overlap)
    covariance = np.zeros((4, 4))
    size = matrix.shape[1]
    covariance[:size, :size] = inverse @ spread.covariance @ inverse
    lumped = Lumped(*np.append(solution, [0.0] * (4 - size)).tolist())
    if lumped.alpha <= 0.0:
        raise RecordError(
            f"{axis} speeds up against its effort (alpha {lumped.alpha:.3g}). Check signs.", record.source
        )
    estimate = LumpedEstimate(
        lumped, covariance, residual, condition_number(matrix), spread.degrees_of_freedom, size == 4, method
    )
    return LumpedFit(lumped, covariance, physical_fit(record, vehicle, axis, estimate))


def applied_effort(packed: PackedVehicle, motion: MotionSamples, axis: str) -> Array:
    """Force or torque of the inputs in one degree of freedom, one number per sample."""
    i = DEGREES_OF_FREEDOM.index(axis)
    return -as_column(base_wrenches(packed, motion).effort[i], len(motion.twist[i]))


def regressor_table(efforts: Any, speeds: Any) -> Array:
    """Regressors of alpha, beta, mu and nu, one row per sample."""
    return np.column_stack(np.broadcast_arrays(*lumped_regressor(efforts, speeds)))


def lumped_rows(
    record: Record, vehicle: Vehicle, axis: str, interval: float, window: int, order: int, smooth: bool
) -> tuple[Array, Array]:
    """Columns effort, v |v|, v, 1 and the acceleration of one degree of freedom."""
    prefilter = differentiated(interval, window, order, smooth)
    packed, i = pack(vehicle.parameters), DEGREES_OF_FREEDOM.index(axis)
    table_of = sampled(record, vehicle.parameters, prefilter)
    parts = []
    for s in record.segments:
        if s.stop - s.start < prefilter.shortest:
            continue
        motion = table_of.motion(s)
        effort = prefilter.effort(applied_effort(packed, motion, axis))
        speed = prefilter.term(motion.twist[i])
        rate = prefilter.rate(table_of.measured[s.start : s.stop, i])
        parts.append(np.column_stack([regressor_table(effort, speed), rate]))
    table = np.concatenate(parts)
    return table[:, :4], table[:, 4]


def physical_fit(record: Record, vehicle: Vehicle, axis: str, estimate: LumpedEstimate) -> Fit:
    """Inertia, damping and constant force with their covariance, propagated by the Jacobian of the conversion.

    A constant is kept only in heave, where it is the net weight.
    """
    single = from_lumped(estimate.lumped)
    slope = _conversion_slope(estimate.lumped)
    names = [f"total_inertia.{axis}", *damping_of(axis)]
    values = [single.inertia, single.linear_damping, single.quadratic_damping]
    turn = np.eye(4)[:3]
    warnings = []
    if estimate.constant and axis == "heave":
        # Down is positive: a constant force in heave is weight less buoyancy.
        names.append(BUOYANCY)
        values.append(-single.constant)
        turn = np.diag([1.0, 1.0, 1.0, -1.0])
    elif estimate.constant:
        warnings.append(f"A constant force of {single.constant:.4g} in {axis} was fitted and is kept nowhere.")
    physical = turn @ slope @ estimate.covariance @ slope.T @ turn.T
    amplitude = identifiability.amplitudes_of(record)
    pairs = identifiability.inseparable_damping(names, np.array(values), physical, amplitude)
    warnings += [ambiguity.sentence for ambiguity in pairs]
    warnings += [f"{name} is negative ({value:.4g}), which no damping can be." for name, value in
                 zip(names[1:3], values[1:3], strict=True) if value < 0.0]  # fmt: skip
    speeds = np.nanmax(np.abs(np.nan_to_num(record.twist)), axis=0)
    return Fit(
        method=estimate.method,
        names=tuple(names),
        units=units_of(vehicle.parameters, names),
        values=np.array(values),
        covariance=physical,
        degrees_of_freedom=estimate.degrees_of_freedom,
        residuals={axis: estimate.residual * single.inertia},
        noise={axis: float(np.std(estimate.residual) * single.inertia)},
        identifiability=Identifiability(
            estimate.condition, {axis: estimate.condition}, tuple(pairs), (True,) * len(names)
        ),
        warnings=tuple(warnings),
        base=vehicle,
        data=record.source,
        speeds=tuple(speeds.tolist()),
    )


def _conversion_slope(lumped: Lumped) -> Array:
    """Jacobian of inertia, linear and quadratic damping and constant force with respect to alpha, beta, mu, nu."""
    exact = np.array(_ordered(from_lumped(lumped)))
    steps = 1e-6 * np.maximum(np.abs(np.array(lumped)), 1e-12)
    columns = []
    for k, step in enumerate(steps):
        moved = np.array(lumped)
        moved[k] += step
        columns.append((np.array(_ordered(from_lumped(Lumped(*moved.tolist())))) - exact) / step)
    return np.column_stack(columns)


def _ordered(single: SingleAxis) -> tuple[float, float, float, float]:
    return single.inertia, single.linear_damping, single.quadratic_damping, single.constant


def joined_axes(fits: list[Fit]) -> Fit:
    """Independent fits of single degrees of freedom or of bench tests as one fit of the vehicle."""
    first = fits[0]
    names = tuple(name for fit in fits for name in fit.names)
    sizes = np.cumsum([0, *(len(fit.names) for fit in fits)])
    covariance = np.zeros((len(names), len(names)))
    for fit, a, b in zip(fits, sizes[:-1], sizes[1:], strict=True):
        covariance[a:b, a:b] = fit.covariance
    described = [fit.identifiability for fit in fits]
    moved = [fit.speeds for fit in fits if fit.speeds]
    return Fit(
        method=", ".join(dict.fromkeys(fit.method.partition(" of ")[0] for fit in fits)),
        names=names,
        units=tuple(unit for fit in fits for unit in fit.units),
        values=np.concatenate([fit.values for fit in fits]),
        covariance=covariance,
        degrees_of_freedom=float(min(np.min(fit.degrees_of_freedom) for fit in fits)),
        residuals={axis: values for fit in fits for axis, values in fit.residuals.items()},
        noise={axis: sigma for fit in fits for axis, sigma in fit.noise.items()},
        identifiability=Identifiability(
            max(one.condition_number for one in described),
            {axis: number for one in described for axis, number in one.condition_numbers.items()},
            tuple(ambiguity for one in described for ambiguity in one.ambiguities),
            tuple(flag for one in described for flag in one.identified),
        ),
        warnings=tuple(sentence for fit in fits for sentence in fit.warnings),
        base=first.base,
        data=", ".join(dict.fromkeys(fit.data for fit in fits)),
        speeds=tuple(np.max(moved, axis=0).tolist()) if moved else (),
    )
