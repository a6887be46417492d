"""`remora margins`: stability margins of the control loop of a scenario."""

from pathlib import Path

import click

from remora.cli.errors import NOT_AS_ASKED
from remora.cli.log_options import check_place
from remora.cli.vehicle_warnings import print_warnings


@click.command()
@click.argument("scenario")
@click.option("--vehicle", help="Vehicle or assembly of the scenario; needed where several have a controller.")
@click.option("--draws", type=click.IntRange(0, 10_000), default=200, show_default=True, help="Vehicles drawn.")
@click.option("--spread", type=float, default=0.3, show_default=True, help="Largest relative deviation of parameters.")
@click.option("--out", type=click.Path(path_type=Path), help="Bode and Monte Carlo picture, a file ending in .png.")
@click.pass_context
def margins(
    context: click.Context, scenario: str, vehicle: str | None, draws: int, spread: float, out: Path | None
) -> None:
    """Linearise the control loop of SCENARIO, a bundled one or a file, and print its margins.

    Each axis is cut at its force or torque. Thruster lag, latency, smoothing and sample-and-hold are included. The same
    loop is judged with vehicles whose parameters are drawn around the nominal ones. Exit code 0: stable. 3: the nominal
    loop or one of the drawn ones is unstable. 2: invalid input, or a loop that cannot be linearised.
    """
    from remora.report.control_loops import print_margins
    from remora.run.stability.scenario_margins import scenario_margins
    from remora.scenarios.scenario import load_scenario

    check_place("--out", out, (".png",), (scenario,))
    if not 0.0 <= spread <= 0.9:
        raise ValueError(f"--spread {spread:g}: give a share from 0 to 0.9")
    setup = load_scenario(scenario).setup
    for one in setup.vehicles:
        print_warnings(one.plant.vehicle)
    report = scenario_margins(setup, vehicle, draws, spread)
    print_margins(report)
    if out is not None:
        from remora.report.control_loops import margins_figure
        from remora.report.drawing import write_picture

        out.parent.mkdir(parents=True, exist_ok=True)
        click.echo(f"picture: {write_picture(margins_figure(report), out)}")
    context.exit(NOT_AS_ASKED if report.unstable or not report.nominal.is_stable else 0)
