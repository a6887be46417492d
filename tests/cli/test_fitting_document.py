"""docs/fitting.md stays true: its commands print what is shown, its methods and options exist."""

import os
import re
import shlex
from pathlib import Path

from click.testing import CliRunner

from pages import code_blocks, page
from remora.cli import main
from remora.cli.commands.fit import fit
from remora.cli.commands.validate import validate
from remora.identification.methods import METHODS
from remora.identification.parameter_names import selected_parameters
from remora.vehicles import load_vehicle
from remora_evidence.studies.flatfish import recorded_mission as flatfish_real

TEXT = page("fitting.md")


def test_commands_print_what_the_page_shows(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    block = code_blocks(TEXT, "console")[0]
    printed: list[str] = []
    for line in block.splitlines():
        if line.startswith("$ remora "):
            done = CliRunner().invoke(main, shlex.split(line.removeprefix("$ remora ")))
            assert done.exit_code == 0, done.output
            printed = done.output.splitlines()
        else:
            assert line in printed
    assert os.listdir(tmp_path)


def test_every_option_and_method_is_there() -> None:
    options = {name for parameter in (*fit.params, *validate.params) for name in parameter.opts}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", TEXT)) - {"--data", "--duration", "--vehicle"}
    assert named <= options
    table = TEXT.split("| `--method` | |")[1].split("\n\n")[0]
    assert re.findall(r"^\| `([a-z-]+)`", table, re.MULTILINE) == list(METHODS)


def test_the_recorded_mission_is_fitted_as_the_study_does() -> None:
    """The command of the page asks for the same parameters, columns and parts as study flatfish-real."""
    written = re.search(r"remora fit flatfish_multidof mission_a.csv(.*?)\nremora", TEXT, re.DOTALL)[1]
    command = shlex.split(written.replace("\\\n", " "))
    options = dict(zip(command[::2], command[1::2], strict=True))
    vehicle = load_vehicle("flatfish_multidof")
    wanted = selected_parameters(options["--parameters"].split(","), [options["--hold"]], vehicle, flatfish_real.AXES)
    study = selected_parameters(flatfish_real.WANTED, flatfish_real.KNOWN, vehicle, flatfish_real.AXES)
    assert wanted == study
    numbers = [float(options[name]) for name in ("--gap", "--rate", "--settle", "--hold-out")]
    how = flatfish_real.HOW
    assert numbers == [flatfish_real.GAP, how.rate, how.settle, flatfish_real.HELD_OUT]
    columns = code_blocks(TEXT, "yaml")[1]
    assert dict(line.split(": ") for line in columns.splitlines()) == flatfish_real.COLUMNS
