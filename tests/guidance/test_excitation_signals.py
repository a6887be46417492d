"""Generators of excitation: signals and manoeuvres as functions of time."""

import math

import numpy as np
import pytest

from remora.guidance import (
    ExcitationGuidance,
    Legs,
    ManoeuvreLeg,
    Multisine,
    Steps,
    TurningCircle,
    ZigZag,
    crest_factor,
    id1,
    low_crest_phases,
    schroeder_phases,
)


def rate_by_difference(signal, t, h=1e-6):
    return (signal.at(t + h)[0] - signal.at(t - h)[0]) / (2.0 * h)


def test_a_multisine_is_the_sum_of_its_lines_between_its_ramps():
    signal = Multisine((0.5, 0.2), (0.4, 1.1), (0.3, -1.0), ramp=5.0, start=10.0, stop=60.0)
    for t in (15.0, 33.0, 54.9):
        s = t - 10.0
        assert signal.at(t)[0] == pytest.approx(0.5 * math.sin(0.4 * s + 0.3) + 0.2 * math.sin(1.1 * s - 1.0))
    for t in (0.0, 9.99, 10.0, 60.0, 70.0):
        assert signal.at(t) == pytest.approx((0.0, 0.0), abs=1e-12)
    for t in (11.0, 14.0, 30.0, 56.0, 59.0):  # in both ramps too
        assert signal.at(t)[1] == pytest.approx(rate_by_difference(signal, t), abs=1e-7)


def test_phases_that_lower_the_crest():
    """Equal lines in phase have the worst crest; Schroeder's phases are better, the searched ones not worse."""
    frequencies = [0.2 * k for k in range(1, 9)]
    amplitudes = [1.0] * 8
    t = np.linspace(0.0, 2.0 * math.pi / 0.2, 1600, endpoint=False)

    def crest(phases):
        return crest_factor([Multisine((1.0,) * 8, tuple(frequencies), tuple(phases)).at(x)[0] for x in t])

    aligned = crest([0.5 * math.pi] * 8)
    schroeder = crest(schroeder_phases(amplitudes))
    searched = crest(low_crest_phases(amplitudes, frequencies, 2.0 * math.pi / 0.2))
    assert aligned == pytest.approx(4.0, abs=1e-9)  # eight cosines: peak 8 over rms 2
    assert schroeder < 2.2
    assert searched <= schroeder + 1e-6
    assert crest_factor(np.sin(t)) == pytest.approx(math.sqrt(2.0), rel=1e-2)


def test_zig_zags_and_steps():
    zig_zag = ZigZag(0.5, 10.0)
    assert [zig_zag.at(t)[0] for t in (0.0, 4.9, 5.1, 9.9, 10.1)] == [0.5, 0.5, -0.5, -0.5, 0.5]
    steps = Steps((1.0, 2.0, -1.0), 3.0)
    assert [steps.at(t)[0] for t in (0.0, 2.9, 3.1, 6.1, 100.0)] == [1.0, 1.0, 2.0, -1.0, -1.0]


@pytest.mark.parametrize("radius", [4.0, -4.0])
def test_a_turning_circle_keeps_its_radius_speed_and_heading(radius):
    circle = TurningCircle(radius, 0.5)
    for t in (0.0, 3.0, 17.0, 60.0):
        at = circle.at(t)
        assert math.hypot(at.ahead, at.right - radius) == pytest.approx(4.0)
        assert math.hypot(at.ahead_rate, at.right_rate) == pytest.approx(0.5)
        assert math.cos(math.atan2(at.right_rate, at.ahead_rate) - at.turned) == pytest.approx(1.0)
    assert circle.at(2.0 * math.pi * 4.0 / 0.5).ahead == pytest.approx(0.0, abs=1e-9)


def test_legs_join_without_a_jump_of_place():
    legs = Legs((ManoeuvreLeg(10.0, 0.3, 0.0, 0.5), ManoeuvreLeg(5.0, -0.3, 1.0, 0.4)))
    before, after, end = legs.at(10.0 - 1e-9), legs.at(10.0 + 1e-9), legs.at(1e3)
    assert (before.ahead, before.right) == pytest.approx((after.ahead, after.right), abs=1e-8)
    assert after.down == 1.0
    assert end.ahead == pytest.approx(5.0 * math.cos(0.3) + 2.0 * math.cos(0.3))
    assert end.ahead_rate == end.right_rate == 0.0


def test_id1_has_the_printed_times_and_stairs():
    """Randeni et al. 2018: zig-zags of heading to 260 s, of depth to 660 s, stairs from 450 to 975 rpm to 900 s."""
    manoeuvre = id1(1.95)
    assert manoeuvre.duration == pytest.approx(900.0)
    samples = {t: manoeuvre.at(float(t)) for t in range(0, 900, 2)}
    assert {round(abs(math.degrees(at.turned))) for t, at in samples.items() if t < 260} == {20}
    assert {at.turned for t, at in samples.items() if t >= 260} == {0.0}
    assert {at.down for t, at in samples.items() if 260 <= t < 660} == {0.0, 6.0}
    assert {at.down for t, at in samples.items() if not 260 <= t < 660} == {0.0}
    stairs = [math.hypot(at.ahead_rate, at.right_rate) for t, at in samples.items() if t >= 660]
    assert np.all(np.diff(stairs) >= 0.0)
    assert stairs[0] / stairs[-1] == pytest.approx(450.0 / 975.0)


def test_signals_come_on_top_of_a_manoeuvre_in_the_axes_of_the_start():
    part = ExcitationGuidance(sway=Steps((0.5,), 1.0), manoeuvre=TurningCircle(2.0, 0.4))
    state, _ = part.step(part.initial(), 0, (1.0, 1.0, 3.0), 0.5 * math.pi)
    _, reference = part.step(state, 2_000_000_000, (0.0, 0.0, 0.0), 0.0)
    at = TurningCircle(2.0, 0.4).at(2.0)
    assert reference.p_NR == pytest.approx((1.0 - (at.right + 0.5), 1.0 + at.ahead, 3.0))
    assert reference.heading == pytest.approx(0.5 * math.pi + at.turned)
    assert reference.heading_rate == pytest.approx(0.2)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Multisine((), (), ()),
        lambda: Multisine((1.0,), (0.0,), (0.0,)),
        lambda: Multisine((1.0,), (1.0, 2.0), (0.0,)),
        lambda: Multisine((1.0,), (1.0,), (0.0,), ramp=5.0, stop=8.0),
        lambda: ZigZag(1.0, 0.0),
        lambda: Steps((), 1.0),
        lambda: Steps((1.0,), -1.0),
        lambda: TurningCircle(0.0, 1.0),
        lambda: TurningCircle(1.0, math.nan),
        lambda: Legs(()),
        lambda: Legs((ManoeuvreLeg(0.0, 0.0, 0.0, 1.0),)),
    ],
)
def test_signals_that_make_no_sense_are_refused(make):
    with pytest.raises(ValueError):
        make()
