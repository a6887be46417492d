"""CPU time of readings that are drawn along a recorded motion."""

from collections.abc import Mapping

import numpy as np

from remora.sensors import OpenWater, RecordedMotion, RecordedSuite, recorded_motion
from remora_evidence.benchmarks.timing import quickest
from remora_evidence.benchmarks.vehicle import SEED

PERIOD_NS, ROWS = 10_000_000, 60_001
WATER = OpenWater(bottom_depth=30.0)
SUITE = (
    {"name": "imu", "kind": "imu", "position": (0.1, 0.0, 0.0), "rate": 100.0, "parameters": {"grade": "tactical"}},
    {
        "name": "ahrs",
        "kind": "ahrs",
        "position": (0.0, 0.0, 0.0),
        "rate": 100.0,
        "parameters": {"heading_std": 0.01, "heading_bias_wander": 0.01, "roll_std": 0.002, "pitch_std": 0.002},
    },
    {"name": "depth", "kind": "pressure", "position": (0.0, 0.0, 0.0), "rate": 10.0, "parameters": {"std": 100.0}},
    {
        "name": "dvl",
        "kind": "dvl",
        "position": (0.0, 0.0, 0.2),
        "rate": 5.0,
        "latency": 0.1,
        "parameters": {"std": 0.01, "dropout": 0.02, "max_altitude": 40.0},
    },
)


def swaying_motion() -> RecordedMotion:
    """Ten minutes at 1 m/s with a slow turn, rolling and heaving."""
    time_ns = PERIOD_NS * np.arange(ROWS)
    t, zero = 1e-9 * time_ns, np.zeros(ROWS)
    roll = 0.05 * np.sin(t)
    q_NB = np.column_stack([np.cos(roll), np.sin(roll), zero, zero])
    p_NB = np.column_stack([t, zero, 5.0 + np.sin(0.1 * t)])
    twist = np.column_stack([zero + 1.0, zero, 0.1 * np.cos(0.1 * t), 0.1 * np.cos(t), zero, zero])
    return recorded_motion(time_ns, p_NB, q_NB, twist)


def measure_readings(rounds: int = 10) -> Mapping[str, float | str]:
    """One set with another seed, and one along another motion."""
    motion = swaying_motion()
    suite = RecordedSuite(SUITE, motion, WATER, "auv")
    seconds = quickest(
        {
            "set": lambda: suite.draw(SEED),
            "motion": lambda: RecordedSuite(SUITE, motion, WATER, "auv").draw(SEED),
        },
        rounds,
    )
    return {"readings_set_seconds": seconds["set"], "readings_motion_seconds": seconds["motion"]}
