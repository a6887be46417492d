"""Rigid body, added mass and damping from the sections of a vehicle file, in body axes and stored positive."""

from typing import NamedTuple, TypeAlias

from remora.equations.algebra.vectors import ZERO3, add3, add6, add_matrix6, diagonal6, scale3
from remora.equations.hull.forms.cross_flow import Strip
from remora.equations.hull.forms.lift import Lift
from remora.equations.hull.forms.six_matrices import SixMatrices
from remora.equations.hull.inertia import coriolis_wrench, inertia_about_G, rigid_body_inertia
from remora.equations.types import Matrix3, Matrix6, Twist, Vector3
from remora.files.problems import Finding, Path
from remora.files.quantities import Quantity
from remora.vehicles import names
from remora.vehicles.axes import Axes, in_body_axes, matrix6_from, matrix_in_body_axes
from remora.vehicles.parameters import HeaveUp
from remora.vehicles.sections.vehicle_sections import (
    AddedMassSection,
    BodySection,
    CrossFlowSection,
    DampingSection,
    MatrixSection,
    PartSection,
    RisingHeaveSection,
    SixMatricesSection,
    WaterSection,
)

Pair: TypeAlias = tuple[int, int]
ZERO33: Matrix3 = (ZERO3, ZERO3, ZERO3)
ZERO66: Matrix6 = diagonal6((0.0,) * 6)


class Element(NamedTuple):
    """A matrix element and the field it comes from."""

    value: float
    path: Path


Elements: TypeAlias = dict[Pair, Element]


class AssembledBody(NamedTuple):
    """Mass properties of the dry body about B, and the displaced mass."""

    mass: float
    displaced_mass: float
    p_BG: Vector3
    p_BC: Vector3
    inertia_G: Matrix3
    inertia: Matrix6


NO_BODY = AssembledBody(0.0, 0.0, ZERO3, ZERO3, ZERO33, ZERO66)


def rigid_body(body: BodySection, water: WaterSection, axes: Axes) -> AssembledBody | None:
    """Mass properties from a section; None where a required field is missing, which is already a finding."""
    if body.only_total_inertia:
        return NO_BODY
    if body.parts is not None:
        return _body_of_parts(body.parts, water, axes)
    displaced = _displaced_mass(body, water)
    if not (body.mass and body.inertia and body.center_of_gravity and body.center_of_buoyancy) or displaced is None:
        return None
    mass = body.mass.value
    p_BG = in_body_axes(axes, body.center_of_gravity.value)
    inertia = matrix_in_body_axes(axes, body.inertia.as_matrix())
    inertia_G = inertia_about_G(mass, p_BG, inertia) if body.inertia.about == "B" else inertia
    p_BC = in_body_axes(axes, body.center_of_buoyancy.value)
    return AssembledBody(mass, displaced, p_BG, p_BC, inertia_G, rigid_body_inertia(mass, p_BG, inertia_G))


def _displaced_mass(body: BodySection, water: WaterSection) -> float | None:
    """Displaced mass from whichever quantity the file gives, kg."""
    gravity, density = water.gravity.value, water.density.value
    if body.displaced_mass:
        return body.displaced_mass.value
    if body.volume:
        return density * body.volume.value
    if body.buoyancy:
        return body.buoyancy.value / gravity
    if body.net_buoyancy and body.mass:
        return body.mass.value + body.net_buoyancy.value / gravity
    return None


def _body_of_parts(parts: list[PartSection], water: WaterSection, axes: Axes) -> AssembledBody:
    """Masses and foam volumes combined into one body: inertias about B and first moments add up."""
    inertia, mass_moment, volume, volume_moment = ZERO66, ZERO3, 0.0, ZERO3
    for part in parts:
        position = in_body_axes(axes, part.position.value)
        mass = part.mass.value if part.mass else 0.0
        inertia_P = matrix_in_body_axes(axes, part.inertia.as_matrix()) if part.inertia else ZERO33
        if part.inertia and part.inertia.about == "B":
            inertia_P = inertia_about_G(mass, position, inertia_P)
        inertia = add_matrix6(inertia, rigid_body_inertia(mass, position, inertia_P))
        mass_moment = add3(mass_moment, scale3(mass, position))
        size = part.volume.value if part.volume else 0.0
        center = in_body_axes(axes, part.center_of_volume.value) if part.center_of_volume else position
        volume += size
        volume_moment = add3(volume_moment, scale3(size, center))
    total = inertia[0][0]
    p_BG = scale3(1.0 / total, mass_moment) if total > 0.0 else ZERO3
    p_BC = scale3(1.0 / volume, volume_moment) if volume > 0.0 else ZERO3
    inertia_B: Matrix3 = (inertia[3][3:], inertia[4][3:], inertia[5][3:])
    return AssembledBody(
        total, water.density.value * volume, p_BG, p_BC, inertia_about_G(total, p_BG, inertia_B), inertia
    )


def set_element(elements: Elements, pair: Pair, value: float, path: Path, findings: list[Finding]) -> None:
    """Set an element; a finding where it is given twice."""
    if pair in elements:
        row, column = names.DEGREES_OF_FREEDOM[pair[0]], names.DEGREES_OF_FREEDOM[pair[1]]
        other = ".".join(str(step) for step in elements[pair].path)
        findings.append(Finding(path, f"the element {row}_{column} is already given by {other}. Keep one of them."))
    elements[pair] = Element(value, path)


def matrix_elements(
    section: MatrixSection | None, path: Path, axes: Axes, findings: list[Finding], symmetric: bool = False
) -> Elements:
    """The elements of a section in body axes: s_i s_j a_ij."""
    elements: Elements = {}
    if section is None:
        return elements
    s = axes.six
    if section.diagonal:
        for i in range(6):
            set_element(elements, (i, i), section.diagonal.value[i], (*path, "diagonal"), findings)
    if section.matrix:
        for i, j in names.ELEMENTS.values():
            set_element(elements, (i, j), s[i] * s[j] * section.matrix.value[i][j], (*path, "matrix"), findings)
    single: dict[str, Quantity[float]] | None = getattr(section, "elements", None)
    for name, quantity in (single or {}).items():
        i, j = names.ELEMENTS[name]
        set_element(elements, (i, j), s[i] * s[j] * quantity.value, (*path, "elements", name), findings)
    return symmetrised(elements) if symmetric else elements


def symmetrised(elements: Elements) -> Elements:
    """The elements with missing transposed ones added."""
    mirrored = {(j, i): element for (i, j), element in elements.items() if (j, i) not in elements}
    return {**elements, **mirrored}


def sname_elements(
    given: dict[str, Quantity[float]] | None, pairs: dict[str, Pair], path: Path, axes: Axes
) -> Elements:
    """Matrix elements from SNAME derivatives, with the opposite sign because matrices are stored positive."""
    s = axes.six
    return {
        pairs[name]: Element(-s[pairs[name][0]] * s[pairs[name][1]] * quantity.value, (*path, name))
        for name, quantity in (given or {}).items()
        if name in pairs
    }


def added_mass(section: AddedMassSection, body: AssembledBody, axes: Axes, findings: list[Finding]) -> Elements:
    """Added mass of a section; total inertias are reduced by the rigid-body inertia."""
    path: Path = ("added_mass",)
    elements = matrix_elements(section, path, axes, findings, symmetric=True)
    derivatives = sname_elements(section.sname, names.SNAME_ADDED_MASS, (*path, "sname"), axes)
    elements.update(symmetrised(derivatives))
    if section.given_as == "added":
        return elements
    if section.sname:
        findings.append(Finding((*path, "given_as"), "SNAME derivatives are added mass. Remove given_as."))
    return {(i, j): element._replace(value=element.value - body.inertia[i][j]) for (i, j), element in elements.items()}


def damping_elements(
    section: MatrixSection | None,
    key: str,
    damping: DampingSection,
    pairs: dict[str, Pair],
    axes: Axes,
    findings: list[Finding],
) -> Elements:
    """Linear damping, quadratic damping or lift, from its section and from SNAME derivatives."""
    elements = matrix_elements(section, ("damping", key), axes, findings)
    for pair, element in sname_elements(damping.sname, pairs, ("damping", "sname"), axes).items():
        set_element(elements, pair, element.value, element.path, findings)
    return elements


def cubic_surge(damping: DampingSection, findings: list[Finding]) -> float:
    """Cubic surge drag from `cubic_surge` or X_uuu."""
    derivative = (damping.sname or {}).get(names.SNAME_CUBIC_SURGE)
    if damping.cubic_surge and derivative:
        findings.append(Finding(("damping", "cubic_surge"), "is already given by sname.X_uuu. Keep one of them."))
    if damping.cubic_surge:
        return damping.cubic_surge.value
    return -derivative.value if derivative else 0.0


def lift(elements: Elements, added: Matrix6 | None) -> tuple[Lift, ...]:
    """The lift matrix, if there is one; given an added mass, its contribution is removed from combined derivatives.

    Prestero's N_uv, for example, contains the Munk moment, which the Coriolis wrench of the added mass supplies.
    """
    if not elements:
        return ()
    share = {pair: product_with_surge(added, *pair) if added else 0.0 for pair in elements}
    return (Lift(matrix6_from({pair: element.value + share[pair] for pair, element in elements.items()})),)


def product_with_surge(added: Matrix6, row: int, column: int) -> float:
    """Coefficient of u v_j in a row of -C_A(nu) nu, by polarisation of the quadratic form."""

    def force(twist: Twist) -> float:
        return -coriolis_wrench(added, twist)[row]

    surge: Twist = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    other = diagonal6((1.0, 1.0, 1.0, 1.0, 1.0, 1.0))[column]
    return force(add6(surge, other)) - force(surge) - force(other)


def six_matrices(section: SixMatricesSection | None, axes: Axes) -> tuple[SixMatrices, ...]:
    """Q[i][j][k] from six stacked matrices, in body axes; |v_j| keeps its sign, rows and speeds change theirs."""
    if section is None:
        return ()
    stack, s = section.matrices.value, axes.six
    by_row = section.stacking == "by_row"

    def row(i: int) -> Matrix6:
        pairs = names.ELEMENTS.values()
        return matrix6_from({(j, k): s[i] * s[k] * (stack[i][j][k] if by_row else stack[j][i][k]) for j, k in pairs})

    return (SixMatrices((row(0), row(1), row(2), row(3), row(4), row(5))),)


def strips(section: CrossFlowSection | None, water: WaterSection) -> tuple[Strip, ...]:
    """Strips of equal thickness along the hull."""
    if section is None:
        return ()
    length, number = section.length.value, section.strips
    center = section.center.value if section.center else 0.0
    if section.drag_coefficient and section.height and section.width:
        pressure = 0.5 * water.density.value * section.drag_coefficient.value * length
        sway, heave = pressure * section.height.value, pressure * section.width.value
    else:
        sway = section.sway.value if section.sway else 0.0
        heave = section.heave.value if section.heave else 0.0
    places = (center + length * ((k + 0.5) / number - 0.5) for k in range(number))
    return tuple(Strip(x, sway / number, heave / number) for x in places)


def heave_up(section: RisingHeaveSection | None, body: AssembledBody) -> HeaveUp | None:
    """Heave coefficients while rising."""
    if section is None:
        return None
    added = section.added_mass.value if section.added_mass else 0.0
    if section.total:
        added = section.total.value - body.inertia[2][2]
    return HeaveUp(added, section.linear.value, section.quadratic.value)
