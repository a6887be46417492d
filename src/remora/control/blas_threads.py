"""BLAS on one thread: matrices of a controller are too small for a second one, which would also change last digits."""

from contextlib import AbstractContextManager
from functools import cache

import threadpoolctl


def single_blas_thread() -> AbstractContextManager[object]:
    """Context in which NumPy and SciPy use one thread."""
    return _libraries().limit(limits=1, user_api="blas")


@cache
def _libraries() -> threadpoolctl.ThreadpoolController:
    """The BLAS libraries of this process; finding them takes 10 ms, limiting them 15 us."""
    return threadpoolctl.ThreadpoolController()
