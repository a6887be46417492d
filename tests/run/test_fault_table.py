"""The table of faults and abuse of the design, as far as it is about runs: which row is tested where.

| Row | Tests |
|---|---|
| Sensor dropout, stuck, delayed, duplicated, out of order | test_sensor_faults |
| NaN or Inf from any component | parts: test_loop; sensors: test_sensor_faults; plant: plant/test_run_errors; a command's exit code, logs, water, wrenches from outside and tethers: here |
| Clock jump, negative or zero step | external clock: here and test_clock; clock of a sensor: test_sensor_faults; steps: here |
| Thruster or fin failure, reversed, partial, stuck; fault-tolerant allocation or not | test_actuator_faults |
| Flooding, lost ballast, snagged tether, current step | test_body_faults; a snag: test_tether_runs; a current step in water that varies: test_world_runs |
| Malformed YAML | test_scenario_faults, test_scenario_abuse, test_fault_lines, of the world and tethers test_world_abuse; a file that names itself, laughs and depth: here; vehicles/test_bad_input and vehicles/test_abuse for vehicle files |
| Interrupted run | Ctrl-C and stored runs: test_checkpoint, test_fault_lines, in the world test_world_resumed, cli/test_run (kill); a full disk: here and logs/test_log_writing |
| Two vehicles with the same name | test_loop; in a file: here |
| Two thousand random scenarios | fuzz/test_random_scenarios, `make fuzz` |
"""  # noqa: E501

import errno
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from remora.cli import main
from remora.logs import read_log
from remora.logs.problems import LogError
from remora.logs.writer import LogWriter
from remora.plant.methods import EULER
from remora.run.loop.loop import run
from remora.run.setup import Setup, SetupError
from remora.scenarios import ScenarioError, read_scenario, scenario_from_text
from remora.scenarios.builders.faults import FAULTS
from remora.world.water.local_water import CompositeCurrent, FlowField, LocalWater
from sample_runs import SECOND, sample_setup, sample_vehicle

pytestmark = pytest.mark.usefixtures("blank_pictures")

GARBAGE = """
name: garbage
duration: 1 s
vehicles:
  - name: rov
    file: bluerov2_heavy
    sensors: [{name: depth, kind: pressure, position: [0, 0, 0], rate: 10 Hz}]
    faults: [{fault: garbage, of: depth, at: 0.5 s}]
"""


def test_nan_of_a_sensor_ends_the_command_with_1_and_its_name(tmp_path: Path) -> None:
    (tmp_path / "garbage.yaml").write_text(GARBAGE)
    done = CliRunner().invoke(main, ["run", str(tmp_path / "garbage.yaml"), "--out", str(tmp_path / "log.mcap")])
    assert done.exit_code == 1
    assert "error: rov/depth: gave values that are no numbers" in done.output
    log = read_log(tmp_path / "log.mcap")
    event = next(e for e in log.events if e.level == "error")
    assert (event.time_ns, event.source, event.data) == (SECOND // 2, "rov/depth", {"channels": ["pressure"]})
    assert log["rov/truth"].time_ns[-1] == SECOND


def test_nan_that_a_sensor_is_given_stops_the_run_with_its_name(tmp_path: Path) -> None:
    """Truth is never NaN by itself; a sensor that is handed one refuses it, and so does the loop."""

    class Spoiled:
        def __init__(self, inner: Any) -> None:
            self.inner, self.description = inner, inner.description

        def initial(self) -> Any:
            return self.inner.initial()

        def step(self, state: Any, truth: Any, environment: Any, k: int) -> Any:
            bad = truth._replace(p_NB=(math.nan, 0.0, math.nan)) if k == 5 else truth
            return self.inner.step(state, bad, environment, k)

    vehicle = sample_vehicle()
    spoiled = replace(vehicle, sensors=tuple(map(Spoiled, vehicle.sensors)))
    outcome = run(sample_setup([spoiled], 2.0), tmp_path / "log")
    assert '"rov", sensor "' in outcome.stopped
    assert "not a number" in outcome.stopped
    log = read_log(tmp_path / "log")
    assert log.events[-1].level == "fatal"
    assert not np.isnan(log["rov/truth"].table()).any()


def test_a_vehicle_that_blows_up_is_named_and_the_log_is_readable(tmp_path: Path) -> None:
    """A Euler step of a second through strong drag: the speed is no number any more, which nobody hides."""
    text = """
name: boom
duration: 100 s
vehicles: [{name: rov, file: bluerov2_heavy}]
"""
    setup = scenario_from_text(text)  # one with this step is refused, and one with this start
    start = setup.vehicles[0].start.copy()
    start[7:13] = 30.0, 0.0, 0.0, 9.0, 9.0, 9.0
    setup = replace(setup, vehicles=(replace(setup.vehicles[0], start=start),), step_ns=SECOND, method=EULER)
    outcome = run(setup, tmp_path / "log")
    assert outcome.stopped.startswith('"rov": ')
    assert " at " in outcome.stopped
    log = read_log(tmp_path / "log")
    assert np.all(np.isfinite(log["rov/truth"].table()))
    assert log.events[-1].level == "fatal"


def test_an_external_clock_that_goes_back_stops_the_run_with_both_times(tmp_path: Path) -> None:
    outcome = run(sample_setup(duration=2.0), tmp_path / "log", clock=["10.0", "10.5", "10.2", "11"])
    assert outcome.stopped == "the clock went back from 10.500000000 s to 10.200000000 s"
    assert outcome.time_ns == SECOND // 2
    log = read_log(tmp_path / "log")
    assert log["rov/truth"].time_ns[-1] == SECOND // 2
    assert (log.events[-1].level, log.events[-1].text) == ("fatal", outcome.stopped)


def test_an_external_clock_that_gives_no_time_stops_the_run(tmp_path: Path) -> None:
    outcome = run(sample_setup(duration=2.0), tmp_path / "log", clock=["10.0", "10.5", "nan"])
    assert "give seconds as a finite number" in outcome.stopped
    assert read_log(tmp_path / "log").events[-1].level == "fatal"


def test_an_external_clock_that_leaps_takes_the_run_along_step_by_step(tmp_path: Path) -> None:
    run(sample_setup(duration=2.0), tmp_path / "leap", clock=["10.0", "10.1", "11.9", "12"])
    run(sample_setup(duration=2.0), tmp_path / "free")
    for channel in ("rov/truth", "rov/imu"):
        assert np.array_equal(*(read_log(tmp_path / name)[channel].table() for name in ("leap", "free")))


@pytest.mark.parametrize("step_ns", [0, -1])
def test_no_step_and_a_step_back_are_refused(step_ns: int) -> None:
    with pytest.raises(SetupError, match="give a positive step"):
        replace(sample_setup(), step_ns=step_ns)


@pytest.mark.parametrize("step", ["0 s", "-10 ms", ".nan", "8e8 s", "1 kg", "[1]"])
def test_a_wrong_step_of_a_file_is_refused(step: str) -> None:
    with pytest.raises(ScenarioError, match=r"my\.yaml:3: step"):
        scenario_from_text(f"name: t\nduration: 9e8 s\nstep: {step}\nvehicles: [{{name: a, file: falcon}}]", "my.yaml")


def test_a_scenario_that_names_itself_as_a_vehicle_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "self.yaml"
    file.write_text("name: t\nduration: 1 s\nvehicles: [{name: a, file: self.yaml}]\n")
    with pytest.raises(ScenarioError) as caught:
        read_scenario(file)
    assert "self.yaml:2: this is a scenario file, and a vehicle file is needed" in str(caught.value)
    assert "self.yaml:3: vehicles[0].file = self.yaml: this vehicle file has faults of its own" in str(caught.value)


def test_laughs_and_depths_are_refused_in_a_moment() -> None:
    levels = ["a0: &a0 [x, x]", *(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 10))]
    with pytest.raises(ScenarioError, match="anchors and aliases"):
        scenario_from_text("\n".join(levels))
    with pytest.raises(ScenarioError, match="nested too deeply"):  # parsed, it would take longer than any test may
        scenario_from_text("notes: " + "[" * 99_000 + "]" * 99_000)


def test_two_vehicles_of_one_name_in_a_file_are_refused() -> None:
    text = "name: t\nduration: 1 s\nvehicles:\n  - {name: a, file: falcon}\n  - {name: a, file: falcon}\n"
    with pytest.raises(ScenarioError, match=r"my.yaml:5: vehicles\[1\].name = a: another vehicle has this name"):
        scenario_from_text(text, "my.yaml")


def test_a_full_disk_stops_the_run_in_words_and_leaves_a_readable_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append, pieces = LogWriter._append, list[int]()

    def filling(self: LogWriter, data: bytes) -> None:
        pieces.append(len(data))
        if len(pieces) > 2:  # what the log is, and ten seconds of it
            raise self._failure(OSError(errno.ENOSPC, "No space left on device"))
        append(self, data)

    monkeypatch.setattr(LogWriter, "_append", filling)
    with pytest.raises(LogError, match=r"No space left on device\. What is in the file is readable up to"):
        run(sample_setup([sample_vehicle(sensors=())], 40.0), tmp_path / "log")
    log = read_log(tmp_path / "log")
    assert log["rov/truth"].time_ns[-1] > SECOND
    assert np.all(np.isfinite(log["rov/truth"].table()))


def told_by_a_spoiled_run(setup: Setup, folder: Path) -> str:
    """Why a run stopped that meets something that is no number; all that is logged until then are numbers."""
    outcome = run(setup, folder / "log")
    log = read_log(folder / "log")
    assert (log.events[-1].level, log.events[-1].text) == ("fatal", outcome.stopped)
    for vehicle in setup.vehicles:
        assert np.isfinite(log[f"{vehicle.name}/truth"].table()).all()
    return outcome.stopped


@pytest.mark.parametrize("names", [("rov",), ("rov", "other")])
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_wrench_that_is_no_number_stops_the_run(bad: float, names: tuple[str, ...], tmp_path: Path) -> None:
    def push(time_ns: int, state: Any) -> Any:
        return (bad if time_ns >= SECOND // 2 else 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    vehicles = [sample_vehicle(name, north=9.0 * k, sensors=()) for k, name in enumerate(names)]
    vehicles[0] = replace(vehicles[0], disturbances=(push,))
    words = told_by_a_spoiled_run(sample_setup(vehicles, 2.0), tmp_path)
    assert words.startswith('"rov": ')
    assert ", at 0.5" in words


@pytest.mark.parametrize("names", [("rov",), ("rov", "other")])
def test_water_that_is_no_number_stops_the_run(names: tuple[str, ...], tmp_path: Path) -> None:
    class Spoiled(FlowField):
        def at(self, time_ns: int, p_N: Any) -> LocalWater:
            return LocalWater((math.nan if time_ns >= SECOND // 2 else 0.1, 0.0, 0.0))

    vehicles = [sample_vehicle(name, north=9.0 * k, sensors=()) for k, name in enumerate(names)]
    setup = sample_setup(vehicles, 2.0)
    setup = replace(setup, environment=replace(setup.environment, water=CompositeCurrent((Spoiled(),))))
    words = told_by_a_spoiled_run(setup, tmp_path)
    assert words.startswith('"rov": the velocity of the water around it is not a number, at 0.45')


TORN = """
name: torn
duration: 2 s
vehicles:
  - name: rov
    file: bluerov2_heavy
    tethers:
      - {name: line, length: 5 m, diameter: 8 mm, weight_in_water: 0, stiffness: 20 kN, nodes: 5, far_end: [4 m, 0, 0],
         far_velocity: [1e9 m/s, 0, 0]}
"""


def test_a_tether_that_is_torn_beyond_all_numbers_stops_the_run(tmp_path: Path) -> None:
    words = told_by_a_spoiled_run(scenario_from_text(TORN), tmp_path)
    assert words.startswith('"rov": ')
    assert ", at 0" in words


def test_every_test_that_the_table_names_is_there() -> None:
    assert __doc__ is not None
    tests = Path(__file__).parents[1]
    for name in set(re.findall(r"(?:\w+/)?test_\w+", __doc__)):
        assert (tests / f"{name}.py").exists() or (tests / "run" / f"{name}.py").exists(), name


def test_every_fault_of_a_scenario_is_injected_by_some_test() -> None:
    """In a run and not only in a list of words: as a line of a scenario, or as a `Fault`."""
    folder = Path(__file__).parent
    texts = [file.read_text() for file in folder.glob("test_*.py") if file.name != Path(__file__).name]
    for word in FAULTS:
        injected = re.compile(rf"fault: {word}\b|Fault\(\"{word}\"|\"{word}\"")
        assert any(injected.search(text) for text in texts), word
