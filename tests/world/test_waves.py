"""Linear waves: dispersion, spectrum, and the motion of the water below."""

import math

import numpy as np
import pytest
from field_slopes import slopes_by_differences
from hypothesis import given, settings
from scipy.integrate import quad

from remora.equations.water.waves import RegularWave, jonswap, wave_motion, wave_number
from remora.sensors.errors.streams import Stream
from remora.world.water.waves import Waves
from sample_features import reals, three

SECOND = 1_000_000_000
GRAVITY = 9.81


def waves(seed=1, **changes):
    return Waves(1.5, 7.0, Stream(seed, "sea"), **{"direction": 0.6, **changes})


@given(reals(0.05, 8.0), reals(0.2, 5000.0))
def test_the_wave_number_fulfils_the_dispersion_relation(frequency, depth):
    k = wave_number(frequency, depth, GRAVITY)
    assert GRAVITY * k * math.tanh(k * depth) == pytest.approx(frequency**2, rel=1e-13)


def test_deep_and_shallow_limits():
    assert wave_number(1.0, math.inf, GRAVITY) == pytest.approx(1.0 / GRAVITY, rel=1e-15)
    k = wave_number(0.05, 2.0, GRAVITY)  # long against the depth: speed sqrt(g h)
    assert 0.05 / k == pytest.approx(math.sqrt(GRAVITY * 2.0), rel=1e-3)


@pytest.mark.parametrize("depth", [math.inf, 12.0])
def test_a_regular_wave_keeps_the_surface_and_the_bed(depth):
    """The surface rises with the water at it, and no water passes the bed."""
    wave = RegularWave(0.4, 0.9, wave_number(0.9, depth, GRAVITY), 0.7, 0.3)
    at = lambda d, t: wave_motion(wave, depth, (3.0, -2.0, d), t)  # noqa: E731
    rising = (at(0.0, 5.0 + 1e-5).elevation - at(0.0, 5.0 - 1e-5).elevation) / 2e-5
    assert -at(0.0, 5.0).velocity[2] == pytest.approx(rising, rel=1e-8)
    if depth < math.inf:
        assert at(depth, 5.0).velocity[2] == pytest.approx(0.0, abs=1e-15)
    # Bernoulli's equation, linear: water is moved by the slope of the surface, a = -g d(elevation)/dn.
    slope = (wave_motion(wave, depth, (3.0 + 1e-5, -2.0, 0.0), 5.0).elevation
             - wave_motion(wave, depth, (3.0 - 1e-5, -2.0, 0.0), 5.0).elevation) / 2e-5  # fmt: skip
    assert at(0.0, 5.0).rate[0] == pytest.approx(-GRAVITY * slope, rel=1e-8)


@pytest.mark.parametrize("depth", [math.inf, 12.0])
def test_the_slope_of_the_pressure_moves_the_water(depth):
    """Euler's equation, linear: the rate of the velocity is minus gravity times the gradient of the head."""
    sea, time_ns, place, h = waves(water_depth=depth, spreading=4.0), 7 * SECOND, np.array((3.0, -2.0, 2.0)), 1e-4
    water = sea.at(time_ns, tuple(place))
    for axis, step in enumerate(np.eye(3) * h):
        slope = (sea.at(time_ns, tuple(place + step)).head - sea.at(time_ns, tuple(place - step)).head) / (2.0 * h)
        assert water.rate[axis] == pytest.approx(-GRAVITY * slope, abs=1e-8)


def test_deep_water_fades_as_exp():
    wave = RegularWave(0.5, 1.2, wave_number(1.2, math.inf, GRAVITY), 0.0, 0.0)
    k = wave.wave_number
    assert wave_motion(wave, math.inf, (0.0, 0.0, 4.0), 0.0).velocity[0] == pytest.approx(0.6 * math.exp(-4.0 * k))
    assert wave_motion(wave, math.inf, (0.0, 0.0, 4.0), 0.0).head == pytest.approx(0.5 * math.exp(-4.0 * k))


@given(reals(0.0, 3000.0), three(80.0), reals(0.1, 20.0))
@settings(max_examples=30, deadline=None)
def test_gradient_and_rate_of_a_sea(time, place, depth):
    sea, time_ns = waves(spreading=4.0, water_depth=25.0, level=1.0), round((time + 1.0) * SECOND)
    here = (place[0], place[1], 1.0 + depth)
    water = sea.at(time_ns, here)
    gradient, rate = slopes_by_differences(sea, time_ns, here)
    assert np.array(water.gradient) == pytest.approx(gradient, abs=1e-7)
    assert water.rate == pytest.approx(rate, abs=1e-5)
    assert np.trace(water.gradient) == pytest.approx(0.0, abs=1e-14)  # no water is lost
    assert np.array(water.gradient) == pytest.approx(np.array(water.gradient).T)  # irrotational


@pytest.mark.parametrize("peakedness", [1.0, 3.3])
def test_the_spectrum_has_its_significant_height_and_peak(peakedness):
    """The area is (H / 4)^2; the factor 1 - 0.287 ln(peakedness) is a fit, good to 1 % of the height."""
    area = quad(jonswap, 0.05, 30.0, (2.0, 8.0, peakedness), limit=500)[0]
    below = math.exp(-1.25 * (2.0 * math.pi / 8.0 / 30.0) ** 4)  # share of Pierson and Moskowitz up to 30 rad/s
    assert 16.0 * area == pytest.approx(4.0 * below, rel=1e-8 if peakedness == 1.0 else 0.02)
    frequencies = np.linspace(0.3, 3.0, 20_001)
    peak = frequencies[np.argmax(jonswap(frequencies, 2.0, 8.0, peakedness))]
    assert peak == pytest.approx(2.0 * math.pi / 8.0, rel=1e-3)


def test_the_significant_height_is_four_deviations_of_the_elevation():
    sea = waves()
    assert 4.0 * math.sqrt(0.5 * np.sum(sea.components.amplitude**2)) == pytest.approx(1.5, rel=1e-12)
    heights = [sea.at(k * SECOND, (0.0, 0.0, 5.0)).surface for k in range(20_000)]
    assert 4.0 * np.std(heights) == pytest.approx(1.5, rel=0.02)
    assert np.mean(heights) == pytest.approx(0.0, abs=0.01)


def test_waves_run_where_they_are_told():
    """A wave that runs east raises the surface a little later a little further east; crests move the water along."""
    sea = waves(direction=0.5 * math.pi)
    water = [sea.at(k * SECOND // 4, (0.0, 0.0, 0.1)) for k in range(2000)]
    lifts, along = [-w.surface for w in water], [w.velocity[1] for w in water]
    assert np.corrcoef(lifts, along)[0, 1] > 0.95
    assert max(abs(w.velocity[0]) for w in water) < 1e-9
    spread = waves(spreading=2.0).components.direction - 0.6
    assert np.max(np.abs(spread)) < 0.5 * math.pi
    # Around the main direction with the deviation of cos^2 on a half turn, 0.57 rad.
    assert np.std(spread) == pytest.approx(math.sqrt(math.pi**2 / 12 - 0.5), rel=0.35)


def test_a_sea_is_its_seed_alone():
    place = (3.0, 4.0, 5.0)
    assert waves(7).at(9 * SECOND, place) == waves(7).at(9 * SECOND, place)
    assert waves(7).at(9 * SECOND, place) != waves(8).at(9 * SECOND, place)


def test_above_the_still_surface_the_motion_goes_on_linearly():
    sea = waves(level=2.0)
    surface, above = sea.at(SECOND, (1.0, 2.0, 2.0)), sea.at(SECOND, (1.0, 2.0, 1.5))
    assert above.gradient == surface.gradient
    expected = np.array(surface.velocity) - 0.5 * np.array(surface.gradient)[:, 2]
    assert above.velocity == pytest.approx(tuple(expected))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"peakedness": 0.5}, "peakedness"),
        ({"spreading": -1.0}, "spreading"),
        ({"water_depth": 0.0}, "water_depth"),
        ({"gravity": math.nan}, "gravity"),
        ({"direction": math.inf}, "finite"),
    ],
)
def test_bad_waves_are_refused_in_words(changes, words):
    with pytest.raises(ValueError, match=words):
        waves(**changes)
