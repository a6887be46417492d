"""Faults of sensors: what the parts are told, what the log says, and that nothing that is no number gets through."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fault_runs import logged, open_loop, told

from remora.logs import read_log
from remora.messages.part import PartInput, Role
from remora.messages.reading import Status
from remora.run.loop.loop import run
from remora.run.setup import ScheduledPart, Setup

MILLISECOND = 1_000_000


class Ear:
    """Notes every reading of a sensor and when it was handed over."""

    fields = ()

    def __init__(self, sensor: str) -> None:
        self.sensor, self.heard = sensor, list[Any]()

    def initial(self) -> tuple[()]:
        return ()

    def step(self, state: tuple[()], now: PartInput) -> tuple[tuple[()], None]:
        self.heard += [(now.time_ns, reading) for reading in now.new_readings if reading.sensor == f"rov/{self.sensor}"]
        return state, None

    def row(self, output: Any) -> tuple[float, ...]:
        return ()


def listened(faults: str, sensor: str, tmp_path: Path, surge: float = 0.0) -> tuple[list[Any], Any]:
    """What a part heard of a sensor, and the log."""
    ear = Ear(sensor)
    setup = open_loop(faults, surge=surge)
    part = ScheduledPart(Role.GUIDANCE, "ear", ear, 10 * MILLISECOND)
    vehicle = replace(setup.vehicles[0], parts=(*setup.vehicles[0].parts, part))
    outcome, log = logged(replace(setup, vehicles=(vehicle,)), tmp_path)
    assert outcome.stopped == ""
    return ear.heard, log


def during(log: Any, channel: str, field: str, first: float, last: float) -> Any:
    times = log[channel].time
    return log[channel][field][(times >= first) & (times < last)]


def test_a_frozen_sensor_repeats_itself_under_new_stamps(tmp_path: Path) -> None:
    heard, log = listened("{fault: frozen, of: dvl, at: 1 s, until: 2 s}", "dvl", tmp_path, surge=1.0)
    frozen = [r for _, r in heard if 1e9 <= r.stamp_ns < 2e9]
    assert len(frozen) == 10
    assert len({r.values for r in frozen}) == 1
    assert all(r.status == Status.OK for r in frozen)
    assert len({r.values for _, r in heard}) > 20
    assert told(log, "rov/dvl") == [(1.0, "warning", "begins"), (2.0, "warning", "ends")]


def test_a_biased_sensor_is_off_in_the_channels_of_the_unit(tmp_path: Path) -> None:
    _, plain = listened("", "dvl", tmp_path)
    _, log = listened("{fault: biased, of: dvl, by: 20 cm/s, at: 1 s, until: 2 s}", "dvl", tmp_path)
    for field, offset in (("velocity_x", 0.2), ("velocity_z", 0.2), ("altitude", 0.0)):
        assert np.allclose(during(log, "rov/dvl", field, 1, 2) - during(plain, "rov/dvl", field, 1, 2), offset)
        assert np.array_equal(during(log, "rov/dvl", field, 2, 4), during(plain, "rov/dvl", field, 2, 4))


def test_a_biased_heading_stays_within_half_a_turn(tmp_path: Path) -> None:
    _, log = listened("{fault: biased, of: ahrs, by: 200 deg, channel: heading}", "ahrs", tmp_path)
    assert np.allclose(log["rov/ahrs"]["heading"][:3], math.radians(-160.0), atol=1e-3)
    assert np.allclose(log["rov/ahrs"]["roll"][:3], 0.0, atol=1e-3)


def test_a_list_biases_each_channel(tmp_path: Path) -> None:
    _, plain = listened("", "ahrs", tmp_path)
    _, log = listened("{fault: biased, of: ahrs, by: [1 deg, 0, -2 deg]}", "ahrs", tmp_path)
    offsets = log["rov/ahrs"].table("roll", "pitch", "heading") - plain["rov/ahrs"].table("roll", "pitch", "heading")
    assert np.allclose(offsets, np.radians([1.0, 0.0, -2.0]))


def test_a_delayed_sensor_arrives_later_with_its_own_stamp(tmp_path: Path) -> None:
    heard, log = listened("{fault: delayed, of: ahrs, by: 0.35 s, at: 1 s, until: 2 s}", "ahrs", tmp_path)
    late = [now - r.stamp_ns for now, r in heard if 1e9 <= r.stamp_ns < 2e9]
    assert late == [370 * MILLISECOND] * 10
    assert during(log, "rov/ahrs", "latency", 1, 2) == pytest.approx(0.37)
    assert [now - r.stamp_ns for now, r in heard if r.stamp_ns < 1e9] == [20 * MILLISECOND] * 10


def test_a_duplicated_sensor_says_everything_twice(tmp_path: Path) -> None:
    heard, log = listened("{fault: duplicated, of: dvl, by: 30 ms, at: 1 s, until: 2 s}", "dvl", tmp_path)
    stamps = [r.stamp_ns for _, r in heard]
    assert all(stamps.count(k * 100 * MILLISECOND) == (2 if 10 <= k < 20 else 1) for k in range(39))
    second = [now - r.stamp_ns for now, r in heard if r.stamp_ns == 1_500 * MILLISECOND]
    assert second == [0, 30 * MILLISECOND]
    assert len(during(log, "rov/dvl", "status", 1, 2)) == 20


def test_readings_out_of_order_come_after_the_next_one(tmp_path: Path) -> None:
    heard, _ = listened("{fault: out_of_order, of: dvl, at: 1 s, until: 2 s}", "dvl", tmp_path)
    stamps = [r.stamp_ns // (100 * MILLISECOND) for _, r in heard]
    assert stamps[10:20] == [11, 10, 13, 12, 15, 14, 17, 16, 19, 18]
    assert stamps[:10] == list(range(10))
    assert sorted(stamps) == list(range(40))


@pytest.mark.parametrize(("word", "status"), [("off", Status.OFF), ("dropped", Status.DROPPED)])
def test_an_outage_is_a_status_and_never_a_number(word: str, status: Status, tmp_path: Path) -> None:
    heard, log = listened(f"{{fault: {word}, of: dvl, at: 1 s, until: 2 s}}", "dvl", tmp_path)
    gone = [r for _, r in heard if 1e9 <= r.stamp_ns < 2e9]
    assert len(gone) == 10
    assert all(r.status == status and all(map(math.isnan, r.values)) for r in gone)
    assert np.all(during(log, "rov/dvl", "status", 1, 2) == status)
    assert np.all(during(log, "rov/dvl", "status", 2, 4) == 0)


def test_a_share_of_readings_is_dropped_by_chance_and_the_same_each_time(tmp_path: Path) -> None:
    line = "{fault: dropped, of: dvl, share: 40 %, at: 1 s, until: 3 s}"
    lost = [during(listened(line, "dvl", tmp_path)[1], "rov/dvl", "status", 1, 3) for _ in range(2)]
    assert np.array_equal(*lost)
    assert 2 < np.sum(lost[0] == Status.DROPPED) < 15


@pytest.mark.parametrize("gives", ["nan", "infinity"])
def test_values_that_are_no_numbers_stop_there_and_are_told_with_channel_and_time(gives: str, tmp_path: Path) -> None:
    line = f"{{fault: garbage, of: dvl, gives: {gives}, channel: velocity_y, at: 1 s, until: 2 s}}"
    heard, log = listened(line, "dvl", tmp_path)
    bad = [r for _, r in heard if 1e9 <= r.stamp_ns < 2e9]
    assert len(bad) == 10
    assert all(r.status == Status.OFF and all(map(math.isnan, r.values)) for r in bad)
    errors = [e for e in log.events if e.source == "rov/dvl" and e.level == "error"]
    assert [(e.time_ns, e.data["channels"]) for e in errors] == [(1_000_000_000, ["velocity_y"])]
    assert any(e.text == "gives numbers again" and e.time_ns == 2_000_000_000 for e in log.events)
    assert np.all(np.isfinite(log["rov/dvl"]["velocity_y"]) == (log["rov/dvl"]["status"] == 0))


def test_a_run_with_garbage_says_so_in_its_outcome(tmp_path: Path) -> None:
    line = "{fault: garbage, of: dvl, at: 1 s, until: 2 s}"
    assert run(open_loop(line)).refused == ("rov/dvl",)
    assert run(open_loop("")).refused == ()


@pytest.mark.parametrize("jump", [-3.0, 2.0])
def test_the_clock_of_a_sensor_jumps_and_the_log_keeps_the_true_time(jump: float, tmp_path: Path) -> None:
    heard, log = listened(f"{{fault: clock, of: dvl, by: {jump} s, at: 1 s, until: 2 s}}", "dvl", tmp_path)
    wrong = [(now, r) for now, r in heard if 1e9 <= now < 2e9]
    assert len(wrong) == 10
    assert all(r.stamp_ns == now + round(jump * 1e9) and r.arrival_ns == now for now, r in wrong)
    assert np.array_equal(log["rov/dvl"].time_ns, np.arange(40) * 100 * MILLISECOND)
    assert np.allclose(during(log, "rov/dvl", "latency", 1, 2), -jump)


NAVIGATED = """
name: navigated
duration: 6 s
water: {density: 1025 kg/m3, bottom_depth: 30 m}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 5 m]
    velocity: [0.2 m/s, 0, 0]
    sensors:
      - {name: ahrs, kind: ahrs, position: [0, 0, 0], rate: 20 Hz}
      - {name: gyro, kind: gyro, position: [0, 0, 0], rate: 20 Hz}
      - {name: dvl, kind: dvl, position: [0, 0, 0], rate: 20 Hz}
      - {name: mark, kind: mocap_marker, position: [0, 0, 0], rate: 20 Hz}
    navigation: {part: instruments, rate: 20 Hz, attitude: ahrs, rates: gyro, velocity: dvl, position: mark}
    faults: [%s]
"""


def navigated(fault: str, tmp_path: Path) -> tuple[Any, Any]:
    from remora.scenarios import scenario_from_text

    setup: Setup = scenario_from_text(NAVIGATED % fault)
    assert run(setup, tmp_path / "log").stopped == ""
    log = read_log(tmp_path / "log")
    return log, log["rov/estimate"]["v_NB_B_x"] - log["rov/truth"]["v_NB_B_x"]


@pytest.mark.parametrize("jump", [-3.0, 2.0])
def test_navigation_survives_the_clock_jump_of_a_sensor(jump: float, tmp_path: Path) -> None:
    """Stamps that lie ahead or far back are not believed; a second later the velocity is unknown, never old for new."""
    log, error = navigated(f"{{fault: clock, of: dvl, by: {jump} s, at: 2 s, until: 4 s}}", tmp_path)
    times, valid = log["rov/estimate"].time, log["rov/estimate"]["valid"] == 1
    assert not valid[(times > 3.1) & (times < 4.0)].any()
    assert valid[times > 4.1].all()
    assert np.nanmax(np.abs(error[(times > 0.1) & ~((times > 2.0) & (times < 4.06))])) < 0.015


@pytest.mark.parametrize("fault", ["garbage", "off", "dropped"])
def test_navigation_knows_nothing_where_a_sensor_gives_nothing(fault: str, tmp_path: Path) -> None:
    log, _ = navigated(f"{{fault: {fault}, of: dvl, at: 2 s, until: 4 s}}", tmp_path)
    times, valid = log["rov/estimate"].time, log["rov/estimate"]["valid"] == 1
    assert valid[(times > 0.1) & (times < 2.9)].all()
    assert not valid[(times > 3.1) & (times < 4.0)].any()
    assert valid[times > 4.1].all()


@pytest.mark.parametrize("fault", ["duplicated", "out_of_order"])
def test_navigation_is_not_confused_by_order_and_copies(fault: str, tmp_path: Path) -> None:
    _, error = navigated(f"{{fault: {fault}, of: dvl, at: 2 s, until: 4 s}}", tmp_path)
    assert np.nanmax(np.abs(error[10:])) < 0.015
