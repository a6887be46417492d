"""`remora thruster`: a thrust law over voltage from bench tables."""

from dataclasses import replace
from pathlib import Path

import click

from remora.cli.log_options import check_place
from remora.cli.option_names import with_options


@click.command()
@click.argument("tables", nargs=-1, required=True, metavar="TABLE...")
@click.option("--neutral", type=float, default=1500.0, show_default=True, help="Pulse width at rest, us.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Picture of the law and the tables, a file ending in .png."
)
def thruster(tables: tuple[str, ...], neutral: float, out: Path | None) -> None:
    """Fit one thrust law over pulse width and voltage to bench tables, with leave-one-out validation.

    A TABLE is a CSV file of one voltage with columns that start with PWM (us), RPM, Voltage (V) and Force (kgf, or the
    unit in brackets). Three voltages or more are needed to leave one out.
    """
    from remora.identification.bench.voltage_tables import (
        doubtful_force,
        fit_voltage_tables,
        leave_one_voltage_out,
        read_voltage_table,
    )
    from remora.report.fits.summary import thruster_lines

    check_place("--out", out, (".png",), tables)
    given = {path: read_voltage_table(path) for path in tables}
    read = sorted(given.values(), key=lambda table: table.voltage)
    doubts = [doubt for path, table in given.items() for doubt in doubtful_force(path, table)]
    fit = fit_voltage_tables(read, neutral).with_warnings(*doubts)
    fit = replace(fit, warnings=with_options(fit.warnings))
    held = leave_one_voltage_out(read, neutral) if len(fit.law.tables) > 2 else []
    click.echo("\n".join(thruster_lines(fit, held)))
    if out is not None:
        from remora.report.drawing import write_picture
        from remora.report.fits.figure import thruster_figure

        title = f"{Path(tables[0]).stem.rstrip('0123456789V').rstrip('-_ ')}: one law over pulse width and voltage"
        out.parent.mkdir(parents=True, exist_ok=True)
        click.echo(f"picture: {write_picture(thruster_figure(read, fit, held, title), out)}")
