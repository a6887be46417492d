"""`remora vehicle` and `remora onboard`: one process plays a vehicle, another runs its parts."""

import click

from remora.cli.console import address_and_token, print_warnings
from remora.cli.errors import FAILED, INTERRUPTED, NOT_AS_ASKED


@click.command()
@click.argument("scenario")
@click.option("--port", type=click.IntRange(1, 65535), default=5600, show_default=True, help="TCP port of 127.0.0.1.")
@click.option("--token-file", "file", metavar="FILE", help="Write the token here; only you may read the file.")
@click.option("--out", metavar="FILE", help="Log file ending in .mcap; without it there is none.")
@click.option("--in-step", is_flag=True, help="Wait for the commands of each exchange, in place of real time.")
@click.pass_context
def vehicle(context: click.Context, scenario: str, port: int, file: str | None, out: str | None, in_step: bool) -> None:
    """Play the vehicle of SCENARIO in real time: plant and sensors here, its parts in `remora onboard`.

    Readings go out and commands come in on a TCP port of 127.0.0.1. Without commands for a second all actuators rest.
    """
    from remora.run.live.listener import Listener
    from remora.run.live.vehicle_process import play_vehicle
    from remora.run.loop import loop
    from remora.scenarios import read_scenario

    setup = read_scenario(scenario)
    for played in setup.vehicles:
        print_warnings(played.plant.vehicle)
    listener = Listener(port)
    click.echo(f"waiting for an on-board process on {address_and_token(listener, file)}", err=True)
    outcome = play_vehicle(setup, listener, speed=None if in_step else 1.0, log=out)
    click.echo(f"{'simulated':<14}{1e-9 * outcome.time_ns:g} s")
    if outcome.overruns is not None:
        missed, waits, worst = outcome.overruns
        click.echo(f"{'pace':<14}{missed} of {waits} waits came too late, by up to {worst:.3f} s")
    for one in outcome.warnings:
        click.echo(f"warning: {one}", err=True)
    if outcome.stopped:
        click.echo(f"error: {outcome.stopped}", err=True)
        context.exit(INTERRUPTED if outcome.stopped == loop.INTERRUPTED else FAILED)
    if outcome.warnings:
        context.exit(NOT_AS_ASKED)


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
