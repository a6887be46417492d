"""The group of all commands: loads each when it is called, suggests the right word, turns errors into messages."""

from importlib import import_module
from typing import Any, NamedTuple, cast, final

import click

import remora
from remora.cli.errors import message_and_code


class Entry(NamedTuple):
    """Where a command lives, and what it does in one line: known without loading it."""

    module: str
    words: str


COMMANDS = {
    "run": Entry("remora.cli.commands.run", "Simulate a scenario; write log, picture and summary."),
    "presets": Entry("remora.cli.commands.presets", "List the vehicles that come along, or all numbers of one."),
    "check": Entry("remora.cli.commands.check", "Check a vehicle file and say what is wrong with it."),
    "plot": Entry("remora.cli.commands.plot", "Draw a log: an overview, or some of its channels."),
    "map": Entry("remora.cli.commands.map", "Draw the points that a sonar or laser of a log has met."),
    "compare": Entry("remora.cli.commands.compare", "Compare two logs and name the first difference."),
    "fit": Entry("remora.cli.commands.fit", "Fit the numbers of a vehicle to logs of its motion."),
    "validate": Entry("remora.cli.commands.validate", "Drive a vehicle with recorded inputs; score it."),
    "thruster": Entry("remora.cli.commands.thruster", "Fit one thruster law over voltage to bench tables; draw it."),
    "design": Entry("remora.cli.commands.design", "Plan an identification experiment for a required accuracy."),
    "reproduce": Entry("remora.cli.commands.reproduce", "Run published experiments again, compare figures."),
    "checkcases": Entry(
        "remora.cli.commands.checkcases", "Compare the plant with independent solutions, UC-01 to UC-10."
    ),
    "bench": Entry("remora.cli.commands.bench", "Measure the speed of the compiled plant."),
}


@final
class Commands(click.Group):
    """A group whose commands are imported on their first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, or None; each is a function called like its command."""
        entry = COMMANDS.get(cmd_name)
        return cast(click.Command, getattr(import_module(entry.module), cmd_name)) if entry else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in the help, from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.words) for name, entry in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant; an unknown word gets a suggestion."""
        word = args[0]
        if word not in COMMANDS and not word.startswith("-"):
            from remora.files.did_you_mean import nearest

            near = nearest(word, COMMANDS, most=1, cutoff=0.5)
            hint = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(COMMANDS)}."
            raise click.UsageError(f"there is no command {word!r}. {hint}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what may go wrong with input, files or a run ends in a message and an exit code."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, ValueError, RuntimeError, OSError) as error:
            known = message_and_code(error)
            if known is None:
                raise
            click.echo(known.message, err=True)
            ctx.exit(known.code)


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 fine, 1 a failed run, an invariant or goal that fails, or a difference, 2 refused input, "
    "3 a run that did not go as asked, 130 stopped by Ctrl-C. With REMORA_TRACEBACK=1 an error shows where in the "
    "program it arose.",
)
@click.version_option(remora.__version__, "-V", "--version", message="remora %(version)s")
def main() -> None:
    """Underwater vehicles, from equations written once."""
