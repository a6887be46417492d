"""Print the largest depth of each vehicle in a log."""

import click


@click.command()
@click.argument("log")
def deepest(log):
    """Print the largest depth of each vehicle in LOG."""
    import remora  # not above: `remora --help` and other commands start faster without

    read = remora.read_log(log)
    for channel in read.channels:
        if channel.endswith("/truth"):
            click.echo(f"{channel.removesuffix('/truth')}  {read[channel]['p_NB_z'].max():.3f} m")
