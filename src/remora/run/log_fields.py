"""Fields of the channels of a run, with unit and frame."""

from collections.abc import Sequence

from remora.logs.schema import Field, field_name
from remora.vehicles.checks.thruster_flags import REGIMES, ThrusterFlag
from remora.vehicles.vehicle import Vehicle

AXES = ("x", "y", "z")
POSE = (
    *(Field(f"p_NB_{axis}", "m", "N") for axis in AXES),
    *(Field(f"q_NB_{i}", "1") for i in range(4)),
    *(Field(f"v_NB_B_{axis}", "m/s", "B") for axis in AXES),
    *(Field(f"w_NB_B_{axis}", "rad/s", "B") for axis in AXES),
)
SIGMA = tuple(Field(f"sigma_p_N_{axis}", "m", "N", description="one standard deviation of p_NB") for axis in AXES)
MOTION_SIGMA = (
    *(Field(f"sigma_v_B_{axis}", "m/s", "B", description="one standard deviation of v_NB_B") for axis in AXES),
    *(Field(f"sigma_turn_B_{axis}", "rad", "B", description="one standard deviation of the attitude") for axis in AXES),
)
VALID = Field("valid", "1", kind="bool", description="whether every number is known")
WRENCH = (*(Field(axis, "N", "B") for axis in "XYZ"), *(Field(axis, "N m", "B") for axis in "KMN"))
WATER = tuple(Field(f"v_NW_{axis}", "m/s", "N") for axis in AXES)
TETHER = (
    *(Field(f"pull_{axis}", "N", "N", description="on the vehicle") for axis in AXES),
    *(Field(f"far_pull_{axis}", "N", "N", description="on the other end") for axis in AXES),
    Field("length", "m", description="paid out, without load"),
)
LINK = (
    Field("attached", "1", kind="bool"),
    *(Field(axis, "N", "B", "on the second body, in its axes") for axis in "XYZ"),
    *(Field(axis, "N m", "B", "on the second body, about the joint") for axis in "KMN"),
    Field("gap", "m", description="distance by which the link is violated"),
    Field("tilt", "rad", description="angle by which the link is violated"),
)
POWER = (Field("power", "W"), Field("voltage", "V"), Field("charge", "1"))
READING = (
    Field("status", "1", kind="int", description="0 ok, 1 partial, 2 no lock, 3 out of range, 4 dropped, 5 off"),
    Field("latency", "s", description="from measurement to arrival"),
)
_REGIME_NUMBERS = {words: int(number) for number, words in REGIMES.items()}


def flag_fields(vehicle: Vehicle) -> tuple[Field, ...]:
    """Flow regime of each thruster, and whether its law is valid at its shaft speed."""
    regime = "-1 unknown, 0 at rest, 1 equi-directional, 2 anti-directional, 3 vague-directional"
    return tuple(
        Field(f"{field_name(name)}_{what}", "1", description=words, kind="int")
        for name in vehicle.parameters.thruster_names
        for what, words in (("regime", regime), ("valid", "-1 unknown, 0 no, 1 yes"))
    )


def flag_row(flags: Sequence[ThrusterFlag]) -> tuple[int, ...]:
    """Flags of all thrusters as a row of integers."""
    return tuple(
        number
        for flag in flags
        for number in (
            -1 if flag.regime is None else _REGIME_NUMBERS[flag.regime],
            -1 if flag.is_valid is None else int(flag.is_valid),
        )
    )
