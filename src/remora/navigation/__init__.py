"""Navigation: from readings of sensors to what a vehicle knows about itself. Runs alone, on a vehicle or on a log."""

from remora.navigation.dead_reckoning import DeadReckoning, ReckonedState, VelocityErrors
from remora.navigation.estimate import Estimate

__all__ = ["DeadReckoning", "Estimate", "ReckonedState", "VelocityErrors"]
