"""Imaging sonars: echo intensity by beam and range.

A beam is narrow across and tall: a column of rays of equal solid angle. A ray brings back the cosine of its angle of
incidence. This is Lambert's law, which for a patch of wall goes with the squared cosine (Urick 1983, ch. 8): a ray that
comes in obliquely lights a patch larger by one cosine. Spreading and absorption count as made up for by the gain.
"""

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np

from remora.equations.algebra.quaternions import rotation_z
from remora.equations.algebra.vectors import matmul3
from remora.equations.instruments import incidence_cosine, point_from_bearing
from remora.files.arrays import Array
from remora.messages.reading import SensorChannel, Status, Values, no_values
from remora.messages.truth import Mount, Truth
from remora.sensors.data_sheet import DataSheet, Mounting, require_orientation
from remora.sensors.environment import Environment
from remora.sensors.error_ranges import ATTITUDE_ERROR, Unchecked
from remora.sensors.errors.distortions import WrapAngles
from remora.sensors.errors.error_model import ChannelGroup
from remora.sensors.errors.streams import Stream
from remora.sensors.kind import SensorComponents, SensorKind
from remora.sensors.kinds.profiles import RangeLimits, stance
from remora.sensors.rays import ScanningHead, fan_angles, fits_a_reading, ray_distances, scanning_head
from remora.sensors.sensor import Altered, Effect, Measurement, State

# Angles to the neighbours of a ray, rad beside and above it, from which the surface normal is found.
_NEIGHBOUR = 1e-3


@final
@dataclass(frozen=True)
class EchoImage(Measurement):
    """Intensities by beam and range bin: one for a full perpendicular echo in a single bin, zero for none.

    A dark bin is a measurement, so it is a zero and no NaN. With a head the sonar turns from ping to ping.
    """

    mount: Mount
    angles: tuple[float, ...]  # rad, of the beams from x_S towards y_S
    vertical_angle: float  # rad, how tall a beam is
    rays: int  # per beam, one above the other
    bins: int
    reach: RangeLimits  # of all bins together
    head: ScanningHead | None = None
    rays_S: Array = field(init=False, repr=False, compare=False)  # which of three, beam and ray, axis

    def __post_init__(self) -> None:
        heights = fan_angles(self.rays, self.vertical_angle)
        middle = [(angle, height) for angle in self.angles for height in heights]
        shifts = ((0.0, 0.0), (_NEIGHBOUR, 0.0), (0.0, _NEIGHBOUR))
        rays = [[point_from_bearing((1.0, a + aside, h + above)) for a, h in middle] for aside, above in shifts]
        # Derived from the beams, set once.
        object.__setattr__(self, "rays_S", np.array(rays))

    @property
    def channels(self) -> tuple[SensorChannel, ...]:
        """Angle of a scanning head, then the bins beam by beam, from the nearest on."""
        head = () if self.head is None else (SensorChannel("angle", "rad", "S"),)
        beams, bins = range(1, len(self.angles) + 1), range(1, self.bins + 1)
        # Padded, so that no two names are alike without their underscores.
        return (*head, *(SensorChannel(f"echo_{i:03d}_{j:04d}", "1") for i in beams for j in bins))

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """The first ping."""
        return self.sample(truth, environment, 0)

    def sample(self, truth: Truth, environment: Environment, k: int) -> tuple[Status, Values]:
        """The intensities of ping k."""
        p_NS, R_NS = stance(truth, self.mount)
        turned: Values = ()
        if self.head is not None:
            turned = (self.head.angle(k),)
            R_NS = matmul3(R_NS, rotation_z(turned[0]))
        found = ray_distances(environment, p_NS, self.rays_S.reshape(-1, 3) @ np.array(R_NS).T).reshape(3, -1)
        if np.isnan(found).any():  # the truth is NaN: with status OK the instrument refuses it
            return Status.OK, no_values(len(self.angles) * self.bins + len(turned))
        return Status.OK, (*turned, *self._image(found).tolist())

    def _image(self, found: Array) -> Array:
        """Sum of the echoes of all rays in their bins."""
        smallest, largest = self.reach
        met = np.isfinite(found).all(axis=0) & (found[0] >= smallest) & (found[0] < largest)
        rays = self.rays_S[:, met]
        points = found[:, met, None] * rays
        columns = [tuple(sheet.T) for sheet in (rays[0], *points)]
        echoes = incidence_cosine(*columns) / self.rays
        bins = ((found[0, met] - smallest) * (self.bins / (largest - smallest))).astype(int)
        beams = np.nonzero(met)[0] // self.rays
        cells = beams * self.bins + np.minimum(bins, self.bins - 1)
        return np.asarray(np.bincount(cells, weights=echoes, minlength=len(self.angles) * self.bins), dtype=float)


@final
@dataclass(frozen=True)
class Speckle(Effect):
    """Speckle: exponentially distributed intensities about their mean, with a noise floor.

    So they are when amplitudes are Rayleigh distributed; the mean of several looks is smoother (Goodman 1976).
    """

    stream: Stream
    floor: float  # mean intensity of noise
    looks: int
    first: int = 0  # channels before the intensities

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Intensities with speckle."""
        mean = np.array(values[self.first :]) + self.floor
        chance = np.array(self.stream.uniforms(k, self.looks * len(mean))).reshape(self.looks, -1)
        return state, (*values[: self.first], *(mean * -np.log1p(-chance).mean(axis=0)).tolist())


def imaging_sonar(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Intensities by range of `beams` over a `fan_angle`, or of one beam that scans by `step_angle` per ping."""
    require_orientation(sheet, mounting)
    sheet.note("frequency")
    head = scanning_head(sheet) if sheet.has("step_angle") else None
    beams = sheet.whole("beams", 1)
    if head is not None and beams > 1:
        sheet.refuse("step_angle", "only a sonar of one beam turns. Leave it out, or give one beam.")
    angles = (0.0,) if head is not None else fan_angles(beams, sheet.number("fan_angle", math.radians(120.0), 0.0))
    bins = sheet.whole("bins", 100)
    if not fits_a_reading(sheet, "bins", len(angles) * bins, "intensities"):
        angles, bins = (0.0,), 1
    measurement = EchoImage(
        mounting.mount,
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
    specific: tuple[Effect, ...] = ()
    if sheet.flag("speckle", True):
        specific = (Speckle(stream.of("speckle"), floor, looks, len(turned)),)
    elif floor > 0.0:
        sheet.refuse("noise_floor", "is noise that speckles; leave speckle on.")
    wrap = WrapAngles((True,) * len(turned) + (False,) * (len(angles) * bins))
    return SensorComponents(
        measurement, (*turned, ChannelGroup("", len(angles) * bins)), specific, (wrap,) if turned else ()
    )


IMAGING_SONAR = SensorKind(
    "imaging_sonar",
    imaging_sonar,
    errors={"": Unchecked("intensities are relative to a full echo"), "angle_": ATTITUDE_ERROR},
    quantities={},
    max_rate=100.0,
)
