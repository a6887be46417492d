"""Faults of a run: what breaks, from when until when. One line of a scenario each, and an event in the log.

docs/faults.md lists them.
"""

from remora.simulation.faults.fault import Fault

__all__ = ["Fault"]
