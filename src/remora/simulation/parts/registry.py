"""The parts that scenarios can name, by role."""

from remora.messages.part import Role
from remora.simulation.parts.allocation import BOUNDED, PSEUDO_INVERSE
from remora.simulation.parts.control import CASCADE, LINEARISATION, POSITION, TUNNEL_CONTROL
from remora.simulation.parts.dive_and_turn import DIVE_AND_TURN
from remora.simulation.parts.excitation import EXCITATION
from remora.simulation.parts.fin_autopilot import FIN_AUTOPILOT
from remora.simulation.parts.guidance import HOLD, TUNNEL_GUIDANCE
from remora.simulation.parts.instruments import INSTRUMENTS
from remora.simulation.parts.line_of_sight import LINE_OF_SIGHT
from remora.simulation.parts.navigation import TRUTH
from remora.simulation.parts.part import PartKind
from remora.simulation.parts.pilot import PILOT
from remora.simulation.parts.timetable import TIMETABLE
from remora.simulation.parts.waypoints import WAYPOINTS

PARTS: tuple[PartKind, ...] = (
    TRUTH,
    INSTRUMENTS,
    TUNNEL_GUIDANCE,
    HOLD,
    EXCITATION,
    WAYPOINTS,
    DIVE_AND_TURN,
    LINE_OF_SIGHT,
    TUNNEL_CONTROL,
    LINEARISATION,
    CASCADE,
    POSITION,
    PILOT,
    FIN_AUTOPILOT,
    PSEUDO_INVERSE,
    BOUNDED,
    TIMETABLE,
)


def parts_for(role: Role) -> dict[str, PartKind]:
    """The parts that can fill a role, by name."""
    return {kind.name: kind for kind in PARTS if kind.role == role}
