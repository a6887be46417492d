"""Vehicle parameters from a validated description: all sections in body axes, invariants S1, S2 and S5 checked."""

import math
from typing import Any, NamedTuple

from remora.equations.hull.forms.cross_flow import CROSS_FLOW
from remora.equations.hull.forms.form import Form, HullForce
from remora.equations.hull.forms.lift import LIFT
from remora.equations.hull.forms.six_matrices import SIX_MATRICES
from remora.equations.types import Matrix6, Vector6
from remora.files.problems import Finding, Path
from remora.vehicles import names
from remora.vehicles.assembly import actuators, drives as drive_assembly, forces, hull, moving_parts
from remora.vehicles.assembly.hull import AssembledBody, Elements
from remora.vehicles.assembly.moving_parts import with_buoyancy_elements
from remora.vehicles.axes import Axes, axes_named, matrix6_from
from remora.vehicles.checks.invariants import (
    DampingTerms,
    Violation,
    added_mass_violations,
    damping_violations,
    rigid_body_violations,
)
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.sections.vehicle_sections import VehicleDescription


class _Hull(NamedTuple):
    """Body, added mass, damping and further forces of the hull."""

    body: AssembledBody
    added_mass: Matrix6
    damping: DampingTerms
    forces: tuple[HullForce, ...]


def assemble(description: VehicleDescription) -> tuple[VehicleParameters | None, list[Finding]]:
    """The parameters of a description, or None, and all findings.

    Each section is checked as far as the others allow, so that one mistake does not hide the next.
    """
    findings: list[Finding] = []
    axes = axes_named(description.axes, description.euler_order)
    made = _hull(description, axes, findings)
    _check_devices(description, findings)
    if made is None or description.water is None or findings:
        return None, findings
    parameters = _parameters(description, made, axes, findings)
    parameters = moving_parts.with_moving_parts(parameters, description, axes)
    moving_parts.check_moving_masses(parameters, findings)
    return with_buoyancy_elements(parameters, description, axes, findings), findings


def assemble_hull(description: VehicleDescription) -> VehicleParameters | None:
    """The parameters of body, added mass and damping of a refused description; None where a section is missing."""
    axes = axes_named(description.axes, description.euler_order)
    alone = description.model_copy(update=dict.fromkeys(("thrusters", "fins", "battery", "forces")))
    made = _hull(alone, axes, [])
    return None if made is None else _parameters(alone, made, axes, [])


def _parameters(description: VehicleDescription, made: _Hull, axes: Axes, findings: list[Finding]) -> VehicleParameters:
    """Parameters of hull, thrusters and fins."""
    assert description.water is not None
    thrusters, fins = description.thrusters or [], description.fins or []
    density = description.water.density.value
    return VehicleParameters(
        mass=made.body.mass,
        displaced_mass=made.body.displaced_mass,
        p_BG=made.body.p_BG,
        p_BC=made.body.p_BC,
        inertia_G=made.body.inertia_G,
        rigid_body_inertia=made.body.inertia,
        added_mass=made.added_mass,
        linear_damping=made.damping.linear_damping,
        quadratic_damping=made.damping.quadratic_damping,
        cubic_surge=made.damping.cubic_surge,
        heave_up=made.damping.heave_up,
        gravity=description.water.gravity.value,
        density=density,
        thrusters=tuple(actuators.thruster(section, density, axes) for section in thrusters),
        thruster_names=tuple(section.name for section in thrusters),
        thrust_law=actuators.thrust_law(thrusters, findings),
        mapped_commands=any(section.command_map for section in thrusters),
        fins=tuple(actuators.fin(section, density, axes) for section in fins),
        fin_names=tuple(section.name for section in fins),
        locked=tuple(description.model.locked) if description.model else (),
        simplifications=tuple(description.model.simplifications) if description.model else (),
        envelope=envelope(description),
        total_inertia_only=bool(description.body and description.body.only_total_inertia),
        drives=drive_assembly.drives(thrusters),
        pulse_drives=drive_assembly.pulse_drives(thrusters),
        supply=drive_assembly.supply(description.battery),
        forces=made.forces,
    )


def envelope(description: VehicleDescription) -> Vector6 | None:
    """Largest speeds of a historical vehicle; infinite where the file gives none."""
    if description.historical is None:
        return None
    given = description.historical.envelope
    limits = (given[name].value if name in given else math.inf for name in names.DEGREES_OF_FREEDOM)
    a, b, c, d, e, f = limits
    return (a, b, c, d, e, f)


def _hull(description: VehicleDescription, axes: Axes, findings: list[Finding]) -> _Hull | None:
    """Body, added mass and damping; invariants S1, S2 and S5 are checked on all valid sections."""
    body = None
    if description.body and description.water:
        body = hull.rigid_body(description.body, description.water, axes)
        if body and not description.body.only_total_inertia:
            place = "parts" if description.body.parts is not None else "inertia"
            findings += _as_findings(rigid_body_violations(body.mass, body.inertia_G), ("body", place))
    elements = _added_mass(description, body, axes, findings)
    matrix = matrix6_from({pair: element.value for pair, element in elements.items()})
    hull_forces = _forces(description, matrix, axes, findings)
    damping = _damping(description, body, hull_forces, axes, findings)
    if description.damping is None or body is None or damping is None:
        return None
    return _Hull(body, matrix, damping, hull_forces)


def _added_mass(
    description: VehicleDescription, body: AssembledBody | None, axes: Axes, findings: list[Finding]
) -> Elements:
    """Elements of the added mass, checked against S2."""
    section = description.added_mass
    known = body or hull.NO_BODY
    if section is None:
        return {}
    if body and description.body and description.body.only_total_inertia and section.given_as == "added":
        message = "body.only_total_inertia needs the total inertia here. Write given_as: total."
        findings.append(Finding(("added_mass", "given_as"), message, shows_value=False))
    elements = hull.added_mass(section, known, axes, findings)
    matrix = matrix6_from({pair: element.value for pair, element in elements.items()})
    accepted = bool(description.accept and description.accept.asymmetric_added_mass)
    # Without a body only signs and symmetry can be checked, not the total inertia: lock all degrees of freedom.
    locked = names.DEGREES_OF_FREEDOM if body is None else tuple(description.model.locked) if description.model else ()
    place = next((key for key in ("matrix", "elements", "sname", "diagonal") if getattr(section, key)), None)
    path: Path = ("added_mass", place) if place else ("added_mass",)
    findings += _as_findings(added_mass_violations(matrix, known.inertia, locked, accepted), path)
    return elements


def _damping(
    description: VehicleDescription,
    body: AssembledBody | None,
    hull_forces: tuple[HullForce, ...],
    axes: Axes,
    findings: list[Finding],
) -> DampingTerms | None:
    """The damping, checked against S5."""
    section, rising = description.damping, description.rising_heave
    if section is None or (section.cross_flow and description.water is None):
        return None
    if rising and body is None and rising.total:
        rising = None
    linear = hull.damping_elements(section.linear, "linear", section, names.SNAME_LINEAR, axes, findings)
    quadratic = hull.damping_elements(section.quadratic, "quadratic", section, names.SNAME_QUADRATIC, axes, findings)
    terms = DampingTerms(
        linear_damping=matrix6_from({pair: element.value for pair, element in linear.items()}),
        quadratic_damping=matrix6_from({pair: element.value for pair, element in quadratic.items()}),
        cubic_surge=hull.cubic_surge(section, findings),
        heave_up=hull.heave_up(rising, body or hull.NO_BODY),
        forces=hull_forces,
    )
    for violation in damping_violations(terms, envelope(description)):
        findings += _as_findings([violation], _damping_path(violation, linear, quadratic))
    if description.historical and not damping_violations(terms):
        message = "the damping never adds energy, so nothing here violates S5. Remove historical."
        findings.append(Finding(("historical", "violates"), message, "physics"))
    return terms


def _damping_path(violation: Violation, linear: Elements, quadratic: Elements) -> Path:
    """The field with the negative number, otherwise the section."""
    if violation.about in names.DEGREES_OF_FREEDOM:
        i = names.DEGREES_OF_FREEDOM.index(violation.about)
        given = [elements[(i, i)] for elements in (linear, quadratic) if (i, i) in elements]
        # SNAME derivatives have changed sign, so that a wrong sign is negative in both forms.
        wrong = [element for element in given if element.value < 0.0]
        if wrong:
            return wrong[0].path
        if "rising" in violation.text:
            return ("rising_heave",)
    return ("damping",)


def _forces(
    description: VehicleDescription, added_mass: Matrix6, axes: Axes, findings: list[Finding]
) -> tuple[HullForce, ...]:
    """Hull forces of the sections `damping` and `forces`."""
    damping, records = description.damping, dict[Form, tuple[Any, ...]]()
    if damping is not None:
        combined = added_mass if damping.lift_includes_added_mass else None
        elements = hull.damping_elements(damping.lift, "lift", damping, names.SNAME_LIFT, axes, findings)
        records = {
            LIFT: hull.lift(elements, combined),
            SIX_MATRICES: hull.six_matrices(damping.six_matrices, axes),
            CROSS_FLOW: hull.strips(damping.cross_flow, description.water) if description.water else (),
        }
    of_damping = tuple(HullForce(form, given) for form, given in records.items() if given)
    return forces.with_listed_forces(of_damping, description.forces or [], axes, findings)


def _as_findings(violations: list[Violation], path: Path) -> list[Finding]:
    """Violated invariants as findings at a field."""
    return [Finding(path, violation.text, "physics") for violation in violations]


def _check_devices(description: VehicleDescription, findings: list[Finding]) -> None:
    """Checks across actuators and sensors, and the spelling of all names."""
    if description.name is not None and (fault := actuators.name_fault(description.name)):
        findings.append(Finding(("name",), fault))
    thrusters, fins, sensors = description.thrusters or [], description.fins or [], description.sensors or []
    servos, moving_masses = description.servos or [], description.moving_masses or []
    for key, device_names in (
        ("thrusters", [section.name for section in thrusters]),
        ("fins", [section.name for section in fins]),
        ("servos", [section.name for section in servos]),
        ("moving_masses", [section.name for section in moving_masses]),
        ("sensors", [section.name for section in sensors]),
    ):
        actuators.check_names(key, device_names, findings)
    actuators.check_thrusters(thrusters, findings)
    actuators.thrust_law(thrusters, findings)
    actuators.check_fins(fins, findings)
    moving_parts.check_moving_parts(description, findings)
    actuators.check_sensors(sensors, findings)
    drive_assembly.check_drives(thrusters, description.battery, findings)
    drive_assembly.check_shaft_speed_sensors(thrusters, sensors, findings)
