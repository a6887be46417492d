"""Interim: recursive least squares in square-root information form."""

from typing import NamedTuple

import numpy as np

from remora.identification.record import Array


class Information(NamedTuple):
    factor: Array
    target: Array


def initial_information(start: Array, prior: float) -> Information:
    factor = np.eye(len(start)) / np.sqrt(prior)
    return Information(factor, factor @ start)


def updated(state: Information, row: Array, value: float, forgetting: float = 1.0) -> Information:
    k = len(row)
    stack = np.empty((k + 1, k + 1))
    stack[:k, :k], stack[:k, k] = state.factor, state.target
    stack[:k] *= np.sqrt(forgetting)
    stack[k, :k], stack[k, k] = row, value
    r = np.linalg.qr(stack, mode="r")
    return Information(r[:k, :k], r[:k, k])


def estimate(state: Information) -> Array:
    return np.linalg.solve(state.factor, state.target)
