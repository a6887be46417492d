"""Models of tethers by name, and the simplified ones: a spring that can go slack, and skin friction alone.

The simplified models are stepped like `Tether`, without a shape: no weight, no sag, no waves.
"""

from collections.abc import Iterable
from dataclasses import MISSING, dataclass, fields
from typing import Any, NamedTuple, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.vectors import ZERO3, add3, dot3, matvec3, scale3, subtract3
from remora.equations.tether import (
    TetherProperties,
    direction_of,
    distance_of,
    round_tether,
    spring_tension,
    towed_drag,
)
from remora.equations.types import Matrix3, Vector3
from remora.messages.site import GRAVITY
from remora.plant.inputs import numbers
from remora.world.tethers.ends import TetherEnd, TetherForces
from remora.world.tethers.tether import SEA_WATER, Tether, check_number, check_winch, mass_of_density, mass_of_weight


class PaidOut(NamedTuple):
    """State of a tether without shape."""

    length: float  # m


@final
@dataclass(frozen=True)
class SlackSpring:
    """A spring that pulls when the distance exceeds the paid-out length, with the drag of a loop across the flow."""

    length: float  # m, paid out at the start
    stiffness: float  # EA: newtons per strain
    diameter: float  # m
    damping: float = 0.0  # N s/m, tension per speed at which a taut line lengthens
    normal_drag: float = 1.2  # coefficient of the loop on its diameter; half of the loop belongs to each end
    density: float = SEA_WATER  # kg/m3, of the water

    def __post_init__(self) -> None:
        for name in ("length", "stiffness", "diameter", "density"):
            check_number(name, getattr(self, name), above_zero=True)
        for name in ("damping", "normal_drag"):
            check_number(name, getattr(self, name))

    def initial(self, vehicle: Iterable[float], far: Iterable[float], water: ArrayLike = ZERO3) -> PaidOut:
        """The initial state."""
        return PaidOut(self.length)

    def step(
        self,
        state: PaidOut,
        vehicle_end: TetherEnd,
        far_end: TetherEnd,
        water: ArrayLike = ZERO3,
        length_rate: float = 0.0,
        elapsed: float = 0.01,
    ) -> tuple[PaidOut, TetherForces]:
        """State after a step, and mean forces on the two ends; see `Tether.step`."""
        end = _paid_out(state, length_rate, elapsed)
        separation = subtract3(far_end.position, vehicle_end.position)
        ahead = direction_of(separation)
        mobility = dot3(ahead, matvec3(vehicle_end.mobility, ahead)) + dot3(ahead, matvec3(far_end.mobility, ahead))
        tension = spring_tension(
            self.stiffness / state.length,
            self.damping,
            distance_of(separation) - state.length,
            dot3(ahead, subtract3(far_end.velocity, vehicle_end.velocity)) - length_rate,
            dot3(ahead, subtract3(_mean_acceleration(far_end, elapsed), _mean_acceleration(vehicle_end, elapsed))),
            mobility,
            elapsed,
        )
        half = 0.5 * state.length * _line(self.diameter, self.normal_drag, 0.0, self.density).normal_drag
        near = add3(scale3(tension, ahead), _drag(half, vehicle_end, water, elapsed))
        return end, TetherForces(near, add3(scale3(-tension, ahead), _drag(half, far_end, water, elapsed)))


@final
@dataclass(frozen=True)
class FlatPlate:
    """A trailing tether with skin friction only. Nielsen 2018, eq. 6.15."""

    length: float  # m, in the water at the start
    diameter: float  # m
    tangential_drag: float = 0.01  # coefficient on the whole surface
    density: float = SEA_WATER  # kg/m3, of the water

    def __post_init__(self) -> None:
        for name in ("length", "diameter", "density"):
            check_number(name, getattr(self, name), above_zero=True)
        check_number("tangential_drag", self.tangential_drag)

    def initial(self, vehicle: Iterable[float], far: Iterable[float], water: ArrayLike = ZERO3) -> PaidOut:
        """The initial state."""
        return PaidOut(self.length)

    def step(
        self,
        state: PaidOut,
        vehicle_end: TetherEnd,
        far_end: TetherEnd,
        water: ArrayLike = ZERO3,
        length_rate: float = 0.0,
        elapsed: float = 0.01,
    ) -> tuple[PaidOut, TetherForces]:
        """State after a step, and mean force on the vehicle; none on the far end."""
        end = _paid_out(state, length_rate, elapsed)
        whole = state.length * _line(self.diameter, 0.0, self.tangential_drag, self.density).tangential_drag
        return end, TetherForces(_drag(whole, vehicle_end, water, elapsed), ZERO3)


def _line(diameter: float, normal: float, tangential: float, density: float) -> TetherProperties:
    """A tether line for its drag only."""
    return round_tether(diameter, 0.0, 0.0, 0.0, normal, tangential, 0.0, density, GRAVITY)


def _mean_acceleration(end: TetherEnd, elapsed: float) -> Vector3:
    return add3(end.acceleration, scale3(0.5 * elapsed, end.jerk))


def _drag(coefficient: float, end: TetherEnd, water: ArrayLike, elapsed: float) -> Vector3:
    """Drag on an end, from the water at the first node if there are several."""
    u, v, w = numbers("water velocity", np.atleast_2d(np.asarray(water, dtype=float))[0], (3,)).tolist()
    return towed_drag(coefficient, subtract3((u, v, w), end.velocity), _mean_mobility(end.mobility), elapsed)


def _mean_mobility(mobility: Matrix3) -> float:
    return (mobility[0][0] + mobility[1][1] + mobility[2][2]) / 3.0


def _paid_out(state: PaidOut, length_rate: float, elapsed: float) -> PaidOut:
    check_winch(state.length, length_rate, elapsed)
    return PaidOut(state.length + length_rate * elapsed)


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
