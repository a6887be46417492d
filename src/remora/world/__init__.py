"""What surrounds the vehicles: water that moves, what it is made of, the bed, tunnels and obstacles, and contact."""

from remora.world.contact import Contact, Point, contact_body, default_body, points_from_size
from remora.world.ground.beds import FlatBed, ProfileBed
from remora.world.ground.grid_bed import GridBed
from remora.world.ground.obstacles import Ball, Box, Pipe
from remora.world.ground.tunnel_sections import Horseshoe, Rectangle, Round, Section
from remora.world.ground.tunnels import Tunnel
from remora.world.scene import Scene
from remora.world.water.column import Cast, Column, Layer, column_from_casts
from remora.world.water.currents import PowerLaw, Sheared, Uniform
from remora.world.water.gridded_current import Gridded
from remora.world.water.gusts import Gusts
from remora.world.water.local_water import NO_SURFACE, Field, LocalWater, Sum, plant_row
from remora.world.water.tide import Constituent, Tide
from remora.world.water.waves import Waves
from remora.world.world import Touching, World

__all__ = [
    "NO_SURFACE",
    "Ball",
    "Box",
    "Cast",
    "Column",
    "Constituent",
    "Contact",
    "Field",
    "FlatBed",
    "GridBed",
    "Gridded",
    "Gusts",
    "Horseshoe",
    "Layer",
    "LocalWater",
    "Pipe",
    "Point",
    "PowerLaw",
    "ProfileBed",
    "Rectangle",
    "Round",
    "Scene",
    "Section",
    "Sheared",
    "Sum",
    "Tide",
    "Touching",
    "Tunnel",
    "Uniform",
    "Waves",
    "World",
    "column_from_casts",
    "contact_body",
    "default_body",
    "plant_row",
    "points_from_size",
]
