"""The textbook pendulum in Cartesian coordinates, y down, and the equivalent pendulum of two modules on a rod."""

from remora.equations.algebra.elementary import cos, sin


def tension_form(x: float, y: float, vx: float, vy: float, g: float) -> tuple[float, float]:
    """Newton: acceleration under weight and the tension m (v2 + g y) / l, m/s2. Nielsen 2018, eq. 3.6 to 3.8.

    The position from the pivot is x and y, y down, the velocity vx and vy.
    """
    tension = (vx * vx + vy * vy + g * y) / (x * x + y * y)
    return -tension * x, g - tension * y


def angle_form(x: float, y: float, vx: float, vy: float, g: float) -> tuple[float, float]:
    """Lagrange of the second kind: l2 theta'' + g l sin(theta) = 0, in Cartesian coordinates. Nielsen 2018, eq. 3.10.

    The position from the pivot is x = l sin(theta) and y = l cos(theta), y down, the velocity vx and vy.
    """
    rate = (vx * y - vy * x) / (x * x + y * y)
    turning = -g * x / (x * x + y * y)
    return turning * y - rate * rate * x, -turning * x - rate * rate * y


def equivalent_pendulum(
    angle: float, rate: float, arm: float, centre: tuple[float, float], gravity: float, damping: tuple[float, float]
) -> float:
    """Angular acceleration of two modules on a rod in roll, rad/s2. Nielsen 2018, eq. 3.78.

    `arm` is half the length of the rod, `centre` the mean centre of buoyancy of the modules, y and z in the axes of the
    first; linear and quadratic damping are over the mass, 1/s and 1/m.
    """
    restoring = gravity / (arm * arm) * (centre[0] * cos(angle) - centre[1] * sin(angle))
    return -restoring - damping[1] * arm * abs(rate) * rate - damping[0] * rate
