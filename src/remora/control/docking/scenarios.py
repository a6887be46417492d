"""The docking scenario of Nielsen 2018, Table 8.1."""

import math
from dataclasses import replace
from typing import Any

from remora.control.docking.graph import path_graph
from remora.control.docking.team import DockingCamera, DockingTarget, DockingTeam, DockingVehicle

HALF_ANGLE = math.radians(25.0)
NIELSEN_VEHICLE = DockingVehicle(inertia=(10.0, 10.0, 1.0), drag=(30.0, 30.0, 1.0), force_limits=(5.0, 5.0, 1.5))
NIELSEN_STARTS = ((4.0, 3.0, -0.2, 0.0, 0.0, 0.0), (1.0, -2.0, -0.58, 0.0, 0.0, 0.0))


def nielsen_team(**changes: Any) -> DockingTeam:
    """Two vehicles, of which the first keeps a target in view; mounting angles of the cameras are inferred.

    Parameters
    ----------
    changes
        Fields of `DockingTeam` to replace.
    """
    team = DockingTeam(
        path_graph(2),
        (NIELSEN_VEHICLE, NIELSEN_VEHICLE),
        cameras={
            (0, 1): DockingCamera(-0.5 * math.pi, HALF_ANGLE),
            (1, 0): DockingCamera(0.5 * math.pi, HALF_ANGLE),
        },
        targets={0: DockingTarget(6.1, 3.0, 3.0, DockingCamera(0.0, HALF_ANGLE))},
    )
    return replace(team, **changes)
