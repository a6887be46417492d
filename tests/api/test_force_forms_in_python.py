"""A `Form` of the program stands in a vehicle as one of a file does."""

import copy
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import remora
import sample_form
from remora.equations.hull.forms.form import Form
from sample_form import BULB

ENTRY = {"model": BULB, "place": [0.1, 0, "20 cm"], "drag": [5, 6, 7]}


def with_bulb(entry: dict = ENTRY) -> remora.Vehicle:
    return remora.load_vehicle("bluerov2_heavy").with_(forces=[entry])


def test_a_form_given_in_python_acts_as_the_same_form_of_a_file() -> None:
    named = with_bulb({**ENTRY, "model": f"{Path(sample_form.__file__).resolve()}:BULB"})
    given, other = (remora.Plant(vehicle) for vehicle in (with_bulb(), named))
    state = given.initial_state(twist=(0.5, 0.2, -0.1, 0.1, 0.0, 0.3))
    bare = remora.Plant(remora.load_vehicle("bluerov2_heavy"))
    assert np.array_equal(given.derivative(state), other.derivative(state))
    assert given.derivative(state)[7] < bare.derivative(state)[7]


def test_a_vehicle_with_such_a_form_is_changed_checked_copied_and_made(capsys: pytest.CaptureFixture[str]) -> None:
    vehicle = with_bulb()
    changed = vehicle.with_({"forces[0].drag[1]": 9, "forces[0].drag[2]": 8}, source="towed")
    assert changed.provenance["forces[0].drag"].value == (5.0, 9.0, 8.0)
    assert changed.check()
    assert "bulb" in capsys.readouterr().out
    assert pickle.loads(pickle.dumps(changed)).parameters == copy.deepcopy(changed).parameters == changed.parameters
    assert vehicle.with_({"forces[0]": None}).parameters.forces == ()


def test_a_form_without_a_name_is_refused_with_what_to_write() -> None:
    nameless = Form(*BULB)._replace(name="nameless")
    with pytest.raises(remora.InputError, match=r"forces\[0\]\.model: nameless has no name: write MY_FORM = register"):
        with_bulb({**ENTRY, "model": nameless})


def test_something_else_than_a_form_is_named() -> None:
    with pytest.raises(remora.VehicleFileError, match='sample_form has no Form "bulb_wrench"'):
        with_bulb({**ENTRY, "model": sample_form.bulb_wrench})
    with pytest.raises(remora.VehicleFileError, match='sample_form has no Form "Bulb"'):
        with_bulb({**ENTRY, "model": sample_form.Bulb})


def test_a_form_of_the_running_program_cannot_be_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["__main__"], "MINE", BULB, raising=False)
    vehicle = with_bulb({**ENTRY, "model": "__main__:MINE"})
    with pytest.raises(remora.InputError, match="a force or sensor is an object of the running program"):
        vehicle.save(tmp_path / "rov.yaml")
    scenario = remora.make_scenario(name="drift", duration="1 s", vehicles=[{"name": "rov", "file": vehicle}])
    with pytest.raises(remora.InputError, match="a force or sensor of a vehicle is an object of the running program"):
        scenario.save(tmp_path / "drift.yaml")


def test_a_module_without_the_form_is_named() -> None:
    with pytest.raises(remora.VehicleFileError, match=r'sample_form has no Form "BULP"\. It has BULB, KEPT'):
        with_bulb({**ENTRY, "model": "sample_form:BULP"})
    with pytest.raises(remora.VehicleFileError, match="cannot import no_such_module"):
        with_bulb({**ENTRY, "model": "no_such_module:BULB"})
