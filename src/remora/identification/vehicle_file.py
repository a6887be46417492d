"""Vehicle file of a fit: the base file with each fitted value, its standard deviation and its source.

Only fitted values change. A matrix with a fitted element is written element by element, so that each value keeps its
own standard deviation and source.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from remora.equations.hull.forms.form import FormField
from remora.equations.hull.forms.lift import LIFT
from remora.equations.hull.forms.user_form import reference_of_form
from remora.files.document import parse_document
from remora.files.problems import Fix, InputError
from remora.files.yaml_text import yaml_text
from remora.identification.force_parameters import filled, force_parameters, with_item
from remora.identification.parameters import (
    ELEMENTS,
    FORM_OF,
    MATRICES,
    RISING,
    SCALARS,
    dead_band_choice,
    fin_lag_choice,
    lag_choice,
    matrix_of,
    thruster_choice,
)
from remora.identification.result import Fit
from remora.vehicles import names as vocabulary
from remora.vehicles.assembly.forces import in_body
from remora.vehicles.axes import Axes, axes_named
from remora.vehicles.checks.invariants import axis_coefficients, damping_terms, sign_change_speed, violations_S5
from remora.vehicles.file_kind import VEHICLE_FILE
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.sections.vehicle_sections import BUOYANCY
from remora.vehicles.vehicle import SourcedValue, Vehicle
from remora.vehicles.vehicle_reader import vehicle_from_text

_SECTION = {MATRICES[head]: form.name for head, form in FORM_OF.items()}  # matrix -> its key in the section `damping`
# Relative margin below the speed at which damping starts to add energy.
_INSIDE = 0.999
_PULSE_LAWS = {"pulse", "pulse_speed", "table"}


class NegativeDampingError(InputError):
    """The fitted damping adds energy, and no reason for writing it was given."""


def vehicle_file_text(fit: Fit, name: str | None = None, negative_damping: str | None = None) -> str:
    """Text of the vehicle file of a fit; `load_vehicle` reads the same values back.

    Parameters
    ----------
    fit
        A fit with a base vehicle that came from a file or a preset.
    name
        Name of the new vehicle; that of the base with "_fitted" unless given.
    negative_damping
        Reason for writing damping that adds energy. The file then holds a historical set, valid up to the speeds of the
        data or the speed at which the sign changes, whichever is lower.

    Raises
    ------
    NegativeDampingError
        When damping adds energy without a reason given.
    VehicleFileError
        When the fitted values violate another invariant of vehicle files.
    """
    base = _base(fit)
    data = _raw(base)
    axes = axes_named(data.get("axes", "forward-right-down"), data.get("euler_order", "zyx"))
    source = f"{fit.method}, fitted to {fit.data}"
    vehicle = fit.vehicle
    fitted = dict(zip(fit.names, fit.sigma.tolist(), strict=True))
    _write_matrices(data, base, vehicle, fitted, axes, source)
    _write_body(data, vehicle, fitted, axes, source)
    _write_heave(data, vehicle, fitted, source)
    _write_thrusters(data, vehicle, fitted, source)
    _write_lags(data, vehicle, fitted, source)
    _write_forces(data, vehicle, fitted, axes, source)
    _write_dead_bands(data, vehicle, fitted, source)
    _write_history(data, fit, vehicle, negative_damping)
    data["name"] = name or f"{base.name}_fitted"
    text = yaml_text(data)
    vehicle_from_text(text, f"fitted {data['name']}")
    return text


def write_vehicle_file(fit: Fit, path: Path, name: str | None = None, negative_damping: str | None = None) -> None:
    """Write the vehicle file of a fit; nothing is written when the vehicle is refused.

    Parameters
    ----------
    fit, name, negative_damping
        As for `vehicle_file_text`.
    path
        File to write.
    """
    path.write_text(vehicle_file_text(fit, name, negative_damping), encoding="utf-8")


def _base(fit: Fit) -> Vehicle:
    if fit.base is None:
        raise ValueError(f"the fit by {fit.method} has no vehicle to put its numbers into")
    return fit.base


def _raw(base: Vehicle) -> dict[str, Any]:
    """Data of the base file as a mutable copy."""
    if not base.text:
        raise ValueError(f'vehicle "{base.name}" has no text: it was not read from a file or made from sections')
    data: dict[str, Any] = parse_document(base.text, base.file, VEHICLE_FILE).data
    return data


def _number(value: float, sigma: float | None, source: str | None, unit: str = "") -> Any:
    """Quantity of a vehicle file; a bare number without standard deviation and source."""
    known = sigma if sigma is None or math.isfinite(sigma) else None
    fields = {"value": float(value), "unit": unit, "sigma": known, "source": source}
    kept = {key: content for key, content in fields.items() if content not in (None, "")}
    return kept if len(kept) > 1 else float(value)


def _write_matrices(
    data: dict[str, Any],
    base: Vehicle,
    vehicle: VehicleParameters,
    fitted: Mapping[str, float],
    axes: Axes,
    source: str,
) -> None:
    """Matrices with a fitted element, one number per element."""
    touched: dict[str, dict[tuple[int, int], float]] = {}
    for name, sigma in fitted.items():
        head, _, last = name.rpartition(".")
        if head in MATRICES and last in ELEMENTS:
            touched.setdefault(MATRICES[head], {})[ELEMENTS[last]] = sigma
    if _section(data, ("damping",)).get("lift_includes_added_mass") and matrix_of(vehicle, LIFT.name) is not None:
        touched.setdefault("lift", {})  # its values would change with the added mass and are written separately
    if any(field != "added_mass" for field in touched) or any(name in fitted for name in SCALARS):
        _open_damping(data, base, touched)
    for field, sigmas in touched.items():
        matrix = matrix_of(vehicle, field)
        place = ("added_mass",) if field == "added_mass" else ("damping", _SECTION[field])
        section = _section(data, place)
        elements = _elements(matrix, sigmas, base, place, axes, source)
        kept = {key: section[key] for key in ("source",) if key in section}
        if field == "added_mass" and vehicle.total_inertia_only:
            kept["given_as"] = "total"
        _put(data, place, {**kept, "elements": elements})
    for name, form in SCALARS.items():
        if name in fitted:
            value = getattr(vehicle, form.section[0].name)
            data["damping"][form.name] = _number(value, fitted[name], source)


def _open_damping(data: dict[str, Any], base: Vehicle, touched: dict[str, dict[tuple[int, int], float]]) -> None:
    """Replace SNAME derivatives in the damping section by elements, so that each value occurs once."""
    damping = data["damping"] if isinstance(data.get("damping"), dict) else {}
    data["damping"] = damping
    if damping.pop("sname", None) is not None:
        for field in _SECTION:
            if matrix_of(base.parameters, field):
                touched.setdefault(field, {})
        for form in SCALARS.values():
            if value := getattr(base.parameters, form.section[0].name):
                damping[form.name] = value
    if "lift" in touched:
        damping.pop("lift_includes_added_mass", None)


def _elements(
    matrix: Any,
    sigmas: Mapping[tuple[int, int], float],
    base: Vehicle,
    place: tuple[str, ...],
    axes: Axes,
    source: str,
) -> dict[str, Any]:
    """Elements of a matrix in the axes of the file; one of each symmetric pair."""
    symmetric = place == ("added_mass",) and np.array_equal(np.array(matrix), np.array(matrix).T)
    both = {**sigmas, **{(j, i): sigma for (i, j), sigma in sigmas.items()}} if symmetric else sigmas
    elements: dict[str, Any] = {}
    for name, (i, j) in vocabulary.ELEMENTS.items():
        if (symmetric and i < j) or (matrix[i][j] == 0.0 and (i, j) not in both):
            continue
        value = axes.six[i] * axes.six[j] * matrix[i][j]
        if (i, j) in both:
            elements[name] = _number(value, both[(i, j)], source)
        else:
            old = _old_figure(base.provenance, ".".join(place), name)
            elements[name] = _number(value, None, old.source if old else None)
    return elements


def _old_figure(provenance: Mapping[str, SourcedValue], place: str, element: str) -> SourcedValue | None:
    """Provenance of an element in the base file, in any of its forms."""
    for key in (f"{place}.elements.{element}", f"{place}.matrix", f"{place}.diagonal"):
        if key in provenance:
            return provenance[key]
    return None


def _section(data: dict[str, Any], place: Sequence[str]) -> dict[str, Any]:
    for key in place:
        data = data.get(key) if isinstance(data.get(key), dict) else {}  # type: ignore[assignment]
    return data


def _put(data: dict[str, Any], place: Sequence[str], section: dict[str, Any]) -> None:
    for key in place[:-1]:
        data = data[key]
    data[place[-1]] = section


def _write_body(
    data: dict[str, Any], vehicle: VehicleParameters, fitted: Mapping[str, float], axes: Axes, source: str
) -> None:
    """Buoyancy and its centre."""
    centers = [name for name in fitted if name.startswith("body.center_of_buoyancy.")]
    if not centers and "body.net_buoyancy" not in fitted:
        return
    body = data["body"]
    if "parts" in body or "only_total_inertia" in body:
        raise ValueError("buoyancy was fitted, but the file gives it by parts or not at all. Give mass and buoyancy.")
    if "body.net_buoyancy" in fitted:
        for key in BUOYANCY:
            body.pop(key, None)
        sigma = fitted["body.net_buoyancy"] / vehicle.gravity
        body["displaced_mass"] = _number(vehicle.displaced_mass, sigma, source, "kg")
    if centers:
        sigmas = [fitted.get(f"body.center_of_buoyancy.{axis}", 0.0) for axis in "xyz"]
        place = [sign * x for sign, x in zip(axes.signs, vehicle.p_BC, strict=True)]
        body["center_of_buoyancy"] = {"value": place, "sigma": sigmas, "source": source}


def _write_heave(data: dict[str, Any], vehicle: VehicleParameters, fitted: Mapping[str, float], source: str) -> None:
    """Heave while rising."""
    for key, (field, unit) in RISING.items():
        if f"rising_heave.{key}" in fitted:
            data["rising_heave"].pop("total" if key == "added_mass" else key, None)
            value = getattr(vehicle.heave_up, field)
            data["rising_heave"][key] = _number(value, fitted[f"rising_heave.{key}"], source, unit)


def _write_thrusters(
    data: dict[str, Any], vehicle: VehicleParameters, fitted: Mapping[str, float], source: str
) -> None:
    """Thrust effectiveness, where it was fitted."""
    for name, sigma in fitted.items():
        choice = thruster_choice(name, vehicle)
        for i in choice[0] if choice else ():
            thruster = vehicle.thrusters[i]
            ways = {"forward": thruster.effectiveness_forward, "reverse": thruster.effectiveness_reverse}
            old = data["thrusters"][i].get("effectiveness")
            section = dict(old) if isinstance(old, dict) and "forward" in old else {}
            for way, value in ways.items():
                if choice and way in choice[1]:
                    section[way] = _number(value, sigma, source)
                else:
                    section.setdefault(way, value)
            data["thrusters"][i]["effectiveness"] = section


def _write_lags(data: dict[str, Any], vehicle: VehicleParameters, fitted: Mapping[str, float], source: str) -> None:
    """Time constants of thrusters and fins, where they were fitted."""
    for name, sigma in fitted.items():
        choice = lag_choice(name, vehicle)
        for i in choice[0] if choice else ():
            times = {"rise": vehicle.thrusters[i].rise_time, "fall": vehicle.thrusters[i].fall_time}
            old = data["thrusters"][i].get("time_constant")
            section = dict(old) if isinstance(old, dict) and "rise" in old else {}
            for way, value in times.items():
                if choice and way in choice[1]:
                    section[way] = _number(value, sigma, source, "s")
                else:
                    section.setdefault(way, {"value": value, "unit": "s"})
            data["thrusters"][i]["time_constant"] = section
        for i in fin_lag_choice(name, vehicle) or ():
            data["fins"][i]["time_constant"] = _number(vehicle.fins[i].lag, sigma, source, "s")


def _write_forces(
    data: dict[str, Any], vehicle: VehicleParameters, fitted: Mapping[str, float], axes: Axes, source: str
) -> None:
    """Fitted fields of the list `forces`; files of user-defined forms by their absolute path."""
    known = {name: found for name, found in force_parameters(vehicle).items() if name in fitted}
    listed = [position for position, force in enumerate(vehicle.forces) if force.name]
    for entry, position in zip(data.get("forces") or [], listed, strict=True):
        force = vehicle.forces[position]
        if force.form.origin is not None:
            entry["model"] = reference_of_form(force.form)
        for field in force.form.section:
            sigmas = {p.place: fitted[name] for name, p in known.items() if (p.position, p.field) == (position, field)}
            if sigmas:
                entry[field.name] = _field(getattr(force.records[0], field.name), field, sigmas, axes, source)


def _field(value: Any, field: FormField, sigmas: Mapping[tuple[int, ...], float], axes: Axes, source: str) -> Any:
    """A field of a force in the axes of the file; elements that were not fitted have no deviation."""
    given = in_body(value, field, axes)  # the same signs lead back
    if not field.shape:
        return _number(given, sigmas[()], source, field.unit)
    sigma = filled(field.shape, 0.0)
    for place, own in sigmas.items():
        sigma = with_item(sigma, place, own)
    unit = {"unit": field.unit} if field.unit else {}
    return {"value": np.array(given).tolist(), **unit, "sigma": np.array(sigma).tolist(), "source": source}


def _write_dead_bands(
    data: dict[str, Any], vehicle: VehicleParameters, fitted: Mapping[str, float], source: str
) -> None:
    """Dead bands of thrusters in their drives, where they were fitted.

    They refer to commands in the unit of the thruster; pulse laws with their own dead band are excluded.
    """
    for name, sigma in fitted.items():
        for i in dead_band_choice(name, vehicle) or ():
            old = data["thrusters"][i].get("drive") or _section(data, ("thruster_defaults",)).get("drive")
            drive = _direct(old or {})
            drive["dead_band"] = _number(vehicle.drives[i].dead_band, sigma, source)
            data["thrusters"][i]["drive"] = drive


def _direct(drive: Mapping[str, Any]) -> dict[str, Any]:
    """Section of a drive without dead band and pulse law."""
    dropped = {"dead_band", "dead_band_range"}
    if dropped_laws := _PULSE_LAWS & set(drive):
        dropped |= dropped_laws | {"commands", "neutral", "resolution"}
    return {key: value for key, value in drive.items() if key not in dropped}


def _write_history(data: dict[str, Any], fit: Fit, vehicle: VehicleParameters, reason: str | None) -> None:
    """Historical section: damping that adds energy needs a reason and an envelope of valid speeds."""
    data.pop("historical", None)
    faults = violations_S5(vehicle)
    if not faults:
        return
    if reason is None:
        sentence = (
            "Fit with constraints, or give {negative_damping} to write it as a historical set that is valid only "
            "inside the speeds of the data."
        )
        fix = Fix(sentence, {"negative_damping": "REASON"}, {"negative_damping": "negative_damping a reason"})
        raise NegativeDampingError(f"{faults[0].text} {fix}").about("damping", fix=fix)
    data["historical"] = {"reason": reason, "violates": ["S5"], "envelope": _envelope(fit, vehicle)}


def _envelope(fit: Fit, vehicle: VehicleParameters) -> dict[str, float]:
    """Largest speeds of the data, below the speed at which damping changes its sign."""
    terms = damping_terms(vehicle)
    limits: dict[str, float] = {}
    for i, name in enumerate(DEGREES_OF_FREEDOM):
        seen = fit.speeds[i] if fit.speeds else 0.0
        change = sign_change_speed(*axis_coefficients(terms, i))
        bounds = [limit for limit in (seen, None if change is None else _INSIDE * change) if limit]
        if bounds:
            limits[name] = float(min(bounds))
    return limits
