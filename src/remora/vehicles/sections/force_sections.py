"""Sections of the list `forces` of a vehicle file, made from the hull force forms that they name."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Annotated, Any, ClassVar

from pydantic import create_model

from remora.equations.hull.forms.form import Form, FormError, FormField
from remora.equations.hull.forms.table import LISTED_FORMS, form_named
from remora.equations.hull.forms.user_form import form_of_module, load_form, reference_of_form
from remora.files.did_you_mean import suggestion
from remora.files.problems import Finding, InputError
from remora.files.quantities import Is, Quantity
from remora.files.section import Section
from remora.files.structure import section_at
from remora.files.units import Dimension, unit_named
from remora.files.user_code import is_reference, reference_of
from remora.vehicles.names import VEHICLE_FILE

_KEYS = ("model", "name", "source")  # of every entry


class ForceSection(Section):
    """A hull force: its form, and the parameters that the form declares."""

    form: ClassVar[Form]
    model: str
    name: str | None = None


def force_sections(entries: Any, file: str, findings: list[Finding]) -> list[ForceSection | None] | None:
    """The sections of the list `forces`; None for an entry with faults.

    Paths of forms are relative to the folder of the vehicle file.
    """
    if not isinstance(entries, list):
        return None
    return [_section(entry, index, FilePath(file).parent, findings) for index, entry in enumerate(entries)]


def _section(entry: Any, index: int, folder: FilePath, findings: list[Finding]) -> ForceSection | None:
    path = ("forces", index)
    if not isinstance(entry, dict) or not isinstance(entry.get("model"), str):
        message = "expected a mapping with model, the name of a force form or file.py:NAME, and its parameters."
        findings.append(Finding(path, message))
        return None
    try:
        section = force_section(_form(entry["model"], folder))
    except FormError as error:
        findings.append(Finding((*path, "model"), str(error)))
        return None
    return section_at(section, entry, path, VEHICLE_FILE, findings)


def _form(model: str, folder: FilePath) -> Form:
    """A form of the table by name, or of a file or a module by path and name."""
    if is_reference(model):
        return form_of_module(*model.split(":"))
    if ".py" not in model:
        known = [form.name for form in LISTED_FORMS]
        if model not in known:
            raise FormError(
                f"there is no force form of this name. {suggestion(model, known)} One of a file: file.py:NAME."
            )
        return form_named(model)
    file, _, name = model.rpartition(":")
    if not name.isidentifier() or not file.endswith(".py"):
        raise FormError("give the file and the name of the Form in it, e.g. my_drag.py:MY_DRAG.")
    return load_form(str(folder / file), name)


def with_references(value: Any, field: str) -> Any:
    """A value of a vehicle file in which texts name forms and classes; InputError where one has no name."""
    if isinstance(value, Form):
        try:
            return reference_of_form(value)
        except FormError as error:
            raise InputError(f"{field}: {error}").about(field, value.name) from None
    if isinstance(value, Mapping):
        return {key: with_references(item, f"{field}.{key}") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [with_references(item, f"{field}[{i}]") for i, item in enumerate(value)]
    return reference_of(value) if callable(value) else value


@lru_cache(maxsize=256)
def force_section(form: Form) -> type[ForceSection]:
    """The section of a form."""
    if taken := [field.name for field in form.section if field.name in _KEYS]:
        raise FormError(f"force form {form.name!r}: a field cannot be called {taken[0]}.")
    fields: dict[str, Any] = {field.name: (Annotated[Quantity[Any], _meaning(field)], ...) for field in form.section}
    made = create_model(f"{form.name}_section", __base__=ForceSection, **fields)
    made.form = form
    return made


def _meaning(field: FormField) -> Is:
    """Unit and shape of a field; without a unit its elements are plain SI numbers."""
    if not field.unit:
        return Is(None, field.shape, plain_only=True)
    if unit_named(field.unit) is None:
        raise FormError(f'field {field.name}: the unit "{field.unit}" is not known.')
    return Is(Dimension(f"a quantity in {field.unit}", (field.unit,)), field.shape)
