"""The linearisation cancels the vehicle's own equations, compiled and plain alike."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given

from remora.control import FeedbackLinearisation, linearising_wrench
from remora.control.parts.controllers import LinearisationPart
from remora.equations.algebra.quaternions import from_euler_zyx, normalize
from remora.equations.packed import hull_at
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput
from remora.plant import derivative, pack
from remora.plant.pack import resting_outputs
from remora.vehicles import load_vehicle
from sample_features import packed_features, quaternions, twists

FEATURES = packed_features()


def test_compiled_is_plain_for_a_hull():
    packed = pack(load_vehicle("vita1").parameters)
    linearisation, hull = FeedbackLinearisation(packed), hull_at(packed.row.tolist())

    @given(quaternions, twists)
    def same(q, twist):
        q = normalize(q)
        body = np.array([1.0, 2.0, 3.0, *q, *twist])
        assert linearisation.wrench(body) == pytest.approx(linearising_wrench(hull, q, twist), rel=1e-12, abs=1e-10)

    same()


@pytest.mark.parametrize("name", FEATURES)
def test_with_its_wrench_the_vehicle_does_not_accelerate(name):
    """Lift, six matrices, strips, fins and two heave masses included; held axes do not move anyway."""
    packed = FEATURES[name]
    linearisation = FeedbackLinearisation(packed)

    @given(quaternions, twists)
    def still(q, twist):
        body = np.array([0.0, 0.0, 0.0, *normalize(q), *twist])
        commands = resting_outputs(packed)
        state = np.concatenate([body, commands, np.zeros(packed.layout.moving_masses)])
        free = derivative(packed, state, commands)[7:13]
        rate = derivative(packed, state, commands, external=linearisation.wrench(body))[7:13]
        assert np.abs(rate).max() <= 1e-9 * (1.0 + np.abs(free).max())

    still()


def test_level_neutral_and_at_rest_there_is_nothing_to_cancel():
    """C1."""
    linearisation = FeedbackLinearisation(pack(load_vehicle("vita1").parameters))
    assert np.abs(linearisation.wrench(np.array([0, 0, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0.0]))).max() < 1e-9


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_an_estimate_that_is_no_number_gives_no_wrench(bad):
    """C8; and the next good estimate is answered as if nothing had happened."""
    linearisation = FeedbackLinearisation(pack(load_vehicle("vita1").parameters))
    good = np.array([0, 0, 5, 0.9, 0.1, 0.2, 0.3, 0.4, 0.3, 0.2, 0.1, 0.2, 0.3])
    before = linearisation.wrench(good).copy()
    for i in range(3, 13):
        broken = good.copy()
        broken[i] = bad
        state, wrench = linearisation.step(linearisation.initial(), broken)
        assert state is None
        assert not wrench.any()
    assert np.array_equal(linearisation.wrench(good), before)


def test_arguments_are_left_alone_and_results_are_its_own():
    """T18."""
    linearisation = FeedbackLinearisation(pack(load_vehicle("vita1").parameters))
    body = np.linspace(0.1, 1.3, 13)
    kept = body.copy()
    first = linearisation.wrench(body)
    kept_first = first.copy()
    linearisation.wrench(2.0 * body)
    assert np.array_equal(body, kept)
    assert np.array_equal(first, kept_first)


def test_copies_and_pickles_give_the_same():
    linearisation, body = FeedbackLinearisation(pack(load_vehicle("vita1").parameters)), np.linspace(0.1, 1.3, 13)
    for other in (copy.deepcopy(linearisation), pickle.loads(pickle.dumps(linearisation))):
        assert np.array_equal(other.wrench(body), linearisation.wrench(body))


def test_the_part_acts_in_its_axes_only():
    """A heavy, tilted vehicle under way has something to cancel in all six."""
    law = FeedbackLinearisation(pack(load_vehicle("falcon").parameters))
    at = Estimate(0, (0.0, 0.0, 5.0), from_euler_zyx(0.2, -0.1, 0.5), (0.5, 0.2, -0.1, 0.1, 0.2, 0.3))
    now = PartInput(0, (), {}, at, None, (0.0,) * 6, (0.0,) * 6, None)
    _, whole = LinearisationPart(law).step((), now)
    _, some = LinearisationPart(law, (0.0, 1.0, 0.0, 0.0, 0.0, 1.0)).step((), now)
    assert min(map(abs, whole)) > 1e-6
    assert some == (0.0, whole[1], 0.0, 0.0, 0.0, whole[5])
