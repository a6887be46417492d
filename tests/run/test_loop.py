"""The loop: order and times of what happens, sensors off the grid, failures, and runs that repeat to the last bit."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from remora.logs import compare, read_log
from remora.logs.schema import Field
from remora.messages.part import AllocationResult, PartInput, Role
from remora.plant.plant import Plant
from remora.run.loop.loop import Loop, run
from remora.run.setup import ScheduledPart, Setup, SetupError, VehicleSetup
from remora.vehicles import load_vehicle
from sample_runs import DVL, IMU, MILLISECOND, PRESSURE, SECOND, DepthHold, sample_setup, sample_vehicle


@dataclass(frozen=True)
class Spy:
    """Notes what it sees, and gives what it is told to."""

    seen: list[PartInput]
    gives: Any = None
    fields: tuple[Field, ...] = ()

    def initial(self) -> int:
        return 0

    def step(self, state: int, now: PartInput) -> tuple[int, Any]:
        self.seen.append(now)
        return state + 1, self.gives

    def row(self, output: Any) -> Sequence[float]:
        return output  # type: ignore[no-any-return]


def with_part(part: ScheduledPart, vehicle: VehicleSetup | None = None) -> VehicleSetup:
    vehicle = vehicle or sample_vehicle()
    return replace(vehicle, parts=(*(p for p in vehicle.parts if p.role != part.role), part))


def log_of(setup: Setup, folder: Path, name: str = "run.mcap") -> Any:
    run(setup, folder / name)
    return read_log(folder / name)


def test_same_seed_same_bytes_and_another_seed_other_noise(tmp_path: Path) -> None:
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        run(sample_setup(seed=seed), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    difference = compare(tmp_path / "a", tmp_path / "c")
    assert not difference.same


def test_a_run_changes_nothing_that_it_was_given() -> None:
    setup = sample_setup(duration=1.0)
    start = np.array(setup.vehicles[0].start)
    first = Loop(setup)
    first.advance(first.steps)
    second = Loop(setup)
    second.advance(second.steps)
    assert np.array_equal(first.vehicles[0].state, second.vehicles[0].state)
    assert np.array_equal(setup.vehicles[0].start, start)


@pytest.mark.parametrize("pieces", [(1, 399), (7, 100, 293), (399, 1)])
def test_a_run_in_pieces_comes_out_like_the_whole(pieces: tuple[int, ...]) -> None:
    whole, parts = Loop(sample_setup()), Loop(sample_setup())
    whole.advance(whole.steps)
    for piece in pieces:
        parts.advance(parts.step + piece)
    assert parts.step == whole.steps
    assert np.array_equal(parts.vehicles[0].state, whole.vehicles[0].state)


def test_parts_run_in_the_order_of_their_roles_whatever_the_order_of_the_file(tmp_path: Path) -> None:
    """Allocation stands first in the sample, yet it sees the wrench of the same instant."""
    seen: list[PartInput] = []
    vehicle = with_part(ScheduledPart(Role.ALLOCATION, "spy", Spy(seen, [0.0] * 8), 20 * MILLISECOND))
    run(sample_setup([vehicle], 0.2))
    assert [now.time_ns for now in seen] == [i * 20 * MILLISECOND for i in range(10)]
    assert all(now.estimate is not None and now.estimate.time_ns == now.time_ns for now in seen)
    assert [any(now.wrench) for now in seen] == [False] * 5 + [True] * 5  # control starts at 0.1 s


def test_inputs_are_held_between_the_times_of_parts(tmp_path: Path) -> None:
    log = log_of(sample_setup(duration=1.0), tmp_path)
    commands = log["rov/commands"]
    changes = np.flatnonzero(np.any(np.diff(commands.table(), axis=0), axis=1)) + 1
    assert changes.size > 5
    assert np.all(commands.time_ns[changes] % (20 * MILLISECOND) == 0)


def test_a_sensor_off_the_grid_measures_at_its_own_times_on_the_state_of_that_time(tmp_path: Path) -> None:
    """With steps a hundred times finer its readings are the same: they belong to their time, not to the step."""
    quiet = {**DVL, "parameters": {}}
    coarse = sample_setup([sample_vehicle(sensors=[quiet])], 2.0)
    fine = replace(coarse, step_ns=MILLISECOND // 10)
    readings = [log_of(setup, tmp_path, name)["rov/dvl"] for setup, name in ((coarse, "c"), (fine, "f"))]
    assert np.array_equal(readings[0].time_ns, np.arange(14) * 142_857_143)
    assert np.array_equal(readings[0].time_ns, readings[1].time_ns)
    speeds = [log["velocity_x"] for log in readings]
    assert np.ptp(speeds[1]) > 0.05
    assert np.allclose(*speeds, rtol=0.0, atol=2e-7)


def test_readings_arrive_after_their_latency_and_keep_their_stamp() -> None:
    seen: list[PartInput] = []
    vehicle = with_part(ScheduledPart(Role.GUIDANCE, "spy", Spy(seen), 10 * MILLISECOND))
    run(sample_setup([vehicle], 1.0))
    fresh = [(now.time_ns, reading) for now in seen for reading in now.new_readings if reading.sensor == "rov/dvl"]
    assert [reading.stamp_ns for _, reading in fresh] == [k * 142_857_143 for k in range(7)]
    for time_ns, reading in fresh:
        assert reading.arrival_ns == reading.stamp_ns + 30 * MILLISECOND
        assert 0 <= time_ns - reading.arrival_ns < 10 * MILLISECOND
    assert sum(len(now.new_readings) for now in seen) == 7 + 100 + 30  # each reading of each sensor once


def test_another_sensor_or_vehicle_changes_no_noise_and_no_motion(tmp_path: Path) -> None:
    alone = log_of(sample_setup([sample_vehicle(sensors=[IMU])]), tmp_path, "1")
    more = log_of(sample_setup([sample_vehicle(sensors=[PRESSURE, IMU, DVL])]), tmp_path, "2")
    both = log_of(sample_setup([sample_vehicle("other", north=5.0), sample_vehicle(sensors=[IMU])]), tmp_path, "3")
    for log in (more, both):
        for channel in ("rov/imu", "rov/truth"):
            assert np.array_equal(log[channel].table(), alone[channel].table())
    assert not np.array_equal(both["other/imu"].table(), both["rov/imu"].table())


def test_one_vehicle_can_measure_the_place_of_another(tmp_path: Path) -> None:
    usbl = {"name": "usbl", "kind": "usbl", "position": [0.0, 0.0, 0.0], "rate": 3.0, "parameters": {"target": "other"}}
    vehicles = [sample_vehicle(sensors=[usbl]), replace(sample_vehicle("other", north=20.0), parts=())]
    log = log_of(replace(sample_setup(vehicles, 2.0), log_period_ns=10 * MILLISECOND), tmp_path)
    reading, own, other = log["rov/usbl"], log["rov/truth"], log["other/truth"]
    places = ("p_NB_x", "p_NB_y", "p_NB_z")
    apart = np.linalg.norm(own.table(*places) - other.table(*places), axis=1)
    assert len(reading) == 7
    assert np.ptp(reading["range"]) > 1e-3
    assert np.allclose(reading["range"], np.interp(reading.time, own.time, apart), rtol=0.0, atol=2e-5)


def test_life_of_each_part_is_an_event(tmp_path: Path) -> None:
    vehicle = sample_vehicle()
    stopping = replace(vehicle.parts[1], stop_ns=SECOND)
    log = log_of(sample_setup([with_part(stopping, vehicle)], 2.0), tmp_path)
    life = [(e.time_ns, e.source, e.text) for e in log.events if e.source.startswith("rov/")]
    assert (0, "rov/truth", "inactive -> active") in life
    assert (SECOND // 10, "rov/depth_hold", "inactive -> active") in life
    assert (SECOND + SECOND // 50, "rov/depth_hold", "active -> finished") in life


def test_a_part_without_its_input_waits_and_the_actuators_rest(tmp_path: Path) -> None:
    vehicle = sample_vehicle()
    blind = replace(vehicle, parts=tuple(p for p in vehicle.parts if p.role != Role.NAVIGATION))
    log = log_of(sample_setup([blind], 0.5), tmp_path)
    assert any(e.source == "rov/depth_hold" and e.text == "inactive -> waiting" for e in log.events)
    assert not log["rov/commands"].table().any()


def test_a_loop_without_any_part_is_a_vehicle_that_drifts(tmp_path: Path) -> None:
    log = log_of(sample_setup([replace(sample_vehicle(), parts=())], 60.0), tmp_path)
    assert log["rov/truth"]["v_NB_B_x"][-1] == pytest.approx(0.1, abs=0.02)  # taken along by the current


@pytest.mark.parametrize(
    ("role", "gives", "words"),
    [
        (Role.CONTROL, [math.nan] * 6, "not a wrench of six finite numbers"),
        (Role.CONTROL, [1.0, 2.0], "not a wrench of six finite numbers"),
        (Role.ALLOCATION, [math.inf] * 8, "not 8 finite commands"),
        (Role.ALLOCATION, [0.0] * 5, "not 8 finite commands"),
        (Role.NAVIGATION, (1.0, 2.0), "not an Estimate"),
    ],
)
def test_a_part_that_gives_nonsense_is_named_and_the_log_stays_readable(
    role: Role, gives: Any, words: str, tmp_path: Path
) -> None:
    late = ScheduledPart(role, "spoiler", Spy([], gives), 20 * MILLISECOND, start_ns=SECOND)
    outcome = run(sample_setup([with_part(late)], 2.0), tmp_path / "log")
    assert '"rov"' in outcome.stopped
    assert '"spoiler"' in outcome.stopped
    assert words in outcome.stopped
    assert "at 1 s" in outcome.stopped
    log = read_log(tmp_path / "log")
    assert log["rov/truth"].time_ns[-1] == outcome.time_ns
    assert log.events[-1].level == "fatal"
    assert not np.isnan(log["rov/truth"].table()).any()


def test_a_part_that_raises_is_named(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Broken(DepthHold):
        def step(self, state: float, now: PartInput) -> tuple[float, tuple[float, ...] | None]:
            raise ZeroDivisionError("float division by zero")

    broken = ScheduledPart(Role.CONTROL, "broken", Broken(), 20 * MILLISECOND)
    outcome = run(sample_setup([with_part(broken)], 1.0), tmp_path / "log")
    assert 'control "broken" failed: ZeroDivisionError: float division by zero, raised at ' in outcome.stopped
    assert outcome.stopped.endswith(", at 0 s")


def test_what_allocation_could_not_make_reaches_the_controllers() -> None:
    seen: list[PartInput] = []
    short = AllocationResult([0.0] * 8, (1.0, 0.0, 2.0, 0.0, 0.0, 0.0))
    vehicle = with_part(ScheduledPart(Role.ALLOCATION, "short", Spy([], short), 20 * MILLISECOND))
    vehicle = with_part(ScheduledPart(Role.CONTROL, "spy", Spy(seen, [0.0] * 6), 20 * MILLISECOND), vehicle)
    run(sample_setup([vehicle], 0.1))
    assert next(now.missing for now in seen) == (0.0,) * 6
    assert all(now.missing == short.missing for now in seen[1:])


def test_truth_is_shown_to_nobody_who_is_not_told_it() -> None:
    seen: list[PartInput] = []
    vehicle = with_part(ScheduledPart(Role.GUIDANCE, "spy", Spy(seen), 20 * MILLISECOND))
    run(sample_setup([vehicle], 0.1))
    assert seen
    assert all(now.truth is None for now in seen)


def test_a_controller_without_allocation_gives_commands(tmp_path: Path) -> None:
    vehicle = replace(sample_vehicle(), parts=(ScheduledPart(Role.CONTROL, "bare", Spy([], [1.5] * 8), SECOND // 10),))
    log = log_of(sample_setup([vehicle], 0.5), tmp_path)
    assert np.all(log["rov/commands"].table() == 1.5)


def test_commands_beyond_the_limits_are_logged_before_and_after(tmp_path: Path) -> None:
    vehicle = replace(sample_vehicle(), parts=(ScheduledPart(Role.CONTROL, "full", Spy([], [1e4] * 8), SECOND // 10),))
    log = log_of(sample_setup([vehicle], 0.5), tmp_path)
    limits = [thruster.command_maximum for thruster in vehicle.nominal.parameters.thrusters]
    assert np.all(log["rov/commands"].table() == 1e4)
    assert np.array_equal(log["rov/limited"].table()[-1], limits)


def test_a_disturbance_pushes(tmp_path: Path) -> None:
    def push(time_ns: int, state: Any) -> tuple[float, ...]:
        return (0.0, 20.0 if time_ns >= SECOND else 0.0, 0.0, 0.0, 0.0, 0.0)

    vehicle = replace(sample_vehicle(), parts=(), disturbances=(push,))
    log = log_of(sample_setup([vehicle], 2.0), tmp_path)
    sway, times = log["rov/truth"]["v_NB_B_y"], log["rov/truth"].time_ns
    assert np.abs(sway[times <= SECOND]).max() < 1e-3
    assert sway[-1] > 0.1


def test_the_log_takes_a_hundredth_of_a_second_unless_told_otherwise(tmp_path: Path) -> None:
    fine = replace(sample_setup(duration=1.0), step_ns=2_500_000)
    assert log_of(fine, tmp_path, "1")["rov/truth"].time_ns.size == 101
    assert log_of(replace(fine, log_period_ns=2_500_000), tmp_path, "2")["rov/truth"].time_ns.size == 401


def test_an_external_clock_drives_the_run_and_pauses_it(tmp_path: Path) -> None:
    setup = sample_setup(duration=1.0)
    outcome = run(setup, tmp_path / "clocked", clock=["100.0", "100.25", "100.25", "100.255", "100.6"])
    assert outcome.time_ns == 600 * MILLISECOND
    run(sample_setup(duration=0.6), tmp_path / "free")
    clocked, free = read_log(tmp_path / "clocked"), read_log(tmp_path / "free")
    for channel in ("rov/truth", "rov/imu", "rov/commands"):
        assert np.array_equal(clocked[channel].table(), free[channel].table())


def test_an_external_clock_beyond_the_duration_ends_the_run() -> None:
    assert run(sample_setup(duration=1.0), clock=[0, 5, 10]).time_ns == SECOND


@pytest.mark.parametrize(
    ("period", "step", "words"),
    [(25, 10, r"period of 0\.025 s.*step of 0\.01 s"), (5, 10, r"period of 0\.005 s.*step of 0\.01 s")],
)
def test_a_period_that_is_no_multiple_of_the_step_is_refused_with_both(period: int, step: int, words: str) -> None:
    part = ScheduledPart(Role.CONTROL, "odd", DepthHold(), period * MILLISECOND)
    with pytest.raises(SetupError, match=words):
        sample_setup([with_part(part)])


def test_two_vehicles_of_one_name_are_refused() -> None:
    with pytest.raises(SetupError, match='two vehicles are called "rov"'):
        sample_setup([sample_vehicle(), sample_vehicle()])


def test_two_parts_of_one_role_are_refused_but_wrenches_add_up(tmp_path: Path) -> None:
    vehicle = sample_vehicle()
    two = replace(vehicle, parts=(*vehicle.parts, ScheduledPart(Role.NAVIGATION, "second", Spy([]), SECOND)))
    with pytest.raises(SetupError, match="2 parts for navigation"):
        sample_setup([two])
    push = ScheduledPart(Role.CONTROL, "push", Spy([], (0.0, 3.0, 0.0, 0.0, 0.0, 0.0)), 10 * MILLISECOND)
    seen: list[PartInput] = []
    both = replace(with_part(ScheduledPart(Role.ALLOCATION, "spy", Spy(seen, [0.0] * 8), 20 * MILLISECOND)))
    both = replace(both, parts=(*both.parts, push))
    run(sample_setup([both], 0.3))
    assert seen[-1].wrench[:2] == (5.0, 3.0)


def test_where_the_law_of_a_thruster_holds_is_in_the_log(tmp_path: Path) -> None:
    """The law of Gavia's propeller is known from 450 to 975 rpm."""
    vehicle = load_vehicle("gavia")
    plant = Plant(vehicle)
    commands = np.zeros(plant.packed.actuators)
    commands[0] = 700.0 * math.tau / 60.0
    part = ScheduledPart(Role.CONTROL, "fixed", Spy([], commands), SECOND // 10)
    gavia = VehicleSetup("gavia", plant, vehicle, plant.initial_state(), parts=(part,))
    log = log_of(sample_setup([gavia], 20.0), tmp_path)
    name = next(name for name in log["gavia/thruster_flags"].columns if name.endswith("_valid"))
    valid, speed = log["gavia/thruster_flags"][name], log["gavia/outputs"].table()[:, 0]
    assert np.array_equal(valid == 1, (speed >= 450.0 * math.tau / 60.0) & (speed <= 975.0 * math.tau / 60.0))
    assert set(valid.tolist()) == {0, 1}
