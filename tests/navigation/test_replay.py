"""Replay of a filter over a recorded log: the same output each time, honest verdicts, refused input."""

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import remora
from remora.cli import main
from remora.interop.recorded import filter_of, suite_of_log, suite_of_tables
from remora.logs import read_log
from remora.navigation.parts.filter_options import Pause
from remora.navigation.replays import RecordedTruth, replay
from remora.sensors.library import make_sensor
from remora.sensors.stated_errors import stated_errors
from suite_flights import SUITE, flight, readings

INDICATOR = Path(__file__).with_name("replay_indicator.csv")
SECONDS = 20.0


def sensor_item(one):
    name = "pressure" if one.kind == "pressure" else one.name  # as the parts of the scenario call it
    fields = {"position": list(one.position), "rate": one.rate, "latency": one.latency}
    return {"name": name, "kind": one.kind, **fields, "parameters": dict(one.parameters)}


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    path = tmp_path_factory.mktemp("replay") / "dive.mcap"
    changes = {"duration": "20 s", "vehicles[0].sensors": [sensor_item(one) for one in SUITE]}
    with pytest.warns(remora.RunWarning):
        remora.simulate(remora.load_scenario("remus_dive").with_(changes), log=path)
    return path


@pytest.fixture(scope="module")
def recorded(log):
    return suite_of_log(read_log(log))


@pytest.fixture(scope="module")
def made(recorded):
    return filter_of(recorded)


def replayed(made, recorded, pauses=(), seen=None):
    return replay(made, recorded.launch, recorded.readings if seen is None else seen, pauses, recorded.truth)


def invoked(*arguments):
    return CliRunner().invoke(main, ["replay", *map(str, arguments)])


def test_the_header_states_mounts_and_errors_of_the_sensors(recorded):
    assert [one.name for one in recorded.entries] == ["imu", "ahrs", "dvl", "pressure"]  # the order of the vehicle
    for entry, one in zip(recorded.entries, SUITE, strict=True):
        assert (entry.position, entry.rate, entry.latency) == (one.position, one.rate, one.latency)
        assert stated_errors(entry) == stated_errors(one._replace(name=entry.name))


def test_a_replay_has_the_same_output_each_time(made, recorded):
    """E14."""
    first, second = replayed(made, recorded), replayed(made, recorded)
    assert np.array_equal(first.run.states, second.run.states)
    assert np.array_equal(first.run.memories, second.run.memories)
    for name, series in first.run.innovations.items():
        assert np.array_equal(series.squared, second.run.innovations[name].squared)


def indicator_figures(found):
    """A few figures of a replay."""
    *_, last = found.estimates()
    figures = {f"NIS of {one.name}": one.mean_squared for one in found.sensors}
    figures |= {f"used of {one.name}": float(one.used) for one in found.sensors}
    figures |= dict(zip(("north", "east", "down"), last.p_NB, strict=True))
    figures |= dict(zip(("sigma north", "sigma east", "sigma down"), last.sigma_p_N, strict=True))
    return figures | {"mean NEES": found.errors.mean_nees}


def test_the_figures_of_a_replay_are_those_in_the_repository(made, recorded):
    """A change of the filter, the sensors or the plant shows here; after a wanted one, write the new figures."""
    known = {
        row["figure"]: float(row["value"]) for row in csv.DictReader(INDICATOR.read_text(encoding="utf-8").splitlines())
    }
    assert indicator_figures(replayed(made, recorded)) == pytest.approx(known, rel=1e-6, abs=1e-9)


def test_a_consistent_run_is_called_so(made, recorded):
    found = replayed(made, recorded)
    assert found.verdict == ("consistent", ())
    assert {one.health for one in found.sensors} == {"good"}
    assert found.errors.rms(0) < 0.1


def test_without_the_doppler_log_the_velocity_is_not_observable(made, recorded):
    found = replayed(made, recorded, [Pause("dvl", 0, 1 << 62)])
    assert found.verdict.name == "not observable"
    assert all(reason.startswith("velocity") for reason in found.verdict.reasons)
    (dvl,) = (one for one in found.sensors if one.name == "dvl")
    assert (dvl.readings, dvl.masked, dvl.used) == (100, 100, 0)


@pytest.mark.parametrize(("factor", "verdict"), [(3.0, "overconfident"), (0.3, "pessimistic")])
def test_noise_other_than_stated_is_detected(made, recorded, factor, verdict):
    """Noise of the Doppler log three times or a third of the stated one."""
    truth = recorded.truth
    random = np.random.default_rng(4)

    def changed(reading):
        if reading.sensor != "dvl":
            return reading
        i = int(np.searchsorted(truth.stamps_ns, reading.stamp_ns))
        v, w = truth.twists[i, :3], truth.twists[i, 3:]
        exact = v + np.cross(w, SUITE[2].position)
        return reading._replace(values=(*(exact + factor * 0.005 * random.standard_normal(3)).tolist(), math.nan))

    found = replayed(made, recorded, seen=[changed(one) for one in recorded.readings])
    assert found.verdict.name == verdict
    assert any(reason.startswith("dvl") for reason in found.verdict.reasons)


def test_a_gap_in_the_inertial_readings_widens_the_covariance(made, recorded):
    """As in the loop: constant velocity across two seconds, with errors inside three sigma there and afterwards."""
    seen = [r for r in recorded.readings if r.sensor != "imu" or not 10e9 < r.stamp_ns < 12e9]
    found, whole = replayed(made, recorded, seen=seen), replayed(made, recorded)
    sigma = dict(zip(found.run.stamps_ns.tolist(), found.run.sigma[:, 8], strict=True))
    wide = max(value for time, value in sigma.items() if 11.5e9 < time <= 12e9)
    assert wide > 3.0 * max(value for time, value in sigma.items() if 9e9 < time < 10e9)  # an AHRS reading limits it
    assert max(value for time, value in sigma.items() if time > 18e9) < 1.5 * whole.run.sigma[-1, 8]
    errors = found.errors
    late = errors.stamps_ns > 10e9
    deviations = found.run.sigma[np.isin(found.run.stamps_ns, errors.stamps_ns), :9]
    assert np.mean(np.abs(errors.errors)[late] <= 3.0 * deviations[late]) > 0.99
    for name, series in whole.run.innovations.items():
        assert found.run.innovations[name].count("used") == series.count("used")
    assert found.verdict.name == "consistent"


def test_a_wrong_lever_arm_is_overconfident(recorded, flown):
    """A Doppler log 3 m from its stated place, on a vehicle that turns."""
    truths, seen = flown
    moved = [one._replace(position=(3.3, 0.1, 0.2)) if one.kind == "dvl" else one for one in SUITE]
    there = recorded._replace(entries=tuple(moved), readings=tuple(seen))
    rows = list(truths.values())
    truth = RecordedTruth(
        np.array(list(truths)), np.array([t.p_NB for t in rows]), np.array([t.q_NB for t in rows]),
        np.array([t.twist for t in rows]),
    )  # fmt: skip
    start = there.launch._replace(position=rows[0].p_NB)
    found = replay(filter_of(there), start, seen, (), truth)
    assert found.verdict.name == "overconfident"
    assert found.verdict.reasons[-1].startswith("check position (lever arm), orientation, latency and stated errors of")
    assert "dvl" in found.verdict.reasons[-1]


def test_the_command_prints_writes_and_exits(log, tmp_path):
    picture, table = tmp_path / "a.png", tmp_path / "b.csv"
    result = invoked(log, "--out", picture, "--csv", table)
    assert result.exit_code == 0, result.output
    assert "verdict     consistent" in result.output
    assert picture.read_bytes().startswith(b"\x89PNG")
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert len(rows) > 190
    assert float(rows[-1]["sigma down [m]"]) < 0.1
    bounded = invoked(log, "--out", picture, "--bound")
    assert "no unbiased filter with these sensors has smaller errors" in bounded.output
    assert "unobserved  position north, position east" in bounded.output
    masked = invoked(log, "--out", picture, "--mask", "dvl:0:100")
    assert masked.exit_code == 3
    assert "not observable" in masked.output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--mask", "dvl:5"], "--mask dvl:5"),
        (["--mask", "dvl:9:5"], "--mask dvl:9:5: it ends at 5 s, before it starts; give the earlier time first"),
        (["--mask", "dvl:nan:5"], "--mask dvl:nan:5: give a sensor and two times"),
        (["--mask", "dvl:500:600"], "--mask dvl:500:600: dvl has no reading then; its readings are from 0"),
        (["--mask", "sonar:1:2"], "sonar"),
        (["--without", "sonar"], "sonar"),
        (["--vehicle", "auw"], "auv"),
    ],
)
def test_impossible_options_are_refused(log, tmp_path, options, message):
    result = invoked(log, "--out", tmp_path / "a.png", *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not list(tmp_path.iterdir())


def table_of(one, seen):
    names = [channel.name for channel in make_sensor(one, 0).description.channels]
    lines = ["stamp," + ",".join(names)]
    rows = [r for r in seen if r.sensor == one.name]
    lines += [",".join([repr(1e-9 * r.stamp_ns), *("" if math.isnan(v) else repr(v) for v in r.values)]) for r in rows]
    return lines


@pytest.fixture(scope="module")
def flown():
    truths = flight(SECONDS)
    return truths, readings(SUITE, truths, 1)


@pytest.fixture
def tables(tmp_path, flown):
    """The flight of the suite as CSV tables with their description."""
    truths, seen = flown
    units = {"specific": "m/s2", "turn": "rad/s", "velocity": "m/s", "pressure": "Pa", "altitude": "m"}
    sensors = []
    for one in SUITE:
        lines = table_of(one, seen)
        (tmp_path / f"{one.name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        channels = lines[0].split(",")[1:]
        columns = {name: f"{name}:{units.get(name.partition('_')[0], 'rad')}" for name in channels}
        item = {**sensor_item(one), "name": one.name}
        sensors.append({**item, "file": f"{one.name}.csv", "time": "stamp", "columns": columns})
    north, east, down = truths[0].p_NB
    data = {"water": {"density": 1025.0, "gravity": 9.81}, "launch": {"position": [north, east, down]}}
    return {**data, "sensors": sensors}, tmp_path, seen


def described(data, folder):
    path = folder / "run.yaml"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_tables_of_another_vehicle_give_the_same_readings(tables):
    data, folder, seen = tables
    found = suite_of_tables(described(data, folder))
    assert len(found.readings) == len(seen)
    for got, given in zip(found.readings, seen, strict=True):
        assert (got.sensor, got.stamp_ns, got.arrival_ns) == (given.sensor, given.stamp_ns, given.arrival_ns)
        assert got.values == pytest.approx(given.values, nan_ok=True)


def test_increments_and_other_units_are_converted(tables):
    """The inertial unit as increments over 20 ms, angles in degrees, depth in place of pressure."""
    data, folder, seen = tables
    imu, ahrs, _, depth = data["sensors"]
    lines = (folder / "imu.csv").read_text(encoding="utf-8").splitlines()
    rows = [[float(cell) for cell in line.split(",")] for line in lines[1:]]
    text = [f"{lines[0]},dt"] + [",".join(map(repr, [t + 0.01, *(0.02 * v for v in row), 0.02])) for t, *row in rows]
    (folder / "imu.csv").write_text("\n".join(text) + "\n", encoding="utf-8")
    imu["over"] = "dt:s"
    imu["columns"] = {k: f"{k}:{'m/s' if k.startswith('specific') else 'rad'}" for k in imu["columns"]}
    lines = (folder / "ahrs.csv").read_text(encoding="utf-8").splitlines()
    rows = [[float(cell) for cell in line.split(",")] for line in lines[1:]]
    text = [lines[0]] + [",".join(map(repr, [t, *map(math.degrees, row)])) for t, *row in rows]
    (folder / "ahrs.csv").write_text("\n".join(text) + "\n", encoding="utf-8")
    ahrs["columns"] = {k: f"{k}:deg" for k in ahrs["columns"]}
    depth["columns"] = {"pressure": "pressure:m"}
    depth["file"] = "meters.csv"
    lines = (folder / "depth.csv").read_text(encoding="utf-8").splitlines()
    rows = [[float(cell) for cell in line.split(",")] for line in lines[1:]]
    text = [lines[0]] + [f"{t!r},{p / (1025.0 * 9.81)!r}" for t, p in rows]
    (folder / "meters.csv").write_text("\n".join(text) + "\n", encoding="utf-8")
    found = suite_of_tables(described(data, folder))
    for got, given in zip(found.readings, seen, strict=True):
        assert got.stamp_ns == given.stamp_ns
        assert got.values == pytest.approx(given.values, rel=1e-9, abs=1e-12, nan_ok=True)


def swapped_lines(folder):
    path = folder / "imu.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[10], lines[11] = lines[11], lines[10]
    lines.insert(5, "")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def only_heading(folder):
    path = folder / "dvl.csv"
    path.write_text(path.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")


def bad_cell(folder):
    path = folder / "dvl.csv"
    path.write_text(path.read_text(encoding="utf-8") + "20.2,fast,0,0,0\n", encoding="utf-8")


def other_clock(folder, name, factor, offset=0.0):
    path = folder / f"{name}.csv"
    head, *rows = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]
    lines = [head, *([repr(factor * float(row[0]) + offset), *row[1:]] for row in rows)]
    path.write_text("\n".join(map(",".join, lines)) + "\n", encoding="utf-8")


def gyros_in_degrees(folder):
    path = folder / "imu.csv"
    head, *rows = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]
    lines = [head, *([*row[:4], *(repr(math.degrees(float(cell))) for cell in row[4:])] for row in rows)]
    path.write_text("\n".join(map(",".join, lines)) + "\n", encoding="utf-8")


def changed_cells(folder, name, column, change):
    """A column of a table with its numbers changed, or its cells as given."""
    path = folder / f"{name}.csv"
    head, *rows = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]
    at = head.index(column)
    for row in rows:
        row[at] = change(row[at])
    path.write_text("\n".join(map(",".join, [head, *rows])) + "\n", encoding="utf-8")


def scaled_cells(folder, name, columns, factor):
    for column in columns:
        changed_cells(folder, name, column, lambda cell: repr(factor * float(cell)))


def two_readings_at_once(folder):
    path = folder / "dvl.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    stamp, *rest = lines[7].split(",")
    lines.insert(8, ",".join([stamp, *reversed(rest)]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def decimal_commas(folder):
    path = folder / "dvl.csv"
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    text = [head, *(",".join(cell.replace(".", ",") for cell in row.split(",")) for row in rows)]
    path.write_text("\n".join(text) + "\n", encoding="utf-8")


def add_gps(data, folder):
    (folder / "gps.csv").write_text("t,lat,lon\n1.0,0.5,0.5\n2.0,0.5,0.5\n", encoding="utf-8")
    gps = {"name": "gps", "kind": "gps", "position": [0, 0, 0], "rate": 1.0, "file": "gps.csv", "time": "t"}
    data["sensors"].append({**gps, "columns": {"latitude": "lat:rad", "longitude": "lon:rad"}})


VELOCITIES = [f"velocity_{axis}" for axis in "xyz"]
DAMAGES = {
    "two sensors of one name": (lambda d, f: d["sensors"][3].update(name="dvl"), 'two sensors are called "dvl"'),
    "two readings at once": (lambda d, f: two_readings_at_once(f), 'dvl.csv, line 9: "dvl" has two readings at'),
    "decimal commas": (lambda d, f: decimal_commas(f), "decimal commas need semicolons"),
    "column of NaN": (lambda d, f: changed_cells(f, "dvl", "velocity_y", lambda cell: "nan"), "holds no number"),
    "empty column": (lambda d, f: changed_cells(f, "ahrs", "heading", lambda cell: ""), "holds no number"),
    "depth in cm": (lambda d, f: scaled_cells(f, "depth", ["pressure"], 100.0), '"dvl" sinks 0.01'),
    "velocity in cm/s": (lambda d, f: scaled_cells(f, "dvl", VELOCITIES, 100.0), "more than 10: is its unit"),
    "velocity in feet/s": (lambda d, f: scaled_cells(f, "dvl", VELOCITIES, 3.28), '"dvl" sinks 3.'),
    "force upside down": (lambda d, f: scaled_cells(f, "imu", ["specific_force_z"], -1.0), "deg away from up"),
    "heading to port": (lambda d, f: scaled_cells(f, "ahrs", ["heading"], -1.0), "turns the other way"),
    "heading of another unit": (
        lambda d, f: (
            d["sensors"][2]["columns"].update(velocity_x="velocity_x:cm/s")
            or (f / "dvl.csv").write_text((f / "dvl.csv").read_text().replace("velocity_x", "velocity_x [m/s]"))
        ),
        'column "velocity_x" is in m/s by its heading, but cm/s is stated',
    ),
    "satellites without an origin": (add_gps, "a gps needs the origin"),
    "arrival before measurement": (
        lambda d, f: d["sensors"][2].update(arrival="stamp:ms"),
        'a reading of "dvl" arrives before its measurement',
    ),
    "not text": (lambda d, f: (f / "dvl.csv").write_bytes(b"stamp,\xff\xff\x80\n1,2\n"), "no text in UTF-8"),
    "no attitude": (lambda d, f: d["sensors"].pop(1), "no sensor gives the attitude: give the heading at launch"),
    "only inertial": (lambda d, f: d.update(sensors=d["sensors"][:1]), "no sensor aids the filter"),
    "rest without an end": (lambda d, f: d.update(at_rest=[{"from": 5.0, "until": 2.0}]), "the rest ends at 2 s"),
    "gyros in deg/s": (lambda d, f: gyros_in_degrees(f), "it is in deg/s"),
    "all stamps in ms": (
        lambda d, f: [other_clock(f, one["name"], 1e3) for one in d["sensors"]],
        "stamps lie 20 s apart, but 50 Hz",
    ),
    "stamps of one table in ms": (lambda d, f: other_clock(f, "dvl", 1e3), "stamps lie 200 s apart, but 5 Hz"),
    "ten times the rate": (lambda d, f: d["sensors"][2].update(rate=50.0), "stamps lie 0.2 s apart, but 50 Hz"),
    "epoch in one table": (lambda d, f: other_clock(f, "dvl", 1.0, 1.7e9), "from 1700000000"),
    "no time in common": (lambda d, f: other_clock(f, "dvl", 1.0, 100.0), '"imu" from 0 to 2'),
    "backwards": (lambda d, f: swapped_lines(f), 'imu.csv, line 13: the clock of "imu" runs backwards'),
    "empty": (lambda d, f: only_heading(f), "is empty"),
    "bad cell": (lambda d, f: bad_cell(f), "fast"),
    "no file": (lambda d, f: (f / "dvl.csv").unlink(), "dvl.csv"),
    "no sensors": (lambda d, f: d.pop("sensors"), "sensors"),
    "no place": (lambda d, f: d["sensors"][2].pop("position"), "position"),
    "no such column": (lambda d, f: d["sensors"][2]["columns"].update(velocity_x="speed:m/s"), "speed"),
    "no such channel": (lambda d, f: d["sensors"][2]["columns"].update(velocity="velocity_x:m/s"), "velocity"),
    "no unit": (lambda d, f: d["sensors"][2]["columns"].update(velocity_x="velocity_x"), "unit"),
    "other dimension": (lambda d, f: d["sensors"][2]["columns"].update(velocity_x="velocity_x:m"), "m/s"),
    "unit off by 1000": (lambda d, f: d["sensors"][2]["columns"].update(velocity_x="velocity_x:km/s"), "unit"),
    "force without unit": (
        lambda d, f: d["sensors"][0]["columns"].update(specific_force_z="specific_force_z:mm/s2"),
        "is its unit",
    ),
    "angles": (lambda d, f: d["sensors"][1]["columns"].update(heading="heading:rev"), "unit"),
    "gyro without a column": (lambda d, f: d["sensors"][0]["columns"].pop("turn_rate_x"), "turn_rate_x"),
    "negative variance": (lambda d, f: d["launch"].update(std=-0.1), "std"),
    "unknown key": (lambda d, f: d["sensors"][0].update(rates=5), "rates"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_input_ends_in_one_message_and_writes_nothing(tables, damage):
    data, folder, _ = tables
    change, message = DAMAGES[damage]
    change(data, folder)
    path = described(data, folder)
    before = {one.name: one.read_bytes() for one in folder.iterdir()}
    result = invoked(path)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert result.stdout == ""
    assert {one.name: one.read_bytes() for one in folder.iterdir()} == before


def other_layout(folder, separator, decimal, end, encoding="utf-8"):
    """All tables as another program writes them."""
    for path in folder.glob("*.csv"):
        rows = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]
        text = end.join(separator.join(cell.replace(".", decimal) for cell in row) for row in rows)
        path.write_bytes((text + end).encode(encoding))


@pytest.mark.parametrize(
    "layout",
    [
        (";", ",", "\r\n"),
        (",", ".", "\r\n"),
        ("\t", ",", "\n"),
        (";", ",", "\r\n", "utf-16"),
        (",", ".", "\n", "utf-8-sig"),
    ],
)
def test_tables_of_other_languages_and_systems_are_read(tables, layout):
    data, folder, seen = tables
    other_layout(folder, *layout)
    found = suite_of_tables(described(data, folder))
    assert [r.values for r in found.readings] == [pytest.approx(r.values, nan_ok=True) for r in seen]


@pytest.mark.parametrize("text", ["p", "p [Pa]", "p:Pa", "p [Pa]:Pa"])
def test_a_unit_in_the_heading_counts_where_none_is_stated(tables, text):
    data, folder, seen = tables
    path = folder / "depth.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("pressure", "p [Pa],status"), encoding="utf-8")
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([lines[0], *(f"{line},fine" for line in lines[1:])]), encoding="utf-8")
    data["sensors"][3]["columns"] = {"pressure": text}
    found = suite_of_tables(described(data, folder))
    assert [r.values for r in found.readings if r.sensor == "depth"] == [r.values for r in seen if r.sensor == "depth"]


def test_repeated_lines_are_left_out_with_a_remark(tables):
    data, folder, seen = tables
    path = folder / "imu.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*lines[:20], lines[19], *lines[20:], lines[-1]]) + "\n", encoding="utf-8")
    found = suite_of_tables(described(data, folder))
    assert [r.values for r in found.readings] == [r.values for r in seen]
    assert found.remarks == ("imu: 2 lines that repeat the line before them were left out",)


def test_arrivals_of_a_table_count_as_latency(tables):
    """Messages of a modem arrive up to three seconds late, in another order."""
    data, folder, _ = tables
    dvl = data["sensors"][2]
    path = folder / "dvl.csv"
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    late = [1.0 + 2.0 * (i % 3 == 0) for i in range(len(rows))]
    lines = [f"{row},{1e3 * (float(row.split(',')[0]) + d)!r}" for row, d in zip(rows, late, strict=True)]
    path.write_text("\n".join([f"{head},got", *lines]) + "\n", encoding="utf-8")
    dvl.pop("latency")
    dvl["arrival"] = "got:ms"
    found = suite_of_tables(described(data, folder))
    assert found.entries[2].latency == pytest.approx(3.0)
    got = [r.arrival_ns - r.stamp_ns for r in found.readings if r.sensor == "dvl"]
    assert got == pytest.approx([1e9 * d for d in late], abs=2)


def test_without_a_launch_the_record_begins_at_the_depth_of_its_pressure(tables):
    data, folder, _ = tables
    data.pop("launch")
    launch = suite_of_tables(described(data, folder)).launch
    assert launch.position[:2] == (0.0, 0.0)
    assert launch.position[2] == pytest.approx(8.0, abs=0.15)  # bias of the sensor, tilt of its lever arm
    data["sensors"].pop()
    assert suite_of_tables(described(data, folder)).launch.position == (0.0, 0.0, 0.0)


def test_a_rest_of_a_recording_gives_readings_of_zero_velocity(tables):
    data, folder, seen = tables
    found = suite_of_tables(described({**data, "at_rest": [{"from": "2 s", "until": "3 s"}]}, folder))
    still = found.all_readings[len(seen) :]
    assert [r.stamp_ns for r in still] == list(range(2_000_000_000, 3_000_000_000, 100_000_000))
    assert {(r.sensor, r.values) for r in still} == {("rest", (0.0, 0.0, 0.0))}


def test_the_list_of_filters_names_parts_and_pages():
    data = json.loads(CliRunner().invoke(main, ["navigate", "--json"]).output)
    text = CliRunner().invoke(main, ["navigate"]).output
    root = Path(__file__).parents[2]
    for one in data:
        assert one["part"] in text
        assert (root / one["page"]).is_file()
    from remora.messages.part import Role
    from remora.scenarios.builders.parts import parts_for

    assert {one["part"] for one in data} <= set(parts_for(Role.NAVIGATION))
