"""ROVs without a DVL hold depth and heading; lost sensors lead to the safe output and are named."""

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from click.testing import CliRunner

import remora.scenarios.presets as presets
from remora.cli import main
from remora.logs import Log, read_log

pytestmark = pytest.mark.usefixtures("blank_pictures")

SETTLED = 20.0  # s after the reference has stopped to change
DEPTH, HEADING, TILT = 0.05, math.radians(2.0), math.radians(30.0)


class Flown(NamedTuple):
    """What a run left."""

    code: int
    out: str
    err: str
    log: Log


class Flight(NamedTuple):
    """True errors against the reference, and the tilt; NaN where nothing is held."""

    time: np.ndarray
    depth: np.ndarray  # m
    heading: np.ndarray  # rad
    tilt: np.ndarray  # rad
    is_settled: np.ndarray

    def at_most(self, depth: float, heading: float, tilt: float) -> bool:
        """Whether the settled errors, and the tilt at any time, are within bounds."""
        assert self.is_settled.mean() > 0.3
        deep, turned = np.abs(self.depth[self.is_settled]).max(), np.abs(self.heading[self.is_settled]).max()
        return bool(deep < depth and turned < heading and self.tilt.max() < tilt)


def flown(scenario: str, folder: Path, *options: str) -> Flown:
    file = folder / "run.mcap"
    result = CliRunner().invoke(main, ["run", scenario, "--out", str(file), "--no-page", *options])
    assert file.exists(), result.stderr
    return Flown(result.exit_code, result.stdout, result.stderr, read_log(file))


def refused(text: str, folder: Path) -> str:
    """Messages of a scenario that is refused before the run."""
    (folder / "refused.yaml").write_text(text)
    result = CliRunner().invoke(main, ["run", str(folder / "refused.yaml"), "--out", str(folder / "run.mcap")])
    assert result.exit_code == 2, result.stdout
    return result.stderr


def preset(name: str, *changes: tuple[str, str]) -> str:
    """Text of a bundled scenario with other texts in some places."""
    text = (Path(presets.__path__[0]) / f"{name}.yaml").read_text()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def written(text: str, folder: Path) -> str:
    (folder / "changed.yaml").write_text(text)
    return str(folder / "changed.yaml")


def flight(log: Log, vehicle: str = "rov") -> Flight:
    """Errors of the truth against the latest reference."""
    truth, reference = log[f"{vehicle}/truth"], log[f"{vehicle}/reference"]
    latest = np.clip(np.searchsorted(reference.time, truth.time, side="right") - 1, 0, None)
    depth, course = reference["depth"][latest], reference["heading"][latest]
    w, x, y, z = truth.table(*(f"q_NB_{i}" for i in range(4))).T
    heading = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    tilt = np.arccos(np.clip(1.0 - 2.0 * (x * x + y * y), -1.0, 1.0))
    changes = (np.abs(np.diff(depth)) > 1e-6) | (np.abs(np.diff(course)) > 1e-6)
    last = np.maximum.accumulate(np.where(np.concatenate([[True], changes]), truth.time, 0.0))
    settled = (truth.time - last > SETTLED) & np.isfinite(depth + course)
    turned = (heading - course + math.pi) % math.tau - math.pi
    return Flight(truth.time, truth["p_NB_z"] - depth, turned, tilt, settled)


def texts(log: Log, source: str) -> list[str]:
    return [event.text for event in log.events if event.source == source]


@pytest.mark.parametrize(("vehicle", "seed"), [("bluerov2", 1), ("bluerov2", 2), ("bluerov2_heavy", 3)])
def test_a_rov_without_a_dvl_holds_depth_and_heading_for_ten_minutes(vehicle: str, seed: int, tmp_path: Path) -> None:
    """Dives, turns and pushes in a current with attitude, turn rates and depth alone."""
    text = preset("rov_without_dvl", ("file: bluerov2\n", f"file: {vehicle}\n"))
    run = flown(written(text, tmp_path), tmp_path, "--seed", str(seed))
    assert run.code == 0, run.err
    held, truth = flight(run.log), run.log["rov/truth"]
    assert held.time[-1] == pytest.approx(600.0)
    assert held.at_most(DEPTH, HEADING, TILT)
    assert np.isnan(run.log["rov/estimate"]["v_NB_B_x"]).all()  # nothing measures a velocity
    assert np.isfinite(run.log["rov/estimate"]["p_NB_z"][1:]).all()  # what is known is in the log
    ahead = (held.time > 130.0) & (held.time < 160.0)  # pushed to the east
    speed = np.gradient(truth["p_NB_y"], truth.time)
    assert speed[ahead].max() > speed[held.time > 580.0].max() + 0.05  # than the water
    assert truth["p_NB_z"].max() == pytest.approx(12.0, abs=0.1)


OWN_ROV = """
name: mule
title: Six thrusters of a user, four vectored and two vertical
source: invented for a test
use: test of an own vehicle
water: {density: 1000 kg/m3, gravity: 9.81 m/s2}
body:
  mass: 24 kg
  buoyancy: 238 N
  inertia: {moments: [0.7, 1.1, 1.2]}
  center_of_gravity: [0, 0, 3 cm]
  center_of_buoyancy: [0, 0, -1 cm]
added_mass: {diagonal: [9, 16, 24, 0.4, 0.6, 0.5]}
damping:
  linear: {diagonal: [6, 9, 12, 0.3, 0.3, 0.4]}
  quadratic: {diagonal: [45, 70, 90, 2, 2, 2]}
thruster_defaults: {law: force, limits: [-30 N, 35 N], time_constant: 0.25 s}
thrusters:
  - {name: a, position: [0.25, 0.2, 0.02], direction: [1, -1, 0]}
  - {name: b, position: [0.25, -0.2, 0.02], direction: [1, 1, 0]}
  - {name: c, position: [-0.25, 0.2, 0.02], direction: [-1, -1, 0]}
  - {name: d, position: [-0.25, -0.2, 0.02], direction: [-1, 1, 0]}
  - {name: e, position: [0, 0.2, 0], direction: [0, 0, -1]}
  - {name: f, position: [0, -0.2, 0], direction: [0, 0, -1]}
"""
SENSORS = """sensors:
      - {name: ahrs, kind: ahrs, position: [0, 0, 0], rate: 50 Hz,
         parameters: {roll_std: 0.3 deg, pitch_std: 0.3 deg, heading_std: 0.5 deg}}
      - {name: gyro, kind: gyro, position: [0, 0, 0], rate: 50 Hz, parameters: {std: 0.2 deg/s}}
      - {name: depth, kind: pressure, position: [0.2 m, 0, 0], rate: 10 Hz, parameters: {std: 30 Pa, water: uniform}}"""


@pytest.mark.parametrize("vehicle", ["falcon", "flatfish_bay_ls", "mule.yaml"])
def test_other_vehicles_hold_depth_and_heading_without_a_velocity(vehicle: str, tmp_path: Path) -> None:
    (tmp_path / "mule.yaml").write_text(OWN_ROV)
    text = preset(
        "rov_without_dvl", ("file: bluerov2\n", f"file: {vehicle}\n"), ("sensors: [ahrs, gyro, depth]", SENSORS)
    )
    text = text.replace("dwell: 60 s", "dwell: 30 s").replace("dwell: 100 s", "dwell: 40 s")
    run = flown(written(text, tmp_path), tmp_path, "--duration", "400")
    assert run.code == 0, run.err
    assert flight(run.log).at_most(DEPTH, HEADING, TILT)


@pytest.mark.parametrize(
    ("navigation", "sensors"),
    [("filter, rate: 20 Hz", "[ahrs, gyro, depth]"), ("filter, rate: 20 Hz", "[imu, ahrs, depth, altimeter]")],
)
def test_the_filter_of_a_rov_without_a_dvl_serves_depth_hold(navigation: str, sensors: str, tmp_path: Path) -> None:
    by_instruments = "instruments, rate: 50 Hz, attitude: ahrs, rates: gyro, depth: depth"
    text = preset("rov_without_dvl", ("[ahrs, gyro, depth]", sensors), (by_instruments, navigation))
    run = flown(written(text.replace("authority: mission", "authority: hold"), tmp_path), tmp_path, "--duration", "60")
    assert run.code == 0, run.err
    assert flight(run.log).at_most(DEPTH, HEADING, TILT)
    assert np.isnan(run.log["rov/estimate"]["v_NB_B_x"]).all()  # an inertial velocity that runs away is not a number


PILOT = """      authority: hold
      operator:
        - {at: 5 s, command: dive 3 45deg}
        - {at: 40 s, command: take}
        - {at: 40 s, command: force 20 0 0 0}
        - {at: 41 s, command: force 3 0 0 0}
        - {at: 42 s, command: stabilise}
        - {at: 43 s, command: force 3 0 0 0}
        - {at: 44 s, command: force 3 0 -8 0}
        - {at: 45 s, command: manual}
        - {at: 46 s, command: force 0 0 0 1}
        - {at: 47 s, command: depth_hold}
        - {at: 48 s, command: force 0 0 0 0}
        - {at: 50 s, command: hold}
"""


def piloted(*more: tuple[str, str]) -> str:
    text = preset("rov_without_dvl")
    begin, end = text.index("      authority: mission"), text.index("    control:")
    return text[:begin] + PILOT + text[end:]


def test_a_pilot_flies_by_force_in_three_modes_and_lets_go(tmp_path: Path) -> None:
    run = flown(written(piloted(), tmp_path), tmp_path, "--duration", "80")
    assert run.code == 0, run.err
    assert "surge is limited to 3.58 N" in run.err  # 20 N would tip it over
    reference, held = run.log["rov/reference"], flight(run.log)
    at = lambda name, time: float(reference[name][np.searchsorted(reference.time, time)])  # noqa: E731
    assert 3.3 < reference["surge_force"].max() < 3.59
    assert at("depth", 41.0) == pytest.approx(3.0, abs=DEPTH)  # that at which it was taken
    assert math.isnan(at("depth", 44.9))
    assert at("heave_force", 44.9) == pytest.approx(-8.0)  # stabilise: the depth is the pilot's
    assert math.isfinite(at("heading", 44.9))
    assert (at("levels", 44.9), at("levels", 46.5)) == (True, False)
    assert math.isnan(at("heading", 46.5))
    assert np.abs(held.depth[held.time > 72.0]).max() < DEPTH  # the depth at which it let go
    assert held.tilt.max() < TILT
    sources = texts(run.log, "rov/guidance")
    assert [text for text in sources if text.startswith("mode")] == [
        "mode: depth_hold", "mode: stabilise", "mode: manual", "mode: depth_hold",
    ]  # fmt: skip


def test_a_pilot_who_falls_silent_leaves_depth_and_heading_held(tmp_path: Path) -> None:
    text = piloted().replace("        - {at: 50 s, command: hold}\n", "")
    run = flown(written(text, tmp_path), tmp_path, "--duration", "80")
    silent = "the pilot was silent, the vehicle holds depth and heading"
    assert any(silent in text for text in texts(run.log, "rov/guidance"))
    held = flight(run.log)
    assert np.abs(held.depth[held.time > 72.0]).max() < DEPTH
    assert np.abs(held.heading[held.time > 72.0]).max() < HEADING


@pytest.mark.parametrize(
    ("sensor", "lacking", "safe"),
    [
        ("depth", "knows depth: depth gives no usable reading", "heave force is zero, attitude and heading are held"),
        ("ahrs", "knows attitude", "the wrench is zero until both are known again"),
        ("gyro", "knows rates: gyro gives no usable reading", "the wrench is zero until both are known again"),
    ],
)
def test_a_lost_sensor_leads_to_the_safe_output_and_is_the_one_cause(
    sensor: str, lacking: str, safe: str, tmp_path: Path
) -> None:
    fault = f"faults: [{{fault: off, of: {sensor}, at: 40 s}}]\n\nvehicles:\n"
    run = flown(written(preset("rov_without_dvl", ("vehicles:\n", fault)), tmp_path), tmp_path, "--duration", "120")
    assert run.code == 3
    warnings = [line for line in run.err.splitlines() if line.startswith("  rov,")]
    assert len(warnings) == 1, run.err
    assert lacking in warnings[0]
    assert any(safe in text for text in texts(run.log, "rov/control"))
    wrench = run.log["rov/wrench"]
    lost = wrench.time > 42.0
    assert not wrench["Z"][lost].any()
    assert sensor == "depth" or not wrench.table(*"XYZKMN")[lost].any()
    held = flight(run.log)
    assert held.tilt.max() < TILT
    if sensor == "depth":
        assert np.abs(held.heading[held.time > 60.0]).max() < HEADING


POSITION = (
    ("guidance:\n      part: pilot\n      rate: 20 Hz\n      mode: depth_hold\n      authority: mission\n", "@"),
    ("control: {part: depth_hold, rate: 50 Hz}", "control: {part: position, rate: 10 Hz}"),
)


def station_keeping(navigation: str, sensors: str) -> str:
    """The same vehicle with a controller that needs its velocity."""
    text = preset("rov_without_dvl", *POSITION)
    begin, end = text.index("    @"), text.index("    control:")
    text = text[:begin] + "    guidance: {part: hold, rate: 10 Hz}\n" + text[end:]
    begin, end = text.index("    navigation:"), text.index("    guidance:")
    text = text[:begin] + f"    navigation: {{part: filter, rate: 20 Hz{navigation}}}\n" + text[end:]
    return text.replace("[ahrs, gyro, depth]", sensors)


def test_a_controller_whose_velocity_nothing_bounds_is_refused_with_what_to_fit(tmp_path: Path) -> None:
    err = refused(station_keeping("", "[imu, ahrs, depth]"), tmp_path)
    assert '"position" needs the velocity, which the navigation never provides: no sensor of its filter bounds' in err
    assert "Fit a dvl, gps or usbl" in err
    assert "control: depth_hold" in err


def test_a_velocity_that_runs_away_is_the_one_cause_of_what_follows(tmp_path: Path) -> None:
    """Five symptoms without a cause, and the vehicle ended upside down."""
    text = station_keeping(", launch: {speed_std: 0.1 m/s}", "[imu, ahrs, depth]")
    run = flown(written(text, tmp_path), tmp_path, "--duration", "120")
    assert run.code == 3
    warnings = [line for line in run.err.splitlines() if line.startswith("  rov,")]
    assert len(warnings) == 1, run.err
    assert "no sensor measures the velocity" in warnings[0]
    estimate = run.log["rov/estimate"]
    unknown = np.isnan(estimate["v_NB_B_x"])
    assert unknown[-1]
    assert estimate["sigma_v_B_x"][~unknown].max() < 1.0
    known = np.isfinite(estimate["v_NB_B_x"])
    wrong = np.abs(estimate["v_NB_B_x"] - run.log["rov/truth"]["v_NB_B_x"][: len(known)])
    assert np.nanmax(wrong / estimate["sigma_v_B_x"]) < 4.0


CASCADE = """
name: cascade
duration: 20 s
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 4 m]
    angles: [15 deg, -10 deg, 40 deg]
    sensors: [ahrs, gyro, depth]
    navigation: {part: instruments, rate: %s, attitude: ahrs, rates: gyro, depth: depth}
    guidance: {part: "%s", rate: 10 Hz}
    control: {part: cascade, rate: %s}
    allocation: {part: pseudo_inverse, rate: %s}
"""
HEADING_ONLY = """
from typing import NamedTuple

class Course(NamedTuple):
    heading: float

class Guide:
    def __init__(self, vehicle, period): pass
    def initial(self): return ()
    def step(self, state, now): return state, Course(1.0)
"""


@pytest.mark.parametrize("rate", ["50 Hz", "100 Hz"])
def test_the_cascade_holds_an_attitude_without_a_velocity(rate: str, tmp_path: Path) -> None:
    """It asked for a whole twist and commanded zero without a word."""
    (tmp_path / "guide.py").write_text(HEADING_ONLY)
    run = flown(written(CASCADE % (rate, "guide.py:Guide", rate, rate), tmp_path), tmp_path)
    assert run.code == 0, run.err
    truth = run.log["rov/truth"]
    w, x, y, z = truth.table(*(f"q_NB_{i}" for i in range(4)))[-1]
    assert math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)) == pytest.approx(1.0, abs=0.03)
    assert abs(x) + abs(y) < 0.02


IDLE = """
class Zero:
    def __init__(self, vehicle, period): pass
    def initial(self): return ()
    def step(self, state, now):
        speed = now.estimate.twist[0] if now.estimate else 0.0
        return state, (0.0 if speed != speed else 10.0, 0.0, 0.0, 0.0, 0.0, 0.0)
"""


def test_a_controller_that_commands_nothing_for_want_of_a_quantity_is_warned_of(tmp_path: Path) -> None:
    """A part of a user that does not state its needs."""
    (tmp_path / "idle.py").write_text(IDLE)
    (tmp_path / "guide.py").write_text(HEADING_ONLY)
    text = (CASCADE % ("50 Hz", "guide.py:Guide", "50 Hz", "50 Hz")).replace("part: cascade", 'part: "idle.py:Zero"')
    run = flown(written(text, tmp_path), tmp_path)
    assert run.code == 3
    assert "commanded nothing during the whole run" in run.err
    assert "no sensor measures the velocity" in run.err


def outage(folder: Path, *changes: tuple[str, str]) -> Flown:
    return flown(written(preset("dvl_outage", *changes), folder), folder)


def test_the_error_of_a_dvl_outage_stays_inside_its_growing_deviation(tmp_path: Path) -> None:
    run = outage(tmp_path)
    assert run.code == 0, run.err
    assert "dvl is lost: no reading could be used" in run.out
    estimate, truth = run.log["rov/estimate"], run.log["rov/truth"]
    names, sigmas = [f"p_NB_{axis}" for axis in "xyz"], [f"sigma_p_N_{axis}" for axis in "xyz"]
    true = np.column_stack([np.interp(estimate.time, truth.time, truth[name]) for name in names])
    error, sigma = estimate.table(*names) - true, estimate.table(*sigmas)
    assert np.nanmax(np.abs(error[1:]) / sigma[1:]) < 3.0
    at = {time: int(np.searchsorted(estimate.time, time)) for time in (59.0, 80.0, 100.0, 119.5, 125.0)}
    growing = [sigma[at[time], 0] for time in (59.0, 80.0, 100.0, 119.5)]
    assert np.diff(growing).min() > 0.05
    assert sigma[at[125.0], 0] < 0.5 * growing[-1]  # what drifted is learnt from the first velocities
    change = estimate.table(*names)[at[125.0]] - estimate.table(*names)[at[119.5]] - (true[at[125.0]] - true[at[119.5]])
    assert (np.abs(change) < 3.0 * sigma[at[119.5]]).all()


def test_a_vehicle_does_not_jump_when_its_dvl_is_back(tmp_path: Path) -> None:
    run = outage(tmp_path)
    truth = run.log["rov/truth"]
    velocity = truth.table(*(f"v_NB_B_{axis}" for axis in "xyz"))
    near = (truth.time > 115.0) & (truth.time < 140.0)
    assert np.linalg.norm(np.diff(velocity[near], axis=0), axis=1).max() < 0.1  # in 0.1 s
    assert np.linalg.norm(velocity[near], axis=1).max() < 0.6
    assert flight_tilt(truth)[near].max() < math.radians(5.0)


def flight_tilt(truth: Any) -> np.ndarray:
    _, x, y, _ = truth.table(*(f"q_NB_{i}" for i in range(4))).T
    return np.asarray(np.arccos(np.clip(1.0 - 2.0 * (x * x + y * y), -1.0, 1.0)))


def test_an_outage_that_leads_the_vehicle_astray_ends_with_code_3_and_its_name(tmp_path: Path) -> None:
    run = outage(tmp_path, ("grade: tactical", "grade: consumer"))
    assert run.code == 3
    assert "dvl is not used (lost): " in run.err
