"""All measurements, in the order in which they run, and their groups; `goals.yaml` has their figures and goals."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from remora.files.did_you_mean import suggestion
from remora_evidence.assessment import Study
from remora_evidence.benchmarks import (
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
from remora_evidence.benchmarks.control import allocation, control_loops, docking
from remora_evidence.benchmarks.missions import mission_speeds
from remora_evidence.benchmarks.mujoco import linked_bodies, mujoco_water
from remora_evidence.benchmarks.navigation import falcon_filter, filter_start, filters, monte_carlo
from remora_evidence.requirements import StudyFunction, read_studies

# A measurement returns a number for each of its figures by name, or the reason why there is none.
Measure: TypeAlias = Callable[[], Mapping[str, float | str]]

GROUPS: dict[str, dict[str, Measure]] = {
    "plant": {
        "steps in a loop": steps.measure_loop,
        "one call per step": steps.measure_calls,
        "packing a vehicle": steps.measure_packing,
        "many vehicles on one core": steps.measure_batch,
        "many vehicles on several cores": steps.measure_cores,
        "a prepared batch": batches.measure_environment,
        "variants of a vehicle": batches.measure_variations,
        "Plant.step in a loop": batches.measure_plant_step,
        "exact derivatives": estimators.measure_derivatives,
    },
    "missions": {
        "the tunnel mission": mission_speeds.measure_mission,
        "the tunnel mission by its sensors": mission_speeds.measure_sensor_mission,
        "an ROV on its umbilical in waves": mission_speeds.measure_open_sea,
        "the Falcon with filter and adaptive control": mission_speeds.measure_falcon_mission,
        "a bare loop": loop.measure_bare_loop,
        "a current with shear and gusts": currents.measure_currents,
        "memory of an hour": loop.measure_memory,
    },
    "campaign": {"a campaign of tunnel missions": mission_speeds.measure_campaign},
    "monte_carlo": {"a hundred runs of a filter": monte_carlo.measure_monte_carlo},
    "control": {
        "control allocation": allocation.measure_allocation,
        "gain selection": control_loops.measure_tuning,
        "predictive control": control_loops.measure_predictive,
        "cooperative docking": docking.measure_docking,
        "docking of ten vehicles": docking.measure_ring,
    },
    "navigation": {
        "a cycle of a filter": filters.measure_filter,
        "an hour through a filter": filters.measure_replay,
        "a cycle of the Falcon filter": falcon_filter.measure_falcon_filter,
        "readings over a recorded motion": readings.measure_readings,
    },
    "identification": {
        "a trajectory fit": fits.measure_output_error,
        "a regression of an hour": fits.measure_hour,
        "recursive least squares": estimators.measure_recursive,
    },
    "bodies": {
        "water inside MuJoCo": mujoco_water.measure_water,
        "a vehicle on a tether": tethers.measure_tether,
        "chains and rings of linked bodies": linked_bodies.measure_linked_bodies,
    },
    "startup": {
        "start with compiled kernels": startup.measure_warm_start,
        "remora --help": startup.measure_help,
        "start of a navigation filter": filter_start.measure_filter_start,
        "start with an empty cache (compiles everything)": startup.measure_cold_start,
    },
}
LONG = ("campaign", "monte_carlo")  # groups that run only when they are named, or with all others on demand
MEASURES: dict[str, Measure] = {title: measure for group in GROUPS.values() for title, measure in group.items()}


def _study_function(title: str) -> StudyFunction:
    return lambda seeds: MEASURES[title]().items()


MEASUREMENTS: list[Study] = read_studies(
    Path(__file__).with_name("goals.yaml"), {title: _study_function(title) for title in MEASURES}
)


def chosen(names: Iterable[str], everything: bool = False) -> list[Study]:
    """Measurements of some groups; without names those of all groups, long ones only where everything is asked for.

    Raises a ValueError with a suggestion for an unknown group.
    """
    wanted = list(names) or [group for group in GROUPS if everything or group not in LONG]
    for name in wanted:
        if name not in GROUPS:
            raise ValueError(f"there is no group {name!r}. {suggestion(name, GROUPS)}")
    left_out = {title for group, titles in GROUPS.items() if group not in wanted for title in titles}
    return [study for study in MEASUREMENTS if study.title not in left_out]
