"""Construction of each kind of sensor from the parameters of its data sheet.

The function of a kind reads the parameters that it knows and returns the measurement and the groups of channels that
may have errors. Parameters that it only notes are documentation.
"""

import math

from remora.equations.algebra.quaternions import from_axis_angle, product
from remora.equations.algebra.vectors import IDENTITY3, ZERO3, Matrix3, Vector3
from remora.equations.instruments import CompassOffsets
from remora.messages.ins_accuracy import InsAccuracy
from remora.messages.truth import Mount, mount
from remora.sensors.construction import (
    Maker,
    Place,
    SensorComponents,
    assumed_sound_speed,
    down_unless_oriented,
    require_orientation,
)
from remora.sensors.data_sheet import DataSheet
from remora.sensors.errors.distortions import Bias, ScaleFactor, WrapAngles
from remora.sensors.errors.error_model import ChannelGroup
from remora.sensors.errors.noise import HiddenGroups, ProportionalNoise, WhiteNoise
from remora.sensors.errors.streams import Stream
from remora.sensors.models.acoustic import Echosounder, Ranges, Shadow, Usbl, cone
from remora.sensors.models.attitude import Ahrs, Compass, Inclinometer, Magnetometer
from remora.sensors.models.doppler import (
    JANUS,
    SOLVED_CHANNELS,
    Adcp,
    BeamTrack,
    BottomTrack,
    DopplerLimits,
    Janus,
    SolveBeams,
    WaterTrack,
)
from remora.sensors.models.inertial import Accelerometer, Gyro, Imu
from remora.sensors.models.ins import Ins, ins_errors
from remora.sensors.models.optical import Camera, Markers
from remora.sensors.models.pressure import Pressure
from remora.sensors.models.satellite import GEODETIC_CHANNELS, Gps, ToGeodetic
from remora.sensors.models.shaft import CountedCrossings, ShaftSpeed
from remora.sensors.ranging_catalogue import (
    camera_footprint,
    imaging_sonar,
    laser_line,
    multibeam,
    profiling_sonar,
)
from remora.sensors.sensor import Effect

# Kinds that do not depend on their position.
WITHOUT_PLACE = ("shaft_speed",)

_INERTIAL = (ChannelGroup("accelerometer_", 3, is_vector=True), ChannelGroup("gyro_", 3, is_vector=True))
_VECTOR = ChannelGroup("", 3, is_vector=True)


def _accelerometer(sheet: DataSheet, place: Place) -> Accelerometer:
    places = sheet.matrix("axis_places")
    return Accelerometer(place.mount, sheet.flag("measures_earth_rate"), _matrix3(places) if places else None)


def _matrix3(rows: tuple[tuple[float, ...], ...]) -> Matrix3:
    (a, b, c), (d, e, f), (g, h, i) = rows
    return ((a, b, c), (d, e, f), (g, h, i))


def imu(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Accelerometers and gyros; `grade` names a set of errors, which single parameters override."""
    sheet.note("grade")
    gyro = Gyro(place.mount, sheet.flag("measures_earth_rate"))
    return SensorComponents(Imu(_accelerometer(sheet, place), gyro), _INERTIAL)


def accelerometer(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Accelerometers."""
    return SensorComponents(_accelerometer(sheet, place), (_VECTOR,))


def gyro(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Gyros."""
    return SensorComponents(Gyro(place.mount, sheet.flag("measures_earth_rate")), (_VECTOR,))


def ahrs(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Roll, pitch and heading with stated accuracies."""
    groups = (ChannelGroup("roll_", 1), ChannelGroup("pitch_", 1), ChannelGroup("heading_", 1))
    return SensorComponents(Ahrs(place.mount), groups, last=(WrapAngles((True,) * 3),))


def inclinometer(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Roll and pitch from gravity."""
    return SensorComponents(Inclinometer(place.mount), (ChannelGroup("", 2),), last=(WrapAngles((True,) * 2),))


def ins(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Position, velocity and attitude with the accuracies of a data sheet."""
    known = InsAccuracy()
    accuracy = InsAccuracy(
        heading=sheet.number("heading_accuracy", known.heading, 0.0),
        pitch=sheet.number("pitch_accuracy", known.pitch, 0.0),
        roll=sheet.number("roll_accuracy", known.roll, 0.0),
        position_of_distance=sheet.number("position_error_of_distance", known.position_of_distance, 0.0),
        velocity_bottom_track=sheet.number("velocity_accuracy_with_dvl", known.velocity_bottom_track, 0.0),
        velocity_gps=sheet.number("velocity_accuracy_with_gps", known.velocity_gps, 0.0),
        position_drift=sheet.number("water_track_position_drift", known.position_drift, 0.0),
        velocity_water_track=sheet.number("water_track_velocity_accuracy", known.velocity_water_track, 0.0),
        correlation_time=sheet.number("correlation_time", known.correlation_time, 0.0),
    )
    sheet.note("accelerometer_bias", "gyro_bias", "velocity_random_walk", "angle_random_walk")
    measurement = Ins(place.mount, sheet.number("bottom_track_max_range", 30.0, 0.0))
    wrap = WrapAngles((False,) * 5 + (True,) * 3 + (False,))
    return SensorComponents(measurement, (), (ins_errors(stream.of("ins"), accuracy),), (wrap,))


def magnetometer(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """The magnetic field."""
    return SensorComponents(_magnetometer(sheet, place), (_VECTOR,))


def _magnetometer(sheet: DataSheet, place: Place) -> Magnetometer:
    rows = sheet.matrix("soft_iron")
    hard = sheet.numbers("hard_iron", 3) or ZERO3
    return Magnetometer(place.mount, _matrix3(rows) if rows else IDENTITY3, (hard[0], hard[1], hard[2]))


def compass(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Roll, pitch and heading; `raw` gives the angles of a compass mounted port, aft, up with its offsets."""
    names = ("roll_offset", "pitch_offset", "heading_offset")
    offsets = CompassOffsets(*(sheet.number(name, 0.0) for name in names))
    declination = sheet.number("declination", 0.0) if sheet.has("declination") else None
    tilted, raw = sheet.flag("tilt_from_force"), sheet.flag("raw")
    measurement = Compass(_magnetometer(sheet, place), tilted, declination, offsets if raw else None)
    groups = (ChannelGroup("tilt_", 2), ChannelGroup("heading_", 1))
    return SensorComponents(measurement, groups, last=(WrapAngles((True,) * 3),))


def pressure(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Pressure; `accuracy_of_depth` is a scale error that is drawn once per run."""
    water = sheet.word("water", ("sea", "uniform"), "sea")
    share = sheet.number("dynamic_pressure_share", 0.0)
    own: list[Effect] = []
    bounds = sheet.numbers("bias_range", 2)
    if bounds is not None:
        low, high = bounds
        own.append(Bias((low + (high - low) * stream.of("bias_range").uniforms(0, 1)[0],)))
    share_of_depth = sheet.number("accuracy_of_depth", 0.0, 0.0)
    if share_of_depth > 0.0:
        error = (share_of_depth * stream.of("accuracy_of_depth").normals(0, 1)[0],)
        own.insert(0, ScaleFactor(error, error))
    return SensorComponents(Pressure(place.mount, water == "sea", share), (ChannelGroup("", 1),), tuple(own))


def _limits(sheet: DataSheet) -> DopplerLimits:
    """Operating limits of a Doppler log."""
    least, most = sheet.numbers("altitude_range", 2, 0.0) or (0.0, math.inf)
    most = sheet.number("bottom_track_max_range", most, 0.0)
    return DopplerLimits(
        sheet.number("min_altitude", least, 0.0),
        sheet.number("max_altitude", most, 0.0),
        sheet.number("max_tilt", math.pi, 0.0, math.pi),
        sheet.number("max_speed", math.inf, 0.0),
    )


def dvl(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Velocity over ground, or through the water with `track: water`; `by_beam` models each beam with its errors."""
    track = sheet.word("track", ("bottom", "water"), "bottom")
    limits, assumed = _limits(sheet), assumed_sound_speed(sheet)
    layer, by_beam = sheet.number("water_layer", 0.0, 0.0), sheet.flag("by_beam")
    janus = Janus(sheet.number("beam_angle", JANUS.angle, 0.01, 1.5), sheet.number("beam_turn", JANUS.turn))
    if sheet.whole("beams", 4) != 4:
        sheet.refuse("beams", "only logs of four beams are modelled.")
    sheet.note("frequency", "rate_range")
    floor = sheet.number("bottom_track_accuracy", 0.0, 0.0)
    share = sheet.number("bottom_track_accuracy_of_speed", 0.0, 0.0)
    if track == "water":
        return SensorComponents(WaterTrack(place.mount, layer, limits, assumed), (_VECTOR,))
    if by_beam and (floor > 0.0 or share > 0.0):
        sheet.refuse("bottom_track_accuracy", "is of the whole velocity; by beam give a beam_std instead.")
    if by_beam:
        groups, solve = (ChannelGroup("beam_", 4), ChannelGroup("range_", 4)), SolveBeams(place.mount, janus)
        return SensorComponents(BeamTrack(place.mount, janus, limits, assumed), groups, (), (solve,), SOLVED_CHANNELS)
    own: tuple[Effect, ...] = ()
    if floor > 0.0 or share > 0.0:
        own = (ProportionalNoise(stream.of("accuracy of speed"), (share,) * 3 + (0.0,), (floor,) * 3 + (0.0,)),)
    return SensorComponents(
        BottomTrack(place.mount, limits, assumed, janus), (_VECTOR, ChannelGroup("altitude_", 1)), own
    )


def current_meter(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Velocity through the water at the vehicle."""
    limits = DopplerLimits(max_speed=sheet.number("max_speed", math.inf, 0.0))
    return SensorComponents(WaterTrack(place.mount, 0.0, limits), (_VECTOR,))


def adcp(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Current profile in cells; a range of beam angles gives its mean, a range of standard deviations its maximum."""
    size, blank = sheet.number("cell_size", 1.0, 1e-3), sheet.number("blank", 0.5, 0.0)
    reach = sheet.number("max_range", 12.0, size)
    cells = sheet.whole("cells", max(1, int((reach - blank) / size)))
    low, high = sheet.numbers("beam_angle_range", 2, 0.0) or (math.radians(20.0),) * 2
    angle = sheet.number("beam_angle", 0.5 * (low + high), 0.01, 1.5)
    sheet.note("frequency")
    spread = sheet.numbers("single_ping_std_range", 2, 0.0)
    own: tuple[Effect, ...] = ()
    if spread is not None:
        own = (WhiteNoise(stream.of("ping"), (max(spread),) * (3 * cells)),)
    return SensorComponents(Adcp(place.mount, cells, size, blank, angle), (ChannelGroup("", 3 * cells),), own)


def sbl(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Ranges to stations; `shadow` is the sector hidden by the hull, two bearings from the bow."""
    sector = sheet.numbers("shadow", 2)
    shadow = Shadow(*sector) if sector else None
    stations = sheet.points("stations", named=True)
    if stations is None:
        sheet.refuse("stations", "is missing: give points in N, or names of points.")
        stations = (ZERO3,)
    assumed = assumed_sound_speed(sheet)
    reach = sheet.number("max_range", math.inf, 0.0)
    return SensorComponents(Ranges(place.mount, stations, reach, shadow, assumed), (ChannelGroup("", len(stations)),))


def lbl(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Ranges to distant transponders: the model of `sbl`."""
    return sbl(sheet, place, stream)


def usbl(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Range and direction of a `target`, or of the vehicle from a `station` (a point; `station_heading` turns it)."""
    targets, stations = sheet.points("target", named=True), sheet.points("station")
    turn = from_axis_angle((0.0, 0.0, 1.0), sheet.number("station_heading", 0.0))
    if (targets is None) == (stations is None):
        sheet.refuse("target", "give either a target (array on the vehicle) or a station (array elsewhere).")
    measurement = Usbl(
        place.mount,
        targets[0] if targets else None,
        mount(stations[0], turn) if stations else None,
        sheet.number("max_range", math.inf, 0.0),
        assumed_sound_speed(sheet),
    )
    groups, wrap = (ChannelGroup("range_", 1), ChannelGroup("angle_", 2)), WrapAngles((False, True, True))
    return SensorComponents(measurement, groups, last=(wrap,))


def echosounder(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Distance along x_S; a `beam_width` makes it the nearest echo in a cone."""
    require_orientation(sheet, place)
    return _echosounder(sheet, place.mount)


def altimeter(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """An echosounder, by default pointing straight down."""
    return _echosounder(sheet, down_unless_oriented(place))


def _echosounder(sheet: DataSheet, placed: Mount) -> SensorComponents:
    width = sheet.number("beam_width", 0.0, 0.0, math.pi)
    rings = sheet.whole("rings", 2)
    fan = sheet.flag("cone", default=width > 0.0)
    sheet.note("frequency")
    least, most = sheet.number("min_range", 0.0, 0.0), sheet.number("max_range", math.inf, 0.0)
    rays: tuple[Vector3, ...] = cone(0.5 * width, rings) if fan else ((1.0, 0.0, 0.0),)
    measurement = Echosounder(placed, least, most, rays, assumed_sound_speed(sheet))
    return SensorComponents(measurement, (ChannelGroup("", 1),))


def camera(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Directions of `targets`; a camera without orientation looks ahead, turned by its `mounting_angle`."""
    targets = sheet.points("targets", named=True)
    if targets is None:
        sheet.refuse("targets", "is missing: give points in N, or names of points.")
        targets = (ZERO3,)
    placed = place.mount
    if sheet.has("mounting_angle"):
        turn = from_axis_angle((0.0, 0.0, 1.0), sheet.number("mounting_angle", 0.0))
        placed = mount(placed.p_BS, product(turn, placed.q_BS))
    elif not place.is_oriented:
        sheet.refuse("orientation", "is missing: which way does it look? Give it, or a mounting_angle.")
    half, reach = (
        sheet.number("half_angle", math.radians(30.0), 0.0, math.pi),
        sheet.number("max_range", math.inf),
    )
    sheet.note("image_size")
    wrap = WrapAngles((True,) * (2 * len(targets)))
    return SensorComponents(Camera(placed, targets, half, reach), (ChannelGroup("", 2 * len(targets)),), last=(wrap,))


def mocap_marker(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Positions of `markers` on the body, or of one at the position of the sensor."""
    places = sheet.points("markers") or (place.mount.p_BS,)
    hidden = sheet.number("hidden_probability", 0.0, 0.0, 1.0)
    last = (HiddenGroups(stream.of("hidden"), hidden, 3),) if hidden > 0.0 else ()
    return SensorComponents(Markers(places, sheet.flag("in_air")), (ChannelGroup("", 3 * len(places)),), last=last)


def gps(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Latitude, longitude, height and velocity at the surface; errors of position are in metres."""
    measurement = Gps(place.mount, sheet.number("clearance", 0.0))
    return SensorComponents(
        measurement,
        (ChannelGroup("position_", 3), ChannelGroup("velocity_", 3)),
        (),
        (ToGeodetic(),),
        GEODETIC_CHANNELS,
    )


def shaft_speed(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Shaft speed of `thruster` (from 0), counted by the zero crossings of a motor with `poles` poles."""
    poles = sheet.whole("poles", 14, 2)
    if poles % 2:
        sheet.refuse("poles", f"found {poles}; a motor has an even number of poles.")
    measurement = ShaftSpeed(sheet.whole("thruster", 0, 0))
    return SensorComponents(measurement, (ChannelGroup("", 1),), (CountedCrossings(poles, sheet.flag("signed")),))


MAKERS: dict[str, Maker] = {
    function.__name__: function
    for function in (
        accelerometer, adcp, ahrs, altimeter, camera, camera_footprint, compass, current_meter, dvl, echosounder, gps,
        gyro, imaging_sonar, imu, inclinometer, ins, laser_line, lbl, magnetometer, mocap_marker, multibeam, pressure,
        profiling_sonar, sbl, shaft_speed, usbl,
    )
}  # fmt: skip
