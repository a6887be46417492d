"""Servos, moving masses, motors, four-quadrant series and buoyancy elements of a vehicle file, in body axes."""

import math

from remora.equations.actuators.drives import Motor
from remora.equations.actuators.moving_mass import MovingMass
from remora.equations.actuators.quadrants import Disc
from remora.equations.actuators.servos import Swivel
from remora.equations.actuators.slewing import UNLIMITED_RATE, Slew
from remora.equations.algebra.vectors import ZERO3, add3, scale3
from remora.equations.hull.restoring import BuoyancyElement
from remora.equations.types import Vector6
from remora.files.did_you_mean import suggestion
from remora.files.problems import Finding
from remora.files.quantities import value_or
from remora.vehicles.axes import Axes, in_body_axes, unit_vector
from remora.vehicles.checks.invariants import rigid_body_violations
from remora.vehicles.parameters import QuadrantSeries, VehicleParameters
from remora.vehicles.sections.device_sections import ThrusterSection
from remora.vehicles.sections.moving_part_sections import (
    BuoyancyElementSection,
    MotorSection,
    MovingMassSection,
    ServoSection,
)
from remora.vehicles.sections.vehicle_sections import VehicleDescription
from remora.vehicles.variants.body_without_moving_masses import without_moving_masses

SHARE_TOLERANCE = 1e-3  # tolerance of the sum of all shares
CENTRE_TOLERANCE = 0.01  # m, tolerance of their common centre against the centre of buoyancy

_EVERY_AXIS: Vector6 = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0)


def with_moving_parts(parameters: VehicleParameters, description: VehicleDescription, axes: Axes) -> VehicleParameters:
    """The parameters with servos, moving masses, motors and four-quadrant series of a description."""
    thrusters, servos, moving_masses = (
        description.thrusters or [],
        description.servos or [],
        description.moving_masses or [],
    )
    names = [servo.name for servo in servos]
    owners = [names.index(section.servo) if section.servo else None for section in thrusters]
    hinges = [unit_vector(in_body_axes(axes, servo.axis.value)) for servo in servos]
    swivels = [
        None if own is None else Swivel(hinges[own], value_or(section.reaction), _shares(section))
        for own, section in zip(owners, thrusters, strict=True)
    ]
    motors = [_motor(section.motor) if section.motor else None for section in thrusters]
    quadrants = [_series(section, parameters.density) for section in thrusters]
    return parameters._replace(
        servos=tuple(_slew(servo) for servo in servos),
        servo_names=tuple(names),
        swivels=tuple(swivels) if servos else (),
        thruster_servos=tuple(owners) if servos else (),
        moving_masses=tuple(_moving_mass(section, parameters.density, axes) for section in moving_masses),
        moving_mass_names=tuple(section.name for section in moving_masses),
        motors=tuple(motors) if any(motors) else (),
        quadrants=tuple(quadrants) if any(quadrants) else (),
    )


def _shares(section: ThrusterSection) -> Vector6:
    return section.axis_effectiveness.value if section.axis_effectiveness else _EVERY_AXIS


def _slew(section: ServoSection | MovingMassSection) -> Slew:
    lowest, highest = section.limits.value
    return Slew(value_or(section.time_constant), value_or(section.rate_limit, UNLIMITED_RATE), lowest, highest)


def _moving_mass(section: MovingMassSection, density: float, axes: Axes) -> MovingMass:
    """One moving mass; the output of a tank is its mass of water, and a bladder has no mass."""
    direction = unit_vector(in_body_axes(axes, section.direction.value)) if section.direction else ZERO3
    return MovingMass(
        position=in_body_axes(axes, section.position.value),
        direction=direction,
        mass=value_or(section.mass),
        filling=1.0 if section.kind == "tank" else 0.0,
        displacing=density if section.kind == "bladder" else 0.0,
        coriolis_factor=1.0,
        neutral=value_or(section.neutral),
        slew=_slew(section),
    )


def _motor(section: MotorSection) -> Motor:
    return Motor(
        inertia=section.inertia.value,
        resistance=section.resistance.value,
        torque_constant=section.torque_constant.value,
        friction=value_or(section.friction),
        propeller_torque=section.propeller_torque.value,
        propeller_relief=value_or(section.propeller_relief),
    )


def _series(section: ThrusterSection, density: float) -> QuadrantSeries | None:
    """The four-quadrant series of a thruster; None for other laws."""
    given = section.quadrant_coefficients
    if given is None or section.diameter is None:
        return None
    D = section.diameter.value
    # 0.7 pi n D with n in revolutions per second is 0.35 D per rad/s.
    return QuadrantSeries(Disc(0.125 * math.pi * density * D * D, 0.35 * D), given.cosine.value, given.sine.value)


def check_moving_parts(description: VehicleDescription, findings: list[Finding]) -> None:
    """Every servo must exist and be used by a thruster."""
    thrusters, servos = description.thrusters or [], description.servos or []
    names = [servo.name for servo in servos]
    for index, section in enumerate(thrusters):
        if section.servo is not None and section.servo not in names:
            words = (
                f"there is no servo of this name. {suggestion(section.servo, names)}"
                if names
                else ("the file has no servos. Add a section servos.")
            )
            findings.append(Finding(("thrusters", index, "servo"), words))
    used = {section.servo for section in thrusters}
    for index, name in enumerate(names):
        if name not in used:
            message = "no thruster uses this servo. Name it as servo: of a thruster, or remove it."
            findings.append(Finding(("servos", index, "name"), message))


def check_moving_masses(parameters: VehicleParameters, findings: list[Finding]) -> None:
    """The body without its moving masses must satisfy invariant S1."""
    if not parameters.moving_masses:
        return
    try:
        rest = without_moving_masses(parameters)
    except ValueError as error:
        findings.append(Finding(("moving_masses",), f"{error}.", "physics", shows_value=False))
        return
    for violation in rigid_body_violations(rest.mass, rest.inertia_G):
        words = f"the body without its moving masses is impossible: {violation.text} They are part of its mass."
        findings.append(Finding(("moving_masses",), words, "physics", shows_value=False))


def with_buoyancy_elements(
    parameters: VehicleParameters, description: VehicleDescription, axes: Axes, findings: list[Finding]
) -> VehicleParameters:
    """The parameters with buoyancy elements; inconsistent shares and centres become findings."""
    if not description.buoyancy_elements:
        return parameters
    total = sum(section.share.value for section in description.buoyancy_elements)
    if abs(total - 1.0) > SHARE_TOLERANCE:
        message = (
            f"the shares of all elements add up to {total:g}. Make it 1: they are the whole of the displaced water."
        )
        findings.append(Finding(("buoyancy_elements",), message, "physics", shows_value=False))
    elements = tuple(_element(section, parameters, axes) for section in description.buoyancy_elements)
    middle = ZERO3
    for part in elements:
        middle = add3(middle, scale3(part.displaced_mass / (total * parameters.displaced_mass), part.position))
    if math.dist(middle, parameters.p_BC) > CENTRE_TOLERANCE:
        found = ", ".join(f"{x:.3g}" for x in middle)
        expected = ", ".join(f"{x:.3g}" for x in parameters.p_BC)
        message = f"their middle is at [{found}] m, the centre of buoyancy at [{expected}] m. Move them together."
        findings.append(Finding(("buoyancy_elements",), message, "physics", shows_value=False))
    return parameters._replace(buoyancy_elements=elements)


def _element(section: BuoyancyElementSection, parameters: VehicleParameters, axes: Axes) -> BuoyancyElement:
    displaced = section.share.value * parameters.displaced_mass
    volume = displaced / parameters.density
    radius = 0.5 * section.diameter.value if section.diameter else (0.75 * volume / math.pi) ** (1.0 / 3.0)
    return BuoyancyElement(in_body_axes(axes, section.position.value), radius, displaced)
