"""The programs in examples/ do what they say."""

import re
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from remora.cli import main

EXAMPLES = Path(__file__).parents[1] / "examples"
SIMULATED = {"remora.world", "remora.sensors", "remora.simulation"}
PROGRAM = """
import runpy, sys
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
print("modules", *sys.modules)
"""


def test_onboard_parts_on_a_log_give_its_estimates_and_commands_without_the_simulation(tmp_path: Path) -> None:
    log = tmp_path / "run.mcap"
    done = CliRunner().invoke(main, ["run", "remus_dive", "--duration", "20", "--out", str(log)])
    assert log.exists(), done.output
    command = [sys.executable, "-c", PROGRAM, str(EXAMPLES / "onboard_from_log.py"), str(log)]
    told = subprocess.run(command, check=True, capture_output=True, text=True, timeout=200).stdout
    differences = dict(re.findall(r"(estimates|commands) +differ by at most (\S+) from the log", told))
    assert set(differences) == {"estimates", "commands"}
    assert all(float(number) < 1e-12 for number in differences.values()), told
    assert "200, 199 of them with a complete estimate" in told
    assert float(re.findall(r"dead reckoning +(\S+) m", told)[0]) < 1.0
    assert not SIMULATED & set(told.split("modules")[1].split())
    assert (tmp_path / "run-onboard.png").stat().st_size > 10_000
