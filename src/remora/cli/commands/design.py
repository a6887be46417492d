"""`remora design`: an identification experiment with predicted parameter accuracy."""

import math
import os
from pathlib import Path

import click

from remora.cli.overwrite_check import check_replaceable
from remora.cli.vehicle_warnings import print_warnings


@click.command()
@click.argument("vehicle")
@click.option(
    "--parameters", metavar="NAMES", help="Parameters, comma-separated; default inertia and damping of all axes."
)
@click.option(
    "--accuracy", default="5%", show_default=True, help="Desired standard deviation as a fraction of the value."
)
@click.option(
    "--workspace", default="10x5x3", show_default=True, metavar="LxWxH", help="Workspace of the vehicle origin, m."
)
@click.option(
    "--top", type=float, default=1.0, show_default=True, metavar="M", help="Depth of the top of the workspace, m."
)
@click.option(
    "--speed", type=float, default=math.inf, metavar="M/S", help="Speed limit, in addition to that of the vehicle."
)
@click.option("--duration", type=float, metavar="S", help="Duration of the experiment; default as long as necessary.")
@click.option(
    "--noise", default="1 cm/s, 0.2 deg/s", show_default=True, help="White noise of speeds and turn rates, per sample."
)
@click.option("--out", type=click.Path(path_type=Path), help="Scenario to write, a file ending in .yaml.")
@click.option("--picture", type=click.Path(path_type=Path), help="Picture of the motion, a file ending in .png.")
@click.pass_context
def design(
    context: click.Context,
    vehicle: str,
    parameters: str | None,
    accuracy: str,
    workspace: str,
    top: float,
    speed: float,
    duration: float | None,
    noise: str,
    out: Path | None,
    picture: Path | None,
) -> None:
    """Design an experiment that identifies the parameters of VEHICLE, a file or the name of a preset.

    The axes are excited in turn within workspace, speed and thrust limits. The plan is simulated once, which predicts
    the accuracy of each parameter. A vehicle that fins steer gets the manoeuvre id1, without a prediction. Exit code 0:
    the desired accuracy is predicted for all. 1: not for all. 2: no experiment can be planned.
    """
    from remora.cli.experiment_options import read_accuracy, read_noise, read_workspace

    _check_ending("--out", out, ".yaml")
    _check_ending("--picture", picture, ".png")
    share, sides, sigmas = read_accuracy(accuracy), read_workspace(workspace), read_noise(noise)
    names = None if parameters is None else [name.strip() for name in parameters.split(",") if name.strip()]

    from remora.control.tuning.course_gains import is_steered_by_fins
    from remora.experiments import make_plan, make_requirements
    from remora.experiments.course_experiment import SHOWN, course_experiment
    from remora.report.experiment_plan import print_plan
    from remora.sensors.registry import find_kind
    from remora.vehicles import load_vehicle

    loaded = load_vehicle(vehicle, find_kind)
    print_warnings(loaded)
    if is_steered_by_fins(loaded.parameters):
        if parameters is not None or picture is not None:
            raise ValueError("--parameters and --picture are for vehicles that hold their place: leave them out")
        depths = (top, top + sides[2])
        file = vehicle if out is None else _seen_from(vehicle, out.parent)
        shown = ",".join(f"damping.quadratic.{axis}" for axis in SHOWN)
        fit = f"remora fit {file} LOG.mcap --axes {','.join(SHOWN)} --parameters {shown}"
        _write_course(out, course_experiment(loaded, file, fit, depths, speed, duration))
        return
    requirements = make_requirements(loaded, names, share, sides, duration, *sigmas, top, speed)
    for folder in filter(None, (out and out.parent, picture and picture.parent)):
        folder.mkdir(parents=True, exist_ok=True)  # a wrong path is found before the work
    plan = make_plan(requirements)
    print_plan(plan)
    if out is not None:
        from remora.files.writing import write_atomically

        text = plan.text(_seen_from(vehicle, out.parent))
        write_atomically(out, lambda file: _write(file, text))
        click.echo(f"scenario: {out}; fly it with: remora run {out}")
    if picture is not None:
        from remora.report.drawing import write_picture
        from remora.report.experiment_plan import design_figure

        click.echo(f"picture: {write_picture(design_figure(plan), picture)}")
    context.exit(0 if plan.met else 1)


def _write_course(out: Path | None, text: str) -> None:
    """Print or write the manoeuvre of a vehicle that fins steer."""
    if out is None:
        click.echo(text, nl=False)
        return
    from remora.files.writing import write_atomically

    out.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(out, lambda file: _write(file, text))
    click.echo("manoeuvre id1 under way, in place of a plan in a workspace; its accuracy is not predicted")
    click.echo(f"scenario: {out}; fly it with: remora run {out}")


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")


def _check_ending(option: str, path: Path | None, ending: str) -> None:
    if path is not None and (path.suffix.lower() != ending or path.is_dir()):
        raise ValueError(f"{option} {path}: give a file ending in {ending}")
    if path is not None and ending == ".png":
        from remora.report.drawing import check_pictures

        check_pictures()
    check_replaceable(option, path)


def _seen_from(vehicle: str, folder: Path) -> str:
    """Vehicle as named in a scenario: a preset by name, a file by its path relative to the folder."""
    from remora.vehicles import preset_names

    return vehicle if vehicle in preset_names() else os.path.relpath(vehicle, folder)
