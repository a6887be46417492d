"""From the section `buoyancy_elements` of a file to the balls through which a vehicle comes out of the water."""

import math

from remora.equations.algebra.vectors import ZERO3, add3, scale3
from remora.equations.hull.surface import BuoyancyElement
from remora.files.problems import Finding
from remora.vehicles.axes import Axes, turned3
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.sections.moving_part_sections import BuoyancyElementSection
from remora.vehicles.sections.vehicle_sections import VehicleDescription

WHOLE = 1e-3  # how far the shares may be from one together
AWAY = 0.01  # m: how far their middle may be from the centre of buoyancy


def with_buoyancy_elements(
    parameters: VehicleParameters, description: VehicleDescription, axes: Axes, findings: list[Finding]
) -> VehicleParameters:
    """The parameters with the buoyancy elements of a description; shares that are no body go to the findings."""
    if not description.buoyancy_elements:
        return parameters
    total = sum(section.share.value for section in description.buoyancy_elements)
    if abs(total - 1.0) > WHOLE:
        words = f"the shares of all elements add up to {total:g}. Make it 1: they are the whole of the displaced water."
        findings.append(Finding(("buoyancy_elements",), words, "physics", shows_value=False))
    made = tuple(_element(section, parameters, axes) for section in description.buoyancy_elements)
    middle = ZERO3
    for part in made:
        middle = add3(middle, scale3(part.displaced_mass / (total * parameters.displaced_mass), part.position))
    if math.dist(middle, parameters.p_BC) > AWAY:
        found = ", ".join(f"{x:.3g}" for x in middle)
        wanted = ", ".join(f"{x:.3g}" for x in parameters.p_BC)
        words = f"their middle is at [{found}] m, the centre of buoyancy at [{wanted}] m. Move them together."
        findings.append(Finding(("buoyancy_elements",), words, "physics", shows_value=False))
    return parameters._replace(buoyancy_elements=made)


def _element(section: BuoyancyElementSection, parameters: VehicleParameters, axes: Axes) -> BuoyancyElement:
    displaced = section.share.value * parameters.displaced_mass
    volume = displaced / parameters.density
    radius = 0.5 * section.diameter.value if section.diameter else (0.75 * volume / math.pi) ** (1.0 / 3.0)
    return BuoyancyElement(turned3(axes, section.position.value), radius, displaced)
