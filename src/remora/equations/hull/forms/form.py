"""`Form`: the declaration of a hull force, from which packing, checks, variants, files and fits are derived.

A form is a record of parameters and a wrench, and it answers what other code asks of every hull force: does it
dissipate, does it fade at the surface, how does it scale with the density of the water and in a random variation, how
is it written in a vehicle file, which of its parameters can be fitted. `register` refuses a form without an answer.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from remora.equations.algebra.vectors import ZERO6, add6
from remora.equations.types import Matrix6, Numbers, RelativeTwist, Twist, Vector6, Wrench

AXES = 6  # degrees of freedom
SAMPLE_TWIST = (0.7, -0.3, 0.4, -0.2, 0.5, 0.6)
LARGEST_DEGREE = 3


class FormError(ValueError):
    """A form lacks an answer or contradicts itself."""


class FormField(NamedTuple):
    """One field of the record of a form: name, SI unit, shape, and signs in a file with other axes."""

    name: str
    unit: str  # SI; empty where the elements differ in unit
    shape: tuple[int, ...] = ()
    # Signs taken from the axes of a file. A number: degrees of freedom (0 to 5). An array: positions of its indices.
    signs: tuple[int, ...] = ()


class FormOrigin(NamedTuple):
    """Where a user-defined form comes from."""

    file: str  # or module, of a form that is an object of one
    name: str
    digest: str  # of the file, or of the functions of the object

    @property
    def is_file(self) -> bool:
        """Whether it is a file, which is executed for the form."""
        return self.file.endswith(".py")


class Form(NamedTuple):
    """A hull force. All wrenches are about B in body axes, on the left-hand side: positive damping opposes motion."""

    name: str
    record: Callable[..., Any]  # a NamedTuple of numbers and nested tuples of numbers
    read: Callable[[Numbers, int], Any]  # (row, k): the record whose numbers start at index k
    wrench: Callable[[Any, Twist], Wrench]  # (record, twist relative to the water)
    degree: int  # power of the speed in motion along one axis, 1 to 3; 0: no single power
    many: bool  # a vehicle may have several records, as it has several strips
    with_density: Callable[[Any, float], Any]  # (record, density / density of the file)
    # (record, factors of linear, factors of quadratic damping, one per degree of freedom): a random variation
    scaled: Callable[[Any, Vector6, Vector6], Any]
    dissipates: bool | str  # True, and invariant S5 checks it; or the reason why it may add energy
    fades: bool | str  # True: in proportion to the submerged fraction; or the reason why it does not
    section: tuple[FormField, ...]  # the fields of the record, in its order
    fitted: tuple[str, ...] | str  # fields in which the wrench is linear; or the reason why none is fitted
    acts_on: tuple[int, ...] = (0, 1, 2, 3, 4, 5)  # degrees of freedom; the others of its wrench are zero
    origin: FormOrigin | None = None  # None: a form of the table

    def __repr__(self) -> str:
        return f"Form({self.name!r})" if self.origin is None else f"Form({self.origin.file}:{self.origin.name})"

    def __reduce__(self) -> Any:
        """Copied and pickled by name and origin: its functions may live in a file of the user."""
        from remora.equations.hull.forms.user_form import restored_form  # which imports this module

        return restored_form, (self.name, self.origin)


class HullForce(NamedTuple):
    """A form with its records in one vehicle."""

    form: Form
    records: tuple[Any, ...]
    name: str = ""  # in the list `forces` of a vehicle file; empty for forms of its section `damping`

    def __reduce__(self) -> Any:
        """Copied and pickled by the numbers of its records, whose class may live in a file of the user."""
        from remora.equations.hull.forms.user_form import restored_force  # which imports this module

        return restored_force, (self.form, tuple(tuple(flat_numbers(record)) for record in self.records), self.name)


def field_size(field: FormField) -> int:
    """Count of numbers in a field."""
    size = 1
    for length in field.shape:
        size *= length
    return size


def form_size(form: Form) -> int:
    """Count of numbers in one record of a form."""
    return sum(field_size(field) for field in form.section)


def flat_numbers(value: Any) -> list[float]:
    """All numbers of nested tuples, in order."""
    if not isinstance(value, tuple):
        return [value]
    return [number for item in value for number in flat_numbers(item)]


def records_wrench(form: Form, records: Iterable[Any], twist: RelativeTwist) -> Wrench:
    """Sum of the wrenches of several records of a form."""
    wrench = ZERO6
    for record in records:
        wrench = add6(wrench, form.wrench(record, twist))
    return wrench


def add_wrench(form: Form, total: Wrench, wrench: Wrench) -> Wrench:
    """A sum with the wrench of a form, in the degrees of freedom that it acts on."""
    a, b, c, d, e, f = (total[i] + wrench[i] if i in form.acts_on else total[i] for i in range(AXES))
    return (a, b, c, d, e, f)


def powers6(factors: Vector6, power: float) -> Vector6:
    """Six factors to a power."""
    a, b, c, d, e, f = (factor**power for factor in factors)
    return (a, b, c, d, e, f)


def scaled_matrix6(rows: Vector6, matrix: Matrix6, columns: Vector6) -> Matrix6:
    """r_i m_ij c_j."""

    def row(i: int) -> Vector6:
        a, b, c, d, e, f = (rows[i] * matrix[i][j] * columns[j] for j in range(6))
        return (a, b, c, d, e, f)

    return (row(0), row(1), row(2), row(3), row(4), row(5))


def zero_record(form: Form) -> Any:
    """A record of zeros."""
    return form.read((0.0,) * form_size(form), 0)


def register(form: Form) -> Form:
    """The form itself, after all its answers are checked.

    Raises
    ------
    FormError
        With every fault of the form.
    """
    faults = _missing_answers(form)
    faults = faults or _faults_of_record(form) or _faults_of_behaviour(form)
    if faults:
        raise FormError(f"force form {form.name!r}: {' '.join(faults)}")
    return form


def _missing_answers(form: Form) -> list[str]:
    """Answers that are absent or of the wrong kind."""
    faults = []
    if not (isinstance(form.name, str) and form.name.isidentifier()):
        faults.append("name is no identifier, such as keel_drag.")
    for key in ("record", "read", "wrench", "with_density", "scaled"):
        if not callable(getattr(form, key)):
            faults.append(f"{key} is no function.")
    for key in ("dissipates", "fades"):
        answer = getattr(form, key)
        if answer is not True and not (isinstance(answer, str) and answer.strip()):
            faults.append(f"{key} is {answer!r}: give True, or the reason why not as a text.")
    if not (isinstance(form.fitted, tuple) and form.fitted) and not (isinstance(form.fitted, str) and form.fitted):
        faults.append("fitted is empty: name fields in which the wrench is linear, or give the reason as a text.")
    if form.many not in (True, False):
        faults.append(f"many is {form.many!r}: give True or False.")
    if not (isinstance(form.degree, int) and 0 <= form.degree <= LARGEST_DEGREE):
        faults.append(f"degree is {form.degree!r}: give 0, 1, 2 or 3.")
    if not (isinstance(form.acts_on, tuple) and form.acts_on and set(form.acts_on) <= set(range(AXES))):
        faults.append(f"acts_on is {form.acts_on!r}: give degrees of freedom from 0 to 5.")
    if not isinstance(form.section, tuple) or not all(isinstance(field, FormField) for field in form.section):
        faults.append("section is no tuple of FormField.")
    elif not form.section:
        faults.append("section is empty: a form needs at least one parameter.")
    return faults


def _faults_of_record(form: Form) -> list[str]:
    """Differences between the record, its section and its reader."""
    names = tuple(field.name for field in form.section)
    if getattr(form.record, "_fields", None) != names:
        return [f"record is no NamedTuple with the fields of its section, {', '.join(names)}."]
    unknown = [name for name in form.fitted if name not in names] if isinstance(form.fitted, tuple) else []
    if unknown:
        return [f"fitted names {', '.join(unknown)}, which the section lacks."]
    if wrong := [field.name for field in form.section if not _signs_fit(field)]:
        return [f"signs of {', '.join(wrong)}: give degrees of freedom from 0 to 5, or indices of the array."]
    numbers = tuple(float(k + 1) for k in range(form_size(form)))
    found = form.read((0.0, *numbers), 1)
    if not isinstance(found, tuple) or flat_numbers(found) != list(numbers):
        return ["read does not return the numbers of the section in their order."]
    return []


def _signs_fit(field: FormField) -> bool:
    if not field.shape:
        return all(0 <= axis < AXES for axis in field.signs)
    return all(0 <= axis < len(field.shape) and field.shape[axis] in (3, AXES) for axis in field.signs)


def _faults_of_behaviour(form: Form) -> list[str]:
    """Answers that the wrench contradicts at a sample."""
    record = form.read(tuple(0.5 + 0.1 * k for k in range(form_size(form))), 0)
    factors: Vector6 = (1.1, 1.2, 1.3, 1.4, 1.5, 1.6)
    faults, here = [], form.wrench(record, SAMPLE_TWIST)
    if not isinstance(here, tuple) or len(here) != AXES:
        return ["wrench does not return six numbers."]
    if any(here[i] != 0.0 for i in range(AXES) if i not in form.acts_on):
        faults.append(f"the wrench acts on others than acts_on, {form.acts_on}.")
    for key, changed in (
        ("with_density", form.with_density(record, 1.1)),
        ("scaled", form.scaled(record, factors, factors)),
    ):
        if not isinstance(changed, tuple) or len(flat_numbers(changed)) != form_size(form):
            faults.append(f"{key} does not return a record.")
    if form.degree and not _has_degree(form, record):
        faults.append(f"degree is {form.degree}, but the wrench along one axis does not grow with that power.")
    if not isinstance(form.fitted, str) and not _is_linear(form, record):
        faults.append(f"the wrench is not linear in {', '.join(form.fitted)}, which are to be fitted.")
    return faults


def _has_degree(form: Form, record: Any) -> bool:
    """Whether the wrench of motion along each axis grows with the declared power of the speed."""
    for axis in range(AXES):
        once = form.wrench(record, _along(axis, 0.6))
        twice = form.wrench(record, _along(axis, 1.2))
        if not _is_close(twice, tuple(2.0**form.degree * x for x in once)):
            return False
    return True


def _along(axis: int, speed: float) -> Any:
    return tuple(speed if i == axis else 0.0 for i in range(AXES))


def _is_linear(form: Form, record: Any) -> bool:
    """Whether twice the fitted parameters give twice the wrench."""
    doubled = record._replace(**{name: _times(2.0, getattr(record, name)) for name in form.fitted})
    zero = record._replace(**{name: _times(0.0, getattr(record, name)) for name in form.fitted})
    once, twice = form.wrench(record, SAMPLE_TWIST), form.wrench(doubled, SAMPLE_TWIST)
    return _is_close(twice, tuple(2.0 * x for x in once)) and _is_close(form.wrench(zero, SAMPLE_TWIST), ZERO6)


def _times(factor: float, value: Any) -> Any:
    return tuple(_times(factor, item) for item in value) if isinstance(value, tuple) else factor * value


def _is_close(a: Any, b: Any) -> bool:
    return all(abs(x - y) <= 1e-9 * (abs(x) + abs(y)) for x, y in zip(a, b, strict=True))
