"""Definitions of sensor kinds: incomplete ones are refused, and every bundled one states all that is asked of it."""

import subprocess
import sys
from pathlib import Path

import pytest
from sensor_runs import readings, sensor

from remora.files.quantities import NumbersOrWords
from remora.files.registries import instances_in
from remora.files.units import LENGTH
from remora.sensors import (
    KINDS,
    ChannelGroup,
    ErrorRange,
    MeasuredQuantity,
    SensorComponents,
    SensorKind,
    SensorKindError,
    Status,
    Truth,
    Unchecked,
    UnknownKindError,
    find_kind,
    selected,
)
from remora.sensors.kind import check_groups
from remora.sensors.registry import NOT_MODELLED, by_name
from remora.vehicles import VehicleFileError, load_vehicle, vehicle_from_text
from remora.vehicles.library import preset_path

ECHO = ErrorRange(LENGTH, 5.0)
KIND_FILE = """
from remora.files.units import LENGTH
from remora.sensors import ErrorRange, KINDS, SensorKind

components = KINDS["echosounder"].components
LEAD_LINE = SensorKind("lead_line", components, %s)
"""


def components(sheet, mounting, stream):
    raise NotImplementedError


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"quantities": {}}, '"lead_line": errors is missing: give the plausible errors by the prefix'),
        ({"errors": {"": ECHO}}, '"lead_line": quantities is missing: give a MeasuredQuantity for each of attitude'),
        ({"errors": {"": 5.0}, "quantities": {}}, r'errors\[""\] = 5.0: give an ErrorRange above zero'),
        ({"errors": {"": ErrorRange(LENGTH, 0.0)}, "quantities": {}}, "give an ErrorRange above zero"),
        ({"errors": {"": Unchecked(" ")}, "quantities": {}}, "or Unchecked with a reason"),
        ({"errors": {"": ECHO}, "quantities": {"dept": MeasuredQuantity(selected(-1, -1, 0))}}, 'Did you mean "depth"'),
        ({"errors": {"": ECHO}, "quantities": {"depth": (0,)}}, r"quantities\[\"depth\"\] = \(0,\): give a Measured"),
    ],
)
def test_an_incomplete_kind_is_refused(given, message):
    with pytest.raises(SensorKindError, match=message):
        SensorKind("lead_line", components, **given)


@pytest.mark.parametrize(
    ("given", "words"),
    [("quantities={}", "errors is missing"), ('errors={"": ErrorRange(LENGTH, 5.0)}', "quantities is missing")],
)
def test_a_file_with_an_incomplete_kind_cannot_be_imported(tmp_path: Path, given: str, words: str) -> None:
    (tmp_path / "lead_line.py").write_text(KIND_FILE % given)
    command = [sys.executable, "-c", "import lead_line"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert words in done.stderr.splitlines()[-1]
    assert 'kind of sensor "lead_line"' in done.stderr.splitlines()[-1]


def test_a_complete_kind_is_found_in_a_new_file_of_a_package(tmp_path, monkeypatch):
    """The registry is derived from the files: nothing else names a kind."""
    folder = tmp_path / "more_kinds" / "depth"
    folder.mkdir(parents=True)
    for package in (folder, folder.parent):
        (package / "__init__.py").write_text("")
    (folder / "lead_line.py").write_text(KIND_FILE % 'errors={"": ErrorRange(LENGTH, 5.0)}, quantities={}')
    monkeypatch.syspath_prepend(tmp_path)
    assert [kind.name for kind in instances_in("more_kinds", SensorKind)] == ["lead_line"]


def test_a_package_that_cannot_be_imported_is_no_empty_package(tmp_path, monkeypatch):
    folder = tmp_path / "broken_kinds" / "inner"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("")
    (folder / "__init__.py").write_text("import nothing_such")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ImportError, match=r"nothing_such|broken_kinds\.inner"):
        instances_in("broken_kinds", SensorKind)


def test_two_kinds_of_one_name_are_refused():
    one = SensorKind("lead_line", components, {"": ECHO}, {})
    with pytest.raises(SensorKindError, match='"lead_line": is defined twice'):
        by_name((one, one))


def test_channels_without_a_range_for_their_errors_are_refused():
    kind = SensorKind("lead_line", components, {"": ECHO}, {})
    parts = SensorComponents(sensor("gyro").measurement, (ChannelGroup("angle_", 3),))
    with pytest.raises(SensorKindError, match=r'errors has no range for the prefix "angle_"\. Known here: ""'):
        check_groups(kind, parts)


def test_an_error_is_judged_by_the_prefix_of_its_own_group():
    """The range of the longest prefix was taken even where the parameter did not begin with it."""
    sonar = find_kind("profiling_sonar")
    assert sonar.parameter_fault("std", NumbersOrWords().read("1 cm")) is None
    assert "does not measure an angle" in sonar.parameter_fault("angle_std", NumbersOrWords().read("1 cm")).message
    assert "more than 5 m" in sonar.parameter_fault("std", NumbersOrWords().read(10)).message


@pytest.mark.parametrize("name", NOT_MODELLED)
def test_an_instrument_without_a_model_is_refused_with_the_reason(name):
    assert name not in KINDS
    with pytest.raises(UnknownKindError, match=f'no model of a "{name}": .*my_file.py:MySensor'):
        find_kind(name)


def test_an_unknown_kind_of_a_vehicle_file_is_refused_at_its_line_with_all_other_mistakes(tmp_path):
    text = preset_path("bluerov2_heavy").read_text()
    text = text.replace("kind: pressure", "kind: presure").replace("kind: gyro", "kind: modem")
    text = text.replace("mass: 13.5 kg", "mass: 13.5 lb")
    (tmp_path / "rov.yaml").write_text(text)
    with pytest.raises(VehicleFileError) as caught:
        load_vehicle(tmp_path / "rov.yaml", find_kind)
    found = {problem.field: problem for problem in caught.value.problems}
    lines = [number for number, line in enumerate(text.splitlines(), 1) if "kind: presure" in line]
    kinds = [problem for field, problem in found.items() if field.endswith(".kind")]
    assert len(caught.value.problems) == 3
    assert 'the unit "lb" is not known' in str(caught.value)
    assert [problem.line for problem in kinds if "presure" in problem.message] == lines
    assert 'there is no model of a "presure". Did you mean "pressure"?' in str(caught.value)
    assert 'there is no model of a "modem": acoustic communication is not simulated' in str(caught.value)


def test_without_kinds_a_vehicle_file_may_name_any():
    text = preset_path("bluerov2_heavy").read_text().replace("kind: pressure", "kind: of_tomorrow")
    assert "of_tomorrow" in {entry.kind for entry in vehicle_from_text(text).sensors}


def test_sound_velocity_is_that_of_the_water_and_none_in_air():
    made = sensor("sound_velocity", max_speed=1600.0)
    (wet,) = readings(made, 1)
    assert (wet.status, wet.values) == (Status.OK, (1500.0,))
    (dry,) = readings(made, 1, Truth(0, p_NB=(0.0, 0.0, -1.0)))
    assert dry.status == Status.NO_LOCK
    (fast,) = readings(sensor("sound_velocity", max_speed=1400.0), 1)
    assert fast.status == Status.OUT_OF_RANGE


@pytest.mark.parametrize("name", KINDS)
def test_every_bundled_kind_has_a_plausible_rate(name):
    rate = KINDS[name].max_rate
    assert rate is not None
    assert KINDS[name].rate_fault(rate) is None
    assert "samples faster than" in KINDS[name].rate_fault(1.1 * rate)
