"""Numbers of a scenario that are possible and suggest a wrong unit or sign: notes with what was probably meant."""

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

from remora.files.problems import Path
from remora.files.quantities import NumbersOrWords
from remora.scenarios.load_context import LoadContext
from remora.vehicles.checks.plausible_ranges import RANGES, Mistake, Range, doubt, is_inside

ANY = "*"  # item of a list; where the file gives no list, the entry itself
_KNOT = 0.514444  # m/s
_STEEPEST = 0.1  # significant height over the length of a wave at the peak

_Measure: TypeAlias = Callable[[tuple[float, ...]], tuple[float, ...]]


def _each(values: tuple[float, ...]) -> tuple[float, ...]:
    return values


def _length(values: tuple[float, ...]) -> tuple[float, ...]:
    return (math.hypot(*values),)


def _downward(values: tuple[float, ...]) -> tuple[float, ...]:
    return values[2:3]


def _along(values: tuple[float, ...]) -> tuple[float, ...]:
    return values[:3]


def _turning(values: tuple[float, ...]) -> tuple[float, ...]:
    return values[3:4]


class _Entry(NamedTuple):
    """Entries of a file at a path, what of them is compared, and the plausible range of it.

    Zero is always plausible. A bare number has a range of its own where many write it in another unit.
    """

    path: Path
    what: str
    known: Range
    measure: _Measure = _each
    bare: Range | None = None


_FLOW = Range(
    0.0,
    4.0,
    "m/s",
    (
        Mistake(1e-2, "Did you mean {right:.3g} m/s ({value:.3g} cm/s)?"),
        Mistake(_KNOT, "Did you mean {value:.3g} kn, which is {right:.3g} m/s?"),
    ),
)
_BARE_FLOW = _FLOW._replace(
    highest=1.2,
    mistakes=(
        Mistake(_KNOT, "Without its unit a number is in m/s. Did you mean {value:.3g} kn, which is {right:.3g} m/s?"),
        Mistake(1e-2, "Without its unit a number is in m/s. Did you mean {value:.3g} cm/s?"),
    ),
    otherwise="Without its unit a number is in m/s. Write the unit, such as 2 kn or 2 m/s.",
)
_RISE = Range(-0.3, 0.3, "m/s", (), "The third number is vertical: currents are north, east, down.")
_SOUND = Range(
    1380.0,
    1650.0,
    "m/s",
    (
        Mistake(1e3, "Did you mean {right:.4g} m/s ({value:.4g} km/s)?"),
        Mistake(0.3048, "Did you mean {right:.4g} m/s ({value:.4g} ft/s)?"),
    ),
)
_DENSITY = RANGES["density"]._replace(
    otherwise="Write the whole density, such as 1025 kg/m3, not its excess over 1000."
)
_SALINITY = Range(0.05, 45.0, "g/kg", (Mistake(1e3, "Did you mean {right:.3g} (parts per thousand)?"),))
_MEMORY = Range(0.5, 1e5, "s", (Mistake(1e3, "Did you mean {right:.3g} s?"),))
_TETHER: tuple[tuple[str, str, Range], ...] = (
    (
        "diameter",
        "the diameter of the tether",
        Range(
            2e-4,
            0.2,
            "m",
            (Mistake(1e-3, "Did you mean {value:.3g} mm?"), Mistake(1e-2, "Did you mean {value:.3g} cm?")),
        ),
    ),
    (
        "length",
        "the length of the tether",
        Range(0.1, 12_000.0, "m", (Mistake(1e-2, "Did you mean {right:.4g} m?"), Mistake(1e-3, "Did you mean mm?"))),
    ),
    (
        "stiffness",
        "the stiffness of the tether",
        Range(
            50.0,
            1e9,
            "N",
            (Mistake(1e3, "Did you mean {value:.3g} kN?"), Mistake(1e6, "Did you mean {value:.3g} MN?")),
            "Stiffness is modulus times cross-section, in N: is this the modulus in Pa?",
        ),
    ),
    (
        "weight_in_water",
        "the weight in water of the tether",
        Range(-20.0, 20.0, "N/m", (Mistake(9.81e-3, "Did you mean {right:.3g} N/m ({value:.3g} g/m)?"),)),
    ),
)
_RATE = Range(0.03, 1e5, "Hz", (), "Is this the period in s? A rate is its inverse.")
_STATION = Range(-0.2, 12_000.0, "m", (), "It stands above the surface: the third number is the depth, z points down.")
_FAR_END = Range(-15.0, 12_000.0, "m", (), "It hangs in the air: the third number is the depth, z points down.")
_CONTROL_SPEED = Range(
    0.0, 20.0, "m/s", (Mistake(1e-2, "Did you mean {right:.3g} m/s ({value:.3g} cm/s)?"),), "No vehicle is so fast."
)
_CONTROL_TURN = Range(
    0.0, 6.0, "rad/s", (Mistake(math.pi / 180.0, "Did you mean {value:.3g} deg/s?"),), "No vehicle turns so fast."
)
_TOLERANCE = Range(
    0.004, 50.0, "m", (Mistake(1e-2, "Did you mean {value:.3g} cm?"), Mistake(1e3, "Did you mean {right:.3g} m?"))
)
_ENTRIES = (
    _Entry(("water", "density"), "the density of the water", _DENSITY),
    _Entry(("water", "sound_speed"), "the speed of sound", _SOUND),
    _Entry(("water", "column", "densities"), "the density of a layer", _DENSITY),
    _Entry(("water", "column", "sound_speeds"), "the speed of sound of a layer", _SOUND),
    _Entry(("water", "column", "salinities"), "the salinity of a layer", _SALINITY),
    _Entry(("water", "current"), "the current", _FLOW, _length, _BARE_FLOW),
    _Entry(("water", "current"), "the current downwards", _RISE, _downward),
    *(
        _Entry(("water", "current", ANY, key), f"the {key} of the current", _FLOW, _length, _BARE_FLOW)
        for key in ("velocity", "amplitude", "std")
    ),
    _Entry(("water", "current", ANY, "velocity"), "the current downwards", _RISE, _downward),
    _Entry(("water", "current", ANY, "correlation_time"), "the correlation time of gusts", _MEMORY),
    _Entry(
        ("water", "waves", "significant_height"),
        "the significant height",
        Range(0.0, 17.0, "m", (Mistake(1e-2, "Did you mean {right:.3g} m ({value:.3g} cm)?"),)),
    ),
    _Entry(
        ("water", "waves", "peak_period"),
        "the peak period",
        Range(0.7, 25.0, "s", (), "Is this the frequency in Hz? The period is its inverse."),
    ),
    *(_Entry(("vehicles", ANY, "tethers", ANY, key), what, known) for key, what, known in _TETHER),
    _Entry(("vehicles", ANY, "tethers", ANY, "far_end"), "the depth of the far end", _FAR_END, _downward),
    _Entry(("vehicles", ANY, "sensors", ANY, "rate"), "the rate", _RATE),
    _Entry(("vehicles", ANY, "sensors", ANY, "parameters", "station"), "the depth of the station", _STATION, _downward),
    _Entry(("vehicles", ANY, "control", ANY, "max_speeds"), "the largest speed", _CONTROL_SPEED, _along),
    _Entry(("vehicles", ANY, "control", ANY, "max_speeds"), "the largest turn rate", _CONTROL_TURN, _turning),
    _Entry(("vehicles", ANY, "guidance", "tolerance"), "the tolerance", _TOLERANCE),
    _Entry(("vehicles", ANY, "faults", ANY, "change"), "the change of the current", _FLOW, _length, _BARE_FLOW),
)


def note_implausible_entries(data: Any, context: LoadContext) -> None:
    """Add a note for each number of a scenario, as read from YAML, that is possible and implausible."""
    for entry in _ENTRIES:
        for path, raw in _found(data, entry.path, ()):
            values, is_bare = _values(raw)
            if not values or (entry.path[-1] == "change" and len(values) != 3):
                continue
            known = entry.bare if is_bare and entry.bare else entry.known
            wrong = [value for value in entry.measure(values) if value != 0.0 and not is_inside(known, value)]
            if wrong:
                context.to(path).note(doubt(known, entry.what, wrong[0], "a plausible one"))
    _note_steep_waves(data, context)


def _note_steep_waves(data: Any, context: LoadContext) -> None:
    """Waves that would break."""
    path = ("water", "waves", "significant_height")
    heights = [_values(raw)[0] for _, raw in _found(data, path, ())]
    periods = [_values(raw)[0] for _, raw in _found(data, ("water", "waves", "peak_period"), ())]
    if not heights or not periods or len(heights[0]) != 1 or len(periods[0]) != 1 or not periods[0][0] > 0.0:
        return
    length = 9.81 * periods[0][0] ** 2 / (2.0 * math.pi)
    if heights[0][0] > _STEEPEST * length:
        text = f"is {heights[0][0] / length:.2g} times the length of the waves, {length:.3g} m. They break beyond"
        context.to(path).note(f"{text} {_STEEPEST:g}. Check height and period, and their units.")


def _found(data: Any, path: Path, walked: Path) -> Iterator[tuple[Path, Any]]:
    """The entries at a path that exist, each with its path."""
    if not path:
        yield walked, data
    elif path[0] == ANY:
        if isinstance(data, list):
            for index, item in enumerate(data):
                yield from _found(item, path[1:], (*walked, index))
        elif isinstance(data, dict):
            yield from _found(data, path[1:], walked)
    elif isinstance(data, dict) and path[0] in data:
        yield from _found(data[path[0]], path[1:], (*walked, path[0]))


def _values(raw: Any) -> tuple[tuple[float, ...], bool]:
    """Numbers in SI, and whether all are bare; none for what is no number or list of numbers."""
    items = raw if isinstance(raw, list) else [raw]
    found = []
    for item in items:
        if isinstance(item, bool) or not isinstance(item, int | float | str):
            return (), False
        try:
            value = NumbersOrWords().read(item).value
        except ValueError:
            return (), False
        if not isinstance(value, float) or not math.isfinite(value):
            return (), False
        found.append(value)
    return tuple(found), not any(isinstance(item, str) for item in items)
