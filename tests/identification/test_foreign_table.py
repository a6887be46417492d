"""Tables as other programs write them: the same numbers however they are written, or words with the place."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from record_example import damped_rov, driven_record

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.identification import Record, RecordError, fit_least_squares, inputs_of, record_from_arrays, record_from_csv
from remora.identification.data.checks import check_replayable
from remora.identification.data.column_map import TableOptions, read_table
from remora.identification.parameters import with_values
from remora.plant import initial_state, pack, rollout
from remora.vehicles import load_vehicle

HEAD = "time,u,n"
ROWS = ["0,0.5,-3", "0.1,0.25,-2.5", "0.2,-1e-3,4"]
TWIST = [0.5, 0.25, -1e-3]
FORCE = [-3.0, -2.5, 4.0]


def record_of(path: Path, text: str | bytes, **options: object) -> Record:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return record_from_csv(path, {"surge": "u"}, {"main": "n"}, **options)  # type: ignore[arg-type]


def lines(*parts: str, end: str = "\n") -> str:
    return end.join(parts) + end


WRITTEN = {
    "plain": lines(HEAD, *ROWS),
    "semicolons": lines(HEAD, *ROWS).replace(",", ";"),
    "decimal commas": lines(HEAD, *ROWS).replace(",", ";").replace(".", ","),
    "tabs": lines(HEAD, *ROWS).replace(",", "\t"),
    "blanks": lines(HEAD, *ROWS).replace(",", "   "),
    "byte order mark and CRLF": "\ufeff" + lines(HEAD, *ROWS, end="\r\n"),
    "remarks": lines("# rig 2; May", "", "% u in m/s", HEAD, ROWS[0], "# pause", *ROWS[1:], "", "# end"),
    "names in a remark": lines("# written by hand", "# " + HEAD, *ROWS),
    "quotes": lines('"time","u","n"', *('"' + row.replace(",", '","') + '"' for row in ROWS)),
    "a line of units": lines(HEAD, "s,m/s,N", *ROWS),
    "a line of other units": lines(HEAD, "[ms],[cm/s],[N]", "0,50,-3", "100,25,-2.5", "200,-0.1,4"),
    "units in round brackets": lines("time (ms),u (cm/s),n", "0,50,-3", "100,25,-2.5", "200,-0.1,4"),
    "units without a blank": lines("time[ms],u[cm/s],n", "0,50,-3", "100,25,-2.5", "200,-0.1,4"),
    "empty columns and trailing commas": lines("time,,u,n,", *(row.replace(",", ",,", 1) + "," for row in ROWS)),
    "text beside": lines(HEAD + ",mode", *(row + ",AUTO" for row in ROWS)),
    "dates": lines(HEAD, *(f"2025-03-01T12:00:00.{k}00Z,{row.split(',', 1)[1]}" for k, row in enumerate(ROWS))),
    "times of day": lines(HEAD, *(f"23:59:59.{k}00,{row.split(',', 1)[1]}" for k, row in enumerate(ROWS))),
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN.keys())
def test_the_same_numbers_however_they_are_written(text: str, tmp_path: Path) -> None:
    record = record_of(tmp_path / "log.csv", text)
    assert np.allclose(record.time, [0.0, 0.1, 0.2], atol=1e-6)
    assert record.speed("surge") == pytest.approx(TWIST)
    assert record.inputs is not None
    assert record.inputs.values[:, 0] == pytest.approx(FORCE)


def test_sixteen_bits_a_letter(tmp_path: Path) -> None:
    record = record_of(tmp_path / "log.csv", lines(HEAD, *ROWS).encode("utf-16"))
    assert record.speed("surge") == pytest.approx(TWIST)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (lines(HEAD, ROWS[0], "0.1,fast,1", ROWS[2]), 'log.csv:3: u is "fast", which is no number'),
        (lines("# lab", HEAD, "", ROWS[0], "0.1,2", ROWS[2]), ":5: the line is too short: 2 cells, and n is cell 3"),
        (lines(HEAD, "0,1,0,5,2,0"), "log.csv:2: 6 cells stand under 3 names (decimal commas need semicolons"),
        (lines(HEAD + ",u", *(row + ",9" for row in ROWS)), 'log.csv:1: has 2 columns "u", at 2 and 4'),
        (lines(*ROWS), "log.csv:1: has no line of names"),
        (lines(HEAD), "has 0 rows of numbers"),
        (lines(HEAD, "1/3/25 noon,1,2"), 'log.csv:2: time is "1/3/25 noon", no number and no date: write seconds'),
        (lines(HEAD, ",1,2", *ROWS), 'log.csv:2: time is ""'),
        (lines(HEAD, *ROWS).encode() + "# Größe\n".encode("latin-1"), "is no text in UTF-8"),
        (lines(HEAD, "0,1,2", "100,1,2", "200,1,2"), "stamps lie 100 s apart: are these milliseconds"),
        (lines(HEAD, "0,1,2", "1e-5,1,2", "2e-5,1,2"), "stamps lie 1e-05 s apart: is this the unit of time?"),
        (lines(HEAD, "1e12,1,2", "1000000000001,1,2", "1000000000002,1,2"), "1e+12 s, which no clock shows"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_with_its_place(text: str | bytes, words: str, tmp_path: Path) -> None:
    with pytest.raises(RecordError) as caught:
        record_of(tmp_path / "log.csv", text)
    assert words in str(caught.value)


def test_dates_have_no_unit(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r'dates, which have no unit "ms"'):
        record_of(tmp_path / "log.csv", WRITTEN["dates"].replace("time", "time [ms]", 1))


def test_an_empty_cell_is_a_hole_and_no_zero(tmp_path: Path) -> None:
    record = record_of(tmp_path / "log.csv", lines(HEAD, ROWS[0], "0.1,,1", "0.2,n/a,1", "0.3,1,1"))
    assert np.isnan(record.speed("surge")).tolist() == [False, True, True, False]


def test_lines_that_cannot_be_read_are_left_out_on_request_and_told(tmp_path: Path) -> None:
    record = record_of(tmp_path / "log.csv", lines(HEAD, *ROWS)[:-1] + "\n0.3,0.", salvage=True)
    assert len(record) == 3
    assert "1 lines that cannot be read were left out, the first is line 5." in record.provenance


def test_units_must_measure_what_the_vehicle_takes(tmp_path: Path) -> None:
    """A pulse width or a shaft speed is no force, a force no shaft speed, and degrees of a rudder are none of both."""
    path = tmp_path / "log.csv"
    path.write_text(lines("time,surge,a [rpm]", *ROWS))
    rov, torpedo = load_vehicle("bluerov2_heavy"), load_vehicle("remus100")
    for vehicle, columns, words in (
        (rov, {"front_port": "a:us"}, 'front_port: "us" does not measure a force. Use N and kgf.'),
        (rov, {"front_port": "a"}, 'front_port: "rpm" does not measure a force.'),
        (torpedo, {"propeller": "a:N"}, 'propeller: "N" does not measure a turn rate.'),
        (torpedo, {"rudder": "a:rpm"}, 'rudder: "rpm" does not measure an angle.'),
        (torpedo, {"rudder": "a:degree"}, 'the unit "degree" is not known. Use rad and deg.'),
    ):
        with pytest.raises(RecordError) as caught:
            read_table(path, vehicle, TableOptions(columns))
        assert words in str(caught.value)
    assert read_table(path, torpedo, TableOptions({"propeller": "a"})).inputs.values[2, 0] == pytest.approx(  # type: ignore[union-attr]
        4.0 * np.pi / 30.0
    )


@pytest.fixture(scope="module")
def swum() -> Record:
    """A small ROV driven by slow sinusoids, recorded without attitude."""
    rov = load_vehicle("bluerov2_heavy").parameters
    packed = pack(rov, locked=("roll", "pitch"))
    time = np.arange(6001) * 0.01
    phase = np.random.default_rng(3).uniform(0.0, 6.28, (2, 8))
    commands = 6.0 * (np.sin(0.5 * time[:, None] + phase[0]) + np.sin(1.3 * time[:, None] + phase[1]))
    states = rollout(packed, initial_state(packed), commands[:-1], 0.01)[::10]
    twist = np.where([True, True, True, False, False, True], states[:, 7:13], np.nan)
    return record_from_arrays(time[::10], twist, inputs_of("outputs", states[:, 13:], rov.thruster_names, ["N"] * 8))


def test_motion_against_the_thrust_is_refused_with_the_axes_that_turn(swum: Record) -> None:
    rov = load_vehicle("bluerov2_heavy")
    fit_least_squares(swum, rov)
    turned = replace(swum, twist=swum.twist * [1.0, -1.0, -1.0, 1.0, -1.0, -1.0])
    with pytest.raises(
        RecordError, match=r"against its thrust in sway \(.*heave \(.*yaw \(.*forward-left-up"
    ) as caught:
        fit_least_squares(turned, rov)
    assert "surge" not in str(caught.value)


def test_any_start_within_reason_goes_along_with_the_thrust(swum: Record) -> None:
    rov = load_vehicle("bluerov2_heavy")
    p = rov.parameters
    for inertia, drag in ((5.0, 0.2), (0.1, 10.0)):
        added = tuple(tuple(inertia * x for x in row) for row in p.added_mass)
        damping = tuple(tuple(drag * x for x in row) for row in p.quadratic_damping)
        wrong = replace(rov, parameters=p._replace(added_mass=added, quadratic_damping=damping))
        fit = fit_least_squares(swum, wrong, axes=["surge", "sway", "heave"])
        assert fit.values[fit.names.index("added_mass.sway")] == pytest.approx(p.added_mass[1][1], rel=0.1)


def test_forces_and_deflections_beyond_the_limits_are_another_unit(swum: Record) -> None:
    rov = load_vehicle("bluerov2_heavy")
    assert swum.inputs is not None
    pulses = replace(swum, inputs=swum.inputs._replace(values=1500.0 + 20.0 * swum.inputs.values))
    with pytest.raises(RecordError, match=r"front_starboard reaches 1\d+ N, but the vehicle gives it 51.48 at most\. "):
        fit_least_squares(pulses, rov)
    with pytest.raises(RecordError, match=r"front_starboard is usually 1\d+ N"):
        fit_least_squares(replace(pulses, inputs=pulses.inputs._replace(kind="commands")), rov)  # type: ignore[union-attr]
    torpedo = load_vehicle("remus100")
    degrees = inputs_of("outputs", 10.0 * np.sin(swum.time[:, None] * [1.0]), ["rudder"], ["rad"])
    with pytest.raises(RecordError, match=r"rudder reaches 10 rad, .*: deg given as rad\?"):
        fit_least_squares(replace(swum, inputs=degrees), torpedo)


def test_rates_in_degrees_of_a_slow_vehicle_are_found_by_comparing_axes() -> None:
    """They are below one turn per second and there is no attitude to hold them against."""
    flatfish = load_vehicle("flatfish_multidof")
    p = flatfish.parameters
    packed = pack(p, locked=("heave", "roll", "pitch"))
    random = np.random.default_rng(5)
    time = np.arange(9001) * 0.01
    frequency, phase = random.uniform(0.03, 0.2, (2, 6, 1)), random.uniform(0.0, 6.28, (2, 6, 1))
    shafts = 14.0 * np.sin(2.0 * np.pi * frequency * time + phase).sum(axis=0).T
    states = rollout(packed, initial_state(packed), shafts[:-1], 0.01)[::10]
    noise = 0.002 * random.standard_normal((len(states), 6))
    twist = np.where([True, True, False, False, False, True], states[:, 7:13] + noise, np.nan)
    inputs = inputs_of("outputs", states[:, 13:], p.thruster_names, ["rad/s"] * 6)
    good = record_from_arrays(time[::10], twist, inputs)
    fit_least_squares(good, flatfish)
    degrees = replace(good, twist=twist * [1.0, 1.0, 1.0, 1.0, 1.0, 180.0 / np.pi])
    assert np.nanmax(np.abs(degrees.twist)) < 2.0 * np.pi
    with pytest.raises(RecordError, match=r"yaw needs \d+.* times the thrust, and .*sway not: is it in deg/s\?"):
        fit_least_squares(degrees, flatfish)
    centimetres = replace(good, twist=twist * [100.0, 100.0, 1.0, 1.0, 1.0, 1.0])
    with pytest.raises(RecordError, match=r"times the thrust.*(cm/s|another unit)"):
        fit_least_squares(centimetres, flatfish)


def test_a_thruster_called_like_a_degree_of_freedom_has_a_column_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(lines("time,surge,force", *ROWS))
    vehicle = load_vehicle("docking_vehicle")
    record = read_table(path, vehicle, TableOptions({"surge_thruster": "force"}))
    assert record.inputs is not None
    assert record.inputs.names == ("surge",)
    assert record.inputs.values[:, 0] == pytest.approx(FORCE)
    assert record.speed("surge") == pytest.approx(TWIST)
    with pytest.raises(RecordError, match="no column is known for an input"):
        read_table(path, vehicle, TableOptions({}))


def test_an_axis_that_only_shows_noise_is_refused(swum: Record) -> None:
    """Without a force that is known no mass at all explains it best, and that to twelve digits."""
    rov = load_vehicle("bluerov2_heavy")
    assert swum.inputs is not None
    random = np.random.default_rng(4)
    speeds = np.where([True, False, False, False, False, False], swum.twist, 0.0)
    speeds += 0.003 * random.standard_normal(speeds.shape) * [1.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    known = np.where([True, True, False, False, False, False], speeds, np.nan)
    ahead = np.array([thruster.effect[0] for thruster in rov.parameters.thrusters])
    forces = np.outer(swum.inputs.values @ ahead, ahead / (ahead @ ahead))
    noisy = replace(swum, twist=known, inputs=swum.inputs._replace(values=forces))
    for errors in ("none", "instruments"):
        with pytest.raises(RecordError, match=r"sway would have an inertia of .*: nothing that was recorded drives it"):
            fit_least_squares(noisy, rov, errors=errors)  # type: ignore[arg-type]
    fit_least_squares(noisy, rov, axes=["surge"])


def test_a_column_that_stands_for_two_things_is_told(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(lines("time,surge,front_port", *ROWS))
    rov = load_vehicle("bluerov2_heavy")
    record = read_table(path, rov, TableOptions({"front_starboard": "front_port"}))
    assert record.provenance[1:] == ('Column "front_port" is taken for front_port and front_starboard.',)
    assert len(read_table(path, rov, TableOptions({})).provenance) == 1


def attitudes(tmp_path: Path, columns: dict[str, object], axes: str = "forward-right-down", **given: str) -> Record:
    """A record whose attitude stands in these columns."""
    table = {"time": np.arange(4) * 0.1, "u": np.zeros(4), "n": np.zeros(4), **columns}
    rows = np.column_stack([np.broadcast_to(np.asarray(values, dtype=float), 4) for values in table.values()])
    path = tmp_path / "turned.csv"
    np.savetxt(path, rows, delimiter=",", header=",".join(table), comments="")
    return record_from_csv(path, {"surge": "u"}, {"main": "n"}, attitude=given or None, axes=axes)


@pytest.mark.parametrize("axes", ["forward-right-down", "forward-left-up"])
def test_a_quaternion_is_the_attitude_that_its_angles_are(tmp_path: Path, axes: str) -> None:
    roll, pitch, yaw = 0.3, np.linspace(-0.4, 0.4, 4), 2.0
    by_angles = attitudes(
        tmp_path, {"a": roll, "b": pitch, "c": yaw}, axes, roll="a", pitch="b", yaw="c"
    ).quaternion  # fmt: skip
    w, x, y, z = from_euler_zyx(np.full(4, roll), pitch, np.full(4, yaw))
    found = attitudes(tmp_path, {"w": w, "x": x, "y": y, "z": z}, axes, w="w", x="x", y="y", z="z").quaternion
    assert found == pytest.approx(by_angles, abs=1e-12)


@pytest.mark.parametrize(
    ("columns", "given", "words"),
    [
        ({"w": 1.0, "x": 0.0, "y": 0.0}, {"w": "w", "x": "x", "y": "y"}, "attitude lacks z"),
        ({"w": 1.0, "x": 0.5, "y": 0.0, "z": 0.0}, {part: part for part in "wxyz"}, "has a length of 1.118"),
        ({"w": 1.0, "a": 0.0}, {"w": "w", "roll": "a"}, "attitude is given twice"),
    ],
)
def test_attitudes_that_are_none_are_refused(tmp_path: Path, columns, given, words: str) -> None:
    with pytest.raises(RecordError, match=words):
        attitudes(tmp_path, columns, **given)


def test_a_wrong_righting_torque_is_named_where_it_leaves_no_inertia() -> None:
    truth = damped_rov()
    stiff = with_values(truth.parameters, ["body.center_of_buoyancy.z"], [-0.2])
    record = driven_record(replace(truth, parameters=stiff), noise=(0.002, 0.001))
    names = ("added_mass.roll", "damping.linear.roll")
    with pytest.raises(RecordError, match=r"another torque of weight and buoyancy \(fit body.center_of_buoyancy.z"):
        fit_least_squares(record, truth, names, axes=["roll"])
    with pytest.raises(RecordError, match="without attitude the torque of weight and buoyancy is not known"):
        fit_least_squares(replace(record, quaternion=None), truth, names, axes=["roll"])
    found = fit_least_squares(record, truth, (*names, "body.center_of_buoyancy.z"), axes=["roll"])
    assert found.value("added_mass.roll") == pytest.approx(0.189, rel=0.02)


def test_messages_on_a_table_name_the_line_that_an_editor_shows(tmp_path):
    lines = ["# log of a swim", "", "t,u,r,n", *(f"{0.1 * k:.1f},{0.1 * (k % 7)},0.1,{k % 5}" for k in range(30))]
    lines.insert(10, "")
    file = tmp_path / "log.csv"

    def read():
        return record_from_csv(file, {"surge": "u", "yaw": "r"}, {"n": "n"}, time="t")

    file.write_text("\n".join(lines) + "\n")
    assert [read().line_of(row) for row in (0, 6, 7)] == [4, 10, 12]
    broken = [*lines]
    broken[20] = broken[20].replace(",0.1,", ",,")
    file.write_text("\n".join(broken) + "\n")
    with pytest.raises(RecordError, match=r"log.csv:21: twist is NaN in 1 rows, the first is line 21, at 1.6 s"):
        check_replayable(read(), {})
    broken[20] = lines[20].replace(",0.1,", ",inf,")
    file.write_text("\n".join(broken) + "\n")
    with pytest.raises(RecordError, match=r"log.csv:21: r is infinite"):
        read()
