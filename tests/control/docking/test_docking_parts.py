"""Graphs, dual decomposition, communication budget, refused teams and links."""

import math
from dataclasses import replace

import numpy as np
import pytest

from remora.control.docking.agent import sight_margins
from remora.control.docking.centralised import decompose
from remora.control.docking.link import DockingLink, communication_budget
from remora.control.docking.team import (
    NIELSEN_VEHICLE,
    CommunicationGraph,
    DockingCamera,
    DockingPrices,
    DockingTeam,
    DockingWeights,
    PoseUncertainty,
    nielsen_team,
    path_graph,
    ring_graph,
    star_graph,
)


def test_sets_of_the_printed_star_graph() -> None:
    star = CommunicationGraph(4, ((0, 1), (1, 2), (1, 3)))
    assert set(star.neighbours(1)) == {0, 2, 3}
    assert star.incident(1) == star.edges
    assert star.neighbours(0) == (1,)
    assert star.incident(0) == ((0, 1),)


def test_laplacian_and_connectivity() -> None:
    ring = ring_graph(5)
    assert np.array_equal(np.diag(ring.laplacian), [2.0] * 5)
    assert np.allclose(ring.laplacian @ np.ones(5), 0.0)
    assert ring.is_connected
    assert star_graph(6, 2).is_connected
    apart = CommunicationGraph(4, ((0, 1), (2, 3)))
    assert not apart.is_connected
    assert apart.components == (frozenset({0, 1}), frozenset({2, 3}))


def test_prices_lead_to_the_centralised_minimiser() -> None:
    """Two vertices share one number: (x - 1)^2 + 3 (x - 5)^2 has its minimum at 4."""
    minimisers = [lambda price: np.array([1.0 - price[0] / 2.0]), lambda price: np.array([5.0 - price[0] / 6.0])]
    constraint = {(0, 1): {0: np.array([[1.0]]), 1: np.array([[-1.0]])}}
    found = decompose(minimisers, constraint, step=1.0, iterations=80)
    assert found.variables[0] == pytest.approx([4.0], abs=1e-9)
    assert found.variables[1] == pytest.approx([4.0], abs=1e-9)
    assert found.prices[0, 1] == pytest.approx([-6.0], abs=1e-8)
    assert np.all(np.diff(found.residuals[:20]) < 0.0)


def test_the_printed_bit_rate() -> None:
    budget = communication_budget(15, 30, 0.05)
    assert budget.bit_rate == 1.728e6
    assert not budget.fits_acoustic_link
    assert communication_budget(2, 30, 0.05).fits_acoustic_link


TEAM = nielsen_team()
CAMERAS = {(0, 1): DockingCamera(0.0, math.radians(95.0))}


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: CommunicationGraph(2, ((0, 0),)), "joins a vertex to itself"),
        (lambda: CommunicationGraph(2, ((0, 1), (1, 0))), "listed twice"),
        (lambda: CommunicationGraph(2, ((0, 2),)), "vertices are 0 to 1"),
        (lambda: ring_graph(2), "at least three"),
        (lambda: DockingTeam(CommunicationGraph(2, ()), (NIELSEN_VEHICLE,) * 2), r"\[0\] and \[1\] are not connected"),
        (lambda: DockingTeam(path_graph(3), (NIELSEN_VEHICLE,) * 2), "2 for a graph of 3"),
        (lambda: replace(TEAM, cameras=CAMERAS), "half_angle is 95 deg: must be above 0 and below 90"),
        (lambda: replace(TEAM, cameras={(0, 1): DockingCamera(0.0, 0.0)}), "half_angle is 0 deg"),
        (lambda: replace(TEAM, cameras={(0, 0): DockingCamera(0.0, 0.4)}), "no neighbours"),
        (lambda: replace(TEAM, margin=0.5), "margin is 28.6"),
        (lambda: replace(TEAM, weights=DockingWeights((1.0, 1.0), (1.0,) * 3, (1.0,) * 3)), "weights.agreement"),
        (lambda: replace(TEAM, weights=DockingWeights((1.0,) * 3, (1.0,) * 3, (0.0, 1.0, 1.0))), "weights.force"),
        (lambda: replace(TEAM, prices=DockingPrices("newton")), "choose from admm"),
        (lambda: replace(TEAM, prices=DockingPrices(relaxation=2.0)), "relaxation is 2.0"),
        (lambda: replace(TEAM, horizon=0), "horizon is 0"),
        (lambda: replace(TEAM, step=-1.0), "step is -1.0"),
        (lambda: replace(TEAM, vehicles=(NIELSEN_VEHICLE._replace(inertia=(0.0, 1.0, 1.0)),) * 2), "inertia"),
        (lambda: replace(TEAM, targets={5: TEAM.targets[0]}), r"targets\[5\]"),
        (lambda: DockingLink(loss=1.0), r"loss is 1.0: must be in \[0, 1\)"),
        (lambda: DockingLink(delay=-0.1), "delay is -0.1"),
        (lambda: DockingLink(loss=0.1).initial(None), "random is missing"),
        (lambda: communication_budget(0, 30, 0.05), "iterations is 0"),
        (lambda: decompose([], {(0, 1): {0: np.eye(1)}}, 1.0, 1), "one matrix for each"),
    ],
)
def test_what_cannot_work_is_refused(make, words) -> None:
    with pytest.raises(ValueError, match=words):
        make()


def test_margins_follow_distance_and_uncertainty() -> None:
    states = np.array([[0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, -3.0, 0.0, 0.0, 0.0, 0.0]])
    assert set(sight_margins(TEAM, states).values()) == {0.0}
    sure, unsure = PoseUncertainty(), PoseUncertainty(0.1, 0.02)
    margins = sight_margins(TEAM, states, [sure, unsure])
    assert margins[0, 1] == pytest.approx(2.0 * 0.1 / 3.0)
    assert margins[1, 0] == pytest.approx(2.0 * math.hypot(0.02, 0.1 / 3.0))
    assert margins[0, 0] == 0.0
