"""Parameter selection: `default`, names, and patterns such as `thrusters.*.forward`."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from remora.identification.parameters import ParameterNameError, canonical, known_names, parameter
from remora.identification.regression.problem import default_parameters
from remora.vehicles.vehicle import Vehicle

DEFAULT = "default"


def selected_parameters(
    names: Sequence[str], held: Sequence[str], vehicle: Vehicle, axes: Sequence[str]
) -> tuple[str, ...]:
    """Selected parameters, each once, without those held; the default ones where no names are given.

    Raises a ParameterNameError with similar names for an unknown one.
    """
    chosen = [name for word in names or (DEFAULT,) for name in _meant(word, vehicle, axes)]
    kept = [name for word in held for name in _meant(word, vehicle, axes)]
    return tuple(name for name in dict.fromkeys(chosen) if name not in kept)


def _meant(word: str, vehicle: Vehicle, axes: Sequence[str]) -> tuple[str, ...]:
    if word == DEFAULT:
        return default_parameters(axes)
    if "*" in word:
        known = known_names(vehicle.parameters)
        found = tuple(canonical(name) for name in known if fnmatchcase(name, word))
        if not found:
            raise ParameterNameError(f'no number of this vehicle has a name like "{word}". It has: {", ".join(known)}.')
        return found
    parameter(word, vehicle.parameters)  # raises for an unknown name
    return (canonical(word),)
