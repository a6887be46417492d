"""Fins in any arrangement: wanted moments come out of the plant's own fins, and back."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from remora.control import fin_mixing
from remora.equations.actuators.fins import Fin, fin_wrench
from remora.vehicles import load_vehicle

angles = st.floats(-0.1, 0.1)
triples = st.tuples(angles, angles, angles)


def with_tail(clock_angles, lengths=1.15, radii=0.14, areas=1.0):
    """The Gavia with fins at these angles from +y towards +z, each pushing along (0, -sin, cos) of its own."""
    gavia = load_vehicle("gavia").parameters
    count = len(clock_angles)
    lengths, radii, areas = (np.broadcast_to(x, count) for x in (lengths, radii, areas))
    fins = tuple(
        gavia.fins[0]._replace(
            position=(-float(x), float(r * np.cos(g)), float(r * np.sin(g))),
            normal=(0.0, float(-np.sin(g)), float(np.cos(g))),
            dynamic_area=float(a * gavia.fins[0].dynamic_area),
            drag_at_zero_lift=0.0,
            induced_drag=0.0,
        )
        for g, x, r, a in zip(clock_angles, lengths, radii, areas, strict=True)
    )
    return gavia._replace(fins=fins, fin_names=tuple(f"f{i}" for i in range(count)))


X_TAIL = with_tail(np.radians([45.0, 135.0, 225.0, 315.0]))
CROSS_TAIL = with_tail(np.radians([0.0, 90.0, 180.0, 270.0]))
ODD_TAIL = with_tail(np.radians([20.0, 100.0, 210.0, 250.0, 330.0]), [1.1, 0.9, 1.0, 1.2, 1.1], 0.2, [1, 2, 1, 1, 0.5])
TAILS = {"x": X_TAIL, "cross": CROSS_TAIL, "odd": ODD_TAIL}


def plant_moments(parameters, deflections, speed):
    """What the fins of the plant do, straight ahead or astern."""
    pairs = zip(parameters.fins, deflections, strict=True)
    return sum(np.array(fin_wrench(fin, float(d), (speed, 0.0, 0.0, 0.0, 0.0, 0.0)))[3:] for fin, d in pairs)


@pytest.mark.parametrize("name", TAILS)
def test_the_plants_fins_make_the_moments_that_were_asked_for(name):
    parameters, mixing = TAILS[name], fin_mixing(TAILS[name])

    @given(triples, st.sampled_from([1.6, 0.4, -0.8]))
    def made(share, speed):
        wanted = np.array(share) * mixing.gains * speed**2
        deflections = mixing.fins_from_moments(wanted, speed)
        assert plant_moments(parameters, deflections, speed) == pytest.approx(wanted, abs=1e-9)
        assert mixing.moments_from_fins(deflections, speed) == pytest.approx(wanted, abs=1e-9)

    made()


@pytest.mark.parametrize("name", TAILS)
def test_axes_to_fins_and_back(name):
    mixing = fin_mixing(TAILS[name])

    @given(triples)
    def there_and_back(axes):
        assert mixing.axes_from_fins(mixing.fins_from_axes(axes)) == pytest.approx(axes, abs=1e-12)

    there_and_back()
    for axis in np.eye(3):
        alone = mixing.fins_from_axes(0.1 * axis)
        assert np.abs(alone).max() == pytest.approx(0.1), "the fin that turns most turns by the deflection of the axis"
        assert mixing.axes_from_fins(alone) == pytest.approx(0.1 * axis, abs=1e-12)


def test_an_x_tail_as_its_drawing_has_it():
    """Gavia: fin i turns by -sin dy + cos dz + roll; a sway force at the tail gives N = x Y, a heave force M = -x Z."""
    clock, (roll, dy, dz) = np.radians([45.0, 135.0, 225.0, 315.0]), (0.02, 0.05, -0.03)
    drawn = -np.sin(clock) * dy + np.cos(clock) * dz + roll
    mixing, k = fin_mixing(X_TAIL), X_TAIL.fins[0].dynamic_area * X_TAIL.fins[0].lift_slope
    expected = [4 * k * 0.14 * roll, 1.15 * 2 * k * dz, -1.15 * 2 * k * dy]
    assert mixing.moments_from_fins(drawn, 1.0) == pytest.approx(expected)
    half = np.sqrt(0.5)
    assert mixing.axes_from_fins(drawn) == pytest.approx([roll, half * dz, -half * dy])


def test_a_cross_tail_uses_rudders_for_yaw_and_elevators_for_pitch():
    mixing = fin_mixing(CROSS_TAIL)
    assert np.abs(mixing.fins_from_axes([0.0, 0.1, 0.0])) == pytest.approx([0.1, 0.0, 0.1, 0.0], abs=1e-12)
    assert np.abs(mixing.fins_from_axes([0.0, 0.0, 0.1])) == pytest.approx([0.0, 0.1, 0.0, 0.1], abs=1e-12)
    assert mixing.fins_from_axes([0.1, 0.0, 0.0]) == pytest.approx([0.1] * 4)


def test_axes_that_the_fins_cannot_turn_are_named_and_left_alone():
    mixing = fin_mixing(load_vehicle("remus100").parameters)
    assert mixing.uncontrollable == ("roll",)
    assert mixing.fins_from_axes([0.1, 0.0, 0.0]) == pytest.approx([0.0, 0.0])
    assert mixing.axes_from_fins(mixing.fins_from_axes([0.0, 0.05, -0.02])) == pytest.approx([0.0, 0.05, -0.02])


def test_limits_keep_the_direction_of_the_moment_and_no_flow_no_deflection():
    mixing = fin_mixing(X_TAIL)
    deflections = mixing.fins_from_axes([0.3, 0.6, -0.1])
    assert np.abs(deflections).max() == pytest.approx(np.radians(20.0))
    axes = mixing.axes_from_fins(deflections)
    assert axes / axes[0] == pytest.approx([1.0, 2.0, -1.0 / 3.0])
    assert not mixing.fins_from_moments([1.0, 2.0, 3.0], 0.0).any()
    with pytest.raises(ValueError, match="no fins"):
        fin_mixing(load_vehicle("falcon").parameters)
    assert isinstance(X_TAIL.fins[0], Fin)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("name", ["gavia", "remus100"])
def test_no_fin_passes_its_limit_to_either_side(name, sign):
    mixing = fin_mixing(load_vehicle(name).parameters)
    for axis in range(3):
        fins = mixing.fins_from_moments([sign * 1e3 if i == axis else 0.0 for i in range(3)], 1.5)
        assert (np.abs(fins) <= mixing.limits * (1.0 + 1e-12)).all()
