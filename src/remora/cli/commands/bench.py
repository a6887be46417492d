"""`remora bench`."""

import json
import sys

import click


@click.command()
@click.option("--json", "only_json", is_flag=True, help="Print the figures as JSON and nothing else.")
def bench(only_json: bool) -> None:
    """Measure how fast this machine steps vehicles, next to MuJoCo.

    Takes about a minute. Exit code 0: all goals hold; 1: a goal is missed or could not be measured.
    """
    from remora.evidence.benchmarks.benchmark_table import figure_line, figures_as_json, print_figures
    from remora.evidence.benchmarks.measurements import MEASUREMENTS
    from remora.evidence.console import ProgressLines

    progress, figures = ProgressLines(word="measuring"), []
    for measurement in MEASUREMENTS:
        progress.started(measurement.title)
        for figure in measurement.run((1,)):
            progress.line(figure_line(figure))
            figures.append(figure)
    if only_json:
        click.echo(json.dumps(figures_as_json(figures), indent=2))
    else:
        print_figures(figures)
    sys.exit(0 if all(figure.holds for figure in figures) else 1)
