"""Environment of the vehicles: currents, waves, water column, seabed, tunnels, obstacles, contact and tethers."""

from remora.world.contact import Contact, ContactSphere, contact_body, default_body, spheres_from_size
from remora.world.ground.beds import FlatBed, ProfileBed
from remora.world.ground.grid_bed import GridBed
from remora.world.ground.obstacles import Ball, Box, Pipe
from remora.world.ground.tunnels import CrossSection, Horseshoe, Rectangle, Round, Tunnel
from remora.world.scene import Scene
from remora.world.water.column import Cast, Layer, WaterColumn, column_from_casts
from remora.world.water.currents.grid import Gridded
from remora.world.water.currents.gusts import Gusts
from remora.world.water.currents.steady import PowerLaw, Sheared, Uniform
from remora.world.water.currents.tide import Constituent, Tide
from remora.world.water.local_water import NO_SURFACE, CompositeCurrent, FlowField, LocalWater, plant_row
from remora.world.water.waves import Waves
from remora.world.world import ContactSettings, World

__all__ = [
    "NO_SURFACE",
    "Ball",
    "Box",
    "Cast",
    "CompositeCurrent",
    "Constituent",
    "Contact",
    "ContactSettings",
    "ContactSphere",
    "CrossSection",
    "FlatBed",
    "FlowField",
    "GridBed",
    "Gridded",
    "Gusts",
    "Horseshoe",
    "Layer",
    "LocalWater",
    "Pipe",
    "PowerLaw",
    "ProfileBed",
    "Rectangle",
    "Round",
    "Scene",
    "Sheared",
    "Tide",
    "Tunnel",
    "Uniform",
    "WaterColumn",
    "Waves",
    "World",
    "column_from_casts",
    "contact_body",
    "default_body",
    "plant_row",
    "spheres_from_size",
]
