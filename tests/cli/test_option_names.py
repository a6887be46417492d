"""Library errors and warnings name fields; the command line names its options."""

import ast
import pickle
import re
from importlib import import_module
from pathlib import Path

import click
import pytest

import remora
from remora.cli.errors import OPTIONS, message_and_code, option, with_options
from remora.cli.group import COMMANDS
from remora.files.problems import Advice, Fix, InputError
from remora.identification import RecordError
from remora.identification.vehicle_file import NegativeDampingError

SOURCE = Path(remora.__file__).parent
FIX = Fix(
    "Bring it to one rate with {rate}, or give {gap}.", {"rate": "20", "gap": "2"}, {"rate": "`resampled(r, 0.05)`"}
)
RECORD = RecordError("mixes rates.", "pool.csv", 3, FIX, field="time", found="0.1 to 0.4", choices=("a", "b"))


def test_an_error_names_python_in_the_library_and_options_on_the_command_line():
    assert str(RECORD) == "pool.csv:3: mixes rates. Bring it to one rate with `resampled(r, 0.05)`, or give gap=2."
    ending = message_and_code(RECORD)
    assert ending is not None
    assert ending.message == "error: pool.csv:3: mixes rates. Bring it to one rate with --rate 20, or give --gap 2."


def test_a_warning_names_python_in_the_library_and_options_on_the_command_line():
    warning = Advice("Rows are not used.", FIX)
    assert warning == f"Rows are not used. {FIX}"
    assert with_options([warning, "plain"]) == (
        "Rows are not used. Bring it to one rate with --rate 20, or give --gap 2.",
        "plain",
    )


@pytest.mark.parametrize(
    "error",
    [RECORD, NegativeDampingError(f"adds energy. {FIX}").about("damping", fix=FIX), InputError(FIX).about("rate", 3)],
)
def test_structured_errors_survive_a_process_pool(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert again.__dict__ == error.__dict__


def test_warnings_survive_a_process_pool():
    again = pickle.loads(pickle.dumps(Advice("Rows are not used.", FIX)))
    assert again.fix == FIX


def test_a_column_name_with_braces_is_left_alone():
    assert str(Fix("Give {gap} for {x}.", {"gap": "1"})) == "Give gap=1 for {x}."


def test_every_field_is_an_option_of_a_command():
    known = set()
    for name, entry in COMMANDS.items():
        command = getattr(import_module(entry.module), name)
        known |= {name for p in command.params if isinstance(p, click.Option) for name in p.opts}
    assert set(OPTIONS.values()) <= known
    assert option("constrained", "False") == "--negative-damping REASON"


def test_the_library_names_no_option_of_the_command_line():
    found = []
    for path in SOURCE.rglob("*.py"):
        if path.relative_to(SOURCE).parts[0] == "cli":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and re.search(r"(?<![-\w])--[a-z]", node.value)
            ):
                found.append(f"{path.relative_to(SOURCE)}:{node.lineno}")
    assert not found
