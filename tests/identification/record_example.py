"""Records of known truth: shipped vehicles driven by many sinusoids through the compiled plant."""

from dataclasses import replace

import numpy as np

from remora.identification import inputs_of, record_from_arrays, values_of, with_values
from remora.identification.replay import without_actuator_lags
from remora.plant import initial_state, pack, rollout
from remora.vehicles import load_vehicle
from remora.vehicles.names import DEGREES_OF_FREEDOM

FINE = 12  # plant steps per sample, so that inputs between samples are smooth too


def diagonal_names(axes):
    return tuple(f"{head}.{axis}" for axis in axes for head in ("added_mass", "damping.linear", "damping.quadratic"))


def driven_record(
    vehicle,
    seed=0,
    duration=120.0,
    interval=0.05,
    noise=(0.0, 0.0),
    share=0.15,
    locked=(),
    quiet=(),
    water=None,
):
    """A record of a vehicle whose thrusters follow five slow sinusoids each; noise is that of speeds and of rates."""
    parameters = vehicle.parameters
    packed = pack(without_actuator_lags(parameters), locked=locked)
    generator = np.random.default_rng(seed)
    steps = round(duration / interval)
    fine = np.arange(steps * FINE + 1) * interval / FINE
    actuators = packed.actuators
    frequency, phase = generator.uniform(0.02, 0.25, (actuators, 5, 1)), generator.uniform(0.0, 6.28, (actuators, 5, 1))
    limits = np.array([t.command_maximum for t in parameters.thrusters])
    outputs = share * (limits[:, None] * np.sin(2.0 * np.pi * frequency * fine + phase).sum(axis=1)).T
    for name in quiet:
        outputs[:, parameters.thruster_names.index(name)] = 0.0
    flow = (0.0, 0.0, 0.0) if water is None else water
    start = initial_state(packed, outputs=outputs[0])
    means = 0.5 * (outputs[:-1] + outputs[1:])
    states = rollout(packed, start, means, interval / FINE, water=flow)[::FINE]
    sigma = np.repeat(noise, 3)
    twist = states[:, 7:13] + sigma * generator.standard_normal((steps + 1, 6))
    twist[:, [DEGREES_OF_FREEDOM.index(axis) for axis in locked]] = np.nan
    return record_from_arrays(
        np.arange(steps + 1) * round(interval * 1e9),
        twist,
        inputs_of("outputs", outputs[::FINE], parameters.thruster_names, ["SI"] * actuators),
        position=states[:, :3],
        quaternion=states[:, 3:7],
        water=water,
        source="example",
    )


def started_wrong(vehicle, names, factor=0.7):
    """The vehicle with some numbers wrong, as before a fit."""
    values = values_of(vehicle.parameters, names)
    return replace(vehicle, parameters=with_values(vehicle.parameters, names, factor * values))


def damped_rov():
    """The BlueROV2 Heavy with some linear damping everywhere, so that no parameter rests on a bound."""
    vehicle = load_vehicle("bluerov2_heavy")
    names = ["damping.linear.sway", "damping.linear.roll", "damping.linear.yaw"]
    return replace(vehicle, parameters=with_values(vehicle.parameters, names, [5.0, 0.5, 0.5]))
