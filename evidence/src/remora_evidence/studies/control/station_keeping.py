"""Station keeping: predictive against tuned PID control in current and waves, and the Falcon by its filter."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from remora.control.allocation.commands import command_chatter, total_variation
from remora.control.tuning.gain_selection import TunedControl, TuningGoals, tuned_control
from remora.files.arrays import Array
from remora.plant.plant import Plant
from remora.run.loop.loop import Loop
from remora.scenarios.scenario import Scenario, make_scenario
from remora.sensors import Stream
from remora.vehicles import load_vehicle
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.falcon.closed_loop import AMPLITUDES, COEFFICIENTS, FREQUENCIES

SECONDS, SAMPLE = 60.0, 0.05  # s, of a run and between the samples that count
CURRENT, HEIGHT, PEAK_PERIOD, DEPTH = 0.3, 0.3, 5.0, 3.0  # m/s, m, s, m
FULL_COMMAND = 100.0  # %, of the Falcon
SETTLED, STATION = 20.0, 40.0  # s, from when errors count: in waves, and of the Falcon
WAYPOINT, HEADING = (7.0, -2.0, 2.0), 0.2  # m and rad, of S7
START = (0.0, 0.0, 1.2)  # m: below the surface of the site
ROVER_SENSORS = ("compass", "dvl", "sbl_rover")
# RMS change of the speeds of the Falcon filter from sample to sample, m/s and rad/s, measured with other seeds.
SPEED_NOISE = (0.006, 0.005, 0.003, 0.0105)
NOISE_SHARE = 0.02  # of the thrust in an axis; as the next two chosen with other seeds (100 to 107)
STATION_ERROR = 0.05  # m, weight of the regulator
SMOOTHING = 6.0  # 1/s, of the commands
JUDGED, COMPARED = "noise under way", (1, 2, 3)  # the runs of which figures are demanded; seeds of the others


class HeldStation(NamedTuple):
    """A run, one row per sample that counts."""

    errors: Array  # m, position minus target in N
    commands: Array  # in their units


def flown(scenario: Scenario, target: Sequence[float], since: float) -> HeldStation:
    """Run a scenario with one vehicle that is to hold a position, m in N; samples count from a time on, s."""
    loop = Loop(scenario.setup)
    every = round(1e9 * SAMPLE) // scenario.setup.step_ns
    positions, commands = [], []
    for step in range(every, loop.steps + 1, every):
        loop.advance(step)
        positions.append(loop.vehicles[0].motion.state[:3].copy())
        commands.append(np.array(loop.vehicles[0].actuators.commands))
    first = round(since / SAMPLE)
    return HeldStation(np.array(positions)[first:] - np.array(target), np.array(commands)[first:])


def position_options(tuned: TunedControl) -> dict[str, Any]:
    """Options of the position part with tuned gains."""
    gains = [axis.gains for axis in tuned.axes]
    return {
        "part": "position",
        "rate": f"{1.0 / tuned.axes[0].timing.period:g} Hz",
        "position_gains": [one.position for one in gains],
        "velocity_gains": [one.velocity for one in gains],
        "integral_gains": [one.integral for one in gains],
        "max_speeds": [axis.max_speed for axis in tuned.axes],
    }


def in_waves(control: Mapping[str, Any], seed: int) -> Scenario:
    """A BlueROV2 Heavy that holds station in a current of any direction and in waves; `position` gets an allocation."""
    angle = 2.0 * math.pi * Stream(seed, "current").uniforms(0, 1)[0]
    point = {"position": [0, 0, DEPTH], "heading": 0, "stay": "600 s"}
    vehicle: dict[str, Any] = {
        "name": "rov",
        "file": "bluerov2_heavy",
        "position": [0, 0, DEPTH],
        "navigation": {"part": "truth", "rate": "20 Hz"},
        "guidance": {"part": "waypoints", "rate": "10 Hz", "speed": 0.2, "points": [point]},
        "control": dict(control),
    }
    if control["part"] == "position":
        vehicle["allocation"] = {"part": "bounded", "rate": control["rate"]}
    water = {
        "surface_depth": 0,
        "current": [CURRENT * math.cos(angle), CURRENT * math.sin(angle), 0],
        "waves": {"significant_height": HEIGHT, "peak_period": PEAK_PERIOD, "direction": 0.5},
    }
    return make_scenario(name="station", duration=SECONDS, step=0.01, seed=seed, water=water, vehicles=[vehicle])


def rms_length(errors: Array) -> float:
    """Root mean square of the length of the rows, m."""
    return float(np.sqrt(np.mean(np.sum(errors**2, axis=1))))


@cache
def wave_control(name: str) -> dict[str, Any]:
    """Options of predictive control, or of the PID that the gain selection gives."""
    if name == "predictive":
        return {"part": "predictive", "rate": "10 Hz"}
    return position_options(tuned_control(Plant(load_vehicle("bluerov2_heavy"))))


@cache
def wave_error(name: str, seed: int) -> float:
    """Station error in current and waves, RMS, m."""
    return rms_length(flown(in_waves(wave_control(name), seed), (0.0, 0.0, DEPTH), SETTLED).errors)


def predictive_station(seeds: Sequence[int]) -> list[Value]:
    """Q2: predictive control against the PID that the gain selection gives, with the same thrusters."""
    pairs = [(wave_error("PID", seed), wave_error("predictive", seed)) for seed in seeds]
    shares = [second / first for first, second in pairs]
    return [
        ("station error of PID, RMS, mean", 100.0 * float(np.mean([pair[0] for pair in pairs]))),
        ("station error of predictive control, RMS, mean", 100.0 * float(np.mean([pair[1] for pair in pairs]))),
        ("station error, predictive over PID, mean", 100.0 * float(np.mean(shares))),
        ("station error, predictive over PID, worst seed", 100.0 * max(shares)),
    ]


class FalconChain(NamedTuple):
    """Software on the Falcon: navigation, guidance, control and smoothing of the commands."""

    navigation: Mapping[str, Any]
    guidance: Mapping[str, Any]
    control: Mapping[str, Any]
    smoothing: float | None  # 1/s; None for none


# The filter is given the standard deviation of the disturbance and the range of its periods.
FALCON_FILTER = {
    "part": "falcon_filter",
    "rate": "20 Hz",
    "oscillating_force": AMPLITUDES[0] / math.sqrt(2.0),  # N
    "oscillation_periods": [1.0 / FREQUENCIES[1], 1.0 / FREQUENCIES[0]],  # s
}
WAYPOINTS = {
    "part": "waypoints",
    "rate": "20 Hz",
    "speed": 0.5,  # m/s, peak of a leg of 27 s: within the speeds of the tuner; S7 arrives after about 20 s
    "points": [{"position": list(WAYPOINT), "heading": HEADING, "stay": "600 s"}],
}
MISSION = {
    "part": "lyapunov",
    "rate": "20 Hz",
    "limits": "axis_by_axis",  # as in S7
    "mission": [{"do": "go_to", "position": list(WAYPOINT), "heading": HEADING}],
}
REGULATOR = {"part": "lqr", "rate": "20 Hz", "position_error": STATION_ERROR}
REGULATED = FalconChain(FALCON_FILTER, WAYPOINTS, REGULATOR, SMOOTHING)
ADAPTIVE = FalconChain(FALCON_FILTER, MISSION, {"part": "adaptive", "rate": "20 Hz"}, SMOOTHING)


@cache
def tuned_chain() -> FalconChain:
    """Position control with the gains that the noise of the Falcon filter allows."""
    goals = TuningGoals(noise=SPEED_NOISE, noise_share=NOISE_SHARE)
    tuned = tuned_control(Plant(load_vehicle("falcon")), goals)
    guidance = {**WAYPOINTS, "speed": 0.3}  # m/s: the largest speed in sway that tuning gives
    return FalconChain(FALCON_FILTER, guidance, position_options(tuned), None)


def falcon_station(seed: int, chain: FalconChain, condition: str | None) -> Scenario:
    """The set-up of S7 with thruster lag, all latencies and a filter in the loop; sensors at rest, or `dynamic`."""
    stream, count = Stream(seed, "disturbance"), len(AMPLITUDES)
    slow, fast = FREQUENCIES
    rates = slow + (fast - slow) * np.array(stream.of("frequency").uniforms(0, count))
    phases = 2.0 * math.pi * np.array(stream.of("phase").uniforms(0, count))
    disturbances = [
        {
            "kind": "sinusoidal",
            "wrench": [amplitude if i == k else 0.0 for i in range(count)],
            "period": 1.0 / float(rates[k]),
            "phase": float(phases[k]),
        }
        for k, amplitude in enumerate(AMPLITUDES)
    ]
    added = {} if condition is None else {"condition": condition}
    sensors: list[Any] = [{"from": name, "parameters": added} for name in ("imu", *ROVER_SENSORS)]
    sensors.append({"from": "pressure", "parameters": {**added, "bias_range": None}})
    share = COEFFICIENTS.added_mass
    vehicle = {
        "name": "rov",
        "file": "falcon",
        "position": list(START),
        "sensors": sensors,
        "actuators": {"resolution": 1, "dead_band_range": [0, 5]},
        "scatter": {
            "distribution": "uniform",
            "added_mass": share,
            "linear_damping": share,
            "quadratic_damping": share,
        },
        "disturbances": disturbances,
        "navigation": dict(chain.navigation),
        "guidance": dict(chain.guidance),
        "control": dict(chain.control),
        "allocation": {
            "part": "bounded",
            "rate": "20 Hz",
            "axes": ["surge", "sway", "heave", "yaw"],
            **({} if chain.smoothing is None else {"smoothing": chain.smoothing}),
        },
    }
    return make_scenario(
        name="falcon_station",
        duration=SECONDS,
        step=0.01,
        seed=seed,
        origin={"latitude": "48.65 deg", "longitude": "-123.4 deg"},
        water={"surface_depth": 0.64, "bottom_depth": 6.0},
        vehicles=[vehicle],
    )


SETTINGS: dict[str, tuple[Callable[[], FalconChain], str | None]] = {
    JUDGED: (lambda: REGULATED, "dynamic"),
    "noise at rest": (lambda: REGULATED, None),
    "tuned position control, noise under way": (tuned_chain, "dynamic"),
    "adaptive control of S7, noise under way": (lambda: ADAPTIVE, "dynamic"),
}


@cache
def held_station(words: str, seed: int) -> Array:
    """Station RMS along x, y and z, cm, and chatter per step, %, of one run."""
    chain, condition = SETTINGS[words]
    run = flown(falcon_station(seed, chain(), condition), WAYPOINT, STATION)
    rms = 100.0 * np.sqrt(np.mean(run.errors**2, axis=0))
    seconds, full = SAMPLE * (len(run.commands) - 1), [FULL_COMMAND] * run.commands.shape[1]
    return np.append(rms, command_chatter(seconds, total_variation(run.commands), full, SAMPLE))


def tuned_falcon(seeds: Sequence[int]) -> list[Value]:
    """Q3: the Falcon holds station by its linear-quadratic regulator behind thruster lag, latencies and a filter."""
    figures: list[Value] = []
    for words in SETTINGS:
        # Nothing is demanded of what stands beside: its seeds are always the same, so that each is flown once.
        *rms, chatter = np.mean([held_station(words, s) for s in (seeds if words == JUDGED else COMPARED)], axis=0)
        figures += [(f"{words}: station RMS, {axis}", float(one)) for axis, one in zip("xyz", rms, strict=True)]
        figures.append((f"{words}: chatter per step", float(chatter)))
    return figures


STUDIES: dict[str, StudyFunction] = {"Q2": predictive_station, "Q3": tuned_falcon}
