"""nav-robosub: recordings of a RoboSub vehicle, with its Doppler log masked for 15 s in eight places.

The recordings (AUV-InEKF, MIT) hold increments of an inertial unit, a Doppler log, depth and attitude, without a truth.
Each place is scored by the masked readings. Process model and noise of the Doppler log are those that predict other
parts of the recording best through gaps of the same length: inertial mechanisation, a random walk of the velocity
turned by the gyros, or a velocity that drag returns to its mean, both of the size of the readings that are not masked.
Where a recording is too short for such gaps beside the place, they are shorter; where there is none at all, or no
design has a finite likelihood, it is drag, which bounds the velocity. The mount of the log is not observable: its
velocities correlate with the integrated specific force by less than 0.3 on any axis.
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array
from remora.interop.recorded import RecordedSensors, filter_of, suite_of_tables
from remora.navigation.inertial.inertial_filter import InertialFilter
from remora.navigation.parts.filter_options import Pause
from remora.navigation.replays import FilterReplay, replay
from remora.vehicles.vehicle import SensorEntry
from remora_evidence.requirements import StudyFunction
from remora_evidence.studies.recorded_data import recorded_data

Flags: TypeAlias = NDArray[np.bool_]
RUNS = ("night1", "stationary")
PLACES, MASKED_NS, FIRST_NS, HELD_NS = 8, 15_000_000_000, 5_000_000_000, 1_000_000_000
LOG_NOISES = (0.02, 0.035)  # m/s; the second one with an unknown lever arm of 0.3 m
OUTLIER = 25.0  # largest square of a normalised innovation in the likelihood


class PoolDesign(NamedTuple):
    """A filter, and the noise that it assumes of the Doppler log."""

    recorded: RecordedSensors
    made: InertialFilter
    log_noise: float  # m/s


class MaskedPlace(NamedTuple):
    """RMS of the velocity error over the masked readings, m/s, and their fraction within three standard deviations."""

    filter: float
    inertial: float
    held: float
    zero: float
    inside: float


def pool_run(run: str) -> list[MaskedPlace]:
    """Scores of all places of a recording."""
    first = recorded_data(f"robosub/{run}_imu.csv")
    recorded = suite_of_tables(Path(__file__).with_name("robosub.yaml"), f"{first.parent}/{run}_")
    gyros = _by_gyros(recorded)
    designs = [_design(suite, noise) for suite in (recorded, gyros) for noise in LOG_NOISES]
    log = [reading for reading in recorded.readings if reading.sensor == "dvl"]
    stamps, values = np.array([r.stamp_ns for r in log]), np.array([r.values[:3] for r in log])
    starts = np.linspace(FIRST_NS, stamps[-1] - MASKED_NS, PLACES).astype(np.int64)
    places = []
    for start in starts.tolist():
        slow = _slow(gyros, values[(stamps < start) | (stamps >= start + MASKED_NS)])
        places.append(_place([*designs, *(_design(slow, noise) for noise in LOG_NOISES)], stamps, values, start))
    return places


def _slow(gyros: RecordedSensors, known: Array) -> RecordedSensors:
    """The recording with a velocity that drag returns to its mean; both have the size of known velocities, m/s."""
    speed = float(np.sqrt(np.mean(known**2)))
    return gyros._replace(further=gyros.further._replace(mean_velocity=speed))


def _design(recorded: RecordedSensors, noise: float) -> PoolDesign:
    def with_noise(entry: SensorEntry) -> SensorEntry:
        return entry._replace(parameters={**entry.parameters, "std": noise}) if entry.kind == "dvl" else entry

    changed = recorded._replace(entries=tuple(map(with_noise, recorded.entries)))
    return PoolDesign(changed, filter_of(changed), noise)


def _by_gyros(recorded: RecordedSensors) -> RecordedSensors:
    """The same recording without its accelerometers: a random walk of the velocity, turned by the gyros."""
    entries = []
    for entry in recorded.entries:
        gyro = {key.removeprefix("gyro_"): v for key, v in entry.parameters.items() if key.startswith("gyro_")}
        entries.append(entry._replace(kind="gyro", parameters=gyro) if entry.kind == "imu" else entry)
    readings = tuple(r._replace(values=r.values[3:6]) if r.sensor == "imu" else r for r in recorded.readings)
    return recorded._replace(entries=tuple(entries), readings=readings)


def _place(designs: Sequence[PoolDesign], stamps: Array, values: Array, start: int) -> MaskedPlace:
    end = start + MASKED_NS
    masked = (stamps >= start) & (stamps < end)
    without_log = [Pause("dvl", start, end)]
    gaps = gaps_beside(stamps, without_log[0])
    best = most_likely([_likelihood(one, stamps, values, without_log[0], gaps) for one in designs], len(gaps))
    done = _replayed(designs[best], without_log)
    plain, blind = designs[0], [*without_log, Pause("ahrs", start, end), Pause("depth", start, end)]
    inertial = _replayed(plain, blind)
    found, true = _velocities(done, stamps[masked]), values[masked]
    errors = true - found[:, :3]
    bound = 3.0 * np.hypot(found[:, 3:], designs[best].log_noise)
    held = values[(stamps >= start - HELD_NS) & (stamps < start)].mean(axis=0)
    return MaskedPlace(
        _rms(errors), _rms(true - _velocities(inertial, stamps[masked])[:, :3]), _rms(true - held), _rms(true),
        float((np.abs(errors) <= bound).all(axis=1).mean()),
    )  # fmt: skip


def _replayed(design: PoolDesign, pauses: Sequence[Pause]) -> FilterReplay:
    return replay(design.made, design.recorded.launch, design.recorded.readings, pauses)


def gaps_beside(stamps: Array, scored: Pause) -> list[Pause]:
    """Gaps of the same length that hold readings and do not overlap with the scored one; half as long without such."""
    length = MASKED_NS
    while length >= HELD_NS:
        begins = range(FIRST_NS, int(stamps[-1]) - length, length)
        gaps = [Pause("dvl", begin, begin + length) for begin in begins]
        beside = [gap for gap in gaps if gap.until_ns <= scored.from_ns or gap.from_ns >= scored.until_ns]
        if held := [gap for gap in beside if np.any(_inside(stamps, gap))]:
            return held
        length //= 2
    return []


def most_likely(likelihoods: Sequence[float], gaps: int) -> int:
    """The design of the largest finite log likelihood; the last one, with drag, where nothing was judged."""
    finite = [one if math.isfinite(one) else -math.inf for one in likelihoods]
    return finite.index(max(finite)) if gaps and max(finite) > -math.inf else len(finite) - 1


def _inside(stamps: Array, gap: Pause) -> Flags:
    return np.asarray((stamps >= gap.from_ns) & (stamps < gap.until_ns))


def _likelihood(design: PoolDesign, stamps: Array, values: Array, scored: Pause, gaps: Sequence[Pause]) -> float:
    """Log likelihood of the readings in other gaps, one after the other."""
    total = 0.0
    for other in gaps:
        masked = _inside(stamps, other)
        found = _velocities(_replayed(design, [scored, other]), stamps[masked])
        deviations = np.hypot(found[:, 3:], design.log_noise)
        squares = np.minimum(((values[masked] - found[:, :3]) / deviations) ** 2, OUTLIER)
        total += float(np.sum(-0.5 * squares - np.log(deviations)))
    return total


def _velocities(found: FilterReplay, stamps: Array) -> Array:
    """Velocity in body axes and its standard deviations at some times, m/s."""
    rows = [(one.time_ns, *one.twist[:3], *one.sigma_v_B) for one in found.estimates()]
    table = np.array(rows, dtype=float)
    return np.column_stack([np.interp(stamps, table[:, 0], table[:, k]) for k in range(1, 7)])


def _rms(errors: Array) -> float:
    return float(np.sqrt(np.mean(np.sum(errors**2, axis=1))))


def masked_pool_runs(seeds: Sequence[int]) -> Iterator[tuple[str, float]]:
    """Scores of both recordings; there is nothing random."""
    for run in RUNS:
        places = pool_run(run)
        for name in ("filter", "inertial", "held", "zero"):
            squares = [getattr(place, name) ** 2 for place in places]
            yield f"{run}: RMS of the masked velocities, {name}", float(np.sqrt(np.mean(squares)))
        yield f"{run}: places better than pure inertial", float(sum(one.filter < one.inertial for one in places))
        inside = 100.0 * float(np.mean([place.inside for place in places]))
        yield f"{run}: masked readings within three standard deviations", inside


STUDIES: dict[str, StudyFunction] = {"nav-robosub": masked_pool_runs}
