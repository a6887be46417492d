"""Morphology files: placement, loops, mistakes, and the composite model against its modules."""

import re

import numpy as np
import pytest
from hypothesis import given, settings

from remora.equations.algebra.kinematics import twist_transform
from remora.equations.hull.forms.quadratic import signed_squares
from remora.files.problems import InputError
from remora.vehicles import load_vehicle
from remora.vehicles.checks.actuation import allocation_matrix
from remora.vehicles.hull_forces import hull_forces
from remora.vehicles.morphologies import (
    MorphologyError,
    composite_vehicle,
    load_morphology,
    morphology_from_text,
    morphology_names,
)
from remora.vehicles.morphologies.composite import CompositeError
from remora.vehicles.morphologies.report import (
    actuation_summary,
    morphology_actuation,
    morphology_data,
    morphology_lines,
)
from remora.vehicles.parameters import total_inertia
from sample_features import twists

PAIR = """
name: pair
title: Two vehicles
source: test
ports:
  bow: {position: [0.25 m, 0, 0]}
  stern: {position: [-0.25 m, 0, 0]}
  side: {position: [0, 0.2 m, 0]}
modules:
  - {name: a, file: bluerov2_heavy}
  - {name: b, file: bluerov2_heavy}
links:
  - {kind: rigid, between: [a/stern, b/bow]}
"""


def problems_of(text: str) -> list[str]:
    with pytest.raises(MorphologyError) as caught:
        morphology_from_text(text, "my.yaml")
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize("name", morphology_names())
def test_bundled_morphologies_are_sound(name: str) -> None:
    morphology = load_morphology(name)
    sound, lines = morphology_lines(morphology)
    assert sound
    assert lines[0].startswith(f"{name}: ")
    assert morphology_data(morphology)["sound"] is True


def test_docked_ports_share_a_point_and_face_each_other() -> None:
    morphology = morphology_from_text(PAIR)
    np.testing.assert_allclose(morphology.module("b").pose.position, (-0.5, 0.0, 0.0), atol=1e-15)
    np.testing.assert_allclose(morphology.module("b").pose.quaternion, (1.0, 0.0, 0.0, 0.0), atol=1e-15)
    sideways = morphology_from_text(PAIR.replace("a/stern", "a/side"))
    # The bow of b touches the starboard side of a, so b looks to port.
    np.testing.assert_allclose(sideways.module("b").pose.position, (0.0, 0.45, 0.0), atol=1e-15)
    np.testing.assert_allclose(sideways.module("b").pose.axes[1], (-1.0, 0.0, 0.0), atol=1e-15)
    # About the x axis of the first port, which points aft here.
    rolled = morphology_from_text(PAIR.replace("b/bow]}", "b/bow], roll: 90 deg}"))
    np.testing.assert_allclose(rolled.module("b").pose.axes[1], (0.0, 0.0, 1.0), atol=1e-15)


def test_joints_count_their_freedom() -> None:
    expected = {"rigid": 6, "ball": 9, "hinge": 7, "slider": 7}
    for kind, freedom in expected.items():
        assert morphology_from_text(PAIR.replace("rigid", kind)).degrees_of_freedom == freedom
    length = PAIR.replace("kind: rigid", "kind: distance, length: 1 m")
    morphology = morphology_from_text(length)
    assert morphology.degrees_of_freedom == 11
    assert morphology.module("b").pose.position[0] == pytest.approx(-1.5)
    ring = load_morphology("ring_of_six")
    assert (ring.degrees_of_freedom, ring.redundant_rows) == (9, 3)  # a planar six-bar linkage


def test_a_loop_of_hinges_closes_from_rounded_angles() -> None:
    text = load_morphology("ring_of_six").text.replace("angle: 60 deg", "angle: 57 deg", 1)
    ring = morphology_from_text(text)
    gap = np.subtract(ring.module("m6").pose.position, load_morphology("ring_of_six").module("m6").pose.position)
    assert 0.0 < np.abs(gap).max() < 0.2
    assert (ring.degrees_of_freedom, ring.redundant_rows) == (9, 3)


MISTAKES = {
    "a port that does not exist": ("a/stern", "a/sterm", 'module "a" has no port "sterm". Did you mean "stern"?'),
    "a module that does not exist": ("a/stern", "c/stern", 'there is no module "c"'),
    "no port": ("a/stern", "a", "expected module/port, such as left/bow."),
    "a link to itself": ("b/bow", "a/bow", 'links "a" to itself'),
    "an unknown vehicle": ("b, file: bluerov2_heavy", "b, file: bluerov3", "there is no vehicle of this name"),
    "an unknown kind": ("rigid", "welded", "is not one of the words for this"),
    "a key of another kind": ("kind: rigid", "kind: rigid, length: 1 m", "is not used by a rigid link. Remove it."),
    "a missing key": ("kind: rigid", "kind: distance", "is missing: a distance link needs it."),
    "two of a name": ("name: b", "name: a", "another module has this name already"),
    "an unknown origin": ("title: Two", "origin: c\ntitle: Two", "there is no module of this name"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_names_its_line_and_the_fix(mistake: str) -> None:
    old, new, words = MISTAKES[mistake]
    text = PAIR.replace(old, new)
    found = problems_of(text)
    both = zip(text.splitlines(), PAIR.splitlines(), strict=False)
    line = next(i for i, (changed, before) in enumerate(both, 1) if changed != before)
    assert any(words in problem and problem.startswith(f"my.yaml:{line}:") for problem in found), found


def test_two_docks_on_one_port_and_a_module_apart_are_refused() -> None:
    third = PAIR.replace("links:", "  - {name: c, file: bluerov2_heavy}\nlinks:")
    assert any("no link joins c to the others" in problem for problem in problems_of(third))
    twice = third + "  - {kind: rigid, between: [c/bow, a/stern]}\n"
    assert any('this port is docked already, by the link "a-b"' in problem for problem in problems_of(twice))


def test_a_loop_that_cannot_close_is_refused_with_its_gap() -> None:
    third = PAIR.replace("links:", "  - {name: c, file: bluerov2_heavy}\nlinks:")
    loop = third + "  - {kind: rigid, between: [b/stern, c/bow]}\n  - {kind: rigid, between: [c/stern, a/bow]}\n"
    found = problems_of(loop)
    assert len(found) == 1
    assert "cannot close: its ports miss each other by" in found[0]
    far = loop.replace("kind: rigid, between: [c/stern", "kind: distance, length: 5 m, between: [c/stern")
    assert 'the loop through "c-a" cannot close: its ports miss each other by 3.5 m' in problems_of(far)[0]


def test_a_loop_that_closes_from_other_angles_is_refused_with_them() -> None:
    """Three hinges in a straight line could close as a triangle; from there the solver finds no direction."""
    third = PAIR.replace("links:", "  - {name: c, file: bluerov2_heavy}\nlinks:").replace("rigid", "hinge")
    loop = third + "  - {kind: hinge, between: [b/stern, c/bow]}\n  - {kind: hinge, between: [c/stern, a/bow]}\n"
    (found,) = problems_of(loop)
    angles = [float(text) for text in re.findall(r"(-?[\d.]+) deg of", found)]
    assert [abs(angle) for angle in angles] == pytest.approx([120.0, 120.0, 120.0], abs=0.01)
    given = loop.replace("a/stern, b/bow]", f"a/stern, b/bow], angle: {angles[0]} deg")
    given = given.replace("b/stern, c/bow]", f"b/stern, c/bow], angle: {angles[1]} deg")
    assert all("overlaps" in problem for problem in problems_of(given))  # closed, and the hulls are too near
    balls = problems_of(loop.replace("hinge", "ball"))
    assert "does not close from these angles of its joints, but from others. Start" in balls[0]


def test_a_morphology_is_no_module(tmp_path) -> None:
    (tmp_path / "inner.yaml").write_text(PAIR)
    for name in ("docked_pair", str(tmp_path / "inner.yaml")):
        found = problems_of(PAIR.replace("b, file: bluerov2_heavy", f"b, file: {name}"))
        assert len(found) == 1
        assert "is a morphology. A module is one vehicle" in found[0]


def test_joints_count_among_the_controlled_degrees_of_freedom() -> None:
    """Against the allocation matrix of the composite, and where a hinge needs thrust on its far side."""
    rigid = morphology_from_text(PAIR.replace("a/stern", "a/side").replace("b/bow]}", "b/bow], roll: 30 deg}"))
    own, whole = morphology_actuation(rigid), actuation_summary(composite_vehicle(rigid).parameters)
    assert own == whole
    across = PAIR.replace("bluerov2_heavy", "sphere_with_thruster").replace("a/stern, b/bow", "a/bow, b/side")
    assert morphology_actuation(morphology_from_text(across)).rank == 2  # surge of a, and sway and yaw by b
    hinged = morphology_actuation(morphology_from_text(PAIR.replace("rigid", "hinge")))
    assert (hinged.thrusters, hinged.rank, hinged.redundancy) == (16, 7, 9)
    passive = PAIR.replace("rigid", "hinge").replace("b, file: bluerov2_heavy", "b, file: sphere_bare")
    assert morphology_actuation(morphology_from_text(passive)).rank == 6
    _, lines = morphology_lines(morphology_from_text(passive))
    assert "8 thrusters control 6 of 7 degrees of freedom; 2 of them are redundant" in lines
    reach = next(i for i, line in enumerate(lines) if line.startswith("joints held at their initial poses: reachable"))
    assert lines[reach + 1].split()[0] == "surge"


def test_all_mistakes_of_a_file_are_listed_at_once() -> None:
    text = PAIR.replace("a/stern", "a/x").replace("title: Two vehicles\n", "").replace("name: pair", "nam: pair")
    assert len(problems_of(text)) == 4  # unknown key, missing name, missing title, unknown port


def test_faults_of_a_module_hide_no_others_and_invent_none() -> None:
    """A module with a fault exists for its links, and files, ports and loops are checked beside other faults."""
    found = problems_of(PAIR.replace("b, file: bluerov2_heavy", "b, file: bluerov3, mass: 3"))
    assert len(found) == 2  # the unknown key and the unknown vehicle; not the link to b
    found = problems_of(PAIR.replace("kind: rigid, between: [a/stern", "kind: welded, between: [a/sterm"))
    assert len(found) == 2
    assert any("no port" in problem for problem in found)
    found = problems_of(PAIR.replace("stern: {position: [-0.25 m, 0, 0]}", "stern: {position: [1 s, 0, 0]}"))
    assert len(found) == 1  # the unit; not the link to the port
    third = PAIR.replace("links:", "  - {name: c, file: bluerov2_heavy}\nlinks:").replace("title: Two vehicles\n", "")
    found = problems_of(third)
    assert len(found) == 2  # the missing title and the module without a link
    assert any("no link joins c" in problem for problem in found)


def test_a_rod_accepts_no_implausible_values_of_others() -> None:
    """Bug: with one rod, the composite accepted whatever its vehicles had."""
    assert "implausible" not in composite_vehicle(load_morphology("two_spheres")).accepted
    rods = PAIR.replace("file: bluerov2_heavy", "rod: {length: 0.5 m, diameter: 5 cm, mass: 1 kg}")
    rods = rods.replace("modules:", "water: {density: 1000 kg/m3, gravity: 9.81 m/s2}\nmodules:")
    assert "implausible" in composite_vehicle(morphology_from_text(rods)).accepted


def test_interaction_factors_scale_added_mass_and_damping_of_one_module() -> None:
    plain = morphology_from_text(PAIR)
    stated = morphology_from_text(
        PAIR.replace("b, file: bluerov2_heavy", "b, file: bluerov2_heavy, interaction: {added_mass: 1.2, damping: 1.5}")
    )
    before, after = (one.module("b").vehicle.parameters for one in (plain, stated))
    assert stated.module("a").vehicle.parameters == plain.module("a").vehicle.parameters
    np.testing.assert_allclose(after.added_mass, 1.2 * np.array(before.added_mass), rtol=1e-14)
    np.testing.assert_allclose(after.linear_damping, 1.5 * np.array(before.linear_damping), rtol=1e-14)
    np.testing.assert_allclose(after.quadratic_damping, 1.5 * np.array(before.quadratic_damping), rtol=1e-14)
    assert after.rigid_body_inertia == before.rigid_body_inertia
    H = np.array(twist_transform(stated.module("b").pose.position, stated.module("b").pose.axes))
    more = np.subtract(*(total_inertia(composite_vehicle(one).parameters) for one in (stated, plain)))
    np.testing.assert_allclose(more, H.T @ (0.2 * np.array(before.added_mass)) @ H, atol=1e-12)
    far = PAIR.replace("b, file: bluerov2_heavy", "b, file: bluerov2_heavy, interaction: {damping: 30}")
    assert any("must be above 0 and at most 10" in problem for problem in problems_of(far))


@given(twists)
@settings(max_examples=20)
def test_the_composite_is_the_sum_of_its_modules(twist) -> None:
    """M = sum H' M_i H and d = sum H' d_i(H nu), with H written out here. Nielsen 2018, section 3.4."""
    text = PAIR.replace("a/stern", "a/side").replace("b/bow]}", "b/bow], roll: 30 deg}")
    morphology = morphology_from_text(text)
    whole = composite_vehicle(morphology).parameters
    inertia, damping = np.zeros((6, 6)), np.zeros(6)
    for module in morphology.modules:
        H = np.array(twist_transform(module.pose.position, module.pose.axes))
        p = module.vehicle.parameters
        own = H @ twist
        inertia += H.T @ np.array(total_inertia(p)) @ H
        drag = np.array(p.linear_damping) @ own + np.array(p.quadratic_damping) @ signed_squares(tuple(own.tolist()))
        damping += H.T @ drag
    np.testing.assert_allclose(total_inertia(whole), inertia, rtol=1e-12, atol=1e-12)
    found = np.sum([force.form.wrench(one, twist) for force in hull_forces(whole) for one in force.records], axis=0)
    np.testing.assert_allclose(found, damping, rtol=1e-12, atol=1e-12)


def test_thrusters_act_at_their_module() -> None:
    morphology = morphology_from_text(PAIR.replace("a/stern", "a/side"))
    whole = composite_vehicle(morphology)
    names = whole.parameters.thruster_names
    alone = load_vehicle("bluerov2_heavy").parameters
    assert names[8] == f"b/{alone.thruster_names[0]}"
    module = morphology.module("b")
    H = np.array(twist_transform(module.pose.position, module.pose.axes))
    np.testing.assert_allclose(allocation_matrix(whole.parameters)[:, 8:], H.T @ allocation_matrix(alone), atol=1e-14)


def test_redundancy_names_the_thrusters_that_cannot_be_lost() -> None:
    alone = actuation_summary(load_vehicle("bluerov2").parameters)
    assert (alone.rank, alone.redundancy) == (5, 1)
    assert "vertical_port" in " ".join(alone.essential) or alone.essential
    pair = composite_vehicle(morphology_from_text(PAIR.replace("bluerov2_heavy", "bluerov2")))
    summary = actuation_summary(pair.parameters)
    assert (summary.thrusters, summary.rank, summary.essential) == (12, 6, ())


def test_joints_and_unsupported_modules_have_no_composite() -> None:
    with pytest.raises(CompositeError, match="has joints"):
        composite_vehicle(morphology_from_text(PAIR.replace("rigid", "ball")))
    with pytest.raises(CompositeError, match="a: has fins; a: has cubic surge damping"):
        composite_vehicle(morphology_from_text(PAIR.replace("bluerov2_heavy", "gavia").replace("0.25 m", "1.5 m")))


def test_different_waters_need_one() -> None:
    mixed = PAIR.replace("b, file: bluerov2_heavy", "b, file: vita1\n    ").replace(
        "vita1\n    ", "flatfish_bay_adaptive"
    )
    mixed = mixed.replace("0.25 m", "1.5 m")  # hulls apart
    assert any("the vehicle files differ" in problem for problem in problems_of(mixed))
    given_water = mixed.replace("ports:", "water: {density: 1025 kg/m3, gravity: 9.81 m/s2}\nports:", 1)
    assert morphology_from_text(given_water).module("a").vehicle.parameters.density == 1025.0


def test_a_composite_is_changed_by_its_modules() -> None:
    pair = composite_vehicle(morphology_from_text(PAIR))
    with pytest.raises(InputError, match="Change or save the vehicle files of its modules"):
        pair.with_(mass=30.0)
