"""Results of `fit` and `validate`: tables, pictures, and the fitted vehicle."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import final

from remora.api.arguments import output_file
from remora.api.shown_results import Plot
from remora.files.arrays import Array
from remora.files.catalogue import html_table
from remora.files.problems import InputError
from remora.files.writing import write_together
from remora.identification.replay import Score
from remora.identification.result import Fit
from remora.identification.validation import RecordValidation, Validation
from remora.report.fits.figure import fit_figure
from remora.report.fits.page import fit_page, validation_page
from remora.report.fits.summary import (
    judgement_lines,
    parameter_table,
    score_table,
    validation_lines,
    verdict,
    what_was_judged,
)
from remora.vehicles.vehicle import Vehicle
from remora.vehicles.vehicle_reader import vehicle_from_text


class FitWarning(UserWarning):
    """Fitted values may be wrong by more than their intervals, or a validated model ran away."""


@final
@dataclass(frozen=True, eq=False, repr=False)
class FitResult:
    """Parameters of a vehicle from logs, with uncertainty and validation; prints as the tables of `remora fit`."""

    validation: Validation
    negative_damping: str | None = None  # reason for damping that adds energy

    @property
    def fit(self) -> Fit:
        """Values, covariance, residuals and identifiability."""
        return self.validation.fit

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the fitted parameters."""
        return self.fit.names

    @property
    def values(self) -> Array:
        """Values, in SI."""
        return self.fit.values

    @property
    def sigma(self) -> Array:
        """One standard deviation of each value."""
        return self.fit.sigma

    @property
    def warnings(self) -> tuple[str, ...]:
        """Doubts about data and result, one sentence each."""
        return self.fit.warnings

    @property
    def doubtful(self) -> bool:
        """Whether values may be wrong by more than their intervals, or the fitted model ran away."""
        return self.validation.doubtful

    @property
    def verdict(self) -> str:
        """Whether the values can be trusted, in a sentence."""
        return verdict(self.validation)

    @property
    def problems(self) -> tuple[str, ...]:
        """Where the fitted model ran away in a replay."""
        return tuple(part.after.problem for part in self.validation.parts if part.after and part.after.problem)

    @cached_property
    def vehicle(self) -> Vehicle:
        """The fitted vehicle; each fitted number has its standard deviation and the logs as its source.

        Raises
        ------
        NegativeDampingError, VehicleFileError
            When the fitted numbers violate an invariant of vehicle files.
        """
        text = "# Fitted by remora.fit.\n" + self.fit.to_yaml(negative_damping=self.negative_damping)
        assert self.fit.base is not None
        return vehicle_from_text(text, f"{self.fit.base.name}, fitted", self.fit.base.find_kind)

    def plot(self, log: int = 0) -> Plot:
        """Measured motion and the model before and after the fit, on the validated part of one log, by its number."""
        return _plot(self.validation.parts, self.validation.axes, log, f"{self._name} before and after the fit")

    def report(self, path: str | PathLike[str]) -> Path:
        """Write an HTML page with parameters, scores, pictures and warnings."""
        place = output_file(path, ".html")
        plots = [self.plot(k).figure for k in range(len(self.validation.parts))]
        page = fit_page(self.validation, plots, f"{self._name} before and after the fit")
        write_together({place: page.encode()})
        return place

    @property
    def _name(self) -> str:
        return self.fit.base.name if self.fit.base else ""

    def __repr__(self) -> str:
        return "\n".join([*judgement_lines(self.validation), "", f"verdict: {self.verdict}"])

    def _repr_html_(self) -> str:
        table = parameter_table(self.fit)
        pieces = [html_table(table.heads, table.rows), _html_list([*self.warnings, f"verdict: {self.verdict}"])]
        return "".join([*pieces, *_html_scores(self.validation.parts, self.validation.axes)])


@final
@dataclass(frozen=True, eq=False, repr=False)
class ValidationResult:
    """Prediction errors of a vehicle on logs; prints as the tables of `remora validate`."""

    vehicle: Vehicle
    parts: tuple[RecordValidation, ...]  # one for each log
    axes: tuple[str, ...]

    @property
    def scores(self) -> tuple[Mapping[str, Score], ...]:
        """For each log: degree of freedom -> MAE, RMSE and R2; empty where the model diverged."""
        return tuple(
            {axis: part.before.scores[axis] for axis in self.axes if axis in part.before.scores} for part in self.parts
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Doubts about the data, and models that diverged."""
        found = [sentence for part in self.parts for sentence in part.assumed]
        return tuple(dict.fromkeys([*found, *self.problems]))

    @property
    def problems(self) -> tuple[str, ...]:
        """Where the model ran away."""
        return tuple(part.before.problem for part in self.parts if part.before.problem)

    def plot(self, log: int = 0) -> Plot:
        """Measured and predicted motion on one log, by its number."""
        return _plot(self.parts, self.axes, log, self.vehicle.name)

    def report(self, path: str | PathLike[str]) -> Path:
        """Write an HTML page with scores and pictures."""
        place = output_file(path, ".html")
        plots = [self.plot(k).figure for k in range(len(self.parts))]
        page = validation_page(self.parts, self.axes, plots, f"{self.vehicle.name} against recorded motion")
        write_together({place: page.encode()})
        return place

    def __repr__(self) -> str:
        return "\n".join(validation_lines(self.vehicle.name, self.parts, self.axes))

    def _repr_html_(self) -> str:
        return "".join([*_html_scores(self.parts, self.axes), _html_list(self.warnings)])


def _plot(parts: Sequence[RecordValidation], axes: Sequence[str], log: int, title: str) -> Plot:
    if isinstance(log, bool) or not isinstance(log, int) or not 0 <= log < len(parts):
        fix = f"Give a number from 0 to {len(parts) - 1}."
        raise InputError(f"log is {log!r}. {fix}").about("log", log, fix=fix)
    return Plot(fit_figure(parts[log], axes, f"{title}: {Path(parts[log].recorded.source).name}"))


def _html_scores(parts: Sequence[RecordValidation], axes: Sequence[str]) -> list[str]:
    tables = [(what_was_judged(part), score_table(part, axes)) for part in parts]
    return [piece for title, table in tables for piece in (_html_list([title]), html_table(table.heads, table.rows))]


def _html_list(sentences: Sequence[str]) -> str:
    return html_table((), ([sentence] for sentence in sentences)) if sentences else ""
