"""A vehicle on a tether against real time: both stepped together from Python, 10 ms at a time."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from remora_evidence.benchmarks.timing import quickest

if TYPE_CHECKING:  # the command's help must not wait for compiled code
    from remora.run.plant.tethered_motion import Tethered

STEP = 0.01  # s
STEPS = 20  # in a window
WATER = (0.3, 0.1, 0.0)  # m/s
THRUST = (40.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def measure_tether(rounds: int = 100) -> Mapping[str, float | str]:
    """Seconds simulated per second of CPU with a tether of 50 nodes."""
    step, start = towing()

    def work() -> None:
        now = start
        for _ in range(STEPS):
            now = step(now)

    return {"tether_50_nodes": STEPS * STEP / quickest({"tether": work}, rounds)["tether"]}


def towing() -> "tuple[Callable[[Tethered], Tethered], Tethered]":
    """A step of a BlueROV2 that tows 100 m of neutral tether, and where it starts."""
    from remora.plant.plant import Plant
    from remora.run.plant.tethered_motion import TetheredPlant
    from remora.vehicles import load_vehicle
    from remora.world.tethers.ends import fixed_end
    from remora.world.tethers.tether import Tether, mass_of_weight

    plant = Plant(load_vehicle("bluerov2"))
    tether = Tether(100.0, 0.0076, mass_of_weight(0.0, 0.0076), 3e4, nodes=50)
    both = TetheredPlant(plant, tether, (-0.2, 0.0, 0.0), STEP)
    start = both.initial(plant.initial_state(position=(60.0, 0.0, 20.0)), (0.0, 0.0, 0.0), WATER)
    still, far = np.zeros(plant.packed.actuators), fixed_end((0.0, 0.0, 0.0))
    return (lambda now: both.step(now, still, far, WATER, external=THRUST)), start
