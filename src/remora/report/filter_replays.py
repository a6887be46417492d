"""Replays of navigation filters: lines of a summary, estimates as a table, and a picture.

The picture has the estimates with three standard deviations, and the innovations of every sensor with their bounds.
"""

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.files.arrays import Array
from remora.messages.estimate import Estimate
from remora.navigation.filters import InnovationSeries
from remora.navigation.inertial.suite import excessive_biases
from remora.navigation.replays import (
    BANDS,
    AttainableAccuracy,
    ErrorOverDistance,
    FilterReplay,
    PartReplay,
    RecordedTruth,
    ReplayedInputs,
    ReplayedSensor,
)
from remora.report.drawing import BLACK, BLUE, COLOURS, RED, finish, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEADER = f"{'sensor':<12}{'readings':>9}{'used':>8}{'rejected':>9}{'NIS':>8}  {'95 % interval':<18}{'white':<9}health"
MOST_OUTAGES = 3  # that are listed for each sensor
MOST_WARNINGS = 8  # that are listed of a part
COLUMNS = (
    "time [s]", "north [m]", "east [m]", "down [m]", "roll [rad]", "pitch [rad]", "heading [rad]", "forward [m/s]",
    "starboard [m/s]", "downward [m/s]", "sigma north [m]", "sigma east [m]", "sigma down [m]", "sigma forward [m/s]",
    "sigma starboard [m/s]", "sigma downward [m/s]",
)  # fmt: skip
POSITIONS, SPEEDS = ("north", "east", "down"), ("forward", "starboard", "downward")


def replay_lines(found: FilterReplay) -> Iterator[str]:
    """The summary, line by line."""
    suite = found.made.suite
    blocks = ", ".join(block.name for block in suite.layout.blocks) or "no further states"
    yield f"filter      {suite.layout.states} states: position, velocity, attitude, {blocks}"
    yield f"inputs      {_input_text(found.inputs) if suite.inputs.driven_by else 'none: constant velocity'}"
    if suite.unused:
        yield f"not used    {', '.join(suite.unused)}"
    yield HEADER
    yield from map(_sensor_line, found.sensors)
    yield from _outage_lines(found)
    if doubt := excessive_biases(found.made.suite):
        yield f"warning     {doubt}"
    yield from _final_lines(found)
    yield from _error_lines(found)
    yield f"verdict     {found.verdict.name}"
    yield from (f"            {reason}" for reason in found.verdict.reasons)
    if found.verdict.name == "consistent":
        yield from _deviation_lines(found.sensors)


def _deviation_lines(sensors: Iterable[ReplayedSensor]) -> Iterator[str]:
    """Statistics outside their intervals that the verdict tolerates."""
    used = [one for one in sensors if one.used]
    outside = [one.name for one in used if not one.interval[0] <= one.mean_squared <= one.interval[1]]
    coloured = [one.name for one in used if one.whiteness is not None and not one.whiteness.is_white]
    if outside:
        yield f"            NIS outside its 95 % interval, within tolerance: {', '.join(outside)}"
    if coloured:
        yield f"            innovations not white, check lever arm and latency: {', '.join(coloured)}"


def _input_text(inputs: ReplayedInputs) -> str:
    """Name, readings and health at the end of the inertial unit."""
    is_lost = bool(inputs.outages) and inputs.outages[-1].is_last
    health = "good" if not is_lost else "frozen" if inputs.outages[-1].cause == "frozen" else "lost"
    return f"{inputs.name}, {inputs.readings} readings, health {health}"


def _sensor_line(one: ReplayedSensor) -> str:
    counts = f"{one.name:<12}{one.readings:>9}{one.used:>8}{one.rejected:>9}"
    white = "too few" if one.whiteness is None else "yes" if one.whiteness.is_white else "no"
    nis, interval = f"{'-':>8}", "-"
    if one.used:
        low, high = one.interval
        nis, interval = f"{one.mean_squared:>8.3g}", f"{low:.3g} to {high:.3g}"
    details = [f"{count} {reason}" for reason, count in one.refused.items()]
    details += [f"{one.masked} masked"] if one.masked else []
    return f"{counts}{nis}  {interval:<18}{white:<9}{one.health}" + (f" ({', '.join(details)})" if details else "")


def _outage_lines(found: FilterReplay) -> Iterator[str]:
    """Gaps, frozen and zero stretches of each sensor, the longest first."""
    named = [(found.inputs.name, found.inputs.outages), *((one.name, one.outages) for one in found.sensors)]
    for name, outages in named:
        if not outages:
            continue
        total = sum(outage.seconds for outage in outages)
        yield f"warning     outages of {name}: {len(outages)}, {total:.1f} s in all"
        for outage in sorted(outages, key=lambda outage: -outage.seconds)[:MOST_OUTAGES]:
            end = " until the end" if outage.is_last else ""
            yield f"            {outage.cause} for {outage.seconds:.1f} s from {1e-9 * outage.from_ns:.1f} s{end}"


def _final_lines(found: FilterReplay) -> Iterator[str]:
    yield _position_line(final_estimate(found))


def _position_line(last: Estimate) -> str:
    sigma = ", ".join(f"{one:.3g}" for one in last.sigma_p_N)
    place = ", ".join(f"{one:.3f}" for one in last.p_NB)
    return f"position    {place} m at {1e-9 * last.time_ns:.3f} s, standard deviations {sigma} m"


def _error_lines(found: FilterReplay) -> Iterator[str]:
    errors = found.errors
    if errors is None:
        yield "truth       none in the log"
        return
    last = math.sqrt(sum(one * one for one in errors.errors[-1, :3].tolist()))
    turn = math.degrees(errors.rms(6))
    compared = f"{len(errors.nees)} of {errors.estimates} estimates"
    compared += ", the truth interpolated between its samples" * errors.is_interpolated
    yield f"NEES        mean {errors.mean_nees:.3g} of {errors.errors.shape[1]}, at {compared}"
    yield f"errors      position {errors.rms(0):.3g} m rms, {last:.3g} m at the end"
    yield f"            velocity {errors.rms(3):.3g} m/s rms, attitude {turn:.3g} deg rms"
    yield from _distance_lines(found.travelled)


def _distance_lines(found: ErrorOverDistance | None) -> Iterator[str]:
    """The horizontal error in percent of the distance, of a vehicle that moved."""
    if found is not None and found.distance[-1] > 1.0:
        error, share = float(found.error[-1]), 100.0 * found.share
        yield f"            {share:.2g} % of the distance: {error:.3g} m after {float(found.distance[-1]):.4g} m"


def final_estimate(found: FilterReplay) -> Estimate:
    """The last estimate."""
    *_, last = found.estimates()
    return last


def part_lines(found: PartReplay) -> Iterator[str]:
    """The summary of a filter that runs as a part, line by line."""
    yield f"filter      {found.name}, {len(found.estimates)} estimates"
    warnings = [one for one in found.reports if one.report.level == "warning"]
    texts = list(dict.fromkeys(one.report.text for one in warnings))
    for text in texts[:MOST_WARNINGS]:
        times = [1e-9 * one.time_ns for one in warnings if one.report.text == text]
        more = f", {len(times)} times" if len(times) > 1 else ""
        yield f"warning     {text} (from {times[0]:.1f} s on{more})"
    if len(texts) > MOST_WARNINGS:
        yield f"            {len(texts) - MOST_WARNINGS} further warnings"
    last = found.estimates[-1]
    yield _position_line(last)
    if found.errors is None or found.nees is None:
        yield "truth       none in the log"
    else:
        sizes = [math.sqrt(sum(one * one for one in row)) for row in found.errors.tolist()]
        rms = math.sqrt(sum(one * one for one in sizes) / len(sizes))
        yield f"NEES        mean {float(found.nees.mean()):.3g} of 3, at {len(sizes)} times"
        yield f"errors      position {rms:.3g} m rms, {sizes[-1]:.3g} m at the end"
        yield from _distance_lines(found.travelled)
    yield f"verdict     {found.verdict.name}"
    yield from (f"            {reason}" for reason in found.verdict.reasons)


def accuracy_lines(found: AttainableAccuracy) -> Iterator[str]:
    """What the sensors allow, line by line."""
    last = math.sqrt(sum(one * one for one in found.bound.sigma[-1, :3].tolist()))
    path = "the true path" if found.along_truth else "the estimated path"
    yield f"bound       on {path}, no unbiased filter with these sensors has smaller errors than"
    yield f"            position {found.rms(0):.3g} m rms, {last:.3g} m at the end"
    yield f"            velocity {found.rms(3):.3g} m/s rms, attitude {math.degrees(found.rms(6)):.3g} deg rms"
    unseen = found.observed.unseen
    yield f"unobserved  {', '.join(unseen) if unseen else 'no state'}"


def estimates_table(estimates: Iterable[Estimate]) -> str:
    """Estimates of B with standard deviations as CSV."""
    rows = [",".join(COLUMNS)]
    for one in estimates:
        numbers = (*one.p_NB, *to_euler_zyx(one.q_NB), *one.twist[:3], *one.sigma_p_N, *one.sigma_v_B)
        rows.append(",".join([f"{1e-9 * one.time_ns:.9f}", *map(repr, numbers)]))
    return "\n".join(rows) + "\n"


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
