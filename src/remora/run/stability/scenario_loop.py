"""Control loop of a vehicle in a scenario, as a chain that can be linearised: guidance, controllers and allocation.

The vehicle holds its start pose in the current of the scenario. Parts keep their own rates in a run; here they are
sampled at the period of the slowest controller, or of navigation or allocation that is more than six times as slow.
Guidance that is more than six times as slow as that keeps its own period: it closes the loops of position and heading,
and not those of the velocities and of levelling.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias, final

import numpy as np

from remora.control.parts.allocation import LeastForces, LimitedForces, SmoothedAllocation
from remora.control.tuning.loop_margins import SampledLoop, SlowGuidance
from remora.control.tuning.sampled_plant import (
    LoopTiming,
    drive_delay,
    linearised_chain,
    linearised_chains,
    thruster_lag,
)
from remora.equations.actuators.thrusters import effective_thrust
from remora.equations.algebra.four_axes import ZERO4, add4, scale4, subtract4
from remora.equations.algebra.quaternions import from_euler_zyx, to_euler_zyx
from remora.equations.algebra.vectors import ZERO3, ZERO6, add6
from remora.equations.types import Vector3, Vector4, Wrench
from remora.files.arrays import Array
from remora.files.problems import InputError, listed
from remora.guidance.mission import MissionTarget
from remora.guidance.velocity_guidance import VelocityGuidance, VelocityGuidanceState
from remora.messages.estimate import Estimate
from remora.messages.part import AllocationResult, PartInput, Role
from remora.messages.reference import VelocityReference
from remora.navigation.parts.instruments import Instruments
from remora.run.setup import ScheduledPart, Setup, VehicleSetup
from remora.vehicles.checks.actuation import allocation_matrix, steady_output, thrust_at

GuidanceState: TypeAlias = tuple[VelocityGuidanceState | None, VelocityReference | None]

UNSUPPORTED = {
    "TunnelFollowing": "measures ranges to walls, which a linearisation about open water does not have",
    "FinPart": "acts by fins, whose forces vanish at rest",
    "CommandSchedule": "has no feedback",
    "PredictivePart": "optimises within limits over a horizon, which a linearisation at rest does not describe",
}

MUCH_SLOWER = 6  # times; the hold of parts that are slower than the controllers by less does not count
HELD, RUN = 0.0, 1.0  # share of the latest velocity of the guidance in the reference


class HoldReference(NamedTuple):
    """Reference of a vehicle that holds a pose, with the fields of every kind of reference."""

    p_NR: Vector3  # m
    heading: float  # rad
    depth: float  # m
    velocity: Vector4 = ZERO4  # m/s and rad/s
    v_NR_N: Vector3 = ZERO3  # m/s
    heading_rate: float = 0.0  # rad/s
    speed: float = 0.0  # m/s
    waypoint: int = 0
    sink_rate: float = 0.0  # m/s
    force: Vector4 = ZERO4  # N and N m
    levels: bool = True


@final
@dataclass(frozen=True, eq=False)
class ScenarioLoop:
    """One sample of the software of a vehicle: guidance that depends on the estimate, controllers, commands."""

    controllers: tuple[Any, ...]
    guidance: VelocityGuidance | None
    reference: HoldReference
    period_ns: int
    as_wrench: Callable[[Any], Wrench]  # of the output of a controller
    guidance_samples: int = 1  # samples for which guidance is held
    guidance_share: float = RUN  # of its latest velocity in the reference, per sample

    def initial(self) -> tuple[Any, ...]:
        """States of guidance, with its latest reference, and controllers."""
        return ((None, None), *(part.initial() for part in self.controllers))

    def __call__(self, state: tuple[Any, ...], estimate: Estimate) -> tuple[tuple[Any, ...], Wrench]:
        """States after a sample, and the total wrench."""
        guided, reference = self._guided(state[0], estimate)
        after, total = [], ZERO6
        now = PartInput(estimate.time_ns, (), {}, estimate, reference, ZERO6, ZERO6, None)
        for part, before in zip(self.controllers, state[1:], strict=True):
            new, output = part.step(before, now)
            after.append(new)
            total = add6(total, ZERO6 if output is None else self.as_wrench(output))
        return (guided, *after), total

    def running_guidance(self) -> "ScenarioLoop":
        """A sample in which guidance runs at its own period."""
        period = 1e-9 * self.period_ns * self.guidance_samples
        guidance = None if self.guidance is None else replace(self.guidance, period=period)
        return replace(self, guidance=guidance, guidance_share=RUN)

    def holding_guidance(self) -> "ScenarioLoop":
        """A sample with the last reference of the guidance."""
        return replace(self, guidance_share=HELD)

    def _guided(self, state: GuidanceState, estimate: Estimate) -> tuple[GuidanceState, Any]:
        if self.guidance is None:
            return state, self.reference
        before, last = state
        if last is not None and self.guidance_share == HELD:
            return state, last
        begun = self.guidance.begun(estimate.time_ns, estimate) if before is None else before
        after, latest = self.guidance.step(begun, estimate.time_ns, estimate)
        if last is not None:
            change = scale4(self.guidance_share, subtract4(latest.velocity, last.velocity))
            latest = latest._replace(velocity=add4(last.velocity, change))
        return (after, latest), latest


class LoopOfVehicle(NamedTuple):
    """Loop of one vehicle with its timing, and how its thrusters answer a wrench."""

    chain: ScenarioLoop
    timing: LoopTiming
    actuation: Array  # 6 x 6
    start: Estimate

    def sampled(self, state: Any, estimate: Estimate) -> SampledLoop:
        """The linearised loop at a state of its software and an estimate."""
        software = linearised_chain(self.chain, state, estimate)
        samples = self.chain.guidance_samples
        if samples == 1:
            return SampledLoop(software, self.actuation, self.timing)
        turns = (self.chain.running_guidance(), self.chain.holding_guidance())
        update, hold = linearised_chains(turns, state, estimate)
        return SampledLoop(software, self.actuation, self.timing, SlowGuidance(update, hold, samples))


def loop_of(vehicle: VehicleSetup) -> LoopOfVehicle:
    """The control loop of a vehicle; an InputError without a controller that can be linearised at rest."""
    controllers = [part for part in vehicle.parts if part.role == Role.CONTROL]
    _check_controllers(vehicle, controllers)
    period_ns = _sampling_period(vehicle, max(part.period_ns for part in controllers))
    start = _start(vehicle)
    guidance = next((part for part in vehicle.parts if part.role == Role.GUIDANCE), None)
    law: VelocityGuidance | None = None if guidance is None else getattr(guidance.part, "station_keeping", None)
    samples = 1 if guidance is None or law is None else _samples_held(guidance.period_ns, period_ns)
    allocation = next((part.part for part in vehicle.parts if part.role == Role.ALLOCATION), None)
    heading = to_euler_zyx(start.q_NB)[2]
    reference = HoldReference(start.p_NB, heading, start.p_NB[2])
    chain = ScenarioLoop(
        tuple(part.part for part in controllers),
        _held_guidance(law, reference, period_ns),
        reference,
        period_ns,
        _wrench_of(vehicle) if allocation is None else lambda output: output,
        samples,
        2.0 / (samples + 1.0),  # first-order lag with the mean age of a held reference
    )
    actuation, smoothing = _actuation(allocation)
    timing = scenario_timing(vehicle, 1e-9 * period_ns)._replace(smoothing=smoothing)
    return LoopOfVehicle(chain, timing, actuation, start)


def _check_controllers(vehicle: VehicleSetup, controllers: list[ScheduledPart]) -> None:
    if not controllers:
        raise InputError(f'"{vehicle.name}" has no controller, so that there is no loop to judge.').about("control")
    for part in controllers:
        reason = UNSUPPORTED.get(type(part.part).__name__)
        if reason is not None:
            raise InputError(
                f'the margins of "{part.name}" of "{vehicle.name}" are not computed: it {reason}. '
                f"Run the scenario instead."
            ).about("control", part.name)


def _start(vehicle: VehicleSetup) -> Estimate:
    """The start of a vehicle, level and at rest."""
    x, y, z, s, i, j, k = np.asarray(vehicle.start, dtype=float)[:7].tolist()
    heading = to_euler_zyx((s, i, j, k))[2]
    return Estimate(0, (x, y, z), from_euler_zyx(0.0, 0.0, heading), ZERO6)


def _held_guidance(law: VelocityGuidance | None, reference: HoldReference, period_ns: int) -> VelocityGuidance | None:
    """The velocity guidance with the start pose as its only target."""
    p = reference.p_NR
    target = MissionTarget("go_to", 0, (p[0], p[1]), p[2], heading=reference.heading, dwell=math.inf)
    return None if law is None else replace(law, targets=(target,), zones=(), period=1e-9 * period_ns)


def _wrench_of(vehicle: VehicleSetup) -> Callable[[Any], Wrench]:
    """Wrench of a command row, by the steady thrust at rest."""
    parameters = vehicle.nominal.parameters
    matrix = allocation_matrix(parameters)

    def wrench(output: Any) -> Wrench:
        commands = output.commands if isinstance(output, AllocationResult) else output
        forces = [
            effective_thrust(t, thrust_at(parameters, i, steady_output(parameters, i, float(commands[i])), 0.0))
            for i, t in enumerate(parameters.thrusters)
        ]
        X, Y, Z, K, M, N = (matrix @ forces).tolist()
        return (X, Y, Z, K, M, N)

    return wrench


def _actuation(allocation: Any) -> tuple[Array, float]:
    """Wrench of the thrusters per desired one, and the gain of the smoothing."""
    smoothing = 0.0
    if isinstance(allocation, SmoothedAllocation):
        smoothing, allocation = allocation.gain, allocation.allocation
    if isinstance(allocation, LeastForces | LimitedForces):
        return allocation.allocation.matrix @ allocation.allocation.inverse, smoothing
    return np.eye(6), smoothing


def scenario_timing(vehicle: VehicleSetup, period: float) -> LoopTiming:
    """Period, lag and latencies; a sensor that navigation holds until the next reading is half a period late.

    The delay of the drives adds to the latencies. Filters and the truth count as without latency.
    """
    parameters = vehicle.nominal.parameters
    lag, delay = thruster_lag(parameters), drive_delay(parameters)
    navigation = next((part.part for part in vehicle.parts if part.role == Role.NAVIGATION), None)
    if not isinstance(navigation, Instruments):
        return LoopTiming(period, lag, delay)
    return LoopTiming(period, lag, delay + navigation.motion_latency, delay + navigation.turn_latency)


def _sampling_period(vehicle: VehicleSetup, period_ns: int) -> int:
    """Period of the loop: that of the controllers, or of navigation or allocation that is much slower, ns."""
    others = [part.period_ns for part in vehicle.parts if part.role in (Role.NAVIGATION, Role.ALLOCATION)]
    slowest = max(others, default=0)
    return slowest if slowest > MUCH_SLOWER * period_ns else period_ns


def _samples_held(guidance_ns: int, period_ns: int) -> int:
    """Samples of a loop for which the reference of its guidance is held, from both periods; 1 where it hardly is."""
    return round(guidance_ns / period_ns) if guidance_ns > MUCH_SLOWER * period_ns else 1


def controlled_vehicles(setup: Setup) -> list[VehicleSetup]:
    """Vehicles with a controller, and assemblies as their composite, with navigation of their first module."""
    by_name = {vehicle.name: vehicle for vehicle in setup.vehicles}
    wholes = []
    for one in setup.assemblies:
        navigation = [part for part in by_name[one.modules[0]].parts if part.role == Role.NAVIGATION]
        wholes.append(replace(one.vehicle, parts=(*navigation, *one.vehicle.parts)))
    return [one for one in (*setup.vehicles, *wholes) if any(part.role == Role.CONTROL for part in one.parts)]


def controlled_names(setup: Setup) -> str:
    """Names of the vehicles and assemblies with a controller, for messages."""
    return listed(vehicle.name for vehicle in controlled_vehicles(setup))
