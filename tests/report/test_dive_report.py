"""The picture and the words of a run."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from remora import Plant, load_vehicle
from remora.report.dive_figure import dive_figure, write_figure
from remora.report.summary import provenance, summary
from remora.simulation.dive_and_turn import dive_and_turn
from remora.simulation.recording import Recording, write_atomically, write_csv

RUN = dive_and_turn(Plant(load_vehicle("falcon")), seed=1)


def test_every_curve_has_a_label_with_its_unit() -> None:
    figure = dive_figure(RUN)
    axes = [axes for part in figure.subfigs for axes in part.axes]
    labels = [each.get_ylabel() for each in axes]
    assert len(axes) == 6
    assert all("[" in label for label in labels)
    assert "seed 1" in figure.get_suptitle()
    assert "falcon" in figure.get_suptitle()
    drawn = {line.get_label() for each in axes for line in each.lines}
    assert drawn >= {"depth", "heading", "roll", "pitch", "surge", "sway", "heave", "vertical", "front_port"}


def test_nothing_lies_on_top_of_something_else() -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = dive_figure(RUN)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    axes = [axes for part in figure.subfigs for axes in part.axes]
    boxes = [each.get_tightbbox(canvas.get_renderer()) for each in axes]
    for i, box in enumerate(boxes):
        assert box is not None
        assert box.x0 >= 0
        assert box.x1 <= figure.bbox.x1
        for other in boxes[:i]:
            assert not box.overlaps(other)


@pytest.mark.parametrize("name", ["bluerov2_heavy", "flatfish_gazebo"])
def test_long_names_stay_inside_the_picture(name: str) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = dive_figure(dive_and_turn(Plant(load_vehicle(name)), duration=5.0))
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    thrusters = figure.subfigs[0].axes[1]
    box = thrusters.get_legend().get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= figure.subfigs[0].bbox.x1
    assert thrusters.get_window_extent().width > 0.35 * figure.bbox.width


def test_the_same_run_gives_the_same_picture(tmp_path: Path) -> None:
    write_figure(RUN, tmp_path / "a.png")
    write_figure(RUN, tmp_path / "b.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_drawing_leaves_the_backend_of_the_user_alone(tmp_path: Path) -> None:
    program = f"""
import sys
from pathlib import Path
from remora import Plant, load_vehicle
from remora.report.dive_figure import write_figure
from remora.simulation.dive_and_turn import dive_and_turn
assert "matplotlib" not in sys.modules
write_figure(dive_and_turn(Plant(load_vehicle("falcon")), duration=0.5), Path({str(tmp_path / "a.png")!r}))
assert "matplotlib" in sys.modules and "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=100)


def test_the_summary_names_what_is_left_out_and_historical() -> None:
    plant = Plant(load_vehicle("falcon"), locked=("roll",), simplifications=("munk_off",))
    run = dive_and_turn(plant, duration=0.5)
    assert dict(summary(run, ()))["left out"] == "roll locked, munk_off"
    past = dive_and_turn(Plant(load_vehicle("flatfish_basin_ls")), duration=0.5)
    assert "negative quadratic damping" in dict(summary(past, ()))["historical"]
    assert "written" not in dict(summary(past, ()))


def test_the_summary_of_a_run_that_never_stepped() -> None:
    still = replace(RUN, recording=RUN.recording._replace(rows=RUN.recording.rows[:1]), plant_seconds=0.0)
    assert dict(summary(still, ()))["speed"] == "nothing stepped"


def test_a_log_reads_back_exactly(tmp_path: Path) -> None:
    write_csv(RUN.recording, tmp_path / "log.csv", provenance(RUN))
    read = np.loadtxt(tmp_path / "log.csv", delimiter=",", skiprows=2)
    assert np.array_equal(read, RUN.recording.rows)


def test_columns_by_name() -> None:
    recording = Recording(("time", "a", "b"), ("s", "m", "m"), np.arange(6.0).reshape(2, 3))
    assert recording.column("a").tolist() == [1.0, 4.0]
    assert recording.columns(("b", "time")).tolist() == [[2.0, 0.0], [5.0, 3.0]]


def test_a_failed_write_keeps_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")

    def fail(file: Path) -> None:
        file.write_text("half")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_atomically(target, fail)
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]
    assert target.read_text() == "old"
