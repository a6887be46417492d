"""Optimal control problem of the predictive controller: model, cost, limits and terminal conditions.

The model is the nominal vehicle with thrusters whose commands are effective forces behind their lag. Thrust curves and
command maps have no slope at rest, so that optimisation over commands would stall there; forces are optimised instead,
and converted into commands afterwards.

Errors of a state against its reference are twelve numbers: position in axes along the reference heading, rotation
(twice the vector part of the error quaternion), twist. The cost is half the weighted sum of squares of errors, of
forces minus the steady ones, and of their increments. The terminal cost comes from the linear-quadratic regulator at
rest.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np
import scipy.linalg

from remora.control.allocation.thrusters import HELD_AXES, pseudo_inverse
from remora.equations.actuators.laws.force import FORCE_LAW
from remora.equations.algebra.vectors import ZERO3
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.plant.dual.linearisation import STATE, PlantJacobian
from remora.plant.pack import PackedVehicle, pack
from remora.plant.rollouts import initial_state
from remora.vehicles.checks.actuation import levelled_axes, thrust_limits
from remora.vehicles.parameters import VehicleParameters, total_inertia


def force_model(parameters: VehicleParameters) -> VehicleParameters:
    """The vehicle with forces as commands, within the thrust limits at rest.

    Raises an InputError without thrusters, or when other actuators move the vehicle.
    """
    if not parameters.thrusters:
        raise InputError("the vehicle has no thrusters to optimise the forces of.").about("thrusters")
    others = (*parameters.fin_names, *parameters.servo_names, *parameters.moving_mass_names)
    if others:
        raise InputError(f"it optimises thrusters only, and the vehicle also has {', '.join(others)}.").about("part")
    thrusters = tuple(
        thruster._replace(
            effectiveness_forward=1.0,
            effectiveness_reverse=1.0,
            sense=1.0,
            fall_time=thruster.rise_time,
            command_minimum=float(low),
            command_maximum=float(high),
        )
        for thruster, (low, high) in zip(parameters.thrusters, thrust_limits(parameters), strict=True)
    )
    return parameters._replace(
        thrusters=thrusters,
        thrust_law=FORCE_LAW.code,
        mapped_commands=False,
        drives=(),
        pulse_drives=(),
        motors=(),
        quadrants=(),
    )


ERRORS = 12
LONGEST_STEP = 0.1  # s, of the integration of the model


class PredictiveWeights(NamedTuple):
    """Errors that cost as much as each other, in the sense of Bryson's rule."""

    position: float = 0.05  # m
    tilt: float = 0.15  # rad, roll and pitch
    heading: float = 0.05  # rad
    speed: float = 0.3  # m/s
    rate: float = 0.5  # rad/s
    force: float = 0.5  # share of the largest thrust, from the steady one
    increment: float = 0.5  # share of the largest thrust, per period


class PredictiveLimits(NamedTuple):
    """Limits beside those of the thrusters."""

    force_rate: float | None = None  # N/s of every thruster; None: no limit
    speed: float | None = None  # m/s in surge, sway and heave
    rate: float | None = None  # rad/s in roll, pitch and yaw
    walls: tuple[tuple[Vector3, float], ...] = ()  # n and d of half-spaces n.p <= d in N, m


DEFAULT_WEIGHTS, NO_LIMITS = PredictiveWeights(), PredictiveLimits()


class StageReference(NamedTuple):
    """Reference at the stages 1 to N."""

    positions: Array  # N x 3, m in N
    headings: Array  # N, rad
    twists: Array  # N x 6, m/s and rad/s in body axes


@final
@dataclass(frozen=True, eq=False)
class PredictiveProblem:
    """The problem of a vehicle; `predictive_problem` builds it."""

    packed: PackedVehicle  # model whose commands are forces
    horizon: int
    period: float  # s, of a stage
    sample: float  # s, between samples; a stage may be longer
    steps: int  # of the integration per stage
    state_weights: Array  # 12
    force_weights: Array  # n
    increment_weights: Array  # n
    terminal: Array  # (12 + n) x (12 + n), of errors and thrusts
    feedback: Array  # n x (12 + n), of the terminal regulator
    lowest: Array  # N, of every thruster
    highest: Array
    largest_increment: float  # N per stage; infinite without limit
    limits: PredictiveLimits
    steady: Array  # n x 6: forces for a wrench
    inertia: Array  # 6 x 6, with added mass

    @property
    def first_increment(self) -> float:
        """Largest change of a force from the previous sample, N."""
        return self.largest_increment * self.sample / self.period

    @property
    def thrusters(self) -> int:
        """Number of thrusters."""
        return self.lowest.size

    @property
    def size(self) -> int:
        """Number of optimised forces."""
        return self.horizon * self.thrusters

    def steady_forces(self, disturbance: Array) -> Array:
        """Forces that balance a wrench of the water, weight included, about B in body axes, within the limits."""
        return np.clip(-self.steady @ disturbance, self.lowest, self.highest)


def predictive_problem(
    parameters: VehicleParameters,
    horizon: int = 20,
    period: float = 0.1,
    weights: PredictiveWeights = DEFAULT_WEIGHTS,
    limits: PredictiveLimits = NO_LIMITS,
    sample: float | None = None,
    disabled: tuple[str, ...] = (),
) -> PredictiveProblem:
    """The problem for a vehicle: a horizon of stages of one period, s; samples are a stage apart unless given, s.

    Disabled thrusters give no force. Raises an InputError for a vehicle without thrusters or with other actuators, and
    for a limit that is not above zero.
    """
    _check(horizon, period, weights, limits)
    model = force_model(parameters)
    packed = pack(model)
    low, high = (np.array([getattr(t, f"command_{end}imum") for t in model.thrusters]) for end in ("min", "max"))
    largest = np.maximum(np.abs(low), np.abs(high))
    works = np.array([name not in disabled for name in model.thruster_names])
    axes = driven_axes(model)
    q = np.array(
        [weights.position] * 3 + [weights.tilt] * 2 + [weights.heading] + [weights.speed] * 3 + [weights.rate] * 3
    )
    steps = max(1, math.ceil(period / LONGEST_STEP - 1e-9))
    force_weights, increments = 1.0 / (weights.force * largest) ** 2, 1.0 / (weights.increment * largest) ** 2
    terminal, feedback = _regulator(packed, period, steps, q**-2, force_weights + increments, works)
    return PredictiveProblem(
        packed, horizon, period, period if sample is None else sample, steps, q**-2, force_weights, increments,
        terminal, feedback, low * works, high * works,
        math.inf if limits.force_rate is None else limits.force_rate * period, limits,
        pseudo_inverse(model, axes, disabled).inverse, np.array(total_inertia(model)),
    )  # fmt: skip


def driven_axes(parameters: VehicleParameters) -> tuple[int, ...]:
    """Degrees of freedom whose steady wrench the controller balances: those that are held or levelled."""
    return tuple(sorted((*HELD_AXES, *levelled_axes(parameters))))


def _regulator(
    packed: PackedVehicle, period: float, steps: int, Q: Array, R: Array, works: Array
) -> tuple[Array, Array]:
    """Cost matrix and feedback of the linear-quadratic regulator of the level vehicle at rest, heading north.

    Where the thrusters that work leave a direction uncontrolled there is none; that of all thrusters takes its place.
    """
    jacobian = PlantJacobian(packed, (*STATE, "commands"), period / steps, steps)
    count = packed.actuators
    state = initial_state(packed, ZERO3)
    _, J = jacobian(jacobian.inputs(state, np.zeros(count)))
    A, B = J[:, : ERRORS + count], J[:, ERRORS + count :]
    # A small weight of the thrusts themselves keeps the Riccati equation well posed.
    weights = np.diag(np.concatenate([Q, 1e-6 * R]))
    try:
        P = scipy.linalg.solve_discrete_are(A, B * works, weights, np.diag(R))
        B = B * works
    except np.linalg.LinAlgError:
        P = scipy.linalg.solve_discrete_are(A, B, weights, np.diag(R))
    return 0.5 * (P + P.T), np.linalg.solve(np.diag(R) + B.T @ P @ B, B.T @ P @ A)


def _check(horizon: int, period: float, weights: PredictiveWeights, limits: PredictiveLimits) -> None:
    if not 2 <= horizon <= 100:
        raise InputError(f"horizon is {horizon}: must be from 2 to 100 stages.").about("horizon", horizon)
    if not 0.0 < period < math.inf:
        raise InputError(f"period is {period}: must be above zero.").about("period", period)
    named = {**weights._asdict(), **{k: v for k, v in limits._asdict().items() if k != "walls" and v is not None}}
    for name, value in named.items():
        if not 0.0 < value < math.inf:
            raise InputError(f"{name} is {value:g}: must be above zero.").about(name, value)
