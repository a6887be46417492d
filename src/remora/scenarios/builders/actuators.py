"""Builds the drive model of a vehicle from the entry `actuators` of a scenario."""

from dataclasses import replace
from typing import Any

from remora.files.did_you_mean import suggestion
from remora.files.units import PULSE
from remora.files.user_code import is_user_code
from remora.messages.part_options import PartError
from remora.run.plant.drive import Drive, DriveOptions, DriveStage, make_drive
from remora.scenarios.builders.parts import user_object
from remora.scenarios.description import ActuatorSection
from remora.scenarios.load_context import LoadContext
from remora.vehicles.assembly.drives import microseconds
from remora.vehicles.checks.actuation import input_dimension
from remora.vehicles.drives import DIRECT, ThrusterDrive
from remora.vehicles.parameters import VehicleParameters, with_direct_commands, with_pulse_commands
from remora.vehicles.sections.drive_sections import command_fault
from remora.vehicles.vehicle import Vehicle

STEPS = ("resolution", "dead_band", "dead_band_range")


def fitted_drive(section: ActuatorSection | None, scope: str, vehicle: Vehicle, context: LoadContext) -> Drive | None:
    """The drive model of a vehicle; None where neither file nor scenario defines one."""
    if section is None and not vehicle.parameters.drives:
        return None
    section = section or ActuatorSection()
    names = (*vehicle.parameters.thruster_names, *vehicle.parameters.fin_names)
    starts = {name: round(1e9 * quantity.value) for name, quantity in (section.starts or {}).items()}
    unknown = [name for name in starts if name not in names]
    for name in unknown:
        context.at("starts", name).refuse(f"the vehicle has no such actuator. {suggestion(name, names)}", False)
    for name, start_ns in starts.items():
        context.at("starts", name).check_beginning(start_ns)
    stage = _stage(section.stage, vehicle, context.at("stage"))
    if unknown:
        return None
    return make_drive(vehicle, context.seed, scope, DriveOptions(section.saturation, starts, stage))


def with_other_drives(vehicle: Vehicle, section: ActuatorSection, context: LoadContext) -> Vehicle:
    """The vehicle with the commands, resolution and dead band of the scenario, for all thrusters."""
    parameters = vehicle.parameters
    if section.commands == "pulses" and not parameters.pulse_drives:
        message = f"the file of {vehicle.name} has no pulse, pulse_speed or table in the drive of any thruster."
        context.at("commands").refuse(message)
    elif section.commands:
        chosen = with_pulse_commands if section.commands == "pulses" else with_direct_commands
        parameters = chosen(parameters)
    if section.resolution or section.dead_band or section.dead_band_range:
        drives = parameters.drives or (DIRECT,) * len(parameters.thrusters)
        if not drives:
            context.refuse(f"{vehicle.name} has no thrusters with steps or dead bands.", False)
        named = zip(parameters.thruster_names, drives, strict=True)
        parameters = parameters._replace(
            drives=tuple(_other_drive(parameters, name, drive, section, context) for name, drive in named)
        )
    return replace(vehicle, parameters=parameters)


def _other_drive(
    parameters: VehicleParameters, name: str, drive: ThrusterDrive, section: ActuatorSection, context: LoadContext
) -> ThrusterDrive:
    """One drive with resolution and dead band of the scenario, in the unit of its command."""
    pulsed = drive.law is not None
    dimension = PULSE if pulsed else input_dimension(parameters, name)
    given = {key: quantity for key in STEPS if (quantity := getattr(section, key)) is not None}
    for key, quantity in given.items():
        if fault := command_fault(quantity, dimension):
            context.at(key).refuse(fault)
            return drive
    size = microseconds if pulsed else float
    if "resolution" in given:
        drive = drive._replace(resolution=size(given["resolution"].value))
    if "dead_band" in given:
        drive = drive._replace(dead_band=size(given["dead_band"].value), dead_band_spread=0.0)
    if "dead_band_range" in given:
        low, high = map(size, given["dead_band_range"].value)
        drive = drive._replace(dead_band=low, dead_band_spread=high - low)
    return drive


def _stage(given: Any, vehicle: Vehicle, context: LoadContext) -> DriveStage | None:
    """A user-defined stage before the drives; None with findings, or where there is none."""
    data = {"part": given} if isinstance(given, str) else given
    if data is None:
        return None
    if not isinstance(data, dict) or not isinstance(data.get("part"), str) or not is_user_code(data["part"]):
        context.refuse("expected a stage of your own, e.g. my_file.py:MyStage, or a mapping with this as its part.")
        return None
    options = {key: value for key, value in data.items() if key != "part"}
    try:
        stage: DriveStage = user_object(data["part"], options, vehicle, 1e-9 * context.step_ns, context.folder)
        return stage
    except PartError as error:
        context.at(*error.path).refuse(str(error), shows_value=error.path != ("part",))
        return None
