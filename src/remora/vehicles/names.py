"""Names of a vehicle file: degrees of freedom, matrix elements, SNAME derivatives, and hints for missing keys."""

import re

from remora.files.file_kinds import FileKind
from remora.files.problems import InputFileError
from remora.files.quantities import Is
from remora.files.units import (
    CUBIC_DRAG,
    added_mass_dimension,
    lift_dimension,
    linear_damping_dimension,
    quadratic_damping_dimension,
)

DEGREES_OF_FREEDOM = ("surge", "sway", "heave", "roll", "pitch", "yaw")
FOUR_AXES = ("surge", "sway", "heave", "yaw")  # that are controlled; weight and buoyancy may level the others

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")  # of a vehicle or module
_PAIRS = [(row, column) for row in range(6) for column in range(6)]
_WRENCH = "XYZKMN"
_TWIST = "uvwpqr"

# roll_sway is the element in the row of roll and the column of sway.
ELEMENTS = {f"{DEGREES_OF_FREEDOM[i]}_{DEGREES_OF_FREEDOM[j]}": (i, j) for i, j in _PAIRS}

SNAME_ADDED_MASS = {f"{_WRENCH[i]}_{_TWIST[j]}dot": (i, j) for i, j in _PAIRS}
SNAME_LINEAR = {f"{_WRENCH[i]}_{_TWIST[j]}": (i, j) for i, j in _PAIRS}
SNAME_QUADRATIC = {f"{_WRENCH[i]}_{_TWIST[j]}|{_TWIST[j]}|": (i, j) for i, j in _PAIRS}
# Products with the surge speed: lift of hull and fins. A product u u is drag; X_uv and the like are neither.
SNAME_LIFT = {f"{_WRENCH[i]}_u{_TWIST[j]}": (i, j) for i, j in _PAIRS if i > 0 and j > 0}
SNAME_CUBIC_SURGE = "X_uuu"

ADDED_MASS_ELEMENTS = {name: Is(added_mass_dimension(*pair)) for name, pair in ELEMENTS.items()}
LINEAR_ELEMENTS = {name: Is(linear_damping_dimension(*pair)) for name, pair in ELEMENTS.items()}
QUADRATIC_ELEMENTS = {name: Is(quadratic_damping_dimension(*pair)) for name, pair in ELEMENTS.items()}
LIFT_ELEMENTS = {name: Is(lift_dimension(*pair)) for name, pair in ELEMENTS.items()}
SNAME_ADDED_MASS_ENTRIES = {name: Is(added_mass_dimension(*pair)) for name, pair in SNAME_ADDED_MASS.items()}
SNAME_DAMPING_ENTRIES = {
    **{name: Is(linear_damping_dimension(*pair)) for name, pair in SNAME_LINEAR.items()},
    **{name: Is(quadratic_damping_dimension(*pair)) for name, pair in SNAME_QUADRATIC.items()},
    **{name: Is(lift_dimension(*pair)) for name, pair in SNAME_LIFT.items()},
    SNAME_CUBIC_SURGE: Is(CUBIC_DRAG),
}

# Derived quantities are computed and refused as input, so that they cannot contradict the others.
COMPUTED = {
    "weight": "body.mass x water.gravity",
    "total_mass": "body.mass and added_mass",
    "total_inertia": "body and added_mass",
    "rigid_body_inertia": "body.mass, body.inertia and body.center_of_gravity",
    "coriolis": "body and added_mass",
    "coriolis_matrix": "body and added_mass",
    "allocation_matrix": "the position and direction of each thruster",
    "thruster_configuration_matrix": "the position and direction of each thruster",
    "metacentric_height": "center_of_gravity and center_of_buoyancy",
    "righting_stiffness": "mass, center_of_gravity and center_of_buoyancy",
    "restoring": "body and water",
    "trim": "body and water",
    "specific_gravity": "mass, volume and density",
    "dynamic_area": "the area of the fin and water.density",
    "moment": "the position and direction of the thruster",
    "lever_arm": "the position and direction of the thruster",
}
_DRIVE = ("delay", "dead_band", "pulse", "pulse_speed", "scatter")
BUOYANCY = ("volume", "displaced_mass", "buoyancy", "net_buoyancy")
_SQUARE = re.compile(r"([XYZKMN])_(?:\|([uvwpqr])\|\2|uu)")
_COUPLED_PRODUCT = re.compile(r"[XYZKMN]_[vwpqr]{2}|X_u[vwpqr]")


def why_unknown(key: str) -> str | None:
    """Why a common key is not accepted and what to write instead; None for any other key."""
    if key in COMPUTED:
        return f"is computed from {COMPUTED[key]}. Remove it."
    if key in BUOYANCY:
        return "belongs into body."
    if key in _DRIVE:
        return "belongs into drive of a thruster."
    if square := _SQUARE.fullmatch(key):
        speed = square[2] or "u"
        return f'quadratic drag is written "{square[1]}_{speed}|{speed}|".'
    if _COUPLED_PRODUCT.fullmatch(key):
        drag = f"{key[:2]}{key[2]}|{key[2]}|"
        return f'follows from the added mass. Remove it; quadratic drag is written like "{drag}".'
    return None


class VehicleFileError(InputFileError):
    """A vehicle file was refused."""


VEHICLE_FILE = FileKind(
    "vehicle",
    VehicleFileError,
    {
        "name": "Give a short word, e.g. name: my_vehicle.",
        "title": "Give one line that says what it is.",
        "water": "Give e.g. water: {density: 1025 kg/m3, gravity: 9.81 m/s2}.",
        "body": "Give mass, inertia and the centres of gravity and buoyancy.",
        "added_mass": "Give it, or write added_mass: none.",
        "damping": "Give it, or write damping: none.",
    },
    why_unknown,
)
