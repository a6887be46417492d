"""`design`: an identification experiment for a vehicle."""

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import final

from remora.api.arguments import names
from remora.api.shown_results import Plot
from remora.experiments.planner import ExperimentPlan, PredictedAccuracy, make_plan
from remora.experiments.requirements import make_requirements
from remora.files.catalogue import html_table
from remora.files.problems import InputError
from remora.report.experiment_plan import design_figure, print_plan
from remora.scenarios.scenario import Scenario, as_data, loaded, scenario_of
from remora.vehicles.vehicle import Vehicle

_WIDTH = 110  # characters of a printed plan


@final
@dataclass(frozen=True, eq=False, repr=False)
class ExperimentDesign:
    """A planned experiment with its predicted accuracy; prints as the tables of `remora design`."""

    plan: ExperimentPlan

    @property
    def met(self) -> bool:
        """Whether every parameter is predicted to reach the required accuracy."""
        return self.plan.met

    @property
    def predicted(self) -> tuple[PredictedAccuracy, ...]:
        """Name, unit, value, predicted and required standard deviation of each parameter."""
        return self.plan.predicted

    @cached_property
    def scenario(self) -> Scenario:
        """The experiment as a scenario, for `simulate`; its sensors have the planned noise."""
        vehicle, vehicles = self.plan.requirements.vehicle, dict[str, Vehicle]()
        text = self.plan.text(as_data(vehicle, "file", vehicles))
        return scenario_of(text, f"experiment for {vehicle.name}", Path(), vehicles)

    def plot(self) -> Plot:
        """Simulated motion within the workspace, speeds, and predicted over required standard deviations."""
        return Plot(design_figure(self.plan))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the experiment as a scenario file; see `Scenario.save`."""
        self.scenario.save(path)

    def __repr__(self) -> str:
        text = io.StringIO()
        print_plan(self.plan, text, _WIDTH)
        return text.getvalue().rstrip()

    def _repr_html_(self) -> str:
        rows = [
            (one.name, f"{one.value:.4g} {one.unit}", f"{one.sigma:.3g}", f"{one.required:.3g}", _verdict(one))
            for one in self.plan.predicted
        ]
        return html_table(("parameter", "in the file", "predicted sigma", "required", ""), rows)


def design(
    vehicle: Vehicle | str | PathLike[str],
    parameters: str | Sequence[str] = (),
    *,
    accuracy: float = 0.05,
    workspace: tuple[float, float, float] = (10.0, 5.0, 3.0),
    top: float = 1.0,
    speed: float = math.inf,
    duration: float | None = None,
    speed_noise: float = 0.01,
    rate_noise: float = math.radians(0.2),
) -> ExperimentDesign:
    """Design an experiment that identifies parameters of a vehicle to a required accuracy.

    Parameters
    ----------
    vehicle
        A `Vehicle`, a bundled name or a path; with its parameters as far as they are known.
    parameters
        Names; added mass and damping of surge, sway, heave and yaw unless given.
    accuracy
        Required standard deviation as a share of each value.
    workspace
        Length ahead, width and height available to the body origin, m.
    top
        Depth of the top of the workspace, m.
    speed
        Largest speed in translation, m/s.
    duration
        Duration of the whole experiment, s; as long as needed unless given.
    speed_noise, rate_noise
        Standard deviation of white noise in each sample of speeds, m/s, and turn rates, rad/s.

    Raises
    ------
    DesignError, InputError
        When an argument is out of range, or no such experiment is possible.
    """
    numbers = {"accuracy": accuracy, "top": top, "speed": speed, "speed_noise": speed_noise, "rate_noise": rate_noise}
    for field, value in {**numbers, **({} if duration is None else {"duration": duration})}.items():
        _check_real(field, value)
    sides = tuple(workspace) if isinstance(workspace, list | tuple) else ()
    if len(sides) != 3:
        fix = "Give length, width and height in m, such as (10, 5, 3)."
        raise InputError(f"workspace is {workspace!r}. {fix}").about("workspace", workspace, fix=fix)
    for side in sides:
        _check_real("workspace", side)
    requirements = make_requirements(
        loaded(vehicle),
        names("parameters", parameters) or None,
        accuracy,
        sides,
        duration,
        speed_noise,
        rate_noise,
        top,
        speed,
    )
    return ExperimentDesign(make_plan(requirements))


def _check_real(field: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise InputError(f"{field} is {value!r}. Give a number.").about(field, value, fix="Give a number.")


def _verdict(one: PredictedAccuracy) -> str:
    return "met" if one.met else "missed"
