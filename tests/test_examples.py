"""The programs in examples/ do what they say."""

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

import remora
from pages import printed_by, printed_by_process

EXAMPLES = Path(__file__).parents[1] / "examples"
SCRIPTS = sorted(EXAMPLES.glob("[0-9][0-9]_*.py"))
SIMULATED = {"remora.world", "remora.sensors", "remora.run"}
PROGRAM = """
import runpy, sys
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
print("modules", *sys.modules)
"""


def test_there_are_ten_examples_in_order() -> None:
    assert [script.name[:2] for script in SCRIPTS] == [f"{number:02}" for number in range(1, 11)]
    assert all(len(script.read_text(encoding="utf-8").splitlines()) <= 80 for script in SCRIPTS)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_an_example_runs_draws_and_prints_what_its_notebook_shows(script: Path, tmp_path: Path) -> None:
    source = script.read_text(encoding="utf-8")
    runner = printed_by_process if "\nclass " in source else printed_by  # classes are found in the main module
    printed = runner(source, tmp_path)
    plt.close("all")
    picture = tmp_path / f"{script.stem}.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 10_000
    shown = "".join(
        "".join(output["text"])
        for cell in notebook(script)["cells"]
        for output in cell.get("outputs", ())
        if output["output_type"] == "stream"
    )
    assert without_numbers(shown) == without_numbers(printed)


def notebook(script: Path) -> dict:
    return json.loads((EXAMPLES / "notebooks" / f"{script.stem}.ipynb").read_text(encoding="utf-8"))


def without_numbers(text: str) -> list[str]:
    """The lines that do not depend on the version of a bundled file, the processor or the width of a terminal."""
    numbers = re.sub(r"sha256 \w+|[-+]?\d+\.\d+(e[-+]\d+)?", "#", text)
    return [line.strip() for line in numbers.splitlines() if line.strip()]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_the_notebook_is_the_executed_script(script: Path) -> None:
    made, source = notebook(script), script.read_text(encoding="utf-8")
    maker = runpy.run_path(str(EXAMPLES / "make_notebooks.py"))
    assert [(cell["cell_type"], "".join(cell["source"])) for cell in made["cells"]] == maker["cells_of"](source)
    codes = [cell for cell in made["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in codes] == list(range(1, len(codes) + 1))
    outputs = [output for cell in codes for output in cell["outputs"]]
    assert not [output for output in outputs if output["output_type"] == "error"]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert (EXAMPLES / "notebooks" / f"{script.stem}.ipynb").stat().st_size < 200_000


def test_onboard_parts_on_a_log_give_its_estimates_and_commands_without_the_simulation(tmp_path: Path) -> None:
    log = tmp_path / "run.mcap"
    parts = {"attitude": "ahrs", "rates": "imu", "velocity": "dvl", "depth": "pressure"}
    changes = {"duration": "20 s", "vehicles[0].navigation": {"part": "instruments", "rate": "10 Hz", **parts}}
    with pytest.warns(remora.RunWarning):
        remora.simulate(remora.load_scenario("remus_dive").with_(changes), log=log)
    command = [sys.executable, "-c", PROGRAM, str(EXAMPLES / "onboard_from_log.py"), str(log)]
    told = subprocess.run(command, check=True, capture_output=True, text=True, timeout=200).stdout
    differences = dict(re.findall(r"(estimates|commands) +differ by at most (\S+) from the log", told))
    assert set(differences) == {"estimates", "commands"}
    assert all(float(number) < 1e-12 for number in differences.values()), told
    assert "200, 199 of them with a complete estimate" in told
    assert float(re.findall(r"dead reckoning +(\S+) m", told)[0]) < 1.0
    assert not SIMULATED & set(told.split("modules")[1].split())
    assert (tmp_path / "run-onboard.png").stat().st_size > 10_000
