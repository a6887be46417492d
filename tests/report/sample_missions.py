"""The tunnel mission of the test oracle, written as a log with the channels of the loop."""

import json
from pathlib import Path

from remora.logs import Channel, Field, LogWriter, RunHeader
from remora.report.simulations.mission_figure import SIDES
from tunnel_oracle import OUTER_STEPS, STEP_NS, Mission

TUNNEL = {"section": "rectangle", "width": 8.0, "height": 8.0, "length": 100.0, "heading": 0.0, "start": [0, 0, 0]}
THRUSTERS = tuple(Field(f"thruster_{i}", "N") for i in range(1, 9))
STATE = (Field("status", "1", kind="int"), Field("latency", "s"))
POSE = (
    *(Field(f"p_NB_{axis}", "m", "N") for axis in "xyz"),
    *(Field(f"q_NB_{i}", "1") for i in range(4)),
    *(Field(f"v_NB_B_{axis}", "m/s", "B") for axis in "xyz"),
    *(Field(f"w_NB_B_{axis}", "rad/s", "B") for axis in "xyz"),
)
CHANNELS = (
    Channel("vita1/truth", POSE),
    Channel("vita1/outputs", THRUSTERS),
    Channel("vita1/reference", (Field("surge", "m/s"), Field("lateral", "m"), Field("vertical", "m"))),
    *(Channel(f"vita1/echo_{side}", (Field("distance", "m", "", optional=True), *STATE)) for side in SIDES),
)


def write_mission(path: Path, flown: Mission, channels: tuple[Channel, ...] = CHANNELS) -> Path:
    """All of a mission, or only some channels of it."""
    notes = {"tunnel": json.dumps(TUNNEL)}
    names = [channel.name for channel in channels]
    with LogWriter(path, RunHeader("0.1.0", 1, notes=notes), channels) as writer:
        for k, (state, output) in enumerate(zip(flown.states, flown.outputs, strict=True)):
            rows = {"vita1/truth": state.tolist(), "vita1/outputs": output.tolist()}
            if k % OUTER_STEPS == 0 and k // OUTER_STEPS < len(flown.references):
                asked = flown.references[k // OUTER_STEPS]
                rows["vita1/reference"] = [asked.surge, asked.lateral, asked.vertical]
                for side, reading in zip(SIDES, flown.readings[k // OUTER_STEPS].tolist(), strict=True):
                    rows[f"vita1/echo_{side}"] = [reading, 0, 0.0]
            for name, values in rows.items():
                if name in names:
                    writer.write(name, k * STEP_NS, values)
    return path
