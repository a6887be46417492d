"""Forms: every answer is given and true, and a form that lacks one cannot be registered."""

import numpy as np
import pytest
from hypothesis import given

from remora.equations.algebra.vectors import ZERO6, dot6, subtract6
from remora.equations.hull.forms.cross_flow import CROSS_FLOW, Strip
from remora.equations.hull.forms.form import (
    Form,
    FormError,
    FormField,
    HullForce,
    flat_numbers,
    form_size,
    records_wrench,
    register,
)
from remora.equations.hull.forms.lift import LIFT, Lift
from remora.equations.hull.forms.linear import LINEAR
from remora.equations.hull.forms.rising_heave import RISING_HEAVE
from remora.equations.hull.forms.table import (
    BASIC_FORMS,
    FORMS,
    OPTIONAL_FORMS,
    form_named,
    records_of,
    with_records,
)
from remora.equations.hull.hull_forms import forms_wrench
from remora.plant.forms.unrolled_forms import forms_source
from remora.plant.pack import pack
from remora.vehicles.hull_forces import hull_forces, while_rising, with_hull_forces
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.variants.other_water import in_water
from sample_features import everything, reals, twists


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_every_form_of_the_table_can_be_registered(form):
    assert register(form) is form
    assert form_named(form.name) is form


@pytest.mark.parametrize("answer", [key for key in Form._fields if key not in ("acts_on", "origin")])
def test_a_form_without_an_answer_cannot_be_made_or_registered(answer):
    given_answers = {key: value for key, value in CROSS_FLOW._asdict().items() if key != answer}
    with pytest.raises(TypeError, match=answer):
        Form(**given_answers)
    with pytest.raises(FormError, match=r"cross_flow|force form None"):
        register(CROSS_FLOW._replace(**{answer: None}))


WRONG_ANSWERS = {
    "a reason that says nothing": ({"fades": "  "}, "fades is"),
    "no without a reason": ({"dissipates": False}, "give True, or the reason why not"),
    "a reader in another order": ({"read": lambda row, k: Strip(row[k], row[k + 2], row[k + 1])}, "in their order"),
    "a section in another order": ({"section": tuple(reversed(CROSS_FLOW.section))}, "fields of its section"),
    "a wrench of five": ({"wrench": lambda strip, twist: (0.0,) * 5}, "six numbers"),
    "rows that it does not name": ({"acts_on": (1, 2)}, "acts on others than acts_on"),
    "no row": ({"acts_on": ()}, "acts_on is"),
    "another power": ({"degree": 3}, "does not grow with that power"),
    "no linear parameter": ({"fitted": ("x",)}, "not linear in x"),
    "an unknown parameter": ({"fitted": ("width",)}, "names width"),
    "no record in other water": ({"with_density": lambda strip, ratio: ratio}, "with_density does not return a record"),
    "signs of no axis": (
        {"section": (FormField("x", "m", signs=(6,)), *CROSS_FLOW.section[1:])},
        "signs of x: give degrees of freedom",
    ),
}


@pytest.mark.parametrize("answer", WRONG_ANSWERS)
def test_a_wrong_answer_is_refused(answer):
    change, message = WRONG_ANSWERS[answer]
    with pytest.raises(FormError, match=message):
        register(CROSS_FLOW._replace(**change))


@given(twists)
def test_the_sum_over_the_table_is_minus_the_sum_of_its_records(twist):
    parameters = everything()
    packed = pack(parameters)
    expected = ZERO6
    for form in OPTIONAL_FORMS:
        for record in records_of(hull_forces(parameters), form):
            expected = subtract6(expected, form.wrench(record, twist))
    found = forms_wrench(packed.row.tolist(), packed.layout, twist, False)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-9)
    assert forms_wrench(packed.row.tolist(), packed.layout, twist, True) == found


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
@given(ratio=reals(0.5, 2.0), twist=twists)
def test_bundled_forms_are_in_proportion_to_the_density(form, ratio, twist):
    """All but laminar friction, which is linear in the speed."""
    record = form.read(tuple(0.3 + 0.01 * k for k in range(form_size(form))), 0)
    if form == LINEAR:
        assert form.with_density(record, ratio) == record
        return
    if form == RISING_HEAVE:
        assert form.with_density(record, ratio).linear_damping == record.linear_damping
        record = record._replace(linear_damping=0.0)
    denser = form.wrench(form.with_density(record, ratio), twist)
    np.testing.assert_allclose(denser, np.multiply(ratio, form.wrench(record, twist)), rtol=1e-12, atol=1e-12)


@given(twists)
def test_a_scattered_dissipative_form_dissipates(twist):
    for force in hull_forces(everything()):
        if force.form.dissipates is True:
            for record in force.records:
                drawn = force.form.scaled(record, (0.5, 2.0, 1.0, 1.5, 0.7, 1.1), (2.0, 0.4, 1.0, 1.7, 0.6, 3.0))
                assert dot6(force.form.wrench(drawn, twist), twist) >= -1e-12


def test_a_form_that_does_not_fade_is_left_out_of_the_fading_sum():
    source = forms_source((LIFT, CROSS_FLOW._replace(fades="it stays under water")))
    assert "if layout.forms[0]:" in source
    assert "if layout.forms[1] and not fading_only:" in source


def test_records_are_replaced_in_the_order_of_the_table():
    matrix = tuple((0.0,) * 6 for _ in range(6))
    forces = with_records((HullForce(CROSS_FLOW, (Strip(0.0, 1.0, 1.0),)),), LIFT, (Lift(matrix),))
    assert [force.form.name for force in forces] == ["lift", "cross_flow"]
    assert with_records(forces, LIFT, ())[0].form == CROSS_FLOW
    with pytest.raises(FormError, match='no force form "drag": choose from linear, quadratic, cubic_surge, lift'):
        form_named("drag")


def test_basic_forms_are_parameters_of_every_vehicle_and_fade():
    """Compiled code sums them without a condition, so they must be there, once each, and fade together."""
    for form in BASIC_FORMS:
        assert {field.name for field in form.section} <= set(VehicleParameters._fields)
        assert form.fades is True
        assert not form.many
    assert len({form.name for form in FORMS}) == len(FORMS)


@given(twists)
def test_forces_of_a_vehicle_come_back_and_absent_ones_are_zero(twist):
    parameters = everything()
    again = with_hull_forces(parameters, hull_forces(parameters))
    for one, other in zip(hull_forces(parameters), hull_forces(again), strict=True):
        found = records_wrench(other.form, other.records, twist)
        np.testing.assert_allclose(found, records_wrench(one.form, one.records, twist), rtol=1e-12, atol=1e-9)
    bare = with_hull_forces(parameters, ())
    assert bare.heave_up is None
    assert bare.forces == ()
    assert not any(map(any, (bare.linear_damping[0], bare.quadratic_damping[2])))
    assert bare.cubic_surge == 0.0


@given(reals(0.02 * 20, 3.0))
def test_rising_and_sinking_have_the_damping_of_their_direction(speed):
    """Far from the transition, mean and difference add up to the coefficients of the direction."""
    parameters = everything()
    for heave, case in ((speed, parameters._replace(heave_up=None)), (-speed, while_rising(parameters))):
        twist = (0.0, 0.0, heave, 0.0, 0.0, 0.0)
        found, expected = (
            sum(records_wrench(f.form, f.records, twist)[2] for f in hull_forces(p) if f.form.name in NAMES)
            for p in (parameters, case)
        )
        assert found == pytest.approx(expected, rel=1e-12)


NAMES = ("linear", "quadratic", "rising_heave")


@given(reals(0.5, 2.0))
def test_other_water_scales_the_packed_record_as_the_form_says(ratio):
    parameters = everything()
    there = in_water(parameters, ratio * parameters.density, parameters.gravity)
    for before, after in zip(hull_forces(parameters), hull_forces(there), strict=True):
        scaled = [before.form.with_density(record, ratio) for record in before.records]
        np.testing.assert_allclose(flat_numbers(after.records), flat_numbers(tuple(scaled)), rtol=1e-9, atol=1e-12)
