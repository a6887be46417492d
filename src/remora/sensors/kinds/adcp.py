"""Acoustic Doppler current profilers (ADCP)."""

import math
from dataclasses import dataclass
from typing import final

from remora.equations.instruments import cell_position, cell_velocity, direction_in_N, point_position
from remora.messages.reading import SensorChannel, Status, Values, axes3, partial_status
from remora.messages.truth import Mount, Truth
from remora.sensors.data_sheet import DataSheet, Mounting
from remora.sensors.environment import Environment
from remora.sensors.error_ranges import VELOCITY_ERROR
from remora.sensors.errors.error_model import ChannelGroup
from remora.sensors.errors.noise import WhiteNoise
from remora.sensors.errors.streams import Stream
from remora.sensors.kind import SensorComponents, SensorKind
from remora.sensors.sensor import Effect, Measurement


@final
@dataclass(frozen=True)
class Adcp(Measurement):
    """Current profile: velocity of the water relative to the sensor in cells along z_S; NaN below the bottom.

    The echo of the bottom drowns cells beyond the share cos(beam angle) of the way to it (side lobes).
    """

    mount: Mount
    cells: int
    cell_size: float  # m
    blank: float  # m, from the sensor to the start of the first cell
    beam_angle: float  # rad

    @property
    def channels(self) -> tuple[SensorChannel, ...]:
        """Three velocities per cell in the sensor's axes."""
        return tuple(channel for i in range(1, self.cells + 1) for channel in axes3(f"cell_{i}", "m/s", "S"))

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """The profile down to the last clear cell."""
        mount = self.mount
        along = direction_in_N(truth.q_NB, mount.R_BS, (0.0, 0.0, 1.0))
        bottom = environment.distance(point_position(truth.p_NB, truth.q_NB, mount.p_BS), along)
        clear = math.inf if bottom is None else bottom * math.cos(self.beam_angle)
        values: list[float] = []
        for i in range(self.cells):
            distance = self.blank + (i + 0.5) * self.cell_size
            place = cell_position(truth.p_NB, truth.q_NB, mount.p_BS, mount.R_BS, distance)
            if distance + 0.5 * self.cell_size > clear or place[2] <= environment.surface_depth:
                values += (math.nan, math.nan, math.nan)
                continue
            water = environment.water_velocity(place)
            values += cell_velocity(truth.q_NB, truth.twist, water, mount.p_BS, mount.R_BS)
        return partial_status(tuple(values), Status.NO_LOCK), tuple(values)


def adcp(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Current profile in cells; a range of beam angles gives its mean, a range of standard deviations its maximum."""
    size, blank = sheet.number("cell_size", 1.0, 1e-3), sheet.number("blank", 0.5, 0.0)
    reach = sheet.number("max_range", 12.0, size)
    cells = sheet.whole("cells", max(1, int((reach - blank) / size)))
    low, high = sheet.interval("beam_angle_range", 0.0) or (math.radians(20.0),) * 2
    angle = sheet.number("beam_angle", 0.5 * (low + high), 0.01, 1.5)
    sheet.note("frequency")
    spread = sheet.interval("single_ping_std_range", 0.0)
    specific: tuple[Effect, ...] = ()
    if spread is not None:
        specific = (WhiteNoise(stream.of("ping"), (max(spread),) * (3 * cells)),)
    return SensorComponents(Adcp(mounting.mount, cells, size, blank, angle), (ChannelGroup("", 3 * cells),), specific)


ADCP = SensorKind("adcp", adcp, errors={"": VELOCITY_ERROR}, quantities={}, max_rate=50.0)
