"""Bounds of an estimate in the picture of a log: they neither flatten the curves nor leave nameless entries."""

import numpy as np
import pytest

from remora.logs import Channel, Field, LogWriter, RunHeader
from remora.report.logs.figure import log_figure

NAMES = {"p_NB_x": "m", "p_NB_y": "m", "p_NB_z": "m", "v_NB_B_x": "m/s", "sigma_v_B_x": "m/s"}


def drawn(path, sigma_at_start):
    """Axes of the plan and of surge from -0.1 to 0.1 m/s, with a deviation that falls to 0.01 m/s."""
    channel = Channel("rov/estimate", tuple(Field(name, unit) for name, unit in NAMES.items()))
    with LogWriter(path, RunHeader("0.1.0", 0), [channel]) as writer:
        for k in range(101):
            sigma = sigma_at_start if k < 5 else 0.01
            writer.write("rov/estimate", k * 100_000_000, (0.1 * k, 0.0, 3.0, 0.1 * np.cos(0.1 * np.pi * k), sigma))
    axes = {one.get_ylabel().split()[0]: one for one in log_figure(path).figure.get_axes()}
    return axes["north"], axes["surge"]


@pytest.mark.parametrize(("sigma", "top"), [(2.0, 0.3), (0.05, 0.25)])
def test_bounds_enlarge_an_axis_to_three_times_the_span_of_its_curves_at_most(tmp_path, sigma, top):
    _, surge = drawn(tmp_path / "run.mcap", sigma)
    low, high = surge.dataLim.intervaly
    assert high == pytest.approx(top)
    shown_low, shown_high = surge.get_ylim()
    assert shown_high - shown_low == pytest.approx(1.2 * (high - low))  # margins
    assert shown_high - shown_low <= 1.2 * 3.0 * 0.2 + 1e-9
    upper = next(line for line in surge.lines if line.get_label() == "estimate, 3 sigma")
    assert upper.get_ydata()[0] == pytest.approx(0.1 + 3.0 * sigma)  # drawn as it is


def test_the_legend_of_the_path_names_every_entry(tmp_path):
    plan, _ = drawn(tmp_path / "run.mcap", 0.05)
    names = [text.get_text() for text in plan.get_legend().get_texts()]
    assert "estimate, 3 sigma" in names
    assert not any(name.startswith("_") for name in names)
