"""Body states at the stages of a time step, as tuples of thirteen numbers."""

from remora.equations.algebra.elementary import both, sqrt
from remora.equations.algebra.vectors import subtract6
from remora.equations.types import BodyState, Numbers, Twist, Vector6
from remora.equations.water.current import current_twist
from remora.equations.water.local_water import Water, water_velocity


def body_state_at(array: Numbers) -> BodyState:
    """The thirteen numbers of the body at the start of an array."""
    return (
        array[0],
        array[1],
        array[2],
        array[3],
        array[4],
        array[5],
        array[6],
        array[7],
        array[8],
        array[9],
        array[10],
        array[11],
        array[12],
    )


def with_twist_of(x: BodyState, other: BodyState) -> BodyState:
    """The pose of one state and the twist of another."""
    return (
        x[0],
        x[1],
        x[2],
        x[3],
        x[4],
        x[5],
        x[6],
        other[7],
        other[8],
        other[9],
        other[10],
        other[11],
        other[12],
    )


def through_water(x: BodyState, water: Water, elapsed: float) -> Twist:
    """Twist relative to the water, `elapsed` seconds after the reference time of the water."""
    twist = (x[7], x[8], x[9], x[10], x[11], x[12])
    velocity = water_velocity(water, (x[0], x[1], x[2]), elapsed)
    return subtract6(twist, current_twist((x[3], x[4], x[5], x[6]), velocity))


def is_within(twist: Twist, limits: Vector6) -> bool:
    """Whether all six speeds are within their limits; false for NaN."""
    linear = both(both(abs(twist[0]) <= limits[0], abs(twist[1]) <= limits[1]), abs(twist[2]) <= limits[2])
    angular = both(both(abs(twist[3]) <= limits[3], abs(twist[4]) <= limits[4]), abs(twist[5]) <= limits[5])
    return both(linear, angular)


def error_size(error: BodyState, x: BodyState, relative: float, absolute: float) -> float:
    """Root mean square of an error, each component scaled by its tolerance; a step is accepted below one."""
    total = 0.0
    for i in range(13):
        scaled = error[i] / (absolute + relative * abs(x[i]))
        total += scaled * scaled
    return sqrt(total / 13.0)
