"""Pictures of the tunnel runs of Gava et al. 2022: the simulated mission (Figs. 14 to 19), the real run (20 to 22)."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import remora
from remora.files.arrays import Array
from remora.report.drawing import ASKED, COLOURS, curves, finish, new_figure, write_picture
from remora.report.simulations.mission_figure import SIDES, draw_offsets
from remora_evidence.studies.simu2vita.mission import Mission
from remora_evidence.studies.simu2vita.real_run import SURGE, YAW, Twin, fly_twin
from remora_evidence.studies.simu2vita.tunnel import ANGLES, angles_of, mission

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE, TALL = (9.0, 4.5), (9.0, 6.5)
PROPELLER, ZOOM = 4, (0.0, 3.0)  # the first vertical one, and the seconds that the zoom shows


def write_tunnel_pictures(folder: Path, seed: int = 1) -> list[Path]:
    """Fly both runs and write a PNG for each figure of the article; the seed is that of the real run's noise."""
    folder.mkdir(parents=True, exist_ok=True)
    flown, twin = mission(), fly_twin(seed, "rectangle")
    drawings: dict[str, Callable[[], Figure]] = {
        "14-echosounders": lambda: echosounder_figure(flown, "Simulated run: echosounders and errors"),
        "15-rates": lambda: rates_figure(flown),
        "16-angles": lambda: angles_figure(flown.times, angles_of(flown.states), "Simulated run: angles", (0, 0, 0)),
        "17-speeds": lambda: speeds_figure(flown, 0.2, "Simulated run: speeds"),
        "18-position": lambda: position_figure(flown),
        "19-propeller": lambda: propeller_figure(flown),
        "20-real-angles": lambda: real_angles_figure(twin),
        "21-real-echosounders": lambda: echosounder_figure(twin.mission, "Real run, twin: echosounders and errors"),
        "22-real-speeds": lambda: speeds_figure(twin.mission, SURGE, "Real run, twin: speeds"),
    }
    return [write_picture(draw(), folder / f"{name}.png") for name, draw in drawings.items()]


def echosounder_figure(flown: Mission, title: str) -> "Figure":
    """Four readings, and the two differences of opposite ones with what was asked of them."""
    figure, (above, below) = _figure(title, TALL, rows=2)
    for reading, side, colour in zip(flown.readings.T, SIDES, COLOURS, strict=True):
        above.plot(flown.reading_times, reading, color=colour, linewidth=1, label=side)
    starboard, port, up, down = flown.readings.T
    draw_offsets(below, flown.reading_times, np.column_stack([port - starboard, up - down]), flown.asked)
    finish(above, "reading [m]")
    finish(below, "error [m]", last=True)
    return figure


def rates_figure(flown: Mission) -> "Figure":
    """Angular rates."""
    figure, (axes,) = _figure("Simulated run: angular rates")
    curves(axes, flown.times, np.degrees(flown.states[:, 10:13]), ("p", "q", "r"))
    finish(axes, "rate [deg/s]", last=True)
    return figure


def angles_figure(times: Array, angles: Array, title: str, asked: Sequence[float]) -> "Figure":
    """Roll, pitch and yaw, each by itself, and what they should come to."""
    figure, rows = _figure(title, TALL, rows=3)
    for axes, values, word, wanted, colour in zip(rows, angles.T, ANGLES, asked, COLOURS, strict=False):
        axes.axhline(wanted, **ASKED)
        axes.plot(times, values, color=colour, label=word)
        finish(axes, f"{word} [deg]", last=axes is rows[-1])
    return figure


def real_angles_figure(twin: Twin) -> "Figure":
    """Angles of the twin, with its yaw as a heading."""
    yaw = np.degrees(YAW)
    angles = twin.angles + np.array([0.0, 0.0, yaw])
    return angles_figure(twin.mission.times, angles, "Real run, twin: angles", (0.0, 0.0, float(yaw)))


def speeds_figure(flown: Mission, surge: float, title: str) -> "Figure":
    """Surge, sway and heave."""
    figure, (axes,) = _figure(title)
    axes.axhline(surge, **ASKED, label="asked surge")
    curves(axes, flown.times, flown.states[:, 7:10], ("u, surge", "v, sway", "w, heave"))
    finish(axes, "speed [m/s]", last=True)
    return figure


def position_figure(flown: Mission) -> "Figure":
    """Along the tunnel, and across and down from its middle."""
    figure, (above, below) = _figure("Simulated run: position", TALL, rows=2)
    above.plot(flown.times, flown.states[:, 0], color=COLOURS[0], label="n, along the tunnel")
    below.axhline(0.0, **ASKED)
    curves(below, flown.times, flown.states[:, 1:3], ("e, to the right", "d, down"))
    finish(above, "position [m]")
    finish(below, "position [m]", last=True)
    return figure


def propeller_figure(flown: Mission) -> "Figure":
    """Input and output of one propeller, whole and over the first transient."""
    figure, (whole, zoom) = _figure(f"Simulated run: propeller {PROPELLER + 1}, input and output", TALL, rows=2)
    early = (flown.times >= ZOOM[0]) & (flown.times <= ZOOM[1])
    for axes, some in ((whole, np.ones_like(early)), (zoom, early)):
        times = flown.times[some]
        axes.step(times, flown.commands[some, PROPELLER], where="post", color=COLOURS[1], linewidth=1, label="input")
        axes.plot(times, flown.outputs[some, PROPELLER], color=COLOURS[0], label="output")
    finish(whole, "force [N]")
    finish(zoom, "force, zoomed [N]", last=True)
    return figure


def _figure(title: str, size: tuple[float, float] = SIZE, rows: int = 1) -> "tuple[Figure, list[Axes]]":
    """A figure that belongs to no window, with axes one below the other."""
    figure = new_figure(size)
    figure.suptitle(f"{title}\nafter Gava et al. 2022, remora {remora.__version__}", fontsize=11)
    return figure, [figure.add_subplot(rows, 1, i + 1) for i in range(rows)]
