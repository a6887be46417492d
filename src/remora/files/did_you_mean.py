"""Suggestions for names that do not exist: renamed ones and near spellings, regardless of case and punctuation."""

from collections.abc import Collection, Iterable
from difflib import get_close_matches

# Names of earlier versions in vehicle files, scenarios and logs -> the name that replaced them.
RENAMED: dict[str, str] = {
    "alike": "normal",
    "feels_earth_rate": "measures_earth_rate",
    "figures": "parameters",
    "floats": "buoyancy_elements",
    "informed": "fault_tolerant",
    "line_density": "tether_density",
    "loads": "moving_masses",
    "losing_ratio": "critical_advance_ratio",
    "more": "high",
    "timetable": "command_schedule",
    "torques_count": "torque_priority",
    "uninformed": "nominal",
}
# Parts of such names, between underscores: heading_deviation became heading_std.
RENAMED_PARTS = {"deviation": "std", "largest": "max", "smallest": "min"}


def nearest(wrong: str, known: Iterable[str], most: int = 2, cutoff: float = 0.6) -> list[str]:
    """Known names closest to a wrong one, best first; empty if none is close."""
    folded: dict[str, list[str]] = {}
    for word in sorted(known):
        folded.setdefault(_folded(word), []).append(word)
    near = get_close_matches(_folded(wrong), folded, n=most, cutoff=cutoff)
    return [word for key in near for word in folded[key]][:most]


def suggestion(wrong: str, known: Iterable[str]) -> str:
    """Hint for an unknown name: the name that replaced it, else the closest known names, else all of them."""
    known = sorted(known)
    new = renamed(wrong, known)
    if new is not None:
        return f'It was renamed to "{new}".'
    near = nearest(wrong, known)
    if near:
        return "Did you mean " + " or ".join(f'"{word}"' for word in near) + "?"
    return f"Known here: {', '.join(known) or 'none'}."


def renamed(old: str, known: Collection[str]) -> str | None:
    """The known name that replaced an old one; None where there is none."""
    scope, slash, name = old.rpartition("/")  # of a channel of a log: vehicle/channel
    by_parts = "_".join(RENAMED_PARTS.get(part, part) for part in name.split("_"))
    new_names = (f"{scope}{slash}{new}" for new in (RENAMED.get(name), by_parts) if new)
    return next((new for new in new_names if new != old and new in known), None)


def _folded(word: str) -> str:
    return "".join(letter for letter in word.lower() if letter.isalnum())
