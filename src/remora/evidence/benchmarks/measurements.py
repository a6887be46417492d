"""All measurements, in the order in which they run; `goals.yaml` has their figures and goals."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from remora.evidence.assessment import Study
from remora.evidence.benchmarks import (
    batches,
    currents,
    estimators,
    fits,
    loop,
    readings,
    startup,
    steps,
    tethers,
)
from remora.evidence.benchmarks.control import allocation, control_loops, docking
from remora.evidence.benchmarks.mujoco import linked_bodies, mujoco_water
from remora.evidence.benchmarks.navigation import falcon_filter, filters
from remora.evidence.requirements import StudyFunction, read_studies

# A measurement returns a number for each of its figures by name, or the reason why there is none.
Measure: TypeAlias = Callable[[], Mapping[str, float | str]]

MEASURES: dict[str, Measure] = {
    "steps in a loop": steps.measure_loop,
    "one call per step": steps.measure_calls,
    "packing a vehicle": steps.measure_packing,
    "many vehicles on one core": steps.measure_batch,
    "many vehicles on several cores": steps.measure_cores,
    "a prepared batch": batches.measure_environment,
    "variants of a vehicle": batches.measure_variations,
    "Plant.step in a loop": batches.measure_plant_step,
    "the tunnel mission": loop.measure_mission,
    "a bare loop": loop.measure_bare_loop,
    "a current with shear and gusts": currents.measure_currents,
    "control allocation": allocation.measure_allocation,
    "gain selection": control_loops.measure_tuning,
    "predictive control": control_loops.measure_predictive,
    "exact derivatives": estimators.measure_derivatives,
    "a cycle of a filter": filters.measure_filter,
    "an hour through a filter": filters.measure_replay,
    "a cycle of the Falcon filter": falcon_filter.measure_falcon_filter,
    "readings over a recorded motion": readings.measure_readings,
    "memory of an hour": loop.measure_memory,
    "a trajectory fit": fits.measure_output_error,
    "a regression of an hour": fits.measure_hour,
    "recursive least squares": estimators.measure_recursive,
    "docking by agreement": docking.measure_docking,
    "docking of ten vehicles": docking.measure_ring,
    "water inside MuJoCo": mujoco_water.measure_water,
    "a vehicle on a tether": tethers.measure_tether,
    "chains and rings of linked bodies": linked_bodies.measure_linked_bodies,
    "start with compiled kernels": startup.measure_warm_start,
    "remora --help": startup.measure_help,
    "start with an empty cache (compiles everything)": startup.measure_cold_start,
}


def _study_function(title: str) -> StudyFunction:
    return lambda seeds: MEASURES[title]().items()


MEASUREMENTS: list[Study] = read_studies(
    Path(__file__).with_name("goals.yaml"), {title: _study_function(title) for title in MEASURES}
)
