"""Sliding mode with a boundary layer: acceleration that drives a velocity error to zero against a bounded disturbance.

Slotine and Li 1991, ch. 7. While the disturbance stays below the switching gain, the sliding variable reaches the layer
in finite time and stays within disturbance x layer / gain.
"""

from remora.equations.algebra.four_axes import clipped
from remora.equations.types import Vector4


def sliding_surface(error: float, integral: float, slope: float) -> float:
    """Sliding variable of a velocity error and its integral: e + slope x integral.

    Parameters
    ----------
    error
        Velocity error, m/s or rad/s.
    integral
        Its integral, m or rad.
    slope
        1/s; on the surface the integral decays at this rate.
    """
    return error + slope * integral


def sliding_acceleration(error: float, integral: float, slope: float, gain: float, layer: float) -> float:
    """Acceleration of one axis, m/s2 or rad/s2: slope x error + gain x sat(s / layer).

    Parameters
    ----------
    error
        Desired minus measured velocity, m/s or rad/s.
    integral
        Its integral, m or rad.
    slope
        Of the sliding surface, 1/s.
    gain
        Switching gain, above the largest disturbance, m/s2 or rad/s2.
    layer
        Half thickness of the boundary layer, m/s or rad/s.
    """
    return slope * error + gain * clipped(sliding_surface(error, integral, slope) / layer, -1.0, 1.0)


def sliding_accelerations(error: Vector4, integral: Vector4, slope: Vector4, gain: Vector4, layer: Vector4) -> Vector4:
    """`sliding_acceleration` of surge, sway, heave and yaw.

    Parameters
    ----------
    error, integral
        Velocity errors and their integrals.
    slope, gain, layer
        Parameters of each axis.
    """
    return (
        sliding_acceleration(error[0], integral[0], slope[0], gain[0], layer[0]),
        sliding_acceleration(error[1], integral[1], slope[1], gain[1], layer[1]),
        sliding_acceleration(error[2], integral[2], slope[2], gain[2], layer[2]),
        sliding_acceleration(error[3], integral[3], slope[3], gain[3], layer[3]),
    )
