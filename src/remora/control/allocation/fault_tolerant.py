"""Fault-tolerant control allocation: failed thrusters are left out, and lost degrees of freedom are reported."""

from typing import Any, TypeGuard

from remora.messages.part import FaultTolerantAllocation, Part


def is_fault_tolerant(part: Any) -> TypeGuard[FaultTolerantAllocation]:
    """Whether an allocation can stop using failed thrusters."""
    return callable(getattr(part, "without_thrusters", None))


def allocation_without(part: Part, disabled: tuple[str, ...]) -> Part:
    """The allocation without disabled thrusters; unchanged when there are none or it is not fault-tolerant."""
    return part.without_thrusters(disabled) if disabled and is_fault_tolerant(part) else part


def lost_degrees_of_freedom(before: Part, after: Part) -> tuple[str, ...]:
    """Degrees of freedom that the allocation could control before, and cannot after."""
    uncontrollable = getattr(before, "uncontrollable", ())
    return tuple(name for name in getattr(after, "uncontrollable", ()) if name not in uncontrollable)
