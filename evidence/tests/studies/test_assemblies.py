"""Runs of assemblies, the tracking filter and the docking survey behind the modular studies."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from remora.cli import main
from remora.navigation.surveys.arrays import SurveyError
from remora.navigation.surveys.markers import track_kinematics
from remora.vehicles.morphologies import composite_vehicle, load_morphology
from remora_evidence.studies.modular import assemblies
from remora_evidence.studies.modular.docking_survey import docking_survey


def test_every_aspect_of_the_survey_counts_all_publications() -> None:
    survey = docking_survey()
    totals = {aspect: sum(counts.values()) for aspect, counts in survey.aspects.items()}
    assert set(totals.values()) == {survey.publications}, totals
    assert "funnel 31" in str(survey)
    listed = CliRunner().invoke(main, ["survey"])
    assert (listed.exit_code, listed.output.strip()) == (0, str(survey))
    assert json.loads(CliRunner().invoke(main, ["survey", "--json"]).output)["aspects"] == survey.aspects


def test_the_tracking_filter_follows_a_constant_speed_through_lost_frames() -> None:
    times = 0.005 * np.arange(2000)
    truth = np.column_stack([0.4 * times, 1.0 - 0.1 * times])
    seen = truth + 1e-3 * np.random.default_rng(3).normal(size=truth.shape)
    seen[800:840] = np.nan
    found = track_kinematics(seen, 0.005, 1e-3, 1.0)
    np.testing.assert_allclose(found.velocity[500:], np.broadcast_to((0.4, -0.1), (1500, 2)), atol=0.05)
    np.testing.assert_allclose(found.position[500:], truth[500:], atol=0.01)
    with pytest.raises(SurveyError, match="each measured at least once"):
        track_kinematics(np.full((5, 1), np.nan), 0.005, 1e-3, 1.0)


def test_the_marker_moves_with_its_lever_arm() -> None:
    states = np.zeros((1, 13))
    states[0, :7] = (1.0, 2.0, 3.0, np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))  # heading east
    marker = assemblies.marker_track(assemblies.OpenLoop(np.zeros(1), states), (0.2, -0.1, 0.0))
    np.testing.assert_allclose(marker, [(1.1, 2.2, 3.0)], atol=1e-12)


def test_the_turning_circle_depends_on_the_flow_at_the_propellers() -> None:
    """A model without drag per module, or with one inflow for both vehicles, misses the printed circle."""
    morphology = load_morphology("two_bluerovs")
    vehicle = composite_vehicle(morphology)
    commands = assemblies.shaft_speeds(vehicle, assemblies.PORT_THRUSTERS, 200.0)
    rates = [
        assemblies.driven(one, commands, 20.0).states[-1, 12]
        for one in (vehicle, assemblies.with_inflow_of_module(vehicle, morphology))
    ]
    np.testing.assert_allclose(rates, (0.603, 0.609), atol=0.002)
