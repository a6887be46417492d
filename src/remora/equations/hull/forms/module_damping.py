"""Quadratic damping of a module of an assembly, evaluated in the frame of the module."""

from typing import NamedTuple

from remora.equations.algebra.kinematics import twist_at
from remora.equations.algebra.vectors import (
    add3,
    angular,
    cross,
    join,
    linear,
    matrix6_at,
    matvec3,
    matvec6,
    scale_matrix6,
    vector3_at,
)
from remora.equations.hull.forms.form import Form, FormField, powers6, register, scaled_matrix6
from remora.equations.hull.forms.quadratic import signed_squares
from remora.equations.types import Matrix3, Matrix6, Numbers, SixDof, Twist, Vector3, Wrench


class ModuleDamping(NamedTuple):
    """Quadratic damping of a module M, d_i = sum_j D_ij |v_j| v_j with its own twist, stored positive."""

    position: Vector3  # m, p_BM
    axes: Matrix3  # R_BM
    quadratic_damping: Matrix6  # about M, in the axes of M


def module_damping_at(row: Numbers, k: int) -> ModuleDamping:
    """One module in a packed row."""
    axes = (vector3_at(row, k + 3), vector3_at(row, k + 6), vector3_at(row, k + 9))
    return ModuleDamping(vector3_at(row, k), axes, matrix6_at(row, k + 12))


def module_damping_wrench(module: ModuleDamping, twist: Twist) -> Wrench:
    """Damping H' D(H nu) of one module about B. Nielsen 2018, section 3.4: H as in the reduced model of an assembly.

    Quadratic damping of an assembly is not one matrix about B: a module off the origin moves while the assembly turns.
    """
    own = matvec6(module.quadratic_damping, signed_squares(twist_at(twist, module.position, module.axes)))
    force, torque = matvec3(module.axes, linear(own)), matvec3(module.axes, angular(own))
    return join(force, add3(torque, cross(module.position, force)))


def module_damping_at_density(module: ModuleDamping, ratio: float) -> ModuleDamping:
    """The module in water of another density: its damping is in proportion to it."""
    return module._replace(quadratic_damping=scale_matrix6(ratio, module.quadratic_damping))


def scattered_module_damping(module: ModuleDamping, linear: SixDof, quadratic: SixDof) -> ModuleDamping:
    """S d(S v) with S the cube roots of the factors in the axes of the module, which dissipates wherever d does."""
    cube, square = powers6(quadratic, 1.0 / 3.0), powers6(quadratic, 2.0 / 3.0)
    return module._replace(quadratic_damping=scaled_matrix6(cube, module.quadratic_damping, square))


MODULE_DAMPING = register(
    Form(
        name="module_damping",
        record=ModuleDamping,
        read=module_damping_at,
        wrench=module_damping_wrench,
        degree=2,
        many=True,
        with_density=module_damping_at_density,
        scaled=scattered_module_damping,
        dissipates=True,
        fades=True,
        section=(
            FormField("position", "m", (3,), signs=(0,)),
            FormField("axes", "1", (3, 3), signs=(0, 1)),
            FormField("quadratic_damping", "", (6, 6), signs=(0, 1)),
        ),
        fitted="it belongs to the vehicle file of the module; fit damping.quadratic on the module alone",
    )
)
