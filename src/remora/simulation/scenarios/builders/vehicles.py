"""From the entry of a scenario to one vehicle of the run."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from remora.equations.algebra.vectors import ZERO3, Twist, Wrench
from remora.files.did_you_mean import suggestion
from remora.files.problems import Path, dotted
from remora.files.structure import described
from remora.files.writing import file_hash
from remora.guidance.parts.hold_and_tunnel import attitude
from remora.kernels.methods import IntegrationMethod
from remora.kernels.plant import Plant
from remora.messages.part_options import PartError
from remora.sensors.errors.streams import Stream
from remora.simulation.faults.fault import DisturbanceEvent, Fault
from remora.simulation.monitoring.limits import Watch
from remora.simulation.plant.battery import make_energy
from remora.simulation.plant.disturbances import (
    ConstantWrench,
    PulsedWrench,
    SinusoidalWrench,
    StochasticWrench,
    TimeWindow,
)
from remora.simulation.scenarios.builders.actuators import fitted_drive, with_other_drives
from remora.simulation.scenarios.builders.faults import Line, Victim, lines_of, vehicle_faults
from remora.simulation.scenarios.builders.monitoring import watch_from
from remora.simulation.scenarios.builders.parts import Carrier, read_without_vehicle, scheduled_parts
from remora.simulation.scenarios.builders.sensors import fitted_sensors
from remora.simulation.scenarios.builders.tethers import vehicle_tethers
from remora.simulation.scenarios.description import DisturbanceSection, ScatterSection, VehicleEntry
from remora.simulation.scenarios.problems import SCENARIO_FILE, VEHICLE_EXAMPLES, Desk, name_fault
from remora.simulation.setup import Disturbance, LoadWarning, VehicleSetup
from remora.vehicles.checks.actuation import without_limits
from remora.vehicles.file_kind import VehicleFileError
from remora.vehicles.library import preset_names, preset_path
from remora.vehicles.variants.scatter import SCATTERED, Spread, scattered
from remora.vehicles.vehicle import Vehicle
from remora.vehicles.vehicle_reader import load_vehicle
from remora.world.tethers.models import AnyTether
from remora.world.tethers.tether import Tether


class Loaded(NamedTuple):
    """An entry with the vehicle that its file describes."""

    name: str
    entry: VehicleEntry
    vehicle: Vehicle
    path: Path
    hash: str


def loaded(data: Any, path: Path, desk: Desk) -> Loaded | None:
    """The entry and its vehicle file, or None with findings."""
    if not isinstance(data, dict):
        desk.refuse(path, "expected a mapping with keys such as name and file.")
        return None
    entry = described(VehicleEntry, data, SCENARIO_FILE, desk.findings, path, VEHICLE_EXAMPLES)
    if entry.name is not None and (fault := name_fault(entry.name)):
        desk.refuse((*path, "name"), fault)
    file = None if entry.file is None else _file(entry.file, (*path, "file"), desk)
    if file is None:
        read_without_vehicle(data, path, desk)
        return None
    try:
        vehicle = load_vehicle(file)
    except VehicleFileError as error:
        desk.problems.extend(error.problems)
        desk.refuse((*path, "file"), "this vehicle file has faults of its own; they are listed with their lines.")
        read_without_vehicle(data, path, desk)
        return None
    return Loaded(entry.name or "vehicle", entry, vehicle, path, file_hash(file))


def _file(given: str, path: Path, desk: Desk) -> FilePath | None:
    """The file of a preset, or a path relative to the scenario."""
    if given in preset_names():
        return preset_path(given)
    file = desk.folder / given
    if file.is_file():
        return file
    if FilePath(given).name == given and not FilePath(given).suffix:
        desk.refuse(path, f"there is no vehicle of this name. {suggestion(given, preset_names())}")
    else:
        desk.refuse(path, f"there is no file {file}. A path is relative to the folder of the scenario.")
    return None


def vehicle_setup(
    made: Loaded, data: Mapping[str, Any], method: IntegrationMethod, shared_faults: Sequence[Line], desk: Desk
) -> VehicleSetup | None:
    """One vehicle of the run; None with findings. The vehicle is already in the water of the scenario."""
    entry, path, before, vehicle = made.entry, made.path, len(desk.findings), made.vehicle
    if entry.actuators and not entry.actuators.saturation:
        vehicle = replace(vehicle, parameters=without_limits(vehicle.parameters))
    if entry.actuators:
        vehicle = with_other_drives(vehicle, entry.actuators, (*path, "actuators"), desk)
    nominal = Plant(vehicle, tuple(entry.locked), tuple(entry.simplifications))
    plant = _real(nominal, made, desk)
    fitted = fitted_sensors(entry.sensors, (*path, "sensors"), made.name, vehicle, desk)
    launch = entry.position.value if entry.position else ZERO3
    carrier = Carrier(made.name, nominal, {item.entry.name: item.entry for item in fitted}, launch)
    parts = scheduled_parts(data, path, carrier, desk)
    start = _start(plant, entry, path, method, desk)
    pushes = _pushes(entry.disturbances, (*path, "disturbances"), desk)
    disturbances = [
        _disturbance(section, (*path, "disturbances", index), f"{made.name}/disturbance_{index}", desk)
        for index, section in pushes.items()
    ]
    tethers = () if start is None else vehicle_tethers(entry.tethers, (*path, "tethers"), start, plant, desk)
    caught = tuple(tether.name for tether in tethers if _can_be_caught(tether.tether))
    victim = Victim(made.name, plant, {item.entry.name: item.sensor for item in fitted}, parts, caught)
    given = [*lines_of(entry.faults, (*path, "faults"), desk), *shared_faults]
    faults = (*vehicle_faults(given, victim, desk), *map(_outside, pushes.values()))
    watch = watch_from(entry.watch, (*path, "watch"), desk.watch, desk)
    drive = fitted_drive(entry.actuators, (*path, "actuators"), made.name, vehicle, desk)
    if len(desk.findings) > before or start is None:
        return None
    return VehicleSetup(
        name=made.name,
        plant=plant,
        nominal=vehicle,
        start=start,
        sensors=tuple(item.sensor for item in fitted),
        parts=parts,
        drive=drive,
        energy=make_energy(vehicle) if vehicle.parameters.supply else None,
        disturbances=tuple(disturbances),
        faults=faults,
        tethers=tethers,
        watch=watch,
        load_warnings=_load_warnings(watch, desk),
    )


def _load_warnings(watch: Watch, desk: Desk) -> tuple[LoadWarning, ...]:
    """Doubts about this vehicle that are watched; the others become notes. None are left for the next vehicle."""
    watched = [doubt for doubt in desk.doubts if getattr(watch, doubt.watch) is not None]
    desk.notes.extend(doubt.finding for doubt in desk.doubts if doubt not in watched)
    desk.doubts.clear()
    return tuple(
        LoadWarning(name, field := dotted(finding.path), f"{field} {finding.message}") for name, finding in watched
    )


def _can_be_caught(tether: AnyTether) -> bool:
    """Whether a line has a node between its ends."""
    return isinstance(tether, Tether) and tether.nodes > 2


def _outside(section: DisturbanceSection) -> Fault:
    """The events of a disturbance."""
    return Fault("disturbance", DisturbanceEvent(section.kind), "", *_window(section))


def _pushes(given: Any, path: Path, desk: Desk) -> dict[int, DisturbanceSection]:
    """The disturbances that could be read, by their place in the list."""
    if given is not None and not isinstance(given, list):
        desk.refuse(path, "expected a list.")
        return {}
    read = {i: desk.section(DisturbanceSection, data, (*path, i)) for i, data in enumerate(given or [])}
    return {i: section for i, section in read.items() if section is not None}


def _window(section: DisturbanceSection) -> tuple[int, int | None]:
    """When a disturbance begins and ends."""
    start_ns = round(1e9 * section.from_.value) if section.from_ else 0
    return start_ns, round(1e9 * section.until.value) if section.until else None


def _real(nominal: Plant, made: Loaded, desk: Desk) -> Plant:
    """What really moves: the nominal vehicle, scattered."""
    entry = made.entry
    if entry.scatter is None:
        return nominal
    spread, stream = _spread(entry.scatter), Stream(desk.seed, f"{made.name}/plant")
    try:
        parameters = scattered(nominal.vehicle.parameters, spread, stream)
    except ValueError as error:
        desk.refuse((*made.path, "scatter"), f"{error}.", shows_value=False)
        return nominal
    vehicle = replace(nominal.vehicle, parameters=parameters)
    return Plant(vehicle, tuple(entry.locked), tuple(entry.simplifications))


def _spread(section: ScatterSection) -> Spread:
    given = {name: quantity.value for name in SCATTERED if (quantity := getattr(section, name)) is not None}
    return Spread(**given, uniform=section.distribution == "uniform")


def _start(plant: Plant, entry: VehicleEntry, path: Path, method: IntegrationMethod, desk: Desk) -> Any:
    """The state to start from, or None with findings."""
    try:
        q_NB = attitude(entry.angles, entry.quaternion, "quaternion")
    except PartError as error:
        desk.refuse((*path, *error.path), str(error))
        return None
    velocity, rates = (given.value if given else ZERO3 for given in (entry.velocity, entry.rates))
    twist: Twist = (*velocity, *rates)
    try:
        return plant.initial_state(entry.position.value if entry.position else ZERO3, q_NB, twist, method=method)
    except ValueError as error:
        desk.refuse(path, f"cannot start so: {error}.", shows_value=False)
        return None


def _disturbance(section: DisturbanceSection, path: Path, name: str, desk: Desk) -> Disturbance:
    """One disturbance as a function of time and state."""
    start_ns, stop_ns = _window(section)
    desk.check_beginning((*path, "from"), start_ns)
    if stop_ns is not None and stop_ns <= start_ns:
        desk.refuse((*path, "until"), "must be later than its start, from.")
    window, wrench = TimeWindow(start_ns, stop_ns, section.frame), _wrench(section)
    period = section.period.value if section.period else 0.0
    if section.kind == "sinusoidal":
        return SinusoidalWrench(window, wrench, period, section.phase.value if section.phase else 0.0)
    if section.kind == "pulse" and section.width:
        if section.width.value > period:
            desk.refuse((*path, "width"), f"must not be longer than the period of {period:g} s.")
        return PulsedWrench(window, wrench, max(1, round(1e9 * period)), round(1e9 * section.width.value))
    if section.kind == "stochastic" and section.time_constant:
        return StochasticWrench(window, wrench, section.time_constant.value, desk.step_ns, Stream(desk.seed, name))
    return ConstantWrench(window, wrench)


def _wrench(section: DisturbanceSection) -> Wrench:
    if section.wrench:
        return section.wrench.value
    force, torque = (given.value if given else ZERO3 for given in (section.force, section.torque))
    return (*force, *torque)
