"""`remora tune`: gains of position control, or of the fin autopilot, from a vehicle file."""

import math

import click

from remora.cli.vehicle_warnings import print_warnings

RATE, RATE_WITH_FINS = 20.0, 10.0  # Hz


@click.command()
@click.argument("vehicle")
@click.option("--bandwidth", type=float, help="Crossover of every axis, rad/s; default the largest the margins allow.")
@click.option("--phase-margin", type=float, default=45.0, show_default=True, help="Degrees.")
@click.option("--gain-margin", type=float, default=6.0, show_default=True, help="Decibels.")
@click.option("--rate", type=float, help="Rate of the controller, Hz; default 20, with fins 10.")
@click.option("--latency", type=float, default=0.0, show_default=True, help="Latency of the estimate, s.")
@click.option("--noise", help="RMS change of the measured speeds between samples, four numbers as --speeds.")
@click.option(
    "--noise-share", type=float, default=1.0, show_default=True, help="Percent of the thrust that the noise may move."
)
@click.option("--smoothing", type=float, help="Gain of the command smoothing, 1/s; default none.")
@click.option(
    "--speeds", help="Largest speeds in surge, sway, heave and yaw, m/s and rad/s, as four numbers with commas."
)
@click.option("--speed", type=float, help="With fins: speed ahead, m/s; default that of four fifths of the thrust.")
def tune(
    vehicle: str,
    bandwidth: float | None,
    phase_margin: float,
    gain_margin: float,
    rate: float | None,
    latency: float,
    speeds: str | None,
    noise: str | None,
    noise_share: float,
    smoothing: float | None,
    speed: float | None,
) -> None:
    """Select gains of position control for VEHICLE, a preset, a file or a rigid morphology, as YAML for a scenario.

    For a vehicle that is steered by fins they are those of its autopilot of depth, heading and speed. Lags, latency and
    sample-and-hold are part of the design. Exit code 0: gains found. 2: thrust, layout or goals do not allow them.
    """
    from remora.control.tuning.course_gains import is_steered_by_fins, tuned_course
    from remora.control.tuning.gain_selection import TuningGoals, tuned_control
    from remora.plant.plant import Plant
    from remora.report.control_loops import control_yaml, course_yaml, print_course, print_tuning
    from remora.sensors.registry import find_kind
    from remora.vehicles.morphologies import load_vehicle_or_morphology

    if rate is not None and not 0.0 < rate < math.inf:
        raise ValueError(f"--rate {rate:g}: give a positive number of Hz")
    largest, changes = _four("--speeds", speeds), _four("--noise", noise)
    loaded = load_vehicle_or_morphology(vehicle, find_kind)
    print_warnings(loaded)
    plant = Plant(loaded)
    margins = math.radians(phase_margin), 10.0 ** (gain_margin / 20.0)
    goals = TuningGoals(*margins, bandwidth, largest, changes, 0.01 * noise_share, smoothing)
    if is_steered_by_fins(loaded.parameters):
        course = tuned_course(plant, goals, 1.0 / (rate or RATE_WITH_FINS), latency, speed)
        print_course(course)
        click.echo(course_yaml(course))
        return
    if speed is not None:
        raise ValueError("--speed is for vehicles that fins steer: give --speeds")
    tuned = tuned_control(plant, goals, 1.0 / (rate or RATE), latency)
    print_tuning(tuned)
    click.echo(control_yaml(tuned))


def _four(option: str, text: str | None) -> tuple[float, float, float, float] | None:
    if text is None:
        return None
    try:
        u, v, w, r = (float(word) for word in text.split(","))
    except ValueError:
        raise ValueError(f"{option} {text}: give four numbers with commas, such as 0.5,0.3,0.2,0.3") from None
    return (u, v, w, r)
