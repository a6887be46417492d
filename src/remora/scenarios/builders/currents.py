"""Builds the currents of a scenario file."""

from collections.abc import Callable
from typing import Any

from remora.files.did_you_mean import suggestion
from remora.files.problems import Path
from remora.files.quantities import number_or_word
from remora.files.section import Section
from remora.files.user_code import UserCodeError, UserCodeNames, is_user_code, made_by_user, user_object
from remora.scenarios.load_context import LoadContext
from remora.sensors.errors.streams import Stream
from remora.world.water.currents.grid import GRID
from remora.world.water.currents.gusts import GUSTS
from remora.world.water.currents.power_law import POWER_LAW
from remora.world.water.currents.shear import SHEAR
from remora.world.water.currents.tide import TIDE
from remora.world.water.currents.uniform import UNIFORM
from remora.world.water.currents.user_current import UserCurrent
from remora.world.water.local_water import CurrentContext, CurrentKind, FlowField

CURRENTS: dict[str, CurrentKind] = {kind.name: kind for kind in (UNIFORM, SHEAR, POWER_LAW, GUSTS, TIDE, GRID)}


_PATH: Path = ("water", "current")
_NAMES = UserCodeNames("my_file.py:MyCurrent", "the folder of the scenario", "a CurrentContext")


def currents_from(given: Any, site: Callable[[Stream], CurrentContext], context: LoadContext) -> list[FlowField]:
    """The currents of a scenario: a velocity, one current, or a list of them; findings go to the context."""
    if given is None:
        return []
    is_velocity = isinstance(given, list) and not any(isinstance(item, dict) for item in given)
    if is_velocity or (isinstance(given, dict) and "value" in given):
        given = {"kind": "uniform", "velocity": given}
    items = given if isinstance(given, list) else [given]
    found = []
    for index, item in enumerate(items):
        path = (*_PATH, index) if isinstance(given, list) else _PATH
        found.append(_current(item, path, site(Stream(context.seed, f"world/current_{index}")), context))
    return [field for field in found if field is not None]


def _current(data: Any, path: Path, site: CurrentContext, context: LoadContext) -> FlowField | None:
    """One current, or None with findings."""
    if not isinstance(data, dict) or not isinstance(data.get("kind"), str):
        context.refuse(path, f"expected current: a mapping with the key kind. Known here: {', '.join(CURRENTS)}.")
        return None
    name = data["kind"]
    if is_user_code(name):
        return _user_current(name, data, path, site, context)
    kind = CURRENTS.get(name)
    if kind is None:
        hint = f"{suggestion(name, CURRENTS)} Your own is {_NAMES.example}."
        context.refuse((*path, "kind"), f"is no kind of current. {hint}")
        return None
    section = context.section(kind.section, data, path)
    if section is None:
        return None
    try:
        return kind.make(section, site)
    except ValueError as error:
        context.refuse(path, f"{str(error).rstrip('.')}.", shows_value=False)
        return None


def _user_current(
    name: str, data: dict[str, Any], path: Path, site: CurrentContext, context: LoadContext
) -> FlowField | None:
    """A current of the user; options with units are converted to SI."""
    values: dict[str, Any] = {}
    file = site.folder / name.partition(":")[0]
    for key in (key for key in data if key not in ("kind", *Section.model_fields)):
        try:
            values[key] = number_or_word(data[key])
        except ValueError as error:
            context.refuse((*path, key), str(error))
            return None
    try:
        maker = user_object(name, site.folder, _NAMES)
        return UserCurrent(made_by_user(maker, file, (site,), values, _NAMES, "current"), file)
    except UserCodeError as error:
        context.refuse((*path, error.field or "kind"), str(error), shows_value=bool(error.field))
    except ValueError as error:
        context.refuse((*path, "kind"), f"{str(error).rstrip('.')}.", shows_value=False)
    return None
