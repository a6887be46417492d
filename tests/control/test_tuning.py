"""Sampled loops, their margins, and the selection of gains."""

import math
import re

import numpy as np
import pytest

from remora.control.allocation.thrusters import HELD_AXES
from remora.control.tuning.gain_selection import (
    LARGEST_BANDWIDTH,
    THRUST_SHARE,
    TuningGoals,
    fastest_gains,
    tuned_control,
)
from remora.control.tuning.loop_margins import (
    CascadeGains,
    SampledLoop,
    cascade_loop,
    cascade_radius,
    stability_margins,
)
from remora.control.tuning.sampled_plant import LinearSystem, LoopTiming, drive_delay, sampled_plant
from remora.files.problems import InputError
from remora.plant.plant import Plant
from remora.vehicles import load_vehicle
from remora.vehicles.drives import DIRECT
from remora.vehicles.parameters import total_inertia

INTEGRATOR = (np.zeros((1, 1)), np.ones((1, 1)))


def stepped(system: LinearSystem, inputs: list[float]) -> list[float]:
    x, found = np.zeros(system.A.shape[0]), []
    for value in inputs:
        found.append(float((system.C @ x)[0]))
        x = system.A @ x + system.B[:, 0] * value
    return found


@pytest.mark.parametrize("latency", [0.0, 0.03, 0.1, 0.13, 0.2])
def test_sampled_integrator_delays_a_step_by_its_latency(latency: float) -> None:
    found = stepped(sampled_plant(*INTEGRATOR, LoopTiming(0.1, 0.0, latency)), [1.0] * 8)
    assert np.allclose(found, np.maximum(0.1 * np.arange(8) - latency, 0.0), atol=1e-12)


def test_sampled_lag_is_the_exact_exponential() -> None:
    found = stepped(sampled_plant(*INTEGRATOR, LoopTiming(0.1, 0.25, 0.07)), [1.0] * 30)
    time = np.maximum(0.1 * np.arange(30) - 0.07, 0.0)
    assert np.allclose(found, time - 0.25 * (1.0 - np.exp(-time / 0.25)), atol=1e-12)


def test_margins_of_an_integrator_behind_a_delay() -> None:
    """L = k exp(-j w T) / (j w): crossover k, phase pi/2 - k T, gain margin pi / (2 k T)."""
    w, k, late = np.geomspace(0.01, 100.0, 4000), 2.0, 0.2
    margins = stability_margins(w, k * np.exp(-1j * w * late) / (1j * w))
    assert margins.crossover == pytest.approx(k, rel=1e-5)
    assert margins.phase == pytest.approx(0.5 * math.pi - k * late, rel=1e-5)
    assert margins.gain == pytest.approx(math.pi / (2.0 * k * late), rel=1e-4)
    assert margins.delay == pytest.approx(margins.phase / k, rel=1e-5)


TIMING = LoopTiming(0.05, 0.2, 0.06)
GAINS = CascadeGains(0.3, 2.0, 0.25)


@pytest.mark.parametrize(("factor", "stable"), [(0.98, True), (1.02, False)])
def test_gain_margin_is_where_the_closed_loop_becomes_unstable(factor: float, stable: bool) -> None:
    margin = cascade_loop(TIMING).margins(GAINS).gain
    scaled = GAINS._replace(velocity=factor * margin * GAINS.velocity)
    assert (cascade_radius(scaled, TIMING) < 1.0) is stable


@pytest.mark.parametrize(("factor", "stable"), [(0.98, True), (1.02, False)])
def test_gain_margin_with_a_quick_integral_counts_the_present_error(factor: float, stable: bool) -> None:
    """In a slow sample, where the last error is a good part of the integral."""
    timing, gains = LoopTiming(0.2, 0.1, 0.0), CascadeGains(0.2, 0.8, 0.8)
    margin = cascade_loop(timing).margins(gains).gain
    scaled = gains._replace(velocity=factor * margin * gains.velocity)
    assert (cascade_radius(scaled, timing) < 1.0) is stable


RISE, FALL = 0.159, 0.455  # s, of the Falcon


def held_by_uneven_thrusters(gains: CascadeGains) -> list[float]:
    """Position of an inertia that is released 0.2 m off, with thrust that grows faster than it falls."""
    p, v, force, total, found = 0.2, 0.0, 0.0, 0.0, []
    for _ in range(1600):
        error = -gains.position * p - v
        total += gains.integral * 0.05 * error
        command = gains.velocity * (error + total)
        for _ in range(25):
            lag = RISE if command * force <= 0.0 or abs(command) > abs(force) else FALL
            force += 0.002 / lag * (command - force)
            v += 0.002 * force
            p += 0.002 * v
        found.append(p)
    return found


def test_margins_with_the_mean_of_rise_and_fall_are_not_overstated() -> None:
    """A loop at 97 % of its gain margin is stable behind the uneven lag itself, and one beyond it is not."""
    thruster = load_vehicle("falcon").parameters.thrusters[0]
    assert (thruster.rise_time, thruster.fall_time) == (RISE, FALL)
    loop = cascade_loop(LoopTiming(0.05, 0.5 * (RISE + FALL)))
    gains = fastest_gains(loop, TuningGoals())
    at_limit = loop.margins(gains).gain * gains.velocity
    settled, grown = (held_by_uneven_thrusters(gains._replace(velocity=k * at_limit)) for k in (0.97, 1.15))
    assert max(map(abs, settled[-200:])) < 1e-3
    assert max(map(abs, grown[-200:])) > 1.0


@pytest.mark.parametrize(("factor", "stable"), [(0.97, True), (1.03, False)])
def test_delay_margin_is_the_latency_that_the_closed_loop_bears(factor: float, stable: bool) -> None:
    margin = cascade_loop(TIMING).margins(GAINS).delay
    later = TIMING._replace(latency=TIMING.latency + factor * margin)
    assert (cascade_radius(GAINS, later) < 1.0) is stable


def test_selected_gains_keep_the_margins_and_cannot_be_much_stiffer() -> None:
    goals, loop = TuningGoals(math.radians(50.0), 3.0), cascade_loop(TIMING)
    gains = fastest_gains(loop, goals)
    margins = loop.margins(gains)
    assert margins.phase >= goals.phase_margin
    assert min(margins.gain, margins.gain_reduction) >= goals.gain_margin
    assert loop.margins(CascadeGains(*(1.3 * gain for gain in gains))).phase < goals.phase_margin


@pytest.mark.parametrize(("factor", "stable"), [(0.98, True), (1.02, False)])
def test_gain_margin_behind_smoothed_commands_is_where_the_closed_loop_becomes_unstable(
    factor: float, stable: bool
) -> None:
    timing = TIMING._replace(smoothing=4.0)
    margin = cascade_loop(timing).margins(GAINS).gain
    assert margin < 0.8 * cascade_loop(TIMING).margins(GAINS).gain
    scaled = GAINS._replace(velocity=factor * margin * GAINS.velocity)
    assert (cascade_radius(scaled, timing) < 1.0) is stable


def test_noise_lowers_the_gain_of_the_axis_with_little_thrust(falcon: Plant) -> None:
    """The noise changes the force by at most a share of the thrust in the axis."""
    plain, quiet = (tuned_control(falcon, TuningGoals(noise=noise)) for noise in (None, (0.002,) * 4))
    moved = [0.002 * axis.gains.velocity * mass / axis.thrust for axis, mass in zip(quiet.axes, MASSES, strict=True)]
    assert max(moved) <= 0.01
    assert quiet.axes[2].gains.velocity < 0.5 * plain.axes[2].gains.velocity
    with pytest.raises(InputError, match="the noise allows a velocity gain of"):
        tuned_control(falcon, TuningGoals(noise=(0.05,) * 4, bandwidth=1.0))


def test_roll_and_pitch_without_thrusters_are_named(falcon: Plant, heavy: Plant) -> None:
    assert tuned_control(falcon).uncontrolled == ("roll", "pitch")
    assert tuned_control(heavy).uncontrolled == ()


@pytest.mark.parametrize("period", [0.5, 2.0])
def test_gains_of_a_slow_controller_cross_over_below_half_its_rate(period: float) -> None:
    """Gains above one at all frequencies had no crossover, and their phase margin counted as infinite."""
    loop = cascade_loop(LoopTiming(period, 0.175))
    margins = loop.margins(fastest_gains(loop, TuningGoals()))
    assert 0.0 < margins.crossover < math.pi / period
    assert math.radians(45.0) <= margins.phase < math.pi


def test_a_slower_thruster_lowers_the_bandwidth() -> None:
    quick, slow = (fastest_gains(cascade_loop(LoopTiming(0.05, lag)), TuningGoals()) for lag in (0.2, 0.8))
    assert slow.velocity < 0.5 * quick.velocity


MASSES = (283.6, 593.2, 499.0, 29.0)  # kg and kg m2, of the Falcon


@pytest.fixture(scope="module")
def falcon() -> Plant:
    return Plant(load_vehicle("falcon"))


@pytest.fixture(scope="module")
def heavy() -> Plant:
    return Plant(load_vehicle("bluerov2_heavy"))


def test_stated_bandwidth_is_met(heavy: Plant) -> None:
    tuned = tuned_control(heavy, TuningGoals(bandwidth=1.2))
    assert [axis.margins.crossover for axis in tuned.axes] == pytest.approx([1.2] * 4, rel=0.01)


@pytest.mark.parametrize(
    ("name", "goals", "arguments", "words"),
    [
        ("bluerov2_heavy", TuningGoals(bandwidth=8.0), {}, "Ask for at most"),
        ("bluerov2_heavy", TuningGoals(bandwidth=20.0), {}, "makes the loop unstable .* 45 deg and 6.02 dB are"),
        ("bluerov2_heavy", TuningGoals(bandwidth=70.0), {}, "Nyquist"),
        ("bluerov2_heavy", TuningGoals(phase_margin=2.0), {}, "between 0 and 80"),
        ("bluerov2_heavy", TuningGoals(gain_margin=0.5), {}, "above 1"),
        ("bluerov2_heavy", TuningGoals(), {"latency": -1.0}, "zero or more"),
        ("bluerov2_heavy", TuningGoals(), {"latency": 100.0}, "must be at most 5 s with a period"),
        ("bluerov2_heavy", TuningGoals(), {"latency": 1.0, "period": 1e-3}, "must be at most 0.2 s"),
        ("bluerov2_heavy", TuningGoals(max_speeds=(2.0, 0.3, 0.2, 0.3)), {}, "against drag"),
        ("remus100", TuningGoals(), {}, "reach 1 of 4 directions and cannot control sway, heave and yaw"),
        ("gavia", TuningGoals(), {}, "cannot control"),
    ],
)
def test_impossible_goals_are_refused_with_numbers(
    name: str, goals: TuningGoals, arguments: dict[str, float], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        tuned_control(Plant(load_vehicle(name)), goals, **arguments)


def test_the_largest_bandwidth_that_is_named_is_met_and_hardly_more_is_refused() -> None:
    """The limit lies above the largest bandwidth that is chosen without one being asked for, 3 rad/s."""
    loop = cascade_loop(LoopTiming(0.05, 0.15, 0.0))
    with pytest.raises(InputError) as refused:
        fastest_gains(loop, TuningGoals(bandwidth=8.0))
    found = re.search(r"Ask for at most ([\d.]+) rad/s", str(refused.value))
    assert found is not None
    most = float(found.group(1))
    assert most > LARGEST_BANDWIDTH
    assert loop.margins(fastest_gains(loop, TuningGoals(bandwidth=most))).crossover == pytest.approx(most, rel=0.01)
    with pytest.raises(InputError):
        fastest_gains(loop, TuningGoals(bandwidth=1.01 * most))


def test_a_refused_bandwidth_is_told_with_margins_of_a_stable_loop_that_miss_a_goal() -> None:
    loop = cascade_loop(LoopTiming(0.05, 0.15, 0.0))
    with pytest.raises(InputError) as refused:
        fastest_gains(loop, TuningGoals(bandwidth=8.0))
    found = re.search(r"margin of ([\d.]+) deg with a gain margin of ([\d.]+) dB", str(refused.value))
    assert found is not None
    phase, gain = found.groups()
    assert float(phase) < 45.0 or float(gain) < 6.02


@pytest.mark.parametrize("lead", [150.0, 170.0])
def test_the_phase_margin_counts_lead_as_well_as_lag(lead: float) -> None:
    """A loop ahead of its crossover by 150 degrees is unstable after 30 degrees more."""
    w = np.geomspace(0.1, 10.0, 400)
    response = np.exp(1j * math.radians(lead)) / w
    assert stability_margins(w, response).phase == pytest.approx(math.radians(180.0 - lead))
    assert stability_margins(w, response.conj()).phase == pytest.approx(math.radians(180.0 - lead))


def test_the_slowest_drive_is_the_delay_of_a_loop() -> None:
    parameters = load_vehicle("bluerov2_heavy").parameters
    drives = tuple(DIRECT._replace(delay_ns=10_000_000 * (i + 1)) for i in range(len(parameters.thrusters)))
    assert drive_delay(parameters._replace(drives=drives)) == pytest.approx(0.08)
    assert drive_delay(parameters._replace(drives=())) == 0.0


@pytest.mark.parametrize(("axis", "answers"), [(0, False), (2, False), (5, True)])
def test_the_latency_of_the_attitude_delays_torques_only(axis: int, answers: bool) -> None:
    """Six double integrators of 1 kg and 1 kg m2, of which one is held at 2 rad/s with a PD law."""
    A, B = np.zeros((12, 12)), np.zeros((12, 6))
    A[:6, 6:], B[6:] = np.eye(6), np.eye(6)
    gains = np.zeros((6, 12))
    gains[axis, axis], gains[axis, 6 + axis] = -4.0, -2.8
    law = LinearSystem(np.zeros((0, 0)), np.zeros((0, 12)), np.zeros((6, 0)), gains)
    prompt, late = (SampledLoop(law, np.eye(6), LoopTiming(0.05, turn_latency=one)) for one in (0.0, 0.6))
    assert prompt.stable_share(A, B) == 1.0
    assert (late.stable_share(A, B) < 0.9) is answers


def test_tuned_speeds_leave_thrust_to_brake() -> None:
    """The position loop brakes at its gain times the speed, with at most the share of the thrust that drag may take."""
    vehicle = load_vehicle("flatfish_gazebo")
    inertia = total_inertia(vehicle.parameters)
    for one, axis in zip(tuned_control(Plant(vehicle)).axes, HELD_AXES, strict=True):
        braking = inertia[axis][axis] * one.gains.position * one.max_speed
        assert braking <= THRUST_SHARE * one.thrust * (1.0 + 1e-9)
        assert one.max_speed > 0.05
