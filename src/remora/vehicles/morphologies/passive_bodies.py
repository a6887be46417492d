"""Passive bodies of a morphology as vehicles without thrusters, estimated from their shape."""

import math

from remora.vehicles.assembly.shapes import (
    cross_flow_drag,
    cylinder_added_mass,
    cylinder_inertia,
    linear_from_quadratic,
    morison_drag,
)
from remora.vehicles.morphologies.sections import RodSection
from remora.vehicles.vehicle import Vehicle
from remora.vehicles.vehicle_reader import vehicle_from_sections

CROSS_FLOW_COEFFICIENT = 1.1  # of a long circular cylinder below the drag crisis
END_COEFFICIENT = 0.9  # of a cylinder along its axis


def rod_vehicle(name: str, rod: RodSection, density: float, gravity: float) -> Vehicle:
    """A solid or sealed rod in water of a density, kg/m3: weight and buoyancy from mass and volume, at its middle."""
    length, diameter, mass = rod.length.value, rod.diameter.value, rod.mass.value
    coefficient = rod.drag_coefficient.value if rod.drag_coefficient else CROSS_FLOW_COEFFICIENT
    area = 0.25 * math.pi * diameter**2
    across, turning = cross_flow_drag(coefficient, length, diameter, density) if coefficient else (0.0, 0.0)
    along = morison_drag(END_COEFFICIENT, area, density)
    quadratic = (along, across, across, 0.0, turning, turning)
    linear = [linear_from_quadratic(one) for one in quadratic[:3]]
    return vehicle_from_sections(
        {
            "name": name,
            "title": f"rod of {length:g} m",
            "source": "estimated from its length, diameter and mass",
            "water": {"density": density, "gravity": gravity},
            "body": {
                "mass": mass,
                "volume": area * length,
                "inertia": {"moments": list(cylinder_inertia(mass, length, diameter))},
                "center_of_gravity": [0.0, 0.0, 0.0],
                "center_of_buoyancy": [0.0, 0.0, 0.0],
            },
            "added_mass": {"diagonal": list(cylinder_added_mass(length, diameter, density))},
            "damping": {"linear": {"diagonal": [*linear, 0.0, 0.0, 0.0]}, "quadratic": {"diagonal": list(quadratic)}},
            "accept": {"implausible": "a rod; its drag is estimated"},
            "looks": {"shapes": [{"shape": "capsule", "length": length, "diameter": diameter, "colour": "#adb5bd"}]},
        }
    )
