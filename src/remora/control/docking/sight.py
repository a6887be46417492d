"""Margins of camera cones that grow with the uncertainty of the poses."""

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from remora.control.docking.team import LARGEST_MARGIN, DockingTeam, PoseUncertainty
from remora.equations.control.docking import sight_margin
from remora.files.arrays import Array

# Margin in rad by (carrier, neighbour), and by (carrier, carrier) for the camera towards a target.
SightMargins: TypeAlias = Mapping[tuple[int, int], float]


def sight_margins(
    team: DockingTeam, states: Array, uncertainties: Sequence[PoseUncertainty] | None = None
) -> SightMargins:
    """Margins of all cones of a team, for states [vehicle, 6] and the uncertainty of each vehicle, none by default."""
    known = uncertainties or [PoseUncertainty()] * team.graph.size
    margins = {}
    for (i, j), camera in team.cameras.items():
        spread = math.hypot(known[i].position, known[j].position)
        margins[i, j] = sight_margin(
            team.margin, team.margin_factor, known[i].heading, spread, math.dist(states[i][:2], states[j][:2]),
            max(team.margin, LARGEST_MARGIN * camera.half_angle),
        )  # fmt: skip
    for i, target in team.targets.items():
        margins[i, i] = sight_margin(
            team.margin, team.margin_factor, known[i].heading, known[i].position,
            math.dist(states[i][:2], target[:2]), max(team.margin, LARGEST_MARGIN * target.camera.half_angle),
        )  # fmt: skip
    return margins
