"""`remora plugins`: what installed packages add."""

import json
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from remora.files.registries import PluginState


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def plugins(as_json: bool) -> None:
    """List the plug-ins of installed packages: name, kind, origin and whether each can be used."""
    states = _states()
    if as_json:
        keys = ("kind", "name", "origin", "object", "fault")
        rows = ((_kind(one), one.plugin.name, one.plugin.origin, one.plugin.value, one.fault) for one in states)
        click.echo(json.dumps([dict(zip(keys, row, strict=True)) for row in rows], indent=2))
    elif not states:
        click.echo("No installed package adds anything to Remora.")
    else:
        shown = [(one.plugin.name, _kind(one), one.plugin.origin, one.fault or "ready") for one in states]
        widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
        for row in shown:
            click.echo("  ".join(f"{word:<{width}}" for word, width in zip(row, widths, strict=True)).rstrip())


def _kind(state: "PluginState") -> str:
    """The group of a plug-in as a word: sensor, part, force, reader or command."""
    return state.plugin.group.removeprefix("remora.").removesuffix("s")


def _states() -> "list[PluginState]":
    """The plug-ins of all registries."""
    from remora.cli.group import PLUGINS as COMMANDS
    from remora.logs.readers.registry import PLUGINS as READERS
    from remora.scenarios.part_registry import PLUGINS as PARTS
    from remora.sensors.registry import PLUGINS as SENSORS
    from remora.vehicles.sections.force_sections import PLUGINS as FORCES

    return [state for extension in (SENSORS, PARTS, FORCES, READERS, COMMANDS) for state in extension.states()]
