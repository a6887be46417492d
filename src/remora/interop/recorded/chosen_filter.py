"""The filter of a replay: a bundled one by name, or a YAML file with its options as in a scenario."""

import json
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from remora.files.did_you_mean import suggestion
from remora.files.document import parse_document, problem_at, read_document
from remora.files.file_kinds import FileKind
from remora.files.problems import Finding, InputError, InputFileError
from remora.files.structure import section_at
from remora.interop.recorded.recorded_suite import RecordedSensors
from remora.logs import Log
from remora.logs.log import navigation_entry
from remora.logs.schema import channel_name
from remora.messages.part import Part, Role
from remora.messages.part_options import PartKind, PartOptions, VehicleContext
from remora.messages.site import Site
from remora.navigation.bundled_filters import BUNDLED_FILTERS
from remora.navigation.parts.filter_options import (
    FilterOptions,
    Pause,
    further_states,
    interval_of,
    launch_of,
    rests_of,
)
from remora.navigation.replays import RecordedCommands
from remora.plant.plant import Plant
from remora.scenarios.builders.parts import parts_for
from remora.sensors.registry import KINDS
from remora.sensors.stated_errors import stated_errors
from remora.vehicles.variants.other_water import in_water
from remora.vehicles.vehicle import Vehicle
from remora.vehicles.vehicle_reader import vehicle_from_text

USUAL = "filter"
USUAL_PERIOD = 0.05  # s, of a part whose options state no rate
FILTER_FILE = FileKind("filter", InputFileError, {"part": "Name a filter, as in part: model_aided."}, lambda key: None)


class ChosenFilter(NamedTuple):
    """A bundled filter with its options."""

    kind: PartKind
    options: PartOptions

    @property
    def period(self) -> float:
        """Seconds between two steps."""
        rate, period = self.options.rate, self.options.period
        return 1.0 / rate.value if rate else period.value if period else USUAL_PERIOD


def chosen_filter(given: str | None, log: Log | None, vehicle: str | None) -> ChosenFilter:
    """A filter by its name or file; by name with the options of the scenario that was flown with it.

    Parameters
    ----------
    given
        Name of a bundled filter, a YAML file, or None for `filter`.
    log
        A log of Remora, in whose header the scenario stands; None for tables.
    vehicle
        Its name in the log; None without one.

    Raises
    ------
    InputError
        When there is no such filter, or its options are wrong.
    """
    if given is not None and FilePath(given).suffix.lower() in (".yaml", ".yml"):
        document = read_document(FilePath(given), FILTER_FILE)
    else:
        flown = navigation_entry(log, vehicle) if log is not None else {}
        name = given or USUAL
        text = json.dumps(flown if flown.get("part") == name else {"part": name})
        document = parse_document(text, f"options of {name}", FILTER_FILE)
    data: dict[str, Any] = document.data if isinstance(document.data, dict) else {}
    known = {one.part for one in BUNDLED_FILTERS}
    name = data.get("part", "")
    if name not in known:
        raise InputError(f'there is no bundled filter "{name}". {suggestion(str(name), known)}').about(
            "filter", name, known
        )
    findings: list[Finding] = [*document.findings]
    kind = parts_for(Role.NAVIGATION)[name]
    options = section_at(kind.options, data, (), FILTER_FILE, findings)
    if options is None or findings:
        raise InputFileError(problem_at(document, finding) for finding in findings)
    return ChosenFilter(kind, options)


def with_options(recorded: RecordedSensors, options: FilterOptions) -> tuple[RecordedSensors, tuple[Pause, ...]]:
    """Sensors of the part `filter` with its options, and the readings that it leaves out.

    Raises
    ------
    InputError
        For a sensor that the log does not have.
    """
    known = [entry.name for entry in recorded.entries]
    for name in (*(options.without or ()), *(one.sensor for one in options.pauses or ())):
        if name not in known:
            raise InputError(f'the log has no sensor "{name}". {suggestion(name, known)}').about("filter", name, known)
    remarks = recorded.remarks
    if options.thruster_faults:
        remarks += ("thruster_faults: thrusters are watched in scenarios and on board only",)
    changed = recorded._replace(
        entries=tuple(entry for entry in recorded.entries if entry.name not in (options.without or ())),
        launch=launch_of(options.launch, recorded.launch.position) if options.launch else recorded.launch,
        further=further_states(options.states) if options.states else recorded.further,
        rests=rests_of(options.at_rest) if options.at_rest else recorded.rests,
        remarks=remarks,
    )
    pauses = [Pause(one.sensor, *interval_of(one, "pauses", i)) for i, one in enumerate(options.pauses or ())]
    return changed, tuple(pauses)


def part_of_log(chosen: ChosenFilter, log: Log, vehicle: str, recorded: RecordedSensors) -> Part:
    """The part of a vehicle of a log.

    Parameters
    ----------
    chosen
        Kind and options.
    log
        A log of Remora.
    vehicle
        Name of the vehicle in the log.
    recorded
        Its sensors.

    Raises
    ------
    InputError
        When the header of the log does not hold the vehicle, or the part cannot be built from its sensors.
    """
    text = log.vehicles[vehicle]["text"]
    if not text:
        raise InputError(
            f'the header of the log has no file of "{vehicle}", whose model {chosen.kind.name} needs'
        ).about("log")
    onboard = VehicleContext(
        vehicle,
        Plant(_in_water(vehicle_from_text(text, str(log.vehicles[vehicle].get("file", "vehicle"))), recorded.site)),
        chosen.period,
        {entry.name: entry for entry in recorded.entries},
        recorded.site,
        recorded.launch.position,
        {name: kind.measured for name, kind in KINDS.items()},
        {entry.name: stated_errors(entry) for entry in recorded.entries},
    )
    try:
        return chosen.kind.make(chosen.options, onboard)
    except InputError as error:
        raise InputError(f"{chosen.kind.name}: {error}").about(error.field, error.found) from None


def _in_water(vehicle: Vehicle, site: Site) -> Vehicle:
    """A vehicle in the water of the run."""
    return replace(vehicle, parameters=in_water(vehicle.parameters, site.density, site.gravity))


def commands_of_log(log: Log, vehicle: str) -> RecordedCommands | None:
    """Commands of a vehicle of a log; None where it holds none."""
    channel = channel_name(f"{vehicle}/commands")
    if channel not in log or not len(log[channel]):
        return None
    return RecordedCommands(log[channel].time_ns, log[channel].table())
