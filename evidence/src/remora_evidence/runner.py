"""Runs one study and assesses its figures."""

import time
from functools import partial
from typing import Any

from remora_evidence.assessment import Assessment, DataAbsentError, Study
from remora_evidence.seed_sets import disagreement, run_of_seeds, stored_run, with_odds, write_run


def seeds_of(study: Study, seeds: int | None = None, full: bool = False) -> int:
    """Number of seeds a study is run with: a given number, all, or its own."""
    return seeds or (study.all_seeds if full else study.seeds)


def run_study(study: Study, seeds: int | None = None, full: bool = False, store: bool = False) -> Assessment:
    """Run a study in this process with seeds 1, 2, ...; an exception becomes its message.

    Where chance enters, the run with all seeds decides: this one if it has them all, which `store` keeps for later, and
    else the one that is kept, which the seeds of this one must reproduce.
    """
    count, begun = seeds_of(study, seeds, full), time.process_time()
    made = partial(Assessment, study.id, study.source, study.title)
    try:
        found = made(**_found(study, count, full or store, store))
    except DataAbsentError as missing:
        found = made((), absent=str(missing))
    except Exception as raised:
        found = made((), error=f"{type(raised).__name__}: {raised}")
    figures = tuple(figure._replace(differs=figure.differs or study.differs) for figure in found.figures)
    return found._replace(figures=figures, seeds=count, seconds=time.process_time() - begun)


def _found(study: Study, count: int, all_seeds: bool, store: bool) -> dict[str, Any]:
    """Figures, and what all seeds say of them."""
    figures = tuple(study.run(list(range(1, count + 1))))
    if study.scores is None:
        return {"figures": figures}
    unlike = ""
    run = run_of_seeds(study.run, count, study.set_size) if all_seeds else stored_run(study.scores)
    if store and run:
        write_run(study.scores, run)
    if not all_seeds:
        unlike = disagreement(run, study.run, figures, count) if run else ""
    if run is not None and not unlike:
        figures = with_odds(figures, run)
    return {"figures": figures, "is_drawn": True, "run": run, "unlike": unlike}
