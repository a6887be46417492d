"""`remora navigate`: the bundled navigation filters."""

import json

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def navigate(as_json: bool) -> None:
    """List the bundled navigation filters with states, sensors, process model and page of the documentation.

    A scenario names one by `navigation: {part: NAME}`; `remora replay NAME LOG` runs it over a recorded log.
    """
    from remora.navigation.bundled_filters import BUNDLED_FILTERS

    if as_json:
        click.echo(json.dumps([one._asdict() for one in BUNDLED_FILTERS], indent=2))
        return
    for one in BUNDLED_FILTERS:
        click.echo(f"{one.part}: {one.title}")
        for field in ("states", "sensors", "process", "page"):
            click.echo(f"  {field:<10}{getattr(one, field)}")
