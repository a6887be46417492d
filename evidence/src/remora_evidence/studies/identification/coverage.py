"""ID-01 and ID-02: coverage of the confidence intervals of our estimators."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import NamedTuple, TypeAlias

import numpy as np

from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.parameter_names import default_parameters
from remora.identification.parameters import values_of, with_values
from remora.identification.regression.least_squares import fit_least_squares
from remora.identification.result import Fit
from remora.identification.trajectory.output_error import fit_output_error
from remora.vehicles import load_vehicle
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.vehicle import Vehicle
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.identification.records import CommandWaves, InstrumentNoise, twin_record

SEEDS, DEFAULT_SEEDS = 200, 20
LEVEL = 0.95
DURATION, INTERVAL = 240.0, 0.05  # s
WRONG_START = 0.7  # of the truth
# White noise of a Doppler log and a gyro, half as much again that lasts a second, and an AHRS; half on the cylinder.
ROV_NOISE = InstrumentNoise(speed=0.01, rate=0.005, attitude=0.003, lasting_speed=0.005, correlation_time=1.0)
CYLINDER_NOISE = InstrumentNoise(speed=0.005, rate=0.002, attitude=0.002, lasting_speed=0.0025, correlation_time=1.0)
# The share of a single parameter needs all records; all parameters together need a tenth of them, and below that a
# share only shows that the study runs and the truth is found.
UNDAMPED = ("sway", "roll", "yaw")
CYLINDER = ("surge", "sway", "heave", "pitch", "yaw")
LIFTS = ("sway", "sway_yaw", "yaw_sway", "yaw", "heave", "heave_pitch", "pitch_heave", "pitch")


class Trials(NamedTuple):
    """A vehicle, how it is driven, and what is fitted."""

    vehicle: Vehicle
    names: tuple[str, ...]
    axes: tuple[str, ...]
    drive: CommandWaves
    noise: InstrumentNoise
    speed: float  # m/s, at the start


def rov() -> Trials:
    """The BlueROV2 Heavy, driven by waves of force and torque in all six degrees of freedom.

    Linear damping that its file gives as zero is made a little larger: a truth that lies on the bound of what a vehicle
    may be is held more often than an interval says.
    """
    preset = load_vehicle("bluerov2_heavy")
    damped = with_values(preset.parameters, [f"damping.linear.{axis}" for axis in UNDAMPED], (5.0, 0.5, 0.5))
    vehicle = replace(preset, parameters=damped)
    effect = np.array([thruster.effect for thruster in vehicle.parameters.thrusters]).T
    mixing = np.linalg.pinv(effect) * (10.0, 12.0, 12.0, 0.4, 0.4, 0.8)  # N and N m
    names = default_parameters(DEGREES_OF_FREEDOM)
    return Trials(vehicle, names, DEGREES_OF_FREEDOM, CommandWaves(np.zeros(8), mixing), ROV_NOISE, 0.0)


def cylinder() -> Trials:
    """The REMUS 100, driven by its propeller, rudder and stern planes; roll is left to itself."""
    names = (
        *(f"added_mass.{axis}" for axis in CYLINDER),
        "damping.quadratic.surge",
        *(f"damping.lift.{element}" for element in LIFTS),
    )
    # Waves add up beyond the limits of propeller and fins, which cut them.
    drive = CommandWaves(
        np.array([140.0, 0.0, 0.0]), np.diag([10.0, 0.12, 0.12]), slowest=0.03, fastest=0.3
    )  # rad/s, rad
    return Trials(load_vehicle("remus100"), names, CYLINDER, drive, CYLINDER_NOISE, 1.5)


def default_fit(record: Record, vehicle: Vehicle, trials: Trials) -> Fit:
    """The default method of `remora fit`."""
    return fit_least_squares(record, vehicle, trials.names, axes=trials.axes, errors="instruments")


def trajectory_fit(record: Record, vehicle: Vehicle, trials: Trials) -> Fit:
    """The trajectory fit with all its defaults."""
    return fit_output_error(record, vehicle, trials.names, axes=trials.axes)


Estimator: TypeAlias = Callable[[Record, Vehicle, Trials], Fit]


class FitOutcome(NamedTuple):
    """What came of one record."""

    inside: Array  # 1 where the interval of an identified parameter holds the truth
    identified: Array  # 1 where the fit calls it identified
    squares: Array  # of relative errors, of the parameters that are not zero


class HeldShares(NamedTuple):
    """How often intervals held the truth, per parameter; only where a fit called it identified."""

    share: Array  # %
    identified: Array  # number of fits that called it identified
    error: float  # %, root mean square over parameters and records, against truth or typical size


@cache
def outcome(estimator: Estimator, made: Callable[[], Trials], seed: int) -> FitOutcome:
    """Fit the record of a seed."""
    trials = made()
    truth = values_of(trials.vehicle.parameters, trials.names)
    wrong = with_values(trials.vehicle.parameters, trials.names, WRONG_START * truth)
    record = twin_record(
        trials.vehicle.parameters, trials.drive, trials.noise, seed, DURATION, INTERVAL, trials.speed
    )  # fmt: skip
    fit = estimator(record, replace(trials.vehicle, parameters=wrong), trials)
    limits, identified = fit.intervals(LEVEL), np.array(fit.identifiability.identified)
    inside = identified & (limits[:, 0] <= truth) & (truth <= limits[:, 1])
    known = truth != 0.0
    return FitOutcome(inside.astype(float), identified.astype(float), (fit.values[known] / truth[known] - 1.0) ** 2)


def held_shares(estimator: Estimator, made: Callable[[], Trials], seeds: Sequence[int]) -> HeldShares:
    """Fit one record for each seed and count."""
    found = [outcome(estimator, made, seed) for seed in seeds]
    inside, counted = (np.sum([one[part] for one in found], axis=0) for part in (0, 1))
    squares = [one.squares for one in found]
    return HeldShares(100.0 * inside / np.maximum(counted, 1.0), counted, 100.0 * float(np.sqrt(np.mean(squares))))


def coverage(estimator: Estimator, seeds: Sequence[int]) -> list[Value]:
    """The least and the largest share of intervals that hold the truth, for both vehicles."""
    figures: list[Value] = []
    for name, made in (("bluerov2_heavy", rov), ("remus100", cylinder)):
        found = held_shares(estimator, made, seeds)
        asked = found.identified >= 0.5 * len(seeds)
        shares = np.where(asked, found.share, np.nan)
        figures.append((f"{name}, parameters called identified", float(asked.sum())))
        figures.append((f"{name}, root mean square error of a number that is not zero", found.error))
        if len(seeds) < SEEDS:
            figures += _together(name, float(np.nanmean(shares)), len(seeds))
            continue
        figures.append((f"{name}, least share held of a parameter", float(np.nanmin(shares))))
        figures.append((f"{name}, largest share held of a parameter", float(np.nanmax(shares))))
    return figures


def _together(name: str, share: float, records: int) -> list[Value]:
    """The share of intervals of all parameters that hold the truth, of fewer records than single parameters need."""
    words = f"{name}, intervals that hold the truth, all parameters"
    if records < DEFAULT_SEEDS:
        return [(words, share)]
    return [(f"{words}, not below", share), (f"{words}, not above", share)]


STUDIES: dict[str, StudyFunction] = {
    "ID-01": partial(coverage, default_fit),
    "ID-02": partial(coverage, trajectory_fit),
}
