"""Command group: lazy loading of commands, suggestions for unknown ones, errors as messages and exit codes."""

import os
import re
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple, cast, final

import click

import remora
from remora.cli.errors import message_and_code
from remora.cli.process import guard_streams
from remora.files.problems import InputError
from remora.files.registries import Extension, Plugin


class CommandEntry(NamedTuple):
    """Module and one-line summary of a command, known without importing it."""

    module: str
    summary: str


COMMANDS = {
    "run": CommandEntry("remora.cli.commands.run", "Simulate a scenario; write log, picture and summary."),
    "vehicle": CommandEntry("remora.cli.commands.live", "Play a vehicle for parts in another process."),
    "onboard": CommandEntry("remora.cli.commands.live", "Run the parts of a scenario against such a vehicle."),
    "presets": CommandEntry("remora.cli.commands.presets", "List the bundled vehicles, or all parameters of one."),
    "plugins": CommandEntry("remora.cli.commands.presets", "List the plug-ins of installed packages."),
    "check": CommandEntry("remora.cli.commands.check", "Check a vehicle file and list its mistakes."),
    "plot": CommandEntry("remora.cli.commands.plot", "Draw a log: an overview, or some of its channels."),
    "view": CommandEntry("remora.cli.commands.view", "Write a log as a page for a browser: scene, curves, events."),
    "map": CommandEntry("remora.cli.commands.map", "Draw the points measured by a sonar or laser in a log."),
    "compare": CommandEntry("remora.cli.commands.compare", "Compare two logs and report the first difference."),
    "replay": CommandEntry(
        "remora.cli.commands.navigation", "Run a navigation filter over a log and judge its consistency."
    ),
    "navigate": CommandEntry("remora.cli.commands.navigation", "List the bundled navigation filters."),
    "fit": CommandEntry("remora.cli.commands.fit", "Identify the parameters of a vehicle from logs of its motion."),
    "validate": CommandEntry("remora.cli.commands.validate", "Simulate a vehicle with recorded inputs and score it."),
    "thruster": CommandEntry("remora.cli.commands.thruster", "Fit a thrust law over voltage to bench tables."),
    "design": CommandEntry("remora.cli.commands.design", "Design an identification experiment for a vehicle."),
    "tune": CommandEntry("remora.cli.commands.control", "Select gains from a vehicle file, with stated margins."),
    "margins": CommandEntry("remora.cli.commands.control", "Stability margins of the loop of a scenario."),
}

# First line of the docstring that a module begins with, after comments.
_FIRST_LINE = re.compile(r"""(?:[ \t]*(?:#.*)?\n)*[rR]?(\"{3}|'{3}|["'])\s*(.*?)(?:\1|\n)""")
_START = 4096  # characters of a module that hold its first line
EVIDENCE_COMMANDS = ("reproduce", "checkcases", "bench", "survey")


def _plugin_command(plugin: Plugin, made: Any) -> click.Command:
    if not isinstance(made, click.Command):
        raise InputError(f"{plugin.value} is no command of click")
    return made


PLUGINS = Extension("remora.commands", COMMANDS, _plugin_command)


def summary_of(plugin: Plugin) -> str:
    """The first line of the docstring of the module of a command, read without importing it or its packages."""
    package, *path = plugin.module.split(".")
    spec = find_spec(package)
    if spec is None:
        return ""
    folders = spec.submodule_search_locations or () if path else ()
    for file in [os.path.join(folder, *path) + ".py" for folder in folders] or [spec.origin or ""]:
        try:
            with open(file, encoding="utf-8", errors="replace") as source:
                found = _FIRST_LINE.match(source.read(_START))
        except OSError:
            continue
        return found[2].strip() if found else ""
    return ""


@final
class Commands(click.Group):
    """A group whose commands are imported on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table, then plug-ins."""
        return [*COMMANDS, *PLUGINS.offered()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, or None; the function has the name of the command."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return PLUGINS.get(cmd_name)
        return cast(click.Command, getattr(import_module(entry.module), cmd_name))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in the help; nothing is imported for it."""
        own = [(name, entry.summary) for name, entry in COMMANDS.items()]
        with formatter.section("Commands"):
            formatter.write_dl([*own, *((name, summary_of(plugin)) for name, plugin in PLUGINS.offered().items())])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The named command; an unknown one gets a suggestion."""
        word, known = args[0], self.list_commands(ctx)
        if word in EVIDENCE_COMMANDS and word not in known:
            from remora.distribution import EVIDENCE, install_line

            install = install_line(distribution=EVIDENCE)
            raise InputError(f"remora {word} is a command of {EVIDENCE}, which is not installed: {install}")
        if word not in known and not word.startswith("-"):
            from remora.files.did_you_mean import nearest

            near = nearest(word, known, most=1, cutoff=0.5)
            hint = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(known)}."
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
