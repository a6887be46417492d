"""For tests that spoil a study: it is judged by its own figures, and by nothing that was run before."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from remora_evidence.assessment import Assessment
from remora_evidence.runner import run_study
from remora_evidence.studies.catalogue import find_study


@contextmanager
def forgotten(module: ModuleType) -> Iterator[None]:
    """Modules keep what a seed ran: forget that before a change of their code and after it."""
    kept = [value for value in vars(module).values() if hasattr(value, "cache_clear")]
    for value in kept:
        value.cache_clear()
    yield
    for value in kept:
        value.cache_clear()


def judged_alone(name: str, seeds: int | None = 1) -> Assessment:
    """A study by the figures of this run, whatever all its seeds say."""
    return run_study(find_study(name)._replace(scores=None), seeds)
