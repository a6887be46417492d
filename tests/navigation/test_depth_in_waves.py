"""A filter that knows the sea state is not surer of its depth than the pressure of the waves allows."""

import numpy as np
import pytest

from remora.messages.site import SeaState
from remora.navigation.consistency import average_bounds
from remora.navigation.inertial.inertial_filter import make_inertial_filter
from remora.navigation.inertial.reading_noise import ExpectedWaves
from remora.navigation.inertial.recorded_readings import filter_arrays
from remora.navigation.inertial.suite import sensor_suite
from remora.run.plant.environment import LocalEnvironment
from remora.sensors import RecordedSuite, recorded_motion
from remora.sensors.errors.streams import Stream
from remora.sensors.stated_errors import stated_errors
from remora.world.ground.beds import FlatBed
from remora.world.scene import Scene
from remora.world.water.local_water import CompositeCurrent
from remora.world.water.waves import Waves
from remora.world.world import World
from suite_flights import SITE, SUITE, error_of, flight, launch_of

HEIGHT, PERIOD, RUNS = 1.0, 5.0, 20
SEA = SeaState(HEIGHT, PERIOD, 3.3, np.inf)
LIFT = 5.0  # m, by which the flight of the suite is nearer to the surface: 3 m deep


def sea(seed):
    return Waves(HEIGHT, PERIOD, Stream(seed, "sea"))


def nees_of_depth(site):
    """Mean over the times and runs of the squared error of the depth over its variance."""
    truths = {t: one._replace(p_NB=(*one.p_NB[:2], one.p_NB[2] - LIFT)) for t, one in flight(30.0, speed=0.2).items()}
    motion = recorded_motion(
        np.array(list(truths)),
        *(np.array(column) for column in zip(*(one[1:5] for one in truths.values()), strict=True)),
    )
    made = make_inertial_filter(sensor_suite(SUITE, {one.name: stated_errors(one) for one in SUITE}, site))
    squares = []
    for seed in range(RUNS):
        waves = sea(seed)
        world = World(water=CompositeCurrent((waves,), 0.0), scene=Scene((), FlatBed(30.0)))

        def place(truth, world=world, waves=waves):
            return LocalEnvironment(world, head=lambda p: waves.at(truth.time_ns, p).head)

        drawn = RecordedSuite(SUITE, motion, place, "rov").draw(seed)
        found = filter_arrays(made, launch_of(truths, np.random.default_rng(seed)), drawn, apart=1.0, in_order=True)
        rows = [i for i, time in enumerate(found.stamps_ns.tolist()) if time in truths][3:]
        errors = np.array([error_of(made, truths[int(found.stamps_ns[i])], found.states[i])[2] for i in rows])
        squares.append(np.mean(errors**2 / [found.covariance(i)[2, 2] for i in rows]))
    return float(np.mean(squares))


def test_the_depth_is_not_overconfident_in_waves():
    """The average over 20 runs stays below the upper end of its 99 % interval; without the sea state it does not."""
    highest = average_bounds(1, RUNS)[1]
    assert nees_of_depth(SITE._replace(sea_state=SEA)) < highest
    assert nees_of_depth(SITE) > highest


@pytest.mark.parametrize("depth", [0.5, 3.0, 10.0])
def test_expected_waves_have_the_deviation_of_a_simulated_sea(depth):
    seas = [sea(seed) for seed in range(4)]
    heads = [one.at(k * 1_000_000_000, (0.0, 0.0, depth)).head for one in seas for k in range(0, 3000, 3)]
    expected = ExpectedWaves(SEA, SITE, 0.0).deviation(depth)
    assert SITE.density * SITE.gravity * np.std(heads) == pytest.approx(expected, rel=0.1)
