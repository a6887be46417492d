"""Experiment for a vehicle that fins steer: the manoeuvre id1 under way, as a scenario."""

import json
import math

from remora.control.autopilots.fin_autopilot import fin_autopilot
from remora.control.tuning.course_gains import largest_course_speed
from remora.experiments.requirements import DesignError
from remora.vehicles.vehicle import Vehicle

RATE, CONTROL_RATE = 50.0, 10.0  # Hz, of the log, which needs the fins between two commands, and of the parts
WHOLE = 900.0  # s, the manoeuvre
FREE = 0.1  # share of the height of the workspace that stays free above and below
SHOWN = ("sway", "heave", "pitch", "yaw")  # axes whose quadratic damping the manoeuvre shows


def course_experiment(
    vehicle: Vehicle,
    file: str,
    fit: str,
    depths: tuple[float, float],
    speed: float = math.inf,
    duration: float | None = None,
) -> str:
    """Scenario of the manoeuvre; `file` is the path of the vehicle file in it.

    Parameters
    ----------
    fit
        How the log is fitted, for a comment.
    depths
        Top and bottom of the workspace, m.
    speed
        Largest speed ahead, m/s; at most where drag takes four fifths of the thrust.
    duration
        Of the manoeuvre, s; default 900.

    Raises
    ------
    DesignError
        When fins cannot steer it, or not at this speed.
    """
    try:
        autopilot = fin_autopilot(vehicle.parameters, 1.0 / CONTROL_RATE)
    except ValueError as error:
        raise DesignError(f"{vehicle.name} cannot be steered by fins: {error}.") from None
    most = min(speed, largest_course_speed(autopilot))
    if not most > 3.0 * autopilot.gains.least_speed:  # the slowest step is less than half as fast
        least = 3.0 * autopilot.gains.least_speed
        raise DesignError(f"{vehicle.name} has to make {least:g} m/s for its fins to steer.")
    name = "".join(letter if letter.isalnum() or letter in "_-" else "_" for letter in vehicle.name)
    height, time = depths[1] - depths[0], WHOLE if duration is None else duration
    return "\n".join(
        [
            "# Written by remora design: heading, depth and speed change in turn.",
            "# The log holds the true motion; with sensors and `navigation: filter` it holds what they know.",
            f"# Fit it with: {fit}",
            f"name: {name}_experiment",
            f"title: {json.dumps(f'{vehicle.name}: manoeuvre id1')}",
            f"duration: {time:g} s",
            "step: 10 ms",
            f"log: {{rate: {RATE:g} Hz}}",
            f"water: {{bottom_depth: {depths[1] + 10.0:g} m}}",
            "vehicles:",
            f"  - name: {name}",
            f"    file: {json.dumps(file)}",
            f"    position: [0, 0, {depths[0] + FREE * height:g} m]",
            f"    velocity: [{0.5 * most:.3g} m/s, 0, 0]",
            f"    navigation: {{part: truth, rate: {CONTROL_RATE:g} Hz}}",
            f"    guidance: {{part: id1, rate: {CONTROL_RATE:g} Hz, speed: {most:.3g} m/s, "
            f"depth_change: {(1.0 - 2.0 * FREE) * height:.3g} m, duration: {time:g} s}}",
            f"    control: {{part: fin_autopilot, rate: {CONTROL_RATE:g} Hz}}",
            "",
        ]
    )
