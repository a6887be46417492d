"""Inputs that act earlier or later than the model says are reported with their time shift."""

from functools import cache

import numpy as np
import pool_simulator
import pytest
from click.testing import CliRunner
from pool_simulator import AXES, NAMES, THRUSTERS, TRUTH, VEHICLE, csv_text, flights, measured
from scipy.interpolate import CubicSpline

from remora.cli.errors import with_options
from remora.cli.group import main
from remora.identification import inputs_of, record_from_arrays
from remora.identification.data.log_files import at_one_rate
from remora.identification.methods import METHODS, Task
from remora.vehicles import vehicle_from_text

INTERVAL = 0.02  # s
SHIFTED = "Inputs act "


@cache
def known_flights():
    return flights(range(3), 60.0)


def shifted_record(flight, seed, kind, seconds):
    """A record in which inputs are stamped so much too early: the motion follows them that much later."""
    rows = round(abs(seconds) / INTERVAL)
    twist = np.full((len(flight.time), 6), np.nan)
    twist[:, [0, 1, 2, 5]] = measured(flight, seed)
    values = flight.commands if kind == "commands" else flight.outputs
    count = len(twist) - rows
    motion, driven = (twist[:count], values[rows:]) if seconds > 0.0 else (twist[rows:], values[:count])
    return record_from_arrays(flight.time[:count], motion, inputs_of(kind, driven, THRUSTERS, ["N"] * len(THRUSTERS)))


def fitted(record, vehicle=VEHICLE, method="instruments"):
    return METHODS[method].fit(Task((record,), vehicle_from_text(vehicle), NAMES, AXES))


def shifts_said(fit):
    return [float(w.split()[2]) * (1 if w.split()[4] == "later" else -1) for w in fit.warnings if w.startswith(SHIFTED)]


@pytest.mark.xdist_group("pool")
@pytest.mark.parametrize("rate", [50.0, 10.0])
@pytest.mark.parametrize("kind", ["commands", "outputs"])
def test_a_clock_offset_of_a_tenth_of_a_second_is_reported_with_its_size(kind, rate):
    """Both ways, and nothing is said where clocks agree."""
    for seed, flight in enumerate(known_flights()):
        for seconds in (0.1, -0.1, 0.0):
            record = at_one_rate(shifted_record(flight, seed, kind, seconds), None if rate == 50.0 else rate)
            said = shifts_said(fitted(record))
            assert said == ([pytest.approx(seconds, abs=0.01)] if seconds else [])


@pytest.mark.xdist_group("pool")
@pytest.mark.parametrize("method", ["filtered", "total"])
def test_a_clock_offset_is_reported_without_instruments_too(method):
    flight = known_flights()[0]
    assert shifts_said(fitted(shifted_record(flight, 0, "commands", 0.0), method=method)) == []
    assert shifts_said(fitted(shifted_record(flight, 0, "commands", 0.1), method=method)) == [
        pytest.approx(0.1, abs=0.01)
    ]


@pytest.mark.xdist_group("pool")
def test_a_wrong_thruster_lag_is_reported_as_a_time_shift():
    """The file says 0.02 s, the thrusters have 0.12 s: inputs act 0.1 s later than the model says."""
    wrong = VEHICLE.replace("time_constant: 0.12 s", "time_constant: 0.02 s")
    fit = fitted(shifted_record(known_flights()[0], 0, "commands", 0.0), wrong)
    assert shifts_said(fit) == [pytest.approx(0.1, abs=0.03)]
    [sentence] = [w for w in fit.warnings if w.startswith(SHIFTED)]
    assert "method=output-error parameters=default,thrusters.time_constant,delay" in sentence
    k = NAMES.index("added_mass.yaw")
    low, high = fit.intervals(0.95)[k]
    assert not low <= TRUTH[k] <= high  # what the warning is about


@pytest.mark.xdist_group("pool")
def test_a_wrong_form_of_drag_is_not_taken_for_a_time_shift(monkeypatch):
    """Drag of the simulated hull goes with the speed to the power 1.6."""
    scale = np.array([0.5, 0.5, 0.4, 1.0])
    strength = (pool_simulator.LINEAR + pool_simulator.QUADRATIC * scale) * scale

    def rates(speeds, wrench):
        u, v, _, r = speeds.T
        inertia = pool_simulator.RIGID + pool_simulator.ADDED
        munk = (inertia[0] - inertia[1]) * u * v
        coupling = np.column_stack([inertia[1] * v * r, -inertia[0] * u * r, 0.0 * u, munk])
        return (wrench + coupling - strength * np.sign(speeds) * np.abs(speeds / scale) ** 1.6) / inertia

    monkeypatch.setattr(pool_simulator, "rates", rates)
    for seed, flight in enumerate(flights(range(2), 60.0)):
        fit = fitted(shifted_record(flight, seed, "commands", 0.0))
        low, high = fit.intervals(0.95).T
        assert np.mean((low <= TRUTH) & (high >= TRUTH)) < 0.8  # the misfit shows in the drag
        assert shifts_said(fit) == []
        assert shifts_said(fitted(shifted_record(flight, seed, "commands", 0.1))) == [pytest.approx(0.1, abs=0.01)]


@pytest.mark.xdist_group("pool")
def test_inputs_late_on_the_command_line_takes_a_clock_offset_away(tmp_path):
    """Without, the warning names the option and its number; with it, the intervals hold the truth."""
    flight = known_flights()[0]
    record = shifted_record(flight, 0, "commands", -0.1)
    table = {"time": record.time, **{axis: record.speed(axis) for axis in AXES}}
    (tmp_path / "late.csv").write_text(csv_text({**table, **dict(zip(THRUSTERS, record.inputs.values.T, strict=True))}))
    (tmp_path / "pool.yaml").write_text(VEHICLE)
    words = ["fit", str(tmp_path / "pool.yaml"), str(tmp_path / "late.csv"), "--inputs", "commands", "--hold-out", "0"]
    before = CliRunner().invoke(main, words)
    assert before.exit_code == 3, before.output
    assert "Inputs act 0.1 s earlier than the model says" in before.output
    assert "--inputs-late 0.1" in before.output
    after = CliRunner().invoke(main, [*words, "--inputs-late", "0.1"])
    assert after.exit_code == 0, after.output
    assert SHIFTED not in after.output
    values = {line.split()[0]: line.split() for line in after.output.splitlines() if line.startswith("added_mass.")}
    for name, true in zip(NAMES, TRUTH, strict=True):
        if name in values:
            assert float(values[name][2]) <= true <= float(values[name][4]), name


@pytest.mark.xdist_group("pool")
def test_a_delay_that_ends_at_zero_names_the_option_for_late_stamps_of_inputs():
    """Inputs stamped 0.1 s late would need a negative delay, which output error does not have."""
    record = at_one_rate(shifted_record(known_flights()[0], 0, "commands", -0.1), 10.0)
    names = ("added_mass.yaw", "damping.linear.yaw", "damping.quadratic.yaw", "delay")
    fit = METHODS["output-error"].fit(Task((record,), vehicle_from_text(VEHICLE), names, ("yaw",)))
    assert fit.value("delay") == 0.0
    assert any("inputs_late=S" in warning for warning in fit.warnings)
    assert any("--inputs-late S" in warning for warning in with_options(fit.warnings))


def as_outputs(flight, seed, values):
    twist = np.full((len(flight.time), 6), np.nan)
    twist[:, [0, 1, 2, 5]] = measured(flight, seed)
    return record_from_arrays(flight.time, twist, inputs_of("outputs", values, THRUSTERS, ["N"] * len(THRUSTERS)))


@pytest.mark.xdist_group("pool")
def test_commands_given_as_outputs_are_reported_because_they_jump():
    """Thrusters with a lag of 0.12 s cannot jump; their outputs do not, and nothing is said of these."""
    for seed, flight in enumerate(known_flights()):
        jumping = [w for w in fitted(as_outputs(flight, seed, flight.commands)).warnings if "jump from one level" in w]
        assert len(jumping) == 1
        assert all(name in jumping[0] for name in THRUSTERS)
        assert "inputs=commands" in jumping[0]
        assert "--inputs commands" in with_options(jumping)[0]
        right = fitted(as_outputs(flight, seed, flight.outputs)).warnings
        assert not any("jump from" in w or "exceed the limits" in w for w in right)


@pytest.mark.xdist_group("pool")
def test_outputs_beyond_the_limits_of_the_vehicle_are_reported():
    tight = VEHICLE.replace("[-40 N, 40 N]", "[-8 N, 8 N]")
    flight = known_flights()[0]
    [said] = [w for w in fitted(as_outputs(flight, 0, flight.outputs), tight).warnings if "exceed the limits" in w]
    assert "limits are -8 and 8" in said
    assert "inputs=commands" in said


@pytest.mark.xdist_group("pool")
def test_a_short_record_gets_wider_intervals_and_a_warning():
    """In 18 s only eight windows of two seconds stand side by side, too few for eight degrees of freedom."""
    record = shifted_record(known_flights()[0], 0, "commands", 0.0)
    short, long = fitted(record.rows(0, 900)), fitted(record)
    assert [w for w in short.warnings if w.startswith("The data last only")]
    assert not [w for w in long.warnings if w.startswith("The data last only")]
    assert np.max(short.degrees_of_freedom) < 6.0
    assert np.min(long.degrees_of_freedom) >= 8.0


@pytest.mark.xdist_group("pool")
def test_commands_written_in_the_next_row_of_a_jittering_log_are_reported_as_late():
    """Commands of 10 Hz that change between two rows stand in the second: about half a row late, which yaw shows."""
    flight = flights(range(1), 60.0, hold=5)[0]
    jitter = np.random.default_rng(5).uniform(-0.2, 0.2, len(flight.time)) * INTERVAL
    stamps = flight.time[1:-1] + jitter[1:-1]
    noisy = np.random.default_rng(6).standard_normal((len(stamps), 4)) * pool_simulator.NOISE
    twist = np.full((len(stamps), 6), np.nan)
    twist[:, [0, 1, 2, 5]] = CubicSpline(flight.time, flight.speeds)(stamps) + noisy
    inputs = inputs_of("commands", flight.commands[(stamps / INTERVAL).astype(int)], THRUSTERS, ["N"] * len(THRUSTERS))
    record = record_from_arrays(stamps, twist, inputs)
    late = fitted(at_one_rate(record, 10.0))
    [shift] = shifts_said(late)
    assert -0.015 < shift < -0.006
    moved = fitted(at_one_rate(record, 10.0, inputs_late=-shift))
    assert shifts_said(moved) == []
    assert abs(moved.value("added_mass.yaw") - 0.5) < 0.3 * abs(late.value("added_mass.yaw") - 0.5)


@pytest.mark.xdist_group("pool")
def test_a_second_message_about_timing_gives_the_whole_value_of_inputs_late(tmp_path):
    """The option replaces what was given before: of 0.1 s, 0.04 s are known, and the message asks for 0.1 again."""
    record = shifted_record(known_flights()[0], 0, "commands", -0.1)
    table = {"time": record.time, **{axis: record.speed(axis) for axis in AXES}}
    (tmp_path / "late.csv").write_text(csv_text({**table, **dict(zip(THRUSTERS, record.inputs.values.T, strict=True))}))
    (tmp_path / "pool.yaml").write_text(VEHICLE)
    words = ["fit", str(tmp_path / "pool.yaml"), str(tmp_path / "late.csv"), "--inputs", "commands", "--hold-out", "0"]
    done = CliRunner().invoke(main, [*words, "--inputs-late", "0.04"])
    assert done.exit_code == 3, done.output
    assert "s earlier than the model says" in done.output
    assert "give --inputs-late 0.1, in place of the 0.04 given, if clocks differ" in done.output
