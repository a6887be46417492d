"""A plan in plain words: what limits it, and what would help."""

from remora.experiments.excitation import Swing, names_of
from remora.experiments.motion_limits import LARGEST_TURN
from remora.experiments.planner import LONGEST_SWING, MOST_TILTED, Foretold, Plan
from remora.files.problems import listed

TOGETHER = 0.9  # correlation above which two numbers are told apart badly
_HELP = {
    "room": "by the room. A larger workspace allows higher speeds",
    "speed": "by the largest speed",
    "thrust": "by the thrust",
    "tilt": f"by the tilt that it brings, {MOST_TILTED:g} rad at most",
}


def sentences(plan: Plan) -> list[str]:
    """What limits each axis, what is not met and why."""
    words = [f"{swing.axis}: the size of the swing is limited {_limit(plan, swing)}." for swing in plan.swings]
    missed = [one for one in plan.foretold if not one.met]
    words += [_missed(plan, one) for one in missed]
    words += _pairs(plan, {one.name for one in missed})
    if not missed:
        words.append(_all_met(plan))
    return words


def _all_met(plan: Plan) -> str:
    """That all is as wanted, and which numbers were judged against more than themselves."""
    accuracy = plan.wish.accuracy
    small = [one.name for one in plan.foretold if one.sigma > accuracy * abs(one.value)]
    told = f"All {len(plan.foretold)} parameters will be known to {100.0 * accuracy:g} %"
    if not small:
        return f"{told}."
    return f"{told}, {listed(small)} of the whole damping of the axis: by itself it is too small a part of it."


def _limit(plan: Plan, swing: Swing) -> str:
    if swing.axis == "yaw" and swing.limit == "room":
        return f"to {LARGEST_TURN:g} rad to either side"
    why = plan.wish.limits[swing.axis].why_slow
    return _HELP[swing.limit] + (f": {why}" if swing.limit == "speed" and why else "")


def swing_of(plan: Plan, name: str) -> tuple[Swing, float]:
    """The swing that shows a parameter, and how long it lasts."""
    return next(
        (swing, time)
        for swing, time in zip(plan.swings, plan.times, strict=True)
        if name in names_of(plan.wish, swing.axis)
    )


def _missed(plan: Plan, one: Foretold) -> str:
    swing, time = swing_of(plan, one.name)
    if one.sigma == float("inf"):
        return f"{one.name} is not shown at all: nothing in this motion depends on it by itself."
    ratio = one.sigma / one.wanted
    needed = time * ratio**2
    found = f"{one.name} will be known to {one.sigma:.3g} {one.unit}, {ratio:.2g} times what is wanted"
    if plan.wish.duration is not None or time < LONGEST_SWING - 0.5:
        return f"{found}. {swing.axis} would have to swing for {needed:.0f} s instead of {time:.0f} s."
    return (
        f"{found}, after the {LONGEST_SWING:g} s that a swing lasts at most unless a duration is given ({needed:.0f} s "
        "would do). Less noise, or more of what limits the swing, would help."
    )


def _pairs(plan: Plan, missed: set[str]) -> list[str]:
    """Linear and quadratic damping that lean on each other, where one of them is not known well enough."""
    words, names = [], list(plan.wish.parameters)
    for swing in plan.swings:
        pair = [f"damping.{kind}.{swing.axis}" for kind in ("linear", "quadratic")]
        if not all(name in names for name in pair) or not missed.intersection(pair):
            continue
        i, j = (names.index(name) for name in pair)
        size = (plan.covariance[i, i] * plan.covariance[j, j]) ** 0.5
        if 0.0 < size < float("inf") and abs(plan.covariance[i, j]) > TOGETHER * size:
            words.append(
                f"{swing.axis}: linear and quadratic damping lean on each other (correlation "
                f"{plan.covariance[i, j] / size:+.2f}); only different speeds part them. A larger range of "
                "speeds would help more than time."
            )
    return words
