"""Filters: estimates with covariances from plain functions on tuples, compiled with exact Jacobians."""

from remora.navigation.filters.beliefs import Belief
from remora.navigation.filters.bound import ErrorBound, ObservedStates, TrueTrajectory, bound, observed_states
from remora.navigation.filters.error_state_filter import ErrorStateFilter
from remora.navigation.filters.filter_compiler import compile_filter
from remora.navigation.filters.health import AidingCondition, AidingHealth, HealthLimits, HealthMonitor
from remora.navigation.filters.models import OUTCOMES, AidingModel, Chart, Innovation
from remora.navigation.filters.readings import ReadingTable, reading_table, table_of_series
from remora.navigation.filters.smoothing import SmoothedRun, smooth
from remora.navigation.filters.trajectory import FilterRun, InnovationSeries, run

__all__ = [
    "OUTCOMES",
    "AidingCondition",
    "AidingHealth",
    "AidingModel",
    "Belief",
    "Chart",
    "ErrorBound",
    "ErrorStateFilter",
    "FilterRun",
    "HealthLimits",
    "HealthMonitor",
    "Innovation",
    "InnovationSeries",
    "ObservedStates",
    "ReadingTable",
    "SmoothedRun",
    "TrueTrajectory",
    "bound",
    "compile_filter",
    "observed_states",
    "reading_table",
    "run",
    "smooth",
    "table_of_series",
]
