"""Runs one study and assesses its figures."""

import time

from remora.evidence.assessment import Assessment, DataAbsentError, Study
from remora.evidence.figure import AssessedFigure


def seeds_of(study: Study, seeds: int | None = None, full: bool = False) -> int:
    """Number of seeds a study is run with: a given number, all, or its own."""
    return seeds or (study.all_seeds if full else study.seeds)


def run_study(study: Study, seeds: int | None = None, full: bool = False) -> Assessment:
    """Run a study in this process with seeds 1, 2, ...; an exception becomes its message."""
    count, begun = seeds_of(study, seeds, full), time.process_time()
    figures: tuple[AssessedFigure, ...] = ()
    error = absent = ""
    try:
        figures = tuple(
            figure._replace(differs=figure.differs or study.differs) for figure in study.run(range(1, count + 1))
        )
    except DataAbsentError as missing:
        absent = str(missing)
    except Exception as raised:
        error = f"{type(raised).__name__}: {raised}"
    spent = time.process_time() - begun
    return Assessment(study.id, study.source, study.title, figures, error, absent, count, study.all_seeds, spent)
