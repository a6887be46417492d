"""What a current that varies costs: in the compiled plant alone, and in a loop that looks at the water now and then."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from remora.equations.algebra.vectors import ZERO3
from remora.equations.water.local_water import LAYERED_SIZE
from remora_evidence.benchmarks.loop import BARE_SECONDS, bare_setup
from remora_evidence.benchmarks.timing import quickest

if TYPE_CHECKING:  # the command's help must not wait for compiled code
    from remora.world.world import World

STEPS = 2000  # of 10 ms


def sea() -> "World":
    """A current sheared over three depths, with Gauss-Markov gusts of 2 cm/s and half a minute."""
    from remora.sensors.errors.streams import Stream
    from remora.world import CompositeCurrent, Gusts, Sheared, World

    shear = Sheared((0.0, 5.0, 20.0), ((0.3, 0.0, 0.0), (0.2, 0.1, 0.0), (0.1, 0.0, 0.0)))
    return World(CompositeCurrent((shear, Gusts((0.02, 0.02, 0.007), (30.0, 30.0, 30.0), Stream(1, "gusts")))))


def measure_currents(rounds: int = 100) -> Mapping[str, float | str]:
    """What shear and gusts add to the CPU time of the plant, and to that of the bare loop, in percent."""
    from remora.plant import initial_state, pack, rollout
    from remora.run.loop.loop import run
    from remora.vehicles import load_vehicle

    plain = bare_setup(BARE_SECONDS)
    moving = replace(plain, environment=sea())
    packed = pack(load_vehicle("bluerov2_heavy").parameters)
    start, commands = initial_state(packed, (0.0, 0.0, 5.0)), np.full(packed.actuators, 2.0)
    place = (0.0, 0.0, 5.0)
    row = sea().plant_row(sea().at(0, place), 0, place, ZERO3, 200_000_000, LAYERED_SIZE)
    works = {
        "plant": lambda: rollout(packed, start, commands, 0.01, water=row[:3], intervals=STEPS),
        "plant in the sea": lambda: rollout(packed, start, commands, 0.01, water=row, intervals=STEPS),
        "loop": lambda: run(plain),
        "loop in the sea": lambda: run(moving),
    }
    times = quickest(works, rounds)
    return {
        "current_plant_cost": 100.0 * (times["plant in the sea"] / times["plant"] - 1.0),
        "current_loop_cost": 100.0 * (times["loop in the sea"] / times["loop"] - 1.0),
    }
