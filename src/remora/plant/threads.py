"""Distribution of a batch over threads; compiled code runs without the interpreter's lock."""

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np


def shares(vehicles: int, together: int, most: int) -> list[tuple[int, int]]:
    """First and last vehicle of each chunk, at most `most` chunks; groups of `together` vehicles stay whole."""
    groups = -(-vehicles // together)
    count = min(most, groups)
    ends = np.arange(count + 1) * groups // count * together
    return list(itertools.pairwise(np.minimum(ends, vehicles).tolist()))


def work_off(share: Callable[[int, int], None], limits: list[tuple[int, int]], threads: int) -> None:
    """Process the chunks on several threads, this one included; each takes the next chunk when it is free."""
    left = iter(limits)

    def work() -> None:
        for first, last in left:
            share(first, last)

    helpers = min(threads, len(limits)) - 1
    if helpers == 0:
        return work()
    with ThreadPoolExecutor(helpers) as pool:
        tasks = [pool.submit(work) for _ in range(helpers)]
        work()
        for task in tasks:
            task.result()
