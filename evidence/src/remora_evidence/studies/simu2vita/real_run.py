"""S2V-20 to S2V-25: the real tunnel run of Gava et al. 2022 as a simulated twin.

A tunnel 3.8 m wide at a heading of -137 degrees, a swinging vertical reference, echosounders with 2 cm of noise, an
attitude from an AHRS with errors that wander, and the cascade of an autopilot. The start is 0.2 m and 3 degrees off.
Velocities and turn rates come from a filter of attitude, gyros and DVL; every figure stands beside that of true ones.
The speed that the article prints, 2.5 m/s, is beyond the vehicle's thrust; 0.25 m/s is taken for it.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.files.arrays import Array
from remora.world import CrossSection, Horseshoe, Rectangle, Tunnel
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.simu2vita.mission import FACE, Mission, echoes, fly

YAW, SURGE = math.radians(-137.0), 0.25
TURNED, CONVERGED = 20.0, 40.0  # s: end of the transient in yaw, start of the statistics
FREE_WIDTH = 3.8 - 2.0 * FACE  # m, of the square tunnel beside the cube of the echosounders
SECTIONS: dict[str, CrossSection] = {"rectangle": Rectangle(3.8, 3.8), "horseshoe": Horseshoe(3.8, 3.8)}
SCENARIOS = {True: "real_tunnel", False: "real_tunnel_twin"}  # with the filter, and with true velocities and rates
TRUE = ", with true velocities"
TUNNEL = {"width": "3.8 m", "height": "3.8 m", "heading": "-137 deg", "length": "100 m"}


class Twin(NamedTuple):
    """A flown twin: the run and what sensors did not spoil."""

    mission: Mission
    readings: Array  # m, without noise
    angles: Array  # deg: roll, pitch, and yaw from the wanted heading the short way


class TwinFigures(NamedTuple):
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


def fly_twin(seed: int, section: str, with_filter: bool = True) -> Twin:
    """Fly one twin through a tunnel of SECTIONS, with velocities and rates of the filter or true ones."""
    changes = {"seed": seed, "tunnel": {**TUNNEL, "section": section}}
    flown = fly(SCENARIOS[with_filter], changes)
    tunnel = Tunnel(SECTIONS[section], heading=YAW, length=100.0)
    true = [echoes(tunnel, (s[0], s[1], s[2]), (s[3], s[4], s[5], s[6])) for s in flown.states.tolist()]
    angles = np.array([to_euler_zyx((s[3], s[4], s[5], s[6])) for s in flown.states.tolist()])
    angles[:, 2] = np.remainder(angles[:, 2] - YAW + math.pi, 2.0 * math.pi) - math.pi
    return Twin(flown, np.array(true, dtype=float)[: len(flown.readings)], np.degrees(angles))


@cache
def result(seed: int, section: str, with_filter: bool) -> TwinFigures:
    """Fly one twin and keep its figures."""
    mission, readings, angles = fly_twin(seed, section, with_filter)
    late = mission.reading_times > CONVERGED
    lateral, vertical = (readings[:, 1] - readings[:, 0])[late], (readings[:, 2] - readings[:, 3])[late]
    wanted = mission.asked[late, 1]
    yaw = angles[mission.times > TURNED, 2]
    return TwinFigures(
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


def results(seeds: Sequence[int], with_filter: bool) -> list[TwinFigures]:
    """Twins of all seeds in both sections."""
    return [result(seed, section, with_filter) for seed in seeds for section in SECTIONS]


def both(figures: Callable[[list[TwinFigures]], list[Value]]) -> StudyFunction:
    """A study of these figures with the filter, and then with true velocities."""

    def study(seeds: Sequence[int]) -> list[Value]:
        true = [(name + TRUE, value) for name, value in figures(results(seeds, False))]
        return [*figures(results(seeds, True)), *true]

    return study


def rms(errors: Array) -> float:
    """Root of the mean square."""
    return float(np.sqrt(np.mean(np.square(errors))))


def tilt(runs: list[TwinFigures]) -> list[Value]:
    """Roll and pitch stay in a tight band around zero."""
    return [
        ("largest roll", max(run.roll for run in runs)),
        ("largest pitch", max(run.pitch for run in runs)),
    ]


def heading(runs: list[TwinFigures]) -> list[Value]:
    """Yaw stays near -137 degrees; the difference is taken the short way round."""
    worst = max((run.mean_yaw for run in runs), key=abs)
    furthest = max(run.furthest_yaw for run in runs)
    return [
        ("largest distance of yaw from -137 deg after the transient", furthest),
        ("mean yaw after the transient, of the worst run", -137.0 + worst),
    ]


def lateral(runs: list[TwinFigures]) -> list[Value]:
    """The lateral error converges to a small residual."""
    largest = max(run.lateral for run in runs)
    return [
        ("largest lateral error e_sw after convergence", largest),
        ("largest rms of e_sw", max(run.lateral_rms for run in runs)),
    ]


def vertical(runs: list[TwinFigures]) -> list[Value]:
    """The vertical error follows the sinusoid."""
    alike = min(run.correlation for run in runs)
    return [
        ("smallest correlation of e_he with its reference", alike),
        ("largest rms of e_he from its reference", max(run.vertical_rms for run in runs)),
    ]


def surge(runs: list[TwinFigures]) -> list[Value]:
    """Surge stays around its desired value."""
    worst = max((run.surge for run in runs), key=lambda mean: abs(mean - SURGE))
    return [("mean surge, of the worst run", worst)]


def consistent_readings(runs: list[TwinFigures]) -> list[Value]:
    """Opposite readings and the cube between them add up to the width of the square tunnel."""
    widths = [run.width for run in runs[:: len(SECTIONS)]]  # the first section is the square one
    worst = max(widths, key=lambda width: abs(width - FREE_WIDTH))
    return [("mean of d_1 + d_2, of the worst run", worst)]


STUDIES: dict[str, StudyFunction] = {
    "S2V-20": both(tilt),
    "S2V-21": both(heading),
    "S2V-22": both(lateral),
    "S2V-23": both(vertical),
    "S2V-24": both(surge),
    "S2V-25": both(consistent_readings),
}
