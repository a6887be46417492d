"""Hard and soft iron are recovered from readings, and readings that cannot show them are refused."""

import math

import numpy as np
import pytest

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.algebra.vectors import IDENTITY3
from remora.equations.instruments import calibrated_field, magnetic_field, magnetic_heading, magnetometer_reading
from remora.navigation.surveys import calibrate_magnetometer
from remora.navigation.surveys.arrays import SurveyError

FIELD = magnetic_field(48.0, math.radians(62.0), 0.0)  # uT
HARD, SOFT = (12.0, -7.0, 4.0), ((1.1, 0.05, -0.02), (0.05, 0.9, 0.03), (-0.02, 0.03, 1.05))


def readings(count=400, tilt=1.2, noise=0.0, seed=2):
    generator = np.random.default_rng(seed)
    angles = generator.uniform((-tilt, -tilt, -math.pi), (tilt, tilt, math.pi), size=(count, 3))
    rows = [magnetometer_reading(from_euler_zyx(*one), FIELD, IDENTITY3, SOFT, HARD) for one in angles.tolist()]
    return angles, np.array(rows) + noise * generator.normal(size=(count, 3))


def heading_error(angles, rows, correction, hard_iron):
    """Largest error of the tilt-compensated heading, rad."""
    found = [
        magnetic_heading(calibrated_field(tuple(row), correction, hard_iron), roll, pitch) - heading
        for row, (roll, pitch, heading) in zip(rows.tolist(), angles.tolist(), strict=True)
    ]
    return float(np.abs(np.angle(np.exp(1j * np.array(found)))).max())


def test_iron_is_recovered_from_readings_without_noise():
    angles, rows = readings()
    found = calibrate_magnetometer(rows, 48.0)
    assert found.hard_iron == pytest.approx(HARD, abs=1e-9)
    assert np.array(found.correction) @ np.array(SOFT) == pytest.approx(np.eye(3), abs=1e-9)  # SOFT is symmetric
    assert found.rms < 1e-9
    assert found.before > 5.0
    assert heading_error(angles, rows, found.correction, found.hard_iron) < 1e-8
    assert heading_error(angles, rows, IDENTITY3, (0.0, 0.0, 0.0)) > math.radians(20.0)


def test_a_level_swing_calibrates_the_heading_of_a_level_vehicle():
    angles, rows = readings(tilt=1e-9)
    with pytest.raises(SurveyError, match="level=True"):
        calibrate_magnetometer(rows)
    found = calibrate_magnetometer(rows, level=True)
    # The tilted ellipse of the soft iron is not known from its horizontal section: a rotation of it remains.
    assert heading_error(angles, rows, found.correction, found.hard_iron) < math.radians(6.0)
    assert heading_error(angles, rows, IDENTITY3, (0.0, 0.0, 0.0)) > math.radians(20.0)
    assert found.correction[2] == (0.0, 0.0, 1.0)


def test_errors_from_noise_fall_with_the_root_of_the_number_of_readings():
    def spread(count):
        found = [calibrate_magnetometer(readings(count, noise=0.2, seed=seed)[1], 48.0) for seed in range(40)]
        return np.sqrt(np.mean(np.square([np.array(one.hard_iron) - HARD for one in found])))

    few, many = spread(200), spread(800)
    assert few < 0.2
    assert many / few == pytest.approx(0.5, abs=0.15)  # 120 values each know their spread to 6.5 %


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (readings(20)[1], "30 or more"),
        (np.full((100, 3), np.nan), "30 or more"),
        (readings(100)[1][:, :2], "rows of 3 numbers"),
        (np.outer(np.linspace(-1, 1, 50), [1.0, 2.0, 3.0]), "too few directions"),
        (np.random.default_rng(0).normal(size=(60, 3)) ** 3, "no ellipsoid"),
    ],
)
def test_readings_that_show_no_iron_are_refused(rows, said):
    with pytest.raises(SurveyError, match=said):
        calibrate_magnetometer(rows)
