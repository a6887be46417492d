"""Thrusters, fins and sensors from the sections of a vehicle file, in body axes."""

import math
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path as FilePath
from typing import Any

from remora.equations.actuators.fins import Fin
from remora.equations.actuators.laws.law import LawCoefficients
from remora.equations.actuators.laws.table import common_law, law_named
from remora.equations.actuators.slewing import UNLIMITED_RATE
from remora.equations.actuators.thrusters import CommandMap, ThrustCurve, Thruster, thruster_effect
from remora.equations.algebra.quaternions import normalize, rotation_matrix
from remora.equations.algebra.vectors import dot3
from remora.equations.types import Matrix3, Quaternion, Vector3, Vector6
from remora.files.problems import Finding, Path
from remora.files.quantities import value_or
from remora.files.section import NamedQuantities, SensorParameters
from remora.files.user_code import is_user_code
from remora.vehicles.axes import (
    Axes,
    in_body_axes,
    rotation_fault,
    rotation_from_angles,
    sensor_quaternion,
    thrust_axis_from_angles,
    thrust_axis_from_elevation,
    unit_vector,
)
from remora.vehicles.sections.device_sections import FinSection, OrientationSection, SensorSection, ThrusterSection
from remora.vehicles.vehicle import SensorEntry, ThrusterFacts

# The output equals the command: the knees are at infinity, and the curves beyond them are never evaluated.
IDENTITY_MAP = CommandMap(-math.inf, math.inf, 1.0, 1.0, (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0))
_UNITS_PER_RADIAN = {"radian": 1.0, "revolution": 1.0 / (2.0 * math.pi)}
_EVERY_AXIS: Vector6 = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0)


def values_of(given: NamedQuantities | SensorParameters | None) -> dict[str, Any]:
    """Named numbers and texts without their provenance."""
    return {name: quantity.value for name, quantity in (given or {}).items()}


def thruster(section: ThrusterSection, density: float, axes: Axes) -> Thruster:
    """Thruster parameters from a section, in water of a density in kg/m3."""
    position = in_body_axes(axes, section.position.value)
    axis = unit_vector(_thrust_axis(section, axes))
    share = section.axis_effectiveness.value if section.axis_effectiveness else _EVERY_AXIS
    effect = thruster_effect(position, axis, value_or(section.reaction))
    forward, reverse = _thrust_curves(section, density)
    lag, reaching = section.time_constant, section.effectiveness
    return Thruster(
        position=position,
        axis=axis,
        effect=tuple(factor * part for factor, part in zip(share, effect, strict=True)),  # type: ignore[arg-type]
        effectiveness_forward=reaching.forward.value if reaching else 1.0,
        effectiveness_reverse=reaching.reverse.value if reaching else 1.0,
        sense=float(section.sense),
        positive=forward if section.sense > 0 else reverse,
        negative=reverse if section.sense > 0 else forward,
        inflow_is_signed=float(section.signed_inflow or bool(law_named(section.law).signed_inflow)),
        wake=1.0 - value_or(section.wake_fraction),
        rise_time=lag.rise.value if lag else 0.0,
        fall_time=lag.fall.value if lag else 0.0,
        command_minimum=section.limits.value[0],
        command_maximum=section.limits.value[1],
        command_map=_command_map(section),
    )


def _thrust_axis(section: ThrusterSection, axes: Axes) -> Vector3:
    """Direction of positive thrust in body axes."""
    if section.direction:
        return in_body_axes(axes, section.direction.value)
    if section.angles:
        return thrust_axis_from_angles(axes, section.angles.value)
    return thrust_axis_from_elevation(value_or(section.elevation), value_or(section.azimuth))


def _thrust_curves(section: ThrusterSection, density: float) -> tuple[ThrustCurve, ThrustCurve]:
    """Thrust curves for forward and reverse thrust."""
    pairs = {
        key: (given.forward.value, given.reverse.value) if (given := getattr(section, key)) else None
        for key in ("coefficient", "inflow_coefficient", "thrust_coefficients")
    }
    return law_named(section.law).curves(
        LawCoefficients(
            density,
            diameter=section.diameter.value if section.diameter else None,
            units_per_radian=_UNITS_PER_RADIAN[section.coefficients_per],
            **pairs,
        )
    )


def _command_map(section: ThrusterSection) -> CommandMap:
    """Command map; the identity where the file has none."""
    given = section.command_map
    if given is None:
        return IDENTITY_MAP
    return CommandMap(
        knee_reverse=given.negative.knee.value,
        knee_forward=given.positive.knee.value,
        slope_reverse=given.negative.slope.value,
        slope_forward=given.positive.slope.value,
        reverse=given.negative.curve.value,
        forward=given.positive.curve.value,
    )


def thrust_law(sections: list[ThrusterSection], findings: list[Finding]) -> int:
    """Code of the law that covers all thrusters; a finding where laws cannot be mixed."""
    laws = [section.law for section in sections]
    common = common_law(laws)
    if common is not None:
        return common.code
    lone = next(name for name in laws if common_law([other for other in laws if other != name]) is not None)
    message = f'the law "{lone}" cannot be mixed with the others in one vehicle. Use one kind for all.'
    findings.append(Finding(("thrusters", laws.index(lone), "law"), message))
    return law_named(lone).code


def check_thrusters(sections: list[ThrusterSection], findings: list[Finding]) -> None:
    """Signs of the knees of command maps, and positive thrust at zero advance."""
    for index, section in enumerate(sections):
        path: Path = ("thrusters", index)
        given = section.command_map
        if given and given.negative.knee.value > 0.0:
            findings.append(Finding((*path, "command_map", "negative", "knee"), "must not be above zero."))
        if given and given.positive.knee.value < 0.0:
            findings.append(Finding((*path, "command_map", "positive", "knee"), "must not be below zero."))
        curves = section.thrust_coefficients
        for way, row in (("forward", curves.forward), ("reverse", curves.reverse)) if curves else ():
            if row.value[2] <= 0.0:
                message = "the last one, gamma, must be above zero. The order is alpha, beta, gamma."
                findings.append(Finding((*path, "thrust_coefficients", way), message, "physics"))


def thruster_facts(section: ThrusterSection) -> ThrusterFacts:
    """Thruster data that the equations of motion do not use."""
    facts = section.facts
    diameter = section.diameter or (facts.diameter if facts else None)
    return ThrusterFacts(
        name=section.name,
        valid_speed=facts.valid_speed.value if facts and facts.valid_speed else None,
        diameter=diameter.value if diameter else None,
        critical_advance_ratio=facts.critical_advance_ratio.value if facts and facts.critical_advance_ratio else None,
        figures=values_of(facts.figures if facts else None),
    )


def fin(section: FinSection, density: float, axes: Axes) -> Fin:
    """Fin parameters from a section, in water of a density in kg/m3."""
    return Fin(
        position=in_body_axes(axes, section.position.value),
        chord=unit_vector(in_body_axes(axes, section.chord.value)),
        normal=unit_vector(in_body_axes(axes, section.normal.value)),
        dynamic_area=0.5 * density * section.area.value,
        lift_slope=section.lift_slope.value,
        drag_at_zero_lift=value_or(section.drag_at_zero_lift),
        induced_drag=value_or(section.induced_drag),
        stall_angle=section.stall_angle.value,
        feels_cross_flow=1.0 if section.feels_cross_flow else 0.0,
        lag=value_or(section.time_constant),
        deflection_limit=section.deflection_limit.value,
        rate_limit=value_or(section.rate_limit, UNLIMITED_RATE),
    )


def check_fins(sections: list[FinSection], findings: list[Finding]) -> None:
    """Chord and normal must be perpendicular."""
    for index, section in enumerate(sections):
        lean = dot3(unit_vector(section.chord.value), unit_vector(section.normal.value))
        if abs(lean) > 1e-6:
            angle = math.degrees(math.acos(max(-1.0, min(1.0, lean))))
            message = f"must be perpendicular to the chord, but they make {angle:.4g} degrees."
            findings.append(Finding(("fins", index, "normal"), message, "physics"))


def sensor(section: SensorSection, axes: Axes, folder: FilePath) -> SensorEntry:
    """The sensor entry of a section, in body axes; the path of a user-defined kind is relative to the folder."""
    return SensorEntry(
        name=section.name,
        kind=section.kind,
        device=section.device,
        notes=section.notes,
        position=in_body_axes(axes, section.position.value) if section.position else None,
        q_BS=orientation(section.orientation, axes) if section.orientation else None,
        rate=section.rate.value if section.rate else None,
        latency=section.latency.value if section.latency else None,
        parameters=values_of(section.parameters),
        folder=str(folder) if is_user_code(section.kind) else "",
    )


def orientation(section: OrientationSection, axes: Axes) -> Quaternion:
    """q_BS of a sensor."""
    return sensor_quaternion(axes, _rotation(section, axes))


def _rotation(section: OrientationSection, axes: Axes) -> Matrix3:
    """R_BS in the axes of the file."""
    if section.matrix:
        return section.matrix.value
    if section.quaternion:
        return rotation_matrix(normalize(section.quaternion.value))
    return rotation_matrix(rotation_from_angles(axes, section.angles.value if section.angles else (0.0, 0.0, 0.0)))


def check_sensors(sections: list[SensorSection], findings: list[Finding]) -> None:
    """Sensor orientations must be rotations."""
    for index, section in enumerate(sections):
        if section.orientation and (fault := orientation_fault(section.orientation)):
            findings.append(fault._replace(path=("sensors", index, "orientation", *fault.path)))


def orientation_fault(given: OrientationSection) -> Finding | None:
    """The finding for an orientation that is not a rotation; None for a valid one."""
    if given.quaternion and abs(sum(x * x for x in given.quaternion.value) - 1.0) > 1e-3:
        return Finding(("quaternion",), "must have unit length, scalar first.", "physics")
    if given.matrix and (fault := rotation_fault(given.matrix.value)):
        return Finding(("matrix",), fault, "physics")
    return None


def name_fault(name: str) -> str:
    """Message for a name with forbidden characters; empty for a valid one."""
    if re.fullmatch(r"[\w.+()\-]+( [\w.+()\-]+)*", name):
        return ""
    return "a name is made of letters, digits, _ . + - ( ) and single spaces between them."


def check_names(key: str, names: Iterable[str | None], findings: list[Finding]) -> None:
    """Names must be unique and consist of characters that logs and tables can hold; None entries are skipped."""
    names = list(names)
    for index, name in enumerate(names):
        if name is not None and (fault := name_fault(name)):
            findings.append(Finding((key, index, "name"), fault))
    for name, number in Counter(names).items():
        if number > 1 and name is not None:
            second = [index for index, other in enumerate(names) if other == name][1]
            findings.append(Finding((key, second, "name"), "this name is taken already. Give each its own."))
