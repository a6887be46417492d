"""Forms: every answer is given and true, and a form that lacks one cannot be registered."""

import numpy as np
import pytest
from hypothesis import given

from remora.equations.algebra.vectors import ZERO6, dot6, subtract6
from remora.equations.hull.forms.cross_flow import CROSS_FLOW, Strip
from remora.equations.hull.forms.form import Form, FormError, FormField, HullForce, form_size, register
from remora.equations.hull.forms.lift import LIFT, Lift
from remora.equations.hull.forms.table import FORMS, form_named, records_of, with_records
from remora.equations.hull.hull_forms import forms_wrench
from remora.kernels.forms.unrolled_forms import forms_source
from remora.kernels.pack import pack
from sample_features import everything, reals, twists


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_every_form_of_the_table_can_be_registered(form):
    assert register(form) is form
    assert form_named(form.name) is form


@pytest.mark.parametrize("answer", [key for key in Form._fields if key != "origin"])
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
    for form in FORMS:
        for record in records_of(parameters.forces, form):
            expected = subtract6(expected, form.wrench(record, twist))
    found = forms_wrench(packed.row.tolist(), packed.layout, twist, False)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-9)
    assert forms_wrench(packed.row.tolist(), packed.layout, twist, True) == found


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
@given(ratio=reals(0.5, 2.0), twist=twists)
def test_bundled_forms_are_in_proportion_to_the_density(form, ratio, twist):
    record = form.read(tuple(0.3 + 0.01 * k for k in range(form_size(form))), 0)
    denser = form.wrench(form.with_density(record, ratio), twist)
    np.testing.assert_allclose(denser, np.multiply(ratio, form.wrench(record, twist)), rtol=1e-12, atol=1e-12)


@given(twists)
def test_a_scattered_dissipative_form_dissipates(twist):
    for force in everything().forces:
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
    with pytest.raises(FormError, match='no force form "drag": choose from lift, six_matrices, cross_flow'):
        form_named("drag")
