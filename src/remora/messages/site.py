"""Nominal conditions of the place where a vehicle works."""

from typing import NamedTuple

from remora.equations.geometry.earth import Geodetic


class Site(NamedTuple):
    """Site data available to on-board parts."""

    density: float  # kg/m3
    gravity: float  # m/s2
    surface_depth: float  # m, z of the surface in N
    origin: Geodetic  # of the frame N
    has_bottom: bool  # whether a Doppler log can have bottom lock
