"""Replay of recorded inputs on linked bodies: exact on the model that was simulated, worse on another, and mistakes."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from remora.cli import main
from remora.identification.data.read_options import make_read_options
from remora.identification.linked_replay import read_linked_record, validate_linked
from remora.identification.problems import RecordError
from remora.identification.validation import make_replay_settings
from remora.logs import read_log
from remora.run.loop.loop import run
from remora.scenarios.reader import scenario_from_text
from remora.vehicles.morphologies import load_morphology
from remora.vehicles.names import DEGREES_OF_FREEDOM

MORPHOLOGY = """
name: hinged
title: Two spheres with thrusters on a rod, one of them on a hinge
source: test
modules:
  - {name: left, file: sphere_with_thruster, ports: {rod: {position: [0, 0.2 m, 0]}}}
  - {name: rod, rod: {length: 0.4 m, diameter: 3 cm, mass: 0.3 kg},
     ports: {near: {position: [-0.2 m, 0, 0]}, far: {position: [0.2 m, 0, 0]}}}
  - {name: right, file: sphere_with_thruster, ports: {rod: {position: [0, -0.2 m, 0]}}}
links:
  - {kind: rigid, between: [left/rod, rod/near]}
  - {kind: hinge, between: [rod/far, right/rod], angle: 10 deg}
"""
RUN = """
name: swing
duration: 6 s
log: {rate: 100 Hz}
vehicles:
  - name: robot
    file: hinged.yaml
    position: [3 m, -2 m, 5 m]
    modules:
      left: {commands: [{at: 0.5 s, set: {t200: 6 N}}, {at: 3 s, set: {t200: -4 N}}]}
      right: {commands: [{at: 1 s, set: {t200: 9 N}}]}
    links: {rod-right: {detach: 4 s}}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The morphology and a log of it."""
    path = tmp_path_factory.mktemp("linked")
    (path / "hinged.yaml").write_text(MORPHOLOGY)
    outcome = run(scenario_from_text(RUN, folder=path), path / "run.mcap")
    assert not outcome.stopped
    return path


def scores(folder: Path, text: str = MORPHOLOGY, **settings: float) -> dict[str, dict[str, float]]:
    """Root mean square errors by module and degree of freedom."""
    (folder / "model.yaml").write_text(text)
    model = load_morphology(folder / "model.yaml")
    record = read_linked_record(folder / "run.mcap", model, make_read_options(motion="truth"))
    parts = validate_linked(record, model, make_replay_settings(**settings))
    assert not any(part.before.problem for part in parts)
    names = [part.recorded.source.rpartition(", ")[2] for part in parts]
    errors = [{axis: one.rmse for axis, one in part.before.scores.items()} for part in parts]
    return dict(zip(names, errors, strict=True))


def test_the_simulated_model_repeats_its_run_before_and_after_a_link_ends(folder: Path) -> None:
    """Outputs are straight between rows: at most as wrong as a delay of half an interval."""
    found, log = scores(folder), read_log(folder / "run.mcap")
    assert list(found) == ["left", "rod", "right"]
    for name, errors in found.items():
        changes = np.abs(np.diff(log[f"robot/{name}/truth"].table()[:, 7:], axis=0)).max(axis=0)
        allowed = 0.5 * np.repeat([changes[:3].max(), changes[3:].max()], 3)
        assert np.all(np.array([errors[axis] for axis in DEGREES_OF_FREEDOM]) < allowed), name


def test_another_model_is_worse(folder: Path) -> None:
    exact = scores(folder)
    stiff = scores(folder, MORPHOLOGY.replace("kind: hinge", "kind: rigid").replace(", angle: 10 deg", ""))
    assert stiff["right"]["yaw"] > 100.0 * exact["right"]["yaw"]
    heavy = scores(folder, MORPHOLOGY.replace("name: right,", "name: right, interaction: {added_mass: 1.5},"))
    assert heavy["left"]["surge"] > 10.0 * exact["left"]["surge"]


def test_restarts_keep_the_error_small(folder: Path) -> None:
    heavy = MORPHOLOGY.replace("name: right,", "name: right, interaction: {added_mass: 1.5},")
    assert scores(folder, heavy, restart=0.5)["left"]["surge"] < 0.5 * scores(folder, heavy)["left"]["surge"]


def test_the_command_scores_every_module(folder: Path) -> None:
    arguments = ["validate", str(folder / "hinged.yaml"), str(folder / "run.mcap"), "--motion", "truth"]
    result = CliRunner().invoke(main, [*arguments, "--inputs", "commands"])
    assert result.exit_code == 0, result.output
    for module in ("left", "rod", "right"):
        assert f"run.mcap, {module}: 6 s in one piece, open loop" in result.output
    result = CliRunner().invoke(main, [*arguments, "--log-vehicle", "robt"])
    assert result.exit_code == 2
    assert 'has no robot "robt" with the modules of hinged. Did you mean "robot"?' in result.stderr


def test_a_log_without_the_modules_is_refused(folder: Path) -> None:
    other = load_morphology("two_bluerovs")
    with pytest.raises(RecordError, match="has no robot with the modules of two_bluerovs: channels ROBOT/bracket/"):
        read_linked_record(folder / "run.mcap", other, make_read_options(motion="truth"))
    with pytest.raises(RecordError, match="motion of sensors is that of one vehicle"):
        read_linked_record(folder / "run.mcap", other, make_read_options(motion={"surge": ("robot/dvl", "v_x")}))


def test_a_module_without_an_estimate_takes_its_truth(folder: Path) -> None:
    model = load_morphology(folder / "hinged.yaml")
    record = read_linked_record(folder / "run.mcap", model, make_read_options())
    assert record.notes[0] == "left has no estimate: its truth is used."
    assert np.isfinite(record.modules[1].twist).all()
