"""Tunnels, level beds and obstacles as rows of numbers for compiled ray casting."""

from typing import Any

from remora.equations.algebra.vectors import scale3, transpose3
from remora.plant.strict import Shape, ground_row
from remora.world.ground.beds import FlatBed
from remora.world.ground.obstacles import Ball, Box, Pipe
from remora.world.ground.tunnel_sections import CrossSection, Horseshoe, Rectangle, Round
from remora.world.ground.tunnels import Tunnel


def packed_row(element: Any) -> tuple[float, ...] | None:
    """The row of a part of a scene; None for one that is cast against in Python."""
    if isinstance(element, Tunnel):
        return _tunnel_row(element, element.section)
    if isinstance(element, FlatBed):
        return ground_row(Shape.LEVEL_BED, (element.depth, 0.0, 0.0))
    if isinstance(element, Box):
        return ground_row(Shape.BOX, scale3(0.5, element.size), element.center, transpose3(element.R_NO))
    if isinstance(element, Pipe):
        return ground_row(Shape.ROD, (element.radius, element.length, 0.0), element.start, transpose3(element.R_NO))
    if isinstance(element, Ball):
        return ground_row(Shape.BALL, (element.radius, 0.0, 0.0), element.center)
    return None


def _tunnel_row(tunnel: Tunnel, section: CrossSection) -> tuple[float, ...] | None:
    if isinstance(section, Round):
        return ground_row(Shape.ROUND, (0.5 * section.diameter, 0.0, tunnel.length), tunnel.start, tunnel.R_TN)
    if not isinstance(section, (Rectangle, Horseshoe)):
        return None
    shape = Shape.RECTANGLE if isinstance(section, Rectangle) else Shape.HORSESHOE
    return ground_row(shape, (0.5 * section.width, 0.5 * section.height, tunnel.length), tunnel.start, tunnel.R_TN)
