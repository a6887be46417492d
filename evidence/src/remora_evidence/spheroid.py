"""Neutral spheroid in an ideal fluid, whose motion is known exactly."""

import math

from remora.vehicles import Vehicle, vehicle_from_text
from remora.vehicles.assembly.shapes import spheroid_added_mass, spheroid_inertia

LENGTH, DIAMETER, DENSITY = 1.6, 0.19, 1000.0  # m, m, kg/m3

_TEXT = """
name: spheroid
title: neutral spheroid in an ideal fluid
source: computed from its shape
use: verification of engines
water: {{density: {density} kg/m3, gravity: 9.81 m/s2}}
body:
  mass: {mass!r} kg
  net_buoyancy: 0 N
  inertia: {{moments: {moments}}}
  center_of_gravity: [0, 0, 0]
  center_of_buoyancy: [0, 0, 0]
added_mass: {{diagonal: {added}, source: "Lamb 1932, ch. V"}}
damping: {{linear: {{diagonal: [0, 0, 0, 0, 0, 0]}}}}
"""


def spheroid(length: float = LENGTH, diameter: float = DIAMETER) -> Vehicle:
    """A uniform prolate spheroid of the density of water, with Lamb's added mass and no damping."""
    mass = DENSITY * math.pi / 6.0 * length * diameter**2
    moments = list(spheroid_inertia(mass, length, diameter))
    added = list(spheroid_added_mass(length, diameter, DENSITY))
    return vehicle_from_text(_TEXT.format(density=DENSITY, mass=mass, moments=moments, added=added))
