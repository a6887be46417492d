"""Construction of a tether model from named numbers."""

from dataclasses import MISSING, fields
from typing import Any, TypeAlias

from remora.messages.site import GRAVITY
from remora.world.tethers.simplified import FlatPlate, SlackSpring
from remora.world.tethers.tether import SEA_WATER, Tether, mass_of_density, mass_of_weight

AnyTether: TypeAlias = Tether | SlackSpring | FlatPlate

MODELS: dict[str, type[AnyTether]] = {"lumped": Tether, "slack_spring": SlackSpring, "flat_plate": FlatPlate}
# Alternative ways to give the mass per metre.
_MASS_KEYS = ("mass", "tether_density", "weight_in_water")


def make_tether(model: str = "lumped", **numbers: Any) -> AnyTether:
    """A tether of a model and its numbers, in SI units.

    The names are the fields of `Tether`, `SlackSpring` and `FlatPlate`. A lumped tether may give `tether_density`
    (kg/m3) or `weight_in_water` (N/m) instead of `mass` (kg/m). Raises a ValueError when the model or a name is
    unknown, a number is missing, or cannot be.
    """
    if model not in MODELS:
        raise ValueError(f'unknown model of a tether "{model}": choose from {", ".join(MODELS)}')
    made = MODELS[model]
    known = {entry.name: entry.default is MISSING for entry in fields(made) if entry.init}
    allowed = dict.fromkeys((*known, *_MASS_KEYS)) if made is Tether else dict.fromkeys(known)
    for name in numbers:
        if name not in allowed:
            raise ValueError(f'unknown number "{name}" of a {model} tether: known are {", ".join(allowed)}')
    if made is Tether:
        numbers = _with_mass(numbers)
    for name, is_needed in known.items():
        if is_needed and name not in numbers:
            raise ValueError(f'a {model} tether needs "{name}"')
    return made(**numbers)


def _with_mass(numbers: dict[str, Any]) -> dict[str, Any]:
    """The numbers with the mass per metre."""
    given = [key for key in _MASS_KEYS if key in numbers]
    if len(given) != 1:
        found = " and ".join(given) or "none of them"
        raise ValueError(f"a lumped tether needs one of {', '.join(_MASS_KEYS)}: {found} is given")
    if given == ["mass"] or "diameter" not in numbers:
        return numbers
    rest = {name: value for name, value in numbers.items() if name not in _MASS_KEYS}
    diameter = numbers["diameter"]
    if given == ["tether_density"]:
        return {**rest, "mass": mass_of_density(numbers["tether_density"], diameter)}
    density, gravity = numbers.get("density", SEA_WATER), numbers.get("gravity", GRAVITY)
    return {**rest, "mass": mass_of_weight(numbers["weight_in_water"], diameter, density, gravity)}
