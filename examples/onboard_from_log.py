"""On-board software on a recorded log: dead reckoning, guidance and autopilot of a REMUS 100, without a simulator.

    python examples/onboard_from_log.py [LOG.mcap]

Navigation gets the readings of the log as they arrived; guidance and control follow at 10 Hz. Estimates and commands
are compared with those of the log. Without an argument, another process first records a log of the bundled scenario
`remus_dive`, flown by the same parts in place of its filter.
This process imports neither the simulation nor the models of the world and the sensors.
"""

import math
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from remora import Plant
from remora.control import FinAutopilot, FinGains, fin_autopilot
from remora.equations.algebra.vectors import ZERO6
from remora.equations.geometry.earth import Geodetic
from remora.files.arrays import Array
from remora.guidance.parts.dive_and_turn import DiveAndTurn
from remora.logs import Log, read_log
from remora.messages.measured_quantities import MeasuredQuantity, always, depth_from_pressure_reading, selected
from remora.messages.part import PartInput
from remora.messages.part_options import VehicleContext
from remora.messages.reading import Reading, Status
from remora.messages.site import Site
from remora.navigation.parts.instruments import InstrumentOptions, Instruments, make_instruments
from remora.vehicles import load_vehicle

VEHICLE = "auv"  # its name in the log
PERIOD_NS = 100_000_000
LAUNCH = (0.0, 0.0, 2.0)  # m in N
POSE = (*(f"p_NB_{axis}" for axis in "xyz"), *(f"q_NB_{i}" for i in range(4)))
TWIST = tuple(f"{velocity}_NB_B_{axis}" for velocity in "vw" for axis in "xyz")
ACTUATORS = ("propeller", "rudder", "stern_planes")
RECORDING = """
import sys, remora
parts = {"attitude": "ahrs", "rates": "imu", "velocity": "dvl", "depth": "pressure"}
navigation = {"part": "instruments", "rate": "10 Hz", **parts}
remora.simulate(remora.load_scenario("remus_dive").with_({"vehicles[0].navigation": navigation}), log=sys.argv[1])
"""
# Values of a reading that navigation uses, by kind of sensor: layout of the messages of the drivers.
MEASURED = {
    "ahrs": {"attitude": MeasuredQuantity(selected(0, 1, 2), prefix="heading_")},
    "imu": {"rates": MeasuredQuantity(selected(3, 4, 5))},
    "dvl": {"velocity": MeasuredQuantity(selected(0, 1, 2), over_ground=always)},
    "pressure": {"depth": MeasuredQuantity(depth_from_pressure_reading)},
}


class Computer(NamedTuple):
    """The on-board parts of the vehicle."""

    navigation: Instruments
    guidance: DiveAndTurn
    control: FinAutopilot


class Replay(NamedTuple):
    """Estimates (pose and twist) and commands, a row for each step; NaN where nothing is known."""

    time_ns: Array
    estimates: Array
    commands: Array


def make_computer() -> Computer:
    """The parts, from the vehicle file and the mission."""
    vehicle = load_vehicle("remus100")
    parameters = vehicle.parameters
    site = Site(parameters.density, parameters.gravity, 0.0, Geodetic(0.0, 0.0, 0.0), has_bottom=True)
    sensors = {sensor.name: sensor for sensor in vehicle.sensors}
    onboard = VehicleContext(VEHICLE, Plant(vehicle), 1e-9 * PERIOD_NS, sensors, site, LAUNCH, MEASURED)
    sources = InstrumentOptions(part="instruments", attitude="ahrs", rates="imu", velocity="dvl", depth="pressure")
    mission = DiveAndTurn(8.0, math.radians(90.0), 1.3, ahead_ns=0, turn_ns=60 * 10**9, stop_ns=600 * 10**9)
    gains = FinGains(max_turn_rate=math.radians(3.0))
    return Computer(make_instruments(sources, onboard), mission, fin_autopilot(parameters, onboard.period, gains))


def readings_of(log: Log, sensor: str) -> list[Reading]:
    """All readings of a sensor; the log holds the time of measurement and the latency of each."""
    series = log[sensor]
    stamps = series.time_ns.tolist()
    arrivals = (series.time_ns + np.rint(1e9 * series["latency"]).astype(int)).tolist()
    values = series.table(*(name for name in series.channel.names if name not in ("status", "latency"))).tolist()
    rows = zip(stamps, arrivals, series["status"].tolist(), values, strict=True)
    return [Reading(sensor, stamp, arrival, Status(status), tuple(row)) for stamp, arrival, status, row in rows]


def replay(computer: Computer, log: Log, end_ns: int) -> Replay:
    """Run the parts on the readings of a log."""
    navigation, guidance, control = computer
    waiting = [reading for sensor in navigation.sensors for reading in readings_of(log, sensor)]
    waiting.sort(key=lambda reading: reading.arrival_ns, reverse=True)
    known, steered = navigation.initial(), control.initial()
    times, estimates, commands = range(0, end_ns, PERIOD_NS), [], []
    for time_ns in times:
        arrived = []
        while waiting and waiting[-1].arrival_ns <= time_ns:
            arrived.append(waiting.pop())
        now = PartInput(time_ns, tuple(arrived), {}, None, None, ZERO6, ZERO6, None)
        known, estimate = navigation.step(known, now)
        _, asked = guidance.step((), now)
        row, given = [math.nan] * 13, [math.nan] * len(ACTUATORS)
        if estimate is not None:
            row = [*estimate.p_NB, *estimate.q_NB, *estimate.twist]
        if estimate is not None and estimate.is_complete:
            wanted = (asked.depth, asked.heading, asked.speed)
            steered, given = control.step(steered, estimate.p_NB[2], estimate.q_NB, estimate.twist, wanted)
        estimates.append(row)
        commands.append(given)
    return Replay(np.array(times), np.array(estimates), np.array(commands))


def logged(log: Log, channel: str, names: tuple[str, ...], times_ns: Array) -> Array:
    """Columns of a channel at some of its times."""
    series = log[f"{VEHICLE}/{channel}"]
    return series.table(*names)[np.searchsorted(series.time_ns, times_ns)]


def drawn(log: Log, found: Replay) -> Figure:
    """Path and depth of estimate and truth, and commands."""
    truth = logged(log, "truth", POSE, found.time_ns)
    commands = logged(log, "commands", ACTUATORS, found.time_ns)
    seconds, estimates = 1e-9 * found.time_ns, found.estimates
    figure = Figure(figsize=(12.0, 4.0), layout="constrained")
    plan, depth, fins = figure.subplots(1, 3)
    plan.plot(truth[:, 1], truth[:, 0], label="truth")
    plan.plot(estimates[:, 1], estimates[:, 0], "--", label="dead reckoning on the log")
    plan.set(xlabel="east [m]", ylabel="north [m]", aspect="equal")
    depth.plot(seconds, truth[:, 2], label="truth")
    depth.plot(seconds, estimates[:, 2], "--", label="estimate on the log")
    depth.set(xlabel="time [s]", ylabel="depth [m]")
    depth.invert_yaxis()
    for number, name in enumerate(ACTUATORS[1:], start=1):
        fins.plot(seconds, np.degrees(commands[:, number]), label=f"{name}, recorded")
        fins.plot(seconds, np.degrees(found.commands[:, number]), "--", label=f"{name}, on the log")
    fins.set(xlabel="time [s]", ylabel="fin command [deg]")
    for axes in (plan, depth, fins):
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
    return figure


def largest_difference(found: Array, recorded: Array) -> float:
    """The largest difference; infinite where only one of both is known."""
    unknown = np.isnan(found) & np.isnan(recorded)
    return float(np.nan_to_num(np.where(unknown, 0.0, np.abs(found - recorded)), nan=math.inf).max())


def main(path: Path) -> None:
    """Run the parts on a log; print how far they differ from it, and draw the motion."""
    log = read_log(path)
    found = replay(make_computer(), log, int(log[f"{VEHICLE}/truth"].time_ns[-1]))
    steered = np.isfinite(found.commands).all(axis=1)
    estimates = logged(log, "estimate", (*POSE, *TWIST), found.time_ns)
    commands = logged(log, "commands", ACTUATORS, found.time_ns[steered])
    error = found.estimates[-1, :2] - logged(log, "truth", POSE, found.time_ns)[-1, :2]
    picture = path.with_name(path.stem + "-onboard.png")
    drawn(log, found).savefig(picture)
    for name, value in (
        ("steps", f"{len(found.time_ns)}, {steered.sum()} of them with a complete estimate"),
        ("estimates", f"differ by at most {largest_difference(found.estimates, estimates):.1e} from the log"),
        ("commands", f"differ by at most {largest_difference(found.commands[steered], commands):.1e} from the log"),
        ("dead reckoning", f"{math.hypot(*error):.2f} m from the true position at the end"),
        ("written", picture),
    ):
        print(f"{name:<16}{value}")


def record(path: Path) -> Path:
    """A log of the scenario, from a process of its own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-c", RECORDING, str(path)], check=True)
    return path


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else record(Path("runs") / "remus_dive.mcap"))
