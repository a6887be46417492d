"""The vehicle file as an input file kind: its error, and hints for missing and unknown keys."""

from remora.files.file_kinds import FileKind
from remora.files.problems import InputFileError
from remora.vehicles.names import why_unknown


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
