"""Lyapunov velocity guidance as a part: options, checks and events."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias, final

from pydantic import Field as Default

from remora.equations.guidance.keep_out import Zone
from remora.equations.guidance.lyapunov import AXIS_BY_AXIS, DIRECT, DIRECTED, PITCH_AWARE, ROTATED, LyapunovLaw
from remora.equations.types import FourDof, Vector3, Vector4
from remora.files.quantities import Is, Quantity, not_negative, positive
from remora.guidance.mission import MissionTarget
from remora.guidance.parts import GuidancePart
from remora.guidance.parts.mission_sections import (
    BehaviourSection,
    ZoneSection,
    battery_capacity,
    check_moving_targets,
    check_no_push,
    check_start,
    keep_out_zones,
    mission_goals,
    mission_remarks,
    mission_targets,
)
from remora.guidance.parts.mission_soundings import AvoidanceSection, MissionSensors, PipeFinderSection, mission_sensors
from remora.guidance.velocity_guidance import (
    APPROACH_RATE,
    FALCON_INTEGRAL,
    FALCON_LOWER,
    FALCON_PROPORTIONAL,
    FALCON_SPEEDS,
    FALCON_UPPER,
    VelocityGuidance,
    VelocityGuidanceState,
    lyapunov_law,
)
from remora.guidance.waypoints import unfinished_text
from remora.messages.estimate import POSE_AND_MOTION
from remora.messages.part import PartInput, PartReport, ReachedPoint, Role
from remora.messages.part_options import Goal, PartError, PartKind, PartOptions, Remark, VehicleContext
from remora.messages.reference import VELOCITY, VELOCITY_FIELDS, VelocityReference
from remora.vehicles.names import FOUR_AXES

FourPositive: TypeAlias = Annotated[Quantity[Vector4], Is(None, (4,), not_negative, plain_only=True)]
HEAVE = {"rotated": ROTATED, "direct": DIRECT, "pitch_aware": PITCH_AWARE}
LIMITS = {"directed": DIRECTED, "axis_by_axis": AXIS_BY_AXIS}


class LyapunovOptions(PartOptions):
    """Mission, gains and limits for surge, sway, heave and yaw, and keep-out zones."""

    mission: list[BehaviourSection]
    proportional_gains: FourPositive | None = None
    integral_gains: FourPositive | None = None
    max_speeds: FourPositive | None = None
    max_integrals: FourPositive | None = None
    upper_thresholds: FourPositive | None = None
    lower_thresholds: FourPositive | None = None
    heave: Literal["direct", "rotated", "pitch_aware"] = "direct"
    limits: Literal["directed", "axis_by_axis"] = "directed"
    altimeter: str | None = None
    pipe: PipeFinderSection | None = None
    avoid: AvoidanceSection | None = None
    keep_out: list[ZoneSection] = Default(default_factory=list)
    approach_rate: Annotated[Quantity[float], Is(None, (), positive, plain_only=True)] | None = None


@final
@dataclass(frozen=True)
class LyapunovPart(GuidancePart):
    """Body velocities along a mission; none while the estimate is incomplete."""

    guidance: VelocityGuidance
    launch: Vector3  # m in N, expected start
    sensors: MissionSensors
    needs = POSE_AND_MOTION
    fields = VELOCITY_FIELDS

    @property
    def peak_speeds(self) -> FourDof:
        """The speed limits."""
        return self.guidance.law.highest

    @property
    def station_keeping(self) -> VelocityGuidance:
        """The law from position to velocity, for the linearisation of the loop."""
        return self.guidance

    @property
    def zones(self) -> tuple[Zone, ...]:
        """Keep-out zones, for pictures of the log."""
        return self.guidance.zones

    @property
    def goals(self) -> tuple[Goal, ...]:
        """Places of all targets."""
        return mission_goals(self.guidance.targets, self.launch)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """Behaviours that may not do what they say."""
        return mission_remarks(self.guidance.targets)

    def initial(self) -> VelocityGuidanceState | None:
        """Before the first step."""
        return None

    def step(
        self, state: VelocityGuidanceState | None, now: PartInput
    ) -> tuple[VelocityGuidanceState | None, VelocityReference | None]:
        """The reference; None while the estimate is incomplete."""
        if now.estimate is None or not now.estimate.is_complete:
            return state, None
        begun = self.guidance.begun(now.time_ns, now.estimate) if state is None else state
        return self.guidance.step(begun, now.time_ns, now.estimate, self.sensors.sounding(now))

    def unfinished(self, state: VelocityGuidanceState | None) -> str:
        """Number of targets reached, and a keep-out zone in the way; empty when all are."""
        text = unfinished_text(0 if state is None else state.mission.target, len(self.guidance.targets))
        return f"{text}{self.guidance.zone_text(state)}" if text and state is not None else text

    def latest_reached(self, state: VelocityGuidanceState | None) -> ReachedPoint | None:
        """The latest target that was reached; None before the first."""
        number = 0 if state is None else state.mission.target
        return ReachedPoint(number, self.guidance.targets[number - 1].tolerance) if number else None

    def lost_target(self, state: VelocityGuidanceState | None) -> str:
        """Text while a pipeline or the bed is not seen; empty otherwise."""
        return "" if state is None else self.guidance.lost_target(state)

    def charging_power(self, state: VelocityGuidanceState | None) -> float:
        """Power that the station gives at present, W."""
        return 0.0 if state is None else self.guidance.charging_power(state)

    def distance_error(self, state: VelocityGuidanceState | None) -> float | None:
        """Horizontal distance from the pipeline that is followed, m; None where there is none."""
        return None if state is None else self.guidance.pipeline_error(state)

    def reports(
        self, before: VelocityGuidanceState | None, after: VelocityGuidanceState | None
    ) -> Iterator[PartReport]:
        """Behaviours begun and done, and changes between P and PI mode."""
        if after is None:
            return
        targets, count = self.guidance.targets, len(self.guidance.targets)
        first = 0 if before is None else before.mission.target
        for index in range(first, after.mission.target):
            text = f"{targets[index].behaviour} done, target {index + 1} of {count}"
            yield PartReport("info", text, {"waypoint": index + 1, "of": count, "behaviour": targets[index].behaviour})
        if after.mission.target > first or before is None:
            yield self._begun(after.mission.target)
        if before is not None and before.law.integrates != after.law.integrates:
            modes = {
                axis: "PI" if mode else "P"
                for axis, mode in zip(("horizontal", "heave", "yaw"), after.law.integrates, strict=True)
            }
            yield PartReport("info", "guidance: " + ", ".join(f"{a} {m}" for a, m in modes.items()), modes)

    def _begun(self, index: int) -> PartReport:
        targets = self.guidance.targets
        if index >= len(targets):
            return PartReport(
                "info", f"mission finished: all {len(targets)} targets reached", {"finished": True, "of": len(targets)}
            )
        name = targets[index].behaviour
        return PartReport("info", f"{name}, target {index + 1} of {len(targets)}", {"behaviour": name})


def make_lyapunov(options: LyapunovOptions, onboard: VehicleContext) -> LyapunovPart:
    """The guidance of a scenario; PartError for inconsistent limits and unreachable targets."""
    targets = mission_targets(options.mission, battery_capacity(onboard))
    zones = keep_out_zones(options.keep_out)
    check_start(zones, onboard.launch)
    sensors = mission_sensors(options.altimeter, options.pipe, options.avoid, targets, onboard)
    guidance = velocity_guidance(options, targets, zones, sensors, onboard)
    return LyapunovPart(guidance, onboard.launch, sensors)


def velocity_guidance(
    options: LyapunovOptions,
    targets: tuple[MissionTarget, ...],
    zones: tuple[Zone, ...],
    sensors: MissionSensors,
    onboard: VehicleContext,
) -> VelocityGuidance:
    """The guidance law with gains and limits of the options; PartError where they contradict each other."""
    rate, law = options.approach_rate.value if options.approach_rate else APPROACH_RATE, _law(options, onboard)
    check_moving_targets(targets, law.highest)
    check_no_push(targets)
    return VelocityGuidance(targets, law, onboard.period, zones, rate, sensors.avoidance)


def _law(options: LyapunovOptions, onboard: VehicleContext) -> LyapunovLaw:
    """Gains and limits, checked against each other."""
    speeds, gains = _four(options.max_speeds, FALCON_SPEEDS), _four(options.proportional_gains, FALCON_PROPORTIONAL)
    law = lyapunov_law(
        gains,
        _four(options.integral_gains, FALCON_INTEGRAL),
        speeds,
        options.max_integrals.value if options.max_integrals else None,
        _four(options.upper_thresholds, FALCON_UPPER),
        _four(options.lower_thresholds, FALCON_LOWER),
        HEAVE[options.heave],
        speeds[2] / gains[2] if gains[2] > 0.0 else math.inf,  # at which heave reaches its limit
        LIMITS[options.limits],
    )
    check_gains_and_speeds(law.proportional, speeds, onboard.period)
    for k, axis in enumerate(FOUR_AXES):
        if law.lower[k] > law.upper[k]:
            message = f"must not be above upper_thresholds: {law.lower[k]:g} and {law.upper[k]:g} in {axis}."
            raise PartError(message, "lower_thresholds")
        if law.largest_integral[k] > speeds[k]:
            message = f"must not be above max_speeds: {law.largest_integral[k]:g} and {speeds[k]:g} in {axis}."
            raise PartError(message, "max_integrals")
    return law


def check_gains_and_speeds(gains: Vector4, speeds: Vector4, period: float) -> None:
    """PartError for speed limits of zero, and for gains (1/s) that are unstable at the period of the part (s)."""
    for gain, speed, axis in zip(gains, speeds, FOUR_AXES, strict=True):
        if not speed > 0.0:
            raise PartError(f"must be above zero in {axis}.", "max_speeds")
        if not gain * period < 1.0:
            message = f"make {axis} unstable: {gain:.3g} 1/s is not below the rate of {1.0 / period:.3g} Hz."
            raise PartError(message, "proportional_gains")


def _four(given: Quantity[Vector4] | None, default: Vector4) -> Vector4:
    return default if given is None else given.value


LYAPUNOV = PartKind("lyapunov", Role.GUIDANCE, LyapunovOptions, make_lyapunov, gives=VELOCITY)
