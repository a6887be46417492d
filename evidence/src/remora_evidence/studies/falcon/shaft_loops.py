"""S9: closed loops of the propeller speeds of the Falcon under way. Proctor 2014, sections 3.1 and 6.2.

The source measures its map from command to speed in still water, names a spread of 50 rad/s and more between units and
under way, and leaves the closed loop for later. Here each propeller has a motor, whose speed grows with the inflow, and
no two units have the same; the software knows one motor for all.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from remora.control.feedback.shaft_speed_loop import thrusters_wrench
from remora.files.arrays import Array
from remora.plant.plant import Plant
from remora.run.loop.loop import Loop
from remora.scenarios.scenario import Scenario, make_scenario
from remora.sensors import Stream
from remora.vehicles import Vehicle, load_vehicle
from remora.vehicles.checks.actuation import steady_output
from remora_evidence.requirements import StudyFunction, Value

# Chosen: at full voltage 98 rad/s, half of the torque for the propeller, 63 % of a step after 0.16 s there and 0.5 s
# near rest as measured; a tenth less torque at 1 m/s of inflow.
MOTOR = {
    "inertia": 0.0135,
    "resistance": 9.1,
    "torque_constant": 0.5,
    "friction": 0.0,
    "propeller_torque": 2.93e-4,
    "propeller_relief": 2.9e-3,
}
SPREAD = 0.3  # uniform, of the torque of a propeller: wear and fouling
FRICTION = 0.01  # N m s, largest of a unit
SECONDS, STEADY, SAMPLE_NS = 22.0, (14.0, 22.0), 50_000_000  # s of a run and of the transit, ns between samples
POLES = 60
TRACK = (0.0, 0.0, 2.0), (12.0, 0.0, 3.0)  # m, from and to
SETTINGS: dict[str, dict[str, Any]] = {
    "open loop": {},
    "open loop with inflow": {"advance": True},
    "closed loop": {"advance": True, "shaft_loop": {}},
}


@cache
def falcon_with_motors() -> Vehicle:
    """The Falcon whose commands are voltages, and which measures the speed of each shaft."""
    vehicle = load_vehicle("falcon")
    changes: dict[str, Any] = {
        "thruster_defaults.command_map": None,
        "thruster_defaults.time_constant": None,
        "thruster_defaults.limits": ["-100 V", "100 V"],
        "thruster_defaults.motor": MOTOR,
    }
    return vehicle.with_(changes, source="chosen")


@cache
def worn(seed: int) -> Vehicle:
    """The same with other motors in each unit."""
    nominal = falcon_with_motors()
    chance = np.array(Stream(seed, "motors").uniforms(0, 2 * len(nominal.parameters.motors))).reshape(2, -1)
    motors = tuple(
        one._replace(propeller_torque=one.propeller_torque * (1.0 + SPREAD * (2.0 * a - 1.0)), friction=FRICTION * b)
        for one, a, b in zip(nominal.parameters.motors, *chance.tolist(), strict=True)
        if one is not None
    )
    return replace(nominal, parameters=nominal.parameters._replace(motors=motors))


def transit(name: str, seed: int) -> Scenario:
    """A transit ahead and down at 0.35 m/s by true states, with the allocation of a setting."""
    count = len(falcon_with_motors().parameters.thrusters)
    shafts = [
        {
            "name": f"shaft_{i}",
            "kind": "shaft_speed",
            "rate": "20 Hz",
            "latency": "0 s",
            "parameters": {"thruster": i, "poles": POLES, "signed": True},
        }
        for i in range(count)
    ]
    allocation = {"part": "bounded", "rate": "20 Hz", "axes": ["surge", "sway", "heave", "yaw"], **SETTINGS[name]}
    points = [{"position": list(TRACK[1]), "heading": 0.0, "stay": "600 s"}]
    vehicle = {
        "name": "rov",
        "file": "falcon",
        "position": list(TRACK[0]),
        "sensors": shafts,
        "navigation": {"part": "truth", "rate": "20 Hz"},
        "guidance": {"part": "waypoints", "rate": "20 Hz", "speed": 0.35, "points": points},
        "control": {"part": "position", "rate": "20 Hz", "follows_velocity": True},
        "allocation": allocation,
    }
    return make_scenario(name="transit", duration=SECONDS, step=0.01, seed=seed, vehicles=[vehicle])


class TransitFigures(NamedTuple):
    """What a setting does in the steady part of a transit."""

    missing: Array  # RMS of the force asked for less that made, surge, sway and heave, N
    asked: float  # N, RMS of the force asked for
    speed: float  # rad/s, the largest error of the map from command to shaft speed
    cross: float  # m, RMS distance from the track


@cache
def flown(name: str, seed: int) -> TransitFigures:
    """A transit of the worn vehicle by software that knows the nominal one."""
    setup = transit(name, seed).with_(vehicle=falcon_with_motors()).setup
    own, plant = setup.vehicles[0], Plant(worn(seed))
    loop = Loop(replace(setup, vehicles=(replace(own, plant=plant),)))
    every, rows = SAMPLE_NS // setup.step_ns, []
    for step in range(every, loop.steps + 1, every):
        loop.advance(step)
        if STEADY[0] <= 1e-9 * step * setup.step_ns <= STEADY[1]:
            rows.append(_sample(loop, plant))
    missing, asked, speed, cross = (np.array(column) for column in zip(*rows, strict=True))
    rms = np.sqrt(np.mean(np.square(missing), axis=0))
    return TransitFigures(rms, _rms(np.linalg.norm(asked, axis=1)), float(np.abs(speed).max()), _rms(cross))


def _sample(loop: Loop, plant: Plant) -> tuple[Array, Array, Array, float]:
    """Force missing and asked for, errors of the map, and the distance from the track at one time."""
    run = loop.vehicles[0]
    state, commands = run.motion.state, np.array(run.actuators.commands)
    outputs, twist = state[13 : 13 + len(commands)].tolist(), tuple(state[7:13].tolist())
    made = np.array(thrusters_wrench(plant.vehicle.parameters, outputs, twist)[:3])
    asked = np.array(run.parts.wrench()[:3])
    known = falcon_with_motors().parameters
    mapped = [steady_output(known, i, one) for i, one in enumerate(commands.tolist())]
    across = math.hypot(state[1], state[2] - TRACK[0][2] - state[0] * (TRACK[1][2] - TRACK[0][2]) / TRACK[1][0])
    return asked - made, asked, np.array(outputs) - mapped, across


def _rms(values: Array) -> float:
    return float(np.sqrt(np.mean(np.square(values))))


def under_way(seeds: Sequence[int]) -> list[Value]:
    """Force missing in each setting, as a share of that asked for, and what the closed loops leave of it."""
    values: list[Value] = []
    missing = {}
    for name in SETTINGS:
        runs = [flown(name, seed) for seed in seeds]
        missing[name] = np.array([np.linalg.norm(one.missing) for one in runs])
        shares = 100.0 * missing[name] / [one.asked for one in runs]
        values += [
            (f"{name}: force missing of that asked for, worst seed", float(shares.max())),
            (f"{name}: distance from the track, RMS, worst seed", 100.0 * max(one.cross for one in runs)),
        ]
    largest = max(flown("open loop", seed).speed for seed in seeds)
    return [
        *values,
        ("map from command to speed wrong by, worst unit", largest),
        *(
            (
                f"force missing, closed loop over {name}, worst seed",
                float((missing["closed loop"] / missing[name]).max()),
            )
            for name in ("open loop", "open loop with inflow")
        ),
    ]


STUDIES: dict[str, StudyFunction] = {"S9": under_way}
