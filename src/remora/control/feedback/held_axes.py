"""Checks of the axes that controllers hold: surge, sway, heave and yaw."""

from collections.abc import Callable

from remora.control.allocation.thrusters import pseudo_inverse
from remora.files.problems import listed
from remora.messages.part_options import PartError, VehicleContext
from remora.vehicles.names import DEGREES_OF_FREEDOM, FOUR_AXES


def from_to(lowest: float, highest: float) -> Callable[[float], str | None]:
    """Rule of an option: a number of a plausible range, in SI units."""

    def rule(value: float) -> str | None:
        if lowest <= value <= highest:
            return None
        return f"must be from {lowest:.3g} to {highest:.3g} in SI units, found {value:.3g}."

    return rule


def check_held_axes(onboard: VehicleContext, does: str, axes: tuple[str, ...] = FOUR_AXES) -> None:
    """Refuse vehicles whose thrusters cannot control surge, sway, heave and yaw, or some of these.

    Parameters
    ----------
    onboard
        The vehicle.
    does
        What the controller does in these axes, for the message: "holds poses".
    axes
        Those that it needs.

    Raises
    ------
    PartError
        With the number of thrusters, the rank of their layout and the lost directions.
    """
    parameters = onboard.vehicle.parameters
    rows = tuple(DEGREES_OF_FREEDOM.index(axis) for axis in axes)
    lost = pseudo_inverse(parameters, rows).uncontrollable if parameters.thrusters else axes
    if not lost:
        return
    count, rank = len(parameters.thrusters), len(axes) - len(lost)
    thrusters = f"{count} thruster{'' if count == 1 else 's'}"
    raise PartError(
        f"the {thrusters} of {onboard.vehicle.name} reach {rank} of {len(axes)} directions and cannot control "
        f"{listed(lost)} independently; it {does} in {listed(axes)}. Add or turn thrusters, or choose another "
        "controller.",
        "part",
    )
