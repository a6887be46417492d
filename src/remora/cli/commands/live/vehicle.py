"""`remora vehicle`: play the vehicle of a scenario for an on-board process."""

import click

from remora.cli.errors import FAILED, INTERRUPTED, NOT_AS_ASKED
from remora.cli.tokens import address_and_token
from remora.cli.vehicle_warnings import print_warnings


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
