"""Studies of benches, thrusters and sensors: how much data they take, whose fits they use, and what spoils them."""

from dataclasses import replace

import numpy as np
import pytest
from spoiled_studies import forgotten, judged_alone

from remora.interop.simple_engine import CompensatedEngine
from remora.vehicles.parameters import net_buoyancy
from remora_evidence.studies.catalogue import find_study
from remora_evidence.studies.falcon import devices, latencies, thrust_steps
from remora_evidence.studies.flatfish import simulators, thrusters
from remora_evidence.studies.modular.tank import tank_tests
from remora_evidence.studies.simu2vita.mission import fly
from tunnel_oracle import fly as fly_without_the_loop


def figure_of(figures, words):
    return next(figure for figure in figures if words in figure.name)


def test_steps_of_the_falcon_are_single_runs_at_each_level():
    """They were ten to sixty-four, averaged, under the name of the printed amount of data."""
    noisy, clean = (thrust_steps.step_runs(thrust_steps.UP, seed) for seed in (1, None))
    assert len(noisy) == 4
    errors = np.concatenate([one.speeds - other.speeds for one, other in zip(noisy, clean, strict=True)])
    assert errors.std() == pytest.approx(0.04, rel=0.1)


@pytest.mark.parametrize("direction", [thrust_steps.DOWN, thrust_steps.UP], ids=["down", "up"])
def test_heave_steps_without_noise_give_the_numbers_and_the_net_weight_of_the_falcon(direction):
    fit = thrust_steps.fitted(direction, None)
    weight = -net_buoyancy(thrust_steps.falcon().parameters)
    assert thrust_steps.known_effort(direction) == pytest.approx(weight)
    assert fit.values[[0, 2]] == pytest.approx(direction.truth[[0, 2]], rel=0.01)
    assert fit.values[3] == pytest.approx(weight / direction.share, rel=0.01)


def test_intervals_that_are_too_narrow_miss_the_coverage_of_steps(monkeypatch):
    true = thrust_steps.fitted

    def narrow(direction, seed, repeats=1):
        fit = true(direction, 1)
        return replace(fit, covariance=1e-6 * fit.covariance)

    monkeypatch.setattr(thrust_steps, "fitted", narrow)
    monkeypatch.setattr(thrust_steps, "DIRECTIONS", (thrust_steps.STARBOARD,))
    covered = figure_of(find_study("X6").run(range(1, 41)), "intervals that hold the truth, all")
    assert (covered.relation, covered.bound) == ("at least", 90.0)
    assert not covered.holds
    assert figure_of(find_study("X6").run([1]), "intervals that hold the truth, all").relation == "reported"


def test_the_printed_staircase_has_one_rest_and_stands_for_each_module_size():
    levels = tank_tests.staircase(False, tank_tests.STAIRCASES)
    assert levels.tolist() == 2 * [1500, 1525, 1540, 1560, 1580, 1600, 1620, 1640, 1660, 1680, 1700]


def test_towing_starts_from_samples_of_load_cells():
    drag = tank_tests.Drag(0.0, 34.96)
    found = tank_tests.towed_run(drag, 1.0, 3, "surge 1")
    assert found.samples == 2000
    assert found.sigma == pytest.approx(1.0 / np.sqrt(2000), rel=0.6)
    assert found.mean == pytest.approx(34.96 + 29.06, abs=0.4)


@pytest.mark.parametrize(
    ("module", "fit", "study"),
    [
        (thrusters, "fit_quadratic_thrust", "R30"),
        (devices, "fit_command_map", "X4"),
        (devices, "fit_inflow_thrust", "X4"),
        (tank_tests, "fit_towing_drag", "modular-14.6"),
        (tank_tests, "fit_bollard_staircase", "modular-14.5"),
    ],
)
def test_studies_use_the_fits_of_the_library(monkeypatch, module, fit, study):
    def refuse(*arguments, **keywords):
        raise AssertionError(f"{fit} was asked")

    with forgotten(module):
        monkeypatch.setattr(module, fit, refuse)
        assert f"{fit} was asked" in judged_alone(study).error


def test_thrusters_without_limits_miss_the_study_of_allocation(monkeypatch):
    bounded = thrusters.bounded_allocation

    def unlimited(*arguments):
        one = bounded(*arguments)
        return replace(one, lowest=np.full_like(one.lowest, -np.inf), highest=np.full_like(one.highest, np.inf))

    monkeypatch.setattr(thrusters, "bounded_allocation", unlimited)
    assert judged_alone("R31").verdict == "partly"


def test_an_engine_that_stands_still_misses_the_table_of_simulators(monkeypatch):
    with forgotten(simulators):
        monkeypatch.setattr(CompensatedEngine, "advance", lambda *arguments, **keywords: None)
        assert judged_alone("C20").verdict != "holds"


def test_sensors_without_latency_and_a_dvl_without_lever_fail(monkeypatch):
    late = latencies.readings_of
    at_once = [reading._replace(arrival_ns=reading.stamp_ns) for reading in late("dvl", 1)]
    monkeypatch.setattr(latencies, "readings_of", lambda name, seed: at_once)
    assert abs(latencies.seen("dvl", 1).latency().offset) < 0.05
    monkeypatch.setattr(latencies, "readings_of", late)
    with forgotten(latencies):
        monkeypatch.setattr(latencies, "place_of", lambda name: (0.0, 0.0, 0.0))
        assert judged_alone("X16").verdict == "fails"


def test_the_tunnel_of_the_studies_is_flown_by_the_shipped_loop():
    flown = fly("tunnel", {"duration": "5 s", "log": {"rate": "400 Hz"}})
    oracle = fly_without_the_loop(5.0)
    assert np.abs(flown.states - oracle.states).max() < 1e-12
    assert np.abs(flown.readings - oracle.readings).max() < 1e-12
    assert np.abs(flown.commands[:-1] - oracle.commands).max() < 1e-10
    assert np.abs(flown.asked[:, 1] - [one.vertical for one in oracle.references]).max() < 1e-12
