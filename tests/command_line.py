"""The command line, run inside the process of a test."""

from click.testing import CliRunner, Result

from remora.cli import main


def remora(*arguments: object) -> Result:
    """Exit code and output of `remora` with these arguments."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments])
