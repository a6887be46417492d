"""Filters: estimates with covariances from plain functions on tuples, compiled with exact Jacobians."""

from remora.navigation.filters.error_state_filter import Belief, ErrorStateFilter, compile_filter
from remora.navigation.filters.models import OUTCOMES, AidingModel, Chart, Innovation

__all__ = ["OUTCOMES", "AidingModel", "Belief", "Chart", "ErrorStateFilter", "Innovation", "compile_filter"]
