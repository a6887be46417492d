"""Filters that run as parts, over logs: the estimates of the flight to the bit, options of files, refused input."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import remora
from remora.cli import main
from remora.equations.algebra.vectors import ZERO6
from remora.interop.recorded import (
    chosen_filter,
    commands_of_log,
    name_of_vehicle,
    part_of_log,
    suite_of_log,
    with_options,
)
from remora.logs import Log, read_log
from remora.logs.schema import RunHeader
from remora.messages.part import PartInput, PartReport
from remora.messages.reading import Reading, Status
from remora.navigation.replays import RecordedTruth, error_over_distance, replay_part
from remora.navigation.replays.replay import TimedReport
from remora.report.filter_replays import part_lines

FLOWN = {
    "model_aided": ("gavia_survey", {}),
    "falcon_filter": (
        "falcon_boathouse",
        {"vehicles[0].navigation": {"part": "falcon_filter", "rate": "20 Hz"}, "water.density": "1000 kg/m3"},
    ),
}


@pytest.fixture(scope="module", params=FLOWN)
def flight(request, tmp_path_factory):
    """Name of a filter, and a log that was flown with it; commands are logged as often as they change."""
    scenario, changes = FLOWN[request.param]
    path = tmp_path_factory.mktemp("replayed") / "run.mcap"
    given = remora.load_scenario(scenario).with_({"duration": "6 s", "log.rate": "20 Hz", **changes})
    with pytest.warns(remora.RunWarning):
        remora.simulate(given, log=path)
    return request.param, path


def position_line(result):
    return next(line for line in result.output.splitlines() if line.startswith("position"))


def invoked(*arguments):
    return CliRunner().invoke(main, ["replay", *map(str, arguments)])


def test_a_replay_repeats_the_estimates_of_the_flight(flight):
    name, path = flight
    log = read_log(path)
    vehicle = name_of_vehicle(log, None)
    chosen, recorded = chosen_filter(name, log, vehicle), suite_of_log(log)
    part = part_of_log(chosen, log, vehicle, recorded)
    seen = [one._replace(sensor=f"{vehicle}/{one.sensor}") for one in recorded.readings]
    found = replay_part(name, part, round(1e9 * chosen.period), seen, commands_of_log(log, vehicle), recorded.truth)
    series = log[f"{vehicle}/estimate"]
    flown = dict(zip(series.time_ns.tolist(), series.table("p_NB_x", "p_NB_y", "p_NB_z").tolist(), strict=True))
    assert len(found.estimates) > 50
    for one in found.estimates:
        assert list(one.p_NB) == flown[one.time_ns]
    assert found.verdict.name == "consistent"


def models_without_lock(path, tmp_path, how):
    """Velocity models in use after the bottom lock was lost at 4 s, and the one of the vehicle file."""
    log = read_log(path)
    flown = chosen_filter("model_aided", log, "auv").options
    options = {name: getattr(flown, name) for name in ("rates", "specific_force", "attitude", "velocity", "shaft")}
    file = tmp_path / f"{how}.yaml"
    text = {"part": "model_aided", **options, "rate": "10 Hz", "mode": "learning", "without_lock": how}
    file.write_text(json.dumps(text), encoding="utf-8")
    recorded = suite_of_log(log)
    part = part_of_log(chosen_filter(str(file), log, "auv"), log, "auv", recorded)
    kept = [r for r in recorded.readings if r.sensor != "dvl" or r.stamp_ns < 2e9]
    state, found = part.initial(), []
    for now in range(0, 6 * 10**9, 10**8):
        new = [r._replace(sensor=f"auv/{r.sensor}") for r in kept if now - 10**8 < r.arrival_ns <= now]
        state, _ = part.step(state, PartInput(now, tuple(new), {}, None, None, ZERO6, ZERO6, None))
        found += [state.model] if state.belief is not None and not state.is_locked else []
    return found, part.baseline


@pytest.mark.parametrize("flight", ["model_aided"], indirect=True)
def test_a_learnt_model_is_kept_or_followed_without_bottom_lock(flight, tmp_path):
    frozen, baseline = models_without_lock(flight[1], tmp_path, "frozen")
    followed, _ = models_without_lock(flight[1], tmp_path, "followed")
    assert len(frozen) > 10
    assert set(frozen) == {frozen[0]}
    assert frozen[0] != baseline  # learnt with lock
    assert len(set(followed)) > 1


def test_the_command_takes_a_filter_by_name(flight, tmp_path):
    name, path = flight
    picture, table = tmp_path / "a.png", tmp_path / "b.csv"
    result = invoked(name, path, "--out", picture, "--csv", table)
    assert result.exit_code == 0, result.output
    assert f"filter      {name}, " in result.output
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert len(table.read_text(encoding="utf-8").splitlines()) > 50
    masked = invoked(name, path, "--out", picture, "--mask", "dvl:3:100")
    assert masked.exit_code == 0, masked.output
    assert position_line(masked) != position_line(result)


REFUSED = {
    "unknown filter": (["modell_aided"], 'Did you mean "model_aided"'),
    "three arguments": (["filter", "log"], "unexpected extra argument"),
    "unknown sensor": (["--without", "lidar"], "lidar"),
    "masked lidar": (["--mask", "lidar:1:2"], "lidar"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_wrong_arguments_are_refused(flight, tmp_path, case):
    name, path = flight
    options, message = REFUSED[case]
    own = [name] if options[0].startswith("--") else []
    result = invoked(*own, *options, path, "--out", tmp_path / "a.png")
    assert result.exit_code == 2
    assert message in result.stderr
    assert not list(tmp_path.iterdir())


def test_a_filter_without_the_sensors_that_it_needs_is_refused(flight, tmp_path):
    name, path = flight
    result = invoked(name, path, "--without", "dvl", "--out", tmp_path / "a.png")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {name}: ")


def test_the_damage_of_a_log_is_printed(flight, tmp_path):
    name, path = flight
    whole, cut = path.read_bytes(), tmp_path / "cut.mcap"
    cut.write_bytes(whole[: len(whole) * 9 // 10])
    assert "the file ends before" in invoked(name, cut, "--out", tmp_path / "a.png").stderr


def test_a_filter_with_a_model_needs_a_log_of_remora(tmp_path):
    (tmp_path / "run.yaml").write_text("sensors: []\n", encoding="utf-8")
    result = invoked("falcon_filter", tmp_path / "run.yaml")
    assert result.exit_code == 2
    assert "needs a log of Remora" in result.stderr


OPTIONS = {
    "part": "filter",
    "launch": {"position": [1.0, 2.0, 3.0], "heading": 0.5},
    "states": {"current": "0.3 m/s"},
    "at_rest": [{"from": "1 s", "until": "2 s"}],
    "without": ["pressure"],
    "pauses": [{"sensor": "dvl", "from": "3 s"}],
    "thruster_faults": True,
}


def chosen_from(tmp_path, **options):
    path = tmp_path / "filter.yaml"
    path.write_text(json.dumps({**OPTIONS, **options}), encoding="utf-8")
    return chosen_filter(str(path), None, None)


def test_options_of_a_file_are_those_of_a_scenario(flight, tmp_path):
    recorded = suite_of_log(read_log(flight[1]))
    changed, pauses = with_options(recorded, chosen_from(tmp_path).options)
    assert changed.launch.position == (1.0, 2.0, 3.0)
    assert changed.launch.heading == 0.5
    assert changed.further.current == 0.3
    assert changed.rests == ((10**9, 2 * 10**9),)
    assert "pressure" not in {entry.name for entry in changed.entries}
    assert [(pause.sensor, pause.from_ns) for pause in pauses] == [("dvl", 3 * 10**9)]
    assert changed.remarks == ("thruster_faults: thrusters are watched in scenarios and on board only",)
    with pytest.raises(remora.InputError, match="lidar"):
        with_options(recorded, chosen_from(tmp_path, without=["lidar"]).options)


FLIGHT = """
name: flight
duration: 10 s
vehicles:
  - {name: rov, file: bluerov2, navigation: {part: filter, rate: 20 Hz, states: {current: 0.3 m/s}}}
  - {name: other, file: bluerov2, navigation: truth}
"""


def test_a_filter_by_name_has_the_options_of_its_flight():
    header = RunHeader(version="", seed=0, notes={"scenario": "flight.yaml"}, texts={"flight.yaml": FLIGHT})
    log = Log(header, {}, {}, (), True)
    for name in (None, "filter"):
        assert chosen_filter(name, log, "rov").options.states.current.value == 0.3
    assert chosen_filter("falcon_filter", log, "rov").options.rate is None
    assert chosen_filter("filter", log, "other").options.states is None


def test_wrong_options_of_a_file_are_refused_with_their_line(tmp_path):
    (tmp_path / "filter.yaml").write_text("part: filter\nstates: {tide: 1 m}\n", encoding="utf-8")
    with pytest.raises(remora.InputError, match=r"filter\.yaml:2: .*tide"):
        chosen_filter(str(tmp_path / "filter.yaml"), None, None)


class Standing:
    """A part that stays where it is, and reports once."""

    fields = ()

    def __init__(self, sigma):
        self.sigma = sigma

    def initial(self):
        return 0

    def step(self, state, now):
        level, still = (1.0, 0.0, 0.0, 0.0), (0.0,) * 6
        return state + 1, remora.Estimate(now.time_ns, (0.0, 0.0, 0.0), level, still, (self.sigma,) * 3)

    def reports(self, before, after):
        yield from [PartReport("warning", "lost", {})] if before == 0 else []


def replayed(sigma, error, with_truth=True):
    stamps = 10**8 * np.arange(21)
    seen = [Reading("rov/dvl", int(stamp), int(stamp), Status.OK, (0.0,)) for stamp in stamps]
    truth = RecordedTruth(stamps, np.full((21, 3), error), np.tile([1.0, 0, 0, 0], (21, 1)), np.zeros((21, 6)))
    return replay_part("standing", Standing(sigma), 10**8, seen, None, truth if with_truth else None)


def test_errors_beyond_the_stated_deviations_are_overconfident():
    found = replayed(0.1, 0.5)
    assert found.verdict.name == "overconfident"
    assert found.nees == pytest.approx(75.0)
    assert found.reports == (TimedReport(0, PartReport("warning", "lost", {})),)
    lines = list(part_lines(found))
    assert "warning     lost (from 0.0 s on)" in lines
    assert "errors      position 0.866 m rms, 0.866 m at the end" in lines
    assert not any("of the distance" in line for line in lines)  # it stood still
    assert replayed(0.1, 0.01).verdict.name == "consistent"


def test_the_error_is_compared_with_the_distance_travelled():
    """A square of 10 m: the distance counts along its sides, the error across the horizontal plane."""
    corners = np.array([[0, 0, 5], [10, 0, 5], [10, 10, 5], [0, 10, 5], [0, 0, 5]], dtype=float)
    truth = RecordedTruth(10**9 * np.arange(5), corners, np.tile([1.0, 0, 0, 0], (5, 1)), np.zeros((5, 6)))
    errors = np.array([[0.0, 0.0, 0.0], [0.3, 0.4, 9.0]])
    found = error_over_distance(np.array([0, 3_500_000_000]), errors, truth)
    assert found.distance == pytest.approx([0.0, 35.0])
    assert found.error == pytest.approx([0.0, 0.5])
    assert found.share == pytest.approx(0.5 / 35.0)


def test_without_a_truth_a_part_is_not_judged():
    found = replayed(0.1, 0.5, with_truth=False)
    assert found.verdict.name == "not judged"
    assert "truth       none in the log" in part_lines(found)
