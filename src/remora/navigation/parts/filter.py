"""Part `filter`: the navigation filter of the sensor suite of a vehicle."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, final

from remora.files.problems import InputError
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput, PartReport, Role
from remora.messages.part_options import (
    Beginning,
    MissingSensorError,
    PartError,
    PartKind,
    QuietPart,
    Remark,
    VehicleContext,
)
from remora.messages.reading import Reading, Status
from remora.navigation.faults.thruster_monitor import PERIOD, ThrusterMonitor
from remora.navigation.faults.thruster_watch import LARGEST_SPEED_ERROR, ThrusterWatch, WatchState
from remora.navigation.filters import Belief, Innovation
from remora.navigation.inertial.aiding_sensors import REST, REST_PERIOD_NS, AidingSensor, unchanged
from remora.navigation.inertial.inertial_filter import InertialFilter, InputMean, Launch, make_inertial_filter
from remora.navigation.inertial.input_gaps import GAP_NS, InputGap, coasting_estimate, coasting_input, coasting_reading
from remora.navigation.inertial.sensor_health import (
    SensorHealth,
    after_refusal,
    after_result,
    at_time,
    health_reports,
    refusal,
)
from remora.navigation.inertial.suite import LARGEST_TURN, SensorSuite, excessive_biases, sensor_suite, unknown_points
from remora.navigation.parts.filter_options import (
    FilterOptions,
    Pause,
    RestTime,
    fitted,
    further_states,
    launch_of,
    rests_of,
    sensor_pauses,
)
from remora.navigation.parts.known_quantities import KnownQuantities, unmeasured_quantities
from remora.plant.plant import Plant

LARGE_TURN = 0.75 * LARGEST_TURN  # the same, until which a warning of it holds
INPUTS = -1  # place of the inertial unit among the aiding sensors
_new_tuple = tuple.__new__  # quicker than the constructor of a named tuple, for hundreds of readings a second
_PARTIAL = Status.PARTIAL


class FilterState(NamedTuple):
    """State of the part."""

    belief: Belief | None
    mean: InputMean | None
    pending: tuple[Reading, ...]  # before the alignment
    health: tuple[SensorHealth, ...]
    knows_velocity: bool = False
    gap: InputGap | None = None  # in the inertial readings
    thrusters: WatchState | None = None
    backwards: int = 0  # inertial readings of this sample with a stamp that is not later than the one before
    is_vague: bool = False  # whether the error of the attitude is too large for a linearised filter
    knows_depth: bool = True

    @property
    def is_coasting(self) -> bool:
        """Whether inertial readings are missing."""
        return self.gap is not None and self.gap.until_ns is None


@final
@dataclass(frozen=True)
class NavigationFilter(QuietPart):
    """Estimate of the navigation filter."""

    prefix: str  # of the names of the sensors: vehicle and slash
    filter: InertialFilter
    launch: Launch
    pauses: tuple[Pause, ...]
    watch: ThrusterWatch | None = None
    rests: tuple[RestTime, ...] = ()  # times on the bottom
    gives_sigma = True
    gives_motion_sigma = True

    def initial(self) -> FilterState:
        """No readings yet."""
        health = (SensorHealth(),) * len(self.filter.suite.aidings)
        thrusters = self.watch.initial() if self.watch is not None else None
        knows = self._known.knows_launch
        return FilterState(None, None, (), health, knows_velocity=knows, thrusters=thrusters)

    @cached_property
    def _measures_velocity(self) -> bool:
        """Whether a sensor measures the velocity."""
        return self.filter.suite.aiding("velocity") is not None

    @cached_property
    def _known(self) -> KnownQuantities:
        """When velocity and depth are known."""
        return KnownQuantities(self.filter.suite, self.launch.speed_sigma)

    def unmeasured(self, state: FilterState) -> dict[str, str]:
        """Velocity, depth and attitude while none of the sensors that bound them is used."""
        return unmeasured_quantities(self.filter.suite, [one.status for one in state.health], state.is_vague)

    @property
    def unknown(self) -> dict[str, str]:
        """The velocity, where nothing bounds it and it is not known at the start."""
        return self._known.never

    @property
    def begins(self) -> tuple[Beginning, ...]:
        """Starts of the pauses and of the times on the bottom."""
        pauses = [Beginning(("pauses", i, "from"), pause.from_ns) for i, pause in enumerate(self.pauses)]
        return (*pauses, *(Beginning(("at_rest", i, "from"), rest.from_ns) for i, rest in enumerate(self.rests)))

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """Doubts about the standard deviations."""
        texts = (excessive_biases(self.filter.suite), unknown_points(self.filter.suite))
        remarks = [Remark(("part",), text) for text in texts if text]
        if self.watch is not None and not self._measures_velocity:
            limit = f"{100.0 * LARGEST_SPEED_ERROR:g} cm/s"
            text = f"without a velocity sensor thrusters are judged only while the velocity is known to {limit}"
            remarks.append(Remark(("thruster_faults",), text))
        return tuple(remarks)

    def step(self, state: FilterState, now: PartInput) -> tuple[FilterState, Estimate | None]:
        """Filter the new readings; the estimate at this time, None before the alignment."""
        readings = self._own(now.new_readings)
        if state.belief is None:
            state = self._aligned(state, readings)
            if state.belief is None:
                return state, None
            readings, state = list(state.pending), state._replace(pending=())
        if self.rests:
            readings += self._resting(state, now.time_ns)
        before = state.belief
        assert before is not None
        inputs, state = self._inputs(state, readings, now.time_ns)
        aiding, health = self._usable(state.health, readings)
        filtering = self.filter.filter
        # A late reading filters a gap again that is over: its wide noise stays until the filter has forgotten the gap.
        if state.gap is not None:
            filtering, aiding = self.filter.coasting, [coasting_reading(self.filter, one) for one in aiding]
        belief, results = filtering.step(before, [*inputs, *aiding])
        gap = None if state.gap is not None and state.gap.is_over(belief) else state.gap
        known = self._health_after(health, results, now.time_ns)
        state = FilterState(belief, state.mean, state.pending, known, state.knows_velocity, gap, *state[6:])
        # The turn rate of the estimate comes from the newest reading, not from the mean that the filter holds as input.
        last = state.mean.last if state.mean is not None and not state.is_coasting else ()
        estimate = self.filter.estimate(belief, now.time_ns, last)
        estimate = coasting_estimate(self.filter, estimate) if state.is_coasting else estimate
        estimate, knows = self._known.without_unknown(estimate, (state.knows_velocity, state.knows_depth))
        if knows != (state.knows_velocity, state.knows_depth):
            state = state._replace(knows_velocity=knows[0], knows_depth=knows[1])
        vague = max(estimate.sigma_turn_B) > (LARGE_TURN if state.is_vague else LARGEST_TURN)
        state = state if vague == state.is_vague else state._replace(is_vague=vague)
        return self._watched(state, estimate, readings, now), estimate

    def _health_after(
        self, health: list[SensorHealth], results: tuple[Innovation, ...], time_ns: int
    ) -> tuple[SensorHealth, ...]:
        """The health of all aiding sensors at a time, after the results of the filter."""
        places, sensors = self._places, self.filter.suite.aidings
        for result in results:
            i = places[result[0]]
            if i != INPUTS:
                health[i] = after_result(health[i], result, sensors[i])
        return tuple([at_time(one, sensor, time_ns) for one, sensor in zip(health, sensors, strict=True)])

    def _own(self, readings: Sequence[Reading]) -> list[Reading]:
        """Readings of the sensors of the filter, by their names without the name of the vehicle."""
        names, found = self._names, []
        for reading in readings:
            name = names.get(reading[0])
            if name is not None:
                found.append(_new_tuple(Reading, (name, *reading[1:])))
        return found

    @cached_property
    def _places(self) -> dict[str, int]:
        """Place of each sensor among the aiding ones; INPUTS for the inertial unit."""
        suite = self.filter.suite
        return {suite.inputs.name: INPUTS, **{sensor.name: i for i, sensor in enumerate(suite.aidings)}}

    @cached_property
    def _names(self) -> dict[str, str]:
        """Names of the sensors, by these and by those with the name of the vehicle before them."""
        return {scoped: name for name in self._places for scoped in (name, self.prefix + name)}

    def _resting(self, state: FilterState, now_ns: int) -> list[Reading]:
        """The zero velocity of a vehicle on the bottom, some times a second."""
        if not any(rest.from_ns <= now_ns < rest.until_ns for rest in self.rests):
            return []
        if now_ns - state.health[self._places[REST]].used_ns < REST_PERIOD_NS:
            return []
        return [Reading(REST, now_ns, now_ns, Status.OK, (0.0, 0.0, 0.0))]

    def _watched(self, state: FilterState, estimate: Estimate, readings: list[Reading], now: PartInput) -> FilterState:
        """The state with the thrusters compared with the motion."""
        if self.watch is None or state.thrusters is None or state.belief is None:
            return state
        name = self.filter.suite.inputs.name
        used = [r for r in readings if r.sensor == name and _is_sound(r)] if state.gap is None else []
        inertial = [r._replace(values=self.filter.body_inputs(r.values)) for r in used]
        after = self.watch.step(state.thrusters, estimate, state.belief.state, inertial, now.commands)
        return state._replace(thrusters=after)

    @property
    def is_detecting(self) -> bool:
        """Whether thrusters are watched."""
        return self.watch is not None

    def failed_thrusters(self, state: FilterState) -> tuple[str, ...]:
        """Thrusters that lost thrust, for control allocation."""
        return tuple(self.lost_thrust(state))

    def tested_thrusters(self, state: FilterState) -> tuple[str, ...]:
        """Thrusters that the allocation leaves out for a test."""
        return () if self.watch is None or state.thrusters is None else self.watch.tested(state.thrusters)

    def lost_thrust(self, state: FilterState) -> dict[str, float]:
        """Shares of the thrust that are lost, by name of the thruster."""
        return {} if self.watch is None or state.thrusters is None else self.watch.failed(state.thrusters)

    def watching(self, plant: Plant | None) -> "NavigationFilter":
        """The same filter, which compares the motion with an assembly about the same origin, or with nothing."""
        if plant is None:
            return replace(self, watch=None)
        monitor = ThrusterMonitor(plant, plant.actuator_names)
        return replace(self, watch=ThrusterWatch(monitor, self.filter))

    def watching_from(self, state: FilterState, lost: Mapping[str, float]) -> FilterState:
        """The state with the thrusters watched from now on; shares of the thrust are known to be lost."""
        return state._replace(thrusters=None if self.watch is None else self.watch.initial(lost))

    def reports(self, before: FilterState, after: FilterState) -> Iterator[PartReport]:
        """Changes of the health of sensors."""
        for sensor, old, new in zip(self.filter.suite.aidings, before.health, after.health, strict=True):
            if old is not new and (old[0] != new[0] or old[5] != new[5]):  # status or size of innovations
                yield from health_reports(sensor.name, old, new)
        if self.watch is not None and before.thrusters is not None and after.thrusters is not None:
            known = self.watch.failed(before.thrusters)
            for thruster, lost in self.watch.failed(after.thrusters).items():
                if thruster not in known:
                    text = f"{thruster} has lost about {100.0 * lost:.0f} % of its thrust"
                    yield PartReport("warning", text, {"thruster": thruster, "lost": lost})
        name = self.filter.suite.inputs.name
        if after.is_coasting and not before.is_coasting:
            text = f"{name} is lost: constant velocity is assumed, with growing uncertainty"
            yield PartReport("warning", text, {"sensor": name, "health": "lost"})
        elif before.is_coasting and not after.is_coasting:
            yield PartReport("info", f"{name} is used again", {"sensor": name, "health": "good"})
        if after.is_vague and not before.is_vague:
            limit = math.degrees(LARGEST_TURN)
            text = f"the attitude is known to {limit:.0f} deg only: a linearised filter is overconfident beyond"
            yield PartReport("warning", f"{text}. Fit a heading sensor or better gyros", {"deviation_deg": limit})
        if after.backwards and not before.backwards:
            text = f"the clock of {name} runs backwards or repeats a stamp; its readings are not used until it goes on"
            yield PartReport("warning", text, {"sensor": name})

    def _is_paused(self, reading: Reading) -> bool:
        return any(pause.covers(reading) for pause in self.pauses)

    def _usable(
        self, health: tuple[SensorHealth, ...], readings: list[Reading]
    ) -> tuple[list[Reading], list[SensorHealth]]:
        """Readings for the filter, and the health after those that are refused at once."""
        found, states = [], list(health)
        places, sensors = self._places, self.filter.suite.aidings
        for reading in readings:
            i = places[reading[0]]
            if i == INPUTS or (self.pauses and self._is_paused(reading)):
                continue
            sensor = sensors[i]
            if reason := refusal(sensor, reading):
                states[i] = after_refusal(states[i], reason)
            elif sensor.convert is unchanged:
                found.append(reading)
            else:
                found.append(_new_tuple(Reading, (*reading[:4], sensor.convert(reading.values))))
        return found, states

    def _inputs(self, state: FilterState, readings: list[Reading], now_ns: int) -> tuple[list[Reading], FilterState]:
        """Inputs of the filter from inertial readings in order; in their gaps, inputs of constant velocity."""
        inputs, backwards, mean = [], 0, state.mean
        filtering, name = self.filter, self.filter.suite.inputs.name
        for reading in readings:
            if reading[0] != name or mean is None or not _is_sound(reading):
                continue
            stamp_ns = reading[1]
            if stamp_ns <= mean.last_ns:
                backwards += 1
                continue
            values = filtering.body_inputs(reading[4])
            if filtering.is_frozen(mean, values):  # as if it were silent: a gap from the last good reading on
                continue
            if stamp_ns - mean.last_ns > GAP_NS:
                # The gap began and ended between two steps, or ends now.
                inputs += self._coasting(state, mean.last_ns) if state.gap is None else []
                state = state._replace(gap=_gap(state._replace(mean=mean))._replace(until_ns=stamp_ns))
                mean, made = filtering.started(stamp_ns, values), None
            else:
                mean, made = filtering.averaged(mean, stamp_ns, values)
            if made is not None:
                inputs.append(made)
        state = FilterState(state[0], mean, *state[2:7], backwards, *state[8:])
        if mean is not None and now_ns - mean.last_ns > GAP_NS:
            inputs += self._coasting(state, mean.last_ns) if state.gap is None else []
            inputs += self._coasting(state, now_ns)  # at each step, so that what is held follows the estimate
            state = state._replace(gap=_gap(state)._replace(until_ns=None))
        return inputs, state

    def _coasting(self, state: FilterState, stamp_ns: int) -> list[Reading]:
        return [coasting_input(self.filter, state.belief, stamp_ns)] if state.belief is not None else []

    def _aligned(self, state: FilterState, readings: list[Reading]) -> FilterState:
        """The state with a belief once attitude and inertial readings are there; they are kept until then."""
        suite = self.filter.suite
        kept = (*state.pending, *readings)
        sensor, driven = suite.aiding("attitude"), bool(suite.inputs.driven_by)
        first = _first(kept, sensor, self._is_paused)
        inertial = [r for r in kept if r.sensor == suite.inputs.name and _is_sound(r)]
        if (sensor is not None and first is None) or (driven and not inertial):
            return state._replace(pending=kept)
        stamp = first.stamp_ns if first is not None else inertial[0].stamp_ns if inertial else 0
        near = min(inertial, key=lambda r: abs(r.stamp_ns - stamp)) if driven else None
        values = self.filter.body_inputs(near.values) if near is not None else ()
        belief = self.filter.aligned(self.launch, stamp, values, first.values if first is not None else None)
        mean = self.filter.started(stamp, values) if driven else None
        # Readings from before the attitude are of no use; the inertial one at hand has become the start of the mean.
        later = tuple(r for r in kept if r.stamp_ns > stamp or (r.stamp_ns == stamp and r is not near))
        return state._replace(belief=belief, mean=mean, pending=later)


def _gap(state: FilterState) -> InputGap:
    """The gap at hand, or one that begins now."""
    return state.gap or InputGap(None)


def _is_sound(reading: Reading) -> bool:
    return reading[3] <= _PARTIAL and math.isfinite(sum(reading[4]))


def _first(readings: tuple[Reading, ...], sensor: AidingSensor | None, is_paused: Any) -> Reading | None:
    """The first sound reading of the attitude sensor, with the angles that the filter takes."""
    for reading in readings:
        if sensor is None or sensor.angles is None or reading.sensor != sensor.name or is_paused(reading):
            continue
        if _is_sound(reading):
            return reading._replace(values=sensor.angles(reading.values))
    return None


def make_filter(options: FilterOptions, onboard: VehicleContext) -> NavigationFilter:
    """The filter of the sensors of a vehicle."""
    entries = fitted(options, onboard)
    try:
        rests = rests_of(options.at_rest)
        suite = sensor_suite(entries, onboard.errors, onboard.site, further_states(options.states), bool(rests))
        pauses = sensor_pauses(options, onboard, suite)
        if onboard.lacks_sensors:  # the filter of the others would be compiled in vain
            raise MissingSensorError("some of its sensors are refused.", "part")
        _check_attitude(suite, options)
        made = make_inertial_filter(suite, extra_lag=2.0 * onboard.period)
    except PartError:
        raise
    except InputError as error:
        path = error.field.split(".") if error.field.startswith("states.") else ("part",)
        raise MissingSensorError(f"{error}.", *path) from None
    mean = 0.0 if suite.aiding("velocity") else further_states(options.states).mean_velocity
    launch = launch_of(options.launch, onboard.launch, onboard.launch_velocity, mean)
    part = NavigationFilter(f"{onboard.name}/", made, launch, pauses, rests=rests)
    if not options.thruster_faults:
        return part
    plant = _watched_plant(made, onboard)
    return replace(part, watch=ThrusterWatch(ThrusterMonitor(plant, plant.actuator_names), made))


def _watched_plant(made: InertialFilter, onboard: VehicleContext) -> Plant:
    """The plant of a vehicle whose thrusters can be watched: it has an inertial unit and no other actuators."""
    packed = onboard.plant.packed
    if not packed.layout.thrusters or packed.actuators != packed.layout.thrusters:
        raise PartError("needs a vehicle whose only actuators are thrusters.", "thruster_faults")
    if made.suite.inputs.driven_by != "imu":
        raise PartError("needs an imu among the sensors of the filter.", "thruster_faults")
    if onboard.period > PERIOD:
        raise PartError(f"needs a rate of the filter of at least {1.0 / PERIOD:g} Hz.", "thruster_faults")
    return onboard.plant


def _check_attitude(suite: SensorSuite, options: FilterOptions) -> None:
    """Refuse a suite that never tells the attitude at the start."""
    if suite.aiding("attitude") is not None:
        return
    if options.launch is None or options.launch.heading is None:
        raise PartError("no sensor gives the attitude: fit an ahrs, compass or ins, or give the heading.", "launch")
    if suite.inputs.driven_by != "imu":
        raise PartError("no sensor gives roll and pitch: fit an imu, ahrs, compass or ins.", "launch", "heading")


FILTER = PartKind("filter", Role.NAVIGATION, FilterOptions, make_filter)
