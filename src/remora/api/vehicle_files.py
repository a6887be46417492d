"""`remora.load_vehicle` and `remora.make_vehicle`: vehicles whose sensors are checked too."""

from os import PathLike
from typing import Any

from remora.sensors.registry import find_kind
from remora.vehicles.morphologies.reader import load_vehicle_or_morphology
from remora.vehicles.vehicle import Vehicle
from remora.vehicles.vehicle_reader import vehicle_from_sections


def load_vehicle(path_or_preset_name: str | PathLike[str]) -> Vehicle:
    """Load a vehicle from a YAML file, or a bundled one by name; a rigid morphology becomes one vehicle.

    Parameters
    ----------
    path_or_preset_name
        A path (with a folder or an ending such as .yaml), or the name of a preset such as "falcon".

    Raises
    ------
    VehicleFileError, MorphologyError
        With every problem of the file at once.
    """
    return load_vehicle_or_morphology(path_or_preset_name, find_kind)


def make_vehicle(**sections: Any) -> Vehicle:
    """A vehicle from the sections of a vehicle file, validated as a file is.

    Parameters
    ----------
    sections
        Sections of a file: `name`, `title`, `source`, `water`, `body`, `added_mass`, `damping`, `thrusters` and so on,
        as nested mappings with numbers in SI, texts such as "13.5 kg", lists or arrays.

    Raises
    ------
    VehicleFileError
        With every problem at once.

    Examples
    --------
    >>> from remora import make_vehicle
    >>> ball = make_vehicle(
    ...     name="ball", title="Ball in fresh water", source="made up", water={"density": 1000, "gravity": 9.81},
    ...     body={"mass": "33.5 kg", "net_buoyancy": "0 N", "inertia": {"moments": [0.5, 0.5, 0.5]},
    ...           "center_of_gravity": [0, 0, 0.01], "center_of_buoyancy": [0, 0, 0]},
    ...     added_mass={"diagonal": [16.8, 16.8, 16.8, 0, 0, 0]},
    ...     damping={"quadratic": {"diagonal": [30, 30, 30, 0.5, 0.5, 0.5]}},
    ... )
    >>> ball.parameters.displaced_mass
    33.5
    """
    return vehicle_from_sections(sections, find_kind)
