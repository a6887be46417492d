"""Experiment planning: excitations and durations for the required accuracy, verified by simulation.

The record of a planned experiment is fitted axis by axis, from the time in which each is excited. The summary of a plan
names limiting factors, missed requirements and remedies.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from remora.experiments.excitation import TRIED, AxisExcitation, best_excitation, names_of, required_deviations
from remora.experiments.requirements import LARGEST_TURN, WORKSPACE_SHARE, DesignError, Requirements, equation_of
from remora.experiments.simulation import (
    PAUSE,
    SETTLE,
    SimulatedRun,
    duration_of,
    scenario_text,
    simulate_plan,
    starts_of,
)
from remora.files.arrays import Array
from remora.files.problems import listed
from remora.identification.data.record import Record
from remora.identification.parameter_names import damping_of
from remora.identification.parameters import units_of, values_of
from remora.identification.regression.least_squares import fit_least_squares
from remora.identification.regression.lumped import joined_axes
from remora.identification.result import Fit
from remora.identification.uncertainty.identifiability import TOGETHER
from remora.identification.uncertainty.predicted_accuracy import predicted_covariance


def axis_records(record: Record, times: Sequence[float]) -> list[Record]:
    """Part of the record for each axis in turn; the record starts with the experiment."""
    parts = []
    for start, time in zip(starts_of(times), times, strict=True):
        during = np.flatnonzero((record.time >= SETTLE + start) & (record.time <= SETTLE + start + time))
        parts.append(record.rows(int(during[0]), int(during[-1]) + 1))
    return parts


def equations_of(requirements: Requirements, axis: str) -> tuple[str, ...]:
    """Degrees of freedom whose equations contain the parameters of an axis."""
    return tuple(
        dict.fromkeys(equation_of(name, requirements.vehicle.parameters) for name in names_of(requirements, axis))
    )


def fit_excited_axes(
    record: Record, requirements: Requirements, times: Sequence[float], constrained: bool = True
) -> Fit:
    """Fit all required parameters to the record of an experiment, by least squares with instrumental variables.

    Axes are fitted separately: while one is excited, the others only hold their position.

    Parameters
    ----------
    record, requirements, times
        Record of the experiment, from its start; parameters and vehicle of the plan; duration of each excitation, s, as
        in the plan.
    constrained
        Whether only physically consistent vehicles are allowed: positive inertia, dissipative damping.
    """
    fits = [
        fit_least_squares(
            part, requirements.vehicle, names_of(requirements, axis), axes=equations_of(requirements, axis),
            errors="instruments", constrained=constrained,
        )
        for axis, part in zip(requirements.axes, axis_records(record, times), strict=True)
    ]  # fmt: skip
    return fits[0] if len(fits) == 1 else joined_axes(fits)


SHORTEST_EXCITATION, LONGEST_EXCITATION = 40.0, 600.0  # s, of one axis
MARGIN = 1.1  # factor on the predicted time
MOST_SATURATED = 0.02  # of the time
MOST_TILTED = 0.5  # rad
SMALLER, MOST_RUNS = 0.85, 8


class PredictedAccuracy(NamedTuple):
    """Predicted and required standard deviation of a parameter."""

    name: str
    unit: str
    value: float  # in the vehicle file
    sigma: float  # predicted
    required: float

    @property
    def met(self) -> bool:
        """Whether the requirement is met."""
        return self.sigma <= self.required


class ExperimentPlan(NamedTuple):
    """A planned experiment and its simulation."""

    requirements: Requirements
    excitations: tuple[AxisExcitation, ...]
    times: tuple[float, ...]  # s, of each excitation
    predicted: tuple[PredictedAccuracy, ...]
    covariance: Array
    run: SimulatedRun

    @property
    def duration(self) -> float:
        """Duration of the whole experiment, s."""
        return duration_of(self.times)

    @property
    def met(self) -> bool:
        """Whether every parameter meets its requirement."""
        return all(one.met for one in self.predicted)

    def text(self, file: str) -> str:
        """Scenario file; `file` is the path of the vehicle file in it."""
        return scenario_text(self.requirements, self.excitations, self.times, file)


def make_plan(requirements: Requirements) -> ExperimentPlan:
    """Plan an experiment: optimise excitations and times, simulate, and correct them until all limits hold.

    Raises
    ------
    DesignError
        When the duration is too short for the axes that have to be excited.
    """
    least = duration_of([SHORTEST_EXCITATION] * len(requirements.axes))
    if requirements.duration is not None and requirements.duration < least:
        raise DesignError(
            f"duration is {requirements.duration:g} s: {len(requirements.axes)} axes need at least {least:g} s"
        )
    excitations = tuple(best_excitation(requirements, axis) for axis in requirements.axes)
    times = _times(requirements, [excitation.worst for excitation in excitations])
    plan = simulated_plan(requirements, excitations, times)
    for _ in range(MOST_RUNS):
        smaller = tuple(_smaller(plan.run, excitation) for excitation in plan.excitations)
        longer = _longer(plan)
        if smaller == plan.excitations and longer == plan.times:
            break
        plan = simulated_plan(requirements, smaller, longer)
    return plan


def simulated_plan(
    requirements: Requirements, excitations: Sequence[AxisExcitation], times: Sequence[float]
) -> ExperimentPlan:
    """Plan with these excitations, its accuracy predicted from the simulated motion."""
    text = scenario_text(requirements, excitations, times, requirements.vehicle.file)
    run = simulate_plan(requirements, text, tuple(times), SETTLE)
    parameters = requirements.vehicle.parameters
    covariance = _covariance(requirements, run.truth, times)
    required = required_deviations(requirements, requirements.parameters)
    values, units = values_of(parameters, requirements.parameters), units_of(parameters, requirements.parameters)
    sigmas = np.sqrt(np.diag(covariance))
    rows = zip(requirements.parameters, units, values.tolist(), sigmas.tolist(), required.tolist(), strict=True)
    predicted = tuple(PredictedAccuracy(*row) for row in rows)
    return ExperimentPlan(requirements, tuple(excitations), tuple(times), predicted, covariance, run)


def _covariance(requirements: Requirements, truth: Record, times: Sequence[float]) -> Array:
    """Predicted covariance of all parameters, axis by axis as in `fit_excited_axes`."""
    whole, places = np.zeros((len(requirements.parameters),) * 2), list(requirements.parameters)
    for axis, part in zip(requirements.axes, axis_records(truth, times), strict=True):
        names = names_of(requirements, axis)
        own = [places.index(name) for name in names]
        equations = equations_of(requirements, axis)
        whole[np.ix_(own, own)] = predicted_covariance(
            part, requirements.vehicle.parameters, names, requirements.noise, equations
        )
    return whole


def _times(requirements: Requirements, worst: Sequence[float]) -> tuple[float, ...]:
    """Duration of each excitation: as required, or the given time shared so that all axes reach the same accuracy."""
    needed = MARGIN * TRIED * np.square(worst)
    if requirements.duration is None:
        return tuple(np.round(np.clip(needed, SHORTEST_EXCITATION, LONGEST_EXCITATION)).tolist())
    left = requirements.duration - SETTLE - len(worst) * PAUSE
    spare = left - SHORTEST_EXCITATION * len(worst)
    finite = np.minimum(np.where(np.isfinite(needed), needed, 0.0), 100.0 * LONGEST_EXCITATION)
    shares = finite / finite.sum() if finite.sum() > 0.0 else np.full(len(worst), 1.0 / len(worst))
    return tuple(np.floor(SHORTEST_EXCITATION + spare * shares).tolist())


def _smaller(run: SimulatedRun, excitation: AxisExcitation) -> AxisExcitation:
    """Excitation reduced where it left the workspace, saturated thrusters or tilted the vehicle too far."""
    if run.reach[excitation.axis] > 1.0:
        return excitation.scaled(WORKSPACE_SHARE / run.reach[excitation.axis])._replace(limit="workspace")
    if run.tilt[excitation.axis] > MOST_TILTED:
        return excitation.scaled(SMALLER)._replace(limit="tilt")
    if run.saturated[excitation.axis] > MOST_SATURATED:
        return excitation.scaled(SMALLER)._replace(limit="thrust")
    return excitation


def _longer(plan: ExperimentPlan) -> tuple[float, ...]:
    """Durations extended for axes that miss their requirement, where no total duration is given."""
    if plan.requirements.duration is not None:
        return plan.times
    by_name = {one.name: one for one in plan.predicted}
    times = []
    for excitation, time in zip(plan.excitations, plan.times, strict=True):
        worst = max(
            by_name[name].sigma / by_name[name].required for name in names_of(plan.requirements, excitation.axis)
        )
        needed = round(MARGIN * time * worst**2) if worst > 1.0 and np.isfinite(worst) else time
        times.append(float(min(max(needed, time), LONGEST_EXCITATION)))
    return tuple(times)


_HELP = {
    "workspace": "by the workspace. A larger one allows higher speeds",
    "speed": "by the largest speed",
    "thrust": "by the thrust",
    "tilt": f"by the tilt that it brings, {MOST_TILTED:g} rad at most",
}


def sentences(plan: ExperimentPlan) -> list[str]:
    """Sentences: the limit of each axis, requirements that are missed, and the reason."""
    sentences_found = [
        f"{excitation.axis}: the amplitude is limited {_limit(plan, excitation)}." for excitation in plan.excitations
    ]
    missed = [one for one in plan.predicted if not one.met]
    sentences_found += [_missed(plan, one) for one in missed]
    sentences_found += _pairs(plan, {one.name for one in missed})
    if not missed:
        sentences_found.append(_all_met(plan))
    return sentences_found


def _all_met(plan: ExperimentPlan) -> str:
    """All requirements met, and the parameters whose accuracy refers to the whole damping."""
    accuracy = plan.requirements.accuracy
    small = [one.name for one in plan.predicted if one.sigma > accuracy * abs(one.value)]
    text = f"All {len(plan.predicted)} parameters will be known to {100.0 * accuracy:g} %"
    if not small:
        return f"{text}."
    return f"{text}, {listed(small)} of the whole damping of the axis, of which it is a small part."


def _limit(plan: ExperimentPlan, excitation: AxisExcitation) -> str:
    if excitation.axis == "yaw" and excitation.limit == "workspace":
        return f"to {LARGEST_TURN:g} rad to either side"
    why = plan.requirements.limits[excitation.axis].speed_reason
    return _HELP[excitation.limit] + (f": {why}" if excitation.limit == "speed" and why else "")


def excitation_of(plan: ExperimentPlan, name: str) -> tuple[AxisExcitation, float]:
    """The excitation that identifies a parameter, and its duration, s."""
    return next(
        (excitation, time)
        for excitation, time in zip(plan.excitations, plan.times, strict=True)
        if name in names_of(plan.requirements, excitation.axis)
    )


def _missed(plan: ExperimentPlan, one: PredictedAccuracy) -> str:
    excitation, time = excitation_of(plan, one.name)
    if one.sigma == float("inf"):
        return f"{one.name} is not identifiable: this motion does not depend on it separately."
    ratio = one.sigma / one.required
    needed = time * ratio**2
    found = f"{one.name} will be known to {one.sigma:.3g} {one.unit}, {ratio:.2g} times the requirement"
    if plan.requirements.duration is not None or time < LONGEST_EXCITATION - 0.5:
        return f"{found}. {excitation.axis} would have to be excited for {needed:.0f} s instead of {time:.0f} s."
    return (
        f"{found}, after the {LONGEST_EXCITATION:g} s that an excitation lasts at most unless a duration is given "
        f"({needed:.0f} s would do). Less noise, or a wider limit, would help."
    )


def _pairs(plan: ExperimentPlan, missed: set[str]) -> list[str]:
    """Correlated linear and quadratic damping where one of them misses its requirement."""
    sentences_found, names = [], list(plan.requirements.parameters)
    for excitation in plan.excitations:
        pair = damping_of(excitation.axis)
        if not all(name in names for name in pair) or not missed.intersection(pair):
            continue
        i, j = (names.index(name) for name in pair)
        size = (plan.covariance[i, i] * plan.covariance[j, j]) ** 0.5
        if 0.0 < size < float("inf") and abs(plan.covariance[i, j]) > TOGETHER * size:
            sentences_found.append(
                f"{excitation.axis}: linear and quadratic damping are correlated (correlation "
                f"{plan.covariance[i, j] / size:+.2f}); only different speeds separate them. A larger range of "
                "speeds would help more than time."
            )
    return sentences_found
