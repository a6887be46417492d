"""Navigation by the Falcon filters: additive with 19 states as in the source, or error states with late readings."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, NamedTuple, final

import numpy as np

from remora.equations.navigation.oscillating_force import oscillating_force, oscillating_force_rate
from remora.equations.types import Vector3
from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError
from remora.files.quantities import Is, Quantity, positive
from remora.files.units import FORCE, RATIO, TIME, TORQUE
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput, PartReport, Role
from remora.messages.part_options import PartError, PartKind, PartOptions, QuietPart, VehicleContext
from remora.navigation.falcon.cycle import AdditiveFalconFilter, CycleResult, ErrorStateFalconFilter
from remora.navigation.falcon.filter_setup import additive_filter, error_state_filter
from remora.navigation.falcon.models import MOTION_ERRORS, MOTION_STATES, THRUST_ERRORS, THRUST_STATES, refuse_layout
from remora.navigation.falcon.presets import DEFAULT, PRESETS, ModelNoise, OscillationPrior, additive_noise
from remora.navigation.falcon.sled import Sled, sled_of
from remora.navigation.faults.thruster_watch import speeds_after
from remora.navigation.filters import Belief
from remora.plant.pack import PackedVehicle
from remora.vehicles.vehicle import SensorEntry

# An effectiveness is low where it is below one less a tolerance of thrusters by this many standard deviations; chosen.
TOLERANCE, CERTAIN = 0.1, 3.0
# Options, and the fields of the model errors that they set.
_NOISE_OPTIONS = {
    "unmodelled_force": "force",
    "unmodelled_torque": "torque",
    "force_time": "force_time",
    "coefficient_error": "coefficients",
}


def _periods(value: tuple[float, float]) -> str | None:
    """Rule of two periods: above zero, the longest at least a tenth above the shortest."""
    return None if 0.0 < 1.1 * value[0] <= value[1] else "must be above zero, the second at least 1.1 times the first."


class FalconFilterOptions(PartOptions):
    """Preset, whether the effectiveness of the thrusters is estimated, and the forces that the model lacks."""

    preset: str | None = None
    effectiveness: bool | None = None
    unmodelled_force: Annotated[Quantity[float], Is(FORCE, rule=positive)] | None = None
    unmodelled_torque: Annotated[Quantity[float], Is(TORQUE, rule=positive)] | None = None
    coefficient_error: Annotated[Quantity[float], Is(RATIO, rule=positive)] | None = None
    force_time: Annotated[Quantity[float], Is(TIME, rule=positive)] | None = None
    oscillating_force: Annotated[Quantity[float], Is(FORCE, rule=positive)] | None = None
    oscillation_periods: Annotated[Quantity[tuple[float, float]], Is(TIME, (2,), _periods)] | None = None


class FalconFilterState(NamedTuple):
    """State of the filter, shaft speeds, and the readings that it withheld or rejected in the last cycle."""

    filter: Any
    time_ns: int
    speeds: tuple[float, ...]  # rad/s
    shadowed: tuple[bool, ...] = ()  # by station, at the last ranges
    rejected: tuple[tuple[str, int, float], ...] = ()  # sensor, stamp and normalised innovation squared
    weak: tuple[float, ...] = ()  # by thruster: effectiveness when its loss became certain, else 1


@final
@dataclass(frozen=True)
class FalconFilterPart(QuietPart):
    """The filter on board: shaft speeds from their sensors, or from the commands."""

    packed: PackedVehicle
    sled: Sled  # with scoped names
    preset: str
    with_effectiveness: bool
    launch: Vector3  # m, in N
    shafts: tuple[str, ...]  # scoped names of the shaft-speed sensors, one per thruster; empty without
    noise: ModelNoise
    thrusters: tuple[str, ...] = ()  # names

    @property
    def gives_sigma(self) -> bool:
        """Its estimates have standard deviations of the position."""
        return True

    @cached_property
    def filter(self) -> AdditiveFalconFilter | ErrorStateFalconFilter:
        """The compiled filter, made at the first use."""
        if self.preset != DEFAULT:
            return AdditiveFalconFilter(additive_filter(self.packed, self.sled, self.preset), self.sled)
        estimated = self.with_effectiveness
        made = error_state_filter(self.packed, self.sled, model=self.noise, with_effectiveness=estimated)
        return ErrorStateFalconFilter(made, self.sled, self.noise, estimated)

    def initial(self) -> FalconFilterState:
        """At rest at the launch position, thrusters off."""
        resting = (0.0,) * self.packed.actuators
        return FalconFilterState(self.filter.initial(position=self.launch, speeds=resting), 0, resting)

    def step(self, state: FalconFilterState, now: PartInput) -> tuple[FalconFilterState, Estimate]:
        """One cycle."""
        speeds = self._speeds(state, now)
        after, result = self.filter.step(state.filter, now.time_ns, speeds, now.new_readings)
        shadowed = result.shadowed or state.shadowed
        belief = after.belief
        x, y, z, s, i, j, k, u, v, w, p, q, r = belief.state[:13].tolist()
        sigma = np.sqrt(np.diag(belief.covariance)[:3]).tolist()
        estimate = Estimate(now.time_ns, (x, y, z), (s, i, j, k), (u, v, w, p, q, r), (sigma[0], sigma[1], sigma[2]))
        if self.noise.oscillation is not None:
            numbers = belief.state.tolist()
            estimate = estimate._replace(
                force_B=oscillating_force(numbers), force_rate_B=oscillating_force_rate(numbers)
            )
        weak = self._weak(state.weak, belief) if self.with_effectiveness else ()
        return FalconFilterState(after, now.time_ns, speeds, shadowed, _rejected(result), weak), estimate

    def _weak(self, known: tuple[float, ...], belief: Belief) -> tuple[float, ...]:
        """Effectiveness of the thrusters that have lost thrust when this became certain, one for the others."""
        found = belief.state[MOTION_STATES:THRUST_STATES]
        sigma = np.sqrt(np.diag(belief.covariance)[MOTION_ERRORS:THRUST_ERRORS])
        is_weak = found + CERTAIN * sigma < 1.0 - TOLERANCE
        before = np.array(known or (1.0,) * len(found))
        return tuple(np.where((before == 1.0) & is_weak, found, before).tolist())

    def _speeds(self, state: FalconFilterState, now: PartInput) -> tuple[float, ...]:
        """Shaft speeds now; a speed that is not measured is kept."""
        if not self.shafts:
            commands = now.commands or (0.0,) * self.packed.actuators
            return speeds_after(self.packed, state.speeds, commands, 1e-9 * (now.time_ns - state.time_ns))
        latest = {reading.sensor: reading.values[0] for reading in now.new_readings if reading.sensor in self.shafts}
        found = zip(self.shafts, state.speeds, strict=True)
        return tuple(speed if math.isnan(new := latest.get(name, math.nan)) else new for name, speed in found)

    def reports(self, before: FalconFilterState, after: FalconFilterState) -> Iterator[PartReport]:
        """Ranges withheld from now on or used again, thrusters that lost thrust, readings rejected by innovation."""
        known = before.shadowed or (False,) * len(after.shadowed)
        for i, (was, hidden) in enumerate(zip(known, after.shadowed, strict=True)):
            if was != hidden:
                what = "withheld: the hull is in the way" if hidden else "used again"
                yield PartReport("info", f"range to station {i + 1} {what}", {"station": i + 1, "withheld": hidden})
        earlier = before.weak or (1.0,) * len(after.weak)
        for thruster, last, share in zip(self.thrusters, earlier, after.weak, strict=False):
            if share < last:
                text = f"{thruster} has lost about {100.0 * (1.0 - share):.0f} % of its thrust"
                yield PartReport("warning", text, {"thruster": thruster, "lost": 1.0 - share})
        for sensor, stamp_ns, squared in after.rejected:
            yield PartReport(
                "warning",
                f"{sensor} rejected: normalised innovation squared {squared:.3g}",
                {"sensor": sensor, "stamp_ns": stamp_ns, "squared": squared},
            )


def _rejected(result: CycleResult) -> tuple[tuple[str, int, float], ...]:
    return tuple((one.sensor, one.stamp_ns, one.squared) for one in result.innovations if one.outcome == "rejected")


def make_falcon_filter(options: FalconFilterOptions, onboard: VehicleContext) -> FalconFilterPart:
    """The filter of a vehicle with the sensors of the sled."""
    preset, effectiveness = options.preset or DEFAULT, bool(options.effectiveness)
    if preset not in (*PRESETS, "printed"):
        raise PartError(f'unknown preset "{preset}". {suggestion(preset, PRESETS)}', "preset")
    if effectiveness and preset != DEFAULT:
        raise PartError(f"is estimated with the preset {DEFAULT} only.", "effectiveness")
    packed, noise = onboard.plant.packed, _model_noise(options, preset)
    try:
        if preset != DEFAULT:
            additive_noise(preset)
        refuse_layout(packed.layout)
        sled = sled_of(onboard.sensors.values(), onboard.site, noise.force_time)
    except InputError as error:
        raise PartError(str(error), "preset" if preset == "printed" else "part") from None
    scoped = {kind: f"{onboard.name}/{name}" for kind, name in sled.names.items()}
    shafts = tuple(f"{onboard.name}/{name}" for name in _shafts(onboard.sensors, packed.actuators))
    scoped_sled, names = sled._replace(names=scoped), onboard.plant.actuator_names
    return FalconFilterPart(packed, scoped_sled, preset, effectiveness, onboard.launch, shafts, noise, names)


def _model_noise(options: FalconFilterOptions, preset: str) -> ModelNoise:
    """Errors of the plant; PartError where a preset without them is asked for."""
    for name in (*_NOISE_OPTIONS, "oscillating_force", "oscillation_periods"):
        if preset != DEFAULT and getattr(options, name) is not None:
            raise PartError(f"is part of the preset {DEFAULT} only.", name)
    given = {field: getattr(options, name) for name, field in _NOISE_OPTIONS.items()}
    stated = {field: quantity.value for field, quantity in given.items() if quantity is not None}
    return ModelNoise(**stated, oscillation=_oscillation(options))


def _oscillation(options: FalconFilterOptions) -> OscillationPrior | None:
    """Prior of the oscillating force; PartError for a part of it, or beside the effectiveness of the thrusters."""
    force, periods = options.oscillating_force, options.oscillation_periods
    if force is None and periods is None:
        return None
    if force is None or periods is None:
        missing = "oscillating_force" if force is None else "oscillation_periods"
        raise PartError("an oscillating force needs its size and its shortest and longest period.", missing)
    if options.effectiveness:
        raise PartError("is not estimated together with the effectiveness of thrusters.", "oscillating_force")
    return OscillationPrior(force.value, periods.value)


def _shafts(sensors: Mapping[str, SensorEntry], thrusters: int) -> tuple[str, ...]:
    """Names of the shaft-speed sensors, one for each thruster; empty unless every one has a sensor with a sign."""
    found = {
        int(entry.parameters.get("thruster", 0)): name
        for name, entry in sensors.items()
        if entry.kind == "shaft_speed" and entry.parameters.get("signed")
    }
    return tuple(found[i] for i in range(thrusters)) if set(found) == set(range(thrusters)) else ()


FALCON_FILTER = PartKind("falcon_filter", Role.NAVIGATION, FalconFilterOptions, make_falcon_filter)
