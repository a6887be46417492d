"""Bench tables with a mistake in them: what the data themselves show is said, and nothing where they are right."""

import numpy as np
import pytest
from click.testing import CliRunner

from remora.cli.group import main

GRAVITY = 9.80665
PULSES = np.arange(1100.0, 1901.0, 20.0)


def write_tables(folder, unit="kgf", scale=1.0, turned=None, efficiency=True):
    """Tables of three voltages of a thruster like many: 28 N from 140 W at 2700 rpm, a dead band of 40 us."""
    files = []
    for voltage in (10.0, 14.0, 18.0):
        away = np.sign(PULSES - 1500.0) * np.maximum(np.abs(PULSES - 1500.0) - 40.0, 0.0) / 360.0
        speed = 2700.0 * np.sqrt(voltage / 10.0) * away
        force = 28.0 * (speed / 2700.0) * np.abs(speed / 2700.0) / GRAVITY
        power = 140.0 * np.abs(speed / 2700.0) ** 3
        per_watt = np.where(power > 0.0, 1e3 * np.abs(force) / np.maximum(power, 1e-9), 0.0)
        force = scale * force * (-1.0 if voltage == turned else 1.0)
        head = f"PWM (us),RPM,Voltage (V),Power (W),Force ({unit})" + (",Efficiency (g/W)" if efficiency else "")
        table = [
            PULSES,
            np.abs(speed),
            np.full(len(PULSES), voltage),
            power,
            force,
            *([per_watt] if efficiency else []),
        ]
        path = folder / f"{voltage:g}V.csv"
        np.savetxt(path, np.column_stack(table), delimiter=",", header=head, comments="", fmt="%.5f")
        files.append(str(path))
    return files


def doubts(files, *options):
    done = CliRunner().invoke(main, ["thruster", *files, *options])
    assert done.exit_code == 0, done.output
    words = ("pulse at rest", "efficiency of the same rows", "any propeller", "the other way")
    return [line for line in done.output.splitlines() if line.startswith("! ") and any(w in line for w in words)]


@pytest.mark.parametrize("efficiency", [True, False])
def test_tables_that_are_right_raise_no_doubt(efficiency, tmp_path):
    assert not doubts(write_tables(tmp_path, efficiency=efficiency))
    assert not doubts(write_tables(tmp_path, "N", GRAVITY, efficiency=efficiency), "--neutral", "1490")


def test_a_neutral_away_from_the_zero_of_the_thrust_is_named(tmp_path):
    found = doubts(write_tables(tmp_path), "--neutral", "1400")
    assert len(found) == 1
    assert "given as 1400 us, but the thrust of the tables is zero between" in found[0]
    assert "Give --neutral 1500" in found[0]


def test_newtons_under_a_heading_of_kilograms_are_named_by_efficiency(tmp_path):
    found = doubts(write_tables(tmp_path, "kgf", GRAVITY))
    assert len(found) == 3
    assert all("the force is 9.8 times" in line and "Write Force (N)" in line for line in found)
    assert all("Write Force (kgf)" in line for line in doubts(write_tables(tmp_path, "N", 1.0)))


def test_more_thrust_than_the_power_can_give_is_named_without_a_column_of_efficiency(tmp_path):
    found = doubts(write_tables(tmp_path, "kgf", GRAVITY, efficiency=False))
    assert len(found) == 3
    assert all("more than any propeller gives" in line for line in found)


def test_a_table_that_pushes_the_other_way_is_named(tmp_path):
    found = doubts(write_tables(tmp_path, turned=14.0))
    assert found == ["! the table of 14 V pushes the other way than the others. Turn the sign of its force."]
