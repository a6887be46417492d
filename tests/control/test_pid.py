"""PID: exact sums, no wind-up, no kick, and a stated answer to no measurement."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from remora.control import Pid, PidState
from sample_features import reals

DT = 0.05


def outputs(pid, references, measurements, **more):
    state, found = pid.initial(), []
    for reference, measurement in zip(references, measurements, strict=True):
        state, output = pid.step(state, reference, measurement, **more)
        found.append(output)
    return state, found


@given(st.lists(reals(-2.0, 2.0), min_size=2, max_size=30))
def test_rectangles_and_backward_difference(errors):
    _, found = outputs(Pid(DT, 3.0, 2.0, 0.5), errors, [0.0] * len(errors))
    slopes = np.diff(errors, prepend=errors[0]) / DT
    assert found == pytest.approx(3.0 * np.array(errors) + 2.0 * DT * np.cumsum(errors) + 0.5 * slopes)


def test_zero_error_gives_zero_command():
    """C1."""
    state, found = outputs(Pid(DT, 3.0, 2.0, 0.5), [0.7] * 50, [0.7] * 50)
    assert found == [0.0] * 50
    assert state.integral == 0.0


def test_feedforward_is_added():
    assert outputs(Pid(DT, 3.0), [1.0], [1.0], feedforward=4.0)[1] == [4.0]


def test_a_jump_of_the_reference_gives_no_kick_with_the_derivative_of_the_measurement():
    kicked = outputs(Pid(DT, 1.0, 0.0, 1.0), [0.0, 1.0], [0.0, 0.0])[1]
    calm = outputs(Pid(DT, 1.0, 0.0, 1.0, derivative_of="measurement"), [0.0, 1.0], [0.0, 0.0])[1]
    assert kicked[1] == pytest.approx(21.0)
    assert calm[1] == pytest.approx(1.0)
    moving = outputs(Pid(DT, 0.0, 0.0, 1.0, derivative_of="measurement"), [0.0, 0.0], [0.0, 0.1])[1]
    assert moving[1] == pytest.approx(-2.0)


def test_the_filter_of_the_derivative_settles_with_its_time_constant():
    pid = Pid(0.001, 0.0, 0.0, 1.0, filter_time=0.2)
    ramp = np.arange(2001) * 0.001
    found = outputs(pid, ramp, np.zeros(2001))[1]
    assert found[-1] == pytest.approx(1.0, abs=1e-4)
    assert found[200] == pytest.approx(1.0 - math.exp(-1.0), abs=0.005)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_no_wind_up_at_a_limit(sign):
    """C3: after a minute at the limit the output leaves it as soon as the error turns."""
    pid = Pid(DT, 1.0, 1.0, lowest=-2.0, highest=2.0)
    state, found = outputs(pid, [sign * 5.0] * 1200, [0.0] * 1200)
    assert found[-1] == sign * 2.0
    assert abs(state.integral) <= 2.0
    _, after = pid.step(state, -sign * 0.5, 0.0)
    assert sign * after < 2.0


@pytest.mark.parametrize("sign", [1, -1])
def test_no_wind_up_when_something_behind_is_at_its_limit(sign):
    pid = Pid(DT, 1.0, 1.0)
    state, _ = outputs(pid, [sign * 1.0] * 100, [0.0] * 100, blocked=sign)
    assert state.integral == 0.0
    state, _ = outputs(pid, [sign * 1.0] * 100, [0.0] * 100, blocked=-sign)
    assert state.integral == pytest.approx(sign * 5.0)


def test_a_negative_integral_gain_does_not_wind_up_either():
    pid = Pid(DT, -1.0, -1.0, lowest=-2.0, highest=2.0)
    state, found = outputs(pid, [5.0] * 1200, [0.0] * 1200)
    assert found[-1] == -2.0
    assert abs(state.integral) < 2.0


@pytest.mark.parametrize("missing", [None, math.nan, math.inf])
def test_no_measurement_gives_no_output_and_keeps_the_integral(missing):
    """C8 and N4: no measurement is no zero. After the gap the derivative starts anew."""
    pid = Pid(DT, 1.0, 1.0, 1.0)
    state, _ = outputs(pid, [1.0] * 10, [0.0] * 10)
    after, output = pid.step(state, 1.0, missing)
    assert output == 0.0
    assert after == PidState(state.integral)
    _, output = pid.step(after, 3.0, 0.0)
    assert output == pytest.approx(3.0 + state.integral + 0.15)


def test_a_nan_reference_is_as_good_as_none():
    assert Pid(DT, 1.0).step(PidState(), math.nan, 0.0)[1] == 0.0


@pytest.mark.parametrize(
    "numbers", [{"period": 0.0}, {"period": 1.0, "filter_time": -1.0}, {"period": 1.0, "lowest": 2.0, "highest": 1.0}]
)
def test_bad_input_is_refused(numbers):
    with pytest.raises(ValueError):
        Pid(proportional=1.0, **numbers)
