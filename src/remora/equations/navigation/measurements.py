"""Readings of sensors as functions of a navigation state; they call the equations of the simulated instruments.

The state is that of the inertial unit at I, a point of the body; `w` is the angular velocity in body axes.
"""

from typing import NamedTuple

from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.vectors import IDENTITY3, ZERO3, add3, cross, dot3, join, scale3
from remora.equations.instruments.bearing import (
    bearing_and_elevation,
    direction_in_N,
    point_in_sensor,
    range_and_cosines,
    velocity_in_N,
)
from remora.equations.instruments.doppler import (
    BeamDirections,
    Beams,
    beam_velocities,
    velocity_over_ground,
    velocity_through_water,
)
from remora.equations.instruments.inertial import attitude_angles, point_position
from remora.equations.instruments.pressure import pressure_at_depth, uniform_water_pressure
from remora.equations.navigation.charts import NavigationPose
from remora.equations.types import AngularVelocity, Level, Quaternion, RotationMatrix, Twist, Vector3


class VelocityErrorTerms(NamedTuple):
    """Systematic errors of a Doppler log."""

    bias: Vector3  # m/s, in S
    scale: float
    misalignment: Vector3  # rad, small rotation of its axes


def twist_of(x: NavigationPose, w: AngularVelocity) -> Twist:
    """Twist of the body about the point I, from velocity in N and angular velocity in body axes."""
    return join(to_body(x.q, x.v), w)


def with_velocity_errors(velocity: Vector3, errors: VelocityErrorTerms) -> Vector3:
    """A velocity in S with misalignment, scale error and bias."""
    turned = add3(velocity, cross(velocity, errors.misalignment))
    return add3(scale3(1.0 + errors.scale, turned), errors.bias)


def bottom_track(
    x: NavigationPose, w: AngularVelocity, p_IS: Vector3, R_BS: RotationMatrix, errors: VelocityErrorTerms
) -> Vector3:
    """Velocity over ground of a Doppler log, in its axes, m/s."""
    return with_velocity_errors(velocity_over_ground(twist_of(x, w), p_IS, R_BS), errors)


def bottom_track_beams(velocity_S: Vector3, directions: BeamDirections) -> Beams:
    """Speed along each beam of a Doppler log, m/s: any number of beams may be used."""
    return beam_velocities(velocity_S, directions)


def water_track(
    x: NavigationPose,
    w: AngularVelocity,
    current_N: Vector3,
    p_IS: Vector3,
    R_BS: RotationMatrix,
    errors: VelocityErrorTerms,
) -> Vector3:
    """Velocity through the water of a Doppler log or current meter, in its axes, m/s."""
    seen = velocity_through_water(x.q, twist_of(x, w), current_N, p_IS, R_BS)
    return with_velocity_errors(seen, errors)


def sea_pressure(x: NavigationPose, p_IS: Vector3, surface: Level, latitude: float) -> float:
    """Gauge pressure of sea water, Pa."""
    return pressure_at_depth(point_position(x.p, x.q, p_IS)[2] - surface, latitude)


def lake_pressure(x: NavigationPose, p_IS: Vector3, surface: Level, weight: float) -> float:
    """Gauge pressure of water of one density, Pa.

    `weight` is density times gravity, N/m3.
    """
    return uniform_water_pressure(point_position(x.p, x.q, p_IS)[2] - surface, weight, 1.0)


def attitude_reading(x: NavigationPose, q_BS: Quaternion, bias: Vector3) -> Vector3:
    """Roll, pitch and heading of an attitude sensor or compass with offsets, rad.

    `bias` has the offsets of the three angles.
    """
    return add3(attitude_angles(x.q, q_BS), bias)


def satellite_fix(x: NavigationPose, w: AngularVelocity, p_IS: Vector3) -> tuple[Vector3, Vector3]:
    """Position and velocity of an antenna in N, m and m/s."""
    return point_position(x.p, x.q, p_IS), velocity_in_N(x.q, twist_of(x, w), p_IS)


def direction_from_station(
    x: NavigationPose, p_IS: Vector3, p_NA: Vector3, q_NA: Quaternion, across: tuple[Vector3, Vector3]
) -> Vector3:
    """Range of a transponder on the vehicle from an array at a station, m, and two cosines of its direction: USBL.

    `q_NA` is the orientation of the array; `across` are two unit vectors across the measured direction, in the axes of
    the array.
    """
    p_NS = point_position(x.p, x.q, p_IS)
    return _range_across(point_in_sensor(p_NA, q_NA, ZERO3, IDENTITY3, p_NS), across)


def direction_to_target(
    x: NavigationPose, p_IS: Vector3, R_BS: RotationMatrix, p_NP: Vector3, across: tuple[Vector3, Vector3]
) -> Vector3:
    """Range of a transponder from an array on the vehicle, m, and two cosines of its direction: USBL.

    `across` are two unit vectors across the measured direction, in the axes of the array.
    """
    return _range_across(point_in_sensor(x.p, x.q, p_IS, R_BS, p_NP), across)


def _range_across(p_SP: Vector3, across: tuple[Vector3, Vector3]) -> Vector3:
    """Range of a point, and the cosines of its direction to two unit vectors."""
    distance, x, y, z = range_and_cosines(p_SP)
    return (distance, dot3((x, y, z), across[0]), dot3((x, y, z), across[1]))


def landmark_bearing(x: NavigationPose, p_IS: Vector3, R_BS: RotationMatrix, p_NP: Vector3) -> tuple[float, float]:
    """Bearing and elevation of a known point in a camera, rad."""
    return bearing_and_elevation(point_in_sensor(x.p, x.q, p_IS, R_BS, p_NP))


def altitude_over_bottom(x: NavigationPose, p_IS: Vector3, bottom: Level) -> float:
    """Vertical distance of a sensor from a level bottom, m."""
    return bottom - point_position(x.p, x.q, p_IS)[2]


def echo_range(x: NavigationPose, p_IS: Vector3, R_BS: RotationMatrix, bottom: Level) -> float:
    """Distance along x_S of an echosounder to a level bottom, m: altimeter."""
    return altitude_over_bottom(x, p_IS, bottom) / direction_in_N(x.q, R_BS, (1.0, 0.0, 0.0))[2]
