"""Declared pairings of vehicles and controllers: the file itself, and invariants C1 to C8 on every pairing."""

import math
import os
from functools import lru_cache

import numpy as np
import pytest
from pairing_scenarios import pairing_text

from remora import load_vehicle
from remora.control.allocation.thrusters import HELD_AXES, pseudo_inverse
from remora.control.pairings import pairing_table
from remora.equations.algebra.quaternions import to_euler_zyx
from remora.messages.estimate import Estimate
from remora.messages.part import AllocationResult, PartInput, Role
from remora.run.loop.loop import Loop, run
from remora.scenarios import scenario_from_text
from remora.scenarios.builders.parts import parts_for
from remora.scenarios.load_context import ScenarioError
from remora.vehicles.checks.actuation import reachable_wrench
from remora.vehicles.library import preset_names

TABLE = pairing_table()
PAIRS = [(vehicle, one) for vehicle, entry in TABLE.vehicles.items() for one in entry.controllers]
HELD = [pair for pair in PAIRS if pair[1] not in ("autopilot", "fin_autopilot")]
# `make nightly` flies every pairing with five plants; otherwise one vehicle of each family and one plant.
IS_NIGHT = os.environ.get("REMORA_HYPOTHESIS") == "nightly"
FAMILIES = ("bluerov2_heavy", "falcon", "flatfish_basin_adaptive", "vita1", "docking_vehicle", "gavia", "remus100")
FLOWN = PAIRS if IS_NIGHT else [pair for pair in PAIRS if pair[0] in FAMILIES]
SEEDS = range(1, 6) if IS_NIGHT else (1,)
# By day the invariants with a run of their own use one vehicle; by night every pairing that they apply to.
INTEGRATING = [pair for pair in HELD if pair[1] != "cascade_p" and (IS_NIGHT or pair[0] == "falcon")]
BANDED = [pair for pair in HELD if IS_NIGHT or pair[0] == "falcon"]
LEFT_OUT = [(vehicle, one) for vehicle, entry in TABLE.vehicles.items() for one in entry.left_out]
NOBODY = (math.nan,) * 3


def _lost(vehicle, thruster):
    """Directions among surge, sway, heave and yaw that are lost without a thruster."""
    return pseudo_inverse(load_vehicle(vehicle).parameters, HELD_AXES, [thruster]).uncontrollable


def test_every_bundled_vehicle_and_every_controller_stands_in_the_table():
    driven = {n for n in preset_names() if (p := load_vehicle(n).parameters).thrusters or p.fins}
    assert set(TABLE.vehicles) == driven
    controllers = set(parts_for(Role.CONTROL)) - set(TABLE.elsewhere)
    assert {one for kind in TABLE.kinds.values() for one in kind} == controllers
    for entry in TABLE.vehicles.values():
        assert {*entry.controllers, *entry.left_out} == controllers
        assert not {*entry.controllers} & {*entry.left_out}
        assert all(len(reason) > 10 for reason in entry.left_out.values())


@pytest.mark.parametrize(("vehicle", "control"), LEFT_OUT)
def test_a_pairing_that_is_left_out_is_refused_or_warned_of_before_the_run(vehicle, control):
    text = pairing_text(vehicle, control)
    if control in ("position", "cascade_p"):
        warnings = scenario_from_text(text).vehicles[0].load_warnings
        assert any("thrusters control 1 of the 4 free directions" in one.text for one in warnings)
        return
    with pytest.raises(ScenarioError, match=vehicle):
        scenario_from_text(text)


@pytest.mark.parametrize(("vehicle", "control"), HELD)
def test_c1_zero_error_moves_nothing(vehicle, control):
    """At its reference and at rest a vehicle stays: the command balances weight and buoyancy and does no more."""
    text = (
        pairing_text(vehicle, control)
        .replace("[0, 0, 5 m]", "[0.6 m, 0.3 m, 5.2 m]")
        .replace("0, 170 deg", "0, -170 deg")
    )
    if vehicle == "docking_vehicle":
        text = text.replace("5.2 m", "5 m")
    loop = Loop(scenario_from_text(text))
    start = loop.vehicles[0].state.copy()
    loop.advance(150)
    state = loop.vehicles[0].state
    assert np.abs(state[:3] - start[:3]).max() < 0.02
    assert abs(to_euler_zyx(tuple(state[3:7]))[2] - to_euler_zyx(tuple(start[3:7]))[2]) < 0.02


@pytest.mark.hypothesis  # of `make nightly` too
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("vehicle", "control"), FLOWN)
def test_c2_and_c7_the_loop_is_stable_with_parameters_off_by_30_percent_and_turns_the_short_way(vehicle, control, seed):
    """A short way with a turn from 170 to -170 deg, on a plant with all parameters scattered by up to 30 %.

    Weight and buoyancy change together by up to 30 %, and the buoyancy besides by up to 0.5 % of it.
    """
    loop = Loop(scenario_from_text(pairing_text(vehicle, control, seed, share="30 %")))
    run, turned, headings = loop.vehicles[0], math.radians(170.0), []
    for k in range(10, 4001, 10):
        loop.advance(k)
        heading = to_euler_zyx(tuple(run.state[3:7]))[2]
        turned += math.remainder(heading - turned, math.tau)
        headings.append(turned)
    assert min(headings) > math.radians(150.0)
    assert max(headings) < math.radians(220.0)
    assert abs(headings[-1] - math.radians(190.0)) < math.radians(6.0)
    rates = np.abs(run.state[10:13])
    assert rates.max() < 0.1
    if control in ("autopilot", "fin_autopilot"):
        assert abs(run.state[2] - 5.5) < 0.4
        return
    goal = (0.6, 0.3, 5.0 if vehicle == "docking_vehicle" else 5.2)
    off = np.abs(run.state[:3] - goal)
    assert off.max() < (0.45 if control == "cascade_p" else 0.15)  # without integral action an offset stays
    assert np.abs(run.state[7:10]).max() < 0.05


@pytest.mark.hypothesis  # of `make nightly` too, on every pairing
@pytest.mark.parametrize(("vehicle", "control"), INTEGRATING)
def test_c3_integrals_do_not_wind_up_under_saturation(vehicle, control):
    """A pull beyond the thrust until the vehicle is 2 m off: then it returns without going far past its target.

    The pull lasts for 8 s at least. Light vehicles are 2 m off within 2 s, before their thrusters saturate; the
    integral of the error of an unsaturated integral controller is zero, so that it has to go past its target.
    """
    until = max(28.0, 20.0 + 0.2 * next(k for k, off in enumerate(_pulled(vehicle, control, 120.0)) if off > 2.0))
    released, track = round(5.0 * (until - 20.0)), list[float]()
    for off in _pulled(vehicle, control, until):
        track.append(off)
        if len(track) > released + 5.0 * (42.0 + max(track) / 0.15):  # velocity guidance returns at 0.2 m/s
            break
    assert -min(track[released:]) < 0.1 * max(track)
    assert abs(track[-1]) < 0.3


def _pulled(vehicle, control, until):
    """Distances from the target along a pull beyond the thrust, every 0.2 s from its beginning at 20 s on.

    It acts to the south, or to the west where the model of the vehicle is limited to slow surge. Predictive control
    tilts a vehicle with strong vertical thrusters, so that these act against it too.
    """
    parameters = load_vehicle(vehicle).parameters
    *level, down = (max(abs(end) for end in one.most) for one in reachable_wrench(parameters)[:3])
    tilts = control == "predictive" and down > math.hypot(*level)
    axis = 1 if parameters.envelope and math.isfinite(parameters.envelope[0]) else 0
    force = [-1.15 * math.hypot(*level, down if tilts else 0.0) if i == axis else 0.0 for i in range(3)]
    pull = f"{{kind: constant, force: {force}, frame: world, from: 20 s, until: {until:.1f} s}}"
    text = pairing_text(vehicle, control).replace("40 s", "400 s").replace("0, 170 deg", "0, -170 deg")
    loop = Loop(scenario_from_text(text.replace("    navigation", f"    disturbances: [{pull}]\n    navigation")))
    loop.advance(2000)
    goal = (0.6, 0.3, 5.0 if vehicle == "docking_vehicle" else 5.2)
    assert math.dist(loop.vehicles[0].state[:3], goal) < 0.2
    for k in range(2000, 20001, 20):
        loop.advance(k)
        yield goal[axis] - float(loop.vehicles[0].state[axis])


@pytest.mark.parametrize("vehicle", sorted({vehicle for vehicle, _ in HELD}))
def test_c4_what_the_actuators_cannot_do_is_reported_to_the_controller(vehicle):
    """Inside the limits the allocation makes the wrench; beyond them it reports the rest."""
    part = parts_of(vehicle, "position")[Role.ALLOCATION]
    for size, is_limited in ((0.01, False), (100.0, True)):
        wrench = tuple(size * part.allocation.matrix.sum(axis=1) * 10.0)
        _, result = part.step(part.initial(), given(wrench=wrench))
        assert isinstance(result, AllocationResult)
        assert any(result.missing) == (is_limited and np.isfinite(part.allocation.highest).all())


@pytest.mark.parametrize(("vehicle", "control"), PAIRS)
def test_c8_an_unknown_estimate_leads_to_the_safe_output(vehicle, control):
    """Zero wrench, or no output, for which the loop lets all actuators rest."""
    parts = parts_of(vehicle, control)
    known = Estimate(0, (0.0, 0.0, 5.0), (1.0, 0.0, 0.0, 0.0), (1.2, 0.0, 0.0, 0.0, 0.0, 0.0))
    _, reference = parts[Role.GUIDANCE].step(parts[Role.GUIDANCE].initial(), given(known))
    part = parts[Role.CONTROL]
    state, healthy = part.step(part.initial(), given(known, reference))
    assert healthy is not None
    for broken in (
        known._replace(p_NB=NOBODY),
        known._replace(q_NB=(math.nan,) * 4),
        known._replace(twist=(math.nan,) * 6),
    ):
        if control in ("autopilot", "fin_autopilot"):
            broken = broken._replace(p_NB=(0.0, 0.0, broken.p_NB[2]))  # they need no position
        after, output = part.step(state, given(broken, reference))
        assert output is None or not np.any(output)
        _, again = part.step(after, given(known, reference))
        assert np.all(np.isfinite(again))


@lru_cache
def parts_of(vehicle, control):
    setup = scenario_from_text(pairing_text(vehicle, control))
    return {one.role: one.part for one in setup.vehicles[0].parts}


def given(estimate=None, reference=None, wrench=(0.0,) * 6):
    return PartInput(0, (), {}, estimate, reference, wrench, (0.0,) * 6, None)


OVER_ACTUATED = [
    (vehicle, control)
    for vehicle, control in HELD
    if not any(_lost(vehicle, i) for i in range(len(load_vehicle(vehicle).parameters.thrusters)))
]
REVERSED = [pair for pair in OVER_ACTUATED if IS_NIGHT or pair[0] == "bluerov2_heavy"]
DAILY_CONTROLS = ("position", "pid", "lqr", "predictive")
DAILY = [(vehicle, control) for vehicle in ("bluerov2_heavy", "vita1") for control in DAILY_CONTROLS]
REPLACED = [pair for pair in OVER_ACTUATED if IS_NIGHT or pair in DAILY]


@pytest.mark.hypothesis  # of `make nightly` too, on every pairing of an over-actuated vehicle
@pytest.mark.parametrize(("vehicle", "control"), REPLACED)
def test_c5_a_dead_thruster_is_replaced_within_one_period(vehicle, control):
    """An over-actuated vehicle arrives all the same, and no direction is lost."""
    name = load_vehicle(vehicle).parameters.thruster_names[0]
    fault = f"    faults: [{{fault: dead, of: {name}, at: 5 s, allocation: fault_tolerant}}]\n"
    text = pairing_text(vehicle, control) + fault
    outcome = run(scenario_from_text(text))
    assert not outcome.stopped
    assert not outcome.warnings
    loop = Loop(scenario_from_text(text))
    loop.advance(500)
    assert loop.vehicles[0].actuators.commands[0] != 0.0
    loop.advance(506)  # allocation and predictive control run at 20 Hz
    assert loop.vehicles[0].actuators.commands[0] == 0.0


FAILING = [
    (vehicle, name)
    for vehicle in ("bluerov2_heavy", "vita1")
    for name in load_vehicle(vehicle).parameters.thruster_names[: None if IS_NIGHT else 1]
]


@pytest.mark.hypothesis  # of `make nightly` too, with every thruster
@pytest.mark.parametrize(("vehicle", "name"), FAILING)
def test_after_the_failure_of_any_thruster_the_station_error_is_at_most_twice_the_healthy_one(vehicle, name):
    """RMS over 60 s that begin 10 s after the failure, in a current with gusts, by the fault and not by a detector."""
    text = pairing_text(vehicle, "position").replace("40 s", "90 s").replace("-170 deg", "170 deg")
    gusts = "[{kind: uniform, velocity: [0.15 m/s, 0.05 m/s, 0]}, "
    gusts += "{kind: gusts, std: [3 cm/s, 3 cm/s, 1 cm/s], correlation_time: 5 s}]"
    text = text.replace("{bottom_depth: 60 m}", f"{{bottom_depth: 60 m, current: {gusts}}}")
    fault = f"    faults: [{{fault: dead, of: {name}, at: 20 s, allocation: fault_tolerant}}]\n"
    errors = []
    for one in (text, text + fault):
        loop, square = Loop(scenario_from_text(one)), 0.0
        for k in range(3000, 9001, 20):
            loop.advance(k)
            square += float(np.sum((loop.vehicles[0].state[:3] - (0.6, 0.3, 5.2)) ** 2))
        errors.append(math.sqrt(square / 301))
    assert errors[1] < 2.0 * errors[0]


@pytest.mark.hypothesis  # of `make nightly` too, on every pairing
@pytest.mark.parametrize(("vehicle", "control"), BANDED)
def test_c6_dead_bands_are_handled(vehicle, control):
    """Dead bands of up to 5 % of the range of the commands, which the controller does not know.

    The allocation of `cascade_p`, which has no integral action, knows their largest width and avoids them.
    """
    thruster = load_vehicle(vehicle).parameters.thrusters[0]
    width = 0.025 * (thruster.command_maximum - thruster.command_minimum)
    width = 0.5 if not math.isfinite(width) else width
    banded = f"    actuators: {{dead_band_range: [0, {width:.3g}]}}\n    navigation"
    text = pairing_text(vehicle, control).replace("    navigation", banded)
    if control == "cascade_p":
        text = text.replace("part: bounded,", "part: bounded, avoid_dead_bands: true,")
    assert not run(scenario_from_text(text)).warnings


def test_dead_bands_that_hide_errors_from_a_controller_without_integral_action_are_noted():
    text = pairing_text("bluerov2", "cascade_p").replace("    navigation", "    actuators: ACTUATORS\n    navigation")
    banded = text.replace("ACTUATORS", "{dead_band_range: [0, 2.28 N]}")
    (note,) = scenario_from_text(banded).load_notes
    assert "hide errors of up to" in note
    assert "deg in yaw. Give the allocation avoid_dead_bands: true" in note
    for fine in (
        banded.replace("part: bounded,", "part: bounded, avoid_dead_bands: true,"),
        banded.replace("2.28 N", "0.01 N"),
        banded.replace("cascade_p", "position"),
    ):
        assert not scenario_from_text(fine).load_notes


@pytest.mark.hypothesis  # of `make nightly` too, on every pairing
@pytest.mark.parametrize(("vehicle", "control"), REVERSED)
def test_c6_a_reversed_thruster_is_handled(vehicle, control):
    name = load_vehicle(vehicle).parameters.thruster_names[1]
    fault = f"    faults: [{{fault: reversed, of: {name}, at: 5 s, allocation: fault_tolerant}}]\n"
    assert not run(scenario_from_text(pairing_text(vehicle, control) + fault)).warnings
