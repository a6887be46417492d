"""Vehicle file of a fit: the base file with each fitted value, its standard deviation and its source.

Only fitted values change. A matrix with a fitted element is written element by element, so that each value keeps its
own standard deviation and source.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from remora.equations.hull.forms.form import FormField
from remora.equations.hull.forms.lift import LIFT
from remora.files.document import parse_document
from remora.files.problems import Fix, InputError
from remora.files.yaml_text import yaml_text
from remora.identification.force_parameters import filled, with_item
from remora.identification.parameter_names import (
    FORM_OF,
    LAGS,
    MATRICES,
    RISING,
    SCALARS,
    WAYS,
    Kind,
    ParameterName,
    parsed,
)
from remora.identification.parameters import THRUSTER_FIELDS, matrix_of
from remora.identification.result import Fit
from remora.vehicles import names as vocabulary
from remora.vehicles.assembly.forces import in_body
from remora.vehicles.axes import Axes, axes_named
from remora.vehicles.checks.invariants import axis_coefficients, damping_terms, sign_change_speed, violations_S5
from remora.vehicles.names import BUOYANCY, DEGREES_OF_FREEDOM, VEHICLE_FILE
from remora.vehicles.parameters import VehicleParameters
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
    vehicle = fit.vehicle
    sigmas = {parsed(one, vehicle): sigma for one, sigma in zip(fit.names, fit.sigma.tolist(), strict=True)}
    draft = _Draft(data, base, vehicle, sigmas, axes, f"{fit.method}, fitted to {fit.data}")
    for write in (_write_matrices, _write_body, _write_heave, _write_actuators, _write_forces):
        write(draft)
    _write_history(data, fit, vehicle, negative_damping)
    data["name"] = name or f"{base.name}_fitted"
    text = yaml_text(data)
    vehicle_from_text(text, f"fitted {data['name']}")
    return text


def write_vehicle_file(fit: Fit, path: Path, name: str | None = None, negative_damping: str | None = None) -> None:
    """Write the vehicle file of a fit; nothing is written when the vehicle is refused.

    Parameters
    ----------
    fit, path, name, negative_damping
        As for `vehicle_file_text`, and the file to write.
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


class _Draft(NamedTuple):
    """The data of a vehicle file that is being written."""

    data: dict[str, Any]
    base: Vehicle
    vehicle: VehicleParameters  # with the fitted values
    sigmas: Mapping[ParameterName, float]  # standard deviation of each fitted parameter
    axes: Axes
    source: str

    def fitted(self, value: float, sigma: float, unit: str = "") -> Any:
        """A fitted quantity."""
        return _number(value, sigma, self.source, unit)

    def of_kind(self, *kinds: Kind) -> dict[ParameterName, float]:
        """The fitted parameters of some kinds."""
        return {name: sigma for name, sigma in self.sigmas.items() if name.kind in kinds}


def _number(value: float, sigma: float | None, source: str | None, unit: str = "") -> Any:
    """Quantity of a vehicle file; a bare number without standard deviation and source."""
    known = sigma if sigma is None or math.isfinite(sigma) else None
    fields = {"value": float(value), "unit": unit, "sigma": known, "source": source}
    kept = {key: content for key, content in fields.items() if content not in (None, "")}
    return kept if len(kept) > 1 else float(value)


def _write_matrices(draft: _Draft) -> None:
    """Matrices with a fitted element, one number per element, and single numbers of the damping."""
    data, vehicle = draft.data, draft.vehicle
    touched: dict[str, dict[tuple[int, int], float]] = {}
    for name, sigma in draft.of_kind("matrix").items():
        touched.setdefault(MATRICES[name.head], {})[name.element] = sigma
    if _section(data, ("damping",)).get("lift_includes_added_mass") and matrix_of(vehicle, LIFT.name) is not None:
        touched.setdefault("lift", {})  # its values would change with the added mass and are written separately
    scalars = draft.of_kind("scalar")
    if any(field != "added_mass" for field in touched) or scalars:
        _open_damping(data, draft.base, touched)
    for field, sigmas in touched.items():
        place = ("added_mass",) if field == "added_mass" else ("damping", _SECTION[field])
        section = _section(data, place)
        elements = _elements(draft, matrix_of(vehicle, field), sigmas, place)
        kept = {key: section[key] for key in ("source",) if key in section}
        if field == "added_mass" and vehicle.total_inertia_only:
            kept["given_as"] = "total"
        _put(data, place, {**kept, "elements": elements})
    for name, sigma in scalars.items():
        form = SCALARS[name.text]
        data["damping"][form.name] = draft.fitted(getattr(vehicle, form.section[0].name), sigma)


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
    draft: _Draft, matrix: Any, sigmas: Mapping[tuple[int, int], float], place: tuple[str, ...]
) -> dict[str, Any]:
    """Elements of a matrix in the axes of the file; one of each symmetric pair."""
    symmetric = place == ("added_mass",) and np.array_equal(np.array(matrix), np.array(matrix).T)
    both = {**sigmas, **{(j, i): sigma for (i, j), sigma in sigmas.items()}} if symmetric else sigmas
    elements: dict[str, Any] = {}
    for name, (i, j) in vocabulary.ELEMENTS.items():
        if (symmetric and i < j) or (matrix[i][j] == 0.0 and (i, j) not in both):
            continue
        value = draft.axes.six[i] * draft.axes.six[j] * matrix[i][j]
        if (i, j) in both:
            elements[name] = draft.fitted(value, both[(i, j)])
        else:
            old = _old_figure(draft.base.provenance, ".".join(place), name)
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


def _write_body(draft: _Draft) -> None:
    """Buoyancy and its centre."""
    centers = {name.last: sigma for name, sigma in draft.of_kind("center").items()}
    buoyancy = list(draft.of_kind("buoyancy").values())
    if not centers and not buoyancy:
        return
    body, vehicle = draft.data["body"], draft.vehicle
    if "parts" in body or "only_total_inertia" in body:
        raise ValueError("buoyancy was fitted, but the file gives it by parts or not at all. Give mass and buoyancy.")
    for sigma in buoyancy:
        for key in BUOYANCY:
            body.pop(key, None)
        body["displaced_mass"] = draft.fitted(vehicle.displaced_mass, sigma / vehicle.gravity, "kg")
    if centers:
        place = [sign * x for sign, x in zip(draft.axes.signs, vehicle.p_BC, strict=True)]
        sigmas = [centers.get(axis, 0.0) for axis in "xyz"]
        body["center_of_buoyancy"] = {"value": place, "sigma": sigmas, "source": draft.source}


def _write_heave(draft: _Draft) -> None:
    """Heave while rising."""
    fitted = {name.last: sigma for name, sigma in draft.of_kind("rising heave").items()}
    for key, (field, unit) in RISING.items():
        if key in fitted:
            draft.data["rising_heave"].pop("total" if key == "added_mass" else key, None)
            value = getattr(draft.vehicle.heave_up, field)
            draft.data["rising_heave"][key] = draft.fitted(value, fitted[key], unit)


def _write_actuators(draft: _Draft) -> None:
    """Thrust effectiveness, time constants and dead bands."""
    data, vehicle = draft.data, draft.vehicle
    _write_ways(draft, "effectiveness", "effectiveness", WAYS)
    _write_ways(draft, "time_constant", "time constant", LAGS, "s")
    for name, sigma in draft.of_kind("fin lag").items():
        for i in name.which:
            data["fins"][i]["time_constant"] = draft.fitted(vehicle.fins[i].lag, sigma, "s")
    for name, sigma in draft.of_kind("dead band").items():
        for i in name.which:  # in the unit of the thruster: pulse laws with a dead band of their own are excluded
            old = data["thrusters"][i].get("drive") or _section(data, ("thruster_defaults",)).get("drive")
            dead_band = draft.fitted(vehicle.drives[i].dead_band, sigma)
            data["thrusters"][i]["drive"] = {**_direct(old or {}), "dead_band": dead_band}


def _write_ways(draft: _Draft, key: str, kind: Kind, ways: tuple[str, str], unit: str = "") -> None:
    """Parameters of thrusters with a value for each of two directions; one that was not fitted stays."""
    for name, sigma in draft.of_kind(kind).items():
        for i in name.which:
            old = draft.data["thrusters"][i].get(key)
            section = dict(old) if isinstance(old, dict) and ways[0] in old else {}
            for way in ways:
                value = getattr(draft.vehicle.thrusters[i], THRUSTER_FIELDS[way])
                if way in name.ways:
                    section[way] = draft.fitted(value, sigma, unit)
                else:
                    section.setdefault(way, {"value": value, "unit": unit} if unit else value)
            draft.data["thrusters"][i][key] = section


def _write_forces(draft: _Draft) -> None:
    """Fitted fields of the list `forces`; files of user-defined forms by their absolute path."""
    data, vehicle = draft.data, draft.vehicle
    fitted = {name.force: sigma for name, sigma in draft.of_kind("force").items() if name.force}
    listed = [position for position, force in enumerate(vehicle.forces) if force.name]
    for entry, position in zip(data.get("forces") or [], listed, strict=True):
        force = vehicle.forces[position]
        if force.form.origin is not None:
            entry["model"] = f"{force.form.origin.file}:{force.form.origin.name}"
        for field in force.form.section:
            sigmas = {
                one.place: sigma for one, sigma in fitted.items() if (one.position, one.field) == (position, field)
            }
            if sigmas:
                entry[field.name] = _field(draft, getattr(force.records[0], field.name), field, sigmas)


def _field(draft: _Draft, value: Any, field: FormField, sigmas: Mapping[tuple[int, ...], float]) -> Any:
    """A field of a force in the axes of the file; elements that were not fitted have no deviation."""
    given = in_body(value, field, draft.axes)  # the same signs lead back
    if not field.shape:
        return draft.fitted(given, sigmas[()], field.unit)
    sigma = filled(field.shape, 0.0)
    for place, own in sigmas.items():
        sigma = with_item(sigma, place, own)
    unit = {"unit": field.unit} if field.unit else {}
    return {"value": np.array(given).tolist(), **unit, "sigma": np.array(sigma).tolist(), "source": draft.source}


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
