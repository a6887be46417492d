"""The water column: formulas at their published check values, and layers in between."""

import math

import pytest
from scipy.integrate import quad

from remora.equations.geometry.earth import normal_gravity
from remora.equations.water.seawater import density_of_seawater, sound_speed_in_seawater
from remora.world.water.column import Cast, Layer, WaterColumn, column_from_casts

BAR = 1e5


@pytest.mark.parametrize(
    ("temperature", "salinity", "pressure", "density"),
    [
        (5.0, 0.0, 0.0, 999.96675),
        (5.0, 35.0, 0.0, 1027.67547),
        (25.0, 35.0, 1000 * BAR, 1062.53817),
        (5.0, 0.0, 1000 * BAR, 1044.12802),
        (5.0, 35.0, 1000 * BAR, 1069.48914),
        (25.0, 0.0, 0.0, 997.04796),
        (25.0, 35.0, 0.0, 1023.34306),
    ],
)
def test_density_at_the_check_values_of_unesco_44(temperature, salinity, pressure, density):
    assert density_of_seawater(temperature, salinity, pressure) == pytest.approx(density, abs=6e-6)


def test_sound_speed_at_the_check_value_of_mackenzie():
    """1550.744 m/s at 25 degrees, salinity 35 and 1000 m."""
    assert sound_speed_in_seawater(25.0, 35.0, 1000.0) == pytest.approx(1550.744, abs=6e-4)


def test_a_column_is_linear_between_its_layers_and_held_outside():
    column = WaterColumn((Layer(0.0, 1020.0, 1500.0), Layer(10.0, 1026.0, 1490.0), Layer(100.0, 1028.0, 1485.0)))
    assert (column.density(5.0), column.sound_speed(5.0)) == pytest.approx((1023.0, 1495.0))
    assert (column.density(-3.0), column.sound_speed(500.0)) == (1020.0, 1485.0)
    assert column.mean_sound_speed(4.0, 4.0) == column.sound_speed(4.0)
    time = quad(lambda d: 1.0 / column.sound_speed(d), 2.0, 150.0, points=(10.0, 100.0))[0]
    assert column.mean_sound_speed(150.0, 2.0) == pytest.approx(148.0 / time, rel=1e-9)


def test_a_cast_becomes_a_column():
    column = column_from_casts((Cast(0.0, 15.0, 34.0), Cast(200.0, 6.0, 35.0)), math.radians(60.0))
    assert column.density(0.0) == pytest.approx(density_of_seawater(15.0, 34.0, 0.0))
    assert column.density(200.0) > density_of_seawater(6.0, 35.0, 0.0) + 0.8  # 20 bar of water on top
    assert column.sound_speed(200.0) == sound_speed_in_seawater(6.0, 35.0, 200.0)
    assert column.gravity(math.radians(60.0), 0.0) == normal_gravity(math.radians(60.0), 0.0)
    assert column.gravity(0.0, 100.0) - column.gravity(0.0, 0.0) == pytest.approx(2.2e-4, rel=0.02)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: WaterColumn(()), "no layers"),
        (lambda: WaterColumn((Layer(1.0, 1e3, 1.5e3), Layer(0.0, 1e3, 1.5e3))), "growing"),
        (lambda: WaterColumn((Layer(1.0, 0.0, 1.5e3),)), "positive"),
        (lambda: column_from_casts((Cast(0.0, 45.0, 35.0),), 0.0), "40 degrees"),
        (lambda: column_from_casts((Cast(0.0, 5.0, math.nan),), 0.0), "salinity of 0 to 42"),
    ],
)
def test_bad_columns_are_refused_in_words(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize("depth", [0.0, 4.0, 10.0, 17.0, 50.0])
def test_the_mean_density_is_that_of_all_the_water_above(depth):
    column = WaterColumn((Layer(2.0, 1000.0, 1500.0), Layer(10.0, 1020.0, 1490.0), Layer(30.0, 1028.0, 1480.0)))
    weight = quad(column.density, 0.0, depth, points=(2.0, 10.0, 30.0), limit=200)[0] if depth else 0.0
    assert column.mean_density(depth) == pytest.approx(weight / depth if depth else 1000.0, rel=1e-9)
