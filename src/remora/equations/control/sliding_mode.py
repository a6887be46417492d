"""Sliding mode with a boundary layer: acceleration that drives a velocity error to zero against a bounded disturbance.

Slotine and Li 1991, ch. 7. While the disturbance stays below the switching gain, the sliding variable reaches the layer
in finite time and stays within disturbance x layer / gain.
"""

from remora.equations.algebra.four_axes import clipped
from remora.equations.types import FourDof


def sliding_surface(error: float, integral: float, slope: float) -> float:
    """Sliding variable of a velocity error and its integral: e + slope x integral.

    On the surface the integral decays at the rate `slope`, 1/s.
    """
    return error + slope * integral


def sliding_acceleration(error: float, integral: float, slope: float, gain: float, layer: float) -> float:
    """Acceleration of one axis, m/s2 or rad/s2: slope x error + gain x sat(s / layer).

    `error` is desired minus measured velocity, `gain` the switching gain, above the largest disturbance, and `layer`
    half the thickness of the boundary layer, in the unit of the velocity.
    """
    return slope * error + gain * clipped(sliding_surface(error, integral, slope) / layer, -1.0, 1.0)


def sliding_accelerations(error: FourDof, integral: FourDof, slope: FourDof, gain: FourDof, layer: FourDof) -> FourDof:
    """`sliding_acceleration` of surge, sway, heave and yaw."""
    return (
        sliding_acceleration(error[0], integral[0], slope[0], gain[0], layer[0]),
        sliding_acceleration(error[1], integral[1], slope[1], gain[1], layer[1]),
        sliding_acceleration(error[2], integral[2], slope[2], gain[2], layer[2]),
        sliding_acceleration(error[3], integral[3], slope[3], gain[3], layer[3]),
    )
