"""Margins of the control loop of a scenario, with a Monte Carlo over the parameters of the vehicle."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from remora.control.parts.fin_autopilot import FinPart
from remora.control.tuning.course_gains import CourseLoop, CourseTiming, settled_course
from remora.control.tuning.loop_margins import STABLE, LoopMargins, OperatingPoint, SampledLoop, linear_plant
from remora.control.tuning.sampled_plant import LoopTiming
from remora.equations.algebra.pose import BODY_SIZE, TWIST
from remora.equations.algebra.vectors import ZERO3
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.files.problems import Fix, InputError
from remora.messages.estimate import Estimate
from remora.messages.part import Role
from remora.plant.failures import RunError
from remora.plant.pack import pack
from remora.plant.plant import Plant
from remora.run.setup import ScheduledPart, Setup, VehicleSetup
from remora.run.stability.scenario_loop import (
    LoopOfVehicle,
    controlled_names,
    controlled_vehicles,
    loop_of,
    scenario_timing,
)
from remora.sensors import Stream
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.variants.scatter import Spread, scattered

SETTLING = 60.0  # s until the operating point
SPREAD = 0.3  # of all parameters
DRAWS, COARSE = 200, 160  # vehicles, and frequencies for each
LARGEST_SPEED = 20.0  # m/s; beyond it the settling run has diverged


class DrawnLoop(NamedTuple):
    """One vehicle of the Monte Carlo."""

    radius: float  # spectral radius of the closed loop
    gain: float  # smallest gain margin over the axes
    phase: float  # rad, smallest phase margin
    delay: float  # s, smallest delay margin


class RobustnessReport(NamedTuple):
    """Margins of a vehicle in a scenario."""

    scenario: str
    vehicle: str
    timing: LoopTiming
    water: Vector3  # m/s, current in N
    nominal: LoopMargins
    stable_share: float  # largest share of the gains at which the nominal loop is stable
    spread: float  # relative, of the drawn parameters
    draws: tuple[DrawnLoop, ...]
    locked: tuple[str, ...] = ()  # degrees of freedom that the model locks
    speed: float | None = None  # m/s ahead, of a vehicle that is steered by fins under way; None at rest

    @property
    def unstable(self) -> int:
        """Number of drawn vehicles with an unstable loop."""
        return sum(draw.radius >= STABLE for draw in self.draws)


def scenario_margins(
    setup: Setup, vehicle: str | None = None, draws: int = DRAWS, spread: float = SPREAD
) -> RobustnessReport:
    """Margins of the loop of one vehicle, and of that loop with other vehicles around the nominal one.

    None stands for the only vehicle with a controller. Of each drawn vehicle mass, added mass, damping, thrust and lag
    deviate by up to the relative spread, uniformly. Raises an InputError when the vehicle is unknown or its loop cannot
    be linearised.
    """
    chosen = _vehicle(setup, vehicle)
    if (fins := _fin_part(chosen)) is not None:
        return _course_report(setup, chosen, fins, draws, spread)
    found = loop_of(chosen)
    plant = Plant(chosen.nominal)
    water = setup.environment.at(0, found.start.p_NB).velocity
    point, state = _operating_point(found, plant, water)
    estimate = _estimate(point.body, found.start.time_ns)
    loop = found.sampled(state, estimate)
    nominal = loop.margins(plant.packed, point)
    share = 1.0 if nominal.is_stable else loop.stable_share(*linear_plant(plant.packed, point))
    drawn = tuple(_drawn(loop, plant, point, setup.seed + k, spread) for k in range(draws))
    return RobustnessReport(setup.name, chosen.name, found.timing, water, nominal, share, spread, drawn, plant.locked)


def _vehicle(setup: Setup, name: str | None) -> VehicleSetup:
    known = controlled_vehicles(setup)
    chosen = [vehicle for vehicle in known if name in (None, vehicle.name)]
    if len(chosen) != 1:
        what = "has no controlled vehicle" if not known else f"has {controlled_names(setup)}"
        fix = Fix("Choose one with {vehicle}.", {"vehicle": ""}, {"vehicle": "`vehicle`"})
        raise InputError(f'scenario "{setup.name}" {what}. {fix}').about("vehicle", name or "", fix=fix)
    return chosen[0]


def _fin_part(vehicle: VehicleSetup) -> ScheduledPart | None:
    """The controller that steers a vehicle by fins, which has no force at rest; None where there is none."""
    return next((part for part in vehicle.parts if isinstance(part.part, FinPart)), None)


def _course_report(
    setup: Setup, vehicle: VehicleSetup, part: ScheduledPart, draws: int, spread: float
) -> RobustnessReport:
    """Margins on the straight and level course at the speed of the guidance, through the water."""
    assert isinstance(part.part, FinPart)
    plant, period = Plant(vehicle.nominal, vehicle.plant.locked, vehicle.plant.simplifications), 1e-9 * part.period_ns
    timing, start = scenario_timing(vehicle, period), np.asarray(vehicle.start, dtype=float)
    guidance = next((one.part for one in vehicle.parts if one.role == Role.GUIDANCE), None)
    speed = (getattr(guidance, "peak_speeds", None) or (float(start[7]),))[0]
    point = settled_course(plant, part.part.autopilot, speed, float(start[2]))
    latency = max(timing.latency, timing.turn_latency or 0.0)
    loop = CourseLoop(part.part.autopilot, point, CourseTiming(period, latency))
    nominal = loop.margins(plant.packed)
    share = 1.0 if nominal.is_stable else loop.stable_share(plant.packed)
    drawn = tuple(_drawn_course(loop, plant, setup.seed + k, spread) for k in range(draws))
    return RobustnessReport(setup.name, vehicle.name, timing, ZERO3, nominal, share, spread, drawn, plant.locked, speed)


def _drawn_course(loop: CourseLoop, plant: Plant, seed: int, spread: float) -> DrawnLoop:
    """Margins with one drawn vehicle, on the same course."""
    drawn, thrust, lag = _drawn_vehicle(plant, seed, spread)
    slower = [t._replace(rise_time=lag * t.rise_time, fall_time=lag * t.fall_time) for t in drawn.thrusters]
    drawn = drawn._replace(thrusters=tuple(slower), fins=tuple(fin._replace(lag=lag * fin.lag) for fin in drawn.fins))
    return _drawn_loop(loop.margins(pack(drawn, plant.locked, plant.simplifications), COARSE, thrust))


def _estimate(body: Array, time_ns: int) -> Estimate:
    x, y, z, s, i, j, k, u, v, w, p, q, r = body.tolist()
    return Estimate(time_ns, (x, y, z), (s, i, j, k), (u, v, w, p, q, r))


def _operating_point(found: LoopOfVehicle, plant: Plant, water: Vector3) -> tuple[OperatingPoint, Any]:
    """Where the loop settles without lag and latency; the start where it does not settle."""
    start = plant.initial_state(found.start.p_NB, found.start.q_NB)
    body, held, wrench = start.copy(), found.chain.initial(), np.zeros(6)
    resting = start[BODY_SIZE : BODY_SIZE + plant.packed.actuators]
    period = 1e-9 * found.chain.period_ns
    first = None
    try:
        for k in range(round(SETTLING / period)):
            held, asked = found.chain(held, _estimate(body[:BODY_SIZE], k * found.chain.period_ns))
            wrench = found.actuation @ np.array(asked)
            first = held if first is None else first
            body = plant.step(body, resting, period, 4, wrench, water)
    except RunError:
        body = np.full(body.size, np.inf)
    if not np.abs(body[TWIST]).max() < LARGEST_SPEED:
        return OperatingPoint(start[:BODY_SIZE], np.zeros(6), ZERO3), first
    still = body[:BODY_SIZE].copy()
    still[7:] = 0.0
    return OperatingPoint(still, wrench, water), held


def _drawn(loop: SampledLoop, plant: Plant, point: OperatingPoint, seed: int, spread: float) -> DrawnLoop:
    """Margins with one drawn vehicle."""
    drawn, thrust, lag = _drawn_vehicle(plant, seed, spread)
    timing = loop.timing._replace(lag=lag * loop.timing.lag)
    changed = replace(loop, actuation=thrust * loop.actuation, timing=timing)
    return _drawn_loop(changed.margins(pack(drawn, plant.locked, plant.simplifications), point, COARSE))


def _drawn_vehicle(plant: Plant, seed: int, spread: float) -> tuple[VehicleParameters, float, float]:
    """Parameters around the nominal ones, and factors of thrust and lag."""
    stream, nominal = Stream(seed, "margins"), plant.vehicle.parameters
    mass = 0.0 if nominal.total_inertia_only else spread
    drawn = scattered(nominal, Spread(mass, 0.0, 0.0, spread, spread, spread, uniform=True, trimmed=True), stream)
    thrust, lag = (1.0 + spread * (2.0 * u - 1.0) for u in stream.of("loop").uniforms(0, 2))
    return drawn, thrust, lag


def _drawn_loop(found: LoopMargins) -> DrawnLoop:
    """The smallest margins over the axes."""
    margins = [axis.margins for axis in found.axes]
    return DrawnLoop(
        found.radius,
        min((min(m.gain, m.gain_reduction) for m in margins), default=np.inf),
        min((m.phase for m in margins), default=np.inf),
        min((m.delay for m in margins), default=np.inf),
    )
