"""Straight legs of missions in a current: cross-track error, swings, wind-up, and the exit code where they fail.

The cross-track error is that of the truth and counts 10 m after the start of a leg. Sway is the velocity over ground to
the side, of which the mean of a leg is taken away: with a fixed heading that lies off the leg it is not zero.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from missions.test_bundled_missions import changed, flown
from remora.logs import Log
from remora.report.logs.recorded_scene import depths_below, scene_of

pytestmark = pytest.mark.usefixtures("blank_pictures")

LARGEST_RMS, LARGEST_SWAY = 0.1, 0.02  # m and m/s
AFTER = 10.0  # m from the start of a leg


class FlownLeg(NamedTuple):
    """Truth along a leg, from 10 m after its start on."""

    length: float  # m
    across: np.ndarray  # m
    sway: np.ndarray  # m/s, without its mean
    position: np.ndarray  # m

    @property
    def rms(self) -> float:
        return float(np.sqrt(np.mean(self.across**2)))


def flown_legs(log: Log, vehicle: str, after: float = AFTER) -> list[FlownLeg]:
    """All legs of a run that are longer than a distance in m, from the reference and the truth."""
    truth, reference = log[f"{vehicle}/truth"], log[f"{vehicle}/reference"]
    at = np.clip(np.searchsorted(reference.time_ns, truth.time_ns, side="right") - 1, 0, None)
    ends = reference.table(*(f"leg_{end}_{axis}" for end in ("start", "end") for axis in "xy"))[at]
    position, sway = truth.table("p_NB_x", "p_NB_y", "p_NB_z"), truth["v_NB_B_y"]
    targets = np.column_stack([reference["waypoint"][at], ends[:, 2:].round(0)])
    found = []
    for target in np.unique(targets, axis=0):
        on_it = (targets == target).all(axis=1) & np.isfinite(ends[:, 0])
        way = ends[on_it, 2:] - ends[on_it, :2]
        length = np.hypot(*way.T)
        off = position[on_it, :2] - ends[on_it, :2]
        along = (off * way).sum(axis=1) / length
        across = (way[:, 0] * off[:, 1] - way[:, 1] * off[:, 0]) / length
        late = along > after
        if late.any():
            straight = sway[on_it][late]
            found.append(FlownLeg(float(length[-1]), across[late], straight - straight.mean(), position[on_it][late]))
    return found


def check(legs: list[FlownLeg], lengths: list[float]) -> None:
    """Bounds of cross-track error and sway on legs of these lengths."""
    assert sorted(leg.length for leg in legs) == pytest.approx(sorted(lengths), abs=0.2)
    for leg in legs:
        assert leg.rms < LARGEST_RMS
        assert np.sqrt(np.mean(leg.sway**2)) < LARGEST_SWAY


def test_a_survey_over_a_slope_follows_its_lines_at_its_altitude(tmp_path: Path) -> None:
    run = flown("rov_survey", tmp_path, "--duration", "240")  # two lines, one in each direction
    assert run.code == 0, run.err
    legs = [leg for leg in flown_legs(run.log, "rov") if leg.length > 11.0]
    check(legs, [40.0, 40.0])
    bed = scene_of(run.log.header)[0].bed
    assert bed is not None
    for leg in legs:
        altitude = depths_below(bed, leg.position[:, :2]) - leg.position[:, 2]
        assert np.sqrt(np.mean((altitude - 3.0) ** 2)) < 0.3
        assert np.ptp(leg.position[:, 2]) > 1.5  # it follows the slope
    assert "cross-track" in run.out


def test_a_survey_in_a_current_that_is_too_strong_ends_with_code_3(tmp_path: Path) -> None:
    strong = changed("rov_survey", tmp_path, ("current: [0, 0.2 m/s, 0]", "current: [0, 1.2 m/s, 0]"))
    run = flown(strong, tmp_path, "--duration", "45")
    assert run.code == 3
    assert "of its leg" in run.err


def test_a_pipeline_beside_its_chart_is_followed_in_a_cross_current(tmp_path: Path) -> None:
    run = flown("pipe_inspection", tmp_path)
    assert run.code == 0, run.err
    (leg,) = flown_legs(run.log, "auv")
    check([leg], [50.0])
    beside = leg.position[:, 1] - 0.8  # of the pipeline itself
    assert np.sqrt(np.mean(beside**2)) < 0.1
    _, path = run.path("auv")
    first = (path[:, 0] > 14.0) & (path[:, 0] < 34.0)
    assert np.abs(path[first, 1] - 0.8).max() < 0.2


def test_a_pipeline_in_a_current_that_is_too_strong_ends_with_code_3(tmp_path: Path) -> None:
    strong = changed("pipe_inspection", tmp_path, ("current: [0, 0.2 m/s, 0]", "current: [0, 0.6 m/s, 0]"))
    assert flown(strong, tmp_path, "--duration", "45").code == 3


def test_a_pilot_flies_to_waypoints_in_a_strong_current(tmp_path: Path) -> None:
    run = flown("pilot_current", tmp_path)
    assert run.code == 0, run.err
    for leg in flown_legs(run.log, "rov", after=3.0):
        assert leg.rms < LARGEST_RMS
    time, path = run.path("rov")
    for arrived, place in (((time > 60.0) & (time < 70.0), (12.0, 0.0, 6.0)), (time > 120.0, (12.0, 6.0, 6.0))):
        assert np.linalg.norm(path[arrived] - place, axis=1).max() < 0.1
    held = (time > 12.0) & (time < 20.0)
    assert np.ptp(path[held], axis=0).max() < 0.05


def test_a_pilot_who_is_carried_off_ends_with_code_3(tmp_path: Path) -> None:
    strong = changed("pilot_current", tmp_path, ("current: [0, 0.4 m/s, 0]", "current: [0, 1.2 m/s, 0]"))
    run = flown(strong, tmp_path, "--duration", "60")
    assert run.code == 3
    assert "to starboard of its leg" in run.err


LEGS = """
name: legs
duration: 400 s
step: 10 ms
seed: 4
log: {rate: 5 Hz}
water: {bottom_depth: 60 m, current: [CURRENT]}
vehicles:
  - name: rov
    file: VEHICLE
    position: [0, 0, 5 m]
    navigation: {part: truth, rate: 20 Hz}
    guidance:
      part: lyapunov
      rate: 20 Hz
      mission: [MISSION]
    control: {part: CONTROL, rate: 20 Hz}
    allocation: {part: bounded, rate: 20 Hz}
"""


def legs(folder: Path, vehicle: str, control: str, current: str, *points: str) -> str:
    mission = ", ".join(f"{{do: transit, position: [{point}, 5 m]}}" for point in points)
    text = LEGS.replace("VEHICLE", vehicle).replace("CONTROL", control).replace("CURRENT", current)
    (folder / "legs.yaml").write_text(text.replace("MISSION", mission))
    return str(folder / "legs.yaml")


@pytest.mark.parametrize("control", ["pid", "adaptive", "l1_adaptive", "sliding_mode"])
def test_a_falcon_on_a_leg_across_a_current_does_not_swing(control: str, tmp_path: Path) -> None:
    run = flown(legs(tmp_path, "falcon", control, "0, 0.11 m/s, 0", "60 m, 0"), tmp_path, "--duration", "140")
    (leg,) = flown_legs(run.log, "rov")
    check([leg], [60.0])
    assert run.code == 0, run.err


@pytest.mark.parametrize("control", ["pid", "adaptive", "sliding_mode", "l1_adaptive"])
def test_a_heavy_bluerov_in_a_current_from_behind_keeps_its_speed(control: str, tmp_path: Path) -> None:
    """Drag cancelled at the speed over ground feeds a limit cycle in surge."""
    scenario = legs(tmp_path, "bluerov2_heavy", control, "0.2 m/s, 0, 0", "40 m, 0")
    run = flown(scenario, tmp_path, "--duration", "90")
    assert run.code == 0, run.err
    time, path = run.path("rov")
    (leg,) = flown_legs(run.log, "rov")
    check([leg], [40.0])
    under_way = (time > 20.0) & (path[:, 0] < 35.0)
    speed = run.log["rov/truth"]["v_NB_B_x"][under_way]
    assert np.sqrt(np.mean((speed - 0.4) ** 2)) < 0.02


@pytest.mark.parametrize("control", ["pid", "adaptive", "sliding_mode", "l1_adaptive"])
def test_a_falcon_against_a_current_keeps_its_heading(control: str, tmp_path: Path) -> None:
    """The Munk moment of the flow through the water, 0.45 m/s, is cancelled and not that of the speed over ground."""
    scenario = Path(legs(tmp_path, "falcon", control, "-0.2 m/s, 0, 0", "35 m, 0"))
    slower = "part: lyapunov\n      max_speeds: [0.25, 0.2, 0.1, 0.2]"
    scenario.write_text(scenario.read_text().replace("part: lyapunov", slower))
    run = flown(str(scenario), tmp_path, "--duration", "140")
    assert run.code == 0, run.err
    (leg,) = flown_legs(run.log, "rov")
    check([leg], [35.0])
    w, x, y, z = run.log["rov/truth"].table(*(f"q_NB_{i}" for i in range(4))).T
    heading = np.degrees(np.arctan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z)))
    assert np.abs(heading).max() < 6.0


@pytest.mark.parametrize("vehicle", ["bluerov2_heavy", "flatfish_basin_adaptive"])
@pytest.mark.parametrize(
    ("current", "corner"),
    [("0, 0.2 m/s, 0", "38 m, 13 m"), ("-0.14 m/s, 0.14 m/s, 0", "25 m, 22 m"), ("0.2 m/s, 0, 0", "0, 0")],
)
def test_legs_are_followed_around_a_corner(vehicle: str, current: str, corner: str, tmp_path: Path) -> None:
    """Of 45, 90 and 180 deg, with the current from the side, from ahead and from astern."""
    run = flown(legs(tmp_path, vehicle, "pid", current, "25 m, 0", corner), tmp_path, "--duration", "190")
    assert run.code == 0, run.err
    found = flown_legs(run.log, "rov")
    assert len(found) == 2
    check(found, [leg.length for leg in found])


def test_the_integral_of_guidance_does_not_wind_up_on_the_way(tmp_path: Path) -> None:
    """A point at a distance is reached without the overshoot that a wound-up integral leaves for minutes."""
    run = flown(legs(tmp_path, "bluerov2_heavy", "pid", "0, 0, 0", "8 m, 0"), tmp_path, "--duration", "90")
    assert run.code == 0, run.err
    time, path = run.path("rov")
    assert path[:, 0].max() < 8.05
    assert np.abs(path[time > 60.0, 0] - 8.0).max() < 0.015


TORPEDO = """
name: beside
duration: 110 s
step: 20 ms
log: {rate: 5 Hz}
water: {bottom_depth: 40 m, current: [0, 0.2 m/s, 0]}
vehicles:
  - name: auv
    file: remus100
    position: [0, 0, 6 m]
    velocity: [1.2 m/s, 0, 0]
    navigation: {part: truth, rate: 10 Hz}
    guidance: {part: integral_line_of_sight, rate: 10 Hz, speed: 1.2 m/s, points: [[120 m, 0, 6 m]], LAW}
    control: {part: fin_autopilot, rate: 10 Hz, max_turn_rate: 8 deg/s}
"""


@pytest.mark.parametrize(
    ("law", "code"),
    [("law: proportional, lookahead: 20 m", 3), ("law: integral, lookahead: 8 m, gain: 0.3", 0)],
)
def test_a_vehicle_that_stays_beside_its_leg_ends_with_code_3(law: str, code: int, tmp_path: Path) -> None:
    """It comes closer to the end all the time; without integral action the current holds it beside the leg."""
    (tmp_path / "beside.yaml").write_text(TORPEDO.replace("LAW", law))
    run = flown(str(tmp_path / "beside.yaml"), tmp_path)
    assert run.code == code, run.err
    assert ("to starboard of its leg" in run.err) == (code == 3)
    leg = flown_legs(run.log, "auv", after=80.0)[0]
    assert (np.abs(leg.across).min() > 2.0) == (code == 3)
