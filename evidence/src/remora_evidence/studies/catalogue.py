"""All studies by group."""

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from remora.files.did_you_mean import nearest
from remora.files.registries import modules_in
from remora_evidence.assessment import Study
from remora_evidence.requirements import StudyFunction, read_studies
from remora_evidence.studies import case_studies


def _of_source(name: str) -> list[Study]:
    """The studies of a source, in the order of its file; the functions are in `STUDIES` of its modules."""
    runs: dict[str, StudyFunction] = {}
    for module in modules_in(f"{__package__}.{name}"):
        runs |= getattr(import_module(module), "STUDIES", {})
    return read_studies(Path(__file__).parent / name / "printed.yaml", runs)


NAMES = (
    "simu2vita", "flatfish", "falcon", "control", "modular", "gavia", "navigation", "mujoco", "checkcases",
    "identification",
)  # fmt: skip
GROUPS: dict[str, list[Study]] = {
    name: case_studies.STUDIES if name == "checkcases" else _of_source(name) for name in NAMES
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

    Small and capital letters are the same. Raises a ValueError with a suggestion for a word that is neither.
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
