"""Design of identification experiments: motion, amplitude and duration for a requested accuracy."""

from remora.experiments.axis_fits import fit_swings
from remora.experiments.planner import Plan, make_plan
from remora.experiments.requirements import DesignError, Wish, make_wish
from remora.experiments.simulation import measured_record

__all__ = ["DesignError", "Plan", "Wish", "fit_swings", "make_plan", "make_wish", "measured_record"]
