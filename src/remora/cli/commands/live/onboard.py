"""`remora onboard`: run the parts of a scenario against a vehicle in another process."""

import click

from remora.cli.errors import FAILED, NOT_AS_ASKED


@click.command()
@click.argument("scenario")
@click.option("--port", type=click.IntRange(1, 65535), default=5600, show_default=True, help="TCP port of 127.0.0.1.")
@click.option(
    "--token-file", "file", required=True, metavar="FILE", help="Token of the vehicle, as its --token-file wrote it."
)
@click.option("--out", metavar="FILE", help="Log file ending in .mcap; without it there is none.")
@click.pass_context
def onboard(context: click.Context, scenario: str, port: int, file: str, out: str | None) -> None:
    """Run navigation, guidance, control and allocation of SCENARIO against `remora vehicle` or a bridge to a real one.

    Exit code 1: the connection ended before the run, or the vehicle sent something wrong. 3: a computation took longer
    than its period, or the time of the vehicle had gaps.
    """
    from remora.run.live.listener import read_token
    from remora.run.live.onboard import run_onboard
    from remora.scenarios import read_scenario

    report = run_onboard(read_scenario(scenario), port, lambda: read_token(file), log=out)
    click.echo(report.text)
    if not report.is_complete:
        click.echo(f"error: the run ended before its end: {report.ended}", err=True)
    if report.refused:
        click.echo(f"error: {', '.join(report.refused)}: gave values that are no numbers; not used.", err=True)
    if report.refused or not report.is_complete:
        context.exit(FAILED)
    if report.overruns or report.gaps:
        context.exit(NOT_AS_ASKED)
