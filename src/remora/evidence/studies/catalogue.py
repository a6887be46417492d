"""All studies by group; a room that brings a study adds it to the file of its group."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from remora.evidence.figure import Study
from remora.evidence.studies import whole_vehicle as checkcases
from remora.evidence.studies.falcon import (
    bench_tests as bench_falcon,
    coupling as bench_coupling,
    devices as falcon,
    latencies as falcon_motion,
    thrust_steps as falcon_steps,
)
from remora.evidence.studies.flatfish import (
    coupled_axes as flatfish_multi_dof,
    disturbed_records as flatfish_disturbed,
    engine as engines,
    gain_sweep as flatfish_gain_sweep,
    recorded_mission as flatfish_real,
    simulators as flatfish_simulators,
    single_axes as flatfish_identification,
    smoothing as flatfish_smoothing,
    thrusters as flatfish,
)
from remora.evidence.studies.gavia import (
    calm_water as gavia_identification,
    convergence as gavia_convergence,
    field_calibration as gavia_field,
    real_time as gavia_real_time,
    remus as gavia_remus,
    sensors as gavia,
    step_size as gavia_steps,
)
from remora.evidence.studies.identification import coverage, nonlinear_recovery
from remora.evidence.studies.modular import tank_tests as bench_modular
from remora.evidence.studies.mujoco import water as mujoco_water
from remora.evidence.studies.simu2vita import real_run, tunnel as simu2vita

GROUPS: dict[str, list[Study]] = {
    "simu2vita": [*simu2vita.STUDIES, *real_run.STUDIES],
    "flatfish": [
        *engines.STUDIES,
        *flatfish_identification.STUDIES,
        *flatfish_disturbed.STUDIES,
        *flatfish_multi_dof.STUDIES,
        *flatfish_simulators.STUDIES,
        *flatfish_gain_sweep.STUDIES,
        *flatfish_smoothing.STUDIES,
        *flatfish.STUDIES,
        *flatfish_real.STUDIES,
    ],
    "falcon": [
        *bench_falcon.STUDIES,
        *falcon_steps.STUDIES,
        *bench_coupling.STUDIES,
        *falcon.STUDIES,
        *falcon_motion.STUDIES,
    ],
    "modular": bench_modular.STUDIES,
    "gavia": [
        *gavia_identification.STUDIES,
        *gavia_convergence.STUDIES,
        *gavia_field.STUDIES,
        *gavia_real_time.STUDIES,
        *gavia_steps.STUDIES,
        *gavia.STUDIES,
        *gavia_remus.STUDIES,
    ],
    "mujoco": mujoco_water.STUDIES,
    "checkcases": checkcases.STUDIES,
    "identification": [*coverage.STUDIES, *nonlinear_recovery.STUDIES],
}


def all_studies() -> list[Study]:
    """Every study, in the order of the groups."""
    return [study for group in GROUPS.values() for study in group]


def find_study(name: str) -> Study:
    """The study of an id."""
    return next(study for study in all_studies() if study.id == name)


def chosen(words: Iterable[str]) -> list[Study]:
    """The studies that ids and names of groups ask for, each once, in the order of the registry.

    Raises
    ------
    ValueError
        With a suggestion, when a word is neither an id nor a group. Small and capital letters are the same.
    """
    known = {study.id: [study] for study in all_studies()} | GROUPS
    spelled = {word.lower(): word for word in known}
    wanted: set[str] = set()
    for word in words:
        if word.lower() not in spelled:
            raise ValueError(f"there is no study or group {word!r}. {_hint(word, spelled)}")
        wanted |= {study.id for study in known[spelled[word.lower()]]}
    return [study for study in all_studies() if study.id in wanted]


def _hint(word: str, spelled: Mapping[str, str]) -> str:
    """The words that look most like a wrong one, spelled as they should be."""
    near = get_close_matches(word.lower(), spelled, n=2, cutoff=0.6)
    if near:
        return "Did you mean " + " or ".join(spelled[one] for one in near) + "?"
    return f"Groups: {', '.join(GROUPS)}; `remora reproduce` lists all studies."
