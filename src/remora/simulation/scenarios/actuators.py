"""From the entry of a scenario to what stands between commands and actuators."""

from typing import Any

from remora.simulation.drive import Drive, DriveOptions, DriveStage, make_drive
from remora.simulation.parts.own import is_own
from remora.simulation.parts.part import PartError
from remora.simulation.scenarios.description import ActuatorSection
from remora.simulation.scenarios.parts import own_thing
from remora.simulation.scenarios.problems import Desk
from remora.vehicles.problems import Path, suggestion
from remora.vehicles.vehicle import Vehicle


def fitted_drive(section: ActuatorSection | None, path: Path, scope: str, vehicle: Vehicle, desk: Desk) -> Drive | None:
    """The drive of a vehicle; None where neither its file nor the scenario says anything about it."""
    if section is None and not vehicle.parameters.drives:
        return None
    section = section or ActuatorSection()
    names = (*vehicle.parameters.thruster_names, *vehicle.parameters.fin_names)
    starts = {name: round(1e9 * quantity.value) for name, quantity in (section.starts or {}).items()}
    unknown = [name for name in starts if name not in names]
    for name in unknown:
        desk.refuse((*path, "starts", name), f"the vehicle has no such actuator. {suggestion(name, names)}", False)
    stage = _stage(section.stage, (*path, "stage"), vehicle, desk)
    if unknown:
        return None
    return make_drive(vehicle, desk.seed, scope, DriveOptions(section.saturation, starts, stage))


def _stage(given: Any, path: Path, vehicle: Vehicle, desk: Desk) -> DriveStage | None:
    """A stage of the user's own in front of the drives; None with findings, or where there is none."""
    data = {"part": given} if isinstance(given, str) else given
    if data is None:
        return None
    if not isinstance(data, dict) or not isinstance(data.get("part"), str) or not is_own(data["part"]):
        desk.refuse(path, "expected a stage of your own, e.g. my_file.py:MyStage, or a mapping with this as its part.")
        return None
    options = {key: value for key, value in data.items() if key != "part"}
    try:
        stage: DriveStage = own_thing(data["part"], options, vehicle, 1e-9 * desk.step_ns, desk.folder)
        return stage
    except PartError as error:
        desk.refuse((*path, *error.path), str(error), shows_value=error.path != ("part",))
        return None
