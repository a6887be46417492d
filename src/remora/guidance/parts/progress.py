"""What guidance along a list of points reports: its start, and what is left of the list when a run ends."""

from remora.messages.part import PartReport


def setting_out(count: int) -> PartReport:
    """The first event of a list."""
    return PartReport("info", f"goes to {count} waypoint{'s' if count > 1 else ''}", {"waypoint": 0, "of": count})


def left_over(reached: int, count: int) -> str:
    """How many points are reached, where it is not all of them; else empty."""
    return "" if reached >= count else f"{reached} of {count} waypoint{'s' if count > 1 else ''} reached"
