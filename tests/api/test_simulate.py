"""`simulate` gives the log of `remora run`, its warnings and its failures; logs draw, convert and save themselves."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import remora
from remora.cli import main
from remora.logs import LogError

SINKS = """
name: sinks
duration: 30 s
step: 20 ms
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 1 m]
    angles: [170 deg, 0, 0]
"""


@pytest.fixture(scope="module")
def dive() -> remora.RunLog:
    return remora.simulate("remus_dive", duration=5, seed=3)


def test_the_log_is_that_of_the_command_byte_for_byte(dive: remora.RunLog, tmp_path: Path) -> None:
    words = ["run", "remus_dive", "--duration", "5", "--seed", "3", "--out", str(tmp_path / "command.mcap")]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert dive.data == (tmp_path / "command.mcap").read_bytes()
    written = remora.simulate("remus_dive", duration=5, seed=3, log=tmp_path / "python.mcap")
    assert (tmp_path / "python.mcap").read_bytes() == dive.data
    assert written.file == str(tmp_path / "python.mcap")


def test_a_scenario_can_be_run_again(dive: remora.RunLog) -> None:
    scenario = remora.load_scenario("remus_dive").with_(duration="5 s", seed=3, watch="off")
    assert remora.simulate(scenario).data == remora.simulate(scenario).data
    assert remora.simulate(scenario, seed=4).data != remora.simulate(scenario).data


def test_a_saved_log_reads_back_the_same(dive: remora.RunLog, tmp_path: Path) -> None:
    dive.save(tmp_path / "a" / "dive.mcap")
    again = remora.read_log(tmp_path / "a" / "dive.mcap")
    assert remora.compare(dive, again).same
    again.save(tmp_path / "copy.mcap")
    assert (tmp_path / "copy.mcap").read_bytes() == dive.data
    again.save(again.file)
    assert Path(again.file).read_bytes() == dive.data
    dive.to_csv(tmp_path / "tables")
    tables = remora.read_log(tmp_path / "tables")
    assert remora.compare(dive, tables).same
    with pytest.raises(LogError, match="MCAP"):
        tables.save(tmp_path / "other.mcap")
    (tmp_path / "copy.mcap").unlink()
    gone = remora.RunLog(dive.log, str(tmp_path / "copy.mcap"))
    with pytest.raises(LogError, match="not there any more"):
        gone.save(tmp_path / "other.mcap")


def test_a_log_is_read_by_channels(dive: remora.RunLog) -> None:
    assert dive.vehicle_names == ("auv",)
    assert "auv/truth" in dive
    assert list(dive) == list(dive.log.series)
    frame = dive["auv/truth"].to_pandas()
    assert np.array_equal(frame["p_NB_z"], dive["auv/truth"]["p_NB_z"])
    assert frame.attrs["units"]["p_NB_z"] == "m"
    assert set(dive.to_pandas()) == set(dive)
    with pytest.raises(LogError, match='Did you mean "auv/truth"'):
        dive["auv/trut"]


def test_a_record_holds_the_motion_of_the_log(dive: remora.RunLog) -> None:
    record = dive.record(motion="truth", inputs="commands")
    truth = dive["auv/truth"]
    assert np.array_equal(record.time_ns, truth.time_ns)
    assert np.array_equal(record.twist[:, 0], truth["v_NB_B_x"])
    assert record.inputs is not None
    assert record.inputs.kind == "commands"
    by_sensor = dive.record("auv", motion={"surge": ("auv/dvl", "velocity_x")})
    assert by_sensor.measured == ("surge",)


def test_plots_are_pictures_without_a_date(dive: remora.RunLog, tmp_path: Path) -> None:
    whole = dive.plot()
    assert whole._repr_png_().startswith(b"\x89PNG")
    whole.save(tmp_path / "whole.png")
    dive.plot().save(tmp_path / "again.png")
    assert (tmp_path / "whole.png").read_bytes() == (tmp_path / "again.png").read_bytes()
    assert len(dive.plot("auv/dvl").figure.get_axes()) < len(whole.figure.get_axes())
    assert dive.plot(vehicle="auv", start=1, end=3).figure.get_axes()[1].get_xlim() == pytest.approx(
        (1.0, 3.0), abs=0.2
    )


def test_warnings_of_the_run_are_python_warnings_and_a_field(tmp_path: Path) -> None:
    (tmp_path / "sinks.yaml").write_text(SINKS)
    with pytest.warns(remora.RunWarning, match="did not go as asked: rov") as caught:
        log = remora.simulate(tmp_path / "sinks.yaml")
    assert Path(caught[0].filename) == Path(__file__)
    assert any("upside down" in text for text in log.warnings)
    done = CliRunner().invoke(main, ["run", str(tmp_path / "sinks.yaml"), "--out", str(tmp_path / "log.mcap")])
    assert done.exit_code == 3
    assert remora.read_log(tmp_path / "log.mcap").warnings == log.warnings
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        quiet = remora.simulate(remora.load_scenario(tmp_path / "sinks.yaml").with_(watch="off"))
    assert quiet.warnings == ()


def test_an_implausible_vehicle_warns() -> None:
    heavy = remora.load_vehicle("bluerov2_heavy").with_(mass="20 kg")
    with pytest.warns(remora.RunWarning, match="body: the displaced water") as caught:
        remora.simulate("dive_and_turn", duration=0.5, vehicle=heavy)
    assert Path(caught[0].filename) == Path(__file__)


def test_notes_on_a_scenario_are_kept_with_the_log() -> None:
    drift = remora.make_scenario(
        name="early",
        duration="1 s",
        watch="off",
        vehicles=[{"name": "rov", "file": "bluerov2_heavy", "commands": [{"at": "5 s", "set": {"front_port": "1 N"}}]}],
    )
    log = remora.simulate(drift)
    assert "never begins" in log.notes[0]
    assert log.notes[0] in log.summary()


def test_a_failed_run_raises_and_holds_its_log() -> None:
    fast = remora.make_scenario(
        name="fast",
        duration="5 s",
        watch="off",
        vehicles=[
            {"name": "auv", "file": "flatfish_basin_ls", "disturbances": [{"kind": "constant", "force": [9000, 0, 0]}]}
        ],
    )
    with pytest.raises(remora.SimulationError, match="the run failed") as failed:
        remora.simulate(fast)
    truth = failed.value.log["auv/truth"]
    assert 0.0 < truth.time[-1] < 5.0


def test_nothing_is_printed_without_a_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    remora.simulate("dive_and_turn", duration=1)
    assert capfd.readouterr() == ("", "")
    remora.simulate("dive_and_turn", duration=1, progress=True)
    assert "Dive to 5 m" in capfd.readouterr().err


def test_a_log_shows_itself(dive: remora.RunLog) -> None:
    assert repr(dive) == f"<RunLog of auv: 5 s, {len(dive)} channels>"
    assert "<td>simulated</td>" in dive._repr_html_()
    assert "motion" in dive.summary()
