"""CPU time of the Falcon's additive filter: prediction by the plant and one reading of each sensor of the sled."""

import math
from collections.abc import Mapping

import numpy as np

from remora.equations.geometry.earth import Geodetic
from remora.messages.site import Site
from remora.navigation.falcon.filter_setup import THRUSTERS, additive_filter
from remora.navigation.falcon.presets import additive_sigma
from remora.navigation.falcon.sled import KINDS, sled_of
from remora.navigation.filters import run, table_of_series
from remora.plant import pack
from remora.vehicles import load_vehicle
from remora_evidence.benchmarks.navigation.filters import refused_reading
from remora_evidence.benchmarks.timing import quickest
from remora_evidence.benchmarks.vehicle import SEED

CYCLES, PERIOD_NS = 200, 50_000_000
SITE = Site(1022.4, 9.81, 0.64, Geodetic(math.radians(48.65), 0.0, 0.0), True)
SPEEDS = (-20.0, -20.0, -20.0, -20.0, 5.0)  # rad/s


def measure_falcon_filter(rounds: int = 40) -> Mapping[str, float | str]:
    """One cycle within one compiled call, every reading used."""
    vehicle = load_vehicle("falcon")
    packed, sled = pack(vehicle.parameters), sled_of(vehicle.sensors, SITE, 1.0)
    made, random = additive_filter(packed, sled, "tuned"), np.random.default_rng(SEED)
    state = np.concatenate([[1.5, 0.0, 2.0, 1.0], np.zeros(15)])
    stamps = PERIOD_NS * np.arange(1, CYCLES + 1)
    series = {THRUSTERS: (stamps, np.tile(SPEEDS, (CYCLES, 1)))}
    for kind in KINDS:
        exact = made.aidings[kind].measure(tuple(state), SPEEDS, made.setup.parameters)
        noise = random.normal(size=(CYCLES, len(exact))) * made.aidings[kind].sigma
        series[kind] = (stamps, np.array(exact) + noise)
    table, start = table_of_series(series), made.initial(state, additive_sigma(), inputs=SPEEDS)
    problem = refused_reading(run(made, start, table))
    if problem:
        return {"falcon_filter_microseconds": problem}
    seconds = quickest({"run": lambda: run(made, start, table)}, rounds)
    return {"falcon_filter_microseconds": 1e6 * seconds["run"] / CYCLES}
