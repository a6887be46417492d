"""References of the tunnel mission and of excitation."""

import math

import numpy as np
import pytest

from remora.equations.algebra.quaternions import from_euler_xyz, from_euler_zyx
from remora.guidance import (
    ExcitationGuidance,
    Sinusoid,
    TunnelGoal,
    TunnelGuidance,
    TunnelMeasurements,
    simu2vita_guidance,
)

STEP = 50_000_000
TILTED = from_euler_xyz(math.radians(-5.0), math.radians(20.0), math.radians(15.0))


def guided(guidance, presents, goal):
    state, found = guidance.initial(), []
    for k, present in enumerate(presents):
        state, reference = guidance.step(state, k * STEP, goal, present)
        found.append(reference)
    return found


def test_references_start_from_what_is_and_end_at_what_is_wanted():
    present = TunnelMeasurements(0.05, 2.0, -2.1, TILTED)
    found = guided(simu2vita_guidance(), [present] * 450, TunnelGoal(surge=0.2))
    first, last = found[0], found[-1]
    assert (first.surge, first.surge_rate, first.lateral, first.vertical) == (0.05, 0.0, 2.0, -2.1)
    assert first.q_NR == pytest.approx(TILTED)
    assert (last.surge, last.surge_rate, last.lateral, last.vertical) == (0.2, 0.0, 0.0, 0.0)
    assert last.q_NR == (1.0, 0.0, 0.0, 0.0)
    assert found[200].surge == 0.2
    assert found[199].surge != 0.2
    assert found[400].lateral == 0.0
    assert found[399].lateral != 0.0
    speeds, accelerations = np.array([(r.surge, r.surge_rate) for r in found]).T
    assert np.gradient(speeds, 0.05) == pytest.approx(accelerations, abs=2e-4)


def test_an_offset_waits_for_its_first_echo():
    deaf, hearing = TunnelMeasurements(0.0, None, 1.0, TILTED), TunnelMeasurements(0.0, 1.5, 1.0, TILTED)
    found = guided(TunnelGuidance(), [deaf] * 10 + [hearing] * 410, TunnelGoal(surge=0.2, lateral=0.3))
    assert found[9].lateral == 0.3
    assert found[10].lateral == 1.5
    assert found[-1].lateral == 0.3


def test_an_echo_lost_on_the_way_changes_no_reference():
    hearing, deaf = TunnelMeasurements(0.0, 1.5, 1.0, TILTED), TunnelMeasurements(0.0, None, None, TILTED)
    whole = guided(TunnelGuidance(), [hearing] * 100, TunnelGoal(surge=0.2))
    broken = guided(TunnelGuidance(), [hearing] * 20 + [deaf] * 80, TunnelGoal(surge=0.2))
    assert whole == broken


def test_the_vertical_reference_swings():
    present = TunnelMeasurements(0.25, 0.0, 0.0, (1.0, 0.0, 0.0, 0.0))
    found = guided(simu2vita_guidance(Sinusoid(0.6, 40.0)), [present] * 1000, TunnelGoal(surge=0.25))
    times = np.arange(1000) * 0.05
    assert [r.vertical for r in found] == pytest.approx(0.6 * np.sin(2 * np.pi * times / 40.0), abs=1e-9)
    assert [r.vertical_rate for r in found] == pytest.approx(0.03 * np.pi * np.cos(2 * np.pi * times / 40.0), abs=1e-9)


@pytest.mark.parametrize("axis", ["surge", "sway", "heave", "yaw"])
def test_one_axis_swings_and_the_others_hold(axis):
    part = ExcitationGuidance.single(axis, 0.5, 0.3)
    state, start, heading = part.initial(), (1.0, 2.0, 3.0), 0.8
    state, _ = part.step(state, 7 * STEP, start, heading)
    state, reference = part.step(state, 7 * STEP + 2_000_000_000, (9.0, 9.0, 9.0), 0.0)
    swing = 0.5 * math.sin(0.6)
    along = {"surge": (math.cos(0.8), math.sin(0.8), 0.0), "sway": (-math.sin(0.8), math.cos(0.8), 0.0)}
    along |= {"heave": (0.0, 0.0, 1.0), "yaw": (0.0, 0.0, 0.0)}
    assert reference.p_NR == pytest.approx(tuple(p + swing * a for p, a in zip(start, along[axis], strict=True)))
    assert reference.heading == pytest.approx(0.8 + (swing if axis == "yaw" else 0.0))
    rate = 0.15 * math.cos(0.6)
    assert reference.v_NR_N == pytest.approx(tuple(rate * a for a in along[axis]))
    assert reference.heading_rate == pytest.approx(rate if axis == "yaw" else 0.0)


def test_all_four_swing_at_once_and_grow_over_their_ramp():
    part = ExcitationGuidance.all_four((0.4, 0.3, 0.2, 0.1), (0.2, 0.3, 0.4, 0.5), ramp=10.0)
    state, _ = part.step(part.initial(), 0, (0.0, 0.0, 0.0), 0.0)
    _, reference = part.step(state, 5_000_000_000, (0.0, 0.0, 0.0), 0.0)
    halves = [0.5 * a * math.sin(5.0 * w) for a, w in ((0.4, 0.2), (0.3, 0.3), (0.2, 0.4), (0.1, 0.5))]
    assert (*reference.p_NR, reference.heading) == pytest.approx(halves)


@pytest.mark.parametrize("ramp", [0.0, 3.0])
def test_the_rate_of_a_sinusoid_is_its_derivative(ramp):
    swing = Sinusoid(0.7, 5.0, ramp)
    for t in (0.5, 2.0, 4.0):
        value = (swing.at(t + 1e-6)[0] - swing.at(t - 1e-6)[0]) / 2e-6
        assert swing.at(t)[1] == pytest.approx(value, abs=1e-8)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="choose from surge, sway, heave, yaw"):
        ExcitationGuidance.single("roll", 1.0, 1.0)
    with pytest.raises(ValueError, match="frequency"):
        ExcitationGuidance.single("yaw", 1.0, 0.0)
    with pytest.raises(ValueError, match="period"):
        Sinusoid(1.0, 0.0)


def test_attitude_goal_of_the_real_run_is_reached_across_the_wrap():
    yaw = math.radians(-137.0)
    start, goal = from_euler_zyx(0.0, 0.0, math.radians(170.0)), from_euler_zyx(0.0, 0.0, yaw)
    found = guided(TunnelGuidance(), [TunnelMeasurements(0.0, 0.0, 0.0, start)] * 210, TunnelGoal(0.25, q_NB=goal))
    assert all(reference.w_NR_R[2] >= 0.0 for reference in found)  # 53 degrees to starboard, not 307 to port


def test_what_is_no_number_neither_starts_nor_changes_a_reference():
    """C8 for guidance: a NaN is waited out."""
    nan, lost = math.nan, TunnelMeasurements(math.nan, math.nan, 1.0, (math.nan,) * 4)
    good = TunnelMeasurements(0.1, 1.0, 1.0, TILTED)
    found = guided(TunnelGuidance(), [lost, good, lost], TunnelGoal(surge=0.2))
    assert (found[0].surge, found[0].lateral, found[0].q_NR) == (0.2, 0.0, (1.0, 0.0, 0.0, 0.0))
    assert (found[1].surge, found[1].lateral, found[1].q_NR) == (0.1, 1.0, pytest.approx(TILTED))
    state, _ = TunnelGuidance().step(TunnelGuidance().initial(), 0, TunnelGoal(0.2), good)
    _, kept = TunnelGuidance().step(state, 20 * STEP, TunnelGoal(0.2), good)
    _, same = TunnelGuidance().step(state, 20 * STEP, TunnelGoal(nan, nan, nan, (nan,) * 4), good)
    assert same == kept
    part = ExcitationGuidance.single("surge", 1.0, 0.1)
    waiting, _ = part.step(part.initial(), 0, (nan, 0.0, 0.0), 0.0)
    assert waiting == part.initial()
