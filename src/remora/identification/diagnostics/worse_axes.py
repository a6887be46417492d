"""Axes in which a fit increased the error."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from remora.files.problems import listed
from remora.identification.replay import Score
from remora.vehicles.names import DEGREES_OF_FREEDOM

# Factor on the error before, and explained share of the variance, for a significant increase.
WORSE, EXPLAINED = 1.1, 0.95
# Factor from which on other axes are named as well.
_A_LITTLE = 1.02


class AxisErrors(NamedTuple):
    """RMS error of an axis before and after a fit."""

    axis: str
    before: float
    after: float


def worse_axes(before: Mapping[str, Score], after: Mapping[str, Score], axes: Sequence[str]) -> list[AxisErrors]:
    """Axes with an increased error; empty where no increase is significant."""
    known = [axis for axis in axes if axis in before and axis in after]
    surely = [a for a in known if after[a].rmse > WORSE * before[a].rmse and after[a].r2 < EXPLAINED]
    worse = [axis for axis in known if after[axis].rmse > _A_LITTLE * before[axis].rmse]
    return [AxisErrors(axis, before[axis].rmse, after[axis].rmse) for axis in worse] if surely else []


def worse_axes_warning(source: str, worse: Sequence[AxisErrors], reason: str) -> str:
    """Warning with the axes, their errors and the reason."""
    return f"{source}: the fitted model is farther off than the one before in {listed(map(_figures, worse))}. {reason}"


def _figures(errors: AxisErrors) -> str:
    unit = "m/s" if errors.axis in DEGREES_OF_FREEDOM[:3] else "rad/s"
    more = f"{errors.after / errors.before - 1.0:+.0%}" if errors.before > 0.0 else "from none"
    return f"{errors.axis} (RMSE {errors.before:.3g} to {errors.after:.3g} {unit}, {more})"
