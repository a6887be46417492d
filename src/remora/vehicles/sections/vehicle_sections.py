"""Sections of a vehicle file: body, added mass, damping, water, and the file as a whole.

Every field with a number takes a bare number in SI and radians, a text such as "13.5 kg", or
`{value: 13.5, unit: kg, source: "weighed in air", sigma: 0.05}`. Vectors and matrices are nested lists.
docs/vehicle-files.md explains each field.
"""

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, Field, field_validator, model_validator

from remora.equations.algebra.vectors import ZERO3
from remora.equations.hull.forms.six_matrices import Tensor6
from remora.equations.types import Matrix3, Matrix6, Vector3, Vector6
from remora.files.quantities import Entries, Is, Quantity, not_negative, positive, refused, symmetric
from remora.files.section import Choice, Length3, NamedQuantities, Section
from remora.files.units import (
    ACCELERATION,
    CUBIC_DRAG,
    DENSITY,
    FORCE,
    LENGTH,
    LINEAR_DRAG,
    MASS,
    MOMENT_OF_INERTIA,
    QUADRATIC_DRAG,
    RATIO,
    SPEED,
    TURN_RATE,
    VOLUME,
)
from remora.vehicles import names
from remora.vehicles.checks.invariants import inertia_violations
from remora.vehicles.names import BUOYANCY
from remora.vehicles.sections.device_sections import FinSection, SensorSection, ThrusterSection
from remora.vehicles.sections.drive_sections import BatterySection
from remora.vehicles.sections.looks_sections import LooksSection
from remora.vehicles.sections.moving_part_sections import BuoyancyElementSection, MovingMassSection, ServoSection

Mass: TypeAlias = Annotated[Quantity[float], Is(MASS, rule=positive)]
Volume: TypeAlias = Annotated[Quantity[float], Is(VOLUME, rule=positive)]
Length: TypeAlias = Annotated[Quantity[float], Is(LENGTH, rule=positive)]
# Elements of 6x6 matrices differ in unit, so they are plain SI numbers.
Six: TypeAlias = Annotated[Quantity[Vector6], Is(None, (6,), plain_only=True)]
SixBySix: TypeAlias = Annotated[Quantity[Matrix6], Is(None, (6, 6), plain_only=True)]
SixMatrices: TypeAlias = Annotated[Quantity[Tensor6], Is(None, (6, 6, 6), plain_only=True)]
_TYPED_IN_BODY = ("inertia", "center_of_gravity", "center_of_buoyancy", *BUOYANCY)
DegreeOfFreedom: TypeAlias = Literal["surge", "sway", "heave", "roll", "pitch", "yaw"]


class WaterSection(Section):
    """Water in which the numbers of the file were determined."""

    density: Annotated[Quantity[float], Is(DENSITY, rule=positive)]
    gravity: Annotated[Quantity[float], Is(ACCELERATION, rule=positive)]


class Products(Section):
    """Products of inertia, integrals of x y dm and so on; the inertia tensor has their negatives."""

    xy: Annotated[Quantity[float], Is(MOMENT_OF_INERTIA)] | None = None
    xz: Annotated[Quantity[float], Is(MOMENT_OF_INERTIA)] | None = None
    yz: Annotated[Quantity[float], Is(MOMENT_OF_INERTIA)] | None = None


class InertiaSection(Section):
    """Inertia tensor of the dry body."""

    choices: ClassVar = (Choice(("moments", "matrix")), Choice(("products", "matrix"), required=False))
    moments: Annotated[Quantity[Vector3], Is(MOMENT_OF_INERTIA, (3,), not_negative)] | None = None
    products: Products | None = None
    matrix: Annotated[Quantity[Matrix3], Is(MOMENT_OF_INERTIA, (3, 3), symmetric)] | None = None
    about: Literal["G", "B"] = "G"

    @model_validator(mode="after")
    def _belongs_to_a_body(self) -> "InertiaSection":
        """Invariant S1, which holds about any point and needs no mass; thin parts may have a zero moment."""
        for violation in inertia_violations(self.as_matrix(), zero_allowed=True):
            raise refused("physics", violation.text)
        return self

    def as_matrix(self) -> Matrix3:
        """The inertia tensor in the axes of the file."""
        if self.matrix:
            return self.matrix.value
        x, y, z = self.moments.value if self.moments else ZERO3
        given = self.products or Products()
        xy, xz, yz = (-quantity.value if quantity else 0.0 for quantity in (given.xy, given.xz, given.yz))
        return ((x, xy, xz), (xy, y, yz), (xz, yz, z))


class PartSection(Section):
    """One of the masses and foam volumes that make up a body."""

    name: str
    mass: Annotated[Quantity[float], Is(MASS, rule=not_negative)] | None = None
    volume: Annotated[Quantity[float], Is(VOLUME, rule=not_negative)] | None = None
    position: Length3
    center_of_volume: Length3 | None = None
    inertia: InertiaSection | None = None


class BodySection(Section):
    """Mass, buoyancy and their centres."""

    choices: ClassVar = (
        Choice(("mass", "parts", "only_total_inertia")),
        Choice(BUOYANCY, required="mass"),
        *(Choice((key,), required="mass") for key in ("inertia", "center_of_gravity", "center_of_buoyancy")),
        *(Choice(("parts", key), required=False) for key in _TYPED_IN_BODY),
        *(Choice(("only_total_inertia", key), required=False) for key in _TYPED_IN_BODY),
    )
    mass: Mass | None = None
    volume: Volume | None = None
    displaced_mass: Mass | None = None
    buoyancy: Annotated[Quantity[float], Is(FORCE, rule=positive)] | None = None
    net_buoyancy: Annotated[Quantity[float], Is(FORCE)] | None = None
    inertia: InertiaSection | None = None
    center_of_gravity: Length3 | None = None
    center_of_buoyancy: Length3 | None = None
    parts: list[PartSection] | None = None
    only_total_inertia: Literal[True] | None = None


class MatrixSection(Section):
    """A 6x6 matrix as diagonal, full matrix, single elements, or diagonal plus elements."""

    choices: ClassVar[tuple[Choice, ...]] = (
        Choice(("diagonal", "matrix"), required=False),
        Choice(("elements", "matrix"), required=False),
    )
    diagonal: Six | None = None
    matrix: SixBySix | None = None


class AddedMassSection(MatrixSection):
    """Added mass, or the total inertia where that was measured."""

    choices: ClassVar = (
        Choice(("diagonal", "matrix", "sname"), required=False),
        Choice(("elements", "matrix"), required=False),
        Choice(("elements", "sname"), required=False),
    )
    given_as: Literal["added", "total"] = "added"
    elements: Annotated[dict[str, Quantity[float]], Entries(names.ADDED_MASS_ELEMENTS)] | None = None
    sname: Annotated[dict[str, Quantity[float]], Entries(names.SNAME_ADDED_MASS_ENTRIES)] | None = None


class LinearSection(MatrixSection):
    """Linear damping, positive where it opposes motion."""

    elements: Annotated[dict[str, Quantity[float]], Entries(names.LINEAR_ELEMENTS)] | None = None


class QuadraticSection(MatrixSection):
    """Quadratic damping, d_i = sum_j D_ij |v_j| v_j."""

    elements: Annotated[dict[str, Quantity[float]], Entries(names.QUADRATIC_ELEMENTS)] | None = None


class LiftSection(MatrixSection):
    """Lift of hull and fixed fins, |u| L nu with the sign of damping."""

    elements: Annotated[dict[str, Quantity[float]], Entries(names.LIFT_ELEMENTS)] | None = None


class SixMatricesSection(Section):
    """Six matrices of quadratic damping, one per row (Falcon) or one per speed (FlatFish)."""

    stacking: Literal["by_row", "by_speed"]
    matrices: SixMatrices


class CrossFlowSection(Section):
    """Cross-flow drag of a slender hull by strip theory."""

    length: Length
    center: Annotated[Quantity[float], Is(LENGTH)] | None = None
    strips: int = 20
    height: Length | None = None
    width: Length | None = None
    drag_coefficient: Annotated[Quantity[float], Is(RATIO, rule=not_negative)] | None = None
    sway: Annotated[Quantity[float], Is(QUADRATIC_DRAG, rule=not_negative)] | None = None
    heave: Annotated[Quantity[float], Is(QUADRATIC_DRAG, rule=not_negative)] | None = None

    choices: ClassVar = (
        Choice(("sway", "drag_coefficient")),
        Choice(("heave", "drag_coefficient")),
        Choice(("sway", "height")),
        Choice(("heave", "width")),
    )

    @field_validator("strips")
    @classmethod
    def _sensible(cls, strips: int) -> int:
        if not 1 <= strips <= 1000:
            raise ValueError("expected 1 to 1000 strips; 20 are enough for most hulls.")
        return strips


class DampingSection(Section):
    """Damping and lift."""

    linear: LinearSection | None = None
    quadratic: QuadraticSection | None = None
    six_matrices: SixMatricesSection | None = None
    cubic_surge: Annotated[Quantity[float], Is(CUBIC_DRAG)] | None = None
    cross_flow: CrossFlowSection | None = None
    lift: LiftSection | None = None
    sname: Annotated[dict[str, Quantity[float]], Entries(names.SNAME_DAMPING_ENTRIES)] | None = None
    lift_includes_added_mass: bool = False


class RisingHeaveSection(Section):
    """Heave coefficients while rising; the matrices then hold the values for sinking."""

    choices: ClassVar = (Choice(("added_mass", "total")),)
    added_mass: Annotated[Quantity[float], Is(MASS, rule=not_negative)] | None = None
    total: Mass | None = None
    linear: Annotated[Quantity[float], Is(LINEAR_DRAG)]
    quadratic: Annotated[Quantity[float], Is(QUADRATIC_DRAG)]


class ModelSection(Section):
    """Locked degrees of freedom and simplifications of the model."""

    locked: list[DegreeOfFreedom] = Field(default_factory=list)
    simplifications: list[Literal["coriolis_off", "munk_off"]] = Field(default_factory=list)


_ENVELOPE = {
    name: Is(TURN_RATE if name in ("roll", "pitch", "yaw") else SPEED, rule=positive)
    for name in names.DEGREES_OF_FREEDOM
}


class HistoricalSection(Section):
    """Reason for keeping parameters that violate an invariant, and the speeds up to which they may be used."""

    reason: str
    violates: list[Literal["S5"]]
    envelope: Annotated[dict[str, Quantity[float]], Entries(_ENVELOPE)]


class AcceptSection(Section):
    """Findings accepted by the author of the file, each with the reason."""

    asymmetric_added_mass: str | None = None
    implausible: str | None = None


class FileDescription(BaseModel):
    """What a vehicle or morphology file says of itself."""

    model_config = Section.model_config
    choices: ClassVar[tuple[Choice, ...]] = ()
    name: str | None = None
    title: str | None = None
    source: str | None = None
    use: str = ""
    notes: str = ""


class VehicleDescription(FileDescription):
    """A vehicle file. A section with faults is None, and the file is then refused."""

    axes: Literal["forward-right-down", "forward-left-up"] = "forward-right-down"
    euler_order: Literal["zyx", "xyz"] = "zyx"
    water: WaterSection | None = None
    body: BodySection | None = None
    added_mass: AddedMassSection | None = None
    damping: DampingSection | None = None
    rising_heave: RisingHeaveSection | None = None
    forces: list[Any] | None = None  # sections made from the forms that they name, see force_sections
    thrusters: list[ThrusterSection] | None = None
    fins: list[FinSection] | None = None
    servos: list[ServoSection] | None = None
    moving_masses: list[MovingMassSection] | None = None
    buoyancy_elements: list[BuoyancyElementSection] | None = None
    sensors: list[SensorSection] | None = None
    battery: BatterySection | None = None
    looks: LooksSection | None = None
    figures: NamedQuantities | None = None
    model: ModelSection | None = None
    historical: HistoricalSection | None = None
    accept: AcceptSection | None = None

    @field_validator("added_mass", "damping", mode="before")
    @classmethod
    def _explicitly_none(cls, raw: Any) -> Any:
        """`none` states the absence explicitly; an omitted section is an error."""
        return {} if raw == "none" else raw
