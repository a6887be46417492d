"""User-defined sensors and controllers from a folder, from the file to the picture."""

import math
from pathlib import Path

import numpy as np
import pytest

from command_line import remora
from pages import code_blocks, page
from remora.logs import read_log
from remora.messages.reading import Status
from remora.scenarios import ScenarioError, read_scenario
from remora.vehicles.library import preset_path

TEXT = page("sensors.md").split("## User-defined sensors")[1].split("\n## ")[0]
SENSOR, SCENARIO = code_blocks(TEXT)[0], code_blocks(TEXT, "yaml")[0]
ENTRY = '{name: plume, kind: "plume.py:PlumeSensor", position: [0, 0, 0], rate: 5 Hz, parameters: %s, source: test}'


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The example of the page, run once."""
    place = tmp_path_factory.mktemp("plume")
    (place / "plume.py").write_text(SENSOR)
    (place / "run.yaml").write_text(SCENARIO)
    done = remora("run", place / "run.yaml", "--out", place / "run.mcap", "--seed", 4)
    assert (place / "run.mcap").exists(), done.output
    return place


def readings(folder: Path):
    """Times, status and values of the readings, and the values that its equation gives for the truth."""
    log = read_log(folder / "run.mcap")
    found, truth = log["rov/plume"], log["rov/truth"]
    rows = np.searchsorted(truth.time_ns, found.time_ns)
    position = truth.table("p_NB_x", "p_NB_y", "p_NB_z")[rows]
    assert (truth.time_ns[rows] == found.time_ns).all()
    distance = np.linalg.norm(position - np.array([5.0, 0.0, 5.0]), axis=1)
    return 1e-9 * found.time_ns, found["status"], found["concentration"], 2e-3 * np.exp(-((distance / 5.0) ** 2))


def test_the_example_has_the_size_that_the_page_promises():
    code = [line for line in SENSOR.splitlines() if line.strip() and "import" not in line and '"""' not in line]
    assert len(code) <= 15


def test_readings_are_the_equation_with_the_stated_noise_dropout_and_fault(folder):
    time, status, values, exact = readings(folder)
    assert exact.max() / exact.min() > 1.5  # the vehicle moves through the plume
    lost = status == Status.DROPPED
    assert len(values) == 600
    assert lost.mean() == pytest.approx(0.1, abs=4.0 * math.sqrt(0.1 * 0.9 / 600))
    assert np.isnan(values[lost]).all()
    for during, bias in ((time < 20.0, 0.0), (time >= 20.0, 1e-3)):
        error = (values - exact)[during & ~lost]
        assert error.mean() == pytest.approx(bias, abs=4.0 * 5e-5 / math.sqrt(len(error)))
        assert error.std() == pytest.approx(5e-5, rel=4.0 / math.sqrt(2.0 * len(error)))


def test_the_log_has_unit_and_latency_and_the_fault(folder):
    log = read_log(folder / "run.mcap")
    series = log["rov/plume"]
    assert series.field("concentration").unit == "kg/m3"
    assert series["latency"] == pytest.approx(0.1)
    assert any("plume" in event.text or "plume" in str(event.data) for event in log.events)


def test_the_same_seed_gives_the_same_log_and_another_seed_does_not(folder, tmp_path):
    remora("run", folder / "run.yaml", "--out", tmp_path / "again.mcap", "--seed", 4)
    remora("run", folder / "run.yaml", "--out", tmp_path / "other.mcap", "--seed", 5)
    assert (tmp_path / "again.mcap").read_bytes() == (folder / "run.mcap").read_bytes()
    assert (tmp_path / "other.mcap").read_bytes() != (folder / "run.mcap").read_bytes()


def test_the_log_can_be_drawn(folder, tmp_path):
    done = remora("plot", folder / "run.mcap", "--channel", "rov/plume", "--out", tmp_path / "plume.png")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "plume.png").stat().st_size > 10_000


def vehicle_file(folder: Path, parameters: str, kind: str = "plume.py:PlumeSensor") -> Path:
    text = preset_path("vita1").read_text()
    entry = (ENTRY % parameters).replace("plume.py:PlumeSensor", kind)
    file = folder / "vehicle" / "rov.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text.replace("\nsensors:\n", f"\nsensors:\n  - {entry}\n"))
    (file.parent / "plume.py").write_text(SENSOR)
    return file


def test_a_vehicle_file_may_name_it_relative_to_itself(tmp_path):
    vehicle_file(tmp_path, "{source: [5, 0, 5], std: 10 g/m3}")
    (tmp_path / "run.yaml").write_text(
        "name: carried\nduration: 1 s\nvehicles:\n  - {name: rov, file: vehicle/rov.yaml, position: [0, 0, 5 m],\n"
        "     sensors: [plume, {from: plume, name: second, rate: 10 Hz, parameters: {width: 2 m}}]}\n"
    )
    setup = read_scenario(tmp_path / "run.yaml")
    first, second = setup.vehicles[0].sensors
    assert (first.description.name, second.description.name) == ("rov/plume", "rov/second")
    assert (first.measurement.inner.width, second.measurement.inner.width) == (5.0, 2.0)


def test_check_accepts_the_vehicle_and_judges_its_parameters(tmp_path):
    done = remora("check", vehicle_file(tmp_path, "{source: [5, 0, 5], std: 10 g/m3}"))
    assert done.exit_code == 0, done.output
    assert "All invariants hold." in done.output
    assert "WARN" not in done.output
    done = remora("check", vehicle_file(tmp_path, "{source: [5, 0, 5], std: 10 cm}"))
    assert done.exit_code == 2
    assert 'parameters.std = 10 cm: the unit "cm" does not measure a density' in done.output
    limited = SENSOR.replace("    def __init__", '    errors = {"": ErrorRange(DENSITY, 0.02)}\n\n    def __init__')
    limited = "from remora.files.units import DENSITY\nfrom remora.sensors import ErrorRange\n" + limited
    file = vehicle_file(tmp_path, "{source: [5, 0, 5], std: 50 g/m3}")
    (file.parent / "plume.py").write_text(limited)
    done = remora("check", file)
    assert done.exit_code == 0, done.output
    assert "WARN sensors[0].parameters.std: no such sensor is off by more than 0.02 kg/m3" in done.output


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("plumes.py:PlumeSensor", "there is no file "),
        ("plume.py:PlumSensor", 'has no "PlumSensor" that can be called. Did you mean "PlumeSensor"?'),
        ("plume.py", "give the file and the name in it, e.g. my_file.py:MySensor."),
        ("plume.py:math", "that can be called"),
    ],
)
def test_a_kind_that_cannot_be_loaded_is_refused_at_its_line(tmp_path, kind, words):
    file = vehicle_file(tmp_path, "{source: [5, 0, 5]}", kind)
    done = remora("check", file)
    line = next(i for i, text in enumerate(file.read_text().splitlines(), 1) if kind in text)
    assert done.exit_code == 2
    assert done.output.count("\n") == 1
    assert f"rov.yaml:{line}: sensors[0].kind = {kind}: " in done.output
    assert words in done.output
    (tmp_path / "plume.py").write_text(SENSOR)
    (tmp_path / "run.yaml").write_text(SCENARIO.replace("plume.py:PlumeSensor", kind).split("    faults:")[0])
    with pytest.raises(ScenarioError) as caught:
        read_scenario(tmp_path / "run.yaml")
    (problem,) = caught.value.problems
    assert problem.field == "vehicles[0].sensors[0].kind"
    assert words in problem.message


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("math.dist(truth", "math.dust(truth", "plume.py:17 raised AttributeError"),
        ("/ self.width) ** 2)),)", "/ self.width) ** 2)), 1.0)", "found 2 values for 1 channels: concentration"),
        ("(self.strength * math.exp", "(math.nan * math.exp", "concentration is nan"),
        ("(self.strength * math.exp", '("much", math.exp', "found 2 values"),
        ("return Status.OK, (self.strength", "return (self.strength", "give a status and the values"),
    ],
)
def test_a_sensor_that_fails_stops_the_run_with_one_message(tmp_path, old, new, words):
    assert SENSOR.count(old) == 1
    (tmp_path / "plume.py").write_text(SENSOR.replace(old, new))
    (tmp_path / "run.yaml").write_text(SCENARIO.replace("duration: 30 s", "duration: 1 s").split("    faults:")[0])
    done = remora("run", tmp_path / "run.yaml", "--out", tmp_path / "run.mcap")
    assert done.exit_code not in (0, 3)
    told = [line for line in done.output.splitlines() if line.startswith("error: ")]
    assert len(told) == 1, done.output
    assert words in told[0]
    assert str(tmp_path / "plume.py") in told[0]
    assert "Traceback" not in done.output
