"""Design of experiments for identification: which motion, how large and for how long, to know parameters so well."""

from remora.design.fitting import fit_swings
from remora.design.flight import measured_record
from remora.design.planning import Plan, make_plan
from remora.design.wish import DesignError, Wish, make_wish

__all__ = ["DesignError", "Plan", "Wish", "fit_swings", "make_plan", "make_wish", "measured_record"]
