"""docs/identification.md stays true: its code runs, its functions and parameters exist."""

import re
from importlib import import_module

import remora.identification
from pages import code_blocks, page, printed_by
from remora.identification import known_names
from remora.vehicles import load_vehicle

TEXT = page("identification.md")


def test_code_of_the_document_runs(tmp_path):
    printed = printed_by(code_blocks(TEXT)[0], tmp_path)
    assert "added_mass.surge" in printed
    assert "Score(mae=0.00" in printed


def test_functions_of_the_tables_exist():
    tables = TEXT.split("## Records")[1].split("## Estimators")[0]
    names = [n for line in tables.splitlines() if line.startswith("|") for n in re.findall(r"`(\w+)`", line)]
    assert len(names) > 12
    for name in names:
        assert callable(getattr(remora.identification, name)), name


def test_functions_of_the_theory_exist():
    for module, function in re.findall(r"`([\w.]+)\.(\w+)`", TEXT.split("## Theory")[1]):
        assert callable(getattr(import_module(f"remora.equations.{module}"), function)), function


def test_parameters_of_the_table_exist():
    table = TEXT.split("| Parameter | Means |")[1].split("\n\n")[0]
    known = known_names(load_vehicle("falcon").parameters)
    names = re.findall(r"`([a-z_]+\.[a-zA-Z_.]+)`", table)
    names.remove("forces.NAME.FIELD")  # of vehicles with listed forces, which the Falcon does not have
    assert len(names) > 9
    for name in names:
        assert name.replace("NAME", "vertical") in known, name
