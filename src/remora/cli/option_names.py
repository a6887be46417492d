"""Options of the command line for the fields that library errors and warnings name."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

OPTIONS = {
    "axes": "--axes",
    "axes_convention": "--axes-convention",
    "channel": "--channel",
    "columns": "--columns",
    "gap": "--gap",
    "hold_out": "--hold-out",
    "inputs": "--inputs",
    "inputs_late": "--inputs-late",
    "keep_first": "--keep-first",
    "lever_arm": "--lever-arm",
    "log_vehicle": "--log-vehicle",
    "method": "--method",
    "motion": "--motion",
    "negative_damping": "--negative-damping",
    "neutral": "--neutral",
    "parameters": "--parameters",
    "rate": "--rate",
    "reader": "--reader",
    "restart": "--restart",
    "salvage": "--salvage",
    "settle": "--settle",
    "skip_nan": "--skip-nan",
    "vehicle": "--vehicle",
}


def option(field: str, value: str) -> str:
    """A field and its value as an option: `rate` and `20` as --rate 20."""
    if field == "constrained":  # only a reason lets damping add energy
        return option("negative_damping", "REASON")
    return f"{OPTIONS[field]} {value}".rstrip()


def with_options(sentences: "Iterable[str]") -> tuple[str, ...]:
    """Warnings of the library with options in place of Python arguments."""
    from remora.files.problems import Advice

    return tuple(one.worded(option) if isinstance(one, Advice) else one for one in sentences)
