"""`remora compare`: differences between two logs."""

import json

import click

from remora.cli.errors import FAILED
from remora.cli.log_options import log_sources, reader_option


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--tolerance", type=float, default=0.0, metavar="R", help="Relative tolerance of numbers; default 0.")
@click.option("--values", "values_only", is_flag=True, help="Compare channels and values; headers may differ.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@reader_option
@click.pass_context
def compare(
    context: click.Context,
    first: str,
    second: str,
    tolerance: float,
    values_only: bool,
    as_json: bool,
    reader: str | None,
) -> None:
    """Compare the logs A and B: MCAP files, or folders of CSV files.

    With --tolerance R, floats a and b are equal when they differ by at most R times the largest of 1, |a|, |b|.
    With --values, differences of the headers (seed, version, scenario, vehicle files) are notes.
    Exit code 0: identical. 1: different, without --values also if only in the header. 2: a log cannot be read.
    """
    from remora.logs import compare as compare_logs
    from remora.report.logs.comparison import comparison_data, comparison_lines

    result = compare_logs(*log_sources([first, second], reader), tolerance=tolerance, every_channel=True)
    if as_json:
        click.echo(json.dumps(comparison_data(result), indent=2, allow_nan=False))
    else:
        click.echo("\n".join(comparison_lines(result, (first, second), values_only)))
    context.exit(0 if result.same or (values_only and result.same_values) else FAILED)
