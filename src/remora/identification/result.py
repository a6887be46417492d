"""Result of a fit: parameters, covariance, residuals, identifiability and warnings."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, final

import numpy as np
from scipy import stats

from remora.files.arrays import Array
from remora.identification.parameters import with_values
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.vehicle import Vehicle


class Ambiguity(NamedTuple):
    """A combination of parameters that is not identifiable."""

    names: tuple[str, ...]
    direction: Array  # direction of the parameters to which the data are insensitive, largest component 1
    sentence: str


class Identifiability(NamedTuple):
    """Identifiability of the parameters."""

    condition_number: float  # of the regressor with its columns scaled to unit length
    condition_numbers: Mapping[str, float]  # the same per degree of freedom
    ambiguities: tuple[Ambiguity, ...]
    identified: tuple[bool, ...]  # per parameter: whether it is identified separately


@final
@dataclass(frozen=True, eq=False)
class Fit:
    """Parameters of a vehicle from data.

    `names` are those of `remora.identification.parameter_names`; values are in SI. The covariance allows for correlated
    residuals. Held parameters are not included.
    """

    method: str
    names: tuple[str, ...]
    units: tuple[str, ...]
    values: Array
    covariance: Array
    # Of the variances, for Student's t: one for all or one each; infinite for known noise.
    degrees_of_freedom: float | Array
    residuals: Mapping[str, Array]  # degree of freedom or channel -> residuals in time order
    noise: Mapping[str, float]  # the same -> standard deviation of the residuals, in their unit
    identifiability: Identifiability
    warnings: tuple[str, ...]
    base: Vehicle | None  # source of all other parameters; None for a bench test
    data: str  # description of the data, for the source text of each value
    speeds: tuple[float, ...] = ()  # largest |speed| per degree of freedom in the data; empty without motion
    doubts: tuple[str, ...] = ()  # those warnings by which values may be wrong by more than their intervals

    @property
    def sigma(self) -> Array:
        """One standard deviation of each value."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def vehicle(self) -> VehicleParameters:
        """The base vehicle with the fitted values."""
        if self.base is None:
            raise ValueError(f"the fit by {self.method} has no vehicle to put its numbers into")
        return with_values(self.base.parameters, self.names, self.values)

    def value(self, name: str) -> float:
        """One value by its name."""
        return float(self.values[self.names.index(name)])

    def intervals(self, level: float = 0.95) -> Array:
        """Confidence interval of each parameter, lower and upper end, from the standard deviations `sigma`."""
        half = stats.t.ppf(0.5 + 0.5 * level, self.degrees_of_freedom) * self.sigma
        return np.column_stack([self.values - half, self.values + half])

    def with_warning(self, *sentences: str) -> "Fit":
        """The same fit with further warnings."""
        return replace(self, warnings=(*self.warnings, *sentences))

    def with_doubt(self, *sentences: str) -> "Fit":
        """The same fit with further warnings by which values may be wrong by more than their intervals."""
        return replace(self.with_warning(*sentences), doubts=(*self.doubts, *sentences))

    def to_yaml(self, name: str | None = None, negative_damping: str | None = None) -> str:
        """The fitted vehicle as the text of a vehicle file: see `remora.identification.vehicle_file`."""
        from remora.identification.vehicle_file import vehicle_file_text

        return vehicle_file_text(self, name, negative_damping)

    def table(self, level: float = 0.95) -> str:
        """Table of name, value, interval and unit, with a mark where a parameter is not identified."""
        lines = [f"{self.method}, fitted to {self.data}"]
        limits = self.intervals(level)
        for i, (name, unit) in enumerate(zip(self.names, self.units, strict=True)):
            mark = "" if self.identifiability.identified[i] else "  (not identified separately)"
            lines.append(f"{name:36s} {self.values[i]:12.5g}  [{limits[i, 0]:.5g}, {limits[i, 1]:.5g}] {unit}{mark}")
        return "\n".join([*lines, *(f"! {sentence}" for sentence in self.warnings)])
