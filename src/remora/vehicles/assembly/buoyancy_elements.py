"""Buoyancy elements of a vehicle file: spheres that share the displaced volume."""

import math

from remora.equations.algebra.vectors import ZERO3, add3, scale3
from remora.equations.hull.restoring import BuoyancyElement
from remora.files.problems import Finding
from remora.vehicles.axes import Axes, in_body_axes
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.sections.moving_part_sections import BuoyancyElementSection
from remora.vehicles.sections.vehicle_sections import VehicleDescription

SHARE_TOLERANCE = 1e-3  # tolerance of the sum of all shares
CENTRE_TOLERANCE = 0.01  # m, tolerance of their common centre against the centre of buoyancy


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
