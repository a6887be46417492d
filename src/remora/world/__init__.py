"""What surrounds the vehicles: tunnels with walls that rays can meet."""

from remora.world.sections import Horseshoe, Rectangle, Round, Section
from remora.world.tunnels import Tunnel

__all__ = ["Horseshoe", "Rectangle", "Round", "Section", "Tunnel"]
