"""Registry of the parts available in scenarios, by role."""

from remora.control.parts.allocation import BOUNDED, PSEUDO_INVERSE
from remora.control.parts.autopilot import AUTOPILOT
from remora.control.parts.cascade_p import CASCADE_P
from remora.control.parts.command_schedule import COMMAND_SCHEDULE
from remora.control.parts.controllers import CASCADE, LINEARISATION, POSITION, TUNNEL_CONTROL
from remora.control.parts.fin_autopilot import FIN_AUTOPILOT
from remora.control.parts.velocity_controllers import ADAPTIVE, PID, SLIDING_MODE
from remora.guidance.parts.dive_and_turn import DIVE_AND_TURN
from remora.guidance.parts.excitation import EXCITATION
from remora.guidance.parts.hold_and_tunnel import HOLD, TUNNEL_GUIDANCE
from remora.guidance.parts.line_of_sight import LINE_OF_SIGHT
from remora.guidance.parts.lyapunov import LYAPUNOV
from remora.guidance.parts.path_following import INTEGRAL_LINE_OF_SIGHT
from remora.guidance.parts.wall_following import WALL_FOLLOWING
from remora.guidance.parts.waypoints import WAYPOINTS
from remora.messages.part import Role
from remora.messages.part_options import PartKind
from remora.navigation.parts.instruments import INSTRUMENTS
from remora.navigation.parts.truth import TRUTH

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
    AUTOPILOT,
    FIN_AUTOPILOT,
    PSEUDO_INVERSE,
    BOUNDED,
    COMMAND_SCHEDULE,
    PID,
    ADAPTIVE,
    SLIDING_MODE,
    CASCADE_P,
    LYAPUNOV,
    INTEGRAL_LINE_OF_SIGHT,
    WALL_FOLLOWING,
)


def parts_for(role: Role) -> dict[str, PartKind]:
    """The parts that can fill a role, by name."""
    return {kind.name: kind for kind in PARTS if kind.role == role}
