"""Missions under way and on a line, from the bundled scenarios: judged from the log, with the exit code."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from click.testing import CliRunner

from remora.cli import main
from remora.equations.algebra.quaternions import to_euler_zyx
from remora.logs import Log, read_log
from remora.report.logs.recorded_scene import depths_below, scene_of

pytestmark = pytest.mark.usefixtures("blank_pictures")

POSITION = ("p_NB_x", "p_NB_y", "p_NB_z")


class Flown(NamedTuple):
    """What a run left."""

    code: int
    out: str
    err: str
    log: Log

    def path(self, vehicle: str) -> tuple[np.ndarray, np.ndarray]:
        """Times, s, and positions, m."""
        truth = self.log[f"{vehicle}/truth"]
        return truth.time, truth.table(*POSITION)


def flown(scenario: str, folder: Path, *options: str) -> Flown:
    file = folder / "run.mcap"
    result = CliRunner().invoke(main, ["run", scenario, "--out", str(file), "--no-page", *options])
    assert file.exists(), result.stderr
    return Flown(result.exit_code, result.stdout, result.stderr, read_log(file))


def changed(name: str, folder: Path, *changes: tuple[str, str]) -> str:
    """A bundled scenario with other texts in some places."""
    import remora.scenarios.presets as presets

    text = (Path(presets.__path__[0]) / f"{name}.yaml").read_text()
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    (folder / f"{name}.yaml").write_text(text)
    return str(folder / f"{name}.yaml")


def test_a_torpedo_follows_a_bed_at_constant_altitude(tmp_path: Path) -> None:
    run = flown("torpedo_bed", tmp_path, "--duration", "100")  # up, level and down again
    assert run.code == 0, run.err
    time, path = run.path("auv")
    bed = scene_of(run.log.header)[0].bed
    assert bed is not None
    altitude = depths_below(bed, path[:, :2]) - path[:, 2]
    under_way = time > 20.0  # it starts 5 m above the bed
    assert np.sqrt(np.mean((altitude[under_way] - 3.0) ** 2)) < 0.3
    assert altitude.min() > 2.2
    assert np.ptp(path[under_way, 2]) > 2.5  # the bed rises and falls below it
    assert np.linalg.norm(path[:, :2] - (140.0, 0.0), axis=1).min() < 6.0  # the end of the line


def test_a_torpedo_that_loses_the_bed_ends_with_code_3(tmp_path: Path) -> None:
    lost = changed("torpedo_bed", tmp_path, ("vehicles:\n", "faults: [{fault: off, of: dvl, at: 20 s}]\n\nvehicles:\n"))
    run = flown(lost, tmp_path, "--duration", "45")
    assert run.code == 3
    assert "dvl does not see the bed" in run.err


def test_a_rov_works_on_150_m_of_umbilical(tmp_path: Path) -> None:
    run = flown("umbilical", tmp_path)
    assert run.code == 0, run.err
    time, path = run.path("rov")
    assert np.linalg.norm(path[-1] - (68.0, 8.0, 41.0)) < 0.3
    staying = (time > 45.0) & (time < 60.0)
    assert np.linalg.norm(path[staying] - (68.0, 0.0, 40.0), axis=1).max() < 0.3
    pulls = np.linalg.norm(run.log["rov/umbilical"].table("pull_x", "pull_y", "pull_z"), axis=1)
    assert pulls.max() > 2.0  # the line is felt
    assert f"pulls with {pulls.max():.3g} N at most" in run.out


def test_an_umbilical_that_is_too_short_ends_with_code_3_and_its_name(tmp_path: Path) -> None:
    run = flown(changed("umbilical", tmp_path, ("length: 150 m", "length: 74 m")), tmp_path)
    assert run.code == 3
    assert np.linalg.norm(run.path("rov")[1][-1] - (68.0, 8.0, 41.0)) > 0.5
    assert "umbilical is taut" in run.err
    assert "controller" not in run.err


def test_a_rov_holds_its_place_under_waves(tmp_path: Path) -> None:
    run = flown("wave_hold", tmp_path)
    assert run.code == 0, run.err
    time, path = run.path("rov")
    away = np.linalg.norm(path[time > 20.0] - (0.0, 0.0, 4.0), axis=1)
    assert np.sqrt(np.mean(away**2)) < 0.3
    assert 0.01 < away.max() < 0.7  # the orbits of the water move it


def _echo_paths(run: Flown) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, s; horizontal distances of the echosounder from the face of the quay, m; headings, rad."""
    time, path = run.path("rov")
    s, x, y, z = run.log["rov/truth"].table(*(f"q_NB_{i}" for i in range(4))).T
    heading = np.arctan2(2.0 * (x * y + s * z), 1.0 - 2.0 * (y * y + z * z))
    return time, 4.0 - path[:, 1] - 0.15 * np.cos(heading), heading  # the face is at 4 m, the sensor at 0.15 m


def test_a_wall_is_followed_at_2_m_whatever_the_position_estimate(tmp_path: Path) -> None:
    run = flown("wall", tmp_path)
    assert run.code == 0, run.err
    time, distance, heading = _echo_paths(run)
    reckoned = run.log["rov/estimate"].table(*POSITION)[-1] - run.path("rov")[1][-1]
    assert np.linalg.norm(reckoned) > 1.0  # which is no error of this mission
    along = time > 30.0  # it starts 3.85 m away
    assert np.abs(distance[along] - 2.0).max() < 0.1
    assert np.degrees(np.abs(heading[along]).max()) < 2.0 + 1.5  # error of the compass, and its noise
    motion = run.log["rov/truth"].table("v_NB_B_y", "v_NB_B_z")[along]
    assert motion.std(axis=0).max() < 0.02  # m/s: neither snaking nor heaving
    assert run.path("rov")[1][-1, 0] > 45.0
    assert "; measured distance " in run.out


def test_a_wall_is_followed_for_200_m(tmp_path: Path) -> None:
    long = [("center: [30 m, 6 m, 6 m], size: [100 m", "center: [100 m, 6 m, 6 m], size: [260 m")]
    run = flown(changed("wall", tmp_path, *long, ("seed: 1", "seed: 7")), tmp_path, "--duration", "570")
    assert run.code == 0, run.err
    time, distance, _ = _echo_paths(run)
    assert np.abs(distance[time > 30.0] - 2.0).max() < 0.1
    assert run.path("rov")[1][-1, 0] > 195.0


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        (("size: [100 m", "size: [40 m"), "no echo of the wall from echo within 10 m"),  # it ends under way
        (("center: [30 m, 6 m", "center: [30 m, 17 m"), "no echo of the wall from echo within 10 m"),
        (("vehicles:\n", "faults: [{fault: off, of: echo, at: 20 s}]\n\nvehicles:\n"), "no echo of the wall from echo"),
        (("        rate: 10 Hz\n", "        rate: 1 Hz\n"), "swings about the distance that it is to hold"),
    ],
    ids=["ends", "too far", "sensor off", "swings"],
)
def test_a_wall_that_is_not_followed_ends_with_code_3_and_the_cause(
    change: tuple[str, str], cause: str, tmp_path: Path
) -> None:
    quick = "heading: 0, proportional_gains: [0.3, 1.5, 0.3, 0.3], max_speeds: [0.5, 0.5, 0.3, 0.5]}"
    changes = [change, ("heading: 0}", quick)] if "swings" in cause else [change]
    run = flown(changed("wall", tmp_path, *changes), tmp_path, "--duration", "60")
    assert run.code == 3
    assert cause in run.err
    assert "from its reference" not in run.err


NEAR = ("position: [0, 0, 3 m]", "position: [1.1 m, 0, 3 m]")  # it approaches at 8 cm/s


def test_a_pair_docks(tmp_path: Path) -> None:
    run = flown(changed("docking_pair", tmp_path, NEAR), tmp_path, "--duration", "14")
    assert run.code == 0, run.err
    (link,) = run.log.header.scene["links"]
    series = run.log[link["name"]]
    attached = series["attached"] > 0
    assert attached[-1]
    assert series["gap"][attached].max() < 0.01  # m
    assert f"{link['name']}: docked at" in run.out


def test_a_pair_that_stops_before_the_port_ends_with_code_3(tmp_path: Path) -> None:
    stops = ("position: [1.49 m, 0, 3 m]", "position: [1.3 m, 0, 3 m]")
    ends = [("duration: 60 s", "duration: 5 s"), ("        detach: 50 s\n", "")]
    run = flown(changed("docking_pair", tmp_path, stops, *ends), tmp_path)
    assert run.code == 3
    (link,) = run.log.header.scene["links"]
    assert not run.log[link["name"]]["attached"].any()
    assert f"{link['name']}: missed; ports" in run.out


def kick_at_hand_over(run: Flown, seconds: float = 10.0) -> float:
    """Largest growth of the errors of heading, roll and pitch after the allocation gave up a thruster, degrees."""
    (at,) = [1e-9 * event.time_ns for event in run.log.events if "disabled" in event.data]
    truth = run.log["rov/truth"]
    q = truth.table("q_NB_0", "q_NB_1", "q_NB_2", "q_NB_3")
    angles = np.degrees([to_euler_zyx(tuple(one)) for one in q.tolist()])  # the reference is level and heads north
    begin, end = np.searchsorted(truth.time, (at, at + seconds))
    sizes = np.abs(angles[begin:end])
    return float((sizes.max(axis=0) - sizes[0]).max())


def test_a_thruster_failure_that_is_detected_late_does_not_kick(tmp_path: Path) -> None:
    run = flown("detected_failure", tmp_path)
    assert run.code == 0, run.err
    assert "rov/guidance: 3 of 3 reached" in run.out
    assert kick_at_hand_over(run) < 5.0  # 16 degrees where the integrals are not transferred
    assert np.linalg.norm(run.path("rov")[1][-1] - (0.0, 4.0, 5.0)) < 0.3


def test_a_vertical_thruster_of_a_heavy_rov_that_is_detected_late_does_not_kick(tmp_path: Path) -> None:
    changes = [
        ("file: falcon", "file: bluerov2_heavy"),
        ("[imu, compass, dvl, sbl_rover, pressure]", "[imu, ahrs, dvl, depth, usbl]"),
        ("of: rear_starboard", "of: vertical_rear_port"),
    ]
    run = flown(changed("detected_failure", tmp_path, *changes), tmp_path, "--duration", "24")
    assert "does without vertical_rear_port" in run.out
    assert kick_at_hand_over(run) < 5.0  # 21 degrees of roll


def test_a_failure_that_leaves_no_lift_ends_with_code_3_and_its_name(tmp_path: Path) -> None:
    no_lift = ("of: rear_starboard, at: 3 s", "of: vertical, at: 11 s")
    run = flown(changed("detected_failure", tmp_path, no_lift), tmp_path, "--duration", "45")
    assert run.code == 3
    assert "; vertical is dead" in run.err


ID1 = """
name: id1
duration: 130 s
step: 20 ms
log: {rate: 5 Hz}
vehicles:
  - name: auv
    file: gavia
    position: [0, 0, 5 m]
    velocity: [1.2 m/s, 0, 0]
    navigation: {part: truth, rate: 10 Hz}
    guidance: {part: id1, rate: 10 Hz, speed: 1.6 m/s, settle: 10 s, duration: 120 s, depth_change: 1 m}
    control: {part: fin_autopilot, rate: 10 Hz}
"""


def test_the_identification_manoeuvre_flies_with_fins(tmp_path: Path) -> None:
    (tmp_path / "id1.yaml").write_text(ID1)
    run = flown(str(tmp_path / "id1.yaml"), tmp_path)
    assert run.code == 0, run.err
    time, path = run.path("auv")
    heading = run.log["auv/reference"]["heading"]
    assert np.degrees(np.ptp(heading)) == pytest.approx(40.0)  # twenty degrees to either side
    assert path[:, 2].max() > 5.7
    speed = np.linalg.norm(np.diff(path, axis=0), axis=1) / np.diff(time)
    assert np.ptp(speed[time[1:] > 100.0]) > 0.6  # the steps of speed
