"""Maps: points in N from the ranges of a log, with the true or estimated pose."""

import json
import math
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from remora.equations.algebra.quaternions import normalize, rotation_matrix
from remora.equations.algebra.vectors import add3, matvec3
from remora.equations.instruments import point_from_bearing, point_position
from remora.files.arrays import Array
from remora.logs import Log, LogError, RunHeader, Series, opened_log, read_log
from remora.messages.truth import BeamGeometry
from remora.report.logs.recorded_scene import tunnel_of
from remora.report.logs.source import Source
from remora.world import Tunnel

NOTE = "beams "  # before the name of a channel in the notes of a header
POSES = ("truth", "estimate")
_POSITION, _QUATERNION = tuple(f"p_NB_{axis}" for axis in "xyz"), tuple(f"q_NB_{i}" for i in range(4))
_Times: TypeAlias = npt.NDArray[np.int64]


class Map(NamedTuple):
    """Measured points and the path of the vehicle."""

    channel: str
    pose: str  # truth or estimate
    points: Array  # north, east, down, m: a row each
    time_ns: _Times  # of each point
    beams: int  # with an echo or without
    path: Array  # of the vehicle, at each reading
    tunnel: Tunnel | None  # that the run took place in
    problems: tuple[str, ...] = ()  # damage of the log

    def residuals(self) -> Array:
        """How far each point lies from the true wall, m: positive short of it, negative in the rock. Empty without."""
        if self.tunnel is None:
            return np.empty(0)
        _, across, down = in_tunnel_axes(self.tunnel, self.points).T
        return np.asarray(self.tunnel.section.clearance(across, down))


def in_tunnel_axes(tunnel: Tunnel, points: Array) -> Array:
    """Points of N as rows of distance along the tunnel, across to the right, down, m."""
    return np.asarray((points - np.array(tunnel.start)) @ np.array(tunnel.R_NT))


def map_log(source: Source, channel: str | None = None, pose: str = "truth") -> Map:
    """Map from one sensor of a run.

    Between two rows of the pose a straight motion is taken, so for exact maps log it as often as the sensor reads.

    Parameters
    ----------
    source
        A log, or the path of one.
    channel
        Of the sensor, such as rov/profiler; the first that fits unless given.
    pose
        Where the vehicle was (truth) or believed to be (estimate).

    Raises
    ------
    LogError
        The log cannot be read, or has no such sensor or pose.
    """
    opened = source if isinstance(source, Log) else opened_log(source)
    if isinstance(opened, Log):
        source = opened  # read already
    else:
        opened.close()
    header, names = opened.header, set(opened.channels)
    mapped = [name.removeprefix(NOTE) for name in header.notes if name.startswith(NOTE)]
    chosen = channel or next(iter(mapped), "")
    if chosen not in mapped:
        known = f"This log has {', '.join(mapped)}." if mapped else "This log has none."
        raise LogError(f'"{chosen}" is no channel of a sensor that tells distances. {known}')
    poses = f"{chosen.rpartition('/')[0]}/{pose}"
    if pose not in POSES or poses not in names:
        raise LogError(f'has no pose "{poses}"; give one of {", ".join(POSES)} that the log holds')
    log = source if isinstance(source, Log) else read_log(source, (chosen, poses))
    series, geometry = log[chosen], _geometry(header, chosen)
    p_NB, q_NB = _poses_at(log[poses], series.time_ns)
    p_SP = _points_in_sensor(series, geometry)
    p_BP = add3(geometry.p_BS, matvec3(rotation_matrix(geometry.q_BS), p_SP))
    seen = np.stack(np.broadcast_arrays(*point_position(_columns(p_NB), _columns(q_NB), p_BP)), axis=-1)
    known = np.isfinite(seen).all(axis=2)
    times = np.broadcast_to(series.time_ns[:, None], known.shape)
    path = p_NB[np.isfinite(p_NB).all(axis=1)]
    return Map(chosen, pose, seen[known], times[known], known.size, path, tunnel_of(header), log.problems)


def _geometry(header: RunHeader, channel: str) -> BeamGeometry:
    """Beam geometry of a sensor, from the note in the header."""
    try:
        note = json.loads(header.notes[NOTE + channel])
        fields: Any = (tuple(map(float, note[field])) for field in BeamGeometry._fields)
        geometry = BeamGeometry(*fields)
    except (ValueError, TypeError, KeyError) as error:
        raise LogError(f'the note "{NOTE}{channel}" in the header cannot be understood: {error}') from None
    if (len(geometry.p_BS), len(geometry.q_BS)) != (3, 4) or not all(
        map(math.isfinite, (*geometry.p_BS, *geometry.q_BS))
    ):
        raise LogError(f'the note "{NOTE}{channel}" in the header has no place and orientation')
    return geometry


def _points_in_sensor(series: Series, geometry: BeamGeometry) -> Any:
    """p_SP of every beam of every reading: three sheets of numbers, NaN where there is no echo."""
    names = series.channel.names
    if "angle" in names and "distance" in names:
        return point_from_bearing(_sheets(series["distance"][:, None], series["angle"][:, None]))
    if "point_1_x" in names:
        return tuple(series.table(*(n for n in names if n.endswith(f"_{axis}"))) for axis in "xyz")
    ranges = [name for name in names if name.startswith("range_")]
    if not ranges or len(ranges) != len(geometry.angles):
        raise LogError(f'channel "{series.channel.name}" has {len(ranges)} ranges for {len(geometry.angles)} beams')
    return point_from_bearing(_sheets(series.table(*ranges), np.array(geometry.angles)))


def _sheets(distances: Array, angles: Array) -> Any:
    """Range, bearing and elevation of beams that lie in the plane of x_S and y_S."""
    return (distances, angles, 0.0)


def _columns(rows: Array) -> Any:
    """The components of vectors, one beside the beams of a reading."""
    return tuple(column[:, None] for column in rows.T)


def _poses_at(poses: Series, time_ns: _Times) -> tuple[Array, Array]:
    """Position and attitude at given times, interpolated linearly; NaN outside."""
    p, q = poses.table(*_POSITION), poses.table(*_QUATERNION)
    if not len(p):
        return np.full((len(time_ns), 3), math.nan), np.full((len(time_ns), 4), math.nan)
    after = np.clip(np.searchsorted(poses.time_ns, time_ns), 0, len(p) - 1)
    before = np.where(poses.time_ns[after] == time_ns, after, np.maximum(after - 1, 0))
    span = poses.time_ns[after] - poses.time_ns[before]
    share = ((time_ns - poses.time_ns[before]) / np.maximum(span, 1))[:, None]
    p_at = p[before] + share * (p[after] - p[before])
    sign = np.where((q[before] * q[after]).sum(axis=1, keepdims=True) < 0.0, -1.0, 1.0)  # the shorter way
    mixed: Any = tuple((q[before] + share * (sign * q[after] - q[before])).T)
    q_at = np.column_stack(normalize(mixed))
    outside = (time_ns < poses.time_ns[0]) | (time_ns > poses.time_ns[-1])
    p_at[outside], q_at[outside] = math.nan, math.nan
    return p_at, q_at
