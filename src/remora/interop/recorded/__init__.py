"""Sensor suites and readings from recorded logs, for navigation filters."""

from remora.interop.recorded.chosen_filter import (
    ChosenFilter,
    chosen_filter,
    commands_of_log,
    part_of_log,
    with_options,
)
from remora.interop.recorded.csv_tables import suite_of_tables
from remora.interop.recorded.recorded_suite import RecordedSensors, filter_of, name_of_vehicle, suite_of_log

__all__ = [
    "ChosenFilter",
    "RecordedSensors",
    "chosen_filter",
    "commands_of_log",
    "filter_of",
    "name_of_vehicle",
    "part_of_log",
    "suite_of_log",
    "suite_of_tables",
    "with_options",
]
