"""`remora compare`: differences between two logs."""

import json
from typing import TYPE_CHECKING

import click

from remora.cli.errors import FAILED

if TYPE_CHECKING:
    from remora.logs.comparison import Source


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--tolerance", type=float, default=0.0, metavar="R", help="Relative tolerance of numbers; default 0.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.pass_context
def compare(context: click.Context, first: str, second: str, tolerance: float, as_json: bool) -> None:
    """Compare the logs A and B: MCAP files, or folders of CSV files.

    With --tolerance R, floats a and b are equal when they differ by at most R times the largest of 1, |a|, |b|.
    Exit code 0: identical. 1: different, if only in the header. 2: a log cannot be read.
    """
    from remora.logs import compare as compare_logs
    from remora.report.logs.comparison import comparison_data, comparison_lines

    result = compare_logs(_source(first), _source(second), tolerance=tolerance, every_channel=True)
    if as_json:
        click.echo(json.dumps(comparison_data(result), indent=2, allow_nan=False))
    else:
        click.echo("\n".join(comparison_lines(result, (first, second))))
    context.exit(0 if result.same else FAILED)


def _source(path: str) -> "Source":
    from remora.report.logs.source import csv_log

    return csv_log(path) or path
