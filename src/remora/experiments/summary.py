"""Summary of a plan: limiting factors, missed requirements and remedies."""

from remora.experiments.excitation import AxisExcitation, names_of
from remora.experiments.motion_limits import LARGEST_TURN
from remora.experiments.planner import LONGEST_EXCITATION, MOST_TILTED, ExperimentPlan, PredictedAccuracy
from remora.files.problems import listed
from remora.identification.parameter_names import damping_of

TOGETHER = 0.9  # correlation above which two parameters are hardly separable
_HELP = {
    "workspace": "by the workspace. A larger one allows higher speeds",
    "speed": "by the largest speed",
    "thrust": "by the thrust",
    "tilt": f"by the tilt that it brings, {MOST_TILTED:g} rad at most",
}


def sentences(plan: ExperimentPlan) -> list[str]:
    """Sentences: the limit of each axis, requirements that are missed, and the reason."""
    sentences_found = [
        f"{excitation.axis}: the amplitude is limited {_limit(plan, excitation)}." for excitation in plan.excitations
    ]
    missed = [one for one in plan.predicted if not one.met]
    sentences_found += [_missed(plan, one) for one in missed]
    sentences_found += _pairs(plan, {one.name for one in missed})
    if not missed:
        sentences_found.append(_all_met(plan))
    return sentences_found


def _all_met(plan: ExperimentPlan) -> str:
    """All requirements met, and the parameters whose accuracy refers to the whole damping."""
    accuracy = plan.requirements.accuracy
    small = [one.name for one in plan.predicted if one.sigma > accuracy * abs(one.value)]
    text = f"All {len(plan.predicted)} parameters will be known to {100.0 * accuracy:g} %"
    if not small:
        return f"{text}."
    return f"{text}, {listed(small)} of the whole damping of the axis, of which it is a small part."


def _limit(plan: ExperimentPlan, excitation: AxisExcitation) -> str:
    if excitation.axis == "yaw" and excitation.limit == "workspace":
        return f"to {LARGEST_TURN:g} rad to either side"
    why = plan.requirements.limits[excitation.axis].speed_reason
    return _HELP[excitation.limit] + (f": {why}" if excitation.limit == "speed" and why else "")


def excitation_of(plan: ExperimentPlan, name: str) -> tuple[AxisExcitation, float]:
    """The excitation that identifies a parameter, and its duration, s."""
    return next(
        (excitation, time)
        for excitation, time in zip(plan.excitations, plan.times, strict=True)
        if name in names_of(plan.requirements, excitation.axis)
    )


def _missed(plan: ExperimentPlan, one: PredictedAccuracy) -> str:
    excitation, time = excitation_of(plan, one.name)
    if one.sigma == float("inf"):
        return f"{one.name} is not identifiable: this motion does not depend on it separately."
    ratio = one.sigma / one.required
    needed = time * ratio**2
    found = f"{one.name} will be known to {one.sigma:.3g} {one.unit}, {ratio:.2g} times the requirement"
    if plan.requirements.duration is not None or time < LONGEST_EXCITATION - 0.5:
        return f"{found}. {excitation.axis} would have to be excited for {needed:.0f} s instead of {time:.0f} s."
    return (
        f"{found}, after the {LONGEST_EXCITATION:g} s that an excitation lasts at most unless a duration is given "
        f"({needed:.0f} s would do). Less noise, or a wider limit, would help."
    )


def _pairs(plan: ExperimentPlan, missed: set[str]) -> list[str]:
    """Correlated linear and quadratic damping where one of them misses its requirement."""
    sentences_found, names = [], list(plan.requirements.parameters)
    for excitation in plan.excitations:
        pair = damping_of(excitation.axis)
        if not all(name in names for name in pair) or not missed.intersection(pair):
            continue
        i, j = (names.index(name) for name in pair)
        size = (plan.covariance[i, i] * plan.covariance[j, j]) ** 0.5
        if 0.0 < size < float("inf") and abs(plan.covariance[i, j]) > TOGETHER * size:
            sentences_found.append(
                f"{excitation.axis}: linear and quadratic damping are correlated (correlation "
                f"{plan.covariance[i, j] / size:+.2f}); only different speeds separate them. A larger range of "
                "speeds would help more than time."
            )
    return sentences_found
