"""Plots that a page shows at first: depth, speed, heading, thrust and what the first sensors measure."""

from typing import Any

from remora.logs.log import Log

_MOST_CURVES = 8
_MOST_PLOTS = 6


def default_plots(log: Log, vehicles: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Titles and curves (channel, field, label) of the first plots; for other logs the first channels."""
    plots = []
    for vehicle in vehicles:
        channel = vehicle["channel"]
        of = f"{vehicle['name']}: " if len(vehicles) > 1 else ""
        depth = [("truth", "p_NB_z", "true"), ("estimate", "p_NB_z", "estimated")]
        depth += [("reference", name, "reference") for name in ("p_NR_z", "depth")]
        distance = [("reference", "measured_distance", "measured"), ("reference", "distance", "reference")]
        speed = [("truth", "v_NB_B_x", "surge"), ("truth", "v_NB_B_y", "sway"), ("truth", "v_NB_B_z", "heave")]
        thrust = [("outputs", one["field"], one["field"]) for one in vehicle["thrusters"]]
        groups = {
            "depth [m]": depth,
            "distance to what it follows [m]": distance,
            "velocity [m/s]": speed,
            "thrust [N]": thrust,
        }
        groups["water velocity [m/s]"] = [
            ("water", f"v_NW_{axis}", name) for axis, name in zip("xyz", _NED, strict=True)
        ]
        for title, curves in groups.items():
            known = [_curve(f"{channel}/{name}", field, label) for name, field, label in curves]
            plots.append({"title": of + title, "curves": [one for one in known if _in(log, one)][:_MOST_CURVES]})
    plots = [plot for plot in plots if plot["curves"]]
    return (plots or _first_channels(log))[:_MOST_PLOTS]


_NED = ("north", "east", "down")


def _first_channels(log: Log) -> list[dict[str, Any]]:
    found = []
    for name, series in log.series.items():
        units = dict.fromkeys(field.unit for field in series.channel.fields)
        unit = next(iter(units))
        fields = [field.name for field in series.channel.fields if field.unit == unit][:_MOST_CURVES]
        found.append({"title": f"{name} [{unit}]", "curves": [_curve(name, field, field) for field in fields]})
    return found


def _curve(channel: str, field: str, label: str) -> dict[str, str]:
    return {"channel": channel, "field": field, "label": label}


def _in(log: Log, curve: dict[str, str]) -> bool:
    return curve["channel"] in log and curve["field"] in log[curve["channel"]].columns
