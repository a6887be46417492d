"""A navigation filter over recorded readings, with a verdict on its consistency."""

from remora.navigation.replays.outages import ReplayedInputs, SensorOutage
from remora.navigation.replays.replay import FilterReplay, replay
from remora.navigation.replays.sensor_statistics import ReplayedSensor
from remora.navigation.replays.truth_errors import RecordedTruth, TruthErrors
from remora.navigation.replays.verdict import ReplayVerdict

__all__ = [
    "FilterReplay",
    "RecordedTruth",
    "ReplayVerdict",
    "ReplayedInputs",
    "ReplayedSensor",
    "SensorOutage",
    "TruthErrors",
    "replay",
]
