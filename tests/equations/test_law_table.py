"""Thruster laws: every answer is given and true, and a law that lacks one cannot be registered."""

import re

import numpy as np
import pytest
from hypothesis import given

from remora.equations.actuators.laws import advance, force, quadratic
from remora.equations.actuators.laws.law import LawError, ThrustLaw, register_law
from remora.equations.actuators.laws.table import EQUATIONS, LAWS, common_law, equations_by_code, law_named, law_with
from remora.equations.actuators.propulsion import thrust_from_output
from remora.equations.actuators.thrusters import THRUST_IN_FOUR_QUADRANTS, static_thrust
from remora.plant.forms.unrolled_forms import inflow_source, thrust_source
from remora.vehicles import load_vehicle
from remora.vehicles.variants.other_water import in_water
from sample_features import reals, twists
from sample_vehicles import falcon_thrusters, glider

LAW = quadratic.QUADRATIC_LAW


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_every_law_of_the_table_can_be_registered(law):
    assert register_law(law) is law
    assert law_named(law.name) is law
    assert law_with(law.code).thrust is law.thrust


def test_every_law_is_in_its_own_file():
    homes = [law.curves.__module__ for law in LAWS if law.name != "four_quadrant"]
    assert len(set(homes)) == len(homes) == 4


@pytest.mark.parametrize("answer", ThrustLaw._fields)
def test_a_law_without_an_answer_cannot_be_made(answer):
    given_answers = {key: value for key, value in LAW._asdict().items() if key != answer}
    with pytest.raises(TypeError, match=answer):
        ThrustLaw(**given_answers)


WRONG_ANSWERS = {
    "no name": ({"name": "a law"}, "name is no identifier"),
    "no equation": ({"thrust": None}, "thrust is no function"),
    "another output": ({"output": "power"}, "output is 'power': give force or shaft_speed"),
    "no answer about the inflow": ({"depends_on_inflow": None}, "depends_on_inflow and signed_inflow"),
    "an unknown key": ({"keys": ("pitch",)}, "keys names pitch: choose from coefficient"),
    "an inverse of another law": ({"output_for": force.output_of_force}, "output_for does not give back"),
    "hidden inflow": (
        {"thrust": lambda t, n, v: static_thrust(t, n) * (1.0 - v), "depends_on_inflow": False},
        "depends on the inflow, which depends_on_inflow denies",
    ),
    "no thruster in other water": ({"with_density": lambda thruster, ratio: ratio}, "does not return a thruster"),
}


@pytest.mark.parametrize("answer", WRONG_ANSWERS)
def test_a_wrong_answer_is_refused(answer):
    change, message = WRONG_ANSWERS[answer]
    with pytest.raises(LawError, match=re.escape(message)):
        register_law(LAW._replace(**change))


def test_codes_of_a_table_count_up_and_stand_for_one_equation():
    with pytest.raises(LawError, match="count up from 0"):
        equations_by_code((LAW,))
    other = LAW._replace(name="other", code=0)
    with pytest.raises(LawError, match="'force' and 'other' have one code but differ"):
        equations_by_code((force.FORCE_LAW, other))
    assert equations_by_code(LAWS) == EQUATIONS


def power_law(thruster, output, advance):
    """A law for the test: thrust with the power 3 of the shaft speed."""
    return static_thrust(thruster, output) * abs(output)


def test_a_new_law_is_one_more_branch_of_the_compiled_chain():
    """The chain that compiled code runs, executed as plain Python, gives the thrust of each law by its code."""
    new = LAW._replace(
        name="cubic", code=4, thrust=power_law, output_for=lambda t, f, v: np.cbrt(f / t.positive.square)
    )
    equations = equations_by_code((*LAWS, new))
    inflow = (False, False, True, True, False)
    namespace = {f"equation_{code}": equation for code, equation in enumerate(equations)}
    namespace["advance_speed"] = lambda thruster, twist: twist[0]
    exec(thrust_source(equations, inflow), namespace)
    unit = falcon_thrusters()[0]
    for code, equation in enumerate(equations):
        expected = equation(unit, 30.0, 0.4 if inflow[code] else 0.0)
        assert namespace["unrolled"](unit, code, 30.0, (0.4, 0, 0, 0, 0, 0)) == expected
    exec(inflow_source(inflow), namespace)
    layouts = [type("Layout", (), {"thrust_law": code}) for code in range(5)]
    assert tuple(map(namespace["unrolled"], layouts)) == inflow


@given(reals(-90.0, 90.0), twists)
def test_the_law_of_a_code_gives_the_thrust(output, twist):
    unit = falcon_thrusters()[0]
    assert thrust_from_output(unit, 0, output, twist) == output
    assert thrust_from_output(unit, 1, output, twist) == static_thrust(unit, output)
    assert thrust_from_output(unit, 2, output, twist) == thrust_from_output(unit, 3, output, twist)


def test_laws_of_one_vehicle():
    assert common_law([]) is force.FORCE_LAW
    assert common_law(["quadratic", "advance"]) is advance.ADVANCE_LAW
    assert common_law(["quadratic", "four_quadrant", "bilinear"]).code == THRUST_IN_FOUR_QUADRANTS
    assert common_law(["force", "quadratic"]) is None


def test_thrust_in_other_water_follows_the_law():
    """A commanded force stays; propellers are in proportion to the density, four-quadrant series too."""
    heavy = load_vehicle("bluerov2_heavy").parameters
    assert in_water(heavy, 1.2 * heavy.density, 9.81).thrusters == heavy.thrusters
    falcon = load_vehicle("falcon").parameters
    there = in_water(falcon, 1.2 * falcon.density, 9.81)
    assert there.thrusters[0].positive == pytest.approx([1.2 * x for x in falcon.thrusters[0].positive])
    turning = glider()
    disc = in_water(turning, 1.2 * turning.density, 9.81).quadrants[0].disc
    assert disc.dynamic_area == pytest.approx(1.2 * turning.quadrants[0].disc.dynamic_area)
