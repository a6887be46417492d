"""Navigation filters over recorded readings, with verdicts on their consistency."""

from remora.navigation.replays.attainable import AttainableAccuracy, attainable_accuracy
from remora.navigation.replays.replay import (
    FilterReplay,
    PartReplay,
    RecordedCommands,
    TimedReport,
    replay,
    replay_part,
)
from remora.navigation.replays.sensor_statistics import ReplayedInputs, ReplayedSensor, SensorOutage
from remora.navigation.replays.truth_errors import (
    BANDS,
    ErrorOverDistance,
    RecordedTruth,
    TruthErrors,
    error_over_distance,
)
from remora.navigation.replays.verdict import ReplayVerdict

__all__ = [
    "BANDS",
    "AttainableAccuracy",
    "ErrorOverDistance",
    "FilterReplay",
    "PartReplay",
    "RecordedCommands",
    "RecordedTruth",
    "ReplayVerdict",
    "ReplayedInputs",
    "ReplayedSensor",
    "SensorOutage",
    "TimedReport",
    "TruthErrors",
    "attainable_accuracy",
    "error_over_distance",
    "replay",
    "replay_part",
]
