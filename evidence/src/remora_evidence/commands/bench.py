"""Measure the speed of the compiled plant."""

import json
import sys

import click


@click.command()
@click.argument("groups", nargs=-1, metavar="[GROUP]...")
@click.option("--all", "everything", is_flag=True, help="All groups, also those that take minutes.")
@click.option("--json", "only_json", is_flag=True, help="Print the figures as JSON and nothing else.")
def bench(groups: tuple[str, ...], everything: bool, only_json: bool) -> None:
    """Measure how fast this machine steps vehicles, next to MuJoCo.

    GROUP is plant, missions, control, navigation, identification, bodies, startup, campaign or monte_carlo; all but the
    last two unless given. Takes some minutes. Exit code 0: all goals hold; 1: a goal is missed or could not be
    measured.
    """
    from remora_evidence.benchmarks import measurements
    from remora_evidence.benchmarks.benchmark_table import figure_line, figures_as_json, print_figures
    from remora_evidence.console import ProgressLines

    if groups and everything:
        raise click.UsageError("--all and groups exclude each other: --all measures every group.")
    progress, figures = ProgressLines(word="measuring"), []
    for measurement in measurements.chosen(groups, everything):
        progress.started(measurement.title)
        for figure in measurement.run((1,)):
            progress.line(figure_line(figure))
            figures.append(figure)
    if only_json:
        click.echo(json.dumps(figures_as_json(figures), indent=2))
    else:
        print_figures(figures)
    sys.exit(0 if all(figure.holds for figure in figures) else 1)
