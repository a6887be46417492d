"""S2V-20 to S2V-25: the real tunnel run of Gava et al. 2022 as a simulated twin.

A tunnel 3.8 m wide at a heading of -137 degrees, a swinging vertical reference, echosounders with 2 cm of noise, an
attitude from an AHRS with errors that wander, and the cascade of an autopilot. The start is 0.2 m and 3 degrees off.
The speed that the article prints, 2.5 m/s, is beyond the vehicle's thrust; 0.25 m/s is taken for it.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from remora.control import ardusub_cascade, pseudo_inverse, simu2vita_control
from remora.equations.quaternions import from_euler_zyx, to_euler_zyx
from remora.guidance import Sinusoid, TunnelGoal, simu2vita_guidance
from remora.guidance.tunnel import TunnelReference
from remora.sensors import OpenWater, Stream, Truth, make_sensor
from remora.studies.figures import Figure, Study, at_least, at_most, near, reported, within
from remora.studies.tunnel_mission import FACE, OUTER_STEPS, STEP_NS, Array, Echoes, Inner, Mission, echoes, fly
from remora.vehicles import VehicleParameters, load_vehicle
from remora.world import Horseshoe, Rectangle, Section, Tunnel

SOURCE = "Gava et al. 2022, Figs. 20 to 22"
YAW, SURGE = math.radians(-137.0), 0.25
SECONDS, TURNED, CONVERGED = 120.0, 20.0, 40.0  # s: run, end of the transient in yaw, start of the statistics
ECHO_NOISE = 0.02  # m
FREE_WIDTH = 3.8 - 2.0 * FACE  # m, of the square tunnel beside the cube of the echosounders
SECTIONS: dict[str, Section] = {"square": Rectangle(3.8, 3.8), "horseshoe": Horseshoe(3.8, 3.8)}
WATER = OpenWater()
# A small AHRS: half a degree in tilt and one in heading that wander within a minute, and a little white noise.
AHRS = {
    "name": "ahrs",
    "kind": "ahrs",
    "position": (0.0, 0.0, 0.0),
    "rate": 400.0,
    "figures": {
        f"{angle}_{figure}": math.radians(share * degrees)
        for angle, degrees in (("roll", 0.5), ("pitch", 0.5), ("heading", 1.0))
        for figure, share in (("bias_wander", 1.0), ("deviation", 0.1))
    }
    | {f"{angle}_bias_wander_time": 60.0 for angle in ("roll", "pitch", "heading")},
}


class Twin(NamedTuple):
    """A flown twin: the run and what sensors did not spoil."""

    mission: Mission
    readings: Array  # m, without noise
    angles: Array  # deg: roll, pitch, and yaw from the wanted heading the short way


class Result(NamedTuple):
    """What is kept of a twin; statistics of offsets and speed count after convergence."""

    roll: float  # deg, largest
    pitch: float
    furthest_yaw: float  # deg from the wanted heading, after the transient
    mean_yaw: float
    lateral: float  # m, largest difference of true readings port - starboard
    lateral_rms: float
    correlation: float  # of the true difference up - down with its reference
    vertical_rms: float  # m, of their distance
    surge: float  # m/s, mean
    width: float  # m, mean of readings port + starboard as heard


def cascaded(parameters: VehicleParameters) -> Inner:
    """The cascade's torque added to the forces of the outer controllers, at 400 Hz."""
    cascade, allocation = ardusub_cascade(parameters), pseudo_inverse(parameters)
    memory = [cascade.initial()]

    def inner(state: Array, outer: Array, reference: TunnelReference) -> Array:
        _, _, _, q0, q1, q2, q3, u, v, w, p, q, r = state[:13].tolist()
        twist = (u, v, w, p, q, r)
        memory[0], torque = cascade.step(memory[0], (q0, q1, q2, q3), twist, reference.q_NR)
        return allocation.allocate(outer + np.array([0.0, 0.0, 0.0, *torque]))

    return inner


def noisy_echoes(seed: int, noise: float) -> Callable[[Echoes, int], Echoes]:
    """White noise on each reading that there is."""
    stream = Stream(seed, "vita1/echosounders")

    def heard(readings: Echoes, k: int) -> Echoes:
        errors = stream.normals(k, len(readings))
        return tuple(None if a is None else a + noise * b for a, b in zip(readings, errors, strict=True))

    return heard


def ahrs_attitude(seed: int) -> Callable[[Array, int], Array]:
    """The state with its attitude as the AHRS tells it."""
    sensor = make_sensor(AHRS, seed, "vita1")
    memory = [sensor.initial()]

    def sensed(state: Array, k: int) -> Array:
        q0, q1, q2, q3 = state[3:7].tolist()
        memory[0], reading = sensor.step(memory[0], Truth(k * STEP_NS, q_NB=(q0, q1, q2, q3)), WATER, k)
        assert reading is not None
        known = state.copy()
        roll, pitch, heading = reading.values
        known[3:7] = from_euler_zyx(roll, pitch, heading)
        return known

    return sensed


def fly_twin(seed: int, section: str) -> Twin:
    """Fly one twin in a tunnel with a section of SECTIONS."""
    parameters = load_vehicle("vita1").parameters
    tunnel = Tunnel(SECTIONS[section], heading=YAW, length=100.0)
    flown = fly(
        SECONDS,
        tunnel,
        (tunnel.point(1.0, 0.2, 0.0), from_euler_zyx(0.0, 0.0, YAW + math.radians(3.0))),
        TunnelGoal(surge=SURGE, q_NB=from_euler_zyx(0.0, 0.0, YAW)),
        simu2vita_guidance(Sinusoid(0.6, 40.0)),
        simu2vita_control(parameters, lateral_derivative=15.0, vertical_derivative=20.0, orientation=False),
        cascaded(parameters),
        noisy_echoes(seed, ECHO_NOISE),
        ahrs_attitude(seed),
    )
    some = flown.states[:-1:OUTER_STEPS].tolist()
    true = np.array([echoes(tunnel, (s[0], s[1], s[2]), (s[3], s[4], s[5], s[6])) for s in some], dtype=float)
    angles = np.array([to_euler_zyx((s[3], s[4], s[5], s[6])) for s in flown.states.tolist()])
    angles[:, 2] = np.remainder(angles[:, 2] - YAW + math.pi, 2.0 * math.pi) - math.pi
    return Twin(flown, true, np.degrees(angles))


@cache
def result(seed: int, section: str) -> Result:
    """Fly one twin and keep its figures."""
    mission, readings, angles = fly_twin(seed, section)
    late = mission.reading_times > CONVERGED
    lateral, vertical = (readings[:, 1] - readings[:, 0])[late], (readings[:, 2] - readings[:, 3])[late]
    wanted = np.array([reference.vertical for reference in mission.references])[late]
    yaw = angles[mission.times > TURNED, 2]
    return Result(
        roll=float(np.abs(angles[:, 0]).max()),
        pitch=float(np.abs(angles[:, 1]).max()),
        furthest_yaw=float(np.abs(yaw).max()),
        mean_yaw=float(yaw.mean()),
        lateral=float(np.abs(lateral).max()),
        lateral_rms=rms(lateral),
        correlation=float(np.corrcoef(vertical, wanted)[0, 1]),
        vertical_rms=rms(vertical - wanted),
        surge=float(mission.states[mission.times > CONVERGED, 7].mean()),
        width=float(mission.readings[late, :2].sum(axis=1).mean()),
    )


def results(seeds: Sequence[int]) -> list[Result]:
    """Twins of all seeds in both sections."""
    return [result(seed, section) for seed in seeds for section in SECTIONS]


def rms(errors: Array) -> float:
    """Root of the mean square."""
    return float(np.sqrt(np.mean(np.square(errors))))


def tilt(seeds: Sequence[int]) -> list[Figure]:
    """Roll and pitch stay in a tight band around zero."""
    runs = results(seeds)
    return [
        at_most("largest roll", max(run.roll for run in runs), 5.0, "deg"),
        at_most("largest pitch", max(run.pitch for run in runs), 5.0, "deg"),
    ]


def heading(seeds: Sequence[int]) -> list[Figure]:
    """Yaw stays near -137 degrees; the difference is taken the short way round."""
    runs = results(seeds)
    worst = max((run.mean_yaw for run in runs), key=abs)
    furthest = max(run.furthest_yaw for run in runs)
    return [
        at_most("largest distance of yaw from -137 deg after the transient", furthest, 5.0, "deg"),
        within("mean yaw after the transient, of the worst run", -137.0 + worst, -137.0, 5.0, "deg"),
    ]


def lateral(seeds: Sequence[int]) -> list[Figure]:
    """The lateral error converges to a small residual."""
    runs = results(seeds)
    largest = max(run.lateral for run in runs)
    return [
        at_most("largest lateral error e_sw after convergence", largest, 0.25, "m", printed=0.25),
        reported("largest rms of e_sw", max(run.lateral_rms for run in runs), "m"),
    ]


def vertical(seeds: Sequence[int]) -> list[Figure]:
    """The vertical error follows the sinusoid."""
    runs = results(seeds)
    alike = min(run.correlation for run in runs)
    return [
        at_least("smallest correlation of e_he with its reference", alike, 0.95, "1"),
        reported("largest rms of e_he from its reference", max(run.vertical_rms for run in runs), "m"),
    ]


def surge(seeds: Sequence[int]) -> list[Figure]:
    """Surge stays around its desired value."""
    worst = max((run.surge for run in results(seeds)), key=lambda mean: abs(mean - SURGE))
    return [near("mean surge, of the worst run", worst, SURGE, 0.05 * SURGE, "m/s")]


def consistent_readings(seeds: Sequence[int]) -> list[Figure]:
    """Opposite readings and the cube between them add up to the width of the square tunnel."""
    widths = [result(seed, "square").width for seed in seeds]
    worst = max(widths, key=lambda width: abs(width - FREE_WIDTH))
    return [near("mean of d_1 + d_2, of the worst run", worst, FREE_WIDTH, ECHO_NOISE, "m")]


STUDIES = [
    Study(name, SOURCE, title, function, seeds=10, shares="real run")
    for name, title, function in (
        ("S2V-20", "Real run: roll and pitch stay small", tilt),
        ("S2V-21", "Real run: yaw holds -137 degrees", heading),
        ("S2V-22", "Real run: lateral residual", lateral),
        ("S2V-23", "Real run: the vertical error follows its sinusoid", vertical),
        ("S2V-24", "Real run: mean surge", surge),
        ("S2V-25", "Real run: opposite readings add up", consistent_readings),
    )
]
