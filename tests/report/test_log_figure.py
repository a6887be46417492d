"""The overview of a log shows what the log holds, with units, whoever wrote it and however long it is."""

import math
from dataclasses import replace

import numpy as np
import pytest

from loop_logs import STEP_NS, THRUSTERS, TUNNEL, truth_at, write_run
from remora.cli.errors import with_options
from remora.logs import Channel, Field, LogError, LogWriter, RunHeader, read_csv_log, read_log, to_csv
from remora.report.drawing import write_picture
from remora.report.logs.curve_reader import MOST_ROWS, PlotWindow
from remora.report.logs.figure import channels_figure, log_figure
from remora.run.run_description import run_header
from remora.scenarios import read_scenario
from remora.world.ground.beds import FlatBed, ProfileBed
from remora.world.ground.obstacles import Ball, Box, Pipe
from remora.world.scene import Scene


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("run") / "two.mcap")


@pytest.fixture(scope="module")
def picture(run):
    return log_figure(run)


def all_axes(figure):
    """Every axes of a figure, also those of its parts, in the order they were made."""
    return figure.get_axes()


def nested(figure):
    return [inner for part in figure.subfigs for inner in [part, *nested(part)]]


def by_label(figure, start):
    return next(axes for axes in all_axes(figure) if axes.get_ylabel().replace("\n", " ").startswith(start))


def line(axes, label):
    return next(each for each in axes.lines if each.get_label() == label)


def truth(vehicle, steps=800):
    return np.array([truth_at(vehicle, k * STEP_NS * 1e-9) for k in range(steps)])


def test_every_panel_has_a_unit_and_the_number_of_panels_is_bounded(picture):
    axes = all_axes(picture.figure)
    assert 10 <= len(axes) <= 16
    assert all("[" in each.get_ylabel() for each in axes)
    assert sum(each.get_xlabel() == "time [s]" for each in axes) == 3
    assert not picture.problems
    assert "two.mcap" in picture.figure.get_suptitle()
    assert "seed 7" in picture.figure.get_suptitle()


def test_the_plan_shows_both_paths_with_start_end_and_walls(picture):
    plan = by_label(picture.figure, "north")
    assert plan.get_xlabel() == "east [m]"
    for vehicle in ("alpha", "beta"):
        drawn, known = line(plan, f"{vehicle} truth"), truth(vehicle)
        assert np.array_equal(drawn.get_xdata(), known[:, 1])
        assert np.array_equal(drawn.get_ydata(), known[:, 0])
        assert line(plan, f"{vehicle} estimate").get_color() == drawn.get_color()
    assert line(plan, "alpha truth").get_color() != line(plan, "beta truth").get_color()
    assert (line(plan, "start").get_xdata()[0], line(plan, "start").get_ydata()[0]) == tuple(truth("alpha")[0, 1::-1])
    assert line(plan, "end").get_ydata()[0] == truth("alpha")[-1, 0]
    walls = line(plan, "tunnel walls")
    assert abs(walls.get_xdata()[0]) == 0.5 * TUNNEL["width"]
    words = [text.get_text() for text in plan.get_legend().get_texts()]
    assert {"alpha truth", "beta reference", "start", "end"} <= set(words)


def test_depth_grows_downwards_and_is_laid_over_reference_and_estimate(picture):
    depth = by_label(picture.figure, "depth")
    low, high = depth.get_ylim()
    assert low > high
    assert np.array_equal(line(depth, "alpha truth").get_ydata(), truth("alpha")[:, 2])
    assert np.isnan(line(depth, "alpha estimate").get_ydata()[:10]).all()
    assert line(depth, "beta reference").get_ydata()[-1] == pytest.approx(5.0 + 0.05 * 39.95)


def test_angles_come_from_the_quaternion_without_jumps(picture):
    times = np.arange(800) * STEP_NS * 1e-9
    heading = line(by_label(picture.figure, "heading"), "alpha truth")
    assert np.allclose(heading.get_ydata(), np.degrees(0.4 * times))
    assert np.allclose(
        line(by_label(picture.figure, "roll"), "alpha truth").get_ydata(), np.degrees(0.05 * np.sin(times))
    )
    assert heading.get_ydata()[-1] > 720.0


def test_actuators_sensors_and_truth_beside_them(picture):
    outputs = by_label(picture.figure, "outputs")
    assert [each.get_label() for each in outputs.lines if each.get_label() in THRUSTERS] == list(THRUSTERS)
    assert "dotted: limited" in outputs.get_title(loc="left")
    dvl = by_label(picture.figure, "velocity")
    assert "20 of 200 without values" in dvl.get_title(loc="left")
    assert np.isnan(line(dvl, "velocity_x").get_ydata()).sum() == 20
    assert any(np.array_equal(each.get_ydata(), truth("alpha")[:, 8]) for each in dvl.lines)
    echoes = by_label(picture.figure, "distance")
    assert {"echo_port", "echo_starboard"} <= {each.get_label() for each in echoes.lines}


def test_a_compass_that_jumps_by_a_turn_lies_on_the_truth(run):
    heading = by_label(log_figure(run, "alpha").figure.subfigs[0].subfigs[2], "heading")
    seen, true = (each for each in heading.lines if len(each.get_xdata()) > 2)
    at = np.interp(seen.get_xdata(), true.get_xdata(), true.get_ydata())
    assert np.abs(seen.get_ydata() - at).max() < 2.0


def test_events_are_marked_and_told(picture):
    depth = by_label(picture.figure, "depth")
    marks = {each.get_xdata()[0] for each in depth.lines if len(each.get_xdata()) == 2}
    assert marks == {0.0, 25.0}
    words = [text.get_text() for part in nested(picture.figure) for text in part.texts]
    assert any("no bottom, 20 times until 38 s" in each for each in words)
    assert any("thruster stuck" in each for each in words)


def test_one_vehicle_and_some_seconds(run):
    picture = log_figure(run, "beta", PlotWindow(5.0, 8.0))
    plan = by_label(picture.figure, "north")
    assert np.array_equal(line(plan, "truth").get_ydata(), truth("beta")[100:161, 0])
    assert all("alpha" not in each.get_title(loc="left") for each in all_axes(picture.figure))
    assert by_label(picture.figure, "depth").get_xlim() == (5.0, 8.0)
    words = [text.get_text() for part in nested(picture.figure) for text in part.texts]
    assert not any("alpha" in each for each in words)


def test_channels_have_a_panel_for_each_unit(run):
    picture = channels_figure(run, ["alpha/wrench", "beta/power"])
    labels = [each.get_ylabel() for each in all_axes(picture.figure)]
    assert [label[label.index("[") :] for label in labels] == ["[N]", "[N m]", "[W]", "[V]", "[1]"]
    force = all_axes(picture.figure)[0]
    assert [each.get_label() for each in force.lines[:3]] == ["X", "Y", "Z"]
    assert force.get_title(loc="left") == "alpha/wrench"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda run: channels_figure(run, ["alpha/trth"]),
            'there is no channel "alpha/trth". Did you mean "alpha/truth"',
        ),
        (lambda run: log_figure(run, "alfa"), 'there is no vehicle "alfa". Did you mean "alpha"'),
        (
            lambda run: log_figure(run, window=PlotWindow(100.0)),
            "no values to draw from 100 s; the log goes from 0 to 39.95",
        ),
    ],
)
def test_what_is_not_there_is_said(run, call, words):
    with pytest.raises(LogError) as error:
        call(run)
    assert str(error.value).startswith(str(run))
    assert words in str(error.value)


def test_nothing_lies_on_top_of_something_else(picture):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(picture.figure)
    canvas.draw()
    boxes = [axes.get_tightbbox(canvas.get_renderer()) for axes in all_axes(picture.figure)]
    for i, box in enumerate(boxes):
        assert box.x0 >= 0
        assert box.x1 <= picture.figure.bbox.x1
        assert not any(box.overlaps(other) for other in boxes[:i])


def test_a_log_of_csv_files_gives_the_same_curves(run, picture, tmp_path):
    to_csv(read_log(run), tmp_path / "csv")
    for source in (tmp_path / "csv", read_csv_log(tmp_path / "csv")):
        again = log_figure(source).figure
        for here, there in zip(all_axes(again), all_axes(picture.figure), strict=True):
            assert here.get_ylabel() == there.get_ylabel()
            for a, b in zip(here.lines, there.lines, strict=True):
                assert np.allclose(a.get_xydata(), b.get_xydata(), rtol=1e-12, atol=1e-12, equal_nan=True)


def test_any_channels_make_a_picture(tmp_path):
    """A log that knows nothing of vehicles: whole numbers and truths too."""
    fields = (Field("level", "m"), Field("pumps", "1", kind="int"), Field("open", "1", kind="bool"))
    path = tmp_path / "tank.mcap"
    with LogWriter(path, RunHeader("0.1.0", 0), [Channel("tank", fields), Channel("never", fields[:1])]) as writer:
        for k in range(50):
            writer.write("tank", k * STEP_NS, (0.1 * k, k // 10, k > 20))
    figure = log_figure(path).figure
    assert [axes.get_ylabel() for axes in all_axes(figure)] == ["level [m]", "values [1]"]
    assert np.allclose(all_axes(figure)[0].lines[0].get_ydata(), 0.1 * np.arange(50))
    assert all(each.get_drawstyle() == "steps-post" for each in all_axes(figure)[1].lines)


def test_values_that_are_not_valid_are_gaps_but_the_state_is_shown(run):
    axes = {each.get_ylabel(): each for each in channels_figure(run, ["alpha/estimate"]).figure.get_axes()}
    assert np.isnan(line(axes["p_NB [m]"], "p_NB_x").get_ydata()).sum() == 10
    state = next(each for each in axes.values() if any(one.get_label() == "valid" for one in each.lines))
    assert line(state, "valid").get_ydata().tolist() == [0.0] * 10 + [1.0] * 790


def test_a_single_row_is_a_dot(tmp_path):
    path = tmp_path / "one.mcap"
    with LogWriter(path, RunHeader("0.1.0", 0), [Channel("tank", (Field("level", "m"),))]) as writer:
        writer.write("tank", STEP_NS, (2.0,))
    assert all_axes(log_figure(path).figure)[0].lines[0].get_marker() == "."
    write_picture(log_figure(path).figure, tmp_path / "one.png")


def test_a_plan_without_motion_has_a_size_and_equal_scales_without_a_message(tmp_path, caplog):
    """Matplotlib reported limits that it ignored for the equal scales."""
    path = tmp_path / "rest.mcap"
    pose = (Field("p_NB_x", "m"), Field("p_NB_y", "m"))
    with LogWriter(path, RunHeader("0.1.0", 0), [Channel("a/truth", pose)]) as writer:
        for k in range(3):
            writer.write("a/truth", k * STEP_NS, (5.0 + 1e-6 * k, -2.0))
    figure = log_figure(path).figure
    write_picture(figure, tmp_path / "rest.png")
    assert not caplog.records
    plan = by_label(figure, "north")
    assert min(np.ptp(plan.get_xlim()), np.ptp(plan.get_ylim())) >= 0.1
    assert np.mean(plan.get_ylim()) == pytest.approx(5.0, abs=1e-3)


def test_numbers_of_any_size_can_be_drawn(tmp_path):
    path = tmp_path / "huge.mcap"
    with LogWriter(
        path, RunHeader("0.1.0", 0), [Channel("a/truth", (Field("p_NB_x", "m"), Field("p_NB_y", "m")))]
    ) as w:
        for k, size in enumerate([0.0, 5e-324, -1e-300, 1e300, -1.7e308, 1.7e308]):
            w.write("a/truth", k * STEP_NS, (size, -size))
    write_picture(log_figure(path).figure, tmp_path / "huge.png")
    write_picture(channels_figure(path, ["a/truth"]).figure, tmp_path / "huge.png")


def test_a_tunnel_that_cannot_be_understood_is_remarked(tmp_path):
    for note in ("{", "[]", '{"section": "star", "width": 1, "height": 1}', '{"section": "round"}', "null"):
        path = write_run(tmp_path / "run.mcap", steps=5, vehicles=("alpha",), notes={"tunnel": note})
        picture = log_figure(path)
        assert any('the entry "tunnels" in the header cannot be understood' in words for words in picture.remarks)


@pytest.mark.parametrize("section", ["round", "horseshoe", "rectangle"])
def test_the_walls_turn_with_the_tunnel(tmp_path, section):
    note = f'{{"section": "{section}", "width": 6.0, "height": 8.0, "heading": {math.pi / 2}, "start": [1, 2, 3]}}'
    path = write_run(tmp_path / "run.mcap", steps=5, vehicles=("alpha",), notes={"tunnel": note})
    walls = line(by_label(log_figure(path).figure, "north"), "tunnel walls")
    assert np.allclose(np.abs(np.array(walls.get_ydata()) - 1.0), 3.0)
    assert np.allclose(sorted(walls.get_xdata()), [2.0, 6.0])  # from the start to 5 m ahead of the path, at -1 m


def test_many_vehicles_channels_fields_and_events_stay_drawable(tmp_path):
    pose = (Field("p_NB_x", "m"), Field("p_NB_y", "m"))
    fleet = [Channel(f"v{i}/truth", pose) for i in range(30)]
    wide = [Channel(f"v{i}/outputs", tuple(Field(f"cell_{j}", "N") for j in range(300))) for i in range(3)]
    path = tmp_path / "fleet.mcap"
    with LogWriter(path, RunHeader("0.1.0", 0), [*fleet, *wide]) as writer:
        for k in range(3):
            for channel in (*fleet, *wide):
                writer.write(channel.name, k * STEP_NS, [float(k)] * len(channel.fields))
            for j in range(1000):
                writer.event(k * STEP_NS, "x", "warning", f"words {j} {k}")
    picture = log_figure(path)
    assert len(all_axes(picture.figure)) < 16
    assert max(len(axes.lines) for axes in all_axes(picture.figure)) < 40
    assert "23 " not in picture.figure.get_suptitle()
    assert any("--vehicle NAME shows all of one" in words for words in with_options(picture.remarks))


def test_a_long_log_is_thinned_but_keeps_its_peaks(tmp_path):
    count = 60_000
    values = np.sin(1e-3 * np.arange(count))
    values[31_234] = 9.0
    path = tmp_path / "long.mcap"
    with LogWriter(path, RunHeader("0.1.0", 0), [Channel("tank", (Field("level", "m"),))]) as writer:
        writer.write_rows("tank", np.arange(count) * STEP_NS, values[:, None])
    drawn = all_axes(log_figure(path).figure)[0].lines[0]
    assert len(drawn.get_xdata()) <= MOST_ROWS
    assert drawn.get_ydata().max() == 9.0
    assert drawn.get_xdata()[np.argmax(drawn.get_ydata())] == pytest.approx(31_234 * STEP_NS * 1e-9)


def recorded(*obstacles, bed=None):
    """Header entries of a run between obstacles and above a bed, as the loop writes them."""
    shipped = read_scenario("open_sea")
    world = replace(shipped.environment, scene=Scene((), bed, obstacles))
    return {"scene": run_header(replace(shipped, environment=world)).scene, "notes": {}}


def test_obstacles_near_the_path_are_drawn_as_they_look_from_above(tmp_path):
    north, east, down = truth("alpha", 5)[0, :3]
    leaning = Pipe("mast", (north, east + 2.0, down), (north + 3.0, east + 2.0, down - 4.0), 0.5)
    things = (
        Box("crate", (north + 1.0, east, down), (2.0, 1.0, 1.0), heading=math.pi / 2),
        leaning,
        Ball("buoy", (north, east - 2.0, down), 0.75),
        Ball("island", (north + 500.0, east, down), 3.0),
    )
    path = write_run(tmp_path / "run.mcap", steps=5, vehicles=("alpha",), **recorded(*things))
    plan = by_label(log_figure(path).figure, "north")
    assert [text.get_text() for text in plan.texts] == ["crate", "mast", "buoy"]
    crate, mast, buoy = (patch.get_xy() for patch in plan.patches)  # east, north
    assert np.ptp(crate, axis=0) == pytest.approx([2.0, 1.0])
    # The ends of the pipe are discs across its axis, seen under the angle at which it rises.
    assert np.ptp(mast, axis=0) == pytest.approx([1.0, 3.0 + 2 * 0.5 * 4.0 / 5.0])
    assert np.ptp(buoy, axis=0) == pytest.approx([1.5, 1.5])


def test_the_bed_under_the_path_is_drawn_with_the_depth(tmp_path):
    known = truth("alpha")
    slope = ProfileBed((0.0, 10.0), (8.0, 9.0))
    path = write_run(tmp_path / "run.mcap", vehicles=("alpha",), **recorded(bed=slope))
    bed = line(by_label(log_figure(path).figure, "depth"), "bed")
    assert bed.get_ydata() == pytest.approx(8.0 + 0.1 * np.clip(known[:, 0], 0.0, 10.0))
    deep = write_run(tmp_path / "deep.mcap", vehicles=("alpha",), **recorded(bed=FlatBed(4000.0)))
    assert "bed" not in [each.get_label() for each in by_label(log_figure(deep).figure, "depth").lines]


@pytest.mark.parametrize("note", ["{", "7", '[{"shape": "cloud"}]', '[{"shape": "ball", "radius": -1}]'])
@pytest.mark.parametrize("name", ["obstacles", "bed"])
def test_things_that_cannot_be_understood_are_remarked(tmp_path, name, note):
    path = write_run(tmp_path / "run.mcap", steps=5, vehicles=("alpha",), notes={name: note})
    assert any(f'the entry "{name}" in the header cannot be understood' in words for words in log_figure(path).remarks)
