"""Figures for tests of verdicts, each by its requirement."""

from remora_evidence.figure import AssessedFigure


def within(name: str, ours: float, printed: float, bound: float, unit: str, differs: str = "") -> AssessedFigure:
    return AssessedFigure(name, printed, ours, "within", bound, unit, differs=differs)


def near(name: str, ours: float, target: float, bound: float, unit: str) -> AssessedFigure:
    return AssessedFigure(f"{name} (target {target:g})", None, ours, "within", bound, unit, target)


def at_most(name: str, ours: float, bound: float, unit: str, differs: str = "") -> AssessedFigure:
    return AssessedFigure(name, None, ours, "at most", bound, unit, differs=differs)


def at_least(name: str, ours: float, bound: float, unit: str) -> AssessedFigure:
    return AssessedFigure(name, None, ours, "at least", bound, unit)


def reported(name: str, ours: float, unit: str) -> AssessedFigure:
    return AssessedFigure(name, None, ours, "reported", None, unit)
