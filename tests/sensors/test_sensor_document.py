"""docs/sensors.md stays true: its code runs, its functions and parameters exist."""

import re

import pytest
from sensor_runs import sensor

from pages import code_blocks, page, printed_by
from remora.equations import instruments
from remora.sensors import GRADES, KINDS, SensorError
from remora.sensors.kinds.inertial import DEGREE_PER_HOUR, DEGREE_PER_ROOT_HOUR, MICRO_G

TEXT = page("sensors.md")


def rows(heading):
    """The cells of the first table below a heading."""
    lines = TEXT.split(f"## {heading}\n")[1].split("\n## ")[0].splitlines()
    table = [line for line in lines if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


def known_parameters(kind):
    """What a kind names when it is asked for a parameter that does not exist."""
    with pytest.raises(SensorError) as caught:
        sensor(kind, zzzzzz=1.0)
    return set(re.search(r"zzzzzz: unknown parameter. Known here: (.*)\.", str(caught.value))[1].split(", "))


def test_code_of_the_document_runs(tmp_path):
    printed = printed_by(code_blocks(TEXT)[0], tmp_path)
    assert printed.startswith("OK (0.4") or printed.startswith("OK (0.5")


def test_functions_of_the_theory_exist():
    for row in rows("Theory"):
        for name in re.findall(r"`(\w+)`", row[1]):
            assert callable(getattr(instruments, name)), name


def test_kinds_and_their_parameters_are_those_of_the_code():
    told = {}
    for kinds, _, parameters in rows("Kinds"):
        for kind in re.findall(r"`(\w+)`", kinds):
            told[kind] = parameters
    assert set(told) == set(KINDS)
    for kind, text in told.items():
        words = {word for word in re.findall(r"`(\w+)`", text) if not word.endswith("_")}
        assert words <= known_parameters(kind), (kind, words - known_parameters(kind))


def test_common_parameters_are_those_of_the_code():
    known = known_parameters("gyro")
    for row in rows("Errors that every kind may have"):
        for name in re.findall(r"`(\w+)`", row[0]):
            assert name in known, name


def test_grades_are_those_of_the_code():
    for name, *cells in rows("Inertial grades"):
        grade = GRADES[name]
        numbers = [float(part.replace(",", "")) for cell in cells for part in cell.split("/")]
        found = (
            grade.accelerometer_bias_std / MICRO_G, grade.accelerometer_bias_wander / MICRO_G,
            grade.accelerometer_random_walk / MICRO_G, grade.gyro_bias_std / DEGREE_PER_HOUR,
            grade.gyro_bias_wander / DEGREE_PER_HOUR, grade.gyro_random_walk / DEGREE_PER_ROOT_HOUR,
            grade.gyro_scale_std * 1e6, grade.gyro_misalignment,
        )  # fmt: skip
        assert numbers == pytest.approx(found), name
