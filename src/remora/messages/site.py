"""Nominal conditions of the place where a vehicle works."""

from typing import NamedTuple

from remora.equations.geometry.earth import Geodetic
from remora.equations.types import Vector3

SEA_WATER_DENSITY = 1025.0  # kg/m3
SOUND_SPEED = 1500.0  # m/s
GRAVITY = 9.81  # m/s2
# Typical of middle northern latitudes: 50 microtesla, 65 degrees down, no declination.
MAGNETIC_FIELD: Vector3 = (2.1e-5, 0.0, 4.53e-5)  # T
ORIGIN = Geodetic(0.0, 0.0, 0.0)  # of N, where none is given


class SeaState(NamedTuple):
    """Statistics of the waves."""

    significant_height: float  # m
    peak_period: float  # s
    peakedness: float  # of the JONSWAP spectrum
    water_depth: float  # m


class Site(NamedTuple):
    """Site data available to on-board parts."""

    density: float  # kg/m3
    gravity: float  # m/s2
    surface_depth: float  # m, z of the surface in N
    origin: Geodetic  # of the frame N
    has_bottom: bool  # whether a Doppler log can have bottom lock
    points: tuple[tuple[str, Vector3], ...] = ()  # m in N, charted points by name: transponders, lamps
    sea_state: SeaState | None = None  # None: no waves
