"""Units, and the numbers that carry them."""

import math

import pytest
from hypothesis import given, strategies as st
from pydantic_core import PydanticCustomError

from remora.files import units
from remora.files.quantities import Is
from remora.files.units import unit_named


@pytest.mark.parametrize(
    ("text", "factor", "other"),
    [
        ("kg m2/s", 1.0, "N m s"),
        ("N s2/m2", 1.0, "kg/m"),
        ("N/rpm2", (30.0 / math.pi) ** 2, "kg m"),
        ("kn", 0.514444444444, "m/s"),
        ("kgf", 9.80665, "N"),
        ("litre", 1e-3, "m3"),
        ("bar", 1e5, "N/m2"),
        ("deg/s", math.pi / 180.0, "rad/s"),
        ("rpm", math.pi / 30.0, "rad/s"),
        ("kg·m²", 1.0, "kg m2"),
        ("kg*m^2", 1.0, "kg m2"),
        ("N s2/(rad m)", 1.0, "kg/rad"),
        ("milli_g", 9.80665e-3, "m/s2"),
        ("V A", 1.0, "W"),
        ("%", 0.01, "1"),
    ],
)
def test_factor_and_dimension_of_a_unit(text: str, factor: float, other: str) -> None:
    unit, same = unit_named(text), unit_named(other)
    assert unit is not None
    assert same is not None
    assert unit.factor == pytest.approx(factor, rel=1e-12)
    assert unit.powers[:4] == same.powers[:4]


@pytest.mark.parametrize("text", ["", "gallon", "kg/", "/s", "m2.5", "kg m2//s", "13"])
def test_what_is_not_a_unit(text: str) -> None:
    assert unit_named(text) is None


def test_thrust_coefficient_of_flatfish_in_both_units() -> None:
    field = Is(units.THRUST_PER_SQUARE)
    assert field.read("6.7e-5 N/rpm2").value == pytest.approx(6.11e-3, rel=1e-3)
    assert field.read("6.7e-3 N s2/rad2").value == 6.7e-3


def test_an_angle_is_neither_a_ratio_nor_a_frequency() -> None:
    for dimension, wrong in (
        (units.RATIO, "1 deg"),
        (units.ANGLE, "1 %"),
        (units.FREQUENCY, "1 rpm"),
        (units.TURN_RATE, "1 Hz"),
    ):
        with pytest.raises(PydanticCustomError, match="does not measure"):
            Is(dimension).read(wrong)


numbers = st.floats(-1e6, 1e6, allow_nan=False)


@given(numbers, st.sampled_from(["m", "cm", "mm", "km"]))
def test_the_three_forms_of_a_number_agree(number: float, unit: str) -> None:
    field = Is(units.LENGTH)
    text = field.read(f"{number!r} {unit}")
    mapping = field.read({"value": number, "unit": unit, "source": "here", "sigma": 0.5})
    factor = unit_named(unit).factor  # type: ignore[union-attr]
    assert text.value == mapping.value == number * factor
    assert text.unit == mapping.unit == unit
    assert mapping.source == "here"
    assert mapping.sigma == 0.5 * factor


@given(st.lists(st.lists(numbers, min_size=3, max_size=3), min_size=3, max_size=3))
def test_a_matrix_keeps_its_elements(rows: list[list[float]]) -> None:
    read = Is(units.MOMENT_OF_INERTIA, (3, 3)).read({"value": rows, "unit": "kg m2"})
    assert read.value == tuple(tuple(row) for row in rows)


def test_sigma_as_a_share() -> None:
    assert Is(units.MASS).read({"value": "20 kg", "sigma": "5 %"}).sigma == 1.0


def test_dimensions_of_matrix_elements() -> None:
    cases = {
        units.added_mass_dimension(1, 3): "kg m",
        units.linear_damping_dimension(3, 1): "kg m/s",
        units.quadratic_damping_dimension(3, 1): "kg",
        units.quadratic_damping_dimension(1, 3): "kg m",
        units.quadratic_damping_dimension(5, 5): "kg m2",
        units.quadratic_damping_dimension(0, 0): "kg/m",
        units.lift_dimension(5, 1): "kg",
        units.lift_dimension(5, 5): "kg m",
    }
    for dimension, unit in cases.items():
        assert dimension.units[0] == unit
        assert dimension.accepts(unit_named(unit))  # type: ignore[arg-type]
