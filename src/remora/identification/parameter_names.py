"""Names of the numbers that a fit may change: what each refers to, all of a vehicle, and selections.

Names follow the vehicle file: `added_mass.surge` (diagonal), `added_mass.roll_sway` (off the diagonal, both partners),
`total_inertia.surge` (rigid body and added mass together), `damping.linear.surge`, `damping.quadratic.roll_sway`,
`damping.lift.yaw_sway`, `damping.cubic_surge`, `rising_heave.added_mass`, `rising_heave.linear`,
`rising_heave.quadratic`, `body.net_buoyancy`, `body.center_of_buoyancy.x`, and for thrusters
`thrusters.effectiveness` (one for all), `thrusters.NAME.effectiveness` (both ways alike),
`thrusters.NAME.effectiveness.forward` and `.reverse`, which scale the thrust curve; likewise `thrusters.time_constant`,
`thrusters.NAME.time_constant`, `.rise` and `.fall`; `thrusters.dead_band` and `thrusters.NAME.dead_band` (half width,
in the unit of the command); `fins.time_constant` and `fins.NAME.time_constant`. Forces of the list `forces` have
`forces.NAME.FIELD`, see `force_parameters`.

Some parameters are not part of the vehicle: `current.north`, `current.east`, `current.down` and `delay` belong to a
record and its sensors. They appear in a fit with their uncertainty, read as zero, and do not change a vehicle.
"""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Literal, NamedTuple, TypeAlias

from remora.equations.hull.forms.form import Form
from remora.equations.hull.forms.rising_heave import RISING_HEAVE
from remora.equations.hull.forms.table import BASIC_FORMS, FORMS
from remora.files.did_you_mean import suggestion
from remora.identification.force_parameters import PREFIX, ForceParameter, force_parameters
from remora.vehicles.names import DEGREES_OF_FREEDOM, ELEMENTS as _PAIRS
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.sections.vehicle_sections import DampingSection
from remora.vehicles.vehicle import Vehicle

Kind: TypeAlias = Literal[
    "matrix", "scalar", "rising heave", "force", "buoyancy", "center", "current", "delay",
    "effectiveness", "time constant", "dead band", "fin lag",
]  # fmt: skip

ELEMENTS = {**{name: (i, i) for i, name in enumerate(DEGREES_OF_FREEDOM)}, **_PAIRS}
# Forms of the section `damping` whose parameters can be fitted: those with one matrix by the prefix of the names of its
# elements, those with one number by its name.
_FITTED = {
    f"damping.{form.name}": form
    for form in FORMS
    if form.name in DampingSection.model_fields and form.fitted == tuple(field.name for field in form.section)
}
FORM_OF: dict[str, Form] = {head: form for head, form in _FITTED.items() if form.section[0].shape == (6, 6)}
SCALARS: dict[str, Form] = {name: form for name, form in _FITTED.items() if not form.section[0].shape}
# Prefix of a name -> matrix of the vehicle.
MATRICES = {
    "added_mass": "added_mass",
    "total_inertia": "added_mass",
    **{head: form.section[0].name if form in BASIC_FORMS else form.name for head, form in FORM_OF.items()},
}
# Last part of a name -> field of the heave while rising, and its unit.
RISING = {
    "added_mass": ("added_mass", "kg"),
    **{field.name.removesuffix("_damping"): (field.name, field.unit) for field in RISING_HEAVE.section},
}
CURRENT = ("current.north", "current.east", "current.down")
DELAY = "delay"
# Parameters of a trajectory that are not part of a vehicle, with their units.
BESIDE = {**dict.fromkeys(CURRENT, "m/s"), DELAY: "s"}
BUOYANCY, CENTER = "body.net_buoyancy", "body.center_of_buoyancy"
ALL_THRUST = "thrusters.effectiveness"
WAYS, LAGS = ("forward", "reverse"), ("rise", "fall")
# Parameters of each thruster: key, kind and directions.
_OF_THRUSTERS: tuple[tuple[str, Kind, tuple[str, ...]], ...] = (
    ("effectiveness", "effectiveness", WAYS),
    ("time_constant", "time constant", LAGS),
    ("dead_band", "dead band", ()),
)
_OF_LAGS: tuple[Kind, ...] = ("time constant", "fin lag")
_NOT_LINEAR: tuple[Kind, ...] = (*_OF_LAGS, "dead band", "delay", "current")
DEFAULT = "default"


class ParameterNameError(ValueError):
    """No parameter of the vehicle has this name."""


class ParameterName(NamedTuple):
    """A name, and what it refers to."""

    text: str
    kind: Kind
    element: tuple[int, int] = (0, 0)  # row and column, of a matrix
    which: tuple[int, ...] = ()  # thrusters or fins
    ways: tuple[str, ...] = ()  # directions of the thrusters: forward and reverse, or rise and fall
    force: ForceParameter | None = None  # number of a force of the list `forces`

    @property
    def head(self) -> str:
        """The name without its last part, a key of `MATRICES` for an element of a matrix."""
        return self.text.rpartition(".")[0]

    @property
    def last(self) -> str:
        """The last part of the name."""
        return self.text.rpartition(".")[2]

    @property
    def is_diagonal(self) -> bool:
        """Whether it is on the diagonal of a matrix."""
        return self.kind == "matrix" and self.element[0] == self.element[1]

    @property
    def is_lag(self) -> bool:
        """Whether it is the time constant of thrusters or fins."""
        return self.kind in _OF_LAGS

    @property
    def is_time(self) -> bool:
        """Whether it is a lag or a delay."""
        return self.is_lag or self.kind == "delay"

    @property
    def is_linear(self) -> bool:
        """Whether the equation of motion is linear in it: not in a lag, a delay, a dead band or a current."""
        return self.kind not in _NOT_LINEAR

    @property
    def may_be_negative(self) -> bool:
        """Whether a negative value makes sense: not of a time or a dead band."""
        return not (self.is_time or self.kind == "dead band")

    @property
    def axes(self) -> tuple[str, str] | None:
        """Degree of freedom of its equation and of the motion that it acts on; None for other than hull parameters."""
        if self.kind == "matrix":
            return DEGREES_OF_FREEDOM[self.element[0]], DEGREES_OF_FREEDOM[self.element[1]]
        if self.kind == "scalar":
            return "surge", "surge"
        return ("heave", "heave") if self.kind in ("rising heave", "buoyancy") else None


def parsed(text: str, vehicle: VehicleParameters) -> ParameterName:
    """What a name of a vehicle refers to; a ParameterNameError with similar names for an unknown one."""
    head, _, last = text.rpartition(".")
    if head in MATRICES and last in ELEMENTS:
        return ParameterName(text, "matrix", ELEMENTS[last])
    if text in SCALARS:
        return ParameterName(text, "scalar")
    if head == "rising_heave" and last in RISING and vehicle.heave_up is not None:
        return ParameterName(text, "rising heave")
    if text.startswith(PREFIX) and (force := force_parameters(vehicle).get(text)):
        return ParameterName(text, "force", force=force)
    if text == BUOYANCY:
        return ParameterName(text, "buoyancy")
    if head == CENTER and last in ("x", "y", "z"):
        return ParameterName(text, "center")
    if text in BESIDE:
        return ParameterName(text, "current" if text in CURRENT else "delay")
    actuator = _of_thrusters(text, vehicle) or _of_fins(text, vehicle)
    if actuator is None:
        known = (*known_names(vehicle), *BESIDE)
        raise ParameterNameError(f'"{text}" is no number of this vehicle. {suggestion(text, known)}')
    _check_drives(actuator, vehicle)
    return actuator


def _check_drives(name: ParameterName, vehicle: VehicleParameters) -> None:
    """Refuse the dead band of a drive with a pulse law."""
    taking = _taking_pulses(vehicle)
    if name.kind == "dead band" and (pulses := [vehicle.thruster_names[i] for i in name.which if taking[i]]):
        raise ParameterNameError(
            f'"{name.text}": the drive of {", ".join(pulses)} takes pulse widths, and its dead band acts before the '
            "fit. Write dead_band: N us into the drive in the vehicle file, and compare several N by the RMSE of "
            "remora validate."
        )


def _taking_pulses(vehicle: VehicleParameters) -> list[bool]:
    """Whether the drive of each thruster takes pulse widths."""
    return [bool(vehicle.drives) and vehicle.drives[i].law is not None for i in range(len(vehicle.thrusters))]


def _of_thrusters(text: str, vehicle: VehicleParameters) -> ParameterName | None:
    for key, kind, ways in _OF_THRUSTERS:
        if text == f"thrusters.{key}" and vehicle.thrusters:
            return ParameterName(text, kind, which=tuple(range(len(vehicle.thrusters))), ways=ways)
        for i, own in enumerate(vehicle.thruster_names):
            whole = f"thrusters.{own}.{key}"
            if text == whole:
                return ParameterName(text, kind, which=(i,), ways=ways)
            if text in [f"{whole}.{way}" for way in ways]:
                return ParameterName(text, kind, which=(i,), ways=(text.rpartition(".")[2],))
    return None


def _of_fins(text: str, vehicle: VehicleParameters) -> ParameterName | None:
    if text == "fins.time_constant" and vehicle.fins:
        return ParameterName(text, "fin lag", which=tuple(range(len(vehicle.fins))))
    own = tuple(i for i, fin in enumerate(vehicle.fin_names) if text == f"fins.{fin}.time_constant")
    return ParameterName(text, "fin lag", which=own) if own else None


def linear_names(names: Sequence[str], vehicle: VehicleParameters) -> list[str]:
    """Those names in which the equation of motion is linear."""
    return [name for name in names if parsed(name, vehicle).is_linear]


def fitted_thrusters(names: Sequence[str], vehicle: VehicleParameters) -> set[int]:
    """Indices of the thrusters whose effectiveness is among some parameters."""
    found = (parsed(name, vehicle) for name in names)
    return {i for one in found if one.kind == "effectiveness" for i in one.which}


def effectiveness_places(names: Sequence[str], vehicle: VehicleParameters) -> list[int]:
    """Indices of those names that are an effectiveness of thrusters."""
    return [k for k, name in enumerate(names) if parsed(name, vehicle).kind == "effectiveness"]


def effectiveness_of(thruster: str, way: str = "") -> str:
    """Name of the effectiveness of a thruster, in both directions unless one is given."""
    return f"thrusters.{thruster}.effectiveness{way and f'.{way}'}"


def damping_of(axis: str) -> tuple[str, str]:
    """Names of linear and quadratic damping of a degree of freedom."""
    return f"damping.linear.{axis}", f"damping.quadratic.{axis}"


def canonical(text: str) -> str:
    """Canonical name: `added_mass.surge_surge` is `added_mass.surge`; symmetric elements are written row > column."""
    head, _, last = text.rpartition(".")
    if head not in MATRICES or last not in ELEMENTS:
        return text
    i, j = ELEMENTS[last]
    if MATRICES[head] == "added_mass" and i < j:
        i, j = j, i
    return f"{head}.{DEGREES_OF_FREEDOM[i]}" if i == j else f"{head}.{DEGREES_OF_FREEDOM[i]}_{DEGREES_OF_FREEDOM[j]}"


def default_parameters(axes: Sequence[str]) -> tuple[str, ...]:
    """Added mass, linear and quadratic damping of each degree of freedom."""
    return tuple(name for axis in axes for name in (f"added_mass.{axis}", *damping_of(axis)))


def asked_names(parameters: Sequence[str] | None, axes: Sequence[str]) -> tuple[str, ...]:
    """Canonical names of parameters; those of `default_parameters` unless given."""
    return default_parameters(axes) if parameters is None else tuple(map(canonical, parameters))


def repeated_name(names: Sequence[str]) -> str | None:
    """First of some names that is there twice."""
    return next((name for name in names if names.count(name) > 1), None)


def known_names(vehicle: VehicleParameters) -> tuple[str, ...]:
    """All parameters of a vehicle that can be fitted, without the current and the delay of a record."""
    elements = [DEGREES_OF_FREEDOM[i] if i == j else name for name, (i, j) in _PAIRS.items()]
    matrices = [f"{head}.{element}" for head in MATRICES for element in elements]
    rising = [f"rising_heave.{key}" for key in RISING] if vehicle.heave_up is not None else []
    body = [*SCALARS, BUOYANCY, *(f"{CENTER}.{axis}" for axis in "xyz")]
    return (*matrices, *rising, *body, *force_parameters(vehicle), *_actuator_names(vehicle))


def _actuator_names(vehicle: VehicleParameters) -> list[str]:
    """Parameters of all thrusters or fins together, then of each."""
    names = []
    for key, _, ways in _OF_THRUSTERS[:2]:
        names += [f"thrusters.{key}"] if vehicle.thrusters else []
        names += [
            f"thrusters.{own}.{key}{way}" for own in vehicle.thruster_names for way in ("", *(f".{w}" for w in ways))
        ]
    pulses = _taking_pulses(vehicle)
    names += ["thrusters.dead_band"] if vehicle.thrusters and not any(pulses) else []
    own_names = zip(vehicle.thruster_names, pulses, strict=True)
    names += [f"thrusters.{own}.dead_band" for own, pulse in own_names if not pulse]
    names += ["fins.time_constant"] if vehicle.fins else []
    return [*names, *(f"fins.{own}.time_constant" for own in vehicle.fin_names)]


def selected_parameters(
    names: Sequence[str], held: Sequence[str], vehicle: Vehicle, axes: Sequence[str]
) -> tuple[str, ...]:
    """Selected parameters, each once, without those held; the default ones where no names are given.

    A selection is `default`, a name, or a pattern such as `thrusters.*.forward`. Raises a ParameterNameError with
    similar names for an unknown one.
    """
    chosen = [name for word in names or (DEFAULT,) for name in _expanded(word, vehicle.parameters, axes)]
    kept = [name for word in held for name in _expanded(word, vehicle.parameters, axes)]
    return tuple(name for name in dict.fromkeys(chosen) if name not in kept)


def _expanded(word: str, vehicle: VehicleParameters, axes: Sequence[str]) -> tuple[str, ...]:
    if word == DEFAULT:
        return default_parameters(axes)
    if "*" in word:
        known = known_names(vehicle)
        found = tuple(canonical(name) for name in known if fnmatchcase(name, word))
        if not found:
            raise ParameterNameError(f'no number of this vehicle has a name like "{word}". It has: {", ".join(known)}.')
        return found
    parsed(word, vehicle)  # raises for an unknown name
    return (canonical(word),)
