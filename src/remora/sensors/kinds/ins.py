"""An inertial navigation system as an instrument: position, velocity and attitude with the accuracy its maker states.

It is a black box that knows the truth and spoils it. Filters of our own belong into navigation.
"""

import math
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.vectors import IDENTITY3
from remora.equations.instruments import attitude_angles, point_position, velocity_in_N
from remora.files.arrays import Array
from remora.messages.measured_quantities import MeasuredQuantity, always, selected
from remora.messages.reading import SensorChannel, Status, Values, axes3
from remora.messages.stated_errors import InsAccuracy
from remora.messages.truth import Mount, Truth
from remora.sensors.compiled_measurement import CompiledMeasurement
from remora.sensors.data_sheet import DataSheet, Mounting
from remora.sensors.environment import Environment, altitude_above_bottom
from remora.sensors.error_ranges import ATTITUDE_ERROR
from remora.sensors.errors.distortions import WrapAngles
from remora.sensors.errors.noise import GaussMarkov
from remora.sensors.errors.streams import Stream
from remora.sensors.kind import SensorComponents, SensorKind
from remora.sensors.kinds.attitude import HEADING, PITCH, ROLL
from remora.sensors.kinds.doppler import JANUS, Janus, has_lock
from remora.sensors.recorded_motion import Samples
from remora.sensors.sensor import Altered, Effect, State

# Half of all errors of two normal components lie within 1.1774 of their standard deviation: circular error probable.
CEP_PER_DEVIATION = math.sqrt(2.0 * math.log(2.0))


class Aiding(IntEnum):
    """Aiding of an INS."""

    BOTTOM_TRACK = 1
    GPS = 2
    WATER_TRACK = 3


@final
@dataclass(frozen=True)
class Ins(CompiledMeasurement):
    """Horizontal position and velocity of the sensor in N, attitude of its axes, and the aiding."""

    mount: Mount
    max_altitude: float = 30.0  # m, of bottom track
    beams: Janus = JANUS  # of the Doppler log that aids it, along z of the body

    @property
    def channels(self) -> tuple[SensorChannel, ...]:
        """Two of position, three of velocity, three angles, and the number of the aiding."""
        position = (SensorChannel("position_north", "m", "N"), SensorChannel("position_east", "m", "N"))
        return (*position, *axes3("velocity", "m/s", "N"), ROLL, PITCH, HEADING, SensorChannel("aiding", "1"))

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Always available."""
        p_NS = point_position(truth.p_NB, truth.q_NB, self.mount.p_BS)
        velocity = velocity_in_N(truth.q_NB, truth.twist, self.mount.p_BS)
        angles = attitude_angles(truth.q_NB, self.mount.q_BS)
        altitude = altitude_above_bottom(environment, p_NS)
        aiding = Aiding.GPS if p_NS[2] <= environment.surface_depth else Aiding.WATER_TRACK
        in_reach = 0.0 <= altitude < math.inf and altitude <= self.max_altitude
        if in_reach and has_lock(self.beams, truth.q_NB, IDENTITY3, altitude, self.max_altitude):
            aiding = Aiding.BOTTOM_TRACK
        return Status.OK, (p_NS[0], p_NS[1], *velocity, *angles, float(aiding.value))


@final
@dataclass(frozen=True)
class InsErrors(Effect):
    """Errors of an INS by aiding.

    Position drifts along a direction and at a rate that are drawn once per run: in proportion to the distance
    travelled while the bottom or satellites aid, to the time while only the water does. Errors of velocity and attitude
    are Gauss-Markov processes.
    """

    stream: Stream
    accuracy: InsAccuracy
    by_distance: tuple[float, float]  # direction and strength of this run, north and east: standard normal numbers
    by_time: tuple[float, float]

    def initial(self) -> State:
        """Time of the last sample, ns, its position in N, the position error and the unit errors of the rest."""
        return (None, (0.0, 0.0), (0.0, 0.0), (0.0,) * 6)

    @cached_property
    def _unit_errors(self) -> GaussMarkov:
        """Errors of velocity and attitude divided by their accuracies."""
        return GaussMarkov(self.stream, (1.0,) * 6, (self.accuracy.correlation_time,) * 6)

    @property
    def _speeds(self) -> Values:
        """Accuracies of the velocity by aiding, m/s."""
        accuracy = self.accuracy
        return (accuracy.velocity_bottom_track, accuracy.velocity_gps, accuracy.velocity_water_track)

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Values with errors."""
        now, accuracy, aiding = truth.time_ns, self.accuracy, int(values[8])
        before, place, drift, wander = state
        elapsed = 0.0 if before is None else 1e-9 * (now - before)
        travelled = 0.0 if before is None else math.hypot(values[0] - place[0], values[1] - place[1])
        drift = self._drifted(drift, aiding, travelled, elapsed)
        (_, wander), _ = self._unit_errors.apply((before, wander), (0.0,) * 6, truth, environment, k)
        deviations = (self._speeds[aiding - 1],) * 3 + (accuracy.roll, accuracy.pitch, accuracy.heading)
        rest = [v + d * w for v, d, w in zip(values[2:8], deviations, wander, strict=True)]
        measured = (values[0] + drift[0], values[1] + drift[1], *rest, values[8])
        return (now, (values[0], values[1]), drift, wander), measured

    def _drifted(
        self, drift: tuple[float, float], aiding: int, travelled: float, elapsed: float
    ) -> tuple[float, float]:
        """The position error after another sample."""
        if aiding == Aiding.WATER_TRACK:
            growth = self.accuracy.position_drift * elapsed / math.sqrt(2.0)
            north, east = self.by_time
        else:
            growth = self.accuracy.position_of_distance * travelled / CEP_PER_DEVIATION
            north, east = self.by_distance
        return (drift[0] + growth * north, drift[1] + growth * east)

    def apply_all(self, values: Array, samples: Samples) -> Array:
        """The same for many samples."""
        accuracy, aiding = self.accuracy, values[:, 8].astype(np.int64)
        wander = self._unit_errors.apply_all(np.zeros((len(values), 6)), samples)
        deviations = np.empty_like(wander)
        deviations[:, :3] = np.array(self._speeds)[aiding - 1, None]
        deviations[:, 3:] = (accuracy.roll, accuracy.pitch, accuracy.heading)
        drift = self._drifts(values[:, :2], aiding == Aiding.WATER_TRACK, samples)
        return np.hstack([values[:, :2] + drift, values[:, 2:8] + deviations * wander, values[:, 8:]])

    def _drifts(self, places: Array, is_water: NDArray[np.bool_], samples: Samples) -> Array:
        """Position errors of samples at true positions, north and east, m; some have no aiding but water track."""
        from remora.plant.strict import accumulate  # loads the compiler

        steps = np.zeros_like(places)
        by_time = self.accuracy.position_drift * (1e-9 * np.diff(samples.time_ns)) / math.sqrt(2.0)
        travelled = np.array(list(map(math.hypot, *np.diff(places, axis=0).T.tolist())))
        by_distance = self.accuracy.position_of_distance * travelled / CEP_PER_DEVIATION
        along = np.where(is_water[1:, None], np.array(self.by_time), np.array(self.by_distance))
        steps[1:] = np.where(is_water[1:], by_time, by_distance)[:, None] * along
        return accumulate(np.ones_like(steps), steps)


def ins_errors(stream: Stream, accuracy: InsAccuracy) -> InsErrors:
    """The errors of one run."""
    by_distance, by_time = stream.of("by distance").normals(0, 2), stream.of("by time").normals(0, 2)
    return InsErrors(stream, accuracy, (by_distance[0], by_distance[1]), (by_time[0], by_time[1]))


def ins(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
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
    measurement = Ins(mounting.mount, sheet.number("bottom_track_max_range", 30.0, 0.0))
    wrap = WrapAngles((False,) * 5 + (True,) * 3 + (False,))
    return SensorComponents(measurement, (), (ins_errors(stream.of("ins"), accuracy),), (wrap,))


INS = SensorKind(
    "ins",
    ins,
    errors={"roll_": ATTITUDE_ERROR, "pitch_": ATTITUDE_ERROR, "heading_": ATTITUDE_ERROR},
    quantities={
        "attitude": MeasuredQuantity(selected(5, 6, 7), prefix="heading_"),
        "velocity": MeasuredQuantity(selected(2, 3, 4), in_N=True, over_ground=always),
        "position": MeasuredQuantity(selected(0, 1), gives_depth=False),
    },
    max_rate=2000.0,
)
