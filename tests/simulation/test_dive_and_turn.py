"""The built-in run does what it says with every vehicle that can, and the pilot's parts do their share."""

import math
from dataclasses import replace

import numpy as np
import pytest

from remora import Plant, load_vehicle, preset_names
from remora.control.commands import commands_from_forces
from remora.equations.thrusters import OUTPUT_IS_FORCE, advance_speed, thrust
from remora.simulation import dive_and_turn as scenario
from remora.simulation.dive_and_turn import dive_and_turn, number_of_periods, random_start, reference
from remora.simulation.pilot import (
    Reference,
    commands_for,
    make_pilot,
    pitch_divergence_speed,
    shortest_turn,
    wanted_wrench,
)


def can_be_driven(name: str) -> bool:
    try:
        make_pilot(Plant(load_vehicle(name)))
    except ValueError:
        return False
    return True


DRIVEN = [name for name in preset_names() if can_be_driven(name)]


def test_the_rovs_can_be_driven_and_the_rest_cannot() -> None:
    assert set(DRIVEN) >= {"falcon", "vita1", "bluerov", "bluerov2", "bluerov2_heavy", "flatfish_gazebo"}
    assert not {"remus100", "gavia", "sphere_bare", "bracket", "docking_vehicle"} & set(DRIVEN)


@pytest.mark.parametrize("name", DRIVEN)
def test_every_drivable_preset_dives_turns_and_comes_to_level(name: str) -> None:
    run = dive_and_turn(Plant(load_vehicle(name)), seed=1)
    assert run.stopped is None
    column = run.recording.column
    assert column("down")[-1] == pytest.approx(scenario.DEPTH, abs=0.1)
    assert math.degrees(column("heading")[-1]) == pytest.approx(90.0, abs=2.0)
    ahead = round(scenario.TURN_AT * 10) - 1
    assert column("u")[ahead] == pytest.approx(column("asked_speed")[ahead], abs=0.02)
    assert column("u")[ahead] > 0.2
    assert abs(np.degrees(column("pitch")[-1])) < 8.0
    limits = run.plant.vehicle.parameters.thrusters
    for thruster, thruster_name in zip(limits, run.plant.vehicle.parameters.thruster_names, strict=True):
        commands = column(f"command_{thruster_name}")
        assert thruster.command_minimum <= commands.min() <= commands.max() <= thruster.command_maximum


def test_what_is_asked_when() -> None:
    assert reference(0.0) == Reference(5.0, 0.0, 0.0)
    assert reference(20.0).speed == 0.5
    assert reference(35.0).heading == pytest.approx(math.pi / 2)
    assert reference(50.0) == Reference(5.0, math.pi / 2, 0.0)


def test_the_start_is_small_and_belongs_to_its_seed() -> None:
    starts = [random_start(seed) for seed in range(200)]
    assert random_start(7) == starts[7]
    assert len(set(starts)) == 200
    strengths = [math.hypot(*start.water) for start in starts]
    assert scenario.WEAKEST_CURRENT <= min(strengths) < max(strengths) <= scenario.STRONGEST_CURRENT
    assert max(abs(start.roll) for start in starts) < math.radians(10.0)


@pytest.mark.parametrize(("seconds", "periods"), [(0.1, 1), (0.3, 3), (60.0, 600), (86_400.0, 864_000)])
def test_duration_in_whole_periods(seconds: float, periods: int) -> None:
    assert number_of_periods(seconds) == periods


@pytest.mark.parametrize("seconds", [0.0, 0.01, -1.0, math.nan, math.inf, 86_401.0])
def test_no_sensible_duration(seconds: float) -> None:
    with pytest.raises(ValueError, match="duration is"):
        number_of_periods(seconds)


def test_a_longer_run_begins_like_a_shorter_one() -> None:
    plant = Plant(load_vehicle("falcon"))
    short, long = (dive_and_turn(plant, 2, seconds).recording.rows for seconds in (5.0, 8.0))
    assert np.array_equal(short, long[: len(short)])


def test_a_run_that_leaves_the_envelope_ends_there() -> None:
    vehicle = load_vehicle("flatfish_bay_ls")
    tight = vehicle.parameters._replace(envelope=(9.0, 9.0, 9.0, 9.0, 9.0, 1e-4))
    run = dive_and_turn(Plant(replace(vehicle, parameters=tight)))
    assert run.stopped is not None
    assert "yaw speed" in run.stopped
    assert "left the envelope" in run.stopped
    assert "before" not in run.stopped
    assert np.all(np.isfinite(run.recording.rows))


def test_interrupted_before_the_first_row_there_is_nothing_to_keep(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(scenario, "commands_for", interrupt)
    with pytest.raises(KeyboardInterrupt):
        dive_and_turn(Plant(load_vehicle("falcon")))


@pytest.mark.parametrize("name", ["falcon", "bluerov2_heavy", "flatfish_gazebo"])
def test_a_command_gives_the_force_it_is_for(name: str) -> None:
    parameters = load_vehicle(name).parameters
    twist = (0.4, 0.1, -0.1, 0.0, 0.05, 0.2)
    plant = Plant(load_vehicle(name))
    for i, thruster in enumerate(parameters.thrusters):
        for force in (-3.0, 0.0, 4.0):
            forces = np.zeros(len(parameters.thrusters))
            forces[i] = force
            commands = np.array(commands_from_forces(parameters, forces.tolist(), twist))
            output = plant.rollout(plant.initial_state(), commands, 20.0, 2000)[-1][13 + i]
            made = output
            if parameters.thrust_law != OUTPUT_IS_FORCE:
                made = thrust(thruster, output, advance_speed(thruster, twist))
            share = thruster.effectiveness_forward if made > 0.0 else thruster.effectiveness_reverse
            assert share * made == pytest.approx(force, abs=0.02)


def test_the_wanted_wrench_gives_the_wanted_acceleration() -> None:
    """With the wrench of the law in place of thrust, a body without couplings accelerates as the law asks."""
    plant = Plant(load_vehicle("bluerov2_heavy"))
    pilot = make_pilot(plant)
    assert sorted(pilot.driven) == [0, 2, 3, 4, 5]
    state = plant.initial_state((0, 0, 4.0), twist=(0.2, 0, 0, 0, 0, 0))
    water = (0.05, 0.0, 0.0)
    wrench = wanted_wrench(pilot, state, Reference(5.0, 0.0, 0.5), water)
    rate = plant.derivative(state, np.zeros(8), wrench, water)[7:]
    assert rate[0] == pytest.approx(0.5 - 0.2)
    assert rate[2] == pytest.approx(0.4)  # 1 m too shallow asks for 0.4 m/s, and it does not sink yet


def test_allocation_reaches_the_wanted_wrench_inside_the_limits() -> None:
    plant = Plant(load_vehicle("bluerov2_heavy"))
    pilot = make_pilot(plant)
    state = plant.initial_state((0, 0, 5.0))
    asked, water = Reference(5.2, 0.05, 0.1), (0.0, 0.0, 0.0)
    forces = commands_for(pilot, state, asked, water)
    effects = np.array([thruster.effect for thruster in plant.vehicle.parameters.thrusters])
    assert forces @ effects == pytest.approx(wanted_wrench(pilot, state, asked, water), abs=1e-9)


def test_at_the_reference_only_weight_and_buoyancy_are_held() -> None:
    plant = Plant(load_vehicle("vita1"))  # neutral
    pilot = make_pilot(plant)
    commands = commands_for(pilot, plant.initial_state((0, 0, 5.0)), Reference(5.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    assert np.abs(commands).max() < 1e-9


def test_falcon_would_lose_its_pitch_above_half_a_metre_per_second() -> None:
    """Righting 49 N m/rad against (499 - 283.6) kg u^2 while sinking."""
    assert pitch_divergence_speed(load_vehicle("falcon").parameters) == pytest.approx(0.477, abs=0.001)
    pilot = make_pilot(Plant(load_vehicle("falcon")))
    assert pilot.largest_speeds[0] == pytest.approx(0.334, abs=0.001)
    assert "pitch" in pilot.slowed
    assert make_pilot(Plant(load_vehicle("bluerov2_heavy"))).slowed == ""


@pytest.mark.parametrize(
    ("heading", "wanted", "turn"),
    [(170.0, -170.0, 20.0), (-170.0, 170.0, -20.0), (10.0, 370.0, 0.0), (0.0, 90.0, 90.0)],
)
def test_the_short_way_round(heading: float, wanted: float, turn: float) -> None:
    assert math.degrees(shortest_turn(math.radians(heading), math.radians(wanted))) == pytest.approx(turn, abs=1e-9)
