"""Linear-quadratic regulator as a part: a wrench towards a pose."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, TypeAlias, final

from remora.control.allocation.thrusters import HELD_AXES, pseudo_inverse
from remora.control.autopilots.linear_quadratic import (
    LinearQuadraticControl,
    LinearQuadraticState,
    QuadraticWeights,
    linear_quadratic_control,
)
from remora.control.parts.controllers import HELD, check_valid_speeds
from remora.control.parts.safe_output import LARGEST_AGE, Age, is_finite_reference, safe_output_reports, usable_estimate
from remora.equations.algebra.vectors import ZERO6, Wrench
from remora.files.problems import listed
from remora.files.quantities import Is, Quantity, positive
from remora.files.units import ANGLE, LENGTH, SPEED
from remora.messages.estimate import POSE_AND_MOTION
from remora.messages.part import PartInput, PartReport, Role
from remora.messages.part_options import PartError, PartKind, PartOptions, QuietPart, VehicleContext
from remora.messages.reference import POSE

Length: TypeAlias = Annotated[Quantity[float], Is(LENGTH, rule=positive)]
LARGEST_ERROR = 1.0  # m, to which position errors are shortened, so that the vehicle stays within its speeds


class LinearQuadraticOptions(PartOptions):
    """Errors that cost equally much, and the share of the thrust that costs as much as they do."""

    position_error: Length | None = None
    heading_error: Annotated[Quantity[float], Is(ANGLE, rule=positive)] | None = None
    speed_error: Annotated[Quantity[float], Is(SPEED, rule=positive)] | None = None
    wrench_share: Annotated[Quantity[float], Is(None, rule=positive, plain_only=True)] | None = None
    max_error: Length | None = None
    max_age: Age | None = None


@final
@dataclass(frozen=True, eq=False)
class LinearQuadraticPart(QuietPart):
    """The regulator; a zero wrench while estimate or reference is unknown or old."""

    control: LinearQuadraticControl
    max_age: float = LARGEST_AGE  # s, of the estimate
    needs = POSE_AND_MOTION

    def initial(self) -> LinearQuadraticState:
        """Zero integrals."""
        return self.control.initial()

    def step(self, state: LinearQuadraticState, now: PartInput) -> tuple[LinearQuadraticState, Wrench | None]:
        """The wrench; None before the first estimate and reference."""
        reference = now.reference
        if now.estimate is None or reference is None:
            return state, None
        estimate = usable_estimate(now, self.max_age)
        numbers = (*reference.p_NR, reference.heading, *reference.v_NR_N, reference.heading_rate)
        if estimate is None or not is_finite_reference(numbers):
            return self.control.safe(state), ZERO6
        return self.control.step(state, estimate, reference, now.missing)

    def reports(self, before: LinearQuadraticState, after: LinearQuadraticState) -> Iterator[PartReport]:
        """Beginning and end of the safe output."""
        yield from safe_output_reports(before.is_safe, after.is_safe)


def make_linear_quadratic(options: LinearQuadraticOptions, onboard: VehicleContext) -> LinearQuadraticPart:
    """The regulator of a vehicle."""
    parameters = onboard.vehicle.parameters
    lost = pseudo_inverse(parameters, HELD_AXES).uncontrollable if parameters.thrusters else HELD
    if lost:
        message = f"the thrusters of {onboard.vehicle.name} cannot control {listed(lost)} independently"
        raise PartError(f"{message}; it holds poses in {listed(HELD)}. Choose another controller.", "part")
    check_valid_speeds(onboard)
    given = {
        "position": options.position_error,
        "heading": options.heading_error,
        "speed": options.speed_error,
        "wrench": options.wrench_share,
    }
    weights = QuadraticWeights()._replace(**{name: one.value for name, one in given.items() if one is not None})
    try:
        control = linear_quadratic_control(onboard.plant, onboard.period, weights)
    except ValueError as error:
        raise PartError(f"no regulator stabilises the linearised vehicle: {error}", "part") from None
    if not math.isfinite(control.gain.sum()):
        raise PartError("the vehicle has no finite inertia.", "part")
    most = options.max_error.value if options.max_error else LARGEST_ERROR
    return LinearQuadraticPart(
        replace(control, max_error=most), options.max_age.value if options.max_age else LARGEST_AGE
    )


LQR = PartKind("lqr", Role.CONTROL, LinearQuadraticOptions, make_linear_quadratic, takes=(POSE,))
