"""Picture of a replay: estimates with three standard deviations, and innovations of every sensor with their bounds."""

from typing import TYPE_CHECKING

import numpy as np

from remora.files.arrays import Array
from remora.navigation.filters import InnovationSeries
from remora.navigation.replays import BANDS, ErrorOverDistance, FilterReplay, PartReplay, RecordedTruth
from remora.report.drawing import BLACK, BLUE, COLOURS, RED, finish, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POSITIONS, SPEEDS = ("north", "east", "down"), ("forward", "starboard", "downward")


def replay_figure(found: FilterReplay, truth: RecordedTruth | None = None) -> "Figure":
    """Position and velocity on the left, beside the truth if given; normalised innovations on the right."""
    rows = max(6, len(found.sensors))
    more = 0 if found.travelled is None else 1
    figure = new_figure((14.0, 1.9 * (rows + more)))
    grid = figure.add_gridspec(rows + more, 2)
    estimates = list(found.estimates())
    times = np.array([1e-9 * one.time_ns for one in estimates])
    position = np.array([[*one.p_NB, *one.twist[:3]] for one in estimates])
    sigma = np.array([[*one.sigma_p_N, *one.sigma_v_B] for one in estimates])
    for i, name in enumerate((*POSITIONS, *SPEEDS)):
        axes = figure.add_subplot(grid[i, 0])
        _band(axes, times, position[:, i], 3.0 * sigma[:, i])
        if truth is not None:
            _true(axes, truth, i)
        finish(axes, f"{name} [{'m' if i < 3 else 'm/s'}]", last=i == 5)
    for i, sensor in enumerate(found.sensors):
        axes = figure.add_subplot(grid[i, 1])
        _innovations(axes, found.run.innovations[sensor.name])
        finish(axes, sensor.name, last=i + 1 == len(found.sensors))
        axes.set_xlim(times[0], times[-1])
    if found.travelled is not None:
        _over_distance(figure.add_subplot(grid[rows, :]), found.travelled)
    figure.suptitle(f"Replay: {found.verdict.name}. Right: innovations over their standard deviations")
    return figure


def part_figure(found: PartReplay, truth: RecordedTruth | None = None) -> "Figure":
    """Position with three standard deviations and velocity of a filter that runs as a part, beside the truth."""
    rows = 6 if found.travelled is None else 7
    figure = new_figure((9.0, 1.9 * rows))
    times = np.array([1e-9 * one.time_ns for one in found.estimates])
    values = np.array([[*one.p_NB, *one.twist[:3]] for one in found.estimates])
    sigma = np.nan_to_num([[*one.sigma_p_N, *one.sigma_v_B] for one in found.estimates])
    for i, name in enumerate((*POSITIONS, *SPEEDS)):
        axes = figure.add_subplot(rows, 1, i + 1)
        _band(axes, times, values[:, i], 3.0 * sigma[:, i])
        if truth is not None:
            _true(axes, truth, i)
        finish(axes, f"{name} [{'m' if i < 3 else 'm/s'}]", last=i == 5)
    if found.travelled is not None:
        _over_distance(figure.add_subplot(rows, 1, rows), found.travelled)
    figure.suptitle(f"Replay of {found.name}: {found.verdict.name}")
    return figure


def _over_distance(axes: "Axes", found: ErrorOverDistance) -> None:
    """Horizontal error against the distance travelled, with bands of 0.1, 1.5 and 4.0 % of it."""
    reach = max(float(found.distance[-1]), 1e-6)
    for band, colour in zip(BANDS, COLOURS[1:], strict=False):
        axes.plot([0.0, reach], [0.0, band * reach], color=colour, linewidth=0.8, label=f"{100.0 * band:.1f} %")
    axes.plot(found.distance, found.error, color=BLUE, linewidth=1.2, label="horizontal error")
    top = 1.4 * max(float(found.error.max()), BANDS[0] * reach) + 1e-6
    axes.set(xlim=(0.0, reach), ylim=(0.0, top), xlabel="distance travelled [m]", ylabel="error [m]")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, loc="upper left", ncols=4)


def _true(axes: "Axes", truth: RecordedTruth, i: int) -> None:
    """One of three positions and three velocities of the truth."""
    true = truth.positions[:, i] if i < 3 else truth.twists[:, i - 3]
    axes.plot(1e-9 * truth.stamps_ns, true, color=BLACK, linewidth=0.8, linestyle="--", label="truth")


def _band(axes: "Axes", times: Array, values: Array, half: Array) -> None:
    """An estimate with its band; the axis is scaled by the estimate, within which a wide start is cut off."""
    axes.fill_between(times, values - half, values + half, color=BLUE, alpha=0.2, linewidth=0.0, label="3 sigma")
    axes.plot(times, values, color=BLUE, linewidth=1.2, label="estimate")
    reach = 1.2 * float(np.median(half)) + 1e-6
    low, high = float(values.min()) - reach, float(values.max()) + reach
    axes.set_ylim(low, high + 0.3 * (high - low))  # room for the legend


def _innovations(axes: "Axes", series: InnovationSeries) -> None:
    used, times = series.outcomes == 0, 1e-9 * series.stamps_ns
    for k, colour in zip(range(series.values.shape[1]), COLOURS, strict=False):
        ratio = series.values[:, k] / series.deviations[:, k]
        axes.plot(times[used], ratio[used], ".", markersize=2.0, color=colour, label=f"value {k + 1}")
    rejected = series.outcomes == 1
    if rejected.any():
        axes.plot(times[rejected], np.full(rejected.sum(), 4.5), "x", color=RED, label="rejected")
    for bound in (-3.0, 3.0):
        axes.axhline(bound, color=BLACK, linewidth=0.8, linestyle=":")
    axes.set_ylim(-5.5, 5.5)
