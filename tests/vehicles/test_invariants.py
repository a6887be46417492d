"""Invariants S1, S2 and S5 by themselves, on bodies that keep and on bodies that break them."""

import math

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from vehicle_example import changed

from remora.equations.algebra.vectors import diagonal6
from remora.equations.hull.forms.cross_flow import CROSS_FLOW, Strip
from remora.equations.hull.forms.form import HullForce
from remora.equations.hull.forms.six_matrices import SIX_MATRICES, SixMatrices
from remora.equations.types import Matrix3, Matrix6
from remora.vehicles import HeaveUp, VehicleFileError, load_vehicle, vehicle_from_text
from remora.vehicles.checks.invariants import (
    DampingTerms,
    added_mass_violations,
    damping_violations,
    rigid_body_violations,
    sign_change_speed,
    violations_S1,
    violations_S2,
    violations_S5,
)

NONE = diagonal6((0.0,) * 6)
ONES = diagonal6((1.0,) * 6)


def terms(
    linear: Matrix6 = NONE, quadratic: Matrix6 = NONE, cubic: float = 0.0, up: HeaveUp | None = None
) -> DampingTerms:
    return DampingTerms(linear, quadratic, cubic, up)


def of_strips(*strips: Strip) -> tuple[HullForce, ...]:
    return (HullForce(CROSS_FLOW, strips),)


def with_element(matrix: Matrix6, row: int, column: int, value: float) -> Matrix6:
    changed_matrix = [list(line) for line in matrix]
    changed_matrix[row][column] = value
    return tuple(tuple(line) for line in changed_matrix)  # type: ignore[return-value]


@given(st.lists(st.tuples(st.floats(0.1, 5), *[st.floats(-1, 1)] * 3), min_size=4, max_size=8))
def test_S1_holds_for_every_cloud_of_masses(cloud: list[tuple[float, float, float, float]]) -> None:
    inertia = np.zeros((3, 3))
    for mass, *place in cloud:
        r = np.array(place)
        inertia += mass * (r @ r * np.eye(3) - np.outer(r, r)) + 1e-3 * np.eye(3)
    matrix: Matrix3 = tuple(tuple(row) for row in inertia)  # type: ignore[assignment]
    assert rigid_body_violations(1.0, matrix) == []
    # What no cloud of masses can do: one principal moment above the sum of the other two.
    values, vectors = np.linalg.eigh(inertia)
    values[2] = values[0] + values[1] + 1e-3 * values.sum()
    broken: Matrix3 = tuple(tuple(row) for row in vectors @ np.diag(values) @ vectors.T)  # type: ignore[assignment]
    assert "triangle" in rigid_body_violations(1.0, broken)[0].text


def test_S1_needs_mass_and_positive_moments() -> None:
    good: Matrix3 = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    assert rigid_body_violations(0.0, good)[0].about == "mass"
    assert rigid_body_violations(1.0, ((1.0, 2.0, 0.0), (2.0, 1.0, 0.0), (0.0, 0.0, 1.0)))[0].about == "inertia"
    assert "symmetric" in rigid_body_violations(1.0, ((1.0, 0.1, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))[0].text


def test_S1_after_the_shift_from_B_to_G() -> None:
    """Moments about B that are fine there, but too small for a centre of gravity so far away."""
    text = changed(("{moments: [0.13, 0.13, 0.13]}", "{moments: [0.13, 0.13, 0.13], about: B}"), ("1 cm]", "20 cm]"))
    with pytest.raises(VehicleFileError, match=r"body.inertia .*smallest principal moment is -0.438"):
        vehicle_from_text(text)


def test_S2() -> None:
    assert added_mass_violations(ONES, ONES) == []
    assert "symmetric" in added_mass_violations(with_element(ONES, 1, 5, 0.5), ONES)[0].text
    assert added_mass_violations(with_element(ONES, 1, 5, 0.5), ONES, asymmetry_accepted=True) == []
    assert "negative" in added_mass_violations(diagonal6((1, 1, -0.1, 1, 1, 1)), ONES)[0].text
    empty = diagonal6((1.0, 1.0, 0.0, 1.0, 1.0, 1.0))
    assert added_mass_violations(empty, NONE)[0].about == "total_inertia"
    assert added_mass_violations(empty, NONE, locked=("heave",)) == []


@pytest.mark.parametrize(
    ("linear", "quadratic", "cubic", "speed"),
    [
        (117.45, -381.79, 0.0, 117.45 / 381.79),
        (294.64, -578.74, 0.0, 294.64 / 578.74),
        (1.0, 1.0, 0.0, None),
        (-1.0, 5.0, 0.0, 0.0),
        (0.0, -1.0, 0.0, 0.0),
        (0.0, 0.0, -1.0, 0.0),
        (32.7171, -22.3129, 8.5937, None),  # corrected surge drag of the Gavia: never negative
        (3.0, -4.0, 1.0, 1.0),  # negative between 1 and 3
        (1.0, 0.0, -4.0, 0.5),
    ],
)
def test_speed_at_which_damping_changes_sign(
    linear: float, quadratic: float, cubic: float, speed: float | None
) -> None:
    found = sign_change_speed(linear, quadratic, cubic)
    assert found == (pytest.approx(speed, rel=1e-12) if speed else speed)


@given(st.floats(0, 50), st.floats(-50, 50), st.floats(-20, 20))
@example(1.0, -1.0, 5.4e-20)
@example(0.0, 1e-12, -1.0)
def test_sign_change_is_where_the_force_changes_sign(linear: float, quadratic: float, cubic: float) -> None:
    speed = sign_change_speed(linear, quadratic, cubic)

    def share(s: np.ndarray) -> np.ndarray:
        size = linear + abs(quadratic) * s + abs(cubic) * s * s
        return (linear + quadratic * s + cubic * s * s) / np.where(size > 0.0, size, 1.0)

    if speed is None:
        assert (share(np.linspace(0.0, 1e2, 500)) >= -1e-9).all()
    else:
        assert (share(np.linspace(0.0, speed, 500)) >= -1e-9).all()
        assert share(np.array([1.001 * speed + 1e-9]))[0] <= 1e-9


def test_S5_sees_each_kind_of_damping_that_adds_energy() -> None:
    assert damping_violations(terms(ONES, ONES, 1.0)) == []
    assert damping_violations(terms(diagonal6((1, 1, 1, 1, 1, -1))))[0].about == "yaw"
    assert damping_violations(terms(ONES, diagonal6((-1, 1, 1, 1, 1, 1))))[0].about == "surge"
    assert damping_violations(terms(ONES, ONES, -1.0))[0].about == "surge"
    assert "while rising" in damping_violations(terms(ONES, ONES, up=HeaveUp(1.0, 1.0, -1.0)))[0].text


def test_S5_sees_coupling_that_adds_energy() -> None:
    assert damping_violations(terms(with_element(ONES, 3, 1, -1.9))) == []
    assert "eigenvalue" in damping_violations(terms(with_element(ONES, 3, 1, -2.1)))[0].text
    assert damping_violations(terms(NONE, with_element(ONES, 3, 1, -1.5))) == []
    fault = damping_violations(terms(NONE, with_element(ONES, 3, 1, -3.0)))[0]
    assert fault.about == "damping"
    assert "for instance at" in fault.text


def test_S5_inside_an_envelope() -> None:
    wrong = terms(ONES, diagonal6((-2.0, 1, 1, 1, 1, 1)))
    inside = (0.49, *(math.inf,) * 5)
    assert damping_violations(wrong)
    assert damping_violations(wrong, inside) == []
    assert damping_violations(wrong, (0.51, *(math.inf,) * 5))


def test_presets_keep_the_invariants_except_the_historical_one() -> None:
    for name in ("falcon", "remus100"):
        parameters = load_vehicle(name).parameters
        assert violations_S1(parameters) == violations_S2(parameters) == violations_S5(parameters) == []
    flatfish = load_vehicle("flatfish_basin_ls").parameters
    assert [fault.about for fault in violations_S5(flatfish)] == ["surge", "heave"]
    assert violations_S5(flatfish, flatfish.envelope) == []


HISTORICAL = "historical: {reason: test, violates: [S5], envelope: {surge: 0.03 m/s}}\n"
NEGATIVE = ("[17.7, 17.7, 17.7,", "[-17.7, 17.7, 17.7,")


def test_historical_needs_an_envelope_that_is_small_enough() -> None:
    vehicle = vehicle_from_text(changed(NEGATIVE) + HISTORICAL)
    assert vehicle.historical is not None
    assert vehicle.historical.violates == ("S5",)
    assert vehicle.parameters.envelope == (0.03, *(math.inf,) * 5)
    with pytest.raises(VehicleFileError, match=r"surge damping adds energy above 0.0339 m/s"):
        vehicle_from_text(changed(NEGATIVE) + HISTORICAL.replace("0.03", "0.04"))
    with pytest.raises(VehicleFileError, match=r"historical.envelope: is missing"):
        vehicle_from_text(changed(NEGATIVE) + "historical: {reason: test, violates: [S5]}\n")


def test_historical_without_a_reason_to_be_is_refused() -> None:
    with pytest.raises(VehicleFileError, match="nothing here violates S5"):
        vehicle_from_text(changed(("use: a first file to copy", "use: x")) + HISTORICAL)


def test_S5_sees_the_six_matrices() -> None:
    """A tensor alone that adds energy: along one axis, and by coupling that no single axis shows."""
    alone = [[[0.0] * 6 for _ in range(6)] for _ in range(6)]
    alone[1][1][1] = -3.0
    coupled = [[[0.0] * 6 for _ in range(6)] for _ in range(6)]
    coupled[1][0][1] = -50.0  # |u| v in sway
    for tensor, words in ((alone, "sway damping adds energy"), (coupled, "coupled damping adds energy")):
        record = SixMatrices(tuple(tuple(map(tuple, matrix)) for matrix in tensor))  # type: ignore[arg-type]
        given = terms(ONES, ONES)._replace(forces=(HullForce(SIX_MATRICES, (record,)),))
        assert words in damping_violations(given)[0].text
        assert damping_violations(given._replace(forces=())) == []


def test_S5_sees_the_strips() -> None:
    """Strips with a negative drag coefficient; where they are positive they outweigh a negative matrix element."""
    faulty = terms(NONE, ONES)._replace(forces=of_strips(Strip(0.3, -4.0, 0.0)))
    assert "sway damping adds energy" in damping_violations(faulty)[0].text
    outweighed = terms(NONE, with_element(ONES, 1, 1, -1.0))
    assert "sway" in damping_violations(outweighed)[0].text
    assert damping_violations(outweighed._replace(forces=of_strips(Strip(0.0, 2.0, 0.0)))) == []


def test_S5_sees_coupled_strips_among_random_twists() -> None:
    """A strip far ahead whose drag is negative only together with yaw, hidden from each axis by larger matrices."""
    hidden = terms(NONE, diagonal6((1.0, 5.0, 5.0, 1.0, 1.0, 40.0)))._replace(forces=of_strips(Strip(2.0, -4.5, 0.0)))
    assert "coupled damping adds energy" in damping_violations(hidden)[0].text
    assert damping_violations(hidden._replace(forces=())) == []


def test_S5_judges_rising_by_its_own_numbers() -> None:
    """Heave that is damped while it sinks and driven while it rises, by linear and by quadratic terms."""
    for up in (HeaveUp(1.0, -1.0, 2.0), HeaveUp(1.0, 1.0, -2.0)):
        (fault,) = damping_violations(terms(ONES, ONES, up=up))
        assert "heave damping while rising adds energy" in fault.text
    assert damping_violations(terms(ONES, ONES, up=HeaveUp(1.0, 1.0, 1.0))) == []
    coupled = with_element(with_element(ONES, 2, 0, 1.5), 0, 2, 1.5)
    strong, weak = HeaveUp(1.0, 5.0, 5.0), HeaveUp(1.0, 1.0, 1.0)
    sinking_is_fine = with_element(coupled, 2, 2, 5.0)
    assert damping_violations(terms(sinking_is_fine, ONES, up=strong)) == []
    assert damping_violations(terms(sinking_is_fine, ONES, up=weak)) != []


def test_S2_judges_the_added_mass_of_rising_too() -> None:
    falcon = load_vehicle("falcon").parameters
    assert falcon.heave_up is not None
    assert violations_S2(falcon) == []
    negative = falcon._replace(heave_up=falcon.heave_up._replace(added_mass=-50.0))
    assert violations_S2(negative)[0].about == "added_mass"
