"""Events and summary text of guidance along waypoints."""

from remora.messages.part import PartReport


def start_event(count: int) -> PartReport:
    """The event at the start of the list."""
    return PartReport("info", f"goes to {count} waypoint{'s' if count > 1 else ''}", {"waypoint": 0, "of": count})


def unfinished_text(reached: int, count: int) -> str:
    """Number of waypoints reached; empty when all are."""
    return "" if reached >= count else f"{reached} of {count} waypoint{'s' if count > 1 else ''} reached"
