"""How many files a reader opens to follow a thruster command from its part to its curve; see `command_walk`."""

import json
import os
import subprocess
import sys
from pathlib import Path

MOST_FILES = 30
# Functions that the command must pass, else the walk is cut short.
STATIONS = (
    "CommandSchedule.step",
    "Drive.step",
    "Stepper.__call__",
    "begin_outputs",
    "static_thrusters_wrench",
    "applied_twist_rate",
    "finished_step",
    "ShaftSpeed.read",
    "RowBuffer.add_reading",
    "LogWriter.write_rows",
    "build_chunk",
    "parse_chunk",
    "read_curves",
    "draw_panel",
)


def test_a_thruster_command_passes_few_files_on_its_way_into_a_picture():
    script = Path(__file__).parents[1] / "command_walk.py"
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # as plain Python, whose calls can be seen
    done = subprocess.run([sys.executable, script], env=plain, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    files = json.loads(done.stdout)
    passed = [function for functions in files.values() for function in functions]
    assert [station for station in STATIONS if station not in passed] == []
    assert len(files) <= MOST_FILES, "\n".join(files)
