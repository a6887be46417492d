"""Vehicles of a batch shared out among threads; compiled code runs without the interpreter's lock."""

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np


def shares(vehicles: int, together: int, most: int) -> list[tuple[int, int]]:
    """First and last vehicles of even shares, as many as wanted or possible; groups of the given size stay whole."""
    groups = -(-vehicles // together)
    count = min(most, groups)
    ends = np.arange(count + 1) * groups // count * together
    return list(itertools.pairwise(np.minimum(ends, vehicles).tolist()))


def work_off(share: Callable[[int, int], None], limits: list[tuple[int, int]], threads: int) -> None:
    """Let threads, this one among them, take the shares one after the other, so that none waits for a slow one."""
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
