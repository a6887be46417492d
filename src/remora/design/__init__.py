"""Design of experiments for identification: which motion, how large and for how long, to know parameters so well."""

from remora.design.planning import Plan, make_plan
from remora.design.wish import DesignError, Wish, make_wish

__all__ = ["DesignError", "Plan", "Wish", "make_plan", "make_wish"]
