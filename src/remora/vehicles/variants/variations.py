"""Variants of one vehicle that differ in chosen quantities, as arrays over the variants."""

from __future__ import annotations  # so that help() shows ArrayLike and not its expansion

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.vectors import add3, subtract3
from remora.equations.hull.inertia import rigid_body_inertia
from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.variants.scatter import scaled_thrust

BODY = ("mass", "displaced_mass", "center_of_gravity", "center_of_buoyancy", "inertia")
MATRIX_SIZES = {"inertia": 3, "added_mass": 6, "linear_damping": 6, "quadratic_damping": 6}
_POSITIVE = ("displaced_mass", "thrust")


class Variations(NamedTuple):
    """Values of each quantity that varies, one entry per variant; None: as in the nominal vehicle."""

    mass: Any = None  # kg
    displaced_mass: Any = None  # kg: density x volume
    center_of_gravity: Any = None  # m, in body axes
    center_of_buoyancy: Any = None  # m, in body axes
    inertia: Any = None  # kg m2, about the centre of gravity
    added_mass: Any = None  # about B
    linear_damping: Any = None
    quadratic_damping: Any = None
    thrust: Any = None  # factor of the thrust of each thruster

    @property
    def given(self) -> dict[str, Array]:
        """The quantities that vary."""
        return {name: value for name, value in self._asdict().items() if value is not None}


def read_variations(parameters: VehicleParameters, given: Mapping[str, ArrayLike | None]) -> tuple[Variations, int]:
    """Quantities as arrays of finite numbers, and the number of variants; diagonals of matrices become matrices.

    Raises an InputError when nothing varies, a shape is wrong, a number is not finite, or the body shall vary and only
    its total inertia is known.
    """
    arrays = {name: _quantity(parameters, name, values) for name, values in given.items() if values is not None}
    if not arrays:
        raise InputError("nothing varies: give an array for at least one quantity, such as mass").about("mass")
    first, count = next((name, len(array)) for name, array in arrays.items())
    for name, array in arrays.items():
        if len(array) != count or not count:
            message = f"{name} has {len(array)} variants, {first} has {count}: give the same number, at least 1"
            raise InputError(message).about(name, len(array), fix=f"give {count} variants")
    if parameters.total_inertia_only and (fixed := [name for name in BODY if name in arrays]):
        message = f"only the total inertia is known: {', '.join(fixed)} cannot vary. Vary added_mass, which holds it."
        raise InputError(message).about(fixed[0], fix="vary added_mass")
    return Variations(**arrays), count


def _quantity(parameters: VehicleParameters, name: str, values: ArrayLike) -> Array:
    """The values of one quantity, the variant first."""
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "iufO":
            raise TypeError(f"it holds {array.dtype}")
        array = array.astype(float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is not an array of numbers: {error}").about(name) from error
    size, count = MATRIX_SIZES.get(name), len(parameters.thrusters)
    vector = {"center_of_gravity": (3,), "center_of_buoyancy": (3,), "thrust": (count,)}
    shapes = [(size, size), (size,)] if size else [vector.get(name, ())]
    if array.ndim == 0 or array.shape[1:] not in shapes:
        wanted = " or ".join(str(("variants", *shape)).replace("'", "") for shape in shapes)
        raise InputError(f"{name} has shape {array.shape}: give {wanted}").about(name, array.shape, fix=wanted)
    if not np.isfinite(array).all():
        where = tuple(np.argwhere(~np.isfinite(array))[0].tolist())
        raise InputError(f"{name}{list(where)} is {array[where]}: give finite numbers").about(name, array[where])
    if name in _POSITIVE and (array < 0.0).any():
        where = tuple(np.argwhere(array < 0.0)[0].tolist())
        raise InputError(f"{name}{list(where)} is {array[where]:g}: must not be negative").about(name, array[where])
    return array[..., None] * np.eye(size) if size and array.ndim == 2 else array


def over_variants(variations: Variations) -> Variations:
    """Each quantity as nested tuples of arrays over the variants: the number type of NumPy batches of equations."""
    return Variations(
        **{name: _nested(np.ascontiguousarray(np.moveaxis(array, 0, -1))) for name, array in variations.given.items()}
    )


def of_variant(variations: Variations, index: int) -> Variations:
    """Each quantity of one variant as nested tuples of numbers."""
    return Variations(**{name: _nested_numbers(array[index].tolist()) for name, array in variations.given.items()})


def _nested(array: Array) -> Any:
    return array if array.ndim == 1 else tuple(_nested(part) for part in array)


def _nested_numbers(values: Any) -> Any:
    return tuple(map(_nested_numbers, values)) if isinstance(values, list) else values


def varied(parameters: VehicleParameters, values: Variations) -> VehicleParameters:
    """The vehicle with other values of some quantities; all others stay as they are.

    Values are nested tuples: of numbers for one variant, of arrays over variants for all of them.
    """
    p, v = parameters, values
    changed = p._replace(
        mass=_either(v.mass, p.mass),
        p_BG=_either(v.center_of_gravity, p.p_BG),
        inertia_G=_either(v.inertia, p.inertia_G),
        added_mass=_either(v.added_mass, p.added_mass),
        linear_damping=_either(v.linear_damping, p.linear_damping),
        quadratic_damping=_either(v.quadratic_damping, p.quadratic_damping),
    )
    if v.mass is not None or v.center_of_gravity is not None or v.inertia is not None:
        inertia = rigid_body_inertia(changed.mass, changed.p_BG, changed.inertia_G)
        changed = changed._replace(rigid_body_inertia=inertia)
    if v.thrust is not None:
        thrusters = (scaled_thrust(t, factor) for t, factor in zip(p.thrusters, v.thrust, strict=True))
        changed = changed._replace(thrusters=tuple(thrusters))
    return _with_displacement(
        changed, _either(v.displaced_mass, p.displaced_mass), _either(v.center_of_buoyancy, p.p_BC)
    )


def _with_displacement(p: VehicleParameters, displaced_mass: Any, p_BC: Any) -> VehicleParameters:
    """The vehicle with another displacement; its buoyancy elements scale and move with it."""
    if displaced_mass is p.displaced_mass and p_BC is p.p_BC:
        return p
    elements = tuple(
        part._replace(
            position=add3(p_BC, subtract3(part.position, p.p_BC)),
            displaced_mass=displaced_mass * (part.displaced_mass / p.displaced_mass),
        )
        for part in p.buoyancy_elements
    )
    return p._replace(displaced_mass=displaced_mass, p_BC=p_BC, buoyancy_elements=elements)


def _either(value: Any, nominal: Any) -> Any:
    return nominal if value is None else value
