"""Non-linear model predictive control as a part: commands of the thrusters towards a pose."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple, TypeAlias, final

import numpy as np

from remora.control.allocation.commands import commands_from_forces
from remora.control.allocation.thrusters import pseudo_inverse
from remora.control.parts.controllers import check_valid_speeds
from remora.control.parts.safe_output import (
    LARGEST_AGE,
    Age,
    SafePart,
    age_of,
    check_held_axes,
    from_to,
    safe_output_reports,
    wanted_pose,
)
from remora.control.predictive.controller import Delays, PredictiveControl, PredictiveState, observer_time
from remora.control.predictive.problem import (
    PredictiveLimits,
    PredictiveProblem,
    PredictiveWeights,
    driven_axes,
    predictive_problem,
)
from remora.equations.algebra.vectors import ZERO3, dot3
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.files.quantities import Is, Quantity, has_direction, positive
from remora.files.section import Section
from remora.files.units import ANGLE, LENGTH, SPEED, TIME, TURN_RATE
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput, PartReport, Role
from remora.messages.part_options import PartError, PartKind, PartOptions, VehicleContext
from remora.messages.reference import POSE
from remora.vehicles.checks.actuation import allocation_matrix
from remora.vehicles.parameters import VehicleParameters

Length: TypeAlias = Annotated[Quantity[float], Is(LENGTH, rule=from_to(1e-3, 100.0))]
Angle: TypeAlias = Annotated[Quantity[float], Is(ANGLE, rule=from_to(1e-3, math.pi))]
Share: TypeAlias = Annotated[Quantity[float], Is(None, rule=from_to(1e-3, 10.0), plain_only=True)]
Speed: TypeAlias = Annotated[Quantity[float], Is(SPEED, rule=positive)]
TurnRate: TypeAlias = Annotated[Quantity[float], Is(TURN_RATE, rule=positive)]
PlainPositive: TypeAlias = Annotated[Quantity[float], Is(None, rule=positive, plain_only=True)]


HORIZON, ITERATIONS = 20, 1  # stages, and iterations per sample
SHORTEST_STAGE = 0.1  # s, so that the horizon does not shrink with the period


class WallSection(Section):
    """A half-space to stay out of: beyond a point, in the direction of a normal."""

    point: Annotated[Quantity[Vector3], Is(LENGTH, (3,))]
    normal: Annotated[Quantity[Vector3], Is(None, (3,), has_direction, plain_only=True)]


class PredictiveOptions(PartOptions):
    """Horizon, errors that cost equally much, limits, and the known current."""

    horizon: int | None = None
    stage: Annotated[Quantity[float], Is(TIME, rule=from_to(1e-3, 2.0))] | None = None
    position_error: Length | None = None
    heading_error: Angle | None = None
    tilt_error: Angle | None = None
    force_share: Share | None = None
    increment_share: Share | None = None
    force_rate: PlainPositive | None = None  # N/s
    max_speed: Speed | None = None
    max_turn_rate: TurnRate | None = None
    walls: list[WallSection] | None = None
    current: Annotated[Quantity[Vector3], Is(SPEED, (3,))] | None = None
    observer_time: Annotated[Quantity[float], Is(TIME, rule=positive)] | None = None
    iterations: int | None = None
    max_age: Age | None = None


class ProblemOptions(NamedTuple):
    """Options that the optimal control problem is made from."""

    horizon: int
    stage: float  # s
    weights: PredictiveWeights
    limits: PredictiveLimits
    period: float  # s, between samples

    def problem(self, parameters: VehicleParameters, disabled: tuple[str, ...] = ()) -> PredictiveProblem:
        """The problem of a vehicle without some thrusters."""
        return predictive_problem(
            parameters, self.horizon, self.stage, self.weights, self.limits, self.period, disabled
        )


@final
@dataclass(frozen=True, eq=False)
class PredictivePart(SafePart):
    """Commands of the thrusters; thrusters off while estimate or reference is unknown or old."""

    parameters: VehicleParameters
    control: PredictiveControl
    made_by: "ProblemOptions"
    max_age: float = LARGEST_AGE  # s, of the estimate
    disabled: tuple[str, ...] = ()

    def without_thrusters(self, disabled: tuple[str, ...]) -> "PredictivePart":
        """The same controller with forces of zero for these thrusters."""
        off = (*self.disabled, *disabled)
        control = replace(self.control, problem=self.made_by.problem(self.parameters, off))
        return replace(self, control=control, disabled=off)

    def taking_over(self, state: PredictiveState, lost: Mapping[str, float]) -> PredictiveState:
        """The state at the hand-over to the controller without thrusters, from the shares of thrust that they lost.

        The disturbance estimate holds the wrench that they lacked; from now on the model knows that they are off.
        """
        shares = np.array([lost.get(name, 0.0) for name in self.parameters.thruster_names])
        thrusts = np.array(state.thrusts)
        disturbance = np.array(state.disturbance) + allocation_matrix(self.parameters) @ (shares * thrusts)
        left = tuple(((1.0 - shares) * thrusts).tolist())
        sent = tuple(tuple(((1.0 - shares) * np.array(forces)).tolist()) for forces in state.sent)
        return state._replace(disturbance=tuple(disturbance.tolist()), thrusts=left, sent=sent)

    @property
    def uncontrollable(self) -> tuple[str, ...]:
        """Held or levelled degrees of freedom that cannot be controlled."""
        return pseudo_inverse(self.parameters, driven_axes(self.parameters), self.disabled).uncontrollable

    @property
    def walls(self) -> tuple[tuple[Vector3, float], ...]:
        """Unit normal n and distance d in m of half-spaces n.p <= d in N that the vehicle stays in."""
        return self.control.problem.limits.walls

    def wanted(self, reference: Any) -> tuple[float, ...]:
        """Pose and its rates."""
        return wanted_pose(reference)

    def controlled(self, state: PredictiveState, estimate: Estimate, now: PartInput) -> tuple[PredictiveState, Array]:
        """The commands of the first stage."""
        after, forces = self.control.step(state, estimate, now.reference)
        return after, np.array(commands_from_forces(self.parameters, forces.tolist(), estimate.twist))

    def safe_output(self) -> Array:
        """Thrusters off."""
        return np.array(commands_from_forces(self.parameters, [0.0] * self.control.problem.thrusters))

    def reports(self, before: PredictiveState, after: PredictiveState) -> Iterator[PartReport]:
        """Beginning and end of the safe output, and samples without a solution."""
        yield from safe_output_reports(before.is_safe, after.is_safe)
        if after.failures > before.failures:
            text = "optimisation without a solution: the plan of the previous sample is continued"
            if after.twist is None:
                text = "the motion leaves the valid speeds of the model: thrusters off"
            yield PartReport("warning", text, {"failures": after.failures})


def make_predictive(options: PredictiveOptions, onboard: VehicleContext) -> PredictivePart:
    """The predictive controller of a vehicle."""
    parameters = onboard.vehicle.parameters
    check_held_axes(onboard, "holds poses")
    check_valid_speeds(onboard)
    iterations = ITERATIONS if options.iterations is None else options.iterations
    if not 1 <= iterations <= 20:
        raise PartError(f"is {iterations}: must be from 1 to 20.", "iterations")
    stage = max(onboard.period, SHORTEST_STAGE) if options.stage is None else options.stage.value
    if stage < onboard.period:
        raise PartError(f"must be at least {onboard.period:.3g} s, the period of the controller.", "stage")
    horizon = HORIZON if options.horizon is None else options.horizon
    made_by = ProblemOptions(horizon, stage, _weights(options), _limits(options, onboard), onboard.period)
    try:
        problem = made_by.problem(parameters)
    except InputError as error:
        raise PartError(str(error), error.field if error.field in type(options).model_fields else "part") from None
    delays = Delays(*onboard.latencies, 1e-9 * max((drive.delay_ns for drive in parameters.drives), default=0))
    control = PredictiveControl(
        problem,
        options.current.value if options.current else ZERO3,
        options.observer_time.value if options.observer_time else observer_time(max(onboard.latencies)),
        iterations,
        delays,
    )
    return PredictivePart(parameters, control, made_by, age_of(options.max_age))


def _weights(options: PredictiveOptions) -> PredictiveWeights:
    given = {
        "position": options.position_error,
        "heading": options.heading_error,
        "tilt": options.tilt_error,
        "force": options.force_share,
        "increment": options.increment_share,
    }
    return PredictiveWeights()._replace(**{name: one.value for name, one in given.items() if one is not None})


def _limits(options: PredictiveOptions, onboard: VehicleContext) -> PredictiveLimits:
    """Limits, checked against the speeds of the guidance."""
    speed = options.max_speed.value if options.max_speed else None
    asked = max((onboard.asked_speeds or (0.0,) * 4)[:3])
    if speed is not None and asked > speed:
        raise PartError(
            f"is {speed:.3g} m/s, and the guidance asks for {asked:.3g} m/s. Raise it, or ask for less.", "max_speed"
        )
    return PredictiveLimits(
        options.force_rate.value if options.force_rate else None,
        speed,
        options.max_turn_rate.value if options.max_turn_rate else None,
        _walls(options, onboard.launch),
    )


def _walls(options: PredictiveOptions, launch: Vector3) -> tuple[tuple[Vector3, float], ...]:
    """Normal and distance of each wall; PartError for one that the vehicle starts beyond."""
    walls: list[tuple[Vector3, float]] = []
    for index, wall in enumerate(options.walls or ()):
        size = math.hypot(*wall.normal.value)
        x, y, z = (value / size for value in wall.normal.value)
        distance = dot3((x, y, z), wall.point.value)
        if (beyond := dot3((x, y, z), launch) - distance) > 0.0:
            message = f"the vehicle starts {beyond:.3g} m beyond it, on the side that its normal points to"
            raise PartError(f"{message}. Move the wall or the start, or reverse the normal.", "walls", index)
        walls.append(((x, y, z), distance))
    return tuple(walls)


PREDICTIVE = PartKind(
    "predictive", Role.CONTROL, PredictiveOptions, make_predictive, takes=(POSE,), gives_commands=True
)
