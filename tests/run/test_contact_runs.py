"""Vehicles of whole runs that touch the bed, walls, obstacles and each other."""

from pathlib import Path

import numpy as np
import pytest
from world_samples import SECOND, SIZE, logged, places, sphere_scenario, touches

CONTACT = f"contact: {{sizes: {{ball: {SIZE}}}}}"


def test_a_heavy_sphere_comes_to_rest_on_the_bed_at_any_step(tmp_path: Path) -> None:
    """It bounces, and lies by its net weight over its spring in the bed; within 4 mm at 10, 5 and 2.5 ms."""
    paths, ends = [], []
    for step in ("10 ms", "5 ms", "2.5 ms"):
        top = f"step: {step}\nlog: {{rate: 50 Hz}}\nbed: {{kind: flat, depth: 5 m}}\n{CONTACT}"
        setup = sphere_scenario(
            tmp_path, top, ["name: ball, position: [0, 0, 4 m]"], mass=45.0, drag=30.0, duration="8 s"
        )
        log = logged(setup, tmp_path, f"{step}.mcap")
        assert touches(log, "ball")[0] == "touches bed"
        first = next(event for event in log.events if event.text == "touches bed")
        assert (first.source, first.level, first.data) == ("ball/contact", "warning", {"other": "bed", "begins": True})
        paths.append(places(log, "ball")[:, 2])
        ends.append(log["ball/truth"].table()[-1])
    law = setup.environment.contacts({"ball": setup.vehicles[0].plant.vehicle.parameters}, 0.01)["ball"]
    sunk = 5.0 * 9.81 / law.bodies["ball"].law.stiffness
    for end in ends:
        assert end[2] == pytest.approx(4.8 + sunk, abs=1e-5)
        assert abs(end[9]) < 1e-4
    assert paths[0].max() < 4.82
    coarse, fine = (np.abs(path - paths[2]).max() for path in paths[:2])
    assert fine < coarse < 4e-3


@pytest.mark.parametrize(
    ("scene", "heading", "wall", "other"),
    [
        (
            "tunnel: {section: rectangle, width: 4 m, height: 4 m, start: [-9 m, 0, 0]}",
            "[0, 0.5 m/s, 0]",
            2.0,
            "tunnel",
        ),
        (
            "obstacles: [{kind: box, name: crate, center: [0, 3 m, 0], size: [2 m, 2 m, 2 m]}]",
            "[0, 0.5 m/s, 0]",
            2.0,
            "crate",
        ),
        (
            "obstacles: [{kind: pipe, name: pile, start: [0, 2.5 m, -9 m], end: [0, 2.5 m, 9 m], diameter: 1 m}]",
            "[0, 0.5 m/s, 0]",
            2.0,
            "pile",
        ),
    ],
)
def test_a_sphere_bounces_off_walls_and_obstacles(
    scene: str, heading: str, wall: float, other: str, tmp_path: Path
) -> None:
    """Without drag it keeps its speed up to the wall, and leaves with less than it came with."""
    entry = f"name: ball, position: [0, 0, 0], velocity: {heading}"
    log = logged(sphere_scenario(tmp_path, f"{scene}\n{CONTACT}", [entry], duration="5 s"), tmp_path)
    assert touches(log, "ball") == [f"touches {other}", f"is free of {other}"]
    begins = next(event for event in log.events if event.text == f"touches {other}")
    assert begins.time_ns == pytest.approx((wall - 0.2) / 0.5 * SECOND, abs=0.02 * SECOND)
    truth = log["ball/truth"].table()
    before = log["ball/truth"].time_ns < begins.time_ns
    assert np.abs(truth[before, 8] - 0.5).max() < 1e-12
    assert truth[:, 1].max() < wall - 0.2 + 0.03
    assert -0.5 < truth[-1, 8] < -0.1


def test_two_vehicles_that_collide_share_their_momentum(tmp_path: Path) -> None:
    """Head-on and off-centre: both tell it at the same time, and what one loses the other gains to 1e-9."""
    sizes = f"contact: {{sizes: {{one: {SIZE}, two: {SIZE}}}}}"
    entries = [
        "name: one, position: [0, 0, 5 m], velocity: [0.6 m/s, 0, 0]",
        "name: two, position: [1 m, 0.1 m, 5 m]",
    ]
    log = logged(sphere_scenario(tmp_path, sizes, entries, duration="3 s"), tmp_path)
    one, two = (log[f"{name}/truth"].table() for name in ("one", "two"))
    told = {name: [(e.time_ns, e.text) for e in log.events if e.source == f"{name}/contact"] for name in ("one", "two")}
    assert [(t, text.replace("two", "one")) for t, text in told["one"]] == told["two"]
    assert [text for _, text in told["one"]] == ["touches two", "is free of two"]
    velocities = [_in_N(table) for table in (one, two)]
    assert velocities[1][-1][0] > 0.3  # it was pushed on
    assert velocities[1][-1][1] > 0.01  # and aside
    total = velocities[0] + velocities[1]
    assert np.abs(total - [0.6, 0.0, 0.0]).max() < 1e-4


def _in_N(table: np.ndarray) -> np.ndarray:
    s, v, u = table[:, 3:4], table[:, 4:7], table[:, 7:10]
    return np.asarray(u + 2.0 * s * np.cross(v, u) + 2.0 * np.cross(v, np.cross(v, u)))


def test_a_fault_in_the_middle_of_a_collision_is_seen_by_both(tmp_path: Path) -> None:
    """The current of one steps while they touch: from then on, what one loses the other gains."""
    sizes = f"contact: {{sizes: {{one: {SIZE}, two: {SIZE}}}}}"
    entries = [
        "name: one, position: [0, 0, 5 m], velocity: [0.6 m/s, 0, 0]",
        "name: two, position: [1 m, 0, 5 m], faults: [{fault: current, change: [-0.3 m/s, 0, 0], at: 1.05 s}]",
    ]
    log = logged(sphere_scenario(tmp_path, sizes, entries, duration="3 s"), tmp_path)
    one, two = (log[f"{name}/truth"].table() for name in ("one", "two"))
    total = (one + two)[:, 7]
    assert 0.1 < two[105, 7] + 0.3 < 0.5  # they do touch
    assert np.abs(total[:105] - 0.6).max() < 1e-4
    assert np.abs(total[105:] - 0.3).max() < 1e-4
