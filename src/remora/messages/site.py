"""Nominal conditions of the place where a vehicle works."""

from typing import NamedTuple

from remora.equations.geometry.earth import Geodetic


class Site(NamedTuple):
    """What on-board parts may know about the water around them."""

    density: float  # kg/m3
    gravity: float  # m/s2
    surface_depth: float  # m, z of the surface in N
    origin: Geodetic  # of the frame N
    has_bottom: bool  # whether there is anything that a Doppler log could track
