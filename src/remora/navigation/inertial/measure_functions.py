"""Measurement models of the sensors of a suite, as functions of state, inputs and parameters for `compile_filter`.

Each template reads its numbers from the row of parameters at AT: the place of the sensor from I (3), then what its
docstring lists.
"""

from typing import Any

from remora.equations.instruments import range_to_point
from remora.equations.navigation.measurements import (
    VelocityErrorTerms,
    altitude_over_bottom,
    attitude_reading,
    bottom_track,
    bottom_track_beams,
    direction_from_station,
    direction_to_target,
    echo_range,
    lake_pressure,
    landmark_bearing,
    satellite_fix,
    sea_pressure,
    water_track,
)
from remora.equations.types import Matrix3, Vector3
from remora.navigation.inertial.state_blocks import StateLayout
from remora.navigation.inertial.state_functions import filled, number_of, pose, rate_of, vector_of

# Filled in for each layout and sensor. The parameters that a reading brings begin at OWN.
AT, POINT, OWN = 0, 0, 0
rate: Any = None
dvl_bias: Any = None
dvl_scale: Any = None
dvl_misalignment: Any = None
current: Any = None
bottom: Any = None
pressure_bias: Any = None
pressure_scale: Any = None
attitude_bias: Any = None
others: Any = None


def vector_at(row: Any, at: int) -> Vector3:
    """Three parameters."""
    return (row[at], row[at + 1], row[at + 2])


def matrix_at(row: Any, at: int) -> Matrix3:
    """Nine parameters, row by row."""
    return (vector_at(row, at), vector_at(row, at + 3), vector_at(row, at + 6))


def dvl_velocity(x: Any, u: Any, row: Any) -> Any:
    """Bottom track; parameters R_BS (9)."""
    errors = VelocityErrorTerms(dvl_bias(x), dvl_scale(x), dvl_misalignment(x))
    return bottom_track(pose(x), rate(x, u), vector_at(row, AT), matrix_at(row, AT + 3), errors)


def dvl_velocity_and_altitude(x: Any, u: Any, row: Any) -> Any:
    """Bottom track and altitude over an estimated bottom; parameters R_BS (9)."""
    errors = VelocityErrorTerms(dvl_bias(x), dvl_scale(x), dvl_misalignment(x))
    v = bottom_track(pose(x), rate(x, u), vector_at(row, AT), matrix_at(row, AT + 3), errors)
    return (v[0], v[1], v[2], altitude_over_bottom(pose(x), vector_at(row, AT), bottom(x)))


def dvl_beams(x: Any, u: Any, row: Any) -> Any:
    """Bottom track along four beams; parameters R_BS (9), directions in S (12)."""
    errors = VelocityErrorTerms(dvl_bias(x), dvl_scale(x), dvl_misalignment(x))
    v = bottom_track(pose(x), rate(x, u), vector_at(row, AT), matrix_at(row, AT + 3), errors)
    first, second = vector_at(row, AT + 12), vector_at(row, AT + 15)
    return bottom_track_beams(v, (first, second, vector_at(row, AT + 18), vector_at(row, AT + 21)))


def water_velocity(x: Any, u: Any, row: Any) -> Any:
    """Water track; parameters R_BS (9)."""
    errors = VelocityErrorTerms(dvl_bias(x), dvl_scale(x), dvl_misalignment(x))
    return water_track(pose(x), rate(x, u), current(x), vector_at(row, AT), matrix_at(row, AT + 3), errors)


def sea_depth(x: Any, u: Any, row: Any) -> Any:
    """Pressure of sea water; parameters z of the surface, latitude."""
    pressure = sea_pressure(pose(x), vector_at(row, AT), row[AT + 3], row[AT + 4])
    return ((1.0 + pressure_scale(x)) * pressure + pressure_bias(x),)


def lake_depth(x: Any, u: Any, row: Any) -> Any:
    """Pressure of water of one density; parameters z of the surface, density times gravity."""
    pressure = lake_pressure(pose(x), vector_at(row, AT), row[AT + 3], row[AT + 4])
    return ((1.0 + pressure_scale(x)) * pressure + pressure_bias(x),)


def attitude_angles_of(x: Any, u: Any, row: Any) -> Any:
    """Roll, pitch and heading; parameters q_BS (4)."""
    return attitude_reading(pose(x), (row[AT + 3], row[AT + 4], row[AT + 5], row[AT + 6]), attitude_bias(x))


def satellite_position_and_velocity(x: Any, u: Any, row: Any) -> Any:
    """Position and velocity of an antenna in N."""
    p, v = satellite_fix(pose(x), rate(x, u), vector_at(row, AT))
    return (p[0], p[1], p[2], v[0], v[1], v[2])


def usbl_at_station(x: Any, u: Any, row: Any) -> Any:
    """Range and direction at an array; parameters p_NA (3), q_NA (4), and of the reading two vectors across it (6)."""
    q_NA = (row[AT + 6], row[AT + 7], row[AT + 8], row[AT + 9])
    across = (vector_at(row, OWN), vector_at(row, OWN + 3))
    return direction_from_station(pose(x), vector_at(row, AT), vector_at(row, AT + 3), q_NA, across)


def usbl_on_vehicle(x: Any, u: Any, row: Any) -> Any:
    """Range and direction of a transponder; parameters p_NP (3), R_BS (9), and of the reading as above (6)."""
    across = (vector_at(row, OWN), vector_at(row, OWN + 3))
    return direction_to_target(pose(x), vector_at(row, AT), matrix_at(row, AT + 6), vector_at(row, AT + 3), across)


def ranges_to_stations(x: Any, u: Any, row: Any) -> Any:
    """Range to the station at POINT, and to those after it; parameters p_NP (3) of each."""
    here = pose(x)
    return (range_to_point(here.p, here.q, vector_at(row, AT), vector_at(row, POINT)), *others(x, u, row))


def bearings_of_landmarks(x: Any, u: Any, row: Any) -> Any:
    """Bearing and elevation of the landmark at POINT, and of those after it; parameters R_BS (9), p_NP (3) of each."""
    seen = landmark_bearing(pose(x), vector_at(row, AT), matrix_at(row, AT + 3), vector_at(row, POINT))
    return (seen[0], seen[1], *others(x, u, row))


def echo_of_bottom(x: Any, u: Any, row: Any) -> Any:
    """Distance of an altimeter to an estimated bottom; parameters R_BS (9)."""
    return (echo_range(pose(x), vector_at(row, AT), matrix_at(row, AT + 3), bottom(x)),)


def still_velocity(x: Any, u: Any, row: Any) -> Any:
    """Velocity of I in N: zero while the vehicle rests on the bottom."""
    return (x[3], x[4], x[5])


def no_others(x: Any, u: Any, row: Any) -> Any:
    """No further points."""
    return ()


def measure_of(
    template: Any, layout: StateLayout, driven_by: str, at: int, points: tuple[int, ...] = (), own: int = 0
) -> Any:
    """The measurement model of one sensor, from a template of this module; `driven_by` as for `rate_of`.

    `at`, `points` and `own` are indices in the row of parameters: of its own, of its stations or landmarks, and of
    those that its readings bring.
    """
    names = {name: vector_of(layout, name) for name in ("dvl_bias", "dvl_misalignment", "current", "attitude_bias")}
    names |= {name: number_of(layout, name) for name in ("dvl_scale", "bottom", "pressure_bias", "pressure_scale")}
    names |= {"rate": rate_of(layout, driven_by), "AT": at, "OWN": own}
    if not points:
        return filled(template, **names)
    chain: Any = no_others
    for point in reversed(points):
        chain = filled(template, **names, POINT=point, others=chain)
    return chain
