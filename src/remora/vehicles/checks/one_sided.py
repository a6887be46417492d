"""Thrusters that cannot rest, and axes that thrusters push in one direction only."""

from collections.abc import Iterator

from remora.vehicles.checks.actuation import command_range, reachable_wrench
from remora.vehicles.parameters import VehicleParameters

HELD = ("surge", "sway", "heave", "yaw")  # roll and pitch may be left to weight and buoyancy


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
        if reach.name not in HELD or reach.name in p.locked or (low < 0.0) == (high > 0.0):
            continue
        if reach.name == "heave" and sinking * (low + high) < 0.0:
            continue
        sign = "negative" if low < 0.0 else "positive"
        text = f"all thrusters push in the {sign} direction of {reach.name} only: nothing stops or returns the vehicle."
        yield "thrusters", f"{text} Check limits and directions."
