"""The lumped tether against closed forms and conservation laws, and what it refuses."""

import math
import pickle

import numpy as np
import pytest
from scipy.optimize import fsolve

from remora.equations.tether import round_tether, segment_tension
from remora.plant import RunError
from remora.world.tethers.ends import fixed_end, moving_end, yielding_end
from remora.world.tethers.tether import Tether, TetherState, mass_of_density, mass_of_weight

STILL = (0.0, 0.0, 0.0)


def heavy(**changes):
    """A line of 60 grams a metre, heavier than water."""
    return Tether(**{"length": 100.0, "diameter": 0.0076, "mass": 0.06, "stiffness": 3e4, **changes})


def net_weight(tether):
    """Newtons per metre, from the numbers of the line alone."""
    return (tether.mass - tether.density * math.pi * tether.diameter**2 / 4.0) * tether.gravity


def elastic_catenary(weight, stiffness, length, across, down):
    """Pull (across, down) of the upper end on its support, and the place at any arc length below it. Irvine 1981."""

    def place(pull, s):
        h, v = pull
        x = h * s / stiffness + h / weight * (np.arcsinh(v / h) - np.arcsinh((v - weight * s) / h))
        root = np.sqrt(1.0 + (v / h) ** 2) - np.sqrt(1.0 + ((v - weight * s) / h) ** 2)
        return x, v * s / stiffness - weight * s**2 / (2.0 * stiffness) + h / weight * root

    def missed(unknown):  # the first in logarithms, so that it stays positive
        return np.subtract(place((math.exp(unknown[0]), unknown[1]), length), (across, down))

    start = (math.log(0.5 * weight * length), 0.7 * weight * length)
    unknown, _, found, _ = fsolve(missed, start, full_output=True)
    assert found == 1
    pull = (math.exp(unknown[0]), unknown[1])
    return pull, lambda s: place(pull, s)


def run(tether, state, ends, seconds, elapsed=0.01, **inputs):
    """Many steps between ends that stay as they are; the last pull."""
    for _ in range(round(seconds / elapsed)):
        state, pull = tether.step(state, *ends, elapsed=elapsed, **inputs)
    return state, pull


@pytest.mark.parametrize("stiffness", [3e3, 1e6])
@pytest.mark.parametrize(("across", "down"), [(60.0, 0.0), (50.0, 40.0), (90.0, 43.0)])
def test_rests_on_the_elastic_catenary(stiffness, across, down):
    tether = heavy(stiffness=stiffness)
    pull, place = elastic_catenary(net_weight(tether), stiffness, 100.0, across, down)
    state = tether.initial((across, 0.0, 5.0 + down), (0.0, 0.0, 5.0))
    held = tether.tensions(state)[-1]
    assert (held[0], held[2]) == pytest.approx(pull, rel=5e-3)
    from_top = 100.0 - np.linspace(0.0, 100.0, tether.nodes)
    x, z = place(from_top)
    assert np.hypot(state.positions[:, 0] - x, state.positions[:, 2] - 5.0 - z).max() < 5e-3 * 100.0
    assert np.abs(state.positions[:, 1]).max() < 1e-9


def test_a_line_at_rest_stays_at_rest():
    tether = heavy()
    ends = (0.0, 0.0, 40.0), (50.0, 0.0, 0.0)
    start = tether.initial(*ends)
    state, pull = run(tether, start, [fixed_end(end) for end in ends], 5.0)
    assert np.abs(state.positions - start.positions).max() < 1e-6
    assert pull.vehicle == pytest.approx(tether.tensions(start)[0], abs=1e-6)


def test_it_swings_down_to_the_catenary_from_a_wrong_shape():
    tether = heavy(length=10.0, nodes=16, stiffness=3e3, damping_ratio=0.5)
    right = tether.initial((0.0, 0.0, 0.0), (6.0, 0.0, 0.0))
    wrong = right._replace(positions=right.positions * [1.0, 1.0, -1.0])  # an arch
    state, pull = run(tether, wrong, (fixed_end(STILL), fixed_end((6.0, 0.0, 0.0))), 120.0, elapsed=0.05)
    assert np.abs(state.positions - right.positions).max() < 0.01
    assert pull.tension == pytest.approx(np.linalg.norm(tether.tensions(right)[0]), rel=5e-3)


@pytest.mark.parametrize("water", [STILL, (0.6, 0.3, 0.1), "sheared"])
def test_ends_hold_weight_and_drag(water):
    """What the ends hold is what acts along the line, summed up here from angles instead of projections."""
    tether = heavy()
    flow = np.outer(np.linspace(0.2, 0.9, tether.nodes), (1.0, 0.4, 0.0)) if water == "sheared" else np.array(water)
    state = tether.initial((60.0, 5.0, 50.0), STILL, flow)
    _, pull = tether.step(state, fixed_end((60.0, 5.0, 50.0)), fixed_end(STILL), flow)
    total = np.array([0.0, 0.0, net_weight(tether) * 100.0])
    flows = np.broadcast_to(flow, (tether.nodes, 3))
    for j, step in enumerate(np.diff(state.positions, axis=0)):
        tangent = step / np.linalg.norm(step)
        for u in (flows[j], flows[j + 1]):
            speed = np.linalg.norm(u)
            if speed > 0.0:
                angle = math.acos(np.clip(tangent @ u / speed, -1.0, 1.0))
                across = np.cross(np.cross(tangent, u), tangent)
                half = 0.5 * tether.length / (tether.nodes - 1)
                q = 0.5 * tether.density * tether.diameter * speed**2 * half
                total += 1.2 * q * math.sin(angle) ** 2 * across / max(np.linalg.norm(across), 1e-300)
                total += math.pi * 0.01 * q * math.cos(angle) * abs(math.cos(angle)) * tangent
    assert np.add(pull.vehicle, pull.far) == pytest.approx(total, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("neutral", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_energy_never_grows(seed, neutral):
    """From random shapes and speeds, taut and slack, with fixed ends in still water."""
    random = np.random.default_rng(seed)
    tether = heavy(length=20.0, nodes=21, mass=mass_of_weight(0.0, 0.0076) if neutral else 0.06)
    steps = random.standard_normal((20, 3))
    steps *= random.uniform(0.5, 1.003, 20)[:, None] / np.linalg.norm(steps, axis=1)[:, None]
    positions = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    velocities = random.standard_normal((21, 3))
    velocities[[0, -1]] = 0.0
    state = TetherState(positions, velocities, np.ones(20))
    ends = fixed_end(positions[0]), fixed_end(positions[-1])
    energies = [tether.energy(state)]
    for _ in range(1000):
        state, _ = tether.step(state, *ends)
        energies.append(tether.energy(state))
    assert np.diff(energies).max() < 1e-9 * abs(energies[0])
    assert energies[-1] < energies[0]


def test_an_undamped_line_without_drag_keeps_its_energy():
    """The elastic energy is that of the tension: a taut line swings for ten seconds."""
    tether = heavy(length=10.0, nodes=9, damping_ratio=0.0, normal_drag=0.0, tangential_drag=0.0, added_mass=0.0)
    start = tether.initial(STILL, (10.2, 0.0, 0.0))
    velocities = np.zeros((9, 3))
    velocities[:, 1] = np.sin(np.linspace(0.0, math.pi, 9))
    state = start._replace(velocities=velocities)
    before = tether.energy(state)
    state, _ = run(tether, state, (fixed_end(STILL), fixed_end((10.2, 0.0, 0.0))), 10.0, elapsed=0.0005)
    kinetic = before - tether.energy(start)
    assert abs(tether.energy(state) - before) < 1e-3 * kinetic


def test_momentum_of_the_whole_comes_from_weight_alone():
    """Two bodies joined by a line in a vacuum, no force from outside: their pulls and the line's momentum balance."""
    tether = heavy(density=1e-9, gravity=0.0, normal_drag=0.0, tangential_drag=0.0, length=10.0, nodes=11)
    bodies = [np.array([0.0, 0.0, 0.0]), np.array([9.9, 0.0, 0.0])]
    speeds = [np.array([-0.5, 0.1, 0.0]), np.array([0.7, 0.0, 0.3])]
    masses, elapsed = (8.0, 15.0), 0.005
    state = tether.initial(bodies[0], bodies[1])

    def momentum():
        share = np.full(11, 10.0 / 10 * tether.mass)
        share[[0, -1]] *= 0.5
        velocities = np.vstack([speeds[0], state.velocities[1:-1], speeds[1]])
        return masses[0] * speeds[0] + masses[1] * speeds[1] + share @ velocities

    before = momentum()
    for _ in range(600):
        ends = [yielding_end(p, v, STILL, np.eye(3) / m) for p, v, m in zip(bodies, speeds, masses, strict=True)]
        state, pull = tether.step(state, *ends, elapsed=elapsed)
        for i, force in enumerate((pull.vehicle, pull.far)):
            change = np.array(force) * elapsed / masses[i]
            bodies[i] = bodies[i] + elapsed * (speeds[i] + 0.5 * change)
            speeds[i] = speeds[i] + change
    assert momentum() == pytest.approx(before, abs=1e-9)
    assert np.linalg.norm(bodies[1] - bodies[0]) < 10.1


def test_tension_does_not_depend_on_the_step():
    """A ship heaves by a metre above a vehicle that stays; pulls in windows of 20 ms."""
    tether = heavy(length=50.0, nodes=30, stiffness=1e5)

    def ship(t):
        return (10.0, 0.0, -math.sin(1.5 * t)), (0.0, 0.0, -1.5 * math.cos(1.5 * t))

    def pulls(elapsed):
        state, found = tether.initial((0.0, 0.0, 48.7), (10.0, 0.0, 0.0)), []
        for k in range(round(6.0 / elapsed)):
            far = moving_end(*ship(k * elapsed), *ship((k + 1) * elapsed), elapsed)
            state, pull = tether.step(state, fixed_end((0.0, 0.0, 48.7)), far, elapsed=elapsed)
            found.append(pull.tension)
        return np.reshape(found, (300, -1)).mean(axis=1)

    fine = pulls(0.0025)
    assert fine.min() < 1.0  # it goes slack
    assert fine.max() > 50.0  # and is torn taut
    for elapsed in (0.005, 0.01):
        assert np.abs(pulls(elapsed) - fine).max() < 0.01 * fine.max()


def test_more_nodes_give_the_same_pull():
    pulls, water = [], (0.5, 0.0, 0.0)
    for nodes in (25, 50, 100):
        tether = heavy(nodes=nodes)
        pulls.append(np.linalg.norm(tether.tensions(tether.initial((60.0, 0.0, 50.0), STILL, water), water)[0]))
    assert pulls[1] == pytest.approx(pulls[2], rel=3e-3)
    assert abs(pulls[1] - pulls[2]) < 0.35 * abs(pulls[0] - pulls[2])


def test_winch_lengthens_exactly():
    tether = heavy(length=20.0, nodes=12, stiffness=3e3)
    ends = fixed_end((8.0, 0.0, 10.0)), fixed_end(STILL)
    state, _ = run(tether, tether.initial((8.0, 0.0, 10.0), STILL), ends, 8.0, length_rate=0.25)
    assert state.length == pytest.approx(22.0, abs=1e-12)
    state, pull = run(tether, state, ends, 60.0, elapsed=0.05)
    longer = heavy(length=22.0, nodes=12, stiffness=3e3)
    rest = longer.initial((8.0, 0.0, 10.0), STILL)
    assert pull.vehicle == pytest.approx(longer.tensions(rest)[0], rel=0.02, abs=1e-3)


def test_line_that_is_paid_out_runs_through_the_water_everywhere():
    """A vehicle sinks as fast as the winch pays out: the ship holds the weight less the friction of all the line."""
    tether = heavy(length=40.0, tangential_drag=0.05)
    state, rate, elapsed = tether.initial((0.0, 0.0, 40.01), STILL), 2.0, 0.01
    for k in range(500):
        place = (0.0, 0.0, 40.01 + rate * k * elapsed)
        speed = (0.0, 0.0, rate)
        down = moving_end(place, speed, np.add(place, np.multiply(elapsed, speed)), speed, elapsed)
        state, pull = tether.step(state, down, fixed_end(STILL), length_rate=rate, elapsed=elapsed)
    friction = 0.5 * 1025.0 * 0.05 * math.pi * 0.0076 * rate**2
    held = pull.far[2] + pull.vehicle[2]
    assert held == pytest.approx((net_weight(tether) - friction) * state.length, rel=0.02)


def test_a_snagged_node_stays_and_is_let_go():
    tether = heavy(length=30.0, nodes=16)
    start = tether.initial((20.0, 0.0, 10.0), STILL, (0.3, 0.0, 0.0))
    snagged = tether.snagged(start, 10.2)
    assert snagged.held == 5
    away = moving_end((20.0, 0.0, 10.0), (0.5, 0.0, 0.0), (20.5, 0.0, 10.0), (0.5, 0.0, 0.0), 1.0)
    state, _ = tether.step(snagged, away, fixed_end(STILL), (0.3, 0.0, 0.0), elapsed=1.0)
    np.testing.assert_array_equal(state.positions[5], start.positions[5])
    assert not state.velocities[5].any()
    # The winch changes only what lies beyond the snag.
    state, _ = tether.step(state, fixed_end((20.5, 0.0, 10.0)), fixed_end(STILL), length_rate=0.5, elapsed=1.0)
    assert state.rest_lengths[:5] == pytest.approx(2.0, abs=1e-15)
    assert state.length == pytest.approx(30.5, abs=1e-12)
    # Led out of reach of the short side, the vehicle is held by the snag, until that gives way.
    out, elapsed, here = start.positions[5] + [10.2, 0.0, 0.0], 0.01, np.array([20.5, 0.0, 10.0])
    speed = (out - here) / 10.0
    for k in range(1000):
        led = moving_end(here + k * elapsed * speed, speed, here + (k + 1) * elapsed * speed, speed, elapsed)
        state, _ = tether.step(state, led, fixed_end(STILL))
    held, taut = run(tether, state, (fixed_end(out), fixed_end(STILL)), 2.0)
    assert taut.vehicle[0] < -300.0
    freed, slack = run(tether, tether.freed(held), (fixed_end(out), fixed_end(STILL)), 30.0)
    assert np.linalg.norm(slack.vehicle) < 30.0
    assert np.linalg.norm(freed.positions[5] - start.positions[5]) > 0.1


def test_nothing_is_written_into_a_state_and_runs_repeat_to_the_last_bit():
    tether = heavy(length=20.0, nodes=12)
    start = tether.initial((8.0, 0.0, 10.0), STILL)
    for array in start[:3]:
        array.setflags(write=False)
    ends = fixed_end((8.0, 0.0, 10.3)), fixed_end(STILL)
    first, pull = run(tether, start, ends, 1.0, water=(0.2, 0.1, 0.0), length_rate=0.1)
    half, _ = run(tether, start, ends, 0.5, water=(0.2, 0.1, 0.0), length_rate=0.1)
    again, other = run(
        pickle.loads(pickle.dumps(tether)),
        pickle.loads(pickle.dumps(half)),
        ends,
        0.5,
        water=np.tile([0.2, 0.1, 0.0], (12, 1)),
        length_rate=0.1,
    )
    assert pull == other
    for one, two in zip(first, again, strict=True):
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"length": 0.0}, "length of the tether is 0.0: give a positive number"),
        ({"length": math.nan}, "length of the tether is nan"),
        ({"diameter": -1.0}, "diameter of the tether is -1.0"),
        ({"mass": 0.0}, "mass of the tether is 0.0"),
        ({"stiffness": math.inf}, "stiffness of the tether is inf"),
        ({"normal_drag": -0.1}, "normal_drag of the tether is -0.1: give a number that is not negative"),
        ({"damping_ratio": 1.5}, "damping_ratio of the tether is 1.5: give a number from 0 to 1"),
        ({"nodes": 1}, "nodes of the tether is 1: give a whole number of at least 2"),
        ({"nodes": 2.5}, "nodes of the tether is 2.5"),
    ],
)
def test_impossible_lines_are_refused(changes, words):
    with pytest.raises(ValueError, match=words):
        heavy(**changes)


def test_impossible_places_and_waters_are_refused():
    tether = heavy(length=10.0, nodes=8)
    with pytest.raises(ValueError, match=r"both ends of the tether are at \(1.0, 2.0, 3.0\): put them apart"):
        tether.initial((1.0, 2.0, 3.0), (1.0, 2.0, 3.0))
    with pytest.raises(ValueError, match="is nan"):
        tether.initial((math.nan, 0.0, 0.0), (1.0, 0.0, 0.0))
    with pytest.raises(ValueError, match="water velocity is not finite"):
        tether.initial(STILL, (5.0, 0.0, 0.0), (math.nan, 0.0, 0.0))
    state, near, far = tether.initial(STILL, (5.0, 0.0, 0.0)), fixed_end(STILL), fixed_end((5.0, 0.0, 0.0))
    with pytest.raises(ValueError, match=r"water velocity has shape \(3, 3\): give three numbers, or 8 rows of them"):
        tether.step(state, near, far, np.zeros((3, 3)))
    with pytest.raises(ValueError, match="position of an end is"):
        fixed_end((math.nan, 0.0, 0.0))
    with pytest.raises(ValueError, match=r"elapsed time is 0.0"):
        moving_end(STILL, STILL, STILL, STILL, 0.0)
    with pytest.raises(ValueError, match=r"length rate is nan m/s over 0.01 s"):
        tether.step(state, near, far, length_rate=math.nan)
    with pytest.raises(ValueError, match=r"over 0.0 s: give a finite rate and a positive time"):
        tether.step(state, near, far, elapsed=0.0)
    with pytest.raises(ValueError, match="the winch reels in 20 m/s with 10 m left: stop it before"):
        tether.step(state, near, far, length_rate=-20.0, elapsed=1.0)
    with pytest.raises(ValueError, match=r"snagged at 11.0 m: give a place on its 10 m"):
        tether.snagged(state, 11.0)
    velocities = np.zeros((8, 3))
    velocities[2, 1] = math.nan
    with pytest.raises(ValueError, match=r"velocities of the line\[2, 1\] is nan"):
        tether.step(state._replace(velocities=velocities), near, far)


def test_a_line_too_short_and_stiff_for_its_nodes_says_so():
    tether = heavy(length=0.05, nodes=200, stiffness=1e7)
    state = TetherState(np.zeros((200, 3)), np.zeros((200, 3)), np.full(199, 0.05 / 199))
    with pytest.raises(RunError, match=r"needs more than 100000 sub-steps for a step of 0.05 s"):
        tether.step(state, fixed_end(STILL), fixed_end(STILL), elapsed=0.05)


def test_ends_may_meet_on_the_way():
    """Coincident ends are refused at the start only: a vehicle may come home."""
    tether = heavy(length=10.0, nodes=8)
    state, pull = run(tether, tether.initial(STILL, (1.0, 0.0, 0.0)), (fixed_end(STILL), fixed_end(STILL)), 1.0)
    assert np.isfinite(state.positions).all()
    assert np.isfinite(pull.tension)


@pytest.mark.parametrize("water", [STILL, (0.5, 0.0, 0.0), (0.3, 0.3, 0.1)])
@pytest.mark.parametrize(
    "far", [(0.0, 0.0, 50.0), (0.0, 0.0, 100.2), (1.0, 0.0, 0.0), (-95.0, 0.0, 0.0), (60.0, 0.0, 60.0)]
)
@pytest.mark.parametrize("weight", [0.13, 0.0, -0.05])
def test_every_start_is_at_rest(weight, far, water):
    """Heavy, neutral and floating lines; slack, folded and taut ones; along and across the current."""
    tether = heavy(mass=mass_of_weight(weight, 0.0076), nodes=30)
    state = tether.initial(STILL, far, water)
    left = tether.tensions(state, water)[1:-1]
    load = 100.0 / 29 * max(abs(weight), 0.5 * 1025.0 * 1.2 * 0.0076 * np.dot(water, water), 1e-3)
    assert np.abs(left).max() < 0.011 * load
    assert np.linalg.norm(np.diff(state.positions, axis=0), axis=1).max() < 1.02 * 100.2 / 29


def test_mass_of_a_metre():
    assert mass_of_density(1000.0, 0.1) == pytest.approx(7.853982)
    assert net_weight(heavy(mass=mass_of_weight(0.3, 0.0076))) == pytest.approx(0.3)


@pytest.mark.parametrize("ratio", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("length", [0.5, 4.0])
def test_the_shortest_axial_wave_has_the_damping_ratio_of_the_file(ratio, length):
    """Neighbouring nodes that swing against each other, m x'' + 4 c x' + 4 k x = 0, for segments of any length."""
    line = round_tether(0.01, 0.08, 2e4, ratio, 1.2, 0.02, 1.0, 1025.0, 9.81)
    mass = line.mass * length
    taut = 1e-3 * length  # stretched, so that it never goes slack
    resting = segment_tension(line, length, length + taut, 0.0)
    k = (segment_tension(line, length, length + 2.0 * taut, 0.0) - resting) / taut
    c = segment_tension(line, length, length + taut, 1e-3) / 1e-3 - resting / 1e-3
    assert 4.0 * c / mass / (2.0 * math.sqrt(4.0 * k / mass)) == pytest.approx(ratio, rel=1e-6)
