"""Bad input to every public function of docs/python.md: one clear error each, never a traceback from the depths."""

from collections.abc import Callable
from functools import cache
from math import inf, nan
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest

import remora

TABLE: dict[str, list[tuple[str, Callable[[], object], str]]] = {}
DRIFT = {"name": "drift", "duration": "1 s", "vehicles": [{"name": "rov", "file": "bluerov2_heavy"}]}


def refused(name: str, message: str) -> Callable[[Callable[[], object]], None]:
    """A row of the table: the call must raise an error with this text."""

    def add(call: Callable[[], object]) -> None:
        TABLE.setdefault(name, []).append((name, call, message))

    return add


@cache
def log() -> remora.RunLog:
    return remora.simulate("dive_and_turn", duration=1)


@cache
def plant() -> remora.Plant:
    return remora.Plant(remora.load_vehicle("bluerov2_heavy"))


def rov() -> remora.Vehicle:
    return plant().vehicle


for bad, text in (
    (lambda: remora.simulate(5), "scenario is 5"),
    (lambda: remora.simulate("tunel"), 'Did you mean "tunnel"'),
    (lambda: remora.simulate("no/such.yaml"), "no such file"),
    (lambda: remora.simulate("tunnel", seed=-1), "seed is -1"),
    (lambda: remora.simulate("tunnel", seed=1.5), "seed is 1.5"),
    (lambda: remora.simulate("tunnel", seed="3"), "seed is '3'"),
    (lambda: remora.simulate("tunnel", seed=np.array([1.5])), "seed is array"),
    (lambda: remora.simulate("tunnel", duration=nan), "duration=nan: give a positive number"),
    (lambda: remora.simulate("tunnel", duration=-2), "duration=-2: give a positive number"),
    (lambda: remora.simulate("tunnel", duration="20 s"), "duration='20 s': give a positive number"),
    (lambda: remora.simulate("tunnel", vehicle=3), "vehicle is 3"),
    (lambda: remora.simulate("tunnel", vehicle="falcn"), 'Did you mean "falcon"'),
    (lambda: remora.simulate("two_vehicles", vehicle="falcon"), "this one has several"),
    (lambda: remora.simulate("tunnel", log="run.txt"), "give a file ending in .mcap"),
    (lambda: remora.simulate("tunnel", log=3), "path is 3"),
):
    refused("simulate", text)(bad)

for bad, text in (
    (lambda: remora.fit(3, log()), "vehicle is 3"),
    (lambda: remora.fit("falcn", log()), 'Did you mean "falcon"'),
    (lambda: remora.fit(rov(), 5), "logs is 5"),
    (lambda: remora.fit(rov(), []), "logs is []"),
    (lambda: remora.fit(rov(), [log(), 7]), "logs[1] is 7"),
    (lambda: remora.fit(rov(), "none.csv"), "there is no such file"),
    (lambda: remora.fit(rov(), log(), method="best"), 'there is no method "best"'),
    (lambda: remora.fit(rov(), log(), motion="truth", parameters="added_mass.surg"), "added_mass.surge"),
    (lambda: remora.fit(rov(), log(), motion="truth", parameters=3), "parameters is 3"),
    (lambda: remora.fit(rov(), log(), motion="truth", hold_out=nan), "hold_out=nan"),
    (lambda: remora.fit(rov(), log(), motion="truth", hold_out=2), "give a share in [0, 1)"),
    (lambda: remora.fit(rov(), log(), motion="truth", axes="surg"), 'Did you mean "surge"'),
    (lambda: remora.fit(rov(), log(), motion="truth", axes=[1]), "axes[0] is 1"),
    (lambda: remora.fit(rov(), log(), rate=nan), "rate=nan: give a positive number"),
    (lambda: remora.fit(rov(), log(), gap=-1), "gap=-1: give a positive number"),
    (lambda: remora.fit(rov(), log(), settle="1 s"), "settle='1 s': give zero or more"),
    (lambda: remora.fit(rov(), log(), inputs_late=inf), "inputs_late=inf: give a finite number"),
    (lambda: remora.fit(rov(), log(), columns=3), "columns is 3"),
    (lambda: remora.fit(rov(), log(), columns="none.yaml"), "no such file"),
    (lambda: remora.fit(rov(), log(), inputs="forces"), "inputs=forces: inputs are of another kind"),
    (lambda: remora.fit(rov(), log(), motion="trut"), 'Did you mean "truth"'),
    (lambda: remora.fit(rov(), log(), log_vehicle="auv"), 'has no vehicle "auv"'),
    (lambda: remora.fit(rov(), log(), salvag=True), 'Did you mean "salvage"'),
    (lambda: remora.fit(rov(), log(), motion="truth", validate=5), "validate is 5"),
):
    refused("fit", text)(bad)

for bad, text in (
    (lambda: remora.validate(3, log()), "vehicle is 3"),
    (lambda: remora.validate(rov(), np.zeros(3)), "logs is array"),
    (lambda: remora.validate(rov(), "none.mcap"), "there is no such file"),
    (lambda: remora.validate(rov(), log(), restart=0), "restart=0: give a positive number"),
    (lambda: remora.validate(rov(), log(), axes="surg"), 'Did you mean "surge"'),
    (lambda: remora.validate(rov(), log(), axes_convention="up"), "there are no such axes"),
):
    refused("validate", text)(bad)

for bad, text in (
    (lambda: remora.design(3), "vehicle is 3"),
    (lambda: remora.design(rov(), ["added_mass.surg"]), "added_mass.surge"),
    (lambda: remora.design(rov(), 3), "parameters is 3"),
    (lambda: remora.design(rov(), accuracy=nan), "accuracy is nan"),
    (lambda: remora.design(rov(), accuracy="5 %"), "accuracy is '5 %'"),
    (lambda: remora.design(rov(), accuracy=0), "accuracy is 0"),
    (lambda: remora.design(rov(), workspace=(10, 5)), "workspace is (10, 5)"),
    (lambda: remora.design(rov(), workspace=10), "workspace is 10"),
    (lambda: remora.design(rov(), workspace=(10, nan, 3)), "workspace is nan"),
    (lambda: remora.design(rov(), duration=nan), "duration is nan"),
    (lambda: remora.design(rov(), speed_noise=0), "noise of the speed is 0"),
    (lambda: remora.design("remus100"), "cannot hold its position"),
):
    refused("design", text)(bad)

for name, bad, text in (
    ("read_log", lambda: remora.read_log(3), "path is 3"),
    ("read_log", lambda: remora.read_log("none.mcap"), "none.mcap"),
    ("read_log", lambda: remora.read_log(Path(__file__)), Path(__file__).name),
    ("compare", lambda: remora.compare(3, log()), "first is 3"),
    ("compare", lambda: remora.compare(log(), None), "second is None"),
    ("compare", lambda: remora.compare(log(), log(), tolerance=nan), "tolerance=nan"),
    ("compare", lambda: remora.compare(log(), log(), tolerance=2.0), "tolerance"),
    ("compare", lambda: remora.compare(log(), "none.mcap"), "none.mcap"),
    ("load_vehicle", lambda: remora.load_vehicle(3), "path_or_preset_name is 3"),
    ("load_vehicle", lambda: remora.load_vehicle("falcn"), 'Did you mean "falcon"'),
    ("load_vehicle", lambda: remora.load_vehicle("none.yaml"), "no such file"),
    ("make_vehicle", lambda: remora.make_vehicle(), "name: is missing"),
    ("make_vehicle", lambda: remora.make_vehicle(name="a", bodi={}), 'Did you mean "body"'),
    ("make_vehicle", lambda: remora.make_vehicle(name="a", body={"mass": nan}), "body.mass = nan: expected a finite"),
    ("make_vehicle", lambda: remora.make_vehicle(name="a", body={"mass": object()}), "body.mass is <object"),
    ("make_vehicle", lambda: remora.make_vehicle(name="a", added_mass={"diagonal": [1, 2]}), "found a list of 2"),
    ("load_scenario", lambda: remora.load_scenario(3), "path_or_name is 3"),
    ("load_scenario", lambda: remora.load_scenario("tunel"), 'Did you mean "tunnel"'),
    ("make_scenario", lambda: remora.make_scenario(), "name: is missing"),
    ("make_scenario", lambda: remora.make_scenario(**DRIFT, vehicle="falcon"), 'Did you mean "vehicles"'),
    ("make_scenario", lambda: remora.make_scenario(**{**DRIFT, "duration": nan}), "duration = nan"),
    ("make_scenario", lambda: remora.make_scenario(**{**DRIFT, "seed": 1.5}), "seed = 1.5"),
    ("make_scenario", lambda: remora.make_scenario(**{**DRIFT, "vehicles": [3]}), "vehicles[0] = 3"),
    ("make_scenario", lambda: remora.make_scenario(**{**DRIFT, "notes": {1, 2}}), "notes is {1, 2}"),
    ("batch", lambda: remora.batch([], [], [], 0.1), "no vehicles"),
    ("batch", lambda: remora.batch([plant().packed], np.full((1, 21), nan), [np.zeros(8)], 0.1), "nan"),
    ("batch", lambda: remora.batch([plant().packed], np.zeros(5), [np.zeros(8)], 0.1), "has shape"),
    ("batch", lambda: remora.batch([plant().packed], [plant().initial_state()], [np.zeros(3)], 0.1), "has shape"),
    (
        "batch",
        lambda: remora.batch([plant().packed], [plant().initial_state()], [np.zeros(8)], nan),
        "time step is nan",
    ),
    ("BatchStepper", lambda: remora.BatchStepper([], [], 0.1), "no vehicles"),
    ("BatchStepper", lambda: remora.BatchStepper([plant().packed], np.full(21, nan), 0.1), "nan"),
    ("BatchStepper", lambda: remora.BatchStepper([plant().packed], np.zeros(5), 0.1), "has shape"),
    ("BatchStepper", lambda: remora.BatchStepper([plant().packed], plant().initial_state(), -1.0), "time step is -1"),
    ("record_from_arrays", lambda: remora.record_from_arrays("now", np.zeros((3, 6))), "time has shape"),
    ("record_from_arrays", lambda: remora.record_from_arrays([0, 1, nan], np.zeros((3, 6))), "no finite number"),
    ("record_from_arrays", lambda: remora.record_from_arrays([0, 1, 2], np.zeros((3, 5))), "has shape (3, 5)"),
    ("record_from_arrays", lambda: remora.record_from_arrays([0, 1, 2], [["x"] * 6] * 3), "no table of numbers"),
    ("inputs_of", lambda: remora.inputs_of("forces", np.zeros((3, 6))), "kind is 'forces'"),
    ("inputs_of", lambda: remora.inputs_of("wrench", "x"), "no table of numbers"),
    ("vehicles", lambda: remora.vehicles()["falcn"], 'Did you mean "falcon"'),
    ("scenarios", lambda: remora.scenarios()["tunel"], 'Did you mean "tunnel"'),
):
    refused(name, text)(bad)

for name, bad, text in (
    ("Vehicle.with_", lambda: rov().with_(mass=nan), "expected a finite number"),
    ("Vehicle.with_", lambda: rov().with_(mass=-1), "must be above zero"),
    ("Vehicle.with_", lambda: rov().with_(mass="14 lb"), 'the unit "lb" is not known'),
    ("Vehicle.with_", lambda: rov().with_(mas=14), 'Did you mean "mass"'),
    ("Vehicle.with_", lambda: rov().with_(mass=[1, 2]), "expected one number"),
    ("Vehicle.with_", lambda: rov().with_(added_mass=np.zeros((6, 5))), "expected a list of 6 numbers"),
    ("Vehicle.with_", lambda: rov().with_(added_mass=[-1, 1, 1, 1, 1, 1]), "added_mass"),
    ("Vehicle.with_", lambda: rov().with_(mass=object()), "body.mass is <object"),
    ("Vehicle.with_", lambda: rov().with_(3), "changes is 3"),
    ("Vehicle.with_", lambda: rov().with_({"thrusters[8].limits": [0, 1]}), "a list of 8"),
    ("Vehicle.with_", lambda: rov().with_({"body.mass.x.y": 1}), "body.mass is no mapping"),
    ("Vehicle.with_", lambda: rov().with_({"a..b": 1}), "is no field"),
    ("Vehicle.with_", lambda: rov().with_(net_buoyancy=0), "cannot be given beside volume"),
    ("Vehicle.save", lambda: rov().save("rov.txt"), "Give a file ending in .yaml"),
    ("Vehicle.save", lambda: rov().save(3), "path is 3"),
    ("Scenario.with_", lambda: remora.load_scenario("tunnel").with_(durration=1), 'Did you mean "duration"'),
    ("Scenario.with_", lambda: remora.load_scenario("tunnel").with_(duration=nan), "duration = nan"),
    ("Scenario.with_", lambda: remora.load_scenario("tunnel").with_(vehicle=3), "vehicle is 3"),
    ("Scenario.with_", lambda: remora.load_scenario("two_vehicles").with_(position=[0, 0, 1]), "has no field"),
    ("Scenario.with_", lambda: remora.load_scenario("tunnel").with_([]), "changes is []"),
    ("Scenario.save", lambda: remora.load_scenario("tunnel").save("tunnel.mcap"), "Give a file ending in .yaml"),
    ("RunLog.plot", lambda: log().plot("rov/trut"), 'Did you mean "rov/truth"'),
    ("RunLog.plot", lambda: log().plot(3), "channels is 3"),
    ("RunLog.plot", lambda: log().plot(vehicle="auv"), 'there is no vehicle "auv"'),
    ("RunLog.plot", lambda: log().plot(start=3, end=2), "no time between them"),
    ("RunLog.plot", lambda: log().plot(start=nan), "no time between them"),
    ("RunLog.plot", lambda: log().plot(start="now"), "give numbers of seconds"),
    ("RunLog.plot", lambda: log().plot("rov/truth", vehicle="rov"), "do not go together"),
    ("RunLog.save", lambda: log().save("log.csv"), "give a file ending in .mcap"),
    ("RunLog.chatter", lambda: log().chatter("auv"), 'there are no commands of "auv"'),
    ("RunLog.record", lambda: log().record("auv"), 'has no vehicle "auv"'),
    ("RunLog.record", lambda: log().record(motion=3), "motion=3"),
    ("RunLog.to_pandas", lambda: log().to_pandas("rov/trut"), 'Did you mean "rov/truth"'),
    ("Plot.save", lambda: log().plot().save("picture.svg"), "give a file ending in .png"),
    ("Plant", lambda: remora.Plant("falcon"), "vehicle is 'falcon'"),
    ("Plant.rollout", lambda: plant().rollout(np.zeros(3), np.zeros(8), 0.1), "state has shape (3,)"),
    ("Plant.initial_state", lambda: plant().initial_state(position=(0, 0, nan)), "position[2] is nan"),
):
    refused(name, text)(bad)

ROWS = [row for rows in TABLE.values() for row in rows]


@pytest.mark.parametrize(("name", "call", "message"), ROWS, ids=[f"{row[0]}: {row[2]}" for row in ROWS])
def test_bad_input_gives_one_clear_error(
    name: str, call: Callable[[], object], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((ValueError, KeyError)) as error:
        call()
    assert message in str(error.value)
    assert len(str(error.value)) < 1500
    assert list(tmp_path.iterdir()) == []


def test_every_function_of_the_page_is_in_the_table() -> None:
    functions = {name for name in remora.__all__ if isinstance(getattr(remora, name), FunctionType)}
    assert {*functions, "vehicles"} <= set(TABLE)
