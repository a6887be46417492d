"""The part `model_aided` in the bundled survey: loss of the DVL, resuming, wrong options."""

from pathlib import Path

import numpy as np
import pytest

from remora.run.checkpoint import load_checkpoint, resumed_loop, save_checkpoint
from remora.run.loop.loop import Loop
from remora.scenarios import read_scenario
from remora.scenarios.library import scenario_path

pytestmark = [pytest.mark.xdist_group("filters"), pytest.mark.timeout(600)]

LOSS = "    faults: [{fault: off, of: dvl, at: 20 s}]\n"


def survey(tmp_path, change=lambda text: text):
    """The bundled survey with a changed file."""
    path = tmp_path / "survey.yaml"
    path.write_text(change(Path(scenario_path("gavia_survey")).read_text(encoding="utf-8")), encoding="utf-8")
    return read_scenario(path)


def flown(loop, seconds):
    """Time, error of the estimate and its standard deviations once a second."""
    rows = []
    for second in range(1, seconds + 1):
        loop.advance(100 * second)
        vehicle = loop.vehicles[0]
        estimate = vehicle.estimate
        if estimate is not None:
            rows.append((second, *np.subtract(estimate.p_NB, vehicle.state[:3]), *estimate.sigma_p_N))
    return np.array(rows)


def test_one_line_takes_the_dvl_away_and_the_uncertainty_grows(tmp_path):
    """E8 in the loop: the error stays inside three sigma, which grow without bottom lock."""
    rows = flown(Loop(survey(tmp_path, lambda text: text + LOSS)), 80)
    error, sigma = rows[:, 1:3], rows[:, 4:6]
    assert np.mean(np.abs(error) <= 3.0 * sigma) > 0.99
    assert sigma[-1].max() > 2.0 * sigma[15].max()
    kept = flown(Loop(survey(tmp_path)), 80)
    assert kept[-1, 4:6].max() < sigma[-1].max()


def test_a_survey_resumes_bit_for_bit(tmp_path):
    setup = survey(tmp_path, lambda text: text.replace("part: model_aided", "part: model_aided\n      mode: learning"))
    whole, first = Loop(setup), Loop(setup)
    first.advance(500)
    save_checkpoint(tmp_path / "half", first)
    resumed = resumed_loop(setup, load_checkpoint(tmp_path / "half", setup), None, None)
    whole.advance(1000)
    resumed.advance(1000)
    assert whole.vehicles[0].estimate == resumed.vehicles[0].estimate
    assert np.array_equal(whole.vehicles[0].state, resumed.vehicles[0].state)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("velocity: gps", "does not measure|bottom track"),
        ("specific_force: gyro", "accelerometer or imu"),
        ("shaft: dvl", "shaft_speed"),
        ("rates: giro", "gyro"),
        ("mode: calibrated", "coefficients"),
    ],
)
def test_wrong_options_are_refused(tmp_path, line, message):
    option = line.split(":")[0]

    def changed(text):
        kept = [one for one in text.splitlines() if not one.startswith(f"      {option}: ")]
        return "\n".join(kept).replace("part: model_aided", f"part: model_aided\n      {line}") + "\n"

    with pytest.raises(ValueError, match=message):
        survey(tmp_path, changed)
