"""Errors of sensors on rows of numbers against the effects in Python: the same bits, lost samples included."""

import math

import numpy as np
import pytest

from remora.messages.truth import Truth
from remora.sensors.errors.compiled_errors import apply_errors, packed_errors, remainder
from remora.sensors.errors.distortions import (
    Bias,
    Clipping,
    CrossCoupling,
    Drift,
    Quantisation,
    ScaleFactor,
    SquareTerm,
    WrapAngles,
)
from remora.sensors.errors.noise import GaussMarkov, HiddenGroups, ProportionalNoise, RandomWalk, WhiteNoise
from remora.sensors.errors.streams import Stream

PERIOD_NS = 2_500_000
STREAM = Stream(3, "test")
EFFECTS = (
    ScaleFactor((0.1, -0.2, 0.3), (0.05, 0.1, -0.1)),
    SquareTerm((0.01, 0.02, -0.03)),
    CrossCoupling(((0.1, 0.2, 0.3), (0.0, -0.1, 0.4), (0.5, 0.0, 0.1))),
    Bias((0.3, -0.4, 0.5)),
    Drift((0.7, 0.0, -2.0)),
    GaussMarkov(STREAM.of("wander"), (0.3, 0.2, 0.1), (60.0, 0.0, 0.01)),
    RandomWalk(STREAM.of("walk"), (0.5, 0.1, 0.2)),
    WhiteNoise(STREAM.of("noise"), (0.1, 0.2, 0.0)),
    ProportionalNoise(STREAM.of("share"), (0.1, 0.0, 0.2), (0.01, 0.02, 0.03)),
    WrapAngles((True, False, True)),
    Clipping((3.0, 2.0, math.inf)),
    Quantisation((0.0, 0.01, 0.3)),
)


def test_errors_on_numbers_have_the_bits_of_the_effects():
    packed = packed_errors(EFFECTS, PERIOD_NS)
    assert packed is not None
    rng, states = np.random.default_rng(1), tuple(effect.initial() for effect in EFFECTS)
    row, noise = np.array(packed.numbers(states)), packed.noise(0, 200)
    for k in range(200):
        if k in (7, 8, 50):  # nothing to measure: no effect is applied
            continue
        truth, values = Truth(k * PERIOD_NS), tuple(rng.normal(0.0, 4.0, 3).tolist())
        if k == 20:
            values = (values[0], math.nan, values[2])
        found, after = np.array(values), []
        for effect, state in zip(EFFECTS, states, strict=True):
            state, values = effect.apply(state, values, truth, None, k)
            after.append(state)
        states = tuple(after)
        table = packed.table
        apply_errors(table, 0, len(table), packed.parameters, 0, found, truth.time_ns, noise[k], row, np.zeros(3))
        assert np.array_equal(found, values, equal_nan=True)
        assert packed.state(row.tolist()) == states
        assert packed.numbers(states) == row.tolist()


def test_an_effect_without_a_compiled_form_leaves_its_sensor_to_python():
    assert packed_errors((*EFFECTS, HiddenGroups(STREAM, 0.1, 1)), PERIOD_NS) is None


@pytest.mark.parametrize("value", [0.0, 3.1, 3.2, -3.2, 9.5, -9.5, 40.0, 1e6, 2.5 * math.tau, 1.5 * math.tau])
@pytest.mark.parametrize("step", [math.tau, 0.25, 0.3])
def test_the_remainder_is_that_of_the_library(value, step):
    assert float(remainder(value, step)) == math.remainder(value, step)
