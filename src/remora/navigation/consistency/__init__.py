"""Tests of estimators: normalised errors with two-sided bounds, whiteness of innovations, observability and bounds."""

from remora.navigation.consistency.covariance_bound import LinearisedStep, covariance_bound
from remora.navigation.consistency.normalised_errors import (
    ConsistencyReport,
    average_bounds,
    consistency,
    normalised_squares,
)
from remora.navigation.consistency.observability import ObservabilityReport, observability
from remora.navigation.consistency.whiteness import WhitenessReport, whiteness

__all__ = [
    "ConsistencyReport",
    "LinearisedStep",
    "ObservabilityReport",
    "WhitenessReport",
    "average_bounds",
    "consistency",
    "covariance_bound",
    "normalised_squares",
    "observability",
    "whiteness",
]
