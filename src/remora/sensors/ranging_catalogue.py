"""Construction of ranging and imaging sensors (sonars, laser line, camera footprint) from their parameters.

Fans and scanning heads lie in the plane of x_S and y_S; angles count from x_S towards y_S.
"""

import math

from remora.equations.instruments import sight_path
from remora.logs.schema import MOST_FIELDS
from remora.sensors.construction import (
    Place,
    SensorComponents,
    assumed_sound_speed,
    down_unless_oriented,
    require_orientation,
)
from remora.sensors.data_sheet import DataSheet
from remora.sensors.errors.distortions import WrapAngles
from remora.sensors.errors.error_model import ChannelGroup
from remora.sensors.errors.streams import Stream
from remora.sensors.models.imaging import EchoImage, Speckle
from remora.sensors.models.ranging import CameraFootprint, FanRanges, RangeLimits, TriangulationNoise, TurningBeam, View
from remora.sensors.models.rays import Fan, ScanningHead, fan_angles
from remora.sensors.sensor import BeamGeometry, Effect

# Values per reading; a log channel also has a status and a latency.
MOST_VALUES = MOST_FIELDS - 2


def profiling_sonar(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """One beam that scans by `step_angle` per ping, continuously or over a `fan_angle`."""
    placed = down_unless_oriented(place)
    sheet.note("frequency")
    beam = Fan((0.0,), *_beam(sheet))
    measurement = TurningBeam(placed, beam, _head(sheet), _reach(sheet), assumed_sound_speed(sheet))
    groups, wrap = (ChannelGroup("angle_", 1), ChannelGroup("", 1)), WrapAngles((True, False))
    return SensorComponents(measurement, groups, last=(wrap,), geometry=BeamGeometry(placed.p_BS, placed.q_BS))


def multibeam(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Many beams at once, by default across the track."""
    placed = down_unless_oriented(place)
    sheet.note("frequency")
    fan = Fan(_angles(sheet, 128, math.radians(120.0)), *_beam(sheet))
    measurement = FanRanges(placed, fan, _reach(sheet), assumed_sound_speed(sheet))
    return SensorComponents(
        measurement, (ChannelGroup("", len(fan.angles)),), geometry=BeamGeometry(placed.p_BS, placed.q_BS, fan.angles)
    )


def laser_line(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """A laser fan observed by a camera, with a range limited by the `attenuation` of the water."""
    require_orientation(sheet, place)
    sheet.note("power", "wavelength")
    fan = Fan(_angles(sheet, 64, math.radians(45.0)))
    baseline, angle = sheet.number("baseline", 0.3, 1e-6), sheet.number("peak_std", 0.0, 0.0)
    own: tuple[Effect, ...] = (TriangulationNoise(stream.of("peak"), baseline, angle),) if angle > 0.0 else ()
    reach = _in_sight(sheet, _reach(sheet), 2.0)
    measurement = FanRanges(place.mount, fan, reach)
    geometry = BeamGeometry(place.mount.p_BS, place.mount.q_BS, fan.angles)
    return SensorComponents(measurement, (ChannelGroup("", len(fan.angles)),), own, geometry=geometry)


def camera_footprint(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Footprint of a pinhole camera: its corners, or a grid of `columns` and `rows`."""
    require_orientation(sheet, place)
    sheet.note("image_size")
    widest = math.radians(170.0)
    view = View(
        sheet.number("horizontal_angle", math.radians(60.0), 1e-3, widest),
        sheet.number("vertical_angle", math.radians(45.0), 1e-3, widest),
        sheet.whole("columns", 2, 2),
        sheet.whole("rows", 2, 2),
    )
    if not _fits(sheet, "columns", 3 * view.columns * view.rows, "coordinates"):
        view = View(view.horizontal_angle, view.vertical_angle)
    reach = _in_sight(sheet, _reach(sheet), 1.0)
    geometry = BeamGeometry(place.mount.p_BS, place.mount.q_BS)
    return SensorComponents(
        CameraFootprint(place.mount, view, reach), (ChannelGroup("", 3 * view.columns * view.rows),), geometry=geometry
    )


def imaging_sonar(sheet: DataSheet, place: Place, stream: Stream) -> SensorComponents:
    """Intensities by range of `beams` over a `fan_angle`, or of one beam that scans by `step_angle` per ping."""
    require_orientation(sheet, place)
    sheet.note("frequency")
    head = _head(sheet) if sheet.has("step_angle") else None
    beams = sheet.whole("beams", 1)
    if head is not None and beams > 1:
        sheet.refuse("step_angle", "only a sonar of one beam turns. Leave it out, or give one beam.")
    angles = (0.0,) if head is not None else fan_angles(beams, sheet.number("fan_angle", math.radians(120.0), 0.0))
    bins = sheet.whole("bins", 100)
    if not _fits(sheet, "bins", len(angles) * bins, "intensities"):
        angles, bins = (0.0,), 1
    measurement = EchoImage(
        place.mount,
        angles,
        sheet.number("vertical_angle", math.radians(20.0), 1e-3, math.radians(170.0)),
        sheet.whole("rays", 16),
        bins,
        RangeLimits(sheet.number("min_range", 0.0, 0.0), sheet.number("max_range", 20.0, 1e-3)),
        head,
    )
    if not measurement.reach.minimum < measurement.reach.maximum:
        sheet.refuse("min_range", "must be below the max_range.")
    turned = () if head is None else (ChannelGroup("angle_", 1),)
    floor, looks = sheet.number("noise_floor", 0.0, 0.0), sheet.whole("looks", 1)
    own: tuple[Effect, ...] = ()
    if sheet.flag("speckle", True):
        own = (Speckle(stream.of("speckle"), floor, looks, len(turned)),)
    elif floor > 0.0:
        sheet.refuse("noise_floor", "is noise that speckles; leave speckle on.")
    wrap = WrapAngles((True,) * len(turned) + (False,) * (len(angles) * bins))
    return SensorComponents(
        measurement, (*turned, ChannelGroup("", len(angles) * bins)), own, (wrap,) if turned else ()
    )


def _head(sheet: DataSheet) -> ScanningHead:
    step = sheet.number("step_angle", math.radians(1.8), 1e-6, math.pi)
    sector = sheet.number("fan_angle", math.tau, 0.0)
    if sector < step:
        sheet.refuse("fan_angle", f"found {sector:g}; give at least the step_angle of {step:g}.")
    return ScanningHead(step, sector)


def _beam(sheet: DataSheet) -> tuple[float, int]:
    """Width of the beam and rings of rays that fill it."""
    return sheet.number("beam_width", 0.0, 0.0, math.pi), sheet.whole("rings", 2)


def _angles(sheet: DataSheet, beams: int, fan_angle: float) -> tuple[float, ...]:
    """Angles of the beams of a fan."""
    count = sheet.whole("beams", beams)
    angle = sheet.number("fan_angle", fan_angle, 0.0, math.tau)
    return fan_angles(count if _fits(sheet, "beams", count, "ranges") else 1, angle)


def _fits(sheet: DataSheet, name: str, count: int, what: str) -> bool:
    """Whether a reading fits into a channel of a log."""
    if count <= MOST_VALUES:
        return True
    sheet.refuse(name, f"makes {count} {what}; a reading holds at most {MOST_VALUES}. Give fewer.")
    return False


def _reach(sheet: DataSheet) -> RangeLimits:
    least, most = sheet.number("min_range", 0.0, 0.0), sheet.number("max_range", math.inf, 0.0)
    if not least < most:
        sheet.refuse("min_range", f"found {least:g}; give less than the max_range of {most:g}.")
    return RangeLimits(least, most)


def _in_sight(sheet: DataSheet, reach: RangeLimits, ways: float) -> RangeLimits:
    """Range limits reduced by the attenuation of light over one way or two."""
    attenuation = sheet.number("attenuation", 0.0, 0.0)
    faintest = sheet.number("faintest", 0.02, 1e-9, 1.0)
    if attenuation == 0.0:
        return reach
    return RangeLimits(reach.minimum, min(reach.maximum, sight_path(attenuation, faintest) / ways))
