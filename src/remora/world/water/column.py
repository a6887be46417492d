"""The water column: density and speed of sound at each depth."""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, final

from remora.equations.geometry.earth import gravity_in_water
from remora.equations.instruments.pressure import pressure_at_depth
from remora.equations.water.seawater import density_of_seawater, sound_speed_in_seawater
from remora.world.number_checks import between, check_growing


class Layer(NamedTuple):
    """The water at a depth."""

    depth: float  # m below the still surface
    density: float  # kg/m3
    sound_speed: float  # m/s


@final
@dataclass(frozen=True)
class WaterColumn:
    """Water in layers: linear between the given depths, held above the first and below the last.

    Raises a ValueError when there is no layer, depths do not grow, or a density or sound speed is not positive.
    """

    layers: tuple[Layer, ...]
    _depths: tuple[float, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.layers:
            raise ValueError("the water column has no layers: give at least one")
        depths = tuple(layer.depth for layer in self.layers)
        check_growing("depths of the water column", depths)
        for layer in self.layers:
            if not (0.0 < layer.density < 1e5 and 0.0 < layer.sound_speed < 1e5):
                raise ValueError(f"{layer}: density and sound speed must be positive")
        object.__setattr__(self, "_depths", depths)

    def density(self, depth: float) -> float:
        """Density at a depth below the still surface (m), kg/m3."""
        lower, upper, share, _ = between(self._depths, depth)
        above, below = self.layers[lower].density, self.layers[upper].density
        return above + share * (below - above)

    def mean_density(self, depth: float) -> float:
        """Mean density between the still surface and a depth, kg/m3, which determines pressure."""
        if depth <= 0.0:
            return self.density(0.0)
        stops = [0.0, *(stop for stop in self._depths if 0.0 < stop < depth), depth]
        halves = (0.5 * (b - a) * (self.density(a) + self.density(b)) for a, b in pairwise(stops))
        return sum(halves) / depth

    def sound_speed(self, depth: float) -> float:
        """Sound speed at a depth below the still surface (m), m/s."""
        lower, upper, share, _ = between(self._depths, depth)
        above, below = self.layers[lower].sound_speed, self.layers[upper].sound_speed
        return above + share * (below - above)

    def mean_sound_speed(self, first: float, last: float) -> float:
        """Mean sound speed of a vertical ray between two depths, m/s: depth difference over travel time.

        Within a layer of linear sound speed the travel time is ln(c2/c1) / slope; here by Simpson's rule in each
        layer, good to 1e-6 for any ocean.
        """
        if first == last:
            return self.sound_speed(first)
        above, below = min(first, last), max(first, last)
        stops = [above, *(depth for depth in self._depths if above < depth < below), below]
        time = 0.0
        for upper, lower in pairwise(stops):
            slowness = [1.0 / self.sound_speed(upper + share * (lower - upper)) for share in (0.0, 0.5, 1.0)]
            time += (lower - upper) * (slowness[0] + 4.0 * slowness[1] + slowness[2]) / 6.0
        return (below - above) / time

    def gravity(self, latitude: float, depth: float) -> float:
        """m/s2 at a latitude in rad: that of the ellipsoid, less the pull of the water passed."""
        return gravity_in_water(latitude, depth, self.density(depth))


class Cast(NamedTuple):
    """CTD sample at a depth."""

    depth: float  # m
    temperature: float  # degrees Celsius
    salinity: float  # practical scale


def column_from_casts(casts: tuple[Cast, ...], latitude: float) -> WaterColumn:
    """The column of measured temperatures and salinities: density by EOS-80, sound speed by Mackenzie 1981.

    Raises a ValueError when a number lies outside what the formulas are made for.
    """
    for cast in casts:
        if not (-2.0 <= cast.temperature <= 40.0 and 0.0 <= cast.salinity <= 42.0 and 0.0 <= cast.depth <= 11000.0):
            raise ValueError(
                f"{cast}: give a depth of 0 to 11000 m, -2 to 40 degrees Celsius and a salinity of 0 to 42"
            )
    layers = (
        Layer(
            depth,
            density_of_seawater(temperature, salinity, pressure_at_depth(depth, latitude)),
            sound_speed_in_seawater(temperature, salinity, depth),
        )
        for depth, temperature, salinity in casts
    )
    return WaterColumn(tuple(layers))
