"""Events and summary text of guidance along waypoints."""

from collections.abc import Iterator

from remora.messages.part import PartReport


def start_event(count: int) -> PartReport:
    """The event at the start of the list."""
    return PartReport("info", f"goes to {count} waypoint{'s' if count > 1 else ''}", {"waypoint": 0, "of": count})


def unfinished_text(reached: int, count: int) -> str:
    """Number of waypoints reached; empty when all are."""
    return "" if reached >= count else f"{reached} of {count} waypoint{'s' if count > 1 else ''} reached"


def reached_points(before: int | None, after: int, count: int) -> Iterator[PartReport]:
    """Events of points, out of a number, that were reached on legs whose last course is kept."""
    if before is None:
        yield start_event(count)
    for number in range(1 + (before or 0), after + 1):
        yield PartReport("info", f"waypoint {number} of {count} reached", {"waypoint": number, "of": count})
    if (before or 0) < count == after:
        yield PartReport(
            "info", f"all {count} waypoints reached, the last course is kept", {"finished": True, "of": count}
        )
