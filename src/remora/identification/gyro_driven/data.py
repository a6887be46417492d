"""Data of a gyro-driven model: velocity, turn rates, their derivatives, attitude and thrust at common stamps."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from remora.equations.actuators.laws.law import FORCE_OUTPUT
from remora.equations.actuators.laws.table import law_with
from remora.equations.actuators.propulsion import thrusters_wrench
from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.estimation.gyro_driven import Rotation, heading_terms
from remora.files.arrays import Array
from remora.identification.data.record import Record, Segment
from remora.identification.problems import RecordError
from remora.identification.regression.regressor import as_column, relative_twist
from remora.identification.regression.rows import outputs_at_stamps
from remora.identification.sampling.resampling import uniform_interval
from remora.identification.sampling.smoothing import savitzky_golay
from remora.plant.pack import pack
from remora.vehicles.parameters import total_inertia
from remora.vehicles.vehicle import Vehicle

Marks: TypeAlias = NDArray[np.bool_]
_ORDER = 3  # of the Savitzky-Golay polynomials


class GyroData(NamedTuple):
    """Samples of a gyro-driven model, one row each; velocities are over ground, as from a DVL with bottom lock."""

    time: Array  # s
    velocity: Array  # n x 3
    velocity_rate: Array  # n x 3: derivative of the components in body axes, not specific force
    rates: Array  # n x 3, rad/s
    turn_acceleration: Array  # n x 3, rad/s2
    quaternion: Array  # n x 4: q_NB
    thrust: Array  # n, N along surge
    surge_mass: float  # kg, of the vehicle: rigid body and added mass
    usable: Marks  # n: velocity known and shaft speeds within the valid range of the thrust law
    segments: tuple[Segment, ...]
    source: str

    @property
    def angles(self) -> tuple[Array, Array, Array]:
        """Roll, pitch and unwrapped heading, rad."""
        columns: Any = tuple(self.quaternion.T)
        roll, pitch, heading = to_euler_zyx(columns)
        return np.asarray(roll), np.asarray(pitch), np.unwrap(np.asarray(heading))

    def rotation(self, circular_heading: float) -> Rotation:
        """All samples as arguments of the equations, with the flag of the model."""
        rates: Any = tuple(self.rates.T)
        accelerations: Any = tuple(self.turn_acceleration.T)
        angles: Any = self.angles
        return Rotation(rates, accelerations, angles[1], heading_terms(circular_heading, angles[2]))

    def rows(self, start: int, stop: int) -> "GyroData":
        """A part of the samples."""
        cut = slice(start, stop)
        moved = (Segment(max(s.start, start) - start, min(s.stop, stop) - start) for s in self.segments)
        arrays: dict[str, Any] = {
            name: value[cut] for name, value in self._asdict().items() if isinstance(value, np.ndarray)
        }
        return self._replace(**arrays, segments=tuple(s for s in moved if s.stop > s.start))


def gyro_data_from(record: Record, vehicle: Vehicle, twist_rate: ArrayLike | None = None, window: int = 5) -> GyroData:
    """Samples of a record for a gyro-driven model.

    Parameters
    ----------
    record
        Velocity over ground at B (`moved_to_body`), attitude, and shaft speed or command of the propeller. Of other
        inputs only the thrust along surge is used; fins need not be recorded.
    vehicle
        Source of the thrust law. Shaft speeds outside the valid range in its file are not used.
    twist_rate
        n x 6: derivative of the twist components, m/s2 and rad/s2, from an INS (`rate_from_specific_force`). Unless
        given, a Savitzky-Golay polynomial of third order smooths and differentiates all speeds.
    window
        Odd number of samples of that polynomial.

    Raises
    ------
    RecordError
        Without attitude, without a usable row, or where shapes or rates do not fit.
    """
    if record.quaternion is None or np.isnan(record.quaternion).any():
        raise RecordError(
            "has rows without attitude, which drives the model. Record roll, pitch and yaw.", record.source
        )
    if np.isnan(record.twist[:, 3:]).any():
        raise RecordError("has rows without turn rates, which drive the model. Record p, q and r.", record.source)
    if record.inputs is None:
        raise RecordError("has no inputs. Record the shaft speed or the command of the propeller.", record.source)
    outputs, external = outputs_at_stamps(record, vehicle.parameters)
    twist, rate = _twist_and_rate(record, twist_rate, window)
    usable = np.isfinite(twist).all(axis=1) & np.isfinite(rate).all(axis=1) & valid_shafts(outputs, vehicle)
    if not usable.any():
        raise RecordError("has no row with all speeds known and shafts in the range of their law.", record.source)
    return GyroData(
        record.time, twist[:, :3], rate[:, :3], twist[:, 3:], rate[:, 3:], record.quaternion,
        _thrust(record, vehicle, outputs, external), total_inertia(vehicle.parameters)[0][0], usable, record.segments,
        record.source,
    )  # fmt: skip


def valid_shafts(outputs: Array, vehicle: Vehicle) -> Marks:
    """Rows with all shaft speeds within the valid range of the thrust law."""
    valid = np.ones(len(outputs), dtype=bool)
    if law_with(vehicle.parameters.thrust_law).output == FORCE_OUTPUT:
        return valid
    for i, facts in enumerate(vehicle.thruster_facts):
        if facts.valid_speed is not None:
            low, high = facts.valid_speed
            valid &= (outputs[:, i] >= low) & (outputs[:, i] <= high)
    return valid


def _twist_and_rate(record: Record, given: ArrayLike | None, window: int) -> tuple[Array, Array]:
    """Twist and its derivative: both as measured, or both from the same polynomials."""
    if given is not None:
        rate = np.asarray(given, dtype=float)
        if rate.shape != record.twist.shape:
            raise RecordError(f"twist_rate has shape {rate.shape}. Give {record.twist.shape}.", record.source)
        return record.twist, rate
    interval = uniform_interval(record)
    twist, rate = np.full_like(record.twist, np.nan), np.full_like(record.twist, np.nan)
    for channels in (slice(0, 3), slice(3, 6)):
        for cut in _known_runs(record.twist[:, channels], record.segments, window):
            twist[cut, channels] = savitzky_golay(record.twist[cut, channels], window, _ORDER, interval)
            rate[cut, channels] = savitzky_golay(record.twist[cut, channels], window, _ORDER, interval, derivative=1)
    return twist, rate


def _known_runs(table: Array, segments: tuple[Segment, ...], shortest: int) -> list[slice]:
    """Runs of consecutive rows without a gap or missing value, of sufficient length."""
    runs = []
    for s in segments:
        known = np.isfinite(table[s.start : s.stop]).all(axis=1)
        edges = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]]).astype(int)))
        runs += [slice(s.start + a, s.start + b) for a, b in edges.reshape(-1, 2).tolist() if b - a >= shortest]
    return runs


def _thrust(record: Record, vehicle: Vehicle, outputs: Array, external: Array) -> Array:
    """Force of all thrusters and external force along surge; unknown motion counts as rest."""
    packed = pack(vehicle.parameters)
    columns: Any = tuple(outputs.T)
    motion: Any = tuple(relative_twist(record.twist, record.quaternion, record.water).T)
    push = thrusters_wrench(packed.row.tolist(), packed.layout, columns, motion)[0]
    return np.asarray(external[:, 0] + as_column(push, len(record)))
