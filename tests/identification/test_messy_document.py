"""docs/messy-logs.md stays true: its table is written, its commands run, and they print the numbers shown."""

import re
import shlex

import pytest
from click.testing import CliRunner

from pages import code_blocks, page, printed_by
from remora.cli import main
from remora.identification.parameters import parameter
from remora.vehicles import load_vehicle

TEXT = page("messy-logs.md")


def alike(shown: str, printed: str) -> bool:
    """The same words, and numbers that differ by no more than 1 % or one in the last digit shown."""
    words = shown.split(), printed.split()
    return len(words[0]) == len(words[1]) and all(_alike(*pair) for pair in zip(*words, strict=True))


def _alike(shown: str, printed: str) -> bool:
    if not re.fullmatch(r"-?[0-9.]+", shown):
        return shown == printed
    return float(printed) == pytest.approx(float(shown), rel=0.01, abs=1.1 * 10.0 ** -len(shown.partition(".")[2]))


def test_the_messy_table_is_fitted_as_the_page_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    vehicle, columns = code_blocks(TEXT, "yaml")
    (tmp_path / "my_rov.yaml").write_text(vehicle)
    (tmp_path / "columns.yaml").write_text(columns)
    printed_by(code_blocks(TEXT)[0], tmp_path)
    printed: list[str] = []
    for line in code_blocks(TEXT, "console")[0].splitlines():
        if line.startswith("$ remora "):
            done = CliRunner().invoke(main, shlex.split(line.removeprefix("$ remora ")))
            printed = done.output.splitlines()
            doubtful = any("intervals cannot be trusted" in line for line in printed)
            assert done.exit_code == (3 if doubtful else 0), done.output
        else:
            assert any(alike(line, one) for one in printed), (line, printed)


def test_parameters_that_the_page_advises_exist():
    vehicle = load_vehicle("bluerov2_heavy").parameters
    own = f".{vehicle.thruster_names[0]}."
    for given in re.findall(r"--parameters ([\w.]+(?:,[\w.]+)*)", TEXT):
        for name in given.split(","):
            assert name == "default" or parameter(name.replace(".NAME.", own), vehicle)
