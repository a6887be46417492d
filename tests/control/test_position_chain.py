"""The FlatFish chain holds and excites any vehicle, loses thrusters with grace, and turns the short way."""

import math

import numpy as np
import pytest

from remora.control import flatfish_chain, position_control
from remora.equations.algebra.quaternions import from_euler_zyx, to_euler_zyx
from remora.guidance import ExcitationGuidance, PoseReference
from remora.plant import Stepper, initial_state, pack
from remora.vehicles import load_vehicle, preset_names
from remora.vehicles.parameters import total_inertia

START = (0.0, 0.0, 3.0)
STEP, STEPS_PER_SAMPLE = 0.02, 5  # 10 Hz
FOUR_AXES = [
    name
    for name in preset_names()
    if len(load_vehicle(name).parameters.thrusters) >= 4
    and not flatfish_chain(load_vehicle(name).parameters).uncontrolled
]


def hold(p=START, heading=0.0):
    return PoseReference(p, heading, (0.0, 0.0, 0.0), 0.0)


def scattered(parameters, factor):
    """The vehicle with all its inertia and damping off by a factor: the plant, while the chain keeps nominal values."""

    def by(matrix):
        return tuple(tuple(factor * x for x in row) for row in matrix)

    return parameters._replace(
        added_mass=by(parameters.added_mass),
        rigid_body_inertia=by(parameters.rigid_body_inertia),
        linear_damping=by(parameters.linear_damping),
        quadratic_damping=by(parameters.quadratic_damping),
    )


def run(name, seconds, excitation=None, reference=None, start=(START, (1.0, 0.0, 0.0, 0.0)), factor=1.0, **options):
    """States and references at 10 Hz."""
    parameters = load_vehicle(name).parameters
    packed, chain = pack(scattered(parameters, factor)), flatfish_chain(parameters, **options)
    stepper, x, state = Stepper(packed, STEP), initial_state(packed, *start), chain.initial()
    excited = excitation.initial() if excitation else None
    states, references, commands = [], [], np.zeros(packed.actuators)
    for k in range(round(seconds / STEP)):
        if k % STEPS_PER_SAMPLE == 0:
            body = x[:13].tolist()
            p, q, twist = tuple(body[:3]), tuple(body[3:7]), tuple(body[7:])
            if excitation:
                excited, reference = excitation.step(excited, round(k * STEP * 1e9), p, to_euler_zyx(q)[2])
            state, output = chain.step(state, p, q, twist, reference)
            commands = np.zeros(packed.actuators)
            commands[: len(output.commands)] = output.commands
            states.append(body)
            references.append((*reference.p_NR, reference.heading))
        x = stepper(x, commands)
    return np.array(states), np.array(references)


def headings(states):
    return np.array([to_euler_zyx(tuple(q))[2] for q in states[:, 3:7].tolist()])


@pytest.mark.parametrize("name", FOUR_AXES)
def test_every_vehicle_reaches_and_holds_a_pose(name):
    """Buoyancy is compensated, so that position P alone leaves no error of depth."""
    states, _ = run(name, 90.0, reference=hold((1.0, -0.5, 3.5), 1.0))
    assert states[-1, :3] == pytest.approx((1.0, -0.5, 3.5), abs=0.03)
    assert headings(states)[-1] == pytest.approx(1.0, abs=0.03)
    assert np.abs(states[-1, 7:]).max() < 0.02


@pytest.mark.parametrize("factor", [0.7, 1.3])
@pytest.mark.parametrize("name", FOUR_AXES)
def test_it_stays_stable_with_wrong_parameters(name, factor):
    """C7, as far as this chain goes: inertia and damping of the plant off by 30 %."""
    states, _ = run(name, 90.0, reference=hold((1.0, -0.5, 3.5), 1.0), factor=factor)
    assert states[-1, :3] == pytest.approx((1.0, -0.5, 3.5), abs=0.05)
    assert np.abs(states[-1, 7:]).max() < 0.03


@pytest.mark.parametrize("axis", ["surge", "sway", "heave", "yaw"])
@pytest.mark.parametrize("name", ["flatfish_basin_ls", "falcon", "vita1"])
def test_one_axis_is_excited_and_the_others_hold(name, axis):
    amplitude, w = {"surge": (1.0, 0.1), "sway": (1.0, 0.1), "heave": (0.5, 0.1), "yaw": (0.5, 0.1)}[axis]
    states, references = run(name, 190.0, ExcitationGuidance.single(axis, amplitude, w, ramp=20.0))
    late = slice(600, None)
    places = {"surge": states[:, 0], "sway": states[:, 1], "heave": states[:, 2], "yaw": headings(states)}
    speeds = {"surge": states[:, 7], "sway": states[:, 8], "heave": states[:, 9], "yaw": states[:, 12]}
    assert np.ptp(places[axis][late]) / 2 == pytest.approx(amplitude, rel=0.15)
    assert np.ptp(speeds[axis][late]) / 2 == pytest.approx(amplitude * w, rel=0.2)
    for other in places:
        if other != axis:
            assert np.ptp(places[other][late]) / 2 < 0.05 * amplitude
    assert np.ptp(references[late], axis=0).max() == pytest.approx(2 * amplitude, rel=1e-3)


def test_all_four_axes_at_once():
    excitation = ExcitationGuidance.all_four((0.8, 0.6, 0.4, 0.3), (0.1, 0.13, 0.17, 0.21), ramp=10.0)
    states, references = run("flatfish_basin_ls", 120.0, excitation)
    for column in range(3):
        assert np.corrcoef(states[200:, column], references[200:, column])[0, 1] > 0.8  # P alone lags behind
    assert np.ptp(headings(states)[200:]) > 0.4


def test_the_heading_goes_the_short_way_across_the_wrap():
    """C2: from 170 to -170 degrees in 20 degrees, never through zero."""
    start = (START, from_euler_zyx(0.0, 0.0, math.radians(170.0)))
    states, _ = run("flatfish_basin_ls", 60.0, reference=hold(heading=math.radians(-170.0)), start=start)
    assert np.abs(headings(states)).min() > math.radians(165.0)
    assert headings(states)[-1] == pytest.approx(math.radians(-170.0), abs=0.02)


def test_half_a_turn_is_made_to_starboard():
    states, _ = run("flatfish_basin_ls", 90.0, reference=hold(heading=math.pi))
    assert states[:, 12].max() > 0.1
    assert states[:, 12].min() > -0.02
    assert abs(headings(states)[-1]) == pytest.approx(math.pi, abs=0.02)


@pytest.mark.parametrize("lost", ["surge_port", "sway_front", "heave_rear"])
def test_one_thruster_lost_and_still_steered(lost):
    """R31: five thrusters left for four axes. What they cannot make together is a small error, not a runaway."""
    goal = (0.5, 0.0, 3.2)
    states, _ = run("flatfish_basin_ls", 200.0, reference=hold(goal), disabled=(lost,))
    assert np.linalg.norm(states[-1, :3] - goal) < 0.6
    assert np.abs(states[:, 7:10]).max() < 0.6
    assert abs(headings(states)[-1]) < 0.3


def test_levelling_pitch_keeps_the_hull_flat_while_it_heaves():
    plain, _ = run("flatfish_basin_ls", 60.0, ExcitationGuidance.single("heave", 0.5, 0.3))
    level, _ = run("flatfish_basin_ls", 60.0, ExcitationGuidance.single("heave", 0.5, 0.3), levels_pitch=True)

    def pitch(states):
        return max(abs(to_euler_zyx(tuple(q))[1]) for q in states[:, 3:7].tolist())

    assert pitch(level) <= pitch(plain)


def test_zero_error_asks_for_the_buoyancy_only():
    """C1 and step 3 of the chain: heave force of minus the net buoyancy."""
    parameters = load_vehicle("flatfish_gazebo").parameters
    control = position_control(parameters)
    still = (1.0, 0.0, 0.0, 0.0)
    _, wrench = control.step(control.initial(), START, still, (0.0,) * 6, hold())
    assert wrench == pytest.approx((0.0, 0.0, 18.0, 0.0, 0.0, 0.0), abs=1e-9)  # floats with 18 N, so push down


def test_gains_follow_the_inertia_and_speeds_are_limited():
    parameters = load_vehicle("flatfish_gazebo").parameters
    control = position_control(parameters)
    M = total_inertia(parameters)
    assert control.masses == (M[0][0], M[1][1], M[2][2], M[5][5])
    _, wrench = control.step(control.initial(), START, (1.0, 0.0, 0.0, 0.0), (0.0,) * 6, hold((99.0, 0.0, 3.0)))
    assert wrench[0] == pytest.approx(0.5 * M[0][0])


def test_errors_are_seen_in_the_axes_of_the_heading():
    control = position_control(load_vehicle("flatfish_gazebo").parameters)
    east = from_euler_zyx(0.0, 0.0, math.pi / 2)
    _, wrench = control.step(control.initial(), START, east, (0.0,) * 6, hold((0.0, 0.5, 3.0), math.pi / 2))
    assert wrench[0] > 0.0
    assert wrench[1] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_an_estimate_that_is_no_number_stops_the_thrusters(bad):
    """C8."""
    chain = flatfish_chain(load_vehicle("flatfish_basin_ls").parameters)
    good = (START, (1.0, 0.0, 0.0, 0.0), (0.0,) * 6)
    for i, broken in enumerate(((bad, 0.0, 3.0), (1.0, bad, 0.0, 0.0), (0.0, 0.0, 0.0, bad, 0.0, 0.0))):
        estimate = [*good[:i], broken, *good[i + 1 :]]
        _, output = chain.step(chain.initial(), *estimate, hold((5.0, 5.0, 5.0), 1.0))
        assert output.commands == [0.0] * 6


def test_axes_without_a_thruster_are_left_out_and_named():
    assert flatfish_chain(load_vehicle("flatfish_basin_ls").parameters).uncontrolled == ()
    assert "sway" in flatfish_chain(load_vehicle("remus100").parameters).uncontrolled
