"""A vehicle on a tether: where it settles, and that the pull does not depend on the step, however stiff the line is."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_bvp

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.tether import pull_wrench
from remora.plant.plant import Plant
from remora.run.plant.tethered_motion import (
    WRENCHES,
    TetheredPlant,
    attachment,
    end_kernel,
    fill_end,
    unit_wrenches,
    vehicle_end,
    wrench_kernel,
)
from remora.vehicles import load_vehicle
from remora.vehicles.parameters import total_inertia
from remora.world.tethers.ends import fixed_end
from remora.world.tethers.models import SlackSpring
from remora.world.tethers.tether import END_SIZE, Tether, begin_kernel, begin_step, mean_pulls, pulls_kernel

SHIP = (0.0, 0.0, 0.0)


def steady_cable(tether, water, pull_on_line, far):
    """Place of the lower end of a cable at rest in a current, from the equations of a continuous cable in a plane.

    dT/ds = -(weight + drag), dr/ds = (1 + |T|/EA) T/|T|, from the vehicle (tension known) to the ship (place known).
    """
    weight = (tether.mass - tether.density * math.pi * tether.diameter**2 / 4.0) * tether.gravity
    dynamic = 0.5 * tether.density * tether.diameter

    def rates(s, y):
        _, _, tx, tz = y
        size = np.hypot(tx, tz)
        cos, sin = tx / size, tz / size
        along, across = water * cos, water * sin  # of the flow, on the line and square to it
        normal = dynamic * tether.normal_drag * np.abs(across) * across
        friction = dynamic * math.pi * tether.tangential_drag * np.abs(along) * along
        stretched = 1.0 + size / tether.stiffness
        return np.array([stretched * cos, stretched * sin, -(normal * sin + friction * cos),
                         -(-normal * cos + friction * sin + weight)])  # fmt: skip

    def conditions(start, end):
        return np.array([start[2] + pull_on_line[0], start[3] + pull_on_line[1], end[0] - far[0], end[1] - far[1]])

    s = np.linspace(0.0, tether.length, 60)
    guess = np.array([50.0 * (1.0 - s / tether.length), 80.0 * (1.0 - s / tether.length), 0 * s - 10.0, 0 * s - 20.0])
    solution = solve_bvp(rates, conditions, s, guess, tol=1e-6, max_nodes=20000)
    assert solution.success, solution.message
    return solution.y[:2, 0]


def test_vehicle_in_a_current_settles_where_a_continuous_cable_holds_it():
    """100 m of heavy line and a BlueROV2 that thrusts downwards with 120 N in a current of a metre per second."""
    plant = Plant(load_vehicle("bluerov2"), locked=("roll", "pitch", "yaw"))
    tether = Tether(100.0, 0.0076, mass=0.06, stiffness=2e4, nodes=30)
    water, thrust = (1.0, 0.0, 0.0), (0.0, 0.0, 120.0, 0.0, 0.0, 0.0)
    still = np.zeros(plant.packed.actuators)
    at_rest = plant.derivative(plant.initial_state(), still, thrust, water)
    force = np.array(total_inertia(plant.vehicle.parameters))[:3, :3] @ at_rest[7:10]
    expected = steady_cable(tether, water[0], (force[0], force[2]), (SHIP[0], SHIP[2]))

    both = TetheredPlant(plant, tether, step=0.05)
    now = both.initial(plant.initial_state(position=(60.0, 0.0, 70.0)), SHIP, water)
    assert abs(now.vehicle[0] - expected[0]) > 10.0  # it has a way to go
    for _ in range(8000):
        now = both.step(now, still, fixed_end(SHIP), water, external=thrust)
    assert np.linalg.norm(now.vehicle[7:10]) < 1e-3
    assert now.vehicle[0] == pytest.approx(expected[0], rel=0.02)
    assert now.vehicle[2] == pytest.approx(expected[1], rel=0.02)
    assert now.pull.vehicle == pytest.approx(-force, rel=0.01, abs=0.02)


def torn_taut(tether, elapsed, seconds=4.0):
    """Pulls in windows of 20 ms on a BlueROV2 that drives off until its line is torn taut, and hangs on it."""
    plant = Plant(load_vehicle("bluerov2"))
    both = TetheredPlant(plant, tether, (-0.2, 0.0, -0.05), elapsed)
    now, still = (
        both.initial(plant.initial_state(position=(0.96 * tether.length, 0.0, 5.0)), (0.0, 0.0, 5.0)),
        np.zeros(6),
    )
    pulls = []
    for _ in range(round(seconds / elapsed)):
        now = both.step(now, still, fixed_end((0.0, 0.0, 5.0)), external=(40.0, 0.0, 0.0, 0.0, 0.0, 0.0))
        pulls.append(now.pull.tension)
    apart = np.linalg.norm(np.subtract(attachment(now.vehicle, both.p_BA)[0], (0.0, 0.0, 5.0)))
    return np.reshape(pulls, (round(seconds / 0.02), -1)).mean(axis=1), apart


@pytest.mark.parametrize(("stiffness", "length"), [(3e4, 20.0), (1e6, 20.0), (1e6, 60.0)])
def test_pull_on_a_light_vehicle_does_not_depend_on_the_step(stiffness, length):
    tether = Tether(length, 0.0076, 0.06, stiffness, nodes=20)
    fine, apart = torn_taut(tether, 0.0025)
    assert fine.max() > 30.0
    assert apart < 1.01 * length
    for elapsed in (0.005, 0.01):
        assert np.abs(torn_taut(tether, elapsed)[0] - fine).max() < 0.01 * fine.max()


def test_a_short_stiff_line_stays_calm():
    """Two metres of steel rope: told only where the vehicle goes, a line would shake it ever harder."""
    tether = Tether(2.0, 0.006, 0.15, 2e6, nodes=6)
    coarse, apart = torn_taut(tether, 0.01, seconds=10.0)
    assert coarse[-50:] == pytest.approx(coarse[-1], rel=0.02)
    assert coarse[-1] == pytest.approx(40.0, rel=0.1)
    assert apart == pytest.approx(2.0, rel=1e-3)


def test_spring_holds_a_vehicle_at_any_step():
    spring = SlackSpring(20.0, 1e6, 0.0076, damping=200.0)
    for elapsed in (0.0025, 0.01):
        pulls, apart = torn_taut(spring, elapsed, seconds=10.0)
        assert pulls[-25:] == pytest.approx(40.0, rel=0.02)
        assert apart == pytest.approx(20.0, abs=0.01)


def test_the_compiled_end_of_a_vehicle_has_the_bits_of_plain_python():
    chance = np.random.default_rng(5)
    for _ in range(20):
        state, place, rates = chance.normal(size=13), chance.normal(size=3), chance.normal(size=(WRENCHES, 13))
        wrenches, ends = np.empty((2, WRENCHES, 6)), np.empty((2, END_SIZE))
        wrench_kernel()(state, place, wrenches[0])
        unit_wrenches(state, place, wrenches[1])
        end_kernel()(state, place, rates, ends[0])
        fill_end(state, place, rates, ends[1])
        assert (wrenches[0] == wrenches[1]).all()
        assert (ends[0] == ends[1]).all()


def test_the_compiled_begin_and_end_of_a_tether_step_have_the_bits_of_plain_python():
    chance, nodes = np.random.default_rng(6), 5
    for is_rigid in (False, True):
        ends, x, v = chance.normal(size=(2, END_SIZE)), chance.normal(size=(nodes, 3)), chance.normal(size=(nodes, 3))
        ends[1, 12:] *= not is_rigid
        numbers, rests, found = np.array([0.06, 0.9, 0.01, 0.05]), chance.uniform(0.5, 1.0, nodes - 1), []
        for begin, end in ((begin_kernel(), pulls_kernel()), (begin_step, mean_pulls)):
            made = [np.empty(nodes - 1), x.copy(), v.copy(), np.empty((2, 15)), np.empty(2), np.empty((2, 3))]
            assert begin(ends, numbers, 1, rests, *made[:5]) == 0
            end(ends, made[4], x[:2].copy(), v, 0.01, made[5])
            found.append(np.concatenate([one.ravel() for one in made]))
        assert (found[0] == found[1]).all()


def test_the_end_of_a_vehicle_moves_and_gives_way_as_the_plant_does():
    """Against differences of the attachment's motion along steps of the plant, with and without a force there."""
    plant, place, h = Plant(load_vehicle("falcon")), (0.3, -0.2, -0.4), 1e-4
    state = plant.initial_state((1, 2, 3), from_euler_zyx(0.2, -0.3, 1.1), (0.3, -0.2, 0.1, 0.1, 0.2, -0.3))
    commands, water = np.full(5, 20.0), (0.1, 0.2, 0.0)
    end = vehicle_end(lambda wrench: plant.derivative(state, commands, wrench, water), state, place)
    free = plant.step(state, commands, h, water=water)
    velocity = (np.array(attachment(free, place)[0]) - attachment(state, place)[0]) / h
    assert end.velocity == pytest.approx(velocity, abs=1e-3)
    acceleration = (np.array(attachment(free, place)[1]) - attachment(state, place)[1]) / h
    assert end.acceleration == pytest.approx(acceleration, abs=5e-3)
    force = (30.0, -20.0, 50.0)
    wrench = pull_wrench(tuple(state[3:7]), place, force)
    pulled = plant.step(state, commands, h, external=wrench, water=water)
    change = (np.array(attachment(pulled, place)[1]) - attachment(free, place)[1]) / h
    assert np.array(end.mobility) @ force == pytest.approx(change, rel=5e-3)
    assert np.array(end.mobility) == pytest.approx(np.array(end.mobility).T, abs=1e-12)
