"""Design of identification experiments: motion, amplitude and duration for a requested accuracy."""

from remora.experiments.planner import ExperimentPlan, fit_excited_axes, make_plan
from remora.experiments.requirements import DesignError, Requirements, make_requirements
from remora.experiments.simulation import measured_record

__all__ = [
    "DesignError",
    "ExperimentPlan",
    "Requirements",
    "fit_excited_axes",
    "make_plan",
    "make_requirements",
    "measured_record",
]
