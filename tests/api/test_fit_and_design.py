"""`fit`, `validate` and `design` recover a known vehicle from simulated logs and describe themselves."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import remora
from remora.api.arguments import with_arguments
from remora.cli import main
from remora.files.problems import Advice, Fix

AXES = ["surge", "sway", "heave", "yaw"]


@pytest.fixture(scope="module")
def log() -> remora.RunLog:
    return remora.simulate("bluerov_square", seed=3, duration=100)


@pytest.fixture(scope="module")
def fitted(log: remora.RunLog) -> remora.FitResult:
    guess = remora.load_vehicle("bluerov2_heavy").with_(quadratic=[80, 80, 80, 1, 1, 1])
    with pytest.warns(remora.FitWarning, match="values may be wrong by more than their intervals"):
        return remora.fit(guess, log, motion="truth", axes=AXES)  # logged at 10 Hz, which is too slow for its commands


def test_a_doubtful_fit_says_so_in_verdict_and_table(fitted: remora.FitResult) -> None:
    """As the command does, which ends with exit code 3 for the same fit."""
    assert fitted.doubtful
    assert fitted.verdict == "fitted, but by the warnings above values may be wrong by more than their intervals"
    assert repr(fitted).splitlines()[-1] == f"verdict: {fitted.verdict}"
    assert fitted.verdict in fitted._repr_html_()


def test_a_sound_fit_has_no_warning_and_takes_names_with_commas(recwarn: pytest.WarningsRecorder) -> None:
    scenario = remora.load_scenario("bluerov_square").with_({"log.rate": "50 Hz"}, duration="60 s")
    log = remora.simulate(scenario, seed=3, progress=False)
    recwarn.clear()
    names = "damping.quadratic.surge, damping.quadratic.sway,damping.linear.surge"
    found = remora.fit(
        "bluerov2_heavy", log, motion="truth", axes="surge,sway", parameters=names, hold="damping.linear.*"
    )
    assert found.names == ("damping.quadratic.surge", "damping.quadratic.sway")
    assert (found.doubtful, found.verdict) == (False, "fitted")
    assert not [one for one in recwarn if issubclass(one.category, remora.FitWarning)]


def test_advice_is_written_as_arguments_of_fit() -> None:
    values = {"parameters": "default,thrusters.time_constant,delay", "inputs_late": "-0.35", "skip_nan": ""}
    advice = Advice("Inputs act early.", Fix("Fit it with {parameters} and {inputs_late}, {skip_nan}.", values))
    (said,) = with_arguments([advice])
    words = 'parameters="default,thrusters.time_constant,delay" and inputs_late=-0.35, skip_nan=True.'
    assert said == f"Inputs act early. Fit it with {words}"
    (reason,) = with_arguments([Advice("Drag adds energy.", Fix("Give {constrained}.", {"constrained": "False"}))])
    assert reason == 'Drag adds energy. Give negative_damping="the reason".'


def test_a_fit_from_a_wrong_guess_finds_the_true_drag(fitted: remora.FitResult) -> None:
    for axis, true in (("surge", 141.0), ("sway", 217.0)):
        found = fitted.values[fitted.names.index(f"damping.quadratic.{axis}")]
        assert found == pytest.approx(true, rel=0.05)  # the guess is 43 and 63 % off
    before, after = fitted.validation.parts[0].before.scores, fitted.validation.parts[0].after.scores
    assert after["surge"].rmse < 0.1 * before["surge"].rmse


def test_the_fit_is_that_of_the_command(fitted: remora.FitResult, log: remora.RunLog, tmp_path: Path) -> None:
    log.save(tmp_path / "log.mcap")
    assert fitted.fit.base is not None
    fitted.fit.base.save(tmp_path / "guess.yaml")
    words = ["fit", str(tmp_path / "guess.yaml"), str(tmp_path / "log.mcap"), "--motion", "truth", "--axes",
             ",".join(AXES), "--out", str(tmp_path / "command.yaml")]  # fmt: skip
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 3, done.output  # logged at 10 Hz, more slowly than its commands change
    command = remora.load_vehicle(tmp_path / "command.yaml")
    assert command.parameters == fitted.vehicle.parameters


def test_the_fitted_vehicle_saves_and_validates(fitted: remora.FitResult, log: remora.RunLog, tmp_path: Path) -> None:
    fitted.vehicle.save(tmp_path / "my_rov.yaml")
    vehicle = remora.load_vehicle(tmp_path / "my_rov.yaml")
    assert vehicle == fitted.vehicle
    drag = next(number for field, number in vehicle.provenance.items() if "quadratic" in field and "surge" in field)
    assert drag.sigma == pytest.approx(fitted.sigma[fitted.names.index("damping.quadratic.surge")])
    assert vehicle.provenance["body.mass"] == remora.load_vehicle("bluerov2_heavy").provenance["body.mass"]
    result = remora.validate(vehicle, [log, log.record(motion="truth")], motion="truth", axes=AXES)
    assert len(result.scores) == 2
    assert tuple(result.scores[0]) == tuple(AXES)
    assert result.scores[0] == result.scores[1]
    assert result.scores[0]["surge"].r2 > 0.99


def test_results_print_and_show_themselves(fitted: remora.FitResult, log: remora.RunLog, tmp_path: Path) -> None:
    text = repr(fitted)
    assert "95 % interval" in text
    assert "damping.quadratic.surge" in text
    assert "<th>parameter</th>" in fitted._repr_html_()
    assert fitted.plot()._repr_png_().startswith(b"\x89PNG")
    fitted.report(tmp_path / "fit.html")
    assert "data:image/png;base64" in (tmp_path / "fit.html").read_text()
    result = remora.validate("bluerov2_heavy", log, motion="truth")
    assert "driven by the recorded inputs" in repr(result)
    assert "<th>axis</th>" in result._repr_html_()
    result.report(tmp_path / "validation.html")
    with pytest.raises(remora.InputError, match="0 to 0"):
        result.plot(1)


def test_a_table_of_another_program_is_fitted_by_its_columns(log: remora.RunLog, tmp_path: Path) -> None:
    truth, outputs = log["rov/truth"], log["rov/outputs"]
    columns = {"time": "t:s", "surge": "u:cm/s", **{name: f"{name}_N:N" for name in outputs.channel.names}}
    table = np.column_stack([truth.time, 100.0 * truth["v_NB_B_x"], outputs.table()])
    heads = ",".join(text.rpartition(":")[0] for text in columns.values())
    np.savetxt(tmp_path / "pool.csv", table, delimiter=",", header=heads, comments="")
    found = remora.fit("bluerov2_heavy", tmp_path / "pool.csv", columns=columns, parameters="damping.quadratic.surge")
    assert found.names == ("damping.quadratic.surge",)
    assert found.values[0] == pytest.approx(141.0, rel=0.05)


def test_a_design_is_a_scenario_of_the_vehicle_as_it_is_in_memory(tmp_path: Path) -> None:
    names = ["added_mass.surge", "damping.quadratic.surge"]
    slow = remora.load_vehicle("bluerov2_heavy").with_(name="slow", quadratic=[400, 217, 190, 1.19, 0.47, 1.5])
    plan = remora.design(slow, names, workspace=(6, 4, 2))
    assert [one.name for one in plan.predicted] == names
    assert [one.value for one in plan.predicted] == [6.36, 400.0]
    assert plan.met
    assert "predicted sigma" in repr(plan)
    assert "<td>met</td>" in plan._repr_html_()
    assert plan.scenario.setup.vehicles[0].nominal.parameters == slow.parameters
    plan.save(tmp_path / "plan.yaml")
    assert remora.load_vehicle(tmp_path / "slow.yaml") == slow
    assert plan.plot()._repr_png_().startswith(b"\x89PNG")
