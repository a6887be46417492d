"""The maker's bench tables of the T200, read in place where they are: 201 pulse widths at four voltages."""

import csv
import os
from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator

from remora.files.units import STANDARD_GRAVITY
from remora.vehicles.thrust_table import ThrustTable, current_at, is_outside, pulse_for, thrust_at, thrust_range

DATA = Path(os.environ.get("REMORA_DATA", Path(__file__).parents[3] / "shared" / "data")) / "t200"
VOLTAGES = (10.0, 12.0, 16.0, 20.0)


@pytest.fixture(scope="module")
def t200() -> ThrustTable:
    if not DATA.is_dir():
        pytest.skip("the recorded data are not on this machine")
    sheets = []
    for voltage in VOLTAGES:
        with (DATA / f"T200-Thrusters-{voltage:.0f}V.csv").open(encoding="utf-8") as file:
            rows = [row for row in csv.reader(file) if row and row[0].strip().isdigit()]
        sheets.append([(float(row[0]), float(row[5]) * STANDARD_GRAVITY, float(row[2])) for row in rows])
    pulses, thrusts, currents = zip(*(zip(*sheet, strict=True) for sheet in sheets), strict=True)
    assert len(set(pulses)) == 1
    return ThrustTable(pulses[0], VOLTAGES, thrusts, currents)


def test_between_the_points_as_scipy_reads_them(t200: ThrustTable) -> None:
    random = np.random.default_rng(1)
    points = np.column_stack([random.uniform(10.0, 20.0, 500), random.uniform(1100.0, 1900.0, 500)])
    for ours, grid in ((thrust_at, t200.thrusts), (current_at, t200.currents)):
        theirs = RegularGridInterpolator((t200.voltages, t200.pulses), grid)(points)
        assert [ours(t200, x, v) for v, x in points.tolist()] == pytest.approx(theirs, abs=1e-9)


def test_every_thrust_within_reach_comes_out(t200: ThrustTable) -> None:
    """Although measured thrust falls here and there while the pulse grows."""
    random = np.random.default_rng(2)
    for voltage in random.uniform(9.0, 21.0, 300).tolist():
        lowest, highest = thrust_range(t200, voltage)
        wanted = random.uniform(lowest, highest)
        pulse = pulse_for(t200, 1500.0, wanted, voltage)
        assert thrust_at(t200, pulse, voltage) == pytest.approx(wanted, abs=1e-9)
        assert is_outside(t200, pulse, voltage) == (not 10.0 <= voltage <= 20.0)
