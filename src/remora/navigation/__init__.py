"""Navigation: state estimates from sensor readings, on a vehicle, in a simulation or on a recorded log."""

from remora.messages.estimate import Estimate
from remora.navigation.dead_reckoning import DeadReckoning, DeadReckoningState, VelocityErrors

__all__ = ["DeadReckoning", "DeadReckoningState", "Estimate", "VelocityErrors"]
