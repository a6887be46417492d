"""Active-set method, priorities, rate limits, dead bands, inflow and fins of the bounded allocation."""

import math

import numpy as np
import pytest

from remora import load_vehicle
from remora.control.allocation.commands import commands_from_forces
from remora.control.allocation.fin_mixing import fin_mixing
from remora.control.allocation.null_space import dead_band_avoidance
from remora.control.allocation.thrusters import ALL_AXES, HELD_AXES, bounded_allocation, pseudo_inverse
from remora.control.parts.allocation import BoundedSettings, LeastForces, limited_forces
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput
from remora.scenarios import scenario_from_text
from remora.scenarios.load_context import ScenarioError
from remora.vehicles.drives import DIRECT

HEAVY = load_vehicle("bluerov2_heavy").parameters


def now(wrench, twist=(0.0,) * 6):
    estimate = Estimate(0, (0.0, 0.0, 5.0), (1.0, 0.0, 0.0, 0.0), twist)
    return PartInput(0, (), {}, estimate, None, tuple(wrench), (0.0,) * 6, None)


@pytest.mark.parametrize("name", ["bluerov2_heavy", "falcon", "flatfish_basin_adaptive", "vita1", "bluerov2"])
def test_the_active_set_method_agrees_with_a_quadratic_programme(name):
    """10,000 random wrenches over five vehicles, far inside the limits to far beyond them; relative to the limits."""
    allocation = bounded_allocation(load_vehicle(name).parameters)
    rng, worst, limited = np.random.default_rng(7), 0.0, 0
    for _ in range(2000):
        wrench = rng.normal(size=6) * rng.choice([30.0, 150.0, 600.0]) * np.array([1.0, 1.0, 1.0, 0.2, 0.2, 0.2])
        found = allocation.allocate(wrench)
        if found.limited:
            limited += 1
            judge = allocation.by_programme(wrench, allocation.lowest, allocation.highest)
            worst = max(worst, float(np.abs(found.forces - judge).max() / np.abs(allocation.highest).max()))
    assert limited > 1000
    assert worst < 1e-9


def test_the_optimum_satisfies_its_conditions():
    """Slope zero at free thrusters, and out of the box at bounds, without another solver."""
    allocation, rng = bounded_allocation(HEAVY), np.random.default_rng(3)
    for _ in range(200):
        wrench = rng.normal(size=6) * np.array([200.0, 200.0, 200.0, 30.0, 30.0, 30.0])
        u = allocation.allocate(wrench).forces
        slope = allocation.hessian @ u + allocation.gradient @ wrench
        scale = np.abs(allocation.hessian) @ np.abs(u) + np.abs(allocation.gradient) @ np.abs(wrench)
        low, high = u == allocation.lowest, u == allocation.highest
        assert np.all(np.abs(slope[~low & ~high]) < 1e-9 * scale[~low & ~high])
        assert np.all(slope[low] > -1e-9 * scale[low])
        assert np.all(slope[high] < 1e-9 * scale[high])


TILTED = """\
name: tilted
title: two of three vertical thrusters are tilted
source: test
water: {density: 1025 kg/m3, gravity: 9.81 m/s2}
body:
  mass: 60 kg
  net_buoyancy: 4 N
  inertia: {moments: [3, 4, 5]}
  center_of_gravity: [0, 0, 2 cm]
  center_of_buoyancy: [0, 0, -4 cm]
added_mass: {diagonal: [20, 40, 50, 1, 2, 2]}
damping: {quadratic: {diagonal: [60, 120, 150, 5, 5, 5]}}
thruster_defaults: {law: force, limits: [-60 N, 60 N]}
thrusters:
  - {name: bow_port, position: [0.4, -0.25, 0.05], direction: [0.82, 0.57, 0]}
  - {name: bow_stbd, position: [0.4, 0.25, 0.05], direction: [0.82, -0.57, 0]}
  - {name: aft_port, position: [-0.4, -0.25, 0.02], direction: [0.64, -0.77, 0]}
  - {name: aft_stbd, position: [-0.4, 0.25, 0.02], direction: [0.64, 0.77, 0]}
  - {name: lift_bow, position: [0.3, 0, 0], direction: [0, 0, 1]}
  - {name: lift_port, position: [-0.18, -0.27, 0], direction: [0, 0.26, 0.97]}
  - {name: lift_stbd, position: [-0.18, 0.27, 0], direction: [0, -0.26, 0.97]}
  - {name: side, position: [0.02, 0, -0.02], direction: [0, 1, 0]}
"""


@pytest.mark.parametrize("part", ["bounded", "pseudo_inverse"])
def test_a_torque_that_only_opposed_forces_make_after_a_failure_is_given_up(tmp_path, part):
    """Horizontal thrusters with short levers would keep pitch against each other, at their limits."""
    (tmp_path / "tilted.yaml").write_text(TILTED)
    parameters = load_vehicle(tmp_path / "tilted.yaml").parameters
    if part == "bounded":
        intact = limited_forces(parameters, BoundedSettings())
    else:
        intact = LeastForces(parameters, pseudo_inverse(parameters), commands_are_forces=True)
    assert intact.uncontrollable == ()
    failed = intact.without_thrusters(("lift_stbd",))
    assert failed.uncontrollable == ("pitch",)
    _, found = failed.step(failed.initial(), now((20.0, 10.0, 10.0, 2.0, 5.0, 1.0)))
    assert np.abs(found.commands).max() < 40.0
    assert found.missing[4] != 0.0
    assert intact.without_thrusters(("side",)).uncontrollable == ()


def test_the_wrench_in_an_axis_that_failed_thrusters_leave_without_control_is_missing():
    """Integrals of controllers wound up in it, to thousands of newtons."""
    part = limited_forces(load_vehicle("bluerov2").parameters, BoundedSettings())
    wrench = (10.0, 5.0, 0.0, 0.0, 0.0, 0.0)
    assert part.step(part.initial(), now(wrench))[1].missing == (0.0,) * 6
    failed = part.without_thrusters(("front_starboard",)).without_thrusters(("rear_port",))
    assert failed.lost
    forces, found = failed.step(failed.initial(), now(wrench))
    achieved = failed.allocation.matrix @ np.array(forces)
    for axis in failed.lost:
        assert found.missing[axis] == pytest.approx(wrench[axis] - achieved[axis])
    assert np.abs(found.missing).max() > 1.0


def test_an_excitation_makes_every_thruster_work_and_leaves_the_wrench():
    """In the null space, within the limits, and not at disabled thrusters."""
    plain, excited = (limited_forces(HEAVY, BoundedSettings(excitation=size)) for size in (0.0, 4.0))
    wrench, forces = (30.0, -10.0, 20.0, 0.5, 1.0, 2.0), []
    for k in range(200):
        at = now(wrench)._replace(time_ns=50_000_000 * k)
        found, _ = excited.step(excited.initial(), at)
        expected, _ = plain.step(plain.initial(), at)
        np.testing.assert_allclose(plain.allocation.matrix @ np.subtract(found, expected), 0.0, atol=1e-9)
        forces.append(np.subtract(found, expected))
    assert np.std(forces, axis=0).min() > 0.5
    failed = excited.without_thrusters(("front_port",))
    assert failed.step(failed.initial(), now(wrench)._replace(time_ns=10**9))[0][1] == pytest.approx(0.0, abs=1e-9)
    limits = excited.allocation.lowest, excited.allocation.highest
    beyond = excited.step(excited.initial(), now((400.0, 0.0, 0.0, 0.0, 0.0, 0.0))._replace(time_ns=10**9))[0]
    assert (np.array(beyond) >= limits[0] - 1e-9).all()
    assert (np.array(beyond) <= limits[1] + 1e-9).all()


def test_axes_of_a_high_priority_keep_their_wrench_beyond_the_limits():
    wrench = np.array([500.0, 0.0, 0.0, 0.0, 0.0, 15.0])
    equal = bounded_allocation(HEAVY, HELD_AXES).allocate(wrench)
    yaw_first = bounded_allocation(HEAVY, HELD_AXES, importance=[1.0, 1.0, 1.0, 100.0]).allocate(wrench)
    assert equal.missing[5] > 3.0
    assert abs(yaw_first.missing[5]) < 0.02 * 15.0  # an error of yaw weighs 10,000 times as much in the cost
    assert yaw_first.missing[0] > equal.missing[0]


def test_thrust_changes_no_faster_than_its_rate_and_the_rest_is_reported():
    part = limited_forces(HEAVY, BoundedSettings(max_change=2.0))
    state, wrench = part.initial(), (40.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    missing = []
    for _ in range(12):
        before = np.array(state)
        state, result = part.step(state, now(wrench))
        assert np.abs(np.array(state) - before).max() <= 2.0 + 1e-9
        missing.append(result.missing[0])
    assert missing[0] > 30.0
    assert missing == sorted(missing, reverse=True)
    assert missing[-1] == 0.0


def test_a_failed_thruster_stops_at_once_even_with_a_rate_limit():
    part = limited_forces(HEAVY, BoundedSettings(max_change=1.0))
    state = part.initial()
    for _ in range(30):
        state, _ = part.step(state, now((40.0, 0.0, 0.0, 0.0, 0.0, 0.0)))
    name = HEAVY.thruster_names[0]
    assert abs(state[0]) > 1.0
    state, _ = part.without_thrusters((name,)).step(state, now((40.0, 0.0, 0.0, 0.0, 0.0, 0.0)))
    assert state[0] == 0.0


def test_an_expensive_thruster_works_less():
    costs = [100.0 if i == 0 else 1.0 for i in range(8)]
    plain = limited_forces(HEAVY, BoundedSettings(axes=HELD_AXES))
    spared = limited_forces(HEAVY, BoundedSettings(axes=HELD_AXES, efforts=tuple(costs)))
    wrench = (20.0, 5.0, 3.0, 0.0, 0.0, 1.0)
    (usual, _), (less, _) = plain.step(plain.initial(), now(wrench)), spared.step(spared.initial(), now(wrench))
    assert abs(less[0]) < 0.1 * abs(usual[0])
    matrix = bounded_allocation(HEAVY, HELD_AXES).matrix[list(HELD_AXES)]
    assert matrix @ less == pytest.approx(matrix @ usual, abs=1e-3)


def banded():
    """A BlueROV2 Heavy whose thrusters have a dead band of 1 N about neutral."""
    return HEAVY._replace(drives=(DIRECT._replace(dead_band=1.0),) * 8)


def test_opposed_thrusters_leave_their_dead_bands_with_the_same_wrench():
    vehicle = banded()
    matrix = bounded_allocation(vehicle).matrix
    avoidance = dead_band_avoidance(vehicle, matrix, ALL_AXES)
    assert len(avoidance.vectors) == 2  # four horizontal and four vertical thrusters, one each
    assert all(np.count_nonzero(vector) == 4 for vector in avoidance.vectors)
    assert np.all(avoidance.lowest < 0.0)
    assert np.all(avoidance.highest > 0.0)
    part = limited_forces(vehicle, BoundedSettings(avoids_dead_bands=True))
    plain = limited_forces(vehicle, BoundedSettings())
    wrench = (0.6, 0.2, 0.4, 0.0, 0.0, 0.05)
    biased, _ = part.step(part.initial(), now(wrench))
    usual, _ = plain.step(plain.initial(), now(wrench))
    biased = biased[:8]
    assert matrix @ biased == pytest.approx(matrix @ np.array(usual), abs=1e-9)

    def inside(forces):
        forces = np.array(forces)
        return int(np.sum((forces > avoidance.lowest) & (forces < avoidance.highest)))

    assert inside(usual) > 4
    assert inside(biased) == 0
    still, _ = part.step(part.initial(), now((0.0,) * 6))
    assert still == (0.0,) * 16


def test_a_bias_against_dead_bands_keeps_its_direction():
    """Around zero the least bias would change sides with every sign of the wrench, and the thrusters would reverse."""
    part = limited_forces(banded(), BoundedSettings(avoids_dead_bands=True))
    state, _ = part.step(part.initial(), now((0.1, 0.0, 0.0, 0.0, 0.0, 0.0)))
    first = np.sign(state[:4])
    for k in range(20):
        wrench = (0.3 * math.sin(k), 0.2 * math.cos(2 * k), 0.0, 0.0, 0.0, 0.02 * math.sin(3 * k))
        state, _ = part.step(state, now(wrench))
        assert (np.sign(state[:4]) == first).all()


def test_thrusters_without_a_partner_reach_a_mean_force_inside_their_dead_bands_by_pulses():
    """Two vertical thrusters of a BlueROV2, with dead bands that are known within a range only, in steps of 0.3 N."""
    drive = DIRECT._replace(dead_band=0.5, dead_band_spread=0.6, resolution=0.3)
    vehicle = load_vehicle("bluerov2").parameters._replace(drives=(drive,) * 6)
    part = limited_forces(vehicle, BoundedSettings(avoids_dead_bands=True))
    assert part.avoidance is not None
    assert part.avoidance.single == (4, 5)
    assert part.avoidance.highest == pytest.approx([1.2] * 6)  # of 1.1 N the next whole step
    state, forces = part.initial(), []
    for _ in range(60):
        state, result = part.step(state, now((0.0, 0.0, 0.8, 0.0, 0.0, 0.0)))
        forces.append(result.commands[4:6])
        assert all(abs(force) == pytest.approx(1.2) or force == 0.0 for force in forces[-1])
        assert np.abs(state[6:]).max() <= 0.6 + 1e-6
    assert np.abs(np.mean(forces, axis=0)) == pytest.approx([0.4, 0.4], abs=0.02)
    assert forces[:4] != [forces[0]] * 4  # not one long pulse


def test_commands_make_up_for_the_inflow():
    vehicle = load_vehicle("flatfish_gazebo").parameters
    law = limited_forces(vehicle, BoundedSettings(uses_advance=True))
    ahead = (0.5, 0.0, 0.0, 0.0, 0.0, 0.0)
    state, moving = law.step(law.initial(), now((30.0, 0.0, 0.0, 0.0, 0.0, 0.0), ahead))
    assert moving.commands == pytest.approx(commands_from_forces(vehicle, state, ahead))
    _, blind = law.step(law.initial(), now((30.0, 0.0, 0.0, 0.0, 0.0, 0.0), (math.nan,) * 6))
    assert blind.commands == pytest.approx(commands_from_forces(vehicle, state))


def test_fins_take_the_moments_under_way_and_thrusters_the_rest():
    vehicle = load_vehicle("gavia").parameters
    mixing = fin_mixing(vehicle)
    part = limited_forces(vehicle, BoundedSettings(axes=(0,), fins=mixing))
    wrench = (20.0, 0.0, 0.0, 0.0, 3.0, -2.0)
    _, under_way = part.step(part.initial(), now(wrench, (1.5, 0.0, 0.0, 0.0, 0.0, 0.0)))
    count = len(vehicle.thrusters)
    assert mixing.moments_from_fins(under_way.commands[count:], 1.5)[1:] == pytest.approx((3.0, -2.0), rel=1e-6)
    _, still = part.step(part.initial(), now(wrench))
    assert list(still.commands[count:]) == [0.0] * len(vehicle.fins)


TEXT = """\
name: allocation
duration: 1 s
vehicles:
  - name: rov
    file: falcon
    navigation: truth
    guidance: {part: hold}
    control: position
    allocation: {part: bounded, OPTIONS}
"""


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("priorities: [[yaw], [yaw, surge]]", "names yaw twice"),
        ("efforts: {bow: 2}", "no such thruster"),
        ("efforts: {vertical: 0}", "above zero|positive"),
        ("max_rate: 0 N/s", "above zero|positive"),
        ("fins: true", "has no fins"),
        ("avoid_dead_bands: true", "no drive of the vehicle has a dead band"),
        ("avoid_dead_bands: true, smoothing: 5}\n    actuators: {dead_band: 3", "no thruster opposes vertical"),
        ("excitation: -2 N", "above zero|positive"),
        ("disabled: [vertical, front_left], excitation: 2 N", "no such thruster|redundant"),
    ],
)
def test_settings_that_cannot_work_are_refused(options, reason):
    with pytest.raises(ScenarioError, match=reason):
        scenario_from_text(TEXT.replace("OPTIONS", options))


def test_settings_are_read():
    text = "priorities: [[yaw], [heave]], efforts: {vertical: 2}, max_rate: 50 N/s, advance: true, smoothing: 8"
    setup = scenario_from_text(TEXT.replace("OPTIONS", text))
    part = setup.vehicles[0].parts[-1].part.allocation
    assert part.settings.weights == (1.0, 1.0, 10.0, 1.0, 1.0, 100.0)
    assert part.settings.max_change == pytest.approx(0.5)


def test_an_excitation_keeps_every_limit_and_goes_on_without_a_failed_thruster():
    """At wrenches up to the limits, over twenty seconds."""
    excited = limited_forces(HEAVY, BoundedSettings(excitation=8.0))
    rng, most = np.random.default_rng(3), []
    for k in range(400):
        wrench = rng.uniform(-1.0, 1.0, 6) * (110.0, 110.0, 110.0, 8.0, 8.0, 20.0)
        found, _ = excited.step(excited.initial(), now(wrench)._replace(time_ns=50_000_000 * k))
        assert (np.array(found) <= excited.allocation.highest + 1e-9).all()
        assert (np.array(found) >= excited.allocation.lowest - 1e-9).all()
    failed = excited.without_thrusters((HEAVY.thruster_names[1],))
    for k in range(400):
        found, _ = failed.step(failed.initial(), now((0.0,) * 6)._replace(time_ns=50_000_000 * k))
        most.append(np.abs(found))
    assert np.max(most, axis=0)[1] == 0.0
    assert np.max(most, axis=0)[4:].min() > 0.5  # the vertical thrusters are redundant as before


def test_fins_and_thrusters_make_the_wrench_together():
    """A hull with eight thrusters and the fins of a Gavia: no moment is made twice."""
    finned = load_vehicle("gavia").parameters
    vehicle = HEAVY._replace(fins=finned.fins, fin_names=finned.fin_names)
    mixing = fin_mixing(vehicle)
    part = limited_forces(vehicle, BoundedSettings(axes=ALL_AXES, fins=mixing))
    wrench = (20.0, 5.0, -3.0, 0.4, 3.0, -2.0)
    forces, result = part.step(part.initial(), now(wrench, (1.5, 0.0, 0.0, 0.0, 0.0, 0.0)))
    made = part.allocation.matrix @ np.array(forces)
    made[3:] += mixing.moments_from_fins(result.commands[len(vehicle.thrusters) :], 1.5)
    assert made == pytest.approx(wrench, abs=1e-6)
    assert np.abs(result.commands[len(vehicle.thrusters) :]).max() > 0.01


def test_pulses_keep_the_largest_rate_of_the_thrust():
    """The edge at 1.2 N is out of reach in steps of 0.5 N."""
    drive = DIRECT._replace(dead_band=0.5, dead_band_spread=0.6, resolution=0.3)
    vehicle = load_vehicle("bluerov2").parameters._replace(drives=(drive,) * 6)
    part = limited_forces(vehicle, BoundedSettings(max_change=0.5, avoids_dead_bands=True))
    state = part.initial()
    for _ in range(40):
        before = np.array(state[:6])
        state, _ = part.step(state, now((0.0, 0.0, 0.8, 0.0, 0.0, 0.0)))
        assert np.abs(np.array(state[:6]) - before).max() <= 0.5 + 1e-9
