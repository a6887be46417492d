"""The built-in run: start near the surface, dive to 5 m, drive ahead, turn by 90 degrees, stop and come to level."""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from remora.equations.quaternions import from_euler_zyx, to_euler_zyx
from remora.equations.thrusters import OUTPUT_IS_FORCE
from remora.equations.vectors import Vector3
from remora.kernels.failures import RunError
from remora.kernels.loops import Array
from remora.kernels.running import ZERO_WRENCH
from remora.simulation.pilot import Pilot, Reference, commands_for, make_pilot, quaternion_of
from remora.simulation.plant import BODY_STATE_NAMES, Plant
from remora.simulation.recording import Recording
from remora.vehicles.loads import load_unit

NAME = "dive_and_turn"
CONTROL_PERIOD_NS = 100_000_000  # 10 Hz
STEPS_PER_PERIOD = 10  # of the plant, 10 ms each
DURATION = 60.0  # s

START_DEPTH, DEPTH = 0.5, 5.0  # m
AHEAD_AT, TURN_AT, STOP_AT = 20.0, 35.0, 50.0  # s
SPEED = 0.5  # m/s
TURN = math.radians(90.0)

# Random start: standard deviations of tilt and heading in rad, and the weakest and strongest current in m/s.
START_TILT, START_HEADING = math.radians(2.0), math.radians(4.0)
WEAKEST_CURRENT, STRONGEST_CURRENT = 0.02, 0.1

_BODY_UNITS = ("m",) * 3 + ("1",) * 4 + ("m/s",) * 3 + ("rad/s",) * 3
ASKED = ("asked_depth", "asked_heading", "asked_speed")
INTERRUPTED = "interrupted"


class Start(NamedTuple):
    """Where a run begins, and the water it runs in."""

    roll: float  # rad
    pitch: float
    heading: float
    water: Vector3  # m/s in N


@final
@dataclass(frozen=True)
class DiveRun:
    """A run as far as it went."""

    plant: Plant
    seed: int
    start: Start
    slowed: str  # why it drove slower than usual; empty when it did not
    recording: Recording
    plant_seconds: float  # wall time inside the compiled plant
    total_seconds: float  # wall time of the whole loop
    stopped: str | None  # why it ended early: INTERRUPTED or an error; None when it did not


def reference(seconds: float) -> Reference:
    """What is asked at a time of the run."""
    speed = SPEED if AHEAD_AT <= seconds < STOP_AT else 0.0
    return Reference(DEPTH, TURN if seconds >= TURN_AT else 0.0, speed)


def random_start(seed: int) -> Start:
    """A small random attitude and a weak random current, the same for the same seed."""
    generator = np.random.default_rng(seed)
    roll, pitch, heading, strength, direction = (
        START_TILT * generator.standard_normal(),
        START_TILT * generator.standard_normal(),
        START_HEADING * generator.standard_normal(),
        generator.uniform(WEAKEST_CURRENT, STRONGEST_CURRENT),
        2.0 * math.pi * generator.random(),
    )
    return Start(roll, pitch, heading, (strength * math.cos(direction), strength * math.sin(direction), 0.0))


def number_of_periods(duration: float) -> int:
    """Control periods in a run of so many seconds; ValueError when that is no sensible time."""
    if not 0.0 < duration <= 86_400.0:
        raise ValueError(f"duration is {duration:g} s: give more than 0 and at most 86400 (a day)")
    if duration * 1e9 < CONTROL_PERIOD_NS:
        raise ValueError(f"duration is {duration:g} s: give at least {_seconds(1):g} s, one control period")
    return round(duration * 1e9 / CONTROL_PERIOD_NS)


def dive_and_turn(
    plant: Plant, seed: int = 0, duration: float = DURATION, progress: Callable[[float], None] = lambda seconds: None
) -> DiveRun:
    """Run the scenario; Ctrl-C or a failure ends it early, which `stopped` of the result says.

    Parameters
    ----------
    plant
        A vehicle that can be driven in surge, heave and yaw.
    seed
        Chooses the start attitude and the current; the same seed gives the same numbers bit for bit.
    duration
        Seconds to simulate, in whole tenths.
    progress
        Called with the simulated seconds, about a hundred times per run.

    Raises
    ------
    ValueError
        When the vehicle cannot be driven this way or the duration is no sensible time.
    """
    periods, pilot, start = number_of_periods(duration), make_pilot(plant), random_start(seed)
    names, units = _columns(plant)
    rows = np.empty((periods + 1, len(names)))
    done, plant_seconds, stopped, started = 0, 0.0, None, time.perf_counter()
    try:
        for row, seconds in _rows(pilot, start, periods):
            rows[done] = row
            done, plant_seconds = done + 1, plant_seconds + seconds
            if done in (1, periods + 1) or done % max(1, periods // 100) == 0:
                progress(row[0])
    except KeyboardInterrupt:
        if not done:
            raise
        stopped = INTERRUPTED
    except RunError as error:
        stopped = f"after {_seconds(done - 1):.1f} s of the run, {error.what}"
    total_seconds = time.perf_counter() - started
    recording = Recording(names, units, rows[:done].copy())
    return DiveRun(plant, seed, start, pilot.slowed, recording, plant_seconds, total_seconds, stopped)


def _rows(pilot: Pilot, start: Start, periods: int) -> Iterator[tuple[Array, float]]:
    """Each row of the recording with the wall time that the plant took to get there."""
    plant = pilot.plant
    state = plant.initial_state((0.0, 0.0, START_DEPTH), from_euler_zyx(start.roll, start.pitch, start.heading))
    stepper = plant.stepper(CONTROL_PERIOD_NS / STEPS_PER_PERIOD / 1e9)
    surroundings = np.array([*ZERO_WRENCH, *start.water])
    taken = 0.0
    for k in range(periods + 1):
        asked = reference(_seconds(k))
        asked = asked._replace(speed=min(asked.speed, float(pilot.largest_speeds[0])))
        commands = commands_for(pilot, state, asked, start.water)
        angles = to_euler_zyx(quaternion_of(state))
        outputs = state[13 : 13 + commands.size]
        yield np.concatenate([[_seconds(k)], state[:13], angles, asked, outputs, commands]), taken
        if k < periods:
            before = time.perf_counter()
            for _ in range(STEPS_PER_PERIOD):
                state = stepper(state, commands, surroundings)
            taken = time.perf_counter() - before


def _columns(plant: Plant) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and units of a recording."""
    parameters = plant.vehicle.parameters
    output = "N" if parameters.thrust_law == OUTPUT_IS_FORCE else "rad/s"
    command = "command" if parameters.mapped_commands else "V" if any(parameters.motors) else output
    turning = len(parameters.fins) + len(parameters.servos)
    loads = [load_unit(load) for load in parameters.loads]
    names = ["time", *BODY_STATE_NAMES, "roll", "pitch", "heading", *ASKED]
    units = ["s", *_BODY_UNITS, "rad", "rad", "rad", "m", "rad", "m/s"]
    for what, unit in (("output", output), ("command", command)):
        names += [f"{what}_{name}" for name in plant.actuator_names]
        units += [unit] * len(parameters.thrusters) + ["rad"] * turning + loads
    return tuple(names), tuple(units)


def _seconds(period: int) -> float:
    return period * CONTROL_PERIOD_NS / 1e9
