"""How long it takes to identify a vehicle: a trajectory fit of ten minutes, a regression of an hour."""

import tracemalloc
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from remora.identification.data.record import Record, inputs_of, record_from_arrays
from remora.identification.parameter_names import default_parameters
from remora.identification.parameters import values_of, with_values
from remora.identification.regression.least_squares import fit_least_squares
from remora.identification.trajectory.output_error import fit_output_error
from remora.plant import initial_state, pack, rollout
from remora.vehicles import load_vehicle
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.vehicle import Vehicle
from remora_evidence.benchmarks.timing import quickest

Values = Mapping[str, float | str]
MEGABYTE = 1e6
SPEED_NOISE, RATE_NOISE, ANGLE_NOISE = 0.01, 0.005, 0.003
WRENCH = (10.0, 12.0, 12.0, 0.4, 0.4, 0.8)  # N and N m, amplitude of each of five sinusoids
CURRENT = 0.15  # m/s, to the north
WRONG = 0.7  # of the truth, where a fit starts
# Diagonals of added mass, linear and quadratic damping, and six numbers more: two of them no regression can fit.
PARAMETERS = (
    *default_parameters(DEGREES_OF_FREEDOM),
    *(f"body.center_of_buoyancy.{axis}" for axis in "xyz"),
    "body.net_buoyancy",
    "thrusters.time_constant",
    "current.north",
)


def rov() -> Vehicle:
    """The BlueROV2 Heavy with some linear damping everywhere, and buoyancy off its axis."""
    vehicle = load_vehicle("bluerov2_heavy")
    names = [f"damping.linear.{axis}" for axis in ("sway", "roll", "yaw")]
    names += [f"body.center_of_buoyancy.{axis}" for axis in "xyz"] + ["body.net_buoyancy"]
    values = [5.0, 0.5, 0.5, 0.002, -0.002, -0.02, 2.0]
    return replace(vehicle, parameters=with_values(vehicle.parameters, names, values))


def record_of(vehicle: Vehicle, duration: float, interval: float, as_outputs: bool = False) -> Record:
    """A vehicle driven by sinusoids in all six degrees of freedom, in a current, with noise on all that is measured."""
    packed, samples = pack(vehicle.parameters), round(duration / interval) + 1
    random, times = np.random.default_rng(1), np.arange(samples) * interval
    frequency, phase = random.uniform(0.02, 0.25, (5, 6)), random.uniform(0.0, 2.0 * np.pi, (5, 6))
    wrench = sum(np.sin(2.0 * np.pi * f * times[:, None] + p) for f, p in zip(frequency, phase, strict=True)) * WRENCH
    effect = np.array([thruster.effect for thruster in vehicle.parameters.thrusters]).T
    commands = wrench @ np.linalg.pinv(effect).T
    start = initial_state(packed, outputs=commands[0])
    states = rollout(packed, start, commands[:-1], interval, steps=2, water=(CURRENT, 0.0, 0.0))
    attitude = states[:, 3:7] + 0.5 * ANGLE_NOISE * random.standard_normal((samples, 4))
    inputs = states[:, 13:] if as_outputs else commands
    return record_from_arrays(
        np.arange(samples) * round(interval * 1e9),
        states[:, 7:13] + np.repeat([SPEED_NOISE, RATE_NOISE], 3) * random.standard_normal((samples, 6)),
        inputs_of("outputs" if as_outputs else "commands", inputs, vehicle.parameters.thruster_names, ["N"] * 8),
        quaternion=attitude / np.linalg.norm(attitude, axis=1)[:, None],
        water=(CURRENT, 0.0, 0.0) if as_outputs else None,
        source="bench",
    )


def started_wrong(vehicle: Vehicle, names: tuple[str, ...]) -> Vehicle:
    """The vehicle before a fit."""
    values = WRONG * values_of(vehicle.parameters, names)
    return replace(vehicle, parameters=with_values(vehicle.parameters, names, values))


def truth_of(vehicle: Vehicle, names: tuple[str, ...]) -> NDArray[np.float64]:
    """The numbers that a fit shall find."""
    values = values_of(vehicle.parameters, names)
    return np.array([CURRENT if name == "current.north" else x for name, x in zip(names, values, strict=True)])


def measure_output_error(rounds: int = 3) -> Values:
    """CPU seconds of a fit of 24 parameters to ten minutes at 20 Hz on all cores, and how far its numbers are off."""
    vehicle = rov()
    record, wrong = record_of(vehicle, 600.0, 0.05), started_wrong(vehicle, PARAMETERS)
    fit = fit_output_error(record, wrong, PARAMETERS)
    seconds = quickest({"fit": lambda: fit_output_error(record, wrong, PARAMETERS)}, rounds)["fit"]
    error = np.sqrt(np.mean((fit.values / truth_of(vehicle, PARAMETERS) - 1.0) ** 2))
    return {"output_error_fit": seconds, "output_error_miss": 100.0 * float(error)}


def measure_hour(rounds: int = 2) -> Values:
    """CPU seconds and memory of least squares on an hour at 100 Hz."""
    vehicle, names = rov(), default_parameters(DEGREES_OF_FREEDOM)
    record, wrong = record_of(vehicle, 3600.0, 0.01, as_outputs=True), started_wrong(vehicle, names)
    seconds = quickest({"fit": lambda: fit_least_squares(record, wrong, names)}, rounds)["fit"]
    tracemalloc.start()
    try:
        fit_least_squares(record, wrong, names)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    return {"least_squares_hour": seconds, "least_squares_hour_memory": peak / MEGABYTE}
