"""What a file says about the hull, and what becomes of it: bodies, matrices, axes and SNAME derivatives."""

import re
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from vehicle_example import changed

from remora.equations.hull.forms.cross_flow import CROSS_FLOW, Strip, strip_damping_wrench
from remora.equations.hull.forms.lift import LIFT, Lift, lift_wrench
from remora.equations.hull.forms.quadratic import QuadraticDamping, quadratic_damping_wrench
from remora.equations.hull.forms.six_matrices import SIX_MATRICES, SixMatrices, six_matrices_wrench
from remora.equations.hull.inertia import coriolis_wrench
from remora.equations.types import Twist
from remora.vehicles import VehicleFileError, VehicleParameters, load_vehicle, total_inertia, vehicle_from_text
from remora.vehicles.parameters import form_records

MASS = 'mass: {value: 14.2 kg, source: "weighed in air", sigma: 0.05}'
VOLUME = "volume: 14.3 litre"
INERTIA = "inertia: {moments: [0.13, 0.13, 0.13]}"
ADDED = "added_mass: {diagonal: [7.1, 7.1, 7.1, 0, 0, 0]}"
LINEAR = "linear: {diagonal: [0.6, 0.6, 0.6, 0.05, 0.05, 0.05]}"
QUADRATIC = "quadratic: {diagonal: [17.7, 17.7, 17.7, 0.01, 0.01, 0.01]}"
SIGNS = np.array([1.0, -1.0, -1.0, 1.0, -1.0, -1.0])

speeds = st.floats(-2.0, 2.0, allow_nan=False)
twists = st.tuples(speeds, speeds, speeds, speeds, speeds, speeds)


def six(parameters: VehicleParameters) -> SixMatrices:
    (record,) = form_records(parameters, SIX_MATRICES)
    return record


def lift_of(parameters: VehicleParameters) -> Lift:
    (record,) = form_records(parameters, LIFT)
    return record


def strips_of(parameters: VehicleParameters) -> tuple[Strip, ...]:
    return form_records(parameters, CROSS_FLOW)


def parameters_of(*changes: tuple[str, str]) -> VehicleParameters:
    return vehicle_from_text(changed(*changes)).parameters


@pytest.mark.parametrize(
    ("given_as", "displaced"),
    [
        ("displaced_mass: 14.3 kg", 14.3),
        ("buoyancy: 140 N", 140.0 / 9.81),
        ("net_buoyancy: 0 N", 14.2),
        ("net_buoyancy: -3 N", 14.2 - 3.0 / 9.81),
        ("volume: 0.0143 m3", 14.3),
    ],
)
def test_four_ways_to_give_buoyancy(given_as: str, displaced: float) -> None:
    assert parameters_of((VOLUME, given_as)).displaced_mass == pytest.approx(displaced, rel=1e-14)


def test_inertia_about_B_and_products_of_inertia() -> None:
    about_G = parameters_of((INERTIA, "inertia: {moments: [0.2, 0.3, 0.4], products: {xz: 0.01}}"))
    assert about_G.inertia_G[0] == (0.2, 0.0, -0.01)
    shift = 14.2 * 0.01**2
    about_B = parameters_of(
        (INERTIA, f"inertia: {{moments: [{0.2 + shift}, {0.3 + shift}, 0.4], products: {{xz: 0.01}}, about: B}}")
    )
    assert np.allclose(about_B.inertia_G, about_G.inertia_G, rtol=1e-14)
    assert np.allclose(about_B.rigid_body_inertia, about_G.rigid_body_inertia, rtol=1e-14)


def test_parts_add_up_to_one_body() -> None:
    """A dumbbell: two balls on the y axis, foam above."""
    parts = """parts:
    - {name: port, mass: 3 kg, volume: 1 litre, position: [0, -1, 0], inertia: {moments: [0.1, 0.1, 0.1]}}
    - {name: starboard, mass: 1 kg, volume: 1 litre, position: [0, 1, 0], inertia: {moments: [0.1, 0.1, 0.1]}}
    - {name: foam, volume: 2 litre, position: [0, 0, -0.5]}"""
    p = parameters_of(
        (MASS, parts), (f"  {VOLUME}\n", ""), (f"  {INERTIA}\n", ""),
        ("  center_of_gravity: [0, 0, 1 cm]\n", ""), ("  center_of_buoyancy: [0, 0, 0]\n", ""),
    )  # fmt: skip
    assert p.mass == 4.0
    assert p.displaced_mass == pytest.approx(4.0)
    assert p.p_BG == pytest.approx((0.0, -0.5, 0.0))
    assert p.p_BC == pytest.approx((0.0, 0.0, -0.25))
    # Reduced mass 3/4 kg at a distance of 2 m about x and z, nothing but the balls themselves about y.
    assert np.allclose(np.diag(p.inertia_G), (3.2, 0.2, 3.2))
    assert np.allclose(p.inertia_G, np.diag(np.diag(p.inertia_G)))


def test_total_inertia_loses_the_share_of_the_body_only_where_it_is_given() -> None:
    p = parameters_of(
        (ADDED, "added_mass: {given_as: total, diagonal: [20, 21, 22, 1, 1, 1], elements: {sway_roll: 0.3}}")
    )
    assert np.allclose(np.diag(p.added_mass)[:3], (5.8, 6.8, 7.8))
    total = np.array(total_inertia(p))
    assert total[1, 3] == total[3, 1] == pytest.approx(0.3), "a given element is the element of the total inertia"
    assert p.added_mass[0][4] == 0.0, "what is not given stays zero"
    assert total[0, 4] == p.rigid_body_inertia[0][4] != 0.0


def test_only_a_total_inertia() -> None:
    text = changed(
        (ADDED, "added_mass: {given_as: total, diagonal: [10, 10, 0, 0, 0, 1]}\nmodel: {locked: [heave, roll, pitch]}")
    )
    start, end = text.index("body:"), text.index("added_mass:")
    text = text[:start] + "body: {only_total_inertia: true}\n" + text[end:]
    p = vehicle_from_text(text).parameters
    assert p.total_inertia_only
    assert p.mass == p.displaced_mass == 0.0
    assert p.added_mass[0][0] == 10.0
    assert p.locked == ("heave", "roll", "pitch")
    with pytest.raises(VehicleFileError, match="positive definite"):
        vehicle_from_text(text.replace("[heave, roll, pitch]", "[heave, roll]"))


def test_an_element_is_not_given_twice() -> None:
    with pytest.raises(VehicleFileError, match=r"already given by damping\.linear\.diagonal"):
        parameters_of((LINEAR, LINEAR.replace("]}", "], elements: {yaw_yaw: 3}}")))
    with pytest.raises(VehicleFileError, match=r"already given by damping\.linear\.diagonal"):
        parameters_of((LINEAR, LINEAR + "\n  sname: {N_r: -3}"))


def test_an_element_of_damping_sets_only_itself_and_one_of_added_mass_both() -> None:
    p = parameters_of(
        (LINEAR, LINEAR.replace("]}", "], elements: {roll_sway: -0.01 N s}}")),
        (ADDED, "added_mass: {diagonal: [7, 7, 7, 1, 1, 1], elements: {roll_sway: -0.1 kg m}}"),
    )
    assert (p.linear_damping[3][1], p.linear_damping[1][3]) == (-0.01, 0.0)
    assert (p.added_mass[3][1], p.added_mass[1][3]) == (-0.1, -0.1)


@cache
def coupled() -> tuple[np.ndarray, ...]:
    """Matrices with every element in use, and still damping."""
    rng = np.random.default_rng(4)
    A, L, D, lift = (0.05 * rng.normal(size=(6, 6)) for _ in range(4))
    Q = 0.01 * rng.normal(size=(6, 6, 6))
    for i in range(6):
        Q[i, i, i] = 3.0
    return A @ A.T + np.eye(6), L @ L.T + np.eye(6), D + 3.0 * np.eye(6), lift, Q


@cache
def hull_with(axes: str, stacking: str) -> VehicleParameters:
    A, L, D, lift, Q = coupled()
    stack = Q if stacking == "by_row" else Q.transpose(1, 0, 2)
    block = f"""linear: {{matrix: {L.tolist()}}}
  quadratic: {{matrix: {D.tolist()}}}
  lift: {{matrix: {lift.tolist()}}}
  six_matrices: {{stacking: {stacking}, matrices: {stack.tolist()}}}"""
    changes = [(LINEAR, block), (f"  {QUADRATIC}\n", ""), (ADDED, f"added_mass: {{matrix: {A.tolist()}}}")]
    return parameters_of(("use: a first file to copy", f"axes: {axes}"), *changes)


@given(twists)
def test_both_stackings_of_six_matrices(twist: Twist) -> None:
    by_row, by_speed = hull_with("forward-right-down", "by_row"), hull_with("forward-right-down", "by_speed")
    assert six(by_row) == six(by_speed)
    v = np.array(twist)
    expected = np.einsum("ijk,j,k->i", coupled()[4], np.abs(v), v)
    assert np.allclose(six_matrices_wrench(six(by_row), twist), expected, atol=1e-12)


@given(twists)
def test_axes_do_not_change_the_physics(twist: Twist) -> None:
    """The same numbers read in forward-left-up act on mirrored motion with mirrored wrenches."""
    one, other = hull_with("forward-right-down", "by_row"), hull_with("forward-left-up", "by_row")
    mirrored: Twist = tuple(SIGNS * np.array(twist))
    pairs = [
        (np.array(one.added_mass) @ twist, np.array(other.added_mass) @ mirrored),
        (np.array(one.linear_damping) @ twist, np.array(other.linear_damping) @ mirrored),
        (
            quadratic_damping_wrench(QuadraticDamping(one.quadratic_damping), twist),
            quadratic_damping_wrench(QuadraticDamping(other.quadratic_damping), mirrored),
        ),
        (six_matrices_wrench(six(one), twist), six_matrices_wrench(six(other), mirrored)),
        (lift_wrench(lift_of(one), twist), lift_wrench(lift_of(other), mirrored)),
        (coriolis_wrench(one.added_mass, twist), coriolis_wrench(other.added_mass, mirrored)),
        (one.thrusters[0].effect, other.thrusters[0].effect),
    ]
    for plain, turned in pairs:
        assert np.allclose(plain, SIGNS * np.array(turned), atol=1e-12)
    assert one.p_BG[2] == -other.p_BG[2] == 0.01


def test_sname_signs() -> None:
    p = parameters_of(
        (ADDED, "added_mass: {sname: {X_udot: -7, Y_vdot: -8, Z_wdot: -9, N_rdot: -1, Y_rdot: 0.5}}"),
        (LINEAR, 'sname: {X_u: -4, Y_v: -5, K_v: 0.1, K_p: -1, "N_r|r|": -0.3, X_uuu: -2, Y_uv: -28.6, N_uv: 3}'),
        (f"  {QUADRATIC}\n", ""),
    )
    assert p.added_mass[0][0] == 7.0
    assert p.added_mass[1][5] == p.added_mass[5][1] == -0.5
    assert p.linear_damping[0][0] == 4.0
    assert p.linear_damping[3][1] == -0.1
    assert p.quadratic_damping[5][5] == 0.3
    assert p.cubic_surge == 2.0
    assert (lift_of(p).matrix[1][1], lift_of(p).matrix[5][1]) == (28.6, -3.0)


def test_contradicting_sname_partners_are_refused_unless_accepted() -> None:
    added = "added_mass: {sname: {X_udot: -7, Y_vdot: -8, Z_wdot: -9, Y_rdot: 0.5, N_vdot: 0.4, N_rdot: -1}}"
    with pytest.raises(VehicleFileError, match=r"yaw_sway = -0.4 but sway_yaw = -0.5"):
        parameters_of((ADDED, added))
    vehicle = vehicle_from_text(changed((ADDED, added + '\naccept: {asymmetric_added_mass: "as printed"}')))
    assert vehicle.accepted == {"asymmetric_added_mass": "as printed"}
    assert (vehicle.parameters.added_mass[5][1], vehicle.parameters.added_mass[1][5]) == (-0.4, -0.5)


@pytest.mark.parametrize("key", ["X_wq", "X_vr", "X_qq", "Y_wp", "Z_vp"])
def test_products_of_the_added_mass_are_refused(key: str) -> None:
    with pytest.raises(VehicleFileError, match=f"sname.{key}: follows from the added mass"):
        parameters_of((LINEAR, f"sname: {{{key}: 1}}"))


@pytest.mark.parametrize(("key", "spelling"), [("X_uu", "X_u|u|"), ("Y_|v|v", "Y_v|v|"), ("N_uu", "N_u|u|")])
def test_other_spellings_of_quadratic_drag_are_answered(key: str, spelling: str) -> None:
    with pytest.raises(VehicleFileError, match=re.escape(f'quadratic drag is written "{spelling}"')):
        parameters_of((LINEAR, f'sname: {{"{key}": -1}}'))


def test_remus_lift_without_the_share_of_the_added_mass() -> None:
    """Prestero's combined derivatives: 5.22 + 0.93, -24 + (35.5 - 0.93), -2 - 1.93."""
    p = load_vehicle("remus100").parameters
    derivatives = -np.array(lift_of(p).matrix)
    expected = np.zeros((6, 6))
    expected[1, 1] = expected[2, 2] = -28.6
    expected[1, 5], expected[2, 4] = 6.15, -6.15
    expected[5, 1], expected[4, 2] = 10.57, -10.57
    expected[5, 5] = expected[4, 4] = -3.93
    assert np.allclose(derivatives, expected, atol=1e-12)
    # At forward speed lift and added mass together give back what is printed.
    twist: Twist = (1.5, 0.1, 0.0, 0.0, 0.0, 0.2)
    munk = -np.array(coriolis_wrench(p.added_mass, twist))
    still = -np.array(coriolis_wrench(p.added_mass, (0.0, 0.1, 0.0, 0.0, 0.0, 0.2)))
    printed = munk - still - np.array(lift_wrench(lift_of(p), twist))
    assert printed[5] == pytest.approx(1.5 * (-24.0 * 0.1 - 2.0 * 0.2), rel=1e-12)
    assert printed[1] == pytest.approx(1.5 * (-28.6 * 0.1 + 5.22 * 0.2), rel=1e-12)


@settings(max_examples=15)
@given(st.floats(-3, 3), st.integers(1, 60), st.floats(0.5, 3.0))
def test_strips_keep_the_total_drag(sway: float, number: int, length: float) -> None:
    assume(abs(sway) > 1e-3)
    block = f"cross_flow: {{length: {length}, strips: {number}, sway: 131 kg/m, heave: 90 kg/m}}"
    p = parameters_of((QUADRATIC, block))
    assert len(strips_of(p)) == number
    drag = np.sum([strip_damping_wrench(strip, (0.0, sway, sway, 0.0, 0.0, 0.0)) for strip in strips_of(p)], axis=0)
    assert np.allclose(drag[1:3], np.array([131.0, 90.0]) * abs(sway) * sway)
    assert np.allclose(drag[3:], 0.0, atol=1e-9)


def test_strips_from_a_drag_coefficient() -> None:
    block = "cross_flow: {length: 1.33, height: 0.191, width: 0.2, drag_coefficient: 1.1, center: 0.1, strips: 200}"
    p = parameters_of((QUADRATIC, block))
    assert sum(strip.sideways for strip in strips_of(p)) == pytest.approx(0.5 * 1000 * 1.1 * 0.191 * 1.33)
    assert sum(strip.vertical for strip in strips_of(p)) == pytest.approx(0.5 * 1000 * 1.1 * 0.2 * 1.33)
    assert np.mean([strip.x for strip in strips_of(p)]) == pytest.approx(0.1)
    # Turning about its own middle, a slender hull resists with half density C_d h L^4 / 32.
    torque = sum(strip.sideways * abs(strip.x - 0.1) ** 3 for strip in strips_of(p))
    assert torque == pytest.approx(0.5 * 1000 * 1.1 * 0.191 * 1.33**4 / 32, rel=1e-4)


def test_rising_heave_from_a_total() -> None:
    p = parameters_of((ADDED, ADDED + "\nrising_heave: {total: 20 kg, linear: 1, quadratic: 30}"))
    assert p.heave_up is not None
    assert p.heave_up == pytest.approx((5.8, 1.0, 30.0))
