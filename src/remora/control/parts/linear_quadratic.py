"""Linear-quadratic regulator as a part: a wrench towards a pose."""

import math
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypeAlias, final

from remora.control.autopilots.linear_quadratic import (
    LinearQuadraticControl,
    LinearQuadraticState,
    QuadraticWeights,
    linear_quadratic_control,
)
from remora.control.feedback.held_axes import check_held_axes, from_to
from remora.control.parts.controllers import check_valid_speeds
from remora.control.parts.safe_output import LARGEST_AGE, Age, SafePart, age_of, wanted_pose
from remora.equations.algebra.vectors import ZERO6
from remora.equations.types import Wrench
from remora.files.problems import InputError
from remora.files.quantities import Is, Quantity
from remora.files.units import ANGLE, LENGTH, SPEED
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput, Role
from remora.messages.part_options import PartError, PartKind, PartOptions, VehicleContext
from remora.messages.reference import POSE

Length: TypeAlias = Annotated[Quantity[float], Is(LENGTH, rule=from_to(1e-3, 100.0))]
Angle: TypeAlias = Annotated[Quantity[float], Is(ANGLE, rule=from_to(1e-3, math.pi))]
Speed: TypeAlias = Annotated[Quantity[float], Is(SPEED, rule=from_to(1e-3, 10.0))]
Share: TypeAlias = Annotated[Quantity[float], Is(None, rule=from_to(1e-3, 10.0), plain_only=True)]
LARGEST_ERROR = 1.0  # m, to which position errors are shortened, so that the vehicle stays within its speeds


class LinearQuadraticOptions(PartOptions):
    """Errors that cost equally much, and the share of the thrust that costs as much as they do."""

    position_error: Length | None = None
    heading_error: Angle | None = None
    speed_error: Speed | None = None
    wrench_share: Share | None = None
    max_error: Length | None = None
    max_age: Age | None = None


@final
@dataclass(frozen=True, eq=False)
class LinearQuadraticPart(SafePart):
    """The regulator; a zero wrench while estimate or reference is unknown or old."""

    control: LinearQuadraticControl
    max_age: float = LARGEST_AGE  # s, of the estimate

    def wanted(self, reference: Any) -> tuple[float, ...]:
        """Pose and its rates."""
        return wanted_pose(reference)

    def controlled(
        self, state: LinearQuadraticState, estimate: Estimate, now: PartInput
    ) -> tuple[LinearQuadraticState, Wrench]:
        """The wrench of the regulator."""
        return self.control.step(state, estimate, now.reference, now.missing)

    def safe_output(self) -> Wrench:
        """Zero wrench."""
        return ZERO6


def make_linear_quadratic(options: LinearQuadraticOptions, onboard: VehicleContext) -> LinearQuadraticPart:
    """The regulator of a vehicle."""
    check_held_axes(onboard, "holds poses")
    check_valid_speeds(onboard)
    given = {
        "position": options.position_error,
        "heading": options.heading_error,
        "speed": options.speed_error,
        "wrench": options.wrench_share,
    }
    weights = QuadraticWeights()._replace(**{name: one.value for name, one in given.items() if one is not None})
    try:
        control = linear_quadratic_control(onboard.plant, onboard.period, weights, onboard.smoothing)
    except InputError as error:
        raise PartError(str(error), "position_error" if options.position_error else "part") from None
    except ValueError as error:
        raise PartError(f"no regulator stabilises the linearised vehicle: {error}.", "part") from None
    if not math.isfinite(control.gain.sum()):
        raise PartError("the vehicle has no finite inertia.", "part")
    most = options.max_error.value if options.max_error else LARGEST_ERROR
    return LinearQuadraticPart(replace(control, max_error=most), age_of(options.max_age))


LQR = PartKind("lqr", Role.CONTROL, LinearQuadraticOptions, make_linear_quadratic, takes=(POSE,))
