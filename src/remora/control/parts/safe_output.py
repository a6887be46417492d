"""What the control parts share: the safe output, and checks of vehicles and options.

The safe output is no thrust while the estimate or the reference cannot be used.
"""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Annotated, Any, ClassVar, TypeAlias

from remora.control.allocation.thrusters import pseudo_inverse
from remora.equations.algebra.vectors import ZERO6
from remora.files.problems import listed
from remora.files.quantities import Is, Quantity, positive
from remora.files.units import TIME
from remora.messages.estimate import POSE_AND_MOTION, Estimate
from remora.messages.part import PartInput, PartReport
from remora.messages.part_options import PartError, QuietPart, VehicleContext
from remora.vehicles.names import DEGREES_OF_FREEDOM, FOUR_AXES

LARGEST_AGE = 1.0  # s, of an estimate
Age: TypeAlias = Annotated[Quantity[float], Is(TIME, rule=positive)]


class SafePart(QuietPart):
    """A controller with a safe output while estimate or reference is unknown or old.

    Before the first usable estimate and reference it has no output: the run reports controllers that wait. States have
    the field `is_safe`: None before the first sample of control, then whether the last output was the safe one.
    """

    control: Any  # with `initial()` and `safe(state)`
    max_age: float  # s, of the estimate
    needs: ClassVar[tuple[str, ...]] = POSE_AND_MOTION

    def initial(self) -> Any:
        """The state of the controller before its first sample."""
        return self.control.initial()

    def step(self, state: Any, now: PartInput) -> tuple[Any, Any]:
        """The output of the controller, or the safe one; None before the first estimate and reference."""
        if now.estimate is None or now.reference is None:
            return state, None
        estimate = usable_estimate(now, self.max_age, self.needs)
        if estimate is not None and is_finite_reference(self.wanted(now.reference)):
            return self.controlled(state, estimate, now)
        return (state, None) if state.is_safe is None else (self.control.safe(state), self.safe_output())

    @abstractmethod
    def wanted(self, reference: Any) -> tuple[float, ...]:
        """The numbers of a reference that the controller uses."""

    @abstractmethod
    def controlled(self, state: Any, estimate: Estimate, now: PartInput) -> tuple[Any, Any]:
        """One sample with a usable estimate and reference."""

    def safe_output(self) -> Any:
        """The safe output: zero wrench."""
        return ZERO6

    def reports(self, before: Any, after: Any) -> Iterator[PartReport]:
        """Beginning and end of the safe output."""
        yield from safe_output_reports(before.is_safe, after.is_safe)


def wanted_pose(reference: Any) -> tuple[float, ...]:
    """The numbers of a pose reference with its rates."""
    return (*reference.p_NR, reference.heading, *reference.v_NR_N, reference.heading_rate)


def age_of(given: Quantity[float] | None) -> float:
    """Largest age of an estimate, s: as given, or the default."""
    return LARGEST_AGE if given is None else given.value


def usable_estimate(now: PartInput, max_age: float, needs: tuple[str, ...] = POSE_AND_MOTION) -> Estimate | None:
    """The estimate unless a needed quantity is unknown or it is older than the largest age in s."""
    estimate = now.estimate
    if estimate is None or now.time_ns - estimate.time_ns > 1e9 * max_age:
        return None
    return estimate if estimate.is_complete or not set(needs) & set(estimate.unknown) else None


def is_finite_reference(values: tuple[float, ...]) -> bool:
    """Whether every number of a reference is known."""
    return math.isfinite(sum(values))


def safe_output_reports(was_safe: bool | None, is_safe: bool | None) -> Iterator[PartReport]:
    """Events at the beginning and at the end of the safe output."""
    if is_safe and not was_safe:
        text = "estimate or reference unknown or too old: the wrench is zero until both are known again"
        yield PartReport("warning", text, {"safe_output": True})
    elif was_safe and not is_safe:
        yield PartReport("info", "estimate and reference known again: control continues", {"safe_output": False})


HELD = ("surge", "sway", "heave", "yaw")


def from_to(lowest: float, highest: float) -> Callable[[float], str | None]:
    """Rule of an option: a number of a plausible range, in SI units."""

    def rule(value: float) -> str | None:
        if lowest <= value <= highest:
            return None
        return f"must be from {lowest:.3g} to {highest:.3g} in SI units, found {value:.3g}."

    return rule


def check_held_axes(onboard: VehicleContext, does: str, axes: tuple[str, ...] = FOUR_AXES) -> None:
    """Refuse vehicles whose thrusters cannot control surge, sway, heave and yaw, or some of these.

    `does` says what the controller does in these axes, for the PartError: "holds poses". It names the number of
    thrusters, the rank of their layout and the lost directions.
    """
    parameters = onboard.vehicle.parameters
    rows = tuple(DEGREES_OF_FREEDOM.index(axis) for axis in axes)
    lost = pseudo_inverse(parameters, rows).uncontrollable if parameters.thrusters else axes
    if not lost:
        return
    count, rank = len(parameters.thrusters), len(axes) - len(lost)
    thrusters = f"{count} thruster{'' if count == 1 else 's'}"
    raise PartError(
        f"the {thrusters} of {onboard.vehicle.name} reach {rank} of {len(axes)} directions and cannot control "
        f"{listed(lost)} independently; it {does} in {listed(axes)}. Add or turn thrusters, or choose another "
        "controller.",
        "part",
    )
