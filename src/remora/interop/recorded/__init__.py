"""Sensor suites and readings from recorded logs, for navigation filters."""

from remora.interop.recorded.csv_tables import suite_of_tables
from remora.interop.recorded.recorded_suite import RecordedSensors, filter_of
from remora.interop.recorded.remora_logs import suite_of_log

__all__ = ["RecordedSensors", "filter_of", "suite_of_log", "suite_of_tables"]
