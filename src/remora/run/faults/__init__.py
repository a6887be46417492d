"""Faults of actuators, sensors, body and environment during a run; docs/faults.md lists them."""

from remora.run.faults.fault import Fault

__all__ = ["Fault"]
