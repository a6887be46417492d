"""Experiment planning: excitations and durations for the required accuracy, verified by simulation."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from remora.experiments.axis_fits import axis_records, equations_of
from remora.experiments.excitation import TRIED, AxisExcitation, best_excitation, names_of, required_deviations
from remora.experiments.motion_limits import WORKSPACE_SHARE
from remora.experiments.requirements import DesignError, Requirements
from remora.experiments.scenario_text import PAUSE, SETTLE, duration_of, scenario_text
from remora.experiments.simulation import SimulatedRun, simulate_plan
from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.parameters import units_of, values_of
from remora.identification.uncertainty.predicted_accuracy import predicted_covariance

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
