"""ID-03: lag, delay and dead band of thrusters from the yaw of a BlueROV, whatever values a fit starts from.

A gyro with white noise records yaw while commands change at 5 Hz; each record is fitted from values that are wrong by
up to a factor of five. All three numbers enter a trajectory non-linearly, and are fitted together with inertia and
damping.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array
from remora.identification.data.record import Record, inputs_of, record_from_arrays
from remora.identification.parameters import values_of, with_values
from remora.identification.regression.rows import outside_dead_bands
from remora.identification.result import Fit
from remora.identification.trajectory.output_error import fit_output_error
from remora.plant import initial_state, pack, rollout
from remora.vehicles import load_vehicle
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.vehicle import Vehicle
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.sampling import normals

Flags = NDArray[np.bool_]
LEVEL = 0.95
CLOSE = 0.1  # an error of this share or less is close to the truth
FACTOR = 5.0  # starts lie within this factor of the truth
FEW = 50  # below this number of records a percentage proves little
DURATION, INTERVAL, FINE = 60.0, 0.05, 0.005  # s
COMMAND_PERIOD = 0.2  # s
LARGEST = 0.6  # of the largest command
NOISE = 0.01  # rad/s
LAG, DELAY, BAND_SHARE = 0.068, 0.06, 0.1  # s, s, of the largest command
SOUGHT = ("thrusters.time_constant", "delay", "thrusters.dead_band")
LINEAR = ("total_inertia.yaw", "damping.linear.yaw", "damping.quadratic.yaw")


class Recovered(NamedTuple):
    """How the three numbers came out of one record."""

    inside: Flags  # whether the interval holds the truth
    error: Array  # relative
    silent: Flags  # returned at the start value, without a warning


def truth() -> Vehicle:
    """The BlueROV with a lag and a dead band; its delay belongs to the sensor."""
    preset = load_vehicle("bluerov")
    band = BAND_SHARE * preset.parameters.thrusters[0].command_maximum
    return replace(preset, parameters=with_values(preset.parameters, (SOUGHT[0], SOUGHT[2]), (LAG, band)))


def true_values(vehicle: VehicleParameters) -> Array:
    """Lag, delay and dead band."""
    lag, _, band = values_of(vehicle, SOUGHT).tolist()
    return np.array([lag, DELAY, band])


def yaw_record(vehicle: VehicleParameters, seed: int) -> Record:
    """Yaw under random commands that are held; the gyro is late and noisy."""
    packed = pack(vehicle, locked=DEGREES_OF_FREEDOM[:5])
    samples, per_sample = round(DURATION / INTERVAL) + 1, round(INTERVAL / FINE)
    levels = np.random.default_rng(seed).uniform(-LARGEST, LARGEST, round(DURATION / COMMAND_PERIOD) + 1)
    yaw = np.array([thruster.effect[5] for thruster in vehicle.thrusters])
    shares = np.where(np.abs(yaw) > 1e-3, np.sign(yaw), 0.0)
    largest = np.array([thruster.command_maximum for thruster in vehicle.thrusters])
    commands = np.repeat(levels, round(COMMAND_PERIOD / INTERVAL))[:samples, None] * shares * largest
    passed = outside_dead_bands(commands, tuple(drive.dead_band for drive in vehicle.drives))
    states = rollout(packed, initial_state(packed), np.repeat(passed[:-1], per_sample, axis=0), FINE)
    late = np.maximum(np.arange(samples) * per_sample - round(DELAY / FINE), 0)
    twist = np.full((samples, 6), np.nan)
    twist[:, 5] = states[late, 12] + NOISE * normals(seed, "gyro", samples)
    inputs = inputs_of("commands", commands, vehicle.thruster_names, ["SI"] * len(largest))
    return record_from_arrays(np.arange(samples) * round(INTERVAL * 1e9), twist, inputs, source=f"yaw, seed {seed}")


def started(vehicle: Vehicle, seed: int) -> tuple[Vehicle, Array]:
    """The vehicle with lag and dead band wrong by a random factor, and the three values to start from."""
    factors = FACTOR ** np.random.default_rng([seed, 1]).uniform(-1.0, 1.0, 3)
    values = factors * true_values(vehicle.parameters)
    wrong = with_values(vehicle.parameters, (SOUGHT[0], SOUGHT[2]), values[[0, 2]])
    return replace(vehicle, parameters=wrong), values


def fitted(vehicle: Vehicle, seed: int) -> tuple[Fit, Array]:
    """The fit of one record, and the values it started from."""
    record = yaw_record(vehicle.parameters, seed)
    wrong, values = started(vehicle, seed)
    return fit_output_error(record, wrong, (*LINEAR, *SOUGHT), delay=float(values[1])), values


def recovered(vehicle: Vehicle, seed: int) -> Recovered:
    """What one record gives."""
    fit, values = fitted(vehicle, seed)
    places, known = [fit.names.index(name) for name in SOUGHT], true_values(vehicle.parameters)
    found, limits = fit.values[places], fit.intervals(LEVEL)[places]
    unmoved = np.isclose(found, values, rtol=1e-6, atol=0.0)
    warned = np.array([any(name in sentence for sentence in fit.warnings) for name in SOUGHT])
    return Recovered((limits[:, 0] <= known) & (known <= limits[:, 1]), np.abs(found / known - 1.0), unmoved & ~warned)


@cache
def recovered_truth(seed: int) -> Recovered:
    """What one record of the true vehicle gives."""
    return recovered(truth(), seed)


def recovery(seeds: Sequence[int]) -> list[Value]:
    """Shares of intervals that hold the truth and of values close to it, for each of the three numbers."""
    found = [recovered_truth(seed) for seed in seeds]
    inside, error, silent = (np.array(part) for part in zip(*found, strict=True))
    figures = [("values returned at their start without a warning", float(silent.sum()))]
    for k, name in enumerate(SOUGHT):
        held, close = 100.0 * float(inside[:, k].mean()), 100.0 * float(np.mean(error[:, k] <= CLOSE))
        figures.append((f"{name}, largest error", 100.0 * float(error[:, k].max())))
        figures.append((f"{name}, within {CLOSE:.0%} of the truth", close))
        if len(seeds) < FEW:
            figures.append((f"{name}, intervals that hold the truth", held))
            continue
        figures.append((f"{name}, intervals that hold the truth, least", held))
        figures.append((f"{name}, intervals that hold the truth, most", held))
    return figures


STUDIES: dict[str, StudyFunction] = {
    "ID-03": recovery,
}
