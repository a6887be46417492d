"""Builds one vehicle of a run from its entry in a scenario."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from remora.equations.algebra.vectors import ZERO3
from remora.equations.types import Twist, Wrench
from remora.files.did_you_mean import suggestion
from remora.files.document import value_at
from remora.files.problems import InputFileError, Path
from remora.files.structure import described
from remora.files.writing import file_hash, text_hash
from remora.guidance.parts.hold_and_tunnel import attitude
from remora.messages.part_options import PartError, VehicleContext
from remora.plant.methods import IntegrationMethod
from remora.plant.plant import Plant
from remora.run.faults.fault import DisturbanceEvent, Fault
from remora.run.plant.battery import make_battery
from remora.run.plant.disturbances import (
    ConstantWrench,
    DisturbanceWindow,
    PulsedWrench,
    SinusoidalWrench,
    StochasticWrench,
)
from remora.run.setup import Disturbance, LinkSetup, VehicleSetup
from remora.run.stability.loop_checks import tipping_speeds, unstable_loop
from remora.scenarios.builders.actuators import fitted_drive, with_other_drives
from remora.scenarios.builders.assemblies import LoadedAssembly, load_assembly
from remora.scenarios.builders.faults import FaultEntry, FaultsContext, fault_entries, vehicle_faults
from remora.scenarios.builders.monitoring import load_warnings, watch_from
from remora.scenarios.builders.morphologies import link_setups, module_entries
from remora.scenarios.builders.parts import read_without_vehicle, scheduled_parts
from remora.scenarios.builders.sensors import (
    beam_geometries,
    expected_errors,
    fitted_sensors,
    measured_quantities,
    refused_sensors,
)
from remora.scenarios.builders.tethers import vehicle_tethers
from remora.scenarios.description import DisturbanceSection, ScatterSection, VehicleEntry
from remora.scenarios.feasibility import check_step
from remora.scenarios.load_context import SCENARIO_FILE, VEHICLE_EXAMPLES, LoadContext, name_fault
from remora.sensors.errors.streams import Stream
from remora.sensors.registry import find_kind
from remora.vehicles.checks.actuation import without_limits
from remora.vehicles.library import is_morphology, morphology_names, morphology_path, preset_names, preset_path
from remora.vehicles.morphologies.composite import CompositeError, composite_vehicle
from remora.vehicles.morphologies.morphology import Morphology
from remora.vehicles.morphologies.reader import load_morphology
from remora.vehicles.variants.scatter import SCATTERED, Spread, scattered
from remora.vehicles.vehicle import Vehicle
from remora.vehicles.vehicle_reader import load_vehicle
from remora.world.tethers.models import AnyTether
from remora.world.tethers.tether import Tether


class LoadedVehicle(NamedTuple):
    """An entry with its loaded vehicle file."""

    name: str
    entry: VehicleEntry
    vehicle: Vehicle
    path: Path
    hash: str
    file: str  # name of the vehicle file in the log
    data: Mapping[str, Any]  # of the entry in the scenario


class LoadedEntry(NamedTuple):
    """The vehicles of an entry: one, or the modules of a morphology with their links."""

    vehicles: tuple[LoadedVehicle, ...] = ()
    links: tuple[LinkSetup, ...] = ()
    assembly: LoadedAssembly | None = None
    texts: tuple[tuple[str, str], ...] = ()  # name and text of further files


def load_entry(data: Any, context: LoadContext) -> LoadedEntry:
    """The entry with its vehicle or morphology file; empty with findings."""
    if not isinstance(data, dict):
        context.refuse("expected a mapping with keys such as name and file.")
        return LoadedEntry()
    entry = described(VehicleEntry, data, SCENARIO_FILE, context.findings, context.path, VEHICLE_EXAMPLES)
    if entry.name is not None and (fault := name_fault(entry.name)):
        context.at("name").refuse(fault)
    if entry.file is not None and (given := context.vehicles.get(entry.file)) is not None:
        return _single(entry, given, text_hash(given.text), FilePath(given.file).name, data, context)
    file = None if entry.file is None else _file(entry.file, context.at("file"))
    if file is None:
        read_without_vehicle(data, context)
        return LoadedEntry()
    try:
        if is_morphology(file):
            return _of_morphology(entry, load_morphology(file, find_kind), data, context)
        return _single(entry, load_vehicle(file, find_kind), file_hash(file), file.name, data, context)
    except InputFileError as error:
        context.problems.extend(error.problems)
        context.at("file").refuse("this vehicle file has faults of its own; they are listed with their lines.")
    except CompositeError as error:
        context.at("file").refuse(str(error))
    read_without_vehicle(data, context)
    return LoadedEntry()


def _single(
    entry: VehicleEntry, vehicle: Vehicle, digest: str, file: str, data: Mapping[str, Any], context: LoadContext
) -> LoadedEntry:
    """An entry of one vehicle."""
    for key in ("model", "modules", "links", "assembly"):
        if data.get(key) is not None:
            context.at(key).refuse("is used by a morphology only. Remove it.", shows_value=False)
    return LoadedEntry((LoadedVehicle(entry.name or "vehicle", entry, vehicle, context.path, digest, file, data),))


def _of_morphology(
    entry: VehicleEntry, morphology: Morphology, data: Mapping[str, Any], context: LoadContext
) -> LoadedEntry:
    """A morphology: one vehicle where it is rigid, unless its bodies are asked for, else a vehicle per module."""
    own = [(FilePath(module.vehicle.file).name, module.vehicle.text) for module in morphology.modules]
    texts = tuple(dict.fromkeys(own))
    digest = text_hash("".join([morphology.text, *(text for _, text in texts)]))
    file = FilePath(morphology.file).name
    asked = [key for key in ("modules", "links", "assembly") if data.get(key) is not None]
    if entry.model == "composite" or (entry.model is None and morphology.is_rigid and not asked):
        for key in asked:
            context.at(key).refuse("is used with model: bodies only. Remove it, or write model: bodies.", False)
        whole = composite_vehicle(morphology)
        made = LoadedVehicle(entry.name or "vehicle", entry, whole, context.path, digest, file, data)
        return LoadedEntry((made,), texts=texts)
    vehicles = tuple(
        LoadedVehicle(one.name, one.entry, one.module.vehicle, one.path, digest, name, one.data)
        for one, (name, _) in zip(module_entries(entry, data, morphology, context), own, strict=True)
    )
    links, texts = link_setups(entry, morphology, context), ((file, morphology.text),)
    return LoadedEntry(vehicles, links, load_assembly(entry, morphology, context), texts)


def _file(given: str, context: LoadContext) -> FilePath | None:
    """The file of a preset, or a path relative to the scenario."""
    if given in preset_names():
        return preset_path(given)
    if given in morphology_names():
        return morphology_path(given)
    file = context.folder / given
    if file.is_file():
        return file
    if FilePath(given).name == given and not FilePath(given).suffix:
        known = (*preset_names(), *morphology_names())
        context.refuse(f"there is no vehicle or morphology of this name. {suggestion(given, known)}")
    else:
        context.refuse(f"there is no file {file}. A path is relative to the folder of the scenario.")
    return None


def vehicle_setup(
    made: LoadedVehicle, method: IntegrationMethod, shared_faults: Sequence[FaultEntry], context: LoadContext
) -> VehicleSetup | None:
    """One vehicle of the run; None with findings. The vehicle is already in the water of the scenario."""
    context = context.to(made.path)
    entry, data, before = made.entry, made.data, len(context.findings)
    vehicle = _with_actuators(made, context)
    nominal = Plant(vehicle, tuple(entry.locked), tuple(entry.simplifications))
    plant = _plant(nominal, made, context)
    fitted = fitted_sensors(entry.sensors, made.name, vehicle, context.at("sensors"))
    refused, sensors_read = refused_sensors(entry.sensors, fitted, vehicle), len(context.findings)
    onboard = VehicleContext(
        name=made.name,
        plant=nominal,
        period=1e-9 * context.step_ns,
        sensors={item.entry.name: item.entry for item in fitted},
        site=context.environment.site,
        launch=entry.position.value if entry.position else ZERO3,
        measured=measured_quantities(fitted),
        errors=expected_errors(fitted),
        beams=beam_geometries(fitted),
        lacks_sensors=bool(refused),
        launch_velocity=entry.velocity.value if entry.velocity else ZERO3,
    )
    parts = scheduled_parts(data, onboard, context)
    start = _start(plant, entry, method, context)
    sections = _disturbance_sections(entry.disturbances, context.at("disturbances"))
    disturbances = [
        _disturbance(section, f"{made.name}/disturbance_{index}", context.at("disturbances", index))
        for index, section in sections.items()
    ]
    tethers = () if start is None else vehicle_tethers(entry.tethers, start, plant, context.at("tethers"))
    caught = tuple(tether.name for tether in tethers if _can_snag(tether.tether))
    faults_context = FaultsContext(made.name, plant, {item.entry.name: item.sensor for item in fitted}, parts, caught)
    given = [*fault_entries(entry.faults, context.at("faults")), *shared_faults]
    faults = (*vehicle_faults(given, faults_context), *map(_disturbance_event, sections.values()))
    watch = watch_from(entry.watch, context.watch, context.at("watch"))
    drive = fitted_drive(entry.actuators, made.name, vehicle, context.at("actuators"))
    context.findings[sensors_read:] = [
        one for one in context.findings[sensors_read:] if value_at(data, one.path[len(made.path) :]) not in refused
    ]  # only the refused sensor itself is reported, not the options that name it
    if len(context.findings) > before or start is None:
        return None
    setup = VehicleSetup(
        name=made.name,
        plant=plant,
        nominal=vehicle,
        start=start,
        sensors=tuple(item.sensor for item in fitted),
        parts=parts,
        drive=drive,
        battery=make_battery(vehicle) if vehicle.parameters.supply else None,
        disturbances=tuple(disturbances),
        faults=faults,
        tethers=tethers,
        watch=watch,
        file=made.file,
        sensor_entries=tuple(item.entry for item in fitted),
    )
    check_step(setup, method, context)
    if len(context.findings) > before:
        return None
    if (unstable := unstable_loop(setup)) is not None:
        context.at("control").warn("tracking", str(unstable))
    for text in tipping_speeds(setup):
        context.at("control").note(text, shows_value=False)
    return replace(setup, load_warnings=load_warnings(watch, context))


def _with_actuators(made: LoadedVehicle, context: LoadContext) -> Vehicle:
    """The vehicle with the drives and limits that the scenario asks for."""
    vehicle, given = made.vehicle, made.entry.actuators
    if given is None:
        return vehicle
    if not given.saturation:
        vehicle = replace(vehicle, parameters=without_limits(vehicle.parameters))
    return with_other_drives(vehicle, given, context.at("actuators"))


def _can_snag(tether: AnyTether) -> bool:
    """Whether a tether has a node between its ends."""
    return isinstance(tether, Tether) and tether.nodes > 2


def _disturbance_event(section: DisturbanceSection) -> Fault:
    """The log events of a disturbance."""
    return Fault("disturbance", DisturbanceEvent(section.kind), "", *_window(section))


def _disturbance_sections(given: Any, context: LoadContext) -> dict[int, DisturbanceSection]:
    """The valid disturbances by their index in the list."""
    if given is not None and not isinstance(given, list):
        context.refuse("expected a list.")
        return {}
    read = {i: context.at(i).section(DisturbanceSection, data) for i, data in enumerate(given or [])}
    return {i: section for i, section in read.items() if section is not None}


def _window(section: DisturbanceSection) -> tuple[int, int | None]:
    """Start and end of a disturbance, ns."""
    start_ns = round(1e9 * section.from_.value) if section.from_ else 0
    return start_ns, round(1e9 * section.until.value) if section.until else None


def _plant(nominal: Plant, made: LoadedVehicle, context: LoadContext) -> Plant:
    """The simulated plant: the nominal vehicle with random variation."""
    entry = made.entry
    if entry.scatter is None:
        return nominal
    spread, stream = _spread(entry.scatter), Stream(context.seed, f"{made.name}/plant")
    try:
        parameters = scattered(nominal.vehicle.parameters, spread, stream)
    except ValueError as error:
        context.at("scatter").refuse(f"{error}.", shows_value=False)
        return nominal
    vehicle = replace(nominal.vehicle, parameters=parameters)
    return Plant(vehicle, tuple(entry.locked), tuple(entry.simplifications))


def _spread(section: ScatterSection) -> Spread:
    given = {name: quantity.value for name in SCATTERED if (quantity := getattr(section, name)) is not None}
    return Spread(**given, uniform=section.distribution == "uniform", trimmed=section.trimmed)


def _start(plant: Plant, entry: VehicleEntry, method: IntegrationMethod, context: LoadContext) -> Any:
    """The initial state, or None with findings."""
    try:
        q_NB = attitude(entry.angles, entry.quaternion, "quaternion")
    except PartError as error:
        context.at(*error.path).refuse(str(error))
        return None
    north, east, down = entry.position.value if entry.position else ZERO3
    bed = context.environment.scene.bed
    floor = None if bed is None else bed.depth_at(north, east)
    if floor is not None and down > floor:
        words = f"the vehicle starts at a depth of {down:.4g} m, below the bed at {floor:.4g} m. Give less depth."
        context.at("position").refuse(words, shows_value=False)
        return None
    velocity, rates = (given.value if given else ZERO3 for given in (entry.velocity, entry.rates))
    twist: Twist = (*velocity, *rates)
    try:
        return plant.initial_state((north, east, down), q_NB, twist, method=method)
    except ValueError as error:
        context.refuse(f"cannot start so: {error}.", shows_value=False)
        return None


def _disturbance(section: DisturbanceSection, name: str, context: LoadContext) -> Disturbance:
    """One disturbance as a function of time and state."""
    start_ns, stop_ns = _window(section)
    context.at("from").check_beginning(start_ns)
    if stop_ns is not None and stop_ns <= start_ns:
        context.at("until").refuse("must be later than its start, from.")
    window, wrench = DisturbanceWindow(start_ns, stop_ns, section.frame), _wrench(section)
    period = section.period.value if section.period else 0.0
    if section.kind == "sinusoidal":
        return SinusoidalWrench(window, wrench, period, section.phase.value if section.phase else 0.0)
    if section.kind == "pulse" and section.width:
        if section.width.value > period:
            context.at("width").refuse(f"must not be longer than the period of {period:g} s.")
        return PulsedWrench(window, wrench, max(1, round(1e9 * period)), round(1e9 * section.width.value))
    if section.kind == "stochastic" and section.time_constant:
        return StochasticWrench(
            window, wrench, section.time_constant.value, context.step_ns, Stream(context.seed, name)
        )
    return ConstantWrench(window, wrench)


def _wrench(section: DisturbanceSection) -> Wrench:
    if section.wrench:
        return section.wrench.value
    force, torque = (given.value if given else ZERO3 for given in (section.force, section.torque))
    return (*force, *torque)
