"""Allocations that are told which thrusters have failed."""

from typing import Any, TypeGuard

from remora.messages.part import FaultTolerantAllocation, Part


def can_be_informed(part: Any) -> TypeGuard[FaultTolerantAllocation]:
    """Whether an allocation can be told which thrusters not to use."""
    return callable(getattr(part, "informed", None))


def informed_part(part: Part, disabled: tuple[str, ...]) -> Part:
    """The allocation without some thrusters; the same where there are none, or where it cannot be told."""
    return part.informed(disabled) if disabled and can_be_informed(part) else part


def lost_directions(before: Part, after: Part) -> tuple[str, ...]:
    """Degrees of freedom that an allocation could make, and cannot make any more."""
    made = getattr(before, "uncontrollable", ())
    return tuple(name for name in getattr(after, "uncontrollable", ()) if name not in made)
