"""Defects that were silent or misleading: latency, refused sensors, survey points, limits in the log, pictures."""

import numpy as np
import pytest

from remora.logs import read_log
from remora.report.logs.axes import SMALLEST_SPANS, widen
from remora.report.logs.figure import log_figure
from remora.report.simulations.summary import run_summary
from remora.run.loop.loop import run
from remora.scenarios import ScenarioError, scenario_from_text

SENSORS = """\
name: sensors
duration: 10 s
water: {bottom_depth: 30 m}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 5 m]
    sensors:
      - {name: dvl, kind: dvl, position: [0, 0, 0.1 m], rate: 5 Hz, LATENCY parameters: {DVL}}
      - {name: ahrs, kind: ahrs, position: [0, 0, 0], rate: 20 Hz}
      - {name: gyro, kind: gyro, position: [0, 0, 0], rate: 20 Hz}
      - {name: depth, kind: pressure, position: [0, 0, 0], rate: 10 Hz}
      - {name: echo, kind: ECHO, position: [0, 0, 0], orientation: {angles: [0, 0, 90 deg]}, rate: 10 Hz}
    navigation: {part: instruments, rate: 20 Hz, velocity: dvl, attitude: ahrs, rates: gyro, depth: depth}
    guidance: {part: wall_following, rate: 20 Hz, sensor: echo, distance: 2 m, speed: 0.2 m/s, depth: 6 m}
    control: {part: pid, rate: 20 Hz}
    allocation: {part: bounded, rate: 20 Hz}
    faults: [{fault: "off", of: dvl, at: 5 s}]
"""


def sensors(dvl="std: 1 cm/s", echo="echosounder", latency=""):
    return SENSORS.replace("DVL", dvl).replace("ECHO", echo).replace("LATENCY", latency)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"dvl": "std: 5"}, "sensors[0].parameters.std"),
        ({"dvl": "std: 1 cm/s, stdd: 3"}, "sensors[0].parameters.stdd"),
        ({"echo": "echosounde"}, "sensors[4].kind"),
    ],
)
def test_a_refused_sensor_is_the_only_message(given, field):
    """Navigation, guidance and faults that name it were reported too."""
    scenario_from_text(sensors())
    with pytest.raises(ScenarioError) as caught:
        scenario_from_text(sensors(**given))
    assert [problem.field for problem in caught.value.problems] == [f"vehicles[0].{field}"]


def test_other_mistakes_beside_a_refused_sensor_are_still_reported():
    with pytest.raises(ScenarioError) as caught:
        scenario_from_text(sensors("std: 5").replace("rates: gyro", "rates: giro"))
    assert len(caught.value.problems) == 2


def test_a_latency_longer_than_the_run_is_a_warning():
    late, early = (scenario_from_text(sensors(latency=f"latency: {s} s,")).vehicles[0].load_warnings for s in (10, 9))
    said = "vehicles[0].sensors[0].latency no reading arrives"
    assert any(f"{said}: the first is due at 10 s" in one.text for one in late)
    assert not any(said in one.text for one in early)


MISSION = """\
name: mission
duration: 20 s
vehicles:
  - name: rov
    file: falcon
    position: [0, 0, 5 m]
    navigation: {part: truth, rate: 20 Hz}
    guidance: {part: lyapunov, rate: 20 Hz, mission: [BEHAVIOUR], keep_out: [ZONE]}
    control: {part: pid, rate: 20 Hz}
    allocation: {part: bounded, rate: 20 Hz, axes: [surge, sway, heave, yaw]}
"""
SURVEY = "{do: survey, position: [3, 3, 4], heading: 90 deg, length: 2 m, spacing: 1 m, lines: 2}"
ZONE = "{position: [2, 5, 4], radius: 0.5 m}"


def test_a_survey_point_in_a_keep_out_zone_is_named_by_its_own_position():
    """The position of the survey, its first corner, was named."""
    far = scenario_from_text(MISSION.replace("BEHAVIOUR", SURVEY).replace("ZONE", "{position: [9, 9, 0], radius: 1 m}"))
    places = [target.north_east for target in far.vehicles[0].parts[1].part.guidance.targets]
    north, east = places[2]
    zone = f"{{position: [{north}, {east}, 4], radius: 0.5 m}}"
    with pytest.raises(ScenarioError) as caught:
        scenario_from_text(MISSION.replace("BEHAVIOUR", SURVEY).replace("ZONE", zone))
    (problem,) = caught.value.problems
    assert f"cannot be reached: ({north:.4g}, {east:.4g}, 4) m lies 0.5 m inside" in problem.message
    assert problem.field.endswith("mission[0]")


@pytest.fixture(scope="module")
def flown(tmp_path_factory):
    file = tmp_path_factory.mktemp("flown") / "run.mcap"
    text = MISSION.replace("BEHAVIOUR", "{do: go_to, position: [2, 0, 5], heading: 0}").replace("ZONE", ZONE)
    run(scenario_from_text(f"{text}    faults: [{{fault: dead, of: vertical, at: 5 s}}]\n"), file)
    return file


def test_keep_out_zones_are_drawn(flown):
    axes = log_figure(flown).figure.get_axes()[0]
    (zone,) = [patch for patch in axes.patches if patch.get_label() == "keep-out zone"]
    corners = np.asarray(zone.get_xy())
    assert np.hypot(corners[:, 0] - 5.0, corners[:, 1] - 2.0) == pytest.approx(0.5)


def test_a_dead_thruster_is_faulty_in_the_summary_of_a_log_alone(flown):
    """Only `remora run` knew limits and outages."""
    said = dict(run_summary(flown))["saturation"]
    assert said.endswith("faulty: vertical 75.0 %")
    assert dict(run_summary(read_log(flown)))["saturation"] == said


def test_curves_of_rounding_errors_are_not_drawn_at_full_scale(tmp_path):
    """A sway of 1e-12 m/s filled its axes."""
    text = MISSION[: MISSION.index("    navigation")].replace("20 s", "2 s").replace("falcon", "bluerov2_heavy")
    run(scenario_from_text(text + "    velocity: [0.5 m/s, 1.0e-12 m/s, 0]\n"), tmp_path / "run.mcap")
    figure = log_figure(tmp_path / "run.mcap").figure
    found = {axes.get_ylabel().replace("\n", " "): axes.get_ylim() for axes in figure.get_axes()}
    low, high = found["sway [m/s]"]
    assert high - low == pytest.approx(SMALLEST_SPANS["m/s"])
    low, high = found["surge [m/s]"]
    assert 0.05 < high - low < 1.0


@pytest.mark.parametrize(
    ("limits", "expected"), [((-1e-15, 1e-15), 0.01), ((5e-16, -5e-16), -0.01), ((-0.1, 0.2), 0.3)]
)
def test_the_span_of_an_axis_is_widened_to_its_minimum_and_keeps_its_direction(limits, expected):
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    axes.set_ylim(*limits)
    widen(axes, "m")
    low, high = axes.get_ylim()
    assert high - low == pytest.approx(expected)
