"""Thrusters that cannot rest or that push one way only, and places and directions that do not fit.

A place or direction does not fit the name of a thruster, or its mirror image in the plane of symmetry.
"""

import math
from collections.abc import Iterator

from remora.equations.algebra.vectors import dot3
from remora.equations.types import Vector3
from remora.vehicles.checks.actuation import command_range, reachable_wrench
from remora.vehicles.names import FOUR_AXES
from remora.vehicles.parameters import VehicleParameters

_NEAR = 1e-3  # m between places that count as one
_SAME_LINE = math.cos(math.radians(1.0))
_CENTRED = 0.01  # m from the plane of symmetry
_SIDES = {"port": -1.0, "left": -1.0, "starboard": 1.0, "right": 1.0}


def misplaced_thrusters(p: VehicleParameters, states_axes: bool) -> Iterator[tuple[str, str]]:
    """Names of thrusters, or `axes`, and a sentence on each.

    `states_axes` tells whether the file has a line `axes:`.
    """
    named = zip(p.thruster_names, p.thrusters, strict=True)
    sides = [(name, one.position[1], side) for name, one in named if (side := _side(name)) is not None]
    wrong = [name for name, y, side in sides if y * side < -_CENTRED]
    if wrong and len(wrong) == sum(abs(y) > _CENTRED for _, y, _ in sides) > 1:
        text = f"every thruster lies on the other side than its name says, such as {wrong[0]}. "
        fix = "Are the axes of the file forward-right-down, without a line for them?"
        if not states_axes:
            fix = "Without a line axes: y points to starboard and z down. Write axes: forward-left-up if they do not."
        yield "axes", text + fix
    else:
        for name in wrong:
            yield name, "lies on the other side than its name says: y points to starboard. Check its sign and the name."
    yield from _at_one_place(p)
    yield from _not_mirrored(p)


def _side(name: str) -> float | None:
    """Sign of y that a name states; None for none, or both."""
    found = {side for word, side in _SIDES.items() if word in name.lower().split("_")}
    return found.pop() if len(found) == 1 else None


def _at_one_place(p: VehicleParameters) -> Iterator[tuple[str, str]]:
    """Thrusters at the place of another that push along the same line."""
    known: list[tuple[str, Vector3, Vector3]] = []
    for name, thruster in zip(p.thruster_names, p.thrusters, strict=True):
        for other, place, axis in known:
            if math.dist(place, thruster.position) < _NEAR and _is_same_line(axis, thruster.axis):
                yield (
                    name,
                    f"stands where {other} stands and pushes along the same line. Check the signs of its position.",
                )
        known.append((name, thruster.position, thruster.axis))


def _not_mirrored(p: VehicleParameters) -> Iterator[tuple[str, str]]:
    """Pairs at mirrored places that push along lines that are not mirrored."""
    pairs = list(zip(p.thruster_names, p.thrusters, strict=True))
    for i, (name, one) in enumerate(pairs):
        for other, two in pairs[i + 1 :]:
            x, y, z = two.position
            a, b, c = two.axis
            if abs(y) < _CENTRED or math.dist(one.position, (x, -y, z)) > _NEAR:
                continue
            if not _is_same_line(one.axis, (a, -b, c)):
                text = f"stands opposite to {other}, but their directions are no mirror images: "
                given = f"{_shown(one.axis)} and {_shown(two.axis)}"
                yield name, f"{text}{given}. Is one of them turned to the wrong side?"


def _is_same_line(a: Vector3, b: Vector3) -> bool:
    return abs(dot3(a, b)) > _SAME_LINE


def _shown(a: Vector3) -> str:
    return f"[{', '.join(f'{number:.3g}' for number in a)}]"


def restless_thrusters(p: VehicleParameters) -> Iterator[tuple[str, str]]:
    """Names of thrusters whose limits leave out zero, and a sentence on each."""
    for index, name in enumerate(p.thruster_names):
        low, high = command_range(p, index)
        if low > 0.0 or high < 0.0:
            yield name, f"its limits, {low:.4g} to {high:.4g}, leave out zero: it never rests. Check their signs."


def one_sided_axes(p: VehicleParameters) -> Iterator[tuple[str, str]]:
    """Field and a sentence for each axis that thrusters push one way only, and that nothing pushes back.

    Fins steer a vehicle whose propeller only drives ahead, and weight or buoyancy may oppose the thrust in heave.
    """
    if p.fins:
        return
    sinking = (p.mass - p.displaced_mass) * p.gravity
    for reach in reachable_wrench(p) if p.thrusters else ():
        low, high = reach.most
        if reach.name not in FOUR_AXES or reach.name in p.locked or (low < 0.0) == (high > 0.0):
            continue
        if reach.name == "heave" and sinking * (low + high) < 0.0:
            continue
        sign = "negative" if low < 0.0 else "positive"
        text = f"all thrusters push in the {sign} direction of {reach.name} only: nothing stops or returns the vehicle."
        yield "thrusters", f"{text} Check limits and directions."
