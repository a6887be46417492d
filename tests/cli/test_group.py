"""The group of commands: help without loading anything, suggestions, and errors as one message and an exit code."""

import subprocess
import sys
from types import ModuleType

import click
import pytest
from click.testing import CliRunner

from remora import __version__
from remora.cli import main
from remora.cli.group import COMMANDS, PLUGINS, summary_of
from remora.files.problems import Problem
from remora.plant import RunError
from remora.vehicles import VehicleFileError

HEAVY = ("numpy", "numba", "rich", "matplotlib", "pydantic", "ruamel", "scipy")


def remora(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "remora", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=200, **options)  # type: ignore[call-overload]


def loaded_by(program: str) -> set[str]:
    """Which of the heavy packages a program has loaded."""
    report = "import sys; sys.stderr.write(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", f"{program}\n{report}"], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return {name for name in HEAVY if name in done.stderr.split()}


@pytest.mark.parametrize(
    "program",
    [
        "import remora",
        "import remora.cli",
        "from remora.cli.commands import run, presets, check, design, live, control, navigation",
        "from remora_evidence.commands import bench, checkcases, reproduce, survey",
        "from remora.cli.commands import plot, compare, map",
        "from click.testing import CliRunner; from remora.cli import main; CliRunner().invoke(main, ['--help'])",
        "from click.testing import CliRunner; from remora.cli import main; CliRunner().invoke(main, ['run', '--help'])",
    ],
)
def test_help_loads_nothing_heavy(program: str) -> None:
    assert loaded_by(program) == set()


def test_help_names_every_command() -> None:
    done = remora("--help")
    assert done.returncode == 0
    assert all(name in done.stdout and entry.summary in done.stdout for name, entry in COMMANDS.items())
    added = {name: summary_of(plugin) for name, plugin in PLUGINS.offered().items()}
    assert all(summary and f"{name}  " in done.stdout and summary in done.stdout for name, summary in added.items())


@pytest.mark.parametrize("name", [*COMMANDS, *PLUGINS.offered()])
def test_every_command_has_help(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith("Usage:")


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_version(option: str) -> None:
    assert CliRunner().invoke(main, [option]).output == f"remora {__version__}\n"


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("rum", "Did you mean run?"),
        ("preset", "Did you mean presets?"),
        ("chekc", "Did you mean check?"),
        (
            "xyzzy",
            "Known: run, vehicle, onboard, presets, plugins, check, plot, view, map, compare, replay, navigate, fit, "
            "validate, thruster, design, tune, margins, bench, checkcases, reproduce, survey.",
        ),
    ],
)
def test_unknown_command_gets_a_suggestion(word: str, hint: str) -> None:
    result = CliRunner().invoke(main, [word])
    assert result.exit_code == 2
    assert f"there is no command '{word}'. {hint}" in result.stderr


def test_module_and_script_are_the_same_command() -> None:
    assert remora("nonsense").returncode == 2


def physics(kind: str) -> VehicleFileError:
    return VehicleFileError([Problem("a.yaml", 3, 1, "body.mass", "0", "must be above zero.", kind)])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (physics("physics"), 2, "a.yaml:3: body.mass = 0: must be above zero."),
        (physics("file"), 2, "a.yaml:3: body.mass = 0: must be above zero."),
        (RunError("surge speed left the envelope", 3.0), 1, "error: surge speed left the envelope, before 3 s"),
        (ValueError("duration is -1 s"), 2, "error: duration is -1 s"),
        (FileNotFoundError(2, "No such file or directory", "x.yaml"), 2, "error: x.yaml: No such file or directory"),
        (KeyboardInterrupt(), 130, "stopped by Ctrl-C"),
    ],
)
def test_expected_errors_end_in_one_message(
    error: BaseException, code: int, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(error, monkeypatch)
    result = CliRunner().invoke(main, ["check"])
    assert result.exit_code == code
    assert result.stderr == f"{message}\n"
    assert result.stdout == ""


def test_a_fault_of_the_program_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(RuntimeError("a bug"), monkeypatch)
    assert isinstance(CliRunner().invoke(main, ["check"]).exception, RuntimeError)


def test_a_traceback_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(ValueError("bad"), monkeypatch)
    result = CliRunner(env={"REMORA_TRACEBACK": "1"}).invoke(main, ["check"])
    assert isinstance(result.exception, ValueError)


def stand_in(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace a command by one that fails."""

    @click.command()
    def check() -> None:
        raise error

    module = ModuleType("remora.cli.commands.check")
    module.check = check  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "remora.cli.commands.check", module)


def test_a_closed_pipe_is_no_error_to_show() -> None:
    program = f"{sys.executable} -m remora presets falcon | head -n 1"
    done = subprocess.run(program, shell=True, capture_output=True, text=True, timeout=100)
    assert done.stdout.split() == ["name", "falcon"]
    assert done.stderr == ""
