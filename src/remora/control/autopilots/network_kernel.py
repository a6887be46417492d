"""Learning and output of the adaptive network in one compiled call, which rounds as plain Python does."""

from functools import lru_cache
from typing import Any

import numpy as np
from numba import float64, void

from remora.equations.algebra.four_axes import Vector4
from remora.equations.control.adaptive_network import (
    Column9,
    Network,
    NetworkWeights,
    learned_weights,
    network_output,
)
from remora.files.arrays import Array
from remora.plant.strict import strict_kernel

INPUTS, HIDDEN, UNITS, OUTPUTS = 9, 5, 6, 4  # inputs with the bias, hidden units, those with the bias, outputs
SECOND = INPUTS * HIDDEN  # place of the output weights
WEIGHTS = SECOND + UNITS * OUTPUTS
_ROW = float64[::1]
SIGNATURE = void(_ROW, _ROW, float64, _ROW)


def network_at(row: Any) -> Network:
    """The constants of a network."""
    return Network((row[0], row[1], row[2], row[3], row[4]), row[5], row[6], row[7], row[8], row[9])


def nine_at(row: Any, k: int) -> Column9:
    """Nine numbers of a row."""
    return (
        row[k], row[k + 1], row[k + 2], row[k + 3], row[k + 4], row[k + 5], row[k + 6], row[k + 7], row[k + 8],
    )  # fmt: skip


def six_at(row: Any, k: int) -> Any:
    """Six numbers of a row."""
    return (row[k], row[k + 1], row[k + 2], row[k + 3], row[k + 4], row[k + 5])


def weights_at(row: Any, k: int) -> NetworkWeights:
    """Weights of a network."""
    inputs = (nine_at(row, k), nine_at(row, k + 9), nine_at(row, k + 18), nine_at(row, k + 27), nine_at(row, k + 36))
    m = k + SECOND
    return NetworkWeights(inputs, (six_at(row, m), six_at(row, m + 6), six_at(row, m + 12), six_at(row, m + 18)))


def learn(constants: Array, given: Array, period: float, out: Array) -> None:
    """Fill in the weights after a step of the learning law, then the output by those before it.

    `given` holds weights, input and filtered error.
    """
    network, weights, x = network_at(constants), weights_at(given, 0), nine_at(given, WEIGHTS)
    k = WEIGHTS + INPUTS
    after = learned_weights(network, weights, x, (given[k], given[k + 1], given[k + 2], given[k + 3]), period)
    output = network_output(network, weights, x)
    for i in range(HIDDEN):
        for j in range(INPUTS):
            out[INPUTS * i + j] = after.inputs[i][j]
    for i in range(OUTPUTS):
        for j in range(UNITS):
            out[SECOND + UNITS * i + j] = after.outputs[i][j]
        out[WEIGHTS + i] = output[i]


@lru_cache(maxsize=1)
def learning_kernel() -> Any:
    """Compiled `learn`, from the cache or compiled now."""
    return strict_kernel(learn, SIGNATURE, "the adaptive network", 4)


def learned(
    network: Network, weights: NetworkWeights, x: Column9, r: Vector4, period: float
) -> tuple[NetworkWeights, Vector4]:
    """Weights after a step of the learning law, and the output by those before it; r is the filtered error."""
    (a, b, c, d, e), (f, g, h, i) = weights
    given = np.array((*a, *b, *c, *d, *e, *f, *g, *h, *i, *x, *r))
    out = np.empty(WEIGHTS + OUTPUTS)
    learning_kernel()(np.array((*network.potentials, *network[1:])), given, period, out)
    numbers = out.tolist()
    surge, sway, heave, yaw = numbers[WEIGHTS:]
    return weights_at(numbers, 0), (surge, sway, heave, yaw)
