"""Vehicles with drives for tests: the example of the page on vehicle files with other thrusters."""

from functools import cache

from pages import code_blocks, page
from remora.vehicles import Vehicle, vehicle_from_text

PULSE = "neutral: 1500 us, pulse: {linear: 3.123e-2 N/us, quadratic: 2.52e-4 N/us2}, dead_band: 25 us"
PULSE_SPEED = "neutral: 1500 us, pulse_speed: {scale: 97.6 rpm, exponent: 0.57}, dead_band: 25 us"
TABLE = (
    "neutral: 1500 us, table: {pulses: [1100 us, 1300 us, 1460 us, 1500 us, 1540 us, 1700 us, 1900 us], "
    "voltages: [10 V, 14 V, 18 V], thrusts: [[-22, -8, 0, 0, 0, 10, 28], [-36, -13, 0, 0, 0, 16, 45], "
    "[-45, -16, 0, 0, 0, 20, 57]], currents: [[13, 3, 0, 0, 0, 3, 13], [20, 5, 0, 0, 0, 5, 20], "
    "[28, 7, 0, 0, 0, 7, 28]]}"
)
BATTERY = (
    "battery: {full_voltage: 16.8 V, empty_voltage: 12.8 V, resistance: 50 mohm, capacity: 266 Wh, hotel_load: 20 W}\n"
)
FORCE_LAW = "law: force, limits: [-40 N, 50 N], time_constant: 0.1 s"
SPEED_LAW = "law: quadratic, coefficient: 3.634e-4, limits: [-3200 rpm, 3200 rpm], time_constant: 0.1 s"


def driven_text(law: str, *drives: str, more: str = "") -> str:
    """The example of the page with thrusters of this law, one for each drive; an empty drive leaves the key out."""
    example = code_blocks(page("vehicle-files.md"), "yaml")[0]
    lines = [
        f"  - {{name: t{i}, position: [0, {0.1 * i - 0.2}, 0], direction: [1, 0, 0], {law}"
        + (f", drive: {{{drive}}}}}" if drive else "}")
        for i, drive in enumerate(drives)
    ]
    head, rest = example.split("thruster_defaults:")
    tail = rest[rest.index("sensors:") :]
    return f"{head}thrusters:\n" + "\n".join(lines) + f"\n{more}{tail}"


@cache
def driven(law: str, *drives: str, more: str = "") -> Vehicle:
    """The vehicle of that text."""
    return vehicle_from_text(driven_text(law, *drives, more=more))
