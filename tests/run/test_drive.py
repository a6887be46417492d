"""The drive stage: delays exact in time, steps and dead bands, units that differ, start times, stages, resuming."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from driven_vehicles import BATTERY, FORCE_LAW, PULSE, PULSE_SPEED, SPEED_LAW, TABLE, driven, driven_text
from remora.equations.algebra.pose import BODY_SIZE
from remora.logs import read_log
from remora.plant import rollouts
from remora.plant.plant import Plant
from remora.run.loop.loop import run
from remora.run.plant.drive import DriveOptions, make_drive
from remora.scenarios import scenario_from_text
from remora.vehicles import load_vehicle

MS = 1_000_000
times = st.integers(0, 400 * MS)


def carried(drive, plant, row, state, begin, end, longest):
    """The plant from one time to another, in steps that end at due times and are never longer than so."""
    now = begin
    while now < end:
        until = min(end, now + longest, drive.due(state, now) or end)
        row = plant.step(row, drive.inputs(state, now), 1e-9 * (until - now))
        now = until
    return row


@given(st.lists(st.tuples(times, st.floats(-30.0, 30.0)), min_size=1, max_size=8), st.integers(0, 60_000_001))
def test_each_input_is_the_command_of_one_delay_ago(changes, delay):
    """At every nanosecond around every change, whatever the delay and however close commands follow each other."""
    drive = make_drive(driven(FORCE_LAW, "delay: 1 ms"), 1)
    drive = replace(drive, drives=(drive.drives[0]._replace(delay_ns=delay),))
    commands = sorted(dict(changes).items())
    state, states = drive.initial(), []
    for time_ns, command in commands:
        state, _ = drive.step(state, time_ns, [command])
        states.append((time_ns, state))
    for k, (time_ns, state) in enumerate(states):
        end = commands[k + 1][0] if k + 1 < len(commands) else time_ns + delay + 2
        asked = {time_ns, time_ns + 1, end - 1, *(t + delay + j for t, _ in commands for j in (-1, 0, 1))}
        for now in (t for t in asked if time_ns <= t < end):
            wanted = [value for t, value in commands[: k + 1] if t + delay <= now]
            assert drive.inputs(state, now)[0] == (wanted[-1] if wanted else 0.0)


@given(st.lists(st.tuples(times, st.floats(-30.0, 30.0), st.floats(-30.0, 30.0)), min_size=1, max_size=6))
def test_inputs_change_at_due_times_and_only_there(changes):
    drive = make_drive(
        driven(FORCE_LAW, "delay: 40 ms", "delay: 7 ms"), 1, options=DriveOptions(starts={"t1": 90 * MS})
    )
    state, end = drive.initial(), 600 * MS
    for time_ns, *commands in sorted(changes):
        state, _ = drive.step(state, time_ns, commands)
    now = max(time_ns for time_ns, *_ in changes)
    while (due := drive.due(state, now)) is not None:
        before = drive.inputs(state, now)
        assert now < due < end
        assert np.array_equal(drive.inputs(state, due - 1), before)
        now = due
    assert np.array_equal(drive.inputs(state, end), drive.inputs(state, now))


def test_the_plant_answers_the_same_whatever_the_step():
    """A delay that is no multiple of any step: outputs agree with the closed form of the lag to rounding."""
    vehicle = driven(FORCE_LAW, "delay: 40.123457 ms")
    plant, drive = Plant(vehicle), make_drive(vehicle, 1)
    state, _ = drive.step(drive.initial(), 0, [20.0])
    closed = 20.0 * (1.0 - np.exp(-(0.3 - 0.040123457) / 0.1))
    for longest in (1 * MS, 7 * MS, 50 * MS, 300 * MS):
        row = carried(drive, plant, plant.initial_state(), state, 0, 300 * MS, longest)
        assert row[BODY_SIZE] == pytest.approx(closed, rel=1e-12)


@given(st.floats(1100.0, 1900.0))
def test_steps_and_dead_band(pulse):
    drive = make_drive(driven(FORCE_LAW, PULSE + ", resolution: 4 us"), 1)
    force = drive.step(drive.initial(), 0, [pulse])[1].before_saturation[0]
    x = 4.0 * np.floor((pulse - 1500.0) / 4.0 + 0.5)
    assert force == pytest.approx(3.123e-2 * x + 2.52e-4 * abs(x) * x if abs(x) >= 25.0 else 0.0, rel=1e-9)


@given(st.floats(-20.0, 20.0))
def test_commands_in_newtons_have_steps_and_a_dead_band_too(command):
    drive = make_drive(driven(FORCE_LAW, "resolution: 0.5 N, dead_band: 2 N"), 1)
    force = drive.step(drive.initial(), 0, [command])[1].before_saturation[0]
    assert force == 0.0 or abs(force) >= 2.0
    assert force % 0.5 == 0.0
    assert abs(force - command) <= 0.25 or (force == 0.0 and abs(command) < 2.25)


def test_pulses_make_shaft_speeds():
    """2000 rpm at 1700 and 2520 rpm at 1800 microseconds, Nielsen 2018."""
    drive = make_drive(driven(SPEED_LAW, PULSE_SPEED, PULSE_SPEED, PULSE_SPEED), 1)
    speeds = drive.step(drive.initial(), 0, [1700.0, 1200.0, 1510.0])[1].before_saturation
    assert np.array(speeds) * 30.0 / np.pi == pytest.approx([2000, -2520, 0], abs=5)


def test_tables_are_read_at_the_voltage_and_their_ends_are_told():
    drive = make_drive(driven(FORCE_LAW, TABLE, TABLE, more=BATTERY), 1)
    state = drive.initial()
    _, inside = drive.step(state, 0, [1800.0, 1380.0], 16.0)
    assert inside.before_saturation == pytest.approx((34.5, -7.25))
    assert inside.outside_table == ()
    _, outside = drive.step(state, 0, [1950.0, 1500.0], 16.0)
    assert outside.before_saturation == pytest.approx((51.0, 0.0))
    assert outside.outside_table == ("t0",)
    assert drive.after_saturation(outside.before_saturation) == (50.0, 0.0)
    assert drive.step(state, 0, [1500.0, 1500.0], 9.9)[1].outside_table == ("t0", "t1")
    full = drive.step(state, 0, [1700.0, 1500.0])[1].before_saturation[0]
    assert full == pytest.approx(16.0 + 4.0 * 2.8 / 4.0), "without a voltage that of the full battery counts"


def test_thrusters_beyond_their_tables_are_told_in_their_own_order(tmp_path):
    """The log of a run must not depend on how Python hashes words."""
    (tmp_path / "tables.yaml").write_text(driven_text(FORCE_LAW, *[TABLE] * 8, more=BATTERY))
    pulses = ", ".join(f"t{i}: 1950 us" for i in reversed(range(8)))
    vehicle = f"{{name: rov, file: tables.yaml, commands: [{{at: 0 s, set: {{{pulses}}}}}]}}"
    setup = scenario_from_text(f"name: tables\nduration: 0.1 s\nvehicles: [{vehicle}]\n", folder=tmp_path)
    run(setup, tmp_path / "log.mcap")
    told = [event.source for event in read_log(tmp_path / "log.mcap").events if "outside the table" in event.text]
    assert told == [f"rov/t{i}" for i in range(8)]


def strength(vehicle, seed, scope="rov"):
    return make_drive(vehicle, seed, scope).thrust_factors


def test_units_scatter_as_stated_and_do_not_know_of_each_other():
    one, both = driven(FORCE_LAW, "scatter: 5 %"), driven(FORCE_LAW, "scatter: 5 %", "scatter: 5 %")
    many = np.array([strength(both, seed) for seed in range(4000)])
    deviations = many - 1.0
    assert np.std(deviations, axis=0) == pytest.approx(0.05, rel=0.05)
    assert np.abs(deviations.mean(axis=0)).max() < 4 * 0.05 / np.sqrt(4000)
    assert abs(np.corrcoef(deviations.T)[0, 1]) < 4 / np.sqrt(4000)
    assert strength(one, 3) == strength(both, 3)[:1], "another thruster changes nothing"
    assert strength(one, 3) != strength(one, 4)
    assert strength(one, 3, "a") != strength(one, 3, "b")
    assert strength(driven(FORCE_LAW, ""), 3) == (1.0,)


def test_the_plant_is_as_strong_as_its_unit_and_no_number_of_the_vehicle_changes():
    vehicle = driven(FORCE_LAW, "scatter: 20 %")
    plant, drive = Plant(vehicle), make_drive(vehicle, 5)
    state = plant.initial_state(outputs=[30.0])
    nominal = rollouts.derivative(plant.packed, state, [30.0])[7]
    real = rollouts.derivative(drive.apply_to(plant.packed), state, [30.0])[7]
    assert drive.thrust_factors[0] != 1.0
    assert real == pytest.approx(drive.thrust_factors[0] * nominal, rel=1e-12)
    assert drive.parameters == vehicle.parameters
    assert np.array_equal(plant.packed.row, Plant(vehicle).packed.row)


def test_limits_can_be_taken_off():
    vehicle = load_vehicle("gavia")
    plant = Plant(vehicle)
    free = make_drive(vehicle, 1, options=DriveOptions(saturation=False))
    bound = make_drive(vehicle, 1)
    commands = [200.0, 0.5, -0.5, 0.5, 0.5]
    assert free.after_saturation(commands) == tuple(commands)
    assert bound.after_saturation(commands) == pytest.approx([975 * np.pi / 30, 0.349, -0.349, 0.349, 0.349], abs=1e-3)
    for drive, reached in ((free, 0.5), (bound, np.radians(20.0))):
        row = rollouts.rollout(drive.apply_to(plant.packed), plant.initial_state(), commands, 5.0, 500)[-1]
        assert row[BODY_SIZE + 1] == pytest.approx(reached, rel=1e-6)


def test_an_actuator_holds_its_output_until_its_start():
    vehicle = load_vehicle("falcon")
    plant = Plant(vehicle)
    drive = make_drive(vehicle, 1, options=DriveOptions(starts={"front_port": 500 * MS, "vertical": 20 * MS}))
    speeds = [30.0, -20.0, 50.0, 0.0, -80.0]
    state, row = drive.initial(speeds), plant.initial_state(outputs=speeds)
    state, _ = drive.step(state, 0, [0.0] * 5)
    at_40 = carried(drive, plant, row, state, 0, 40 * MS, 5 * MS)
    assert at_40[BODY_SIZE:] == pytest.approx(speeds, rel=1e-9), "a delay of 40 ms, and one that has not started"
    later = carried(drive, plant, at_40, state, 40 * MS, 500 * MS, 5 * MS)
    assert later[BODY_SIZE] == pytest.approx(30.0, rel=1e-9)
    assert abs(later[BODY_SIZE + 1]) < 10.0
    end = carried(drive, plant, later, state, 500 * MS, 3000 * MS, 5 * MS)
    assert abs(end[BODY_SIZE]) < 0.5


class Ramp:
    """A stage that lets no command change by more than one newton per call."""

    def initial(self):
        return (0.0, 0.0)

    def step(self, state, time_ns, commands):
        state = tuple(old + min(max(new - old, -1.0), 1.0) for old, new in zip(state, commands, strict=True))
        return state, state


def test_a_stage_of_ones_own_stands_in_front():
    drive = make_drive(driven(FORCE_LAW, "dead_band: 1.5 N", ""), 1, options=DriveOptions(stage=Ramp()))
    state, forces = drive.initial(), []
    for k in range(4):
        state, demand = drive.step(state, k * MS, [10.0, -2.5])
        forces.append(demand.before_saturation)
    assert forces == [(0.0, -1.0), (2.0, -2.0), (3.0, -2.5), (4.0, -2.5)]


def test_a_stored_drive_goes_on_bit_for_bit():
    vehicle = driven(FORCE_LAW, PULSE + ", delay: 33 ms, scatter: 4 %, resolution: 1 us", "delay: 1.7 ms")
    options = DriveOptions(starts={"t1": 70 * MS}, stage=Ramp())

    def run(stored_at):
        plant, drive = Plant(vehicle), make_drive(vehicle, 8, "rov", options)
        state, row, rows = drive.initial(), plant.initial_state(), []
        for k in range(40):
            state, _ = drive.step(state, 5 * k * MS, [1500.0 + 300.0 * np.sin(k), 20.0 * np.cos(k)])
            if k == stored_at:
                state, drive = pickle.loads(pickle.dumps(state)), make_drive(vehicle, 8, "rov", options)
            row = carried(drive, plant, row, state, 5 * k * MS, 5 * (k + 1) * MS, MS)
            rows.append(row)
        return np.array(rows), state

    rows, state = run(None)
    assert state.pending
    for k in (0, 7, 20):
        again, last = run(k)
        assert np.array_equal(again, rows)
        assert last == state


def test_a_vehicle_without_drives_hands_commands_through():
    drive = make_drive(load_vehicle("vita1"), 1)
    assert drive.is_direct
    commands = np.arange(8.0)
    state, demand = drive.step(drive.initial(), 5, commands)
    assert demand.before_saturation == tuple(commands)
    assert np.array_equal(drive.inputs(state, 5), commands)
    assert drive.due(state, 5) is None
    packed = Plant(load_vehicle("vita1")).packed
    assert drive.apply_to(packed) is packed


def test_what_is_wrong_is_said():
    vehicle = driven(FORCE_LAW, "delay: 40 ms", "")
    with pytest.raises(ValueError, match='no actuator "t9"'):
        make_drive(vehicle, 1, options=DriveOptions(starts={"t9": 0}))
    with pytest.raises(ValueError, match="whole nanoseconds"):
        make_drive(vehicle, 1, options=DriveOptions(starts={"t0": -1}))
    for name in ("falcon", "vita1"):
        drive = make_drive(load_vehicle(name), 1)
        with pytest.raises(ValueError, match="commands"):
            drive.step(drive.initial(), 0, [0.0] * 3)
        with pytest.raises(ValueError, match="finite"):
            drive.step(drive.initial(), 0, [np.nan] * len(drive.names))
