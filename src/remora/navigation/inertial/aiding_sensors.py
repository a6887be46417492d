"""Aiding sensors of a filter from the entries of a vehicle file: measurement model, errors and parameters of each kind.

Where a data sheet states no noise at all, a chosen one stands in: LEAST_NOISE.
"""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from remora.equations.algebra.quaternions import from_axis_angle, product, rotation_matrix
from remora.equations.algebra.vectors import subtract3
from remora.equations.geometry.earth import Geodetic, geodetic_to_ned
from remora.equations.instruments import CompassOffsets, attitude_from_compass, beam_directions
from remora.equations.types import Quaternion, Vector3
from remora.files.problems import InputError
from remora.messages.reading import Values
from remora.messages.site import Site
from remora.messages.stated_errors import InsAccuracy, StatedErrors
from remora.navigation.inertial import measure_functions as models
from remora.navigation.inertial.reading_noise import ExpectedWaves, array_fix, with_iron
from remora.navigation.inertial.state_blocks import ErrorBlock, bias_block, drift_block
from remora.vehicles.vehicle import SensorEntry

# Chosen standard deviations where a data sheet states no noise.
LEAST_NOISE = {"velocity": 1e-3, "pressure": 10.0, "angle": math.radians(0.01), "length": 0.01}
REST = "rest"  # name and role of the zero velocity of a vehicle that rests on the bottom
REST_SIGMA, REST_PERIOD_NS = 0.01, 100_000_000  # m/s, ns; chosen
STEEP = math.radians(80.0)  # pitch beyond which an attitude sensor is not used: its angles are not unique
_ARRAY_ERRORS = (("range_", "length"), ("angle_", "angle"))  # of a USBL, and the least noise of each
_DOWN = from_axis_angle((0.0, 1.0, 0.0), -0.5 * math.pi)  # orientation of an altimeter without one

Convert: TypeAlias = Callable[[Values], Values]


class SuiteContext(NamedTuple):
    """What the readings of all sensors of a vehicle refer to."""

    site: Site
    p_BI: Vector3  # m, place of the inertial unit
    has_bottom_state: bool = False
    has_current_state: bool = False


class AidingSensor(NamedTuple):
    """One sensor as a filter uses it."""

    name: str
    role: str  # attitude, velocity, depth, position, bottom, rest: sensors of the first three exclude each other
    template: Any
    sigma: Values
    numbers: Values  # parameters of its measurement model
    convert: Convert  # from the values of a reading to what the model predicts
    period_ns: int  # zero without a rate: silence is then no loss
    latency: float  # s
    wrap: tuple[bool, ...] = ()
    points: tuple[Vector3, ...] = ()
    blocks: tuple[ErrorBlock, ...] = ()
    repeats_mean_frozen: bool = False  # whether equal values in a row cannot happen by chance
    zeros_mean_no_lock: bool = False
    angles: Convert | None = None  # of an attitude sensor: roll, pitch and heading, whatever they are
    own_sigma: bool = False  # whether `convert` gives the standard deviations of each reading after its values
    own_parameters: int = 0  # numbers for `template` that `convert` gives at the end of each reading

    @property
    def shows_bottom(self) -> bool:
        """Whether it measures the distance to an estimated bottom."""
        return self.template in (models.echo_of_bottom, models.dvl_velocity_and_altitude)


Maker: TypeAlias = Callable[[SensorEntry, Mapping[str, StatedErrors], SuiteContext], AidingSensor | None]


def place_of_sensor(entry: SensorEntry) -> Vector3:
    """Position of a sensor on the body, m; an InputError when its entry states none."""
    if entry.position is None:
        raise InputError(
            f'sensor "{entry.name}" has no position: a filter needs its lever arm. Give three numbers in m.'
        ).about(f"sensors.{entry.name}.position", None)
    return entry.position


def _lever(entry: SensorEntry, context: SuiteContext) -> Vector3:
    return subtract3(place_of_sensor(entry), context.p_BI)


def _axes(entry: SensorEntry) -> Values:
    return tuple(number for row in rotation_matrix(entry.q_BS or (1.0, 0.0, 0.0, 0.0)) for number in row)


def _timing(entry: SensorEntry) -> tuple[int, float]:
    jitter = entry.parameters.get("latency_jitter", 0.0)  # three deviations, so that hardly a reading is too late
    return round(1e9 / (entry.rate or 1.0)), (entry.latency or 0.0) + 3.0 * float(jitter)


def _at_least(sigma: Values, least: float) -> Values:
    return tuple(value if value > 0.0 else least for value in sigma)


def _known(*blocks: ErrorBlock | None) -> tuple[ErrorBlock, ...]:
    return tuple(block for block in blocks if block is not None)


def _is_noisy(entry: SensorEntry, errors: StatedErrors) -> bool:
    """Whether two equal readings in a row do not happen by chance."""
    coarse = any(name.endswith("resolution") for name in entry.parameters)
    return not coarse and all(value > 0.0 for value in errors.white)


def unchanged(values: Values) -> Values:
    """Values of a sensor whose model predicts them as they are."""
    return values


def doppler_log(entry: SensorEntry, errors: Mapping[str, StatedErrors], context: SuiteContext) -> AidingSensor | None:
    """A Doppler log: bottom track with altitude where the bottom is estimated, or water track."""
    stated = errors.get("") or _beam_errors(entry, errors["beam_"])
    floor = float(entry.parameters.get("bottom_track_accuracy", 0.0))
    share = float(entry.parameters.get("bottom_track_accuracy_of_speed", 0.0))
    sigma = _at_least(tuple(math.hypot(w, floor) for w in stated.white), LEAST_NOISE["velocity"])
    is_water = entry.kind == "current_meter" or entry.parameters.get("track") == "water"
    template = models.water_velocity if is_water else models.dvl_velocity
    if is_water and not context.has_current_state:
        return None
    if context.has_bottom_state and not is_water:
        template = models.dvl_velocity_and_altitude
        altitude = errors["altitude_"].white if "altitude_" in errors else (LEAST_NOISE["length"],)
        sigma += _at_least(altitude, LEAST_NOISE["length"])
    return AidingSensor(
        entry.name, "water" if is_water else "velocity", template, sigma, (*_lever(entry, context), *_axes(entry)),
        partial(_with_speed_errors, sigma, share, floor), *_timing(entry), blocks=_doppler_blocks(stated),
        repeats_mean_frozen=True, zeros_mean_no_lock=True, own_sigma=True,
    )  # fmt: skip


def doppler_beams(entry: SensorEntry, errors: Mapping[str, StatedErrors], context: SuiteContext) -> AidingSensor | None:
    """Bottom track of a Doppler log beam by beam: each one with an echo counts."""
    sigma = _at_least(errors["beam_"].white, LEAST_NOISE["velocity"])
    directions = beam_directions(_beam_angle(entry), float(entry.parameters.get("beam_turn", 0.0)))
    numbers = (*_lever(entry, context), *_axes(entry), *(number for beam in directions for number in beam))
    return AidingSensor(
        entry.name, "velocity", models.dvl_beams, sigma, numbers, partial(_with_speed_errors, sigma, 0.0, 0.0),
        *_timing(entry), blocks=_doppler_blocks(_beam_errors(entry, errors["beam_"])), repeats_mean_frozen=True,
        zeros_mean_no_lock=True, own_sigma=True,
    )  # fmt: skip


def _doppler_blocks(stated: StatedErrors) -> tuple[ErrorBlock, ...]:
    """Systematic errors of the velocity of a Doppler log."""
    scale, turn = max(stated.scale), math.hypot(stated.misalignment, stated.nonorthogonality)
    return _known(
        bias_block("dvl_bias", stated),
        ErrorBlock("dvl_scale", (scale,), (0.0,)) if scale else None,
        ErrorBlock("dvl_misalignment", (turn,) * 3, (0.0,) * 3) if turn else None,
    )


def _beam_angle(entry: SensorEntry) -> float:
    return float(entry.parameters.get("beam_angle", math.radians(30.0)))


def _beam_errors(entry: SensorEntry, beam: StatedErrors) -> StatedErrors:
    """Errors of the velocity of a log that is modelled by its beams."""
    angle = _beam_angle(entry)
    # Horizontal components come from the difference of two opposite beams, the vertical one from the mean of all four.
    factor = (1.0 / (math.sqrt(2.0) * math.sin(angle)),) * 2 + (0.5 / math.cos(angle),)

    def spread(values: Values) -> Values:
        return tuple(f * max(values) for f in factor)

    return StatedErrors(
        spread(beam.white), spread(beam.constant), spread(beam.wander), beam.wander_time, spread(beam.walk),
        (max(beam.scale),) * 3,
    )  # fmt: skip


def _with_speed_errors(sigma: Values, share: float, floor: float, values: Values) -> Values:
    """Values of a Doppler log and their deviations, of which a part is proportional to the speed."""
    # The stated accuracy is the larger of the floor, which `sigma` contains, and a share of the speed.
    more = [max(0.0, (share * v) ** 2 - floor * floor) for v in values[: len(sigma)]]
    deviations = [math.sqrt(s * s + m) if i < 3 else s for i, (s, m) in enumerate(zip(sigma, more, strict=True))]
    return (*values[: len(sigma)], *deviations)


def pressure_sensor(
    entry: SensorEntry, errors: Mapping[str, StatedErrors], context: SuiteContext
) -> AidingSensor | None:
    """A pressure sensor with bias and scale error."""
    stated, site = errors[""], context.site
    low, high = entry.parameters.get("bias_range") or (0.0, 0.0)
    # A bias between two bounds is uniformly distributed: its deviation is their distance over the root of 12.
    stated = stated._replace(constant=(math.hypot(stated.constant[0], (high - low) / math.sqrt(12.0)),))
    scale = math.hypot(stated.scale[0], float(entry.parameters.get("accuracy_of_depth", 0.0)))
    blocks = _known(
        bias_block("pressure_bias", stated, 0.5 * (low + high)),
        drift_block("pressure_drift", stated),
        ErrorBlock("pressure_scale", (scale,), (0.0,)) if scale else None,
    )
    is_uniform = entry.parameters.get("water", "sea") == "uniform"
    water = site.density * site.gravity if is_uniform else site.origin.latitude
    sigma, sea = _at_least(stated.white, LEAST_NOISE["pressure"]), site.sea_state
    return AidingSensor(
        entry.name, "depth", models.lake_depth if is_uniform else models.sea_depth, sigma,
        (*_lever(entry, context), site.surface_depth, water),
        unchanged if sea is None else ExpectedWaves(sea, site, sigma[0]), *_timing(entry), blocks=blocks,
        repeats_mean_frozen=_is_noisy(entry, stated), own_sigma=sea is not None,
    )  # fmt: skip


def attitude_sensor(
    entry: SensorEntry, errors: Mapping[str, StatedErrors], context: SuiteContext
) -> AidingSensor | None:
    """An attitude sensor, a compass or the angles of an inertial navigation system."""
    stated = _joined_angles(errors)
    convert: Convert = unchanged
    if entry.kind == "ins":
        stated, convert = _ins_angles(entry), _angles_of_ins
    elif entry.kind == "compass":
        stated = with_iron(stated, entry)
        convert = _from_raw_compass(entry) if entry.parameters.get("raw") else unchanged
    least = tuple(max(LEAST_NOISE["angle"], 0.1 * w) for w in stated.wander)
    sigma = tuple(map(max, stated.white, least))
    q_BS = entry.q_BS or (1.0, 0.0, 0.0, 0.0)
    return AidingSensor(
        entry.name, "attitude", models.attitude_angles_of, sigma, (*_lever(entry, context), *q_BS),
        convert, *_timing(entry), (True, False, True),
        blocks=_known(bias_block("attitude_bias", stated)), repeats_mean_frozen=_is_noisy(entry, stated),
        angles=convert,
    )  # fmt: skip


def _joined_angles(errors: Mapping[str, StatedErrors]) -> StatedErrors:
    """Errors of roll, pitch and heading together."""
    groups = list(errors.values())

    def joined(field: str) -> Values:
        return tuple(value for group in groups for value in getattr(group, field))

    time = max((group.wander_time for group in groups), default=0.0)
    return StatedErrors(joined("white"), joined("constant"), joined("wander"), time, joined("walk"), joined("scale"))


def _angles_of_ins(values: Values) -> Values:
    return values[5:8]


def _ins_angles(entry: SensorEntry) -> StatedErrors:
    known, given = InsAccuracy(), entry.parameters
    angles = tuple(float(given.get(f"{name}_accuracy", getattr(known, name))) for name in ("roll", "pitch", "heading"))
    none = (0.0,) * 3
    return StatedErrors(none, none, angles, float(given.get("correlation_time", known.correlation_time)), none, none)


def _from_raw_compass(entry: SensorEntry) -> Convert:
    names = ("roll_offset", "pitch_offset", "heading_offset")
    offsets = CompassOffsets(*(float(entry.parameters.get(name, 0.0)) for name in names))
    declination = float(entry.parameters.get("declination", 0.0))
    return partial(_compass_angles, declination, offsets)


def _compass_angles(declination: float, offsets: CompassOffsets, values: Values) -> Values:
    return attitude_from_compass((values[0], values[1], values[2]), declination, offsets)


def satellite_receiver(
    entry: SensorEntry, errors: Mapping[str, StatedErrors], context: SuiteContext
) -> AidingSensor | None:
    """Position and velocity at the surface; slowly varying errors count as white noise of the same information."""
    period_ns, latency = _timing(entry)
    sigma = tuple(
        max(math.hypot(w, g * max(1.0, math.sqrt(2e9 * stated.wander_time / period_ns))), LEAST_NOISE["length"])
        for stated in (errors["position_"], errors["velocity_"])
        for w, g in zip(stated.white, stated.wander, strict=True)
    )
    return AidingSensor(
        entry.name, "position", models.satellite_position_and_velocity, sigma, _lever(entry, context),
        partial(_satellite_values, context.site.origin), period_ns, latency,
    )  # fmt: skip


def _satellite_values(origin: Geodetic, values: Values) -> Values:
    """Position in N and velocity."""
    return (*geodetic_to_ned(Geodetic(values[0], values[1], values[2]), origin), *values[3:6])


def ultra_short_baseline(
    entry: SensorEntry, errors: Mapping[str, StatedErrors], context: SuiteContext
) -> AidingSensor | None:
    """Range and direction, with the array at a station or on the vehicle; a moving target gives none."""
    distance, cosines = (_at_least(errors[name].white, LEAST_NOISE[of]) for name, of in _ARRAY_ERRORS)
    station, target = (_points(entry.parameters.get(name), context.site) for name in ("station", "target"))
    if not station and not target:
        return None
    if station:
        q_NA: Quaternion = from_axis_angle((0.0, 0.0, 1.0), float(entry.parameters.get("station_heading", 0.0)))
        numbers: Values = (*_lever(entry, context), *station[0], *q_NA)
    else:
        numbers = (*_lever(entry, context), *target[0], *_axes(entry))
    return AidingSensor(
        entry.name, "position", models.usbl_at_station if station else models.usbl_on_vehicle,
        (*distance, *(max(cosines),) * 2), numbers, partial(array_fix, distance, cosines), *_timing(entry),
        own_sigma=True, own_parameters=6,
    )  # fmt: skip


def acoustic_ranges(
    entry: SensorEntry, errors: Mapping[str, StatedErrors], context: SuiteContext
) -> AidingSensor | None:
    """Ranges to stations of a short or long baseline."""
    stations = _points(entry.parameters.get("stations"), context.site)
    if not stations:
        return None
    sigma = _at_least(errors[""].white, LEAST_NOISE["length"])
    return AidingSensor(
        entry.name, "position", models.ranges_to_stations, sigma, _lever(entry, context), unchanged, *_timing(entry),
        points=stations,
    )  # fmt: skip


def landmark_camera(
    entry: SensorEntry, errors: Mapping[str, StatedErrors], context: SuiteContext
) -> AidingSensor | None:
    """Directions of known points."""
    targets = _points(entry.parameters.get("targets"), context.site)
    if not targets:
        return None
    q_BS = entry.q_BS or (1.0, 0.0, 0.0, 0.0)
    if "mounting_angle" in entry.parameters:
        q_BS = product(from_axis_angle((0.0, 0.0, 1.0), float(entry.parameters["mounting_angle"])), q_BS)
    sigma = _at_least(errors[""].white, LEAST_NOISE["angle"])
    return AidingSensor(
        entry.name, "position", models.bearings_of_landmarks, sigma,
        (*_lever(entry, context), *_axes(entry._replace(q_BS=q_BS))), unchanged, *_timing(entry),
        (True, False) * len(targets), points=targets,
    )  # fmt: skip


def altimeter(entry: SensorEntry, errors: Mapping[str, StatedErrors], context: SuiteContext) -> AidingSensor | None:
    """Distance to the bottom, where its depth is estimated."""
    if not context.has_bottom_state:
        return None
    down = entry if entry.q_BS is not None else entry._replace(q_BS=_DOWN)
    return AidingSensor(
        entry.name, "bottom", models.echo_of_bottom, _at_least(errors[""].white, LEAST_NOISE["length"]),
        (*_lever(entry, context), *_axes(down)), unchanged, *_timing(entry),
    )  # fmt: skip


def bottom_rest() -> AidingSensor:
    """Zero velocity in N, for the times at which the vehicle rests on the bottom."""
    return AidingSensor(REST, REST, models.still_velocity, (REST_SIGMA,) * 3, (), unchanged, 0, 0.0)


def _points(given: Any, site: Site) -> tuple[Vector3, ...]:
    """Points of a parameter; none where it is missing or names a point that is not charted, since it may move."""
    if given is None:
        return ()
    is_one = isinstance(given, str) or not isinstance(given[0], (list, tuple, str))
    charted = dict(site.points)
    points = [charted.get(one) if isinstance(one, str) else one for one in ([given] if is_one else given)]
    if any(point is None for point in points):
        return ()
    return tuple((float(p[0]), float(p[1]), float(p[2])) for p in points if p is not None)


# Kinds that measure against points, which must be known.
POINT_KINDS = ("usbl", "sbl", "lbl", "camera")
AIDING_KINDS: dict[str, Maker] = {
    "ahrs": attitude_sensor,
    "compass": attitude_sensor,
    "ins": attitude_sensor,
    "dvl": doppler_log,
    "dvl_beams": doppler_beams,
    "current_meter": doppler_log,
    "pressure": pressure_sensor,
    "gps": satellite_receiver,
    "usbl": ultra_short_baseline,
    "sbl": acoustic_ranges,
    "lbl": acoustic_ranges,
    "camera": landmark_camera,
    "altimeter": altimeter,
}
