"""Speed figures of this machine, next to MuJoCo in the same run: what `remora bench` prints.

A room adds its own figures by appending a `Measurement` to `remora.evidence.benchmarks.measurements.MEASUREMENTS`.
"""

from remora.evidence.benchmarks.goals import Figure, Goal, Measurement, Wanted
from remora.evidence.benchmarks.measurement_runner import all_hold, as_json, run_measurements

__all__ = ["Figure", "Goal", "Measurement", "Wanted", "all_hold", "as_json", "run_measurements"]
