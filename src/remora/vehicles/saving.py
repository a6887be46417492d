"""Writing of a vehicle to its file."""

from os import PathLike
from pathlib import Path

from remora.equations.hull.forms.module_damping import MODULE_DAMPING
from remora.files.problems import InputError, path_text
from remora.files.user_code import SESSION
from remora.files.writing import write_together
from remora.vehicles.parameters import form_records
from remora.vehicles.vehicle import Vehicle
from remora.vehicles.vehicle_reader import vehicle_from_text


def save_vehicle(vehicle: Vehicle, path: str | PathLike[str]) -> None:
    """Write the text of a vehicle, once it reads back as an equal one; see `Vehicle.save`."""
    file = Path(path_text("path", path))
    if file.suffix.lower() not in (".yaml", ".yml") or file.is_dir():
        fix = "Give a file ending in .yaml."
        raise InputError(f"{file}: vehicles are written as YAML. {fix}").about("path", file, fix=fix)
    text = text_of(vehicle)
    if SESSION in text:
        fix = "Write it to a file beside the vehicle and name it as my_file.py:NAME."
        raise InputError(f"a force or sensor is an object of the running program, which no file can hold. {fix}").about(
            "forces", fix=fix
        )
    if ".py:" in text:  # Python files named relative to the vehicle file must be found from its new folder too
        vehicle_from_text(text, str(file), vehicle.find_kind)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_together({file: text.encode()})


def text_of(vehicle: Vehicle) -> str:
    """Text of the file of a vehicle, once it reads back as an equal vehicle.

    Raises an InputError when the parameters were replaced without the text, there is none, or it belongs to
    a morphology.
    """
    if form_records(vehicle.parameters, MODULE_DAMPING):
        fix = "Change or save the vehicle files of its modules."
        raise InputError(f'vehicle "{vehicle.name}": a morphology has no vehicle file. {fix}').about(
            "vehicle", vehicle.name, fix=fix
        )
    if not vehicle.text or vehicle_from_text(vehicle.text, vehicle.file, vehicle.find_kind) != vehicle:
        fix = "Change a vehicle with `with_`, which changes both."
        if SESSION in vehicle.text:
            fix += " If an object of the running program was defined again, make the vehicle again."
        raise InputError(f'vehicle "{vehicle.name}": its parameters are not those of its file. {fix}').about(
            "vehicle", vehicle.name, fix=fix
        )
    return vehicle.text
