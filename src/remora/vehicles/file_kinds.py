"""What messages about a file need to know of its kind: the same reader serves vehicles and other descriptions."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from remora.vehicles.names import why_unknown
from remora.vehicles.problems import InputFileError, VehicleFileError


class FileKind(NamedTuple):
    """A kind of input file."""

    what: str  # one word for messages
    error: type[InputFileError]  # how such a file is refused
    examples: Mapping[str, str]  # what to give for each required key at the top of the file
    why_unknown: Callable[[str], str | None]  # the reason why a key that people do write is not accepted, or None


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
