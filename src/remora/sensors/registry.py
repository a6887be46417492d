"""Registry of the kinds of sensors: kinds in the modules below `sensors.kinds`, and user-defined ones by their file."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from remora.files.did_you_mean import suggestion
from remora.files.discovery import instances_in
from remora.files.problems import InputError
from remora.files.user_code import is_user_code
from remora.sensors.kind import SensorKind, SensorKindError
from remora.sensors.user_kinds import user_kind

# Instruments without a model -> what is missing.
NOT_MODELLED = {
    "load_cell": "forces between a vehicle and other bodies are no part of the true state",
    "modem": "acoustic communication is not simulated",
    "sonar": "name what it measures: profiling_sonar, imaging_sonar or multibeam",
    "temperature": "the water has no temperature",
    "voltage": "the battery is no part of the true state",
}


def by_name(kinds: Iterable[SensorKind]) -> Mapping[str, SensorKind]:
    """The kinds by their names; SensorKindError where two have the same name."""
    found: dict[str, SensorKind] = {}
    for kind in kinds:
        if kind.name in found:
            raise SensorKindError(f'kind of sensor "{kind.name}": is defined twice. Give one another name.')
        found[kind.name] = kind
    return found


KINDS = by_name(instances_in("remora.sensors.kinds", SensorKind))


class UnknownKindError(InputError):
    """There is no such kind of sensor."""


def find_kind(name: str, folder: Path = Path()) -> SensorKind:
    """The kind of a name; `my_file.py:MySensor` is loaded from its file, whose path is relative to the folder.

    Raises
    ------
    UnknownKindError
        With the nearest names.
    UserCodeError
        Where a user-defined kind cannot be loaded.
    """
    if is_user_code(name):
        return user_kind(name, folder)
    if name in KINDS:
        return KINDS[name]
    own = "A sensor of your own is my_file.py:MySensor."
    if name in NOT_MODELLED:
        raise UnknownKindError(f'there is no model of a "{name}": {NOT_MODELLED[name]}. {own}').about("kind", name)
    message = f'there is no model of a "{name}". {suggestion(name, KINDS)} {own}'
    raise UnknownKindError(message).about("kind", name, KINDS)
