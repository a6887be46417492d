"""Scenarios are changed, made and saved in Python with the validation of a file."""

from pathlib import Path

import pytest

import remora

DRIFT = {"name": "drift", "duration": "2 s", "vehicles": [{"name": "rov", "file": "bluerov2_heavy"}]}


class Brake:
    """Linear velocity damping, as a part of a scenario."""

    def __init__(self, vehicle, period, gain):
        self.gain = gain

    def initial(self):
        return ()

    def step(self, state, now):
        return state, tuple(-self.gain * speed for speed in now.estimate.twist)


def braked(part: object) -> dict:
    entry = {
        "name": "rov",
        "file": "bluerov2_heavy",
        "velocity": ["1 m/s", 0, 0],
        "navigation": "truth",
        "control": {"part": part, "rate": "50 Hz", "gain": 20},
        "allocation": "pseudo_inverse",
    }
    return {"name": "brake", "duration": "2 s", "vehicles": [entry]}


def test_fields_change_at_the_top_in_the_water_and_of_the_only_vehicle() -> None:
    scenario = remora.load_scenario("dive_and_turn")
    changed = scenario.with_(seed=9, duration="3 s", bottom_depth="30 m", position=[0, 0, "2 m"])
    setup = changed.setup
    assert (setup.seed, setup.duration_ns) == (9, 3_000_000_000)
    assert setup.environment.scene.bed.depth_at(0.0, 0.0) == 30.0
    assert setup.vehicles[0].start[2] == 2.0
    assert scenario.setup.duration_ns == 60_000_000_000
    assert scenario.with_({"vehicles[0].guidance.depth": "4 m"}).setup.vehicles[0].parts[1].part.depth == 4.0


def test_comments_and_content_survive_saving(tmp_path: Path) -> None:
    scenario = remora.load_scenario("bluerov_square").with_(seed=3)
    scenario.save(tmp_path / "square.yaml")
    text = (tmp_path / "square.yaml").read_text()
    assert text.startswith("# A small ROV flies a square")
    assert remora.load_scenario(tmp_path / "square.yaml").setup.seed == 3


def test_a_vehicle_made_in_python_is_simulated_and_saved_beside_the_scenario(tmp_path: Path) -> None:
    heavy = remora.load_vehicle("bluerov2_heavy").with_(name="heavy", mass="13.8 kg")
    scenario = remora.make_scenario(**{**DRIFT, "vehicles": [{"name": "rov", "file": heavy}]})
    assert scenario.setup.vehicles[0].plant.vehicle.parameters.mass == 13.8
    scenario.save(tmp_path / "drift.yaml")
    assert remora.load_vehicle(tmp_path / "heavy.yaml") == heavy
    again = remora.load_scenario(tmp_path / "drift.yaml")
    assert again.setup.vehicles[0].plant.vehicle.parameters.mass == 13.8
    assert again.setup.vehicle_hashes == scenario.setup.vehicle_hashes
    other = remora.make_scenario(**{**DRIFT, "vehicles": [{"name": "rov", "file": heavy.with_(mass="13.9 kg")}]})
    with pytest.raises(remora.InputError, match="another vehicle file"):
        other.save(tmp_path / "drift.yaml")
    assert remora.load_vehicle(tmp_path / "heavy.yaml") == heavy


def test_two_vehicles_of_one_name_must_be_equal() -> None:
    one = remora.load_vehicle("bluerov2_heavy").with_(mass="13.8 kg")
    two = one.with_(mass="13.9 kg")
    entries = [{"name": "a", "file": one}, {"name": "b", "file": two}]
    with pytest.raises(remora.InputError, match="two different vehicles"):
        remora.make_scenario(**{**DRIFT, "vehicles": entries})


def test_the_vehicle_of_simulate_is_that_of_with(tmp_path: Path) -> None:
    heavy = remora.load_vehicle("bluerov2_heavy").with_(mass="13.8 kg")
    scenario = remora.make_scenario(**DRIFT)
    first = remora.simulate(scenario, vehicle=heavy)
    second = remora.simulate(scenario.with_(vehicle=heavy))
    assert (first["rov/truth"].table() == second["rov/truth"].table()).all()
    assert first["rov/truth"]["p_NB_z"][-1] > remora.simulate(scenario)["rov/truth"]["p_NB_z"][-1]


def test_a_class_is_a_part_and_acts_as_the_same_class_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "brake.py").write_text(
        "class Brake:\n    def __init__(self, vehicle, period, gain):\n        self.gain = gain\n"
        "    def initial(self):\n        return ()\n"
        "    def step(self, state, now):\n"
        "        return state, tuple(-self.gain * speed for speed in now.estimate.twist)\n"
    )
    in_python = remora.simulate(remora.make_scenario(**braked(Brake)))
    in_file = remora.simulate(remora.make_scenario(**braked(f"{tmp_path}/brake.py:Brake")))
    assert (in_python["rov/truth"].table() == in_file["rov/truth"].table()).all()
    assert in_python["rov/truth"]["v_NB_B_x"][-1] < 0.5


def test_a_class_without_a_name_of_its_module_is_refused() -> None:
    class Local(Brake):
        pass

    with pytest.raises(remora.InputError, match="top level"):
        remora.make_scenario(**braked(Local))
    with pytest.raises(remora.ScenarioError, match='cannot import the module "no_such_module"'):
        remora.make_scenario(**braked("no_such_module:Brake"))
    with pytest.raises(remora.ScenarioError, match='has no "Break"'):
        remora.make_scenario(**braked(f"{__name__}:Break"))


def test_a_class_of_the_running_program_is_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("__main__.Brake", Brake, raising=False)
    monkeypatch.setattr(Brake, "__module__", "__main__")
    scenario = remora.make_scenario(**braked(Brake))
    with pytest.raises(remora.InputError, match="running program"):
        scenario.save(tmp_path / "brake.yaml")
    assert list(tmp_path.iterdir()) == []


def test_files_that_a_moved_scenario_would_not_find_are_refused(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    remora.load_vehicle("bluerov2_heavy").save(tmp_path / "here" / "mine.yaml")
    text = "name: a\nduration: 1 s\nvehicles: [{name: rov, file: mine.yaml}]\n"
    (tmp_path / "here" / "run.yaml").write_text(text)
    scenario = remora.load_scenario(tmp_path / "here" / "run.yaml").with_(seed=2)
    with pytest.raises(remora.ScenarioError, match="no file"):
        scenario.save(tmp_path / "there" / "run.yaml")
    scenario.save(tmp_path / "here" / "again.yaml")


def test_a_scenario_shows_itself() -> None:
    scenario = remora.make_scenario(**DRIFT)
    assert repr(scenario) == "<Scenario drift: rov, 2 s>"
    assert "BlueROV2 Heavy ROV" in scenario._repr_html_()
