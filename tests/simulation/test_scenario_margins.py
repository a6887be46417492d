"""Margins of the loop of a scenario: linearised software and plant."""

import io
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from remora.cli import main
from remora.control.tuning.chain_linearisation import linearised_chain
from remora.control.tuning.loop_margins import STABLE, SampledLoop
from remora.files.problems import InputError
from remora.kernels.plant import Plant
from remora.report.control.margins_figure import margins_figure
from remora.report.control.margins_summary import print_margins
from remora.simulation.scenarios.load_context import ScenarioError
from remora.simulation.scenarios.scenario import Scenario, load_scenario, make_scenario
from remora.simulation.stability.scenario_loop import loop_of
from remora.simulation.stability.scenario_margins import _operating_point, scenario_margins


def holding(control: dict[str, object], rate: int = 20, current: tuple[float, ...] = (0.0, 0.0, 0.0)) -> Scenario:
    points = [{"position": [0, 0, 5], "heading": 0, "stay": "5 s"}]
    return make_scenario(
        name="hold",
        duration="20 s",
        water={"current": list(current)},
        vehicles=[
            {
                "name": "rov",
                "file": "bluerov2_heavy",
                "position": [0, 0, 5],
                "navigation": {"part": "truth", "rate": f"{rate} Hz"},
                "guidance": {"part": "waypoints", "rate": "10 Hz", "speed": 0.2, "points": points},
                "control": {"part": "position", "rate": f"{rate} Hz", **control},
                "allocation": {"part": "bounded", "rate": f"{rate} Hz"},
            }
        ],
    )


def test_gain_margin_of_every_axis_is_where_that_axis_becomes_unstable() -> None:
    setup = holding({}, current=(0.2, -0.1, 0.0)).setup
    found = loop_of(setup, setup.vehicles[0])
    plant = Plant(setup.vehicles[0].nominal)
    point, state = _operating_point(found, plant, (0.2, -0.1, 0.0))
    software = linearised_chain(found.chain, state, found.start)
    loop = SampledLoop(software, found.actuation, found.timing)
    nominal = loop.margins(plant.packed, point)
    assert [axis.axis for axis in nominal.axes] == ["surge", "sway", "heave", "roll", "pitch", "yaw"]
    for i, axis in enumerate(nominal.axes):
        for factor, stable in ((0.97, True), (1.03, False)):
            scale = np.ones(6)
            scale[i] = factor * axis.margins.gain
            other = replace(loop, actuation=loop.actuation * scale)
            assert (other.margins(plant.packed, point, 10).radius < STABLE) is stable, axis.axis


def test_margins_do_not_depend_on_the_heading_of_the_start() -> None:
    scenario = holding({})
    turned = scenario.with_({"vehicles[0].angles": [0, 0, "63 deg"]})
    first, second = (scenario_margins(one.setup, draws=0).nominal for one in (scenario, turned))
    assert [a.margins.phase for a in first.axes] == pytest.approx([a.margins.phase for a in second.axes], rel=1e-3)


def test_parameters_within_30_percent_leave_the_default_gains_stable() -> None:
    report = scenario_margins(holding({}).setup, draws=20)
    assert report.unstable == 0
    assert min(draw.phase for draw in report.draws) < min(axis.margins.phase for axis in report.nominal.axes)
    stream = io.StringIO()
    print_margins(report, stream, 120)
    assert "20 vehicles with parameters within 30%: 0 unstable" in stream.getvalue()
    assert len(margins_figure(report).subfigs) == 2


def test_unstable_gains_are_refused_before_the_run_with_numbers() -> None:
    with pytest.raises(ScenarioError, match=r"make the surge loop unstable.*largest pole is 1\.\d+ per step"):
        holding({"velocity_gains": [60, 1, 1, 1]})


def test_a_loop_without_lag_margin_is_reported_with_what_to_change() -> None:
    """Late sensors destabilise gains that are stable with the truth; a run would diverge slowly."""
    sensors = {"attitude": "ahrs", "rates": "gyro", "velocity": "dvl", "depth": "depth"}
    report = scenario_margins(load_scenario("bluerov_square").with_({
        "vehicles[0].navigation": {"part": "instruments", "rate": "50 Hz", **sensors},
        "vehicles[0].control[0].velocity_gains": [9, 9, 9, 9],
    }).setup, draws=2)  # fmt: skip
    assert not report.nominal.is_stable
    assert 0.0 < report.stable_share < 1.0
    stream = io.StringIO()
    print_margins(report, stream, 200)
    assert "UNSTABLE: largest pole 1." in stream.getvalue()
    assert "Multiply the gains by at most" in stream.getvalue()


def test_lyapunov_guidance_closes_the_position_loop() -> None:
    scenario = holding({}).with_(
        {
            "vehicles[0].guidance": {"part": "lyapunov", "rate": "20 Hz", "mission": [
                {"do": "go_to", "position": [0, 0, 5], "heading": 0}]},
            "vehicles[0].control": {"part": "pid", "rate": "20 Hz"},
        }
    )  # fmt: skip
    report = scenario_margins(scenario.setup, draws=0)
    assert report.nominal.radius < 1.0  # velocity control alone would leave the position at 1


@pytest.mark.parametrize("name", ["tunnel", "remus_dive"])
def test_loops_that_cannot_be_linearised_at_rest_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="are not computed"):
        scenario_margins(load_scenario(name).setup, draws=0)


def test_commands_print_gains_and_margins(tmp_path: object) -> None:
    runner = CliRunner()
    tuned = runner.invoke(main, ["tune", "bluerov2_heavy", "--bandwidth", "1.5"])
    assert tuned.exit_code == 0
    assert "velocity_gains: [" in tuned.output
    assert runner.invoke(main, ["tune", "remus100"]).exit_code == 2
    assert "velocity_gains: [" in runner.invoke(main, ["tune", "docked_pair", "--bandwidth", "1"]).output
    assert runner.invoke(main, ["tune", "ring_of_six"]).exit_code == 2  # it has joints
    judged = runner.invoke(main, ["margins", "falcon_boathouse", "--draws", "5", "--out", f"{tmp_path}/m.png"])
    assert judged.exit_code == 0
    assert "picture:" in judged.output
