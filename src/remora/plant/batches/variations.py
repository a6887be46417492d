"""Packed rows of many variants of one vehicle at once.

Each number of a row comes from the operations of `pack`, done for all variants together, so that a row has the bits of
packing its variant alone. A row differs from that of the nominal vehicle only where a quantity that varies enters.
"""

from typing import Any

import numpy as np

from remora.equations.algebra.vectors import matrix6_at
from remora.equations.hull.forms.form import flat_numbers
from remora.equations.hull.forms.rising_heave import RISING_HEAVE
from remora.equations.hull.forms.table import BASIC_FORMS
from remora.equations.hull.hull_forms import optional_form_start
from remora.equations.packed import (
    THRUSTER_SIZE,
    Layout,
    added_mass_start,
    buoyancy_element_at,
    buoyancy_element_start,
    heave_asymmetry_at,
    hull_at,
    thruster_at,
    thrusters_start,
)
from remora.files.arrays import Array
from remora.plant.batches.packed_batch import PackedBatch, packed_batch
from remora.plant.pack import PackedVehicle, pack
from remora.vehicles.checks.variation_checks import stacked
from remora.vehicles.hull_forces import hull_forces
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters, sphere_radius, total_inertia
from remora.vehicles.variants.variations import Variations, of_variant, varied

_HEAVE = (..., 2, 2)


def pack_variations(
    nominal: PackedVehicle, parameters: VehicleParameters, variations: Variations, bodies: VehicleParameters, count: int
) -> PackedBatch:
    """Pack variants of a vehicle that passed `check_variations`.

    `bodies` has the parameters of all variants, each number an array over them.
    """
    if parameters.moving_masses:
        # A body without its moving masses is computed, and checked, for each variant by itself.
        variants = (varied(parameters, of_variant(variations, i)) for i in range(count))
        return packed_batch([pack(variant, nominal.locked, nominal.simplifications) for variant in variants])
    rows = np.tile(nominal.row, (count, 1))
    if set(variations.given) - {"thrust"}:
        _write_hull(rows, nominal, bodies)
        _write_surface(rows, nominal, bodies)
    for i, thruster in enumerate(bodies.thrusters if variations.thrust is not None else ()):
        places = thruster_at(range(rows.shape[1]), thrusters_start(nominal.layout) + THRUSTER_SIZE * i)
        _write(rows, places.effectiveness_forward, thruster.effectiveness_forward)
        _write(rows, places.effectiveness_reverse, thruster.effectiveness_reverse)
    return PackedBatch(rows, nominal.layout, (nominal.locked,), (nominal.simplifications,))


def _write(rows: Array, places: Any, values: Any) -> None:
    """Write a scalar, vector or stacked matrix of each variant to consecutive places of the rows."""
    at = np.ravel(places)
    columns = np.transpose(np.broadcast_arrays(*values)) if isinstance(values, tuple) else np.asarray(values)
    rows[:, at[0] : at[-1] + 1] = columns.reshape(-1, len(at)) if columns.ndim else columns


def _write_hull(rows: Array, nominal: PackedVehicle, bodies: VehicleParameters) -> None:
    """Inertia, damping, mass and centres of all variants."""
    count = len(rows)
    inertia, half = _inertia_and_heave_asymmetry(bodies, count)
    places, heave = hull_at(range(rows.shape[1])), heave_asymmetry_at(range(rows.shape[1]))
    _write(rows, places.inertia, inertia)
    _write(rows, places.inverse_inertia, _inverse_of_free_part(inertia, nominal.locked))
    _write(rows, places.coriolis_inertia, _coriolis_inertia(bodies, inertia, nominal.simplifications))
    for field in ("mass", "displaced_mass", "p_BG", "p_BC"):
        _write(rows, getattr(places, field), getattr(bodies, field))
    _write(rows, heave, (half, np.zeros(count) if nominal.simplifications else half))
    _write_damping(rows, nominal.layout, bodies)


def _write_damping(rows: Array, layout: Layout, bodies: VehicleParameters) -> None:
    """Records of the forms that the varied matrices enter."""
    indices = range(rows.shape[1])
    places = dict(zip(BASIC_FORMS, hull_at(indices).damping, strict=True))
    places[RISING_HEAVE] = RISING_HEAVE.read(indices, optional_form_start(layout, RISING_HEAVE))
    for force in hull_forces(bodies):
        if force.form in places:
            _write(rows, flat_numbers(places[force.form]), tuple(flat_numbers(force.records)))


def _inertia_and_heave_asymmetry(bodies: VehicleParameters, count: int) -> tuple[Array, Array]:
    """Inertias of all variants [variant, row, column] with the mean heave mass, and half its difference."""
    inertia, half = stacked(total_inertia(bodies), count), np.zeros(count)
    if bodies.heave_up is not None:
        half = 0.5 * (np.broadcast_to(bodies.added_mass[2][2], count) - bodies.heave_up.added_mass)
        inertia[_HEAVE] -= half
    return inertia, half


def _inverse_of_free_part(inertia: Array, locked: tuple[str, ...]) -> Array:
    """Inverse inertia of the free degrees of freedom; rows and columns of locked ones are zero."""
    free = [i for i, name in enumerate(DEGREES_OF_FREEDOM) if name not in locked]
    inverse = np.zeros_like(inertia)
    inverse[:, np.array(free)[:, None], free] = np.linalg.inv(inertia[:, free][:, :, free])
    return inverse


def _coriolis_inertia(bodies: VehicleParameters, inertia: Array, simplifications: tuple[str, ...]) -> Array:
    """The inertia of the Coriolis wrench: the whole inertia, unless a simplification changes it."""
    if "coriolis_off" in simplifications:
        return np.zeros_like(inertia)
    if "munk_off" in simplifications:
        without = inertia.copy()
        without[:, :3] = stacked(bodies.rigid_body_inertia, len(inertia))[:, :3]
        return without
    return inertia


def _write_surface(rows: Array, nominal: PackedVehicle, bodies: VehicleParameters) -> None:
    """Buoyancy elements and added mass of all variants, which matter at the surface."""
    layout, count, indices = nominal.layout, len(rows), range(rows.shape[1])
    for i, part in enumerate(bodies.buoyancy_elements):
        places = buoyancy_element_at(indices, buoyancy_element_start(layout, i))
        _write(rows, places.position, part.position)
        _write(rows, places.displaced_mass, part.displaced_mass)
    if not bodies.buoyancy_elements:
        sphere = buoyancy_element_at(indices, buoyancy_element_start(layout, 0))
        volumes = np.broadcast_to(bodies.displaced_mass / bodies.density, count)
        _write(rows, sphere.position, bodies.p_BC)
        _write(rows, sphere.radius, np.array([sphere_radius(volume) for volume in volumes.tolist()]))
        _write(rows, sphere.displaced_mass, bodies.displaced_mass)
    if bodies.total_inertia_only:
        return
    added = stacked(bodies.added_mass, count)
    if bodies.heave_up is not None:
        added[_HEAVE] = 0.5 * (added[_HEAVE] + bodies.heave_up.added_mass)
    _write(rows, matrix6_at(indices, added_mass_start(layout)), added)
