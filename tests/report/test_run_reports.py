"""The picture of the tunnel mission and the summary of any run, from logs."""

import numpy as np
import pytest
from sample_missions import CHANNELS as MISSION_CHANNELS, write_mission

from loop_logs import CHANNELS, STEP_NS, header, truth_at, write_run
from remora.logs import Channel, Field, LogError, LogWriter, RunHeader, read_log, to_csv
from remora.report.drawing import write_picture
from remora.report.simulations.mission_figure import mission_figure, run_picture
from remora.report.simulations.summary import _Motion, run_summary
from tunnel_oracle import fly

FLOWN = fly(10.0)


@pytest.fixture(scope="module")
def figure(tmp_path_factory):
    return mission_figure(write_mission(tmp_path_factory.mktemp("mission") / "run.mcap", FLOWN))


def axes_of(figure, start):
    return next(axes for axes in figure.get_axes() if axes.get_ylabel().startswith(start))


def line(axes, label):
    return next(each for each in axes.lines if each.get_label() == label)


def test_the_path_stands_in_the_tunnel(figure):
    for word, column in (("from the side", 2), ("from above", 1)):
        view = axes_of(figure, word)
        path = line(view, "path")
        assert path.get_xdata()[0] == FLOWN.states[0, 0]
        assert path.get_ydata()[0] == FLOWN.states[0, column]
        assert path.get_ydata()[-1] == FLOWN.states[-1, column]
        assert set(line(view, "walls").get_ydata()) == {4.0}
        low, high = view.get_ylim()
        assert low > 4.0 > -4.0 > high


def test_offsets_and_references_are_those_of_the_run(figure):
    starboard, port, up, down = FLOWN.readings.T
    axes = axes_of(figure, "difference of echosounders [m]")
    assert np.allclose(line(axes, "e_sw, port - starboard").get_ydata(), port - starboard)
    assert np.allclose(line(axes, "e_he, up - down").get_ydata(), up - down)
    assert np.allclose(line(axes, "asked").get_ydata(), [r.lateral for r in FLOWN.references])


def test_attitude_surge_and_thrusts_are_those_of_the_run(figure):
    heading = line(axes_of(figure, "attitude [deg]"), "heading")
    assert heading.get_ydata()[0] == pytest.approx(14.158, abs=0.2)
    surge = axes_of(figure, "surge [m/s]")
    assert line(surge, "surge").get_ydata()[-1] == FLOWN.states[-1, 7]
    assert line(surge, "asked").get_ydata()[-1] == pytest.approx(FLOWN.references[-1].surge)
    thrusts = axes_of(figure, "outputs of the thrusters [N]")
    assert len(thrusts.lines) == 8
    assert line(thrusts, "thruster_5").get_ydata()[-1] == FLOWN.outputs[-1, 4]
    assert all(axes.get_xlabel() for axes in figure.get_axes()[1:])


def test_a_mission_without_its_channels_is_refused(tmp_path):
    path = tmp_path / "run.mcap"
    write_mission(path, FLOWN._replace(states=FLOWN.states[:1], outputs=FLOWN.outputs[:1]), MISSION_CHANNELS[:3])
    with pytest.raises(LogError, match='no channel is called "VEHICLE/echo_starboard"'):
        mission_figure(path)
    write_mission(path, FLOWN._replace(states=FLOWN.states[:1], outputs=FLOWN.outputs[:1]), MISSION_CHANNELS[1:])
    with pytest.raises(LogError, match='it has no channel "vita1/truth"'):
        mission_figure(path)


def test_a_run_ends_with_the_picture_of_its_kind(run, tmp_path):
    assert run_picture(write_mission(tmp_path / "run.mcap", FLOWN)).get_suptitle().startswith("vita1 in a tunnel")
    without_truth = write_mission(tmp_path / "part.mcap", FLOWN, MISSION_CHANNELS[1:])
    for source in (run, without_truth):
        assert "in a tunnel" not in run_picture(source).get_suptitle()


def test_a_mission_of_one_row_without_references_is_drawn(tmp_path):
    channels = tuple(channel for channel in MISSION_CHANNELS if not channel.name.endswith("reference"))
    short = FLOWN._replace(states=FLOWN.states[:1], outputs=FLOWN.outputs[:1])
    write_picture(mission_figure(write_mission(tmp_path / "run.mcap", short, channels)), tmp_path / "run.png")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("run") / "run.mcap")


def test_the_summary_of_a_run(run):
    lines = run_summary(run)
    words = dict(lines)
    assert words["seed"] == "7"
    assert words["simulated"] == "39.95 s, from 0 to 39.95 s"
    assert [text for word, text in lines if word == "vehicle"] == ["alpha", "beta"]
    truth = np.array([truth_at("alpha", k * STEP_NS * 1e-9) for k in range(800)])
    distance = np.linalg.norm(np.diff(truth[:, :3], axis=0), axis=1).sum()
    speeds = np.linalg.norm(truth[:, 7:10], axis=1)
    motion = next(text for word, text in lines if word == "motion")
    assert motion == (
        f"{distance:.1f} m travelled, down to {truth[:, 2].max():.2f} m, "
        f"{speeds.mean():.2f} m/s on average, {speeds.max():.2f} m/s at most"
    )
    assert ("sensor", "dvl: 200 readings, 20 no lock") in lines
    assert ("sensor", "compass: 200 readings, all with values") in lines
    assert words["events"] == "1 info, 20 warning, 1 error"
    assert words["warning"] == "0 s  alpha/dvl: no bottom, 20 times until 38 s"
    assert words["error"] == "25 s  beta/front_port: thruster stuck"
    assert words["overruns"] == "none"


def test_the_share_of_limited_commands(run):
    log = read_log(run)
    asked, limited = log["alpha/commands"].table(), log["alpha/limited"].table()
    share = 100.0 * (asked != limited).any(axis=1).mean()
    assert 0.0 < share < 100.0
    assert ("saturation", f"{share:.1f} % of 800 commands were limited") in run_summary(run)


def test_pieces_files_and_memory_give_the_same_words(run, tmp_path):
    other = write_run(tmp_path / "other.mcap", chunk_bytes=700)
    to_csv(read_log(run), tmp_path / "csv")
    assert run_summary(run) == run_summary(other) == run_summary(read_log(run)) == run_summary(tmp_path / "csv")


def test_overruns_are_counted(tmp_path):
    path = tmp_path / "late.mcap"
    with LogWriter(path, header(), CHANNELS) as writer:
        for k in range(3):
            writer.event(k, "alpha/control", "warning", "overrun: 12 ms of 10 ms")
        writer.event(5, "alpha/guidance", "warning", "Overrun")
    assert dict(run_summary(path))["overruns"] == "4"


@pytest.mark.parametrize(
    ("sigma", "words"), [(0.2, "off by 0.5 m at the end (3 sigma 1.04 m)"), (None, "no standard deviation stated")]
)
def test_the_error_of_the_last_estimate_is_given_beside_its_own(tmp_path, sigma, words):
    path, places = tmp_path / "run.mcap", [Field(f"p_NB_{axis}", "m") for axis in "xyz"]
    speeds = [Field(f"v_NB_B_{axis}", "m/s") for axis in "xyz"]
    sigmas = [Field(f"sigma_p_N_{axis}", "m", optional=True) for axis in "xyz"]
    valid = Field("valid", "1", kind="bool")
    channels = [Channel("rov/truth", (*places, *speeds)), Channel("rov/estimate", (*places, *sigmas, valid))]
    with LogWriter(path, RunHeader("0.1.0", 0), channels) as writer:
        for k in range(10):
            writer.write("rov/truth", k * STEP_NS, (1.0, 2.0, 3.0, 0.0, 0.0, 0.0))
            error, stated = 0.05 * k + 0.05 * (k == 9), np.nan if sigma is None else sigma
            writer.write("rov/estimate", k * STEP_NS, (1.0 + error, 2.0, 3.0, stated, stated, stated, True))
        writer.write("rov/truth", 10 * STEP_NS, (1.0, 2.0, 3.0, 0.0, 0.0, 0.0))
    assert words in dict(run_summary(path))["estimate"]


def test_a_log_of_anything_has_a_summary(tmp_path):
    path = tmp_path / "tank.mcap"
    with LogWriter(path, RunHeader("0.1.0", 0), [Channel("tank", (Field("level", "m"),))]) as writer:
        writer.write("tank", STEP_NS, (1.0,))
    words = dict(run_summary(path))
    assert words["simulated"] == "0 s, from 0.05 to 0.05 s"
    assert "vehicle" not in words
    path.write_bytes(path.read_bytes()[:-100])
    assert dict(run_summary(path))["damaged"]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        ([0.0], ", of a single logged row"),
        ([0.0, 40.0, 80.0], ", of 3 logged rows 40 s apart"),
        ([0.0, 0.5, 1.0], "at most"),
    ],
)
def test_motion_of_few_logged_rows_is_called_so(seconds, words):
    """With `log: {rate: 0.001 Hz}` the average and the largest speed are those of the start."""
    stamps, rows = (1e9 * np.array(seconds)).astype(np.int64), len(seconds)
    assert _Motion().after(stamps, np.zeros((rows, 3)), np.ones(rows)).text().endswith(words)
