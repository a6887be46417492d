"""Picture of a run: of the tunnel mission where it is one, else an overview."""

from typing import TYPE_CHECKING

from remora.report.drawing import check_pictures
from remora.report.logs.figure import log_figure
from remora.report.logs.source import Source
from remora.report.simulations.mission_figure import is_tunnel_mission, mission_figure

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.figure import Figure


def run_picture(source: Source) -> "Figure":
    """The picture of a tunnel mission for a log of a vehicle with four echosounders in a tunnel, else the overview."""
    check_pictures()
    return mission_figure(source) if is_tunnel_mission(source) else log_figure(source).figure
