"""Report of `remora check`: invariants, hydrostatics, actuation and plausibility."""

import math
import sys
from typing import Any

from remora.equations.actuators.fins import Fin
from remora.equations.actuators.moving_mass import MovingMass
from remora.equations.actuators.slewing import UNLIMITED_RATE, Slew
from remora.equations.hull.forms.form import HullForce
from remora.files.catalogue import html_table
from remora.vehicles.checks.actuation import FIN_SPEED, fin_reach, reachable_wrench
from remora.vehicles.checks.check import InvariantCheck, added_mass_ratios, check_vehicle
from remora.vehicles.checks.hydrostatics import (
    natural_periods,
    net_buoyancy_text,
    period_text,
    trim_attitude,
    trim_text,
)
from remora.vehicles.checks.munk import munk_speeds, munk_text
from remora.vehicles.checks.plausibility import Implausible, implausible
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters, actuator_groups, net_buoyancy
from remora.vehicles.variants.body_without_moving_masses import moving_mass_unit
from remora.vehicles.vehicle import Vehicle

TITLES = {
    "S1": "rigid body",
    "S2": "added mass",
    "S3": "Coriolis",
    "S5": "damping",
    "S6": "restoring",
    "S7": "thrusters",
    "S8": "derived numbers",
    "S9": "change of frame",
}


def undocumented(vehicle: Vehicle, findings: list[InvariantCheck]) -> list[InvariantCheck]:
    """Violated invariants that the file does not document."""
    known = vehicle.historical.violates if vehicle.historical else ()
    return [finding for finding in findings if not finding.holds and finding.invariant not in known]


def report_lines(vehicle: Vehicle) -> tuple[bool, list[str]]:
    """Whether all invariants hold, and the lines of the report."""
    findings, unlikely = check_vehicle(vehicle), implausible(vehicle)
    groups = actuator_groups(vehicle.parameters)
    actuators = [f"{kind}: {', '.join(names)}" for kind, names in groups.items() if names]
    lines = [f"{vehicle.name}: {vehicle.title}", f"source: {vehicle.source}", *actuators, ""]
    for finding in findings:
        mark = "ok  " if finding.holds else "FAIL"
        lines.append(f"{mark} {finding.invariant} {TITLES[finding.invariant]}: {finding.text}")
    lines += [
        "",
        *_water_lines(vehicle.parameters),
        *_moving_lines(vehicle.parameters),
        "",
        *reach_lines(vehicle.parameters),
        *_fin_reach_lines(fin_reach(vehicle.parameters)),
        "",
        *[f"WARN {one.field}: {one.text}" for one in unlikely],
        *([""] if unlikely else []),
    ]
    sound = all(finding.holds for finding in findings)
    return sound, [*lines, *_verdict(vehicle, findings, sound, unlikely), *_warning_verdict(vehicle, unlikely)]


def print_report(vehicle: Vehicle) -> bool:
    """Print the report; whether all invariants hold."""
    sound, lines = report_lines(vehicle)
    sys.stdout.write("\n".join([*lines, ""]))
    return sound


def html_summary(vehicle: Vehicle) -> str:
    """Table of the main figures, for a notebook."""
    p = vehicle.parameters
    rows = [
        ("title", vehicle.title),
        ("source", vehicle.source),
        ("mass", f"{p.mass:g} kg"),
        ("net buoyancy", net_buoyancy_text(p)),
        ("trim at rest", trim_text(p)),
        *((kind.replace("_", " "), ", ".join(names)) for kind, names in actuator_groups(p).items() if names),
        *([("sensors", ", ".join(sensor.name for sensor in vehicle.sensors))] if vehicle.sensors else []),
        *([("historical", vehicle.historical.reason)] if vehicle.historical else []),
    ]
    return html_table(("vehicle", vehicle.name), rows)


def warning_lines(vehicle: Vehicle) -> list[str]:
    """Implausible values, one line each; none where the file accepts them."""
    if "implausible" in vehicle.accepted:
        return []
    return [f"{vehicle.name}: {one.field}: {one.text}" for one in implausible(vehicle)]


def _warning_verdict(vehicle: Vehicle, unlikely: list[Implausible]) -> list[str]:
    """Number of warnings, and whether the file accepts them."""
    if not unlikely:
        return []
    count = f"{len(unlikely)} warning{'s' if len(unlikely) > 1 else ''}"
    if "implausible" in vehicle.accepted:
        reason = " ".join(vehicle.accepted["implausible"].split())
        return [f"{count}, accepted by the file: {reason}"]
    return [f'{count}: see WARN above. If a value is right, write accept: {{implausible: "the reason"}}.']


def _water_lines(p: VehicleParameters) -> list[str]:
    """Buoyancy, trim, periods and added-mass ratios."""
    ratios = ", ".join(f"{name} {value:.2f}" for name, value in added_mass_ratios(p).items())
    lines = [
        f"net buoyancy: {net_buoyancy_text(p)}",
        f"trim at rest: {trim_text(p)}",
        f"natural periods: {period_text(p)}",
        f"added mass over rigid body: {ratios}",
        *([text] if (text := munk_text(p)) else []),
    ]
    if p.heave_up:
        lines.append(f"heave added mass while rising is {p.heave_up.added_mass:.4g} kg; the ratio above is of sinking")
    lines += [f"hull force {force.name or force.form.name}: {_force_text(force)}" for force in p.forces]
    if p.locked:
        lines.append(f"held still: {', '.join(p.locked)}")
    if p.simplifications:
        lines.append(f"simplified: {', '.join(p.simplifications)}")
    return lines


def _force_text(force: HullForce) -> str:
    """What a hull force does with energy and at the surface."""
    form, count = force.form, len(force.records)
    energy = "dissipates" if form.dissipates is True else f"outside S5 ({form.dissipates})"
    surface = "fades at the surface" if form.fades is True else f"does not fade at the surface ({form.fades})"
    return f"{count} record{'s' if count > 1 else ''}, {energy}, {surface}"


def _moving_lines(p: VehicleParameters) -> list[str]:
    """Fins, servos and moving masses, one line each."""
    lines = [_fin_line(name, fin) for name, fin in zip(p.fin_names, p.fins, strict=True)]
    for i, (name, slew) in enumerate(zip(p.servo_names, p.servos, strict=True)):
        turned = [who for who, own in zip(p.thruster_names, p.thruster_servos, strict=True) if own == i]
        ends = f"{math.degrees(slew.lowest):.4g} to {math.degrees(slew.highest):.4g} deg"
        lines.append(
            f"servo {name}: {ends}{_rate_text(slew, math.degrees(slew.rate_limit), 'deg')}, turns {', '.join(turned)}"
        )
    for name, moving_mass in zip(p.moving_mass_names, p.moving_masses, strict=True):
        slew, unit = moving_mass.slew, moving_mass_unit(moving_mass)
        what = (
            "tank"
            if moving_mass.filling
            else "bladder"
            if moving_mass.displacing
            else f"mass of {moving_mass.mass:.4g} kg"
        )
        ends = f"{slew.lowest:.4g} to {slew.highest:.4g} {unit}, neutral at {moving_mass.neutral:.4g} {unit}"
        lines.append(f"moving mass {name}: {what}, {ends}{_rate_text(slew, slew.rate_limit, unit)}")
    return lines


def _fin_line(name: str, fin: Fin) -> str:
    """Limits, lag, rate and stall of a fin."""
    slew = Slew(fin.lag, fin.rate_limit, -fin.deflection_limit, fin.deflection_limit)
    limit, stall = math.degrees(fin.deflection_limit), math.degrees(fin.stall_angle)
    rate = _rate_text(slew, math.degrees(fin.rate_limit), "deg")
    return f"fin {name}: {-limit:.4g} to {limit:.4g} deg{rate}, stalls at {stall:.4g} deg"


def _rate_text(slew: Slew, rate_limit: float, unit: str) -> str:
    """Lag and rate limit as text, where given."""
    lag = f", lag {slew.lag:.3g} s" if slew.lag else ""
    return lag + (f", at most {rate_limit:.4g} {unit}/s" if slew.rate_limit < UNLIMITED_RATE else "")


def reach_lines(p: VehicleParameters) -> list[str]:
    """The attainable wrench, one line per degree of freedom."""
    lines = ["reachable wrench (thrusters at their limits, at rest; alone = without surge, sway, heave or yaw besides)"]
    for reach in reachable_wrench(p):
        unit = "N" if DEGREES_OF_FREEDOM.index(reach.name) < 3 else "N m"
        most = f"{reach.most[0]:9.2f} to {reach.most[1]:8.2f} {unit}"
        lines.append(f"  {reach.name:6}{most:28} alone {reach.alone[0]:9.2f} to {reach.alone[1]:8.2f} {unit}")
    return lines


def _fin_reach_lines(reaches: dict[str, tuple[float, float]]) -> list[str]:
    """The wrench of the fins, one line per degree of freedom in which they act."""
    if not reaches:
        return []
    speed = f"{FIN_SPEED:g} m/s ahead, each at its best deflection; it grows with the square of the speed"
    lines = ["", f"wrench of the fins ({speed})"]
    for name, (low, high) in reaches.items():
        unit = "N" if DEGREES_OF_FREEDOM.index(name) < 3 else "N m"
        lines.append(f"  {name:6}{low:9.2f} to {high:8.2f} {unit}")
    return lines


def _verdict(vehicle: Vehicle, findings: list[InvariantCheck], sound: bool, unlikely: list[Implausible]) -> list[str]:
    if sound:
        return ["All invariants hold."] if not unlikely else ["All invariants hold, but some values are implausible."]
    lines = [f"{sum(not finding.holds for finding in findings)} of {len(findings)} invariants fail."]
    if vehicle.historical and not undocumented(vehicle, findings):
        reason = " ".join(vehicle.historical.reason.split())
        lines.append(f"Marked historical, and this is the documented reason: {reason}")
    return lines


def report_data(vehicle: Vehicle) -> dict[str, Any]:
    """The report as data; infinite values are None."""
    p, findings = vehicle.parameters, check_vehicle(vehicle)
    data = {
        "name": vehicle.name,
        "sound": all(finding.holds for finding in findings),
        "historical": vehicle.historical.reason if vehicle.historical else None,
        "actuators": actuator_groups(p),
        "findings": [finding._asdict() for finding in findings],
        "warnings": [one._asdict() for one in implausible(vehicle)],
        "warnings_accepted": vehicle.accepted.get("implausible"),
        "net_buoyancy": net_buoyancy(p),
        "trim": trim_attitude(p),
        "natural_periods": natural_periods(p),
        "added_mass_ratios": added_mass_ratios(p),
        "munk_speeds": [one._asdict() for one in munk_speeds(p)],
        "servos": {name: slew._asdict() for name, slew in zip(p.servo_names, p.servos, strict=True)},
        "moving_masses": {
            name: _moving_mass_data(moving_mass)
            for name, moving_mass in zip(p.moving_mass_names, p.moving_masses, strict=True)
        },
        "reachable_wrench": [reach._asdict() for reach in reachable_wrench(p)],
        "fins": {name: fin._asdict() for name, fin in zip(p.fin_names, p.fins, strict=True)},
        "fin_wrench": fin_reach(p),
    }
    return {key: _finite(value) for key, value in data.items()}


def _moving_mass_data(moving_mass: MovingMass) -> dict[str, Any]:
    return {"unit": moving_mass_unit(moving_mass), **moving_mass._asdict(), "slew": moving_mass.slew._asdict()}


def _finite(value: Any) -> Any:
    """The value with None for infinite numbers, which JSON cannot represent."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, tuple | list) else value
