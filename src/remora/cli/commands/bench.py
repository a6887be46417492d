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
    from remora.evidence.benchmarks import all_hold, as_json, run_measurements
    from remora.evidence.benchmarks.benchmark_table import Progress, print_table
    from remora.evidence.benchmarks.measurements import MEASUREMENTS

    progress = Progress()
    figures = run_measurements(MEASUREMENTS, progress.started, progress.measured)
    if only_json:
        click.echo(json.dumps(as_json(figures), indent=2))
    else:
        print_table(figures)
    sys.exit(0 if all_hold(figures) else 1)
