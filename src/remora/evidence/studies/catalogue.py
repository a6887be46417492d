"""All studies by group."""

from collections import ChainMap
from collections.abc import Iterable
from pathlib import Path

from remora.evidence.assessment import Study
from remora.evidence.requirements import StudyFunction, read_studies
from remora.evidence.studies import case_studies
from remora.evidence.studies.control import frozen_problems, station_keeping, thruster_failures
from remora.evidence.studies.falcon import (
    bench_tests,
    coupling,
    devices,
    guidance,
    latencies,
    mast,
    navigation_filter,
    thrust_steps,
    transponder_survey,
    velocity_control,
)
from remora.evidence.studies.flatfish import (
    coupled_axes,
    disturbed_records,
    engine,
    gain_sweep,
    recorded_mission,
    simulators,
    single_axes,
    smoothing,
    thrusters,
)
from remora.evidence.studies.gavia import (
    calm_water,
    convergence,
    fused_legs,
    localisation,
    model_aided,
    real_time,
    remus,
    sensors,
    step_size,
)
from remora.evidence.studies.identification import coverage, nonlinear_recovery
from remora.evidence.studies.modular import (
    assemblies,
    assembly_faults,
    docking,
    linked_modules,
    port_docking,
    tank_tests,
    time_warping,
)
from remora.evidence.studies.mujoco import water
from remora.evidence.studies.navigation import faults, nees, pool_recording
from remora.evidence.studies.simu2vita import real_run, tunnel
from remora.files.did_you_mean import nearest


def _of_source(name: str, *runs: dict[str, StudyFunction]) -> list[Study]:
    """The studies of a source, in the order of its file."""
    return read_studies(Path(__file__).parent / name / "printed.yaml", dict(ChainMap(*runs)))


GROUPS: dict[str, list[Study]] = {
    "simu2vita": _of_source("simu2vita", tunnel.STUDIES, real_run.STUDIES),
    "flatfish": _of_source(
        "flatfish",
        engine.STUDIES,
        single_axes.STUDIES,
        disturbed_records.STUDIES,
        coupled_axes.STUDIES,
        simulators.STUDIES,
        gain_sweep.STUDIES,
        smoothing.STUDIES,
        thrusters.STUDIES,
        recorded_mission.STUDIES,
    ),
    "falcon": _of_source(
        "falcon",
        bench_tests.STUDIES,
        thrust_steps.STUDIES,
        coupling.STUDIES,
        devices.STUDIES,
        transponder_survey.STUDIES,
        latencies.STUDIES,
        mast.STUDIES,
        navigation_filter.STUDIES,
        guidance.STUDIES,
        velocity_control.STUDIES,
    ),
    "control": _of_source("control", frozen_problems.STUDIES, station_keeping.STUDIES, thruster_failures.STUDIES),
    "modular": _of_source(
        "modular",
        tank_tests.STUDIES,
        time_warping.STUDIES,
        linked_modules.STUDIES,
        assemblies.STUDIES,
        docking.STUDIES,
        port_docking.STUDIES,
        assembly_faults.STUDIES,
    ),
    "gavia": _of_source(
        "gavia",
        calm_water.STUDIES,
        convergence.STUDIES,
        fused_legs.STUDIES,
        localisation.STUDIES,
        model_aided.STUDIES,
        real_time.STUDIES,
        step_size.STUDIES,
        sensors.STUDIES,
        remus.STUDIES,
    ),
    "navigation": _of_source("navigation", nees.STUDIES, faults.STUDIES, pool_recording.STUDIES),
    "mujoco": _of_source("mujoco", water.STUDIES),
    "checkcases": case_studies.STUDIES,
    "identification": _of_source("identification", coverage.STUDIES, nonlinear_recovery.STUDIES),
}


# Rows of a test matrix that other studies hold.
OTHER_IDS = {
    "modular-17.7": ("modular-14.1",),
    "modular-17.8": ("modular-14.2",),
    "modular-17.9": ("modular-14.3", "modular-14.5", "modular-14.6", "modular-14.7"),
}


def all_studies() -> list[Study]:
    """Every study, in the order of the groups."""
    return [study for group in GROUPS.values() for study in group]


def find_study(name: str) -> Study:
    """The study of an id."""
    return next(study for study in all_studies() if study.id == name)


def chosen(words: Iterable[str]) -> list[Study]:
    """The studies of some ids and names of groups, each once, in the order of the catalogue.

    Raises
    ------
    ValueError
        With a suggestion, when a word is neither an id nor a group. Small and capital letters are the same.
    """
    known = {study.id: [study] for study in all_studies()} | GROUPS
    known |= {other: [find_study(name) for name in names] for other, names in OTHER_IDS.items()}
    spelled = {word.lower(): word for word in known}
    wanted: set[str] = set()
    for word in words:
        if word.lower() not in spelled:
            near = nearest(word, known)
            groups = f"Groups: {', '.join(GROUPS)}; `remora reproduce` lists all studies."
            hint = f"Did you mean {' or '.join(near)}?" if near else groups
            raise ValueError(f"there is no study or group {word!r}. {hint}")
        wanted |= {study.id for study in known[spelled[word.lower()]]}
    return [study for study in all_studies() if study.id in wanted]
