"""Actuators and allocation of the block: limits, lag, start times, matrices from outside, wrenches by function."""

import numpy as np
import pytest
from block_samples import ANGLES, MOVING, POSITIONS, REFERENCES, WATER, bare, changed, go, path, vita1

from remora.equations.algebra.quaternions import matrix_from_euler_xyz
from remora.plant import RunError
from remora_evidence.simu2vita_block.block import BlockInputs
from remora_evidence.simu2vita_block.parameters import propeller_matrix

T = 0.1754
U = np.array(REFERENCES)


def first_only(reference):
    """A reference for the first actuator of eight."""
    return np.array([reference, *[0.0] * 7])


def difference(one, other):
    """Largest distance between the paths of two runs."""
    return np.abs(path(one) - path(other)).max()


def test_step_reaches_its_share_after_one_time_constant():
    """S2V-08: 63.2 % of 20 N after 0.1754 s, in one step or in many."""
    block = vita1()
    _, outputs = block.step(block.initial(), BlockInputs(first_only(20.0)), T)
    assert outputs.actuator_output[0] == pytest.approx(12.642, abs=5e-4)
    assert outputs.actuator_output[0] == pytest.approx(20.0 * (1.0 - np.exp(-1.0)), abs=1e-12)
    _, shown = go(block, T, T / 100, u_input=first_only(20.0))
    assert shown[-1].actuator_output[0] == pytest.approx(20.0 * (1.0 - np.exp(-1.0)), abs=1e-8)


def test_staircase_follows_the_exact_solution():
    """S2V-08: the convolution integral of the lag, step by step, to 1e-6 N."""
    block, rng = vita1(), np.random.default_rng(8)
    state, exact = block.initial(), np.zeros(8)
    for _ in range(100):
        u, dt = rng.uniform(-60.0, 70.0, size=8), round(rng.uniform(0.002, 0.1), 4)
        state, outputs = block.step(state, BlockInputs(u), dt)
        held = np.clip(u, -39.91, 51.48)
        exact = np.exp(-dt / T) * exact + (1.0 - np.exp(-dt / T)) * held
        assert outputs.actuator_output == pytest.approx(exact, abs=1e-6)
        assert np.array_equal(outputs.before_saturation, u)
        assert np.array_equal(outputs.after_saturation, held)


@pytest.mark.parametrize(("asked", "given"), [(100.0, 51.48), (-100.0, -39.91)])
def test_limits_of_a_propeller(asked, given):
    _, shown = go(vita1(), 6.0, 0.1, u_input=first_only(asked))
    assert shown[-1].actuator_output[0] == pytest.approx(given, abs=1e-9)


def test_saturation_can_be_switched_off():
    block = changed(vita1(), actuators={"disable_saturation": True})
    _, shown = go(block, 6.0, 0.1, u_input=first_only(100.0))
    assert shown[-1].actuator_output[0] == pytest.approx(100.0, abs=1e-9)
    assert shown[-1].after_saturation[0] == 100.0


@pytest.mark.parametrize("by_input", [False, True])
def test_actuators_start_at_their_own_time(by_input):
    """Before it an actuator holds its state, even outside its limits; the start may fall inside a step."""
    starts = np.array([0.0, 0.25, 0.5, 1.0, 2.0, 0.1, 0.0, 0.123456789])
    block = changed(vita1(), actuators={"initial_states": 60.0, "start_times": 9.0 if by_input else starts})
    inputs = BlockInputs(U, init_actuator_time=starts[:, None] if by_input else None)
    state = block.initial()
    for end in (0.3, 0.6, 0.9, 1.2):
        state, outputs = block.step(state, inputs, 0.3)
        running = np.exp(-np.maximum(end - starts, 0.0) / T)
        assert outputs.actuator_output == pytest.approx(U + (60.0 - U) * running, abs=1e-8)
        assert np.all(outputs.actuator_output[starts > end] == 60.0)


def test_waiting_actuators_may_decay_instead():
    block = changed(vita1(), actuators={"initial_states": 5.0, "start_times": 1.0}, before_start="decay")
    _, outputs = block.step(block.initial(), BlockInputs(U), 0.5)
    assert outputs.actuator_output == pytest.approx(5.0 * np.exp(-0.5 / T) * np.ones(8), abs=1e-10)


def test_no_actuators_at_all():
    block = bare(initial_velocity=MOVING)
    _, without = go(block, 5.0, 0.1)
    _, resting = go(vita1(initial_velocity=MOVING), 5.0, 0.1, u_input=np.zeros(8))
    assert difference(without, resting) < 1e-12
    assert without[-1].actuator_output.shape == without[-1].before_saturation.shape == (0,)
    assert np.array_equal(without[-1].tau_input, np.zeros(6))
    matrix = changed(block, allocation={"matrix": np.zeros((6, 0))})
    assert difference(go(matrix, 1.0, 0.1)[1], without[:11]) == 0.0


def test_matrix_of_propellers():
    H = propeller_matrix(POSITIONS, ANGLES)
    assert pytest.approx(np.array(vita1().allocation.matrix), abs=1e-15) == H
    assert np.linalg.svd(H)[1] == pytest.approx([2.000, 1.420, 1.419, 0.434, 0.378, 0.239], abs=6e-4)


def test_constant_matrix_from_outside_equals_the_static_one():
    plain = vita1(water_current=WATER)
    H = np.array(plain.allocation.matrix)
    outside = changed(plain, allocation={"matrix": None, "use_external_matrix": True})
    first, shown = go(plain, 5.0, 0.05, u_input=U)
    second, again = go(outside, 5.0, 0.05, u_input=U, Alloc_matrix=H)
    third, _ = go(outside, 5.0, 0.05, u_input=U, Alloc_matrix=lambda y: H)
    assert first == second
    assert np.array_equal(shown[-1].tau_input, again[-1].tau_input)
    assert np.array(third.body_and_actuators) == pytest.approx(first.body_and_actuators, abs=1e-12)
    # Without the option the input does not count.
    assert go(plain, 5.0, 0.05, u_input=U, Alloc_matrix=np.zeros((6, 8)))[0] == first


def test_matrix_may_change_at_every_step():
    """Thrust that is turned over from step to step does what references turned over would do to settled actuators."""
    plain = changed(vita1(), actuators={"initial_states": 2.0})
    H = np.array(plain.allocation.matrix)
    outside = changed(plain, allocation={"use_external_matrix": True})
    a = b = outside.initial()
    for k in range(200):
        sign = (-1.0) ** (k // 7)
        a, shown = outside.step(a, BlockInputs(np.full(8, 2.0), Alloc_matrix=sign * H), 0.01)
        b, _ = outside.step(b, BlockInputs(np.full(8, 2.0), 1.0 * sign * H @ np.full(8, 2.0), np.zeros((6, 8))), 0.01)
        assert shown.tau_input == pytest.approx(sign * H @ np.full(8, 2.0), abs=1e-12)
    assert np.array(a.body_and_actuators) == pytest.approx(b.body_and_actuators, abs=1e-12)


def test_bypass_by_external_forces_gives_the_same_path():
    """H = 0 and tau_e = H y: with settled actuators, from the last output at each step, and as a function."""
    plain = vita1(water_current=WATER)
    H, nothing = np.array(plain.allocation.matrix), {"matrix": np.zeros((6, 8))}
    settled = changed(plain, actuators={"initial_states": U})
    _, normal = go(settled, 10.0, 0.1, u_input=U)
    _, around = go(changed(settled, allocation=nothing), 10.0, 0.1, u_input=U, external_forces=H @ U)
    assert difference(normal, around) < 1e-12
    assert np.array_equal(around[-1].tau_input, np.zeros(6))
    assert around[-1].tau == pytest.approx(normal[-1].tau, abs=1e-13)
    _, normal = go(plain, 10.0, 0.1, u_input=U)
    bypass = changed(plain, allocation=nothing)
    _, function = go(bypass, 10.0, 0.1, u_input=U, external_forces=lambda y, v_r, t: H @ y)
    assert difference(normal, function) < 1e-6
    apart = [held_from_outside(bypass, H, dt)[:3] - normal[20].eta[:3] for dt in (2e-3, 1e-3)]
    assert np.abs(apart[1]).max() < 1e-3
    assert apart[0] / apart[1] == pytest.approx(2.0 * np.ones(3), rel=0.02)  # what is held one step lags by half of it


def held_from_outside(block, H, dt):
    """Where a vehicle is after 2 s when an outside calculator sees the output of one step and acts in the next."""
    state, y = block.initial(), np.zeros(8)
    for _ in range(round(2.0 / dt)):
        state, outputs = block.step(state, BlockInputs(U, external_forces=H @ y), dt)
        y = outputs.actuator_output
    return outputs.eta


def fin_wrench(y, v_r, t):
    """A rudder behind the origin whose force grows with its angle and the square of the flow."""
    force = -0.5 * 1000.0 * 0.01 * 3.0 * y[0] * v_r[0] * abs(v_r[0])
    return (0.0, force, 0.0, 0.0, 0.0, -0.4 * force)


def fin_block(**options):
    """vita1 with one rudder, running ahead."""
    return changed(
        vita1(initial_velocity=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0)),
        actuators={"number": 1, "time_constants": 0.1, "lower_limits": -0.5, "upper_limits": 0.5},
        **options,
    )


def test_native_function_and_bypass_are_the_same():
    native = fin_block(allocation={"matrix": None}, nonlinear_allocation=fin_wrench)
    bypass = fin_block(allocation={"matrix": np.zeros((6, 1))})
    _, first = go(native, 5.0, 0.05, u_input=[0.3], external_forces=(8.0, 0, 0, 0, 0, 0), current_velocity=WATER)
    _, second = go(
        bypass, 5.0, 0.05, u_input=[0.3], current_velocity=WATER,
        external_forces=lambda y, v_r, t: np.array([8.0, 0, 0, 0, 0, 0]) + fin_wrench(y, v_r, t),
    )  # fmt: skip
    assert difference(first, second) == 0.0
    assert first[-1].nu[5] > 0.01  # it turns
    o = first[-1]
    assert o.tau_input == pytest.approx(fin_wrench(o.actuator_output, o.nu - o.current_velocity, 5.0), abs=1e-14)
    assert o.tau == pytest.approx(second[-1].tau, abs=1e-14)


def test_functions_are_followed_to_second_order():
    ends = []
    for step in (4e-3, 2e-3, 1e-3):
        block = fin_block(allocation={"matrix": None}, nonlinear_allocation=fin_wrench, maximum_step=step)
        ends.append(np.array(go(block, 2.0, 0.1, u_input=[0.3])[0].body_and_actuators[:6]))
    assert np.abs(ends[0] - ends[1]).max() / np.abs(ends[1] - ends[2]).max() == pytest.approx(4.0, rel=0.1)
    assert np.abs(ends[1] - ends[2]).max() < 1e-5


def test_function_adds_to_a_matrix():
    """Propellers through their columns, the rudder through its function."""
    column = np.array([[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]]).T
    block = changed(
        vita1(), actuators={"number": 2, "time_constants": 0.1, "lower_limits": -9.0, "upper_limits": 9.0},
        allocation={"matrix": np.hstack([np.zeros((6, 1)), column])}, nonlinear_allocation=fin_wrench,
    )  # fmt: skip
    _, shown = go(block, 1.0, 0.1, u_input=[0.3, 5.0])
    o = shown[-1]
    expected = o.actuator_output[1] * column[:, 0] + fin_wrench(o.actuator_output, o.nu, 0.0)
    assert o.tau_input == pytest.approx(expected, abs=1e-14)


def rotating_matrix(y):
    """One propeller that a second actuator turns about its z axis."""
    return np.hstack([propeller_matrix([(-0.3, 0.05, 0.02)], [(0.0, 0.0, y[1])]), np.zeros((6, 1))])


def rotating(**options):
    """vita1 with a rotating propeller: a thrust and an angle, which starts at 0.4 rad."""
    tab = {"number": 2, "time_constants": (T, 0.3), "initial_states": (0.0, 0.4)}
    limits = {"lower_limits": -30.0, "upper_limits": 30.0}
    outside = {"matrix": None, "use_external_matrix": True}
    return changed(vita1(), actuators=tab | limits, allocation=outside, **options)


def test_rotating_propeller_at_a_fixed_angle_equals_a_static_one():
    turning = rotating()
    static = changed(turning, allocation={"matrix": rotating_matrix((0.0, 0.4)), "use_external_matrix": False})
    first, shown = go(turning, 5.0, 0.05, u_input=(8.0, 0.4), Alloc_matrix=rotating_matrix)
    second, _ = go(static, 5.0, 0.05, u_input=(8.0, 0.4))
    assert np.array(first.body_and_actuators) == pytest.approx(second.body_and_actuators, abs=1e-12)
    direction = matrix_from_euler_xyz(0.0, 0.0, 0.4)
    assert shown[-1].tau_input[:3] == pytest.approx(8.0 * np.array(direction)[:, 0], abs=1e-9)


def test_rotating_propeller_turns_with_its_output():
    ends = []
    for step in (1e-3, 2.5e-4):
        _, shown = go(rotating(maximum_step=step), 2.0, 0.05, u_input=(8.0, -1.0), Alloc_matrix=rotating_matrix)
        ends.append(shown[-1].eta)
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)
    y = shown[-1].actuator_output
    assert y[1] == pytest.approx(-1.0 + 1.4 * np.exp(-2.0 / 0.3), abs=1e-9)
    assert shown[-1].tau_input == pytest.approx(rotating_matrix(y) @ y, abs=1e-14)


def test_motion_that_is_no_number_ends_the_run():
    with pytest.raises(RunError):
        go(vita1(), 1.0, 0.1, u_input=U, external_forces=(1e300, 0.0, 0.0, 0.0, 0.0, 0.0))


@pytest.mark.parametrize("native", [False, True])
def test_functions_know_the_time(native):
    """A push that grows with time on a body without drag: half the square of the time over its inertia."""
    nothing = {"gravity": 0.0, "linear_damping": np.zeros(6), "nonlinear_damping": np.zeros(6)}
    block = bare(**nothing)
    if native:
        block = changed(block, nonlinear_allocation=lambda y, v_r, t: (3.0 * t, 0.0, 0.0, 0.0, 0.0, 0.0))
        _, shown = go(block, 2.0, 0.05)
    else:
        _, shown = go(block, 2.0, 0.05, external_forces=lambda y, v_r, t: (3.0 * t, 0.0, 0.0, 0.0, 0.0, 0.0))
    assert shown[-1].nu[0] == pytest.approx(3.0 * 2.0**2 / 2.0 / (13.5 + 6.36), abs=1e-11)
    assert shown[-1].tau[0] == 6.0
