"""Bench tests of thrusters: known numbers come back within their intervals, odd data are told or refused."""

import csv

import numpy as np
import pytest

from remora.equations.actuators.drives import PulseSpeed, PulseThrust, speed_from_pulse, thrust_from_pulse
from remora.equations.actuators.thrusters import ThrustCurve, speed_from_command, static_thrust, thrust
from remora.equations.actuators.voltage_drive import VoltageSpeed, speed_from_pulse_and_voltage
from remora.identification import RecordError
from remora.identification.bench import (
    BenchDataError,
    BenchFit,
    VoltageTable,
    fit_bollard_staircase,
    fit_command_map,
    fit_inflow_thrust,
    fit_pulse_speed,
    fit_pulse_thrust,
    fit_quadratic_thrust,
    fit_thrust_under_way,
    fit_voltage_tables,
    found_levels,
    leave_one_voltage_out,
    plateaus,
    powered_thrust,
    read_voltage_table,
    thrust_coefficients,
    thrust_loss,
    thrust_loss_band,
)
from remora.identification.bench.thrust_curves import bench_thruster
from remora.identification.bench.towing import Drag
from remora.vehicles import load_vehicle

SEEDS = 100
UNEQUAL = bench_thruster(ThrustCurve(0.0133, -0.27, -0.9), ThrustCurve(0.0120, -0.17, -2.3))
POWERED = VoltageSpeed(0.011, 8.5e-5, 0.6, 5.6e-4, 0.84, 400.0)


def coverage(fits: list[BenchFit], truth) -> np.ndarray:
    """Share of the fits whose 95 % interval holds the truth, per number."""
    return np.mean([fit.covers(truth) for fit in fits], axis=0)


def within_limits(shares: np.ndarray) -> bool:
    return bool(np.all((shares >= 0.90) & (shares <= 0.99)))


def test_a_coefficient_for_each_direction_comes_back_with_honest_intervals():
    random = np.random.default_rng(1)
    speeds = np.linspace(-90.0, 90.0, 61)
    clean = np.asarray(static_thrust(UNEQUAL, speeds))
    fits = [fit_quadratic_thrust(speeds, clean + random.normal(0.0, 1.0, 61)) for _ in range(SEEDS)]
    assert within_limits(coverage(fits, (0.0133, 0.0120)))
    assert fit_quadratic_thrust(speeds, clean).values == pytest.approx([0.0133, 0.0120], rel=1e-9)


def test_one_sided_repeated_and_reversed_data():
    speeds = np.repeat([20.0, 40.0, 60.0], 5)
    one_sided = fit_quadratic_thrust(speeds, 0.01 * speeds**2)
    assert one_sided.names == ("square.positive",)
    assert "no points of negative rotation" in one_sided.warnings[0]
    backwards = fit_quadratic_thrust(speeds, -0.01 * speeds**2)  # a propeller that pushes the other way
    assert backwards.law.sense == -1.0
    assert backwards.values == pytest.approx([0.01])
    both = fit_quadratic_thrust(
        np.concatenate([speeds, -speeds]), np.concatenate([speeds**2, -(speeds**2)]), alike=True
    )
    assert both.names == ("square.both",)


def test_far_off_points_hardly_move_a_robust_fit():
    random = np.random.default_rng(2)
    speeds = np.linspace(-90.0, 90.0, 61)
    forces = 0.01 * speeds * np.abs(speeds) + random.normal(0.0, 0.5, 61)
    forces[[3, 30, 57]] += 80.0
    plain, robust = (fit_quadratic_thrust(speeds, forces, alike=True, robust=way) for way in (False, True))
    assert abs(robust.values[0] - 0.01) < 0.1 * abs(plain.values[0] - 0.01) + 1e-4
    assert robust.values[0] == pytest.approx(0.01, rel=0.01)


def test_thrust_over_inflow_per_direction():
    random = np.random.default_rng(13)
    shaft, advance = random.uniform(40.0, 98.0, 400), random.uniform(0.0, 1.0, 400)
    way = np.where(np.arange(400) % 2, 1.0, -1.0)
    clean = np.asarray(thrust(UNEQUAL, way * shaft, way * advance))
    fits = [
        fit_inflow_thrust(way * shaft, way * advance, clean + random.normal(0.0, 0.3, 400), 0.184) for _ in range(SEEDS)
    ]
    assert within_limits(coverage(fits, (*UNEQUAL.positive, *UNEQUAL.negative)))
    a, b, c = thrust_coefficients(UNEQUAL.positive, 1000.0, 0.184)
    n, v = 70.0, 0.6
    j = v / (n * 0.184)
    assert 1000.0 * 0.184**4 * (a * j * j + b * j + c) * n * n == pytest.approx(thrust(UNEQUAL, n, v))


def test_points_against_the_water_are_left_out_and_told():
    shaft, advance = np.tile([50.0, 70.0, 90.0], 4), np.repeat([0.0, 0.3, 0.6, -0.5], 3)
    clean = np.asarray(thrust(UNEQUAL, shaft, advance))
    spoiled = np.where(advance < 0.0, 500.0, clean)
    fit = fit_inflow_thrust(shaft, advance, spoiled, 0.184)
    assert fit.values == pytest.approx(UNEQUAL.positive, rel=1e-6)
    assert any("3 of 12 points" in word for word in fit.warnings)


@pytest.mark.parametrize("knees", [None, (-60.0, 60.0)])
def test_the_command_map_and_its_knees(knees):
    true = load_vehicle("falcon").parameters.thrusters[0].command_map
    commands = np.linspace(-100.0, 100.0, 201)
    random = np.random.default_rng(4)
    fit = fit_command_map(
        commands, np.asarray(speed_from_command(true, commands)) + random.normal(0.0, 0.05, 201), knees
    )
    assert (fit.law.knee_reverse, fit.law.knee_forward) == (-60.0, 60.0)
    found, wanted = (np.asarray(speed_from_command(m, commands)) for m in (fit.law, true))
    assert np.abs(found - wanted).max() < 0.1
    assert any("jumps by 1" in word for word in fit.warnings)


def test_pulse_laws_with_a_dead_zone():
    random = np.random.default_rng(5)
    pulses = np.arange(1300.0, 1701.0, 10.0)
    law, speed = PulseThrust(0.03123, 2.52e-4, 25.0), PulseSpeed(10.2, 0.57, 25.0)
    clean, turning = thrust_from_pulse(law, pulses - 1500.0), speed_from_pulse(speed, pulses - 1500.0)
    fits = [fit_pulse_thrust(pulses, clean + random.normal(0.0, 0.1, 41), standing=0.7) for _ in range(SEEDS)]
    assert within_limits(coverage(fits, law[:2]))
    assert fits[0].law.dead_zone == 25.0
    powers = [fit_pulse_speed(pulses, turning + random.normal(0.0, 0.5, 41), standing=10.0) for _ in range(SEEDS)]
    assert within_limits(coverage(powers, (10.2 * 200.0**0.57, 0.57)))


def test_a_dead_zone_nobody_looked_into_is_told():
    pulses = np.array([1600.0, 1650.0, 1700.0, 1750.0])
    fit = fit_pulse_thrust(pulses, thrust_from_pulse(PulseThrust(0.03, 2.5e-4, 0.0), pulses - 1500.0))
    assert fit.law.dead_zone == 0.0
    assert any("inside the dead zone" in word for word in fit.warnings)
    with pytest.raises(BenchDataError, match="never ran"):
        fit_pulse_thrust(pulses, np.zeros(4))


def tables_of(law: VoltageSpeed, voltages, noise: float, seed: int = 0) -> list[VoltageTable]:
    random = np.random.default_rng(seed)
    pulses = np.arange(1100.0, 1901.0, 10.0)
    made = []
    for voltage in voltages:
        speeds = np.asarray(speed_from_pulse_and_voltage(law, pulses - 1500.0, np.full(len(pulses), voltage)))
        forces = np.where(speeds > 0.0, 3.7e-4, 2.9e-4) * speeds * np.abs(speeds)
        made.append(VoltageTable(voltage, pulses, speeds, forces + noise * random.normal(0.0, 1.0, len(pulses))))
    return made


def test_one_thruster_over_voltage_comes_back_and_foretells_other_voltages():
    tables = tables_of(POWERED, (10.0, 14.0, 18.0), 0.0)
    fit = fit_voltage_tables(tables)
    assert fit.values == pytest.approx([*POWERED[:5], 3.7e-4, 2.9e-4], rel=1e-4)
    assert all(one.share < 1e-4 for one in leave_one_voltage_out(tables))
    assert [one.outside for one in leave_one_voltage_out(tables)] == [True, False, True]
    noisy = leave_one_voltage_out(tables_of(POWERED, (10.0, 12.0, 16.0, 20.0), 0.3, seed=6))
    assert all(0.2 < one.rms < 0.5 for one in noisy)
    with pytest.raises(BenchDataError, match="one voltage only"):
        fit_voltage_tables(tables[:1])


def straight_line(tables, voltage):
    """Thrust at a voltage on straight lines between the tables around it, at the pulses that all of them have."""
    volts, forces = [table.voltage for table in tables], np.array([table.forces for table in tables])
    return np.array([np.interp(voltage, volts, column) for column in forces.T])


@pytest.mark.parametrize("noise", [0.0, 0.1, 0.3])
@pytest.mark.parametrize("misfit", [0.0, 0.02, 0.06])
def test_thrust_between_tables_is_as_good_as_the_law_and_as_straight_lines(noise, misfit):
    """Tables that the law fits, and tables with a pattern over pulse and voltage that it does not know."""
    tables = []
    for table in tables_of(POWERED, (10.0, 12.0, 16.0, 20.0), noise, seed=4):
        pattern = misfit * np.sin((table.pulses - 1500.0) / 120.0 + table.voltage / 3.0)
        tables.append(table._replace(forces=(1.0 + pattern) * table.forces))
    for held in (1, 2):
        out, others = tables[held], [table for k, table in enumerate(tables) if k != held]
        law = fit_voltage_tables(others).law
        plain = law._replace(tables=())
        error, by_law = (
            np.sqrt(np.mean((powered_thrust(one, out.pulses, out.voltage) - out.forces) ** 2)) for one in (law, plain)
        )
        by_lines = np.sqrt(np.mean((straight_line(others, out.voltage) - out.forces) ** 2))
        assert error <= 1.1 * min(by_law, by_lines) + 1e-3


def test_two_tables_of_one_voltage_are_reported():
    tables = tables_of(POWERED, (10.0, 14.0, 14.1, 18.0), 0.0)
    fit = fit_voltage_tables(tables)
    assert [word for word in fit.warnings if word.startswith("2 tables are of one voltage (14, 14.1 V)")]
    assert [table.voltage for table in fit.law.tables] == pytest.approx([10.0, 14.05, 18.0])
    assert [one.voltage for one in leave_one_voltage_out(tables)] == [10.0, 14.0, 14.1, 18.0]
    assert not fit_voltage_tables(tables_of(POWERED, (10.0, 14.0), 0.0)).warnings
    with pytest.raises(BenchDataError, match="one voltage only"):
        fit_voltage_tables(tables[1:3])


def write_table(path, rows, header="PWM (us), RPM, Current (A), Voltage (V), Power (W), Force (Kg f)"):
    with path.open("w", newline="") as file:
        file.write(header + "\n")
        csv.writer(file).writerows(rows)
    return path


def test_tables_are_read_and_bad_ones_refused_by_line(tmp_path):
    rows = [(1400, 900, 1, 12, 12, -0.4), (1500, 0, 0, 12, 0, 0), (1600, 1000, 1, 12, 12, 0.5)]
    table = read_voltage_table(write_table(tmp_path / "good.csv", rows))
    assert table.voltage == 12.0
    assert table.speeds == pytest.approx(np.array([-900.0, 0.0, 1000.0]) * 2.0 * np.pi / 60.0)
    assert table.forces == pytest.approx(np.array([-0.4, 0.0, 0.5]) * 9.80665)
    with pytest.raises(RecordError, match=r'bad\.csv:3: RPM is "x", which is no number\. Correct the line\.$'):
        read_voltage_table(write_table(tmp_path / "bad.csv", [rows[0], (1500, "x", 0, 12, 0, 0), rows[2]]))
    with pytest.raises(BenchDataError, match="no column 'Force'"):
        read_voltage_table(write_table(tmp_path / "short.csv", rows, "PWM, RPM, Current, Voltage, Power, Thrust"))


def test_units_of_bench_tables_count_and_mixed_ones_are_refused(tmp_path):
    rows = [(1400, 900, 12, -4.0), (1500, 0, 12, 0), (1600, 1000, 12, 5.0)]
    for header in (
        "PWM (us),RPM,Voltage (V),Force (N)",
        "pwm,rpm,voltage,force [N]",
        "PWM [us],RPM,Voltage,Force_N (N)",
    ):
        table = read_voltage_table(write_table(tmp_path / "newton.csv", rows, header))
        assert table.forces == pytest.approx([-4.0, 0.0, 5.0])
    text = (tmp_path / "newton.csv").read_text()
    (tmp_path / "newton.csv").write_text("\ufeff" + text.replace(",", ";").replace(".", ","), encoding="utf-8")
    assert read_voltage_table(tmp_path / "newton.csv").forces == pytest.approx([-4.0, 0.0, 5.0])
    with pytest.raises(BenchDataError, match=r'"N m" does not measure a force\. Use N and kgf'):
        read_voltage_table(write_table(tmp_path / "a.csv", rows, "PWM,RPM,Voltage,Force (N m)"))
    other = [*rows, (1700, 1500, 16, 9.0)]
    with pytest.raises(BenchDataError, match=r"voltages run from 12 to 16 V\. Give a table for each"):
        read_voltage_table(write_table(tmp_path / "a.csv", other, "PWM,RPM,Voltage,Force"))
    with pytest.raises(BenchDataError, match=r"a\.csv: Force has empty cells"):
        read_voltage_table(write_table(tmp_path / "a.csv", [*rows, (1700, 1500, 12, "")], "PWM,RPM,Voltage,Force"))
    for neutral in (0.0, float("nan")):
        with pytest.raises(BenchDataError, match=r"pulse at rest is (0|nan) us, but the tables go from"):
            fit_voltage_tables(tables_of(POWERED, (10.0, 14.0), 0.0), neutral)


def staircase(noise: float, seed: int = 7):
    random = np.random.default_rng(seed)
    law = PulseThrust(0.03123, 2.52e-4, 25.0)
    stairs = np.array([1500.0, 1525.0, 1540.0, 1580.0, 1620.0, 1660.0, 1700.0])
    times = np.arange(7 * 1000) / 50.0
    pulses = np.repeat(stairs, 1000)
    steady = np.repeat(np.asarray(thrust_from_pulse(law, stairs - 1500.0)), 1000)
    since = np.tile(np.arange(1000) / 50.0, 7)
    before = np.concatenate([np.zeros(1000), steady[:-1000]])
    force = steady + (before - steady) * np.exp(-since / 0.5) + 2.0  # a lag, and cells that do not read zero at rest
    return times, pulses, [force / 2.0 + random.normal(0.0, noise, len(times)) for _ in range(2)], law


def test_a_staircase_becomes_plateaus_and_a_law():
    times, pulses, cells, law = staircase(0.3)
    steps = plateaus(times, pulses, cells[0] + cells[1], settle=5.0)
    assert [step.level for step in steps] == [1500.0, 1525.0, 1540.0, 1580.0, 1620.0, 1660.0, 1700.0]
    assert not any(step.drifts for step in steps)
    fit = fit_bollard_staircase(times, pulses, cells)
    assert fit.values == pytest.approx(law[:2], rel=0.03)
    assert fit.warnings == ("No point lies inside the dead zone; it is taken as zero.",)


def test_a_plateau_that_drifts_is_told_and_hurry_is_refused():
    times, pulses, cells, _ = staircase(0.01)
    hurried = fit_bollard_staircase(times, pulses, cells, settle=0.5)
    assert any("not steady" in word for word in hurried.warnings)
    with pytest.raises(BenchDataError, match="no level is held"):
        plateaus(times, pulses, cells[0], settle=30.0)
    with pytest.raises(BenchDataError, match="does not come after"):
        plateaus(times[::-1], pulses, cells[0], settle=1.0)


def test_steps_are_found_without_commands():
    times, _, cells, _ = staircase(0.1)
    total = cells[0] + cells[1]
    levels = found_levels(times, total, step=2.0, window=3.0)
    # 1500 to 1540 lie too close together for a step of 2 N; the four higher ones are all found.
    edges = times[np.flatnonzero(np.diff(levels)) + 1]
    assert edges == pytest.approx([60.0, 80.0, 100.0, 120.0], abs=1.0)


def test_thrust_under_way_and_a_drive_that_gives_in():
    random = np.random.default_rng(8)
    thruster = bench_thruster(ThrustCurve(3.634e-4, -3.144e-2, 0.0), ThrustCurve(3.634e-4, -3.144e-2, 0.0))
    pulse, tow = np.tile(np.arange(1600.0, 1801.0, 40.0), 5), np.repeat([0.1, 0.3, 0.5, 0.7, 0.9], 6)
    shaft = np.asarray(speed_from_pulse(PulseSpeed(10.2, 0.57, 25.0), pulse - 1500.0))
    hull, bracket = Drag(1.0, 35.0), Drag(4.0, 25.0)

    def pull(shafts):
        return 5.0 * tow + 60.0 * tow * tow - 2.0 * np.asarray(thrust(thruster, shafts, tow))

    held = fit_thrust_under_way(pulse, shaft, tow, pull(shaft) + random.normal(0.0, 0.05, 30), hull, 0.076, bracket, 2)
    assert held.curve.law.positive.square == pytest.approx(3.634e-4, rel=0.02)
    assert held.curve.law.positive.advance == pytest.approx(-3.144e-2, rel=0.05)
    assert not any("changes by" in word for word in held.warnings)
    assert np.all(np.diff(thrust_loss(held.curve.law, 200.0, [0.1, 0.3, 0.5, 0.7])) > 0.0)
    loss, low, high = thrust_loss_band(held.curve, 200.0, [0.1, 0.5])
    true = thrust_loss(thruster, 200.0, [0.1, 0.5])
    assert loss == pytest.approx(thrust_loss(held.curve.law, 200.0, [0.1, 0.5]))
    assert np.all((low < true) & (true < high))
    assert (high - low)[1] == pytest.approx(5.0 * (high - low)[0], rel=1e-3)  # the loss goes with the speed
    with pytest.raises(BenchDataError, match="no curve of negative rotation"):
        thrust_loss_band(held.curve, -200.0, [0.1])
    slack = shaft * (1.0 + 0.1 * tow)
    assert any(
        "changes by" in word
        for word in fit_thrust_under_way(pulse, slack, tow, pull(slack), hull, 0.076, bracket, 2).warnings
    )


@pytest.mark.parametrize(("cells", "words"), [((), "no load cell"), ((np.ones(60), np.ones(59)), r"cells\[1\] has 59")])
def test_load_cells_that_are_missing_or_cut_short_are_named(cells, words):
    with pytest.raises(BenchDataError, match=words):
        fit_bollard_staircase(np.arange(60.0), np.full(60, 1600.0), cells)


@pytest.mark.parametrize(
    ("speeds", "forces", "words"),
    [
        ([1.0, 2.0], [1.0], "differ in length: speeds has 2, forces has 1"),
        ([1.0, np.nan, 3.0], [1.0, 2.0, 3.0], r"speeds\[1\] = nan"),
        ([[1.0, 2.0]], [1.0], "dimensions"),
        ([1.0], [1.0], "too few"),
        ([0.0, 0.0, 0.0], [1.0, 2.0, 3.0], "never turned"),
    ],
)
def test_bad_columns_are_refused_with_words(speeds, forces, words):
    with pytest.raises(BenchDataError, match=words):
        fit_quadratic_thrust(speeds, forces)


def test_intervals_of_a_staircase_count_the_error_of_its_zero():
    """One zero is taken off every stair, and stairs repeat less well than their noise says."""
    truth = PulseThrust(3.123e-2, 2.52e-4, 25.0)
    levels = np.tile([1500.0, 1525.0, 1540.0, *np.arange(1560.0, 1701.0, 20.0)], 2)
    thrusts = np.asarray(thrust_from_pulse(truth, levels - 1500.0))
    times, pulses = np.arange(300 * len(levels)) / 10.0, np.repeat(levels, 300)
    random, held = np.random.default_rng(4), []
    for _ in range(100):
        stairs = np.repeat(thrusts + random.normal(0.0, 0.1, len(levels)), 300)
        fit = fit_bollard_staircase(times, pulses, [stairs + random.normal(0.0, 0.4, len(times))])
        held.append(fit.covers(truth[:2]))
    assert 0.9 <= np.mean(held) <= 0.99
