"""The Falcon filter as a part of a scenario: accuracy, resumed runs, events, refused options."""

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import remora
from remora.run.checkpoint import load_checkpoint, resumed_loop, save_checkpoint
from remora.run.loop.loop import Loop
from remora.scenarios import ScenarioError, read_scenario
from remora_evidence.studies.control.station_keeping import REGULATED, falcon_station

pytestmark = [pytest.mark.xdist_group("falcon_filter"), pytest.mark.timeout(600)]

BOATHOUSE = (files("remora.scenarios") / "presets" / "falcon_boathouse.yaml").read_text(encoding="utf-8")
FILTER = next(line.strip() for line in BOATHOUSE.splitlines() if "part: filter" in line)


def written(tmp_path: Path, options: str = "") -> Path:
    """The scenario of the boathouse with the filter for navigation."""
    text = BOATHOUSE.replace(FILTER, f"navigation: {{part: falcon_filter, rate: 20 Hz{options}}}")
    file = tmp_path / "boathouse.yaml"
    file.write_text(text.replace("duration: 150 s", "duration: 6 s"), encoding="utf-8")
    return file


@pytest.mark.parametrize("options", ["", ", preset: tuned"])
def test_a_vehicle_flies_by_the_filter(options: str, tmp_path: Path) -> None:
    log = remora.simulate(written(tmp_path, options), duration=20.0, progress=False)
    truth, found = log["rov/truth"].to_pandas(), log["rov/estimate"].to_pandas()
    columns = ["p_NB_x", "p_NB_y", "p_NB_z"]
    errors = (found[columns] - truth[columns]).dropna().to_numpy()
    settled = errors[len(errors) // 4 :]
    assert len(settled) > 100
    assert np.linalg.norm(settled, axis=1).mean() < 0.1
    assert any(event.text.startswith("range to station") for event in log.events)


def test_an_oscillating_force_is_found_with_its_period() -> None:
    """Sinusoids of 20 N that the filter knows within a factor of three of their period only."""
    setup = falcon_station(100, REGULATED, "dynamic").setup
    loop, errors = Loop(setup), []
    wrenches = setup.vehicles[0].disturbances[:2]
    for step in range(3000, 4001, 5):
        loop.advance(step)
        estimate, state = loop.vehicles[0].estimate, loop.vehicles[0].state
        assert estimate is not None
        errors.append([estimate.force_B[i] - wrenches[i](step * setup.step_ns, state)[i] for i in (0, 1)])
    assert np.sqrt(np.mean(np.square(errors), axis=0)).max() < 0.4 * 20.0 / np.sqrt(2.0)


def test_a_resumed_run_is_the_same_to_the_bit(tmp_path: Path) -> None:
    setup = read_scenario(written(tmp_path))
    whole = Loop(setup)
    whole.advance(whole.steps)
    cut = Loop(setup)
    cut.advance(251)
    save_checkpoint(tmp_path / "checkpoint", cut)
    resumed = resumed_loop(setup, load_checkpoint(tmp_path / "checkpoint", setup), None, None)
    resumed.advance(resumed.steps)
    assert np.array_equal(whole.vehicles[0].state, resumed.vehicles[0].state)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (", preset: printed", "-0.115"),
        (", preset: tund", "tuned"),
        (", preset: tuned, effectiveness: true", "default"),
        (", oscillating_force: 14 N", "shortest and longest period"),
        (", oscillation_periods: [5 s, 20 s]", "needs its size"),
        (", oscillating_force: 14 N, oscillation_periods: [20 s, 5 s]", "at least 1.1 times the first"),
        (
            ", oscillating_force: 14 N, oscillation_periods: [5 s, 20 s], effectiveness: true",
            "effectiveness of thrusters",
        ),
        (", preset: tuned, oscillating_force: 14 N, oscillation_periods: [5 s, 20 s]", "preset default only"),
    ],
)
def test_impossible_options_are_refused(options: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=message):
        read_scenario(written(tmp_path, options))
