"""Command group: lazy loading of commands, suggestions for unknown ones, errors as messages and exit codes."""

import os
import sys
from importlib import import_module
from typing import Any, NamedTuple, cast, final

import click

import remora
from remora.cli.errors import message_and_code
from remora.cli.output_streams import guard_streams


class CommandEntry(NamedTuple):
    """Module and one-line summary of a command, known without importing it."""

    module: str
    summary: str


COMMANDS = {
    "run": CommandEntry("remora.cli.commands.run", "Simulate a scenario; write log, picture and summary."),
    "vehicle": CommandEntry("remora.cli.commands.live.vehicle", "Play a vehicle for parts in another process."),
    "onboard": CommandEntry("remora.cli.commands.live.onboard", "Run the parts of a scenario against such a vehicle."),
    "presets": CommandEntry("remora.cli.commands.presets", "List the bundled vehicles, or all parameters of one."),
    "check": CommandEntry("remora.cli.commands.check", "Check a vehicle file and list its mistakes."),
    "plot": CommandEntry("remora.cli.commands.plot", "Draw a log: an overview, or some of its channels."),
    "view": CommandEntry("remora.cli.commands.view", "Write a log as a page for a browser: scene, curves, events."),
    "map": CommandEntry("remora.cli.commands.map", "Draw the points measured by a sonar or laser in a log."),
    "compare": CommandEntry("remora.cli.commands.compare", "Compare two logs and report the first difference."),
    "replay": CommandEntry(
        "remora.cli.commands.navigation.replay", "Run a navigation filter over a log and judge its consistency."
    ),
    "navigate": CommandEntry("remora.cli.commands.navigation.navigate", "List the bundled navigation filters."),
    "fit": CommandEntry("remora.cli.commands.fit", "Identify the parameters of a vehicle from logs of its motion."),
    "validate": CommandEntry("remora.cli.commands.validate", "Simulate a vehicle with recorded inputs and score it."),
    "thruster": CommandEntry("remora.cli.commands.thruster", "Fit a thrust law over voltage to bench tables."),
    "design": CommandEntry("remora.cli.commands.design", "Design an identification experiment for a vehicle."),
    "tune": CommandEntry("remora.cli.commands.control.tune", "Select gains from a vehicle file, with stated margins."),
    "margins": CommandEntry("remora.cli.commands.control.margins", "Stability margins of the loop of a scenario."),
    "survey": CommandEntry("remora_evidence.commands.survey", "List a survey of docking schemes in the literature."),
    "reproduce": CommandEntry(
        "remora_evidence.commands.reproduce", "Reproduce published experiments and compare figures."
    ),
    "checkcases": CommandEntry(
        "remora_evidence.commands.checkcases", "Compare the plant with independent solutions, UC-01 to UC-12."
    ),
    "bench": CommandEntry("remora_evidence.commands.bench", "Measure the speed of the compiled plant."),
}


@final
class Commands(click.Group):
    """A group whose commands are imported on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, or None; the function has the name of the command."""
        entry = COMMANDS.get(cmd_name)
        return cast(click.Command, getattr(import_module(entry.module), cmd_name)) if entry else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in the help, from the table."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The named command; an unknown one gets a suggestion."""
        word = args[0]
        if word not in COMMANDS and not word.startswith("-"):
            from remora.files.did_you_mean import nearest

            near = nearest(word, COMMANDS, most=1, cutoff=0.5)
            hint = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(COMMANDS)}."
            raise click.UsageError(f"there is no command {word!r}. {hint}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; errors of input, files, memory or a run end in a message and an exit code."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, ValueError, RuntimeError, OSError, MemoryError) as error:
            known = message_and_code(error)
            if known is None:
                raise
            is_out_of_memory = isinstance(error, MemoryError)
        click.echo(known.message, err=True)  # after the error has released what its frames hold
        if is_out_of_memory:
            os._exit(known.code)  # else finalisers that find no memory write thousands of lines
        ctx.exit(known.code)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Parse the arguments and run; help that cannot be written ends like a command."""
        guard_streams()
        try:
            return super().main(*args, **kwargs)
        except OSError as error:
            known = message_and_code(error)
            if known is None:
                raise
            click.echo(known.message, err=True)
            sys.exit(known.code)


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 success, 1 a failed run, invariant or goal, or a difference, 2 invalid input, "
    "3 a run that did not go as asked, 130 stopped by Ctrl-C. With REMORA_TRACEBACK=1 an error prints its traceback.",
)
@click.version_option(remora.__version__, "-V", "--version", message="remora %(version)s")
def main() -> None:
    """Simulation, identification, guidance, navigation and control of underwater vehicles."""
