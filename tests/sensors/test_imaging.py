"""Imaging sonars: which bin an echo falls into, how strong it is, how it speckles."""

import math

import numpy as np
import pytest
from sensor_runs import AT_REST, WATER, readings, sensor

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.run.plant.environment import LocalEnvironment
from remora.sensors import OpenWater, Status
from remora.world import Rectangle, Tunnel
from remora.world.scene import Scene
from remora.world.world import World

DOWN = from_euler_zyx(0.0, -math.pi / 2, 0.0)
HEIGHT = 15.0
THIN = {"vertical_angle": 1e-3, "rays": 1}  # one ray per beam


def image(made, truth=AT_REST, water=WATER):
    """The intensities of one ping: beams and bins."""
    (reading,) = readings(made, 1, truth, water)
    assert reading.status == Status.OK
    beams = {channel.name.split("_")[1] for channel in made.description.channels}
    return np.reshape(reading.values, (len(beams), -1))


@pytest.mark.parametrize("tilt", [0.0, 20.0, 50.0])
def test_a_ray_brings_back_the_cosine_of_its_incidence(tilt):
    """On a level bottom the incidence is the tilt, and the echo lies in the bin of its slant range."""
    made = sensor("imaging_sonar", q_BS=DOWN, speckle=False, bins=300, max_range=30.0, **THIN)
    (found,) = image(made, AT_REST._replace(q_NB=from_euler_zyx(0.0, math.radians(tilt), 0.0)))
    slant = HEIGHT / math.cos(math.radians(tilt))
    assert np.flatnonzero(found).tolist() == [math.floor(10.0 * slant + 1e-9)]
    assert found.max() == pytest.approx(math.cos(math.radians(tilt)), rel=1e-3)


def test_a_tall_beam_spreads_over_the_bins_of_its_slant_ranges():
    """From edge to edge of a beam that leans by 60 degrees: all that comes back, and from where."""
    tall = math.radians(20.0)
    made = sensor("imaging_sonar", q_BS=DOWN, speckle=False, bins=400, max_range=80.0, vertical_angle=tall, rays=200)
    (found,) = image(made, AT_REST._replace(q_NB=from_euler_zyx(0.0, math.radians(60.0), 0.0)))
    hit = np.flatnonzero(found) * 0.2
    lowest, highest = (HEIGHT / math.cos(math.radians(60.0) + lean) for lean in (-0.5 * tall, 0.5 * tall))
    assert (hit[0], hit[-1]) == pytest.approx((lowest, highest), abs=0.21)
    leaning = math.radians(60.0) + np.linspace(-0.5, 0.5, 200) * tall
    assert found.sum() == pytest.approx(np.cos(leaning).mean(), rel=1e-3)


def test_beams_of_a_fan_see_the_walls_of_a_tunnel():
    """Between walls 8 m apart the slant range is 4 / sin(bearing); ahead there is nothing, which is dark and no NaN."""
    tunnel = LocalEnvironment(
        World(scene=Scene((Tunnel(Rectangle(8.0, 8.0), (-50.0, 0.0, 5.0), length=100.0),))), lambda name: None
    )
    made = sensor(
        "imaging_sonar",
        q_BS=(1, 0, 0, 0),
        speckle=False,
        beams=5,
        fan_angle=math.pi,
        bins=100,
        max_range=10,
        **THIN,
    )
    found = image(made, AT_REST, tunnel)
    for beam, bearing in zip((0, 1, 3, 4), np.radians((-90.0, -45.0, 45.0, 90.0)), strict=True):
        slant, strength = 4.0 / abs(math.sin(bearing)), abs(math.sin(bearing))
        assert np.argmax(found[beam]) == pytest.approx(10.0 * slant, abs=1.0)
        assert found[beam].max() == pytest.approx(strength, rel=1e-2)
    assert (found[2] == 0.0).all()


def test_a_single_beam_turns_and_tells_its_angle():
    made = sensor("imaging_sonar", q_BS=(1, 0, 0, 0), step_angle=0.5, bins=10, speckle=False, **THIN)
    assert [channel.name for channel in made.description.channels][:2] == ["angle", "echo_001_0001"]
    angles = [reading.values[0] for reading in readings(made, 3)]
    np.testing.assert_allclose(angles, (0.0, 0.5, 1.0))


@pytest.mark.parametrize("looks", [1, 8])
def test_speckle_is_exponential_and_smoother_for_more_looks(looks):
    """Mean the intensity and the floor, deviation the mean by the root of the looks; for one look two thirds of e."""
    made = sensor("imaging_sonar", q_BS=DOWN, bins=2, max_range=20, noise_floor=0.1, looks=looks, **THIN)
    found = np.array([reading.values for reading in readings(made, 6000)])
    expected = np.array((0.1, 1.1))
    np.testing.assert_allclose(found.mean(axis=0), expected, rtol=0.05)
    np.testing.assert_allclose(found.std(axis=0), expected / math.sqrt(looks), rtol=0.06)
    if looks == 1:
        np.testing.assert_allclose((found > expected).mean(axis=0), math.exp(-1.0), atol=0.03)


def test_open_water_is_dark():
    made = sensor("imaging_sonar", q_BS=(1, 0, 0, 0), beams=3, bins=20, speckle=False)
    assert (image(made, AT_REST, OpenWater()) == 0.0).all()
