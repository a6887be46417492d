"""Axes in which a fit increased the error."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from remora.files.problems import listed
from remora.identification.replay import Score
from remora.vehicles.names import DEGREES_OF_FREEDOM

# Factor on the mean absolute or RMS error before for an increase, which also has to be this share of the variance of
# the speed: the remaining errors of two nearly exact models differ by more.
_WORSE, _OF_VARIANCE = 1.05, 0.001


class AxisErrors(NamedTuple):
    """Errors of an axis before and after a fit."""

    axis: str
    before: Score
    after: Score


def worse_axes(before: Mapping[str, Score], after: Mapping[str, Score], axes: Sequence[str]) -> list[AxisErrors]:
    """Axes with an increased error."""
    known = [AxisErrors(axis, before[axis], after[axis]) for axis in axes if axis in before and axis in after]
    return [one for one in known if _is_worse(one.before, one.after)]


def _is_worse(before: Score, after: Score) -> bool:
    is_larger = after.rmse > _WORSE * before.rmse or after.mae > _WORSE * before.mae
    return is_larger and before.r2 - after.r2 > _OF_VARIANCE


def worse_axes_warning(source: str, worse: Sequence[AxisErrors], reason: str) -> str:
    """Warning with the axes, their errors and the reason."""
    return f"{source}: the fitted model is farther off than the one before in {listed(map(_figures, worse))}. {reason}"


def _figures(errors: AxisErrors) -> str:
    unit = "m/s" if errors.axis in DEGREES_OF_FREEDOM[:3] else "rad/s"
    before, after = errors.before.rmse, errors.after.rmse
    more = f"{after / before - 1.0:+.0%}" if before > 0.0 else "from none"
    return f"{errors.axis} (RMSE {before:.3g} to {after:.3g} {unit}, {more})"
