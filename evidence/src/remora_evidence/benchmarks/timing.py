"""Times several pieces of work against each other on a machine that others use too.

All are run in turns, in windows of a few milliseconds, and the quickest window of each counts. What disturbs a
machine only ever makes a window longer, so with many short windows the quickest ones are nearly undisturbed, and
because the pieces take turns none of them has the quiet minutes for itself.
"""

import gc
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Work = Callable[[], Any]
Name = TypeVar("Name")


def quickest(
    works: Mapping[Name, Work], rounds: int, clock: Callable[[], float] = time.process_time
) -> dict[Name, float]:
    """Seconds of the quickest window of each piece of work: CPU time unless another clock is given."""
    best = dict.fromkeys(works, float("inf"))
    for work in works.values():
        work()  # what happens only the first time is not what is asked for
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, work in works.items():
                start = clock()
                work()
                best[name] = min(best[name], clock() - start)
    finally:
        if collecting:
            gc.enable()
    return best
