"""Navigation: from readings of sensors to what a vehicle knows about itself. Runs alone, on a vehicle or on a log."""

from remora.messages.estimate import Estimate
from remora.navigation.dead_reckoning import DeadReckoning, ReckonedState, VelocityErrors

__all__ = ["DeadReckoning", "Estimate", "ReckonedState", "VelocityErrors"]
