"""`remora fit` and `remora validate`: round trips, tables and pages, and bad input as words and code 2."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from swim_example import INTERVAL, NAMES, START, TRUE, motion

from command_line import remora
from remora.identification import validation as judging
from remora.identification.methods import METHODS
from remora.plant.failures import RunError
from remora.vehicles import load_vehicle

HEAD = ["t", "u", "v", "r", *(f"n_{name}" for name in NAMES)]
MAP = {"time": "t", "surge": "u", "sway": "v", "yaw": "r", **{name: f"n_{name}" for name in NAMES}}


@pytest.fixture(scope="module")
def table() -> np.ndarray:
    return motion()


def written(path: Path, rows: np.ndarray, head: list[str] = HEAD) -> Path:
    lines = [",".join(head), *(",".join(repr(float(x)) for x in row) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def log(table: np.ndarray, tmp_path: Path) -> Path:
    return written(tmp_path / "swim.csv", table)


@pytest.fixture
def columns(tmp_path: Path) -> Path:
    path = tmp_path / "columns.yaml"
    path.write_text("".join(f"{name}: {column}\n" for name, column in MAP.items()))
    return path


def fitted(log: Path, *more: object) -> Result:
    return remora("fit", START, log, *(f"--column={name}={column}" for name, column in MAP.items()), *more)


def refused(result: Result, *words: str) -> str:
    """Code 2, no traceback, nothing on standard output, and the words."""
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    for word in words:
        assert word in result.stderr, result.stderr
    return result.stderr


def only_inputs(folder: Path) -> bool:
    return {path.suffix for path in folder.rglob("*") if path.is_file()} <= {".csv"} | {".mcap"}


def test_a_table_gives_a_vehicle_file_a_page_and_a_picture(log: Path, columns: Path, tmp_path: Path) -> None:
    out, page, picture = (tmp_path / "new" / name for name in ("rov.yaml", "rov.html", "rov.png"))
    result = remora(
        "fit", START, log, "--columns", columns, "--out", out, "--report", page, "--picture", picture, "--name", "rov"
    )
    assert result.exit_code == 0, result.output
    assert remora("check", out).exit_code == 0
    before, after, true = (load_vehicle(str(name)).parameters for name in (START, out, TRUE))
    for i in (0, 1, 5):
        inertia = [p.added_mass[i][i] + p.rigid_body_inertia[i][i] for p in (before, after, true)]
        assert inertia[1] == pytest.approx(inertia[2], rel=0.03)
        assert i == 1 or inertia[0] != pytest.approx(inertia[2], rel=0.1)  # the fit did not start from the answer
    figure = load_vehicle(str(out)).provenance["added_mass.elements.sway_sway"]
    assert 0.0 < figure.sigma < 50.0  # type: ignore[operator]
    assert figure.source == f"filtered weighted constrained instrumental variables, fitted to {log}"
    assert "warning: heave, roll, pitch were not measured and are taken as zero." in result.stdout
    text = page.read_text()
    assert text.count("data:image/png;base64,") == 1
    assert "added_mass.sway" in text
    assert "the part held out" in text
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert [line for line in result.stdout.splitlines() if line.startswith("written: ")] == [
        f"written: {path}" for path in (out, page, picture)
    ]


def test_the_part_held_out_is_foretold_better_than_before(log: Path) -> None:
    result = fitted(log, "--hold-out", "0.4")
    assert result.exit_code == 0
    rows = [
        line.split() for line in result.stdout.splitlines() if (line.split()[:1] and "m/s" in line) or "rad/s" in line
    ]
    scores = {row[0]: [float(x) for x in row[2:8]] for row in rows if row[0] in ("surge", "sway", "yaw")}
    assert set(scores) == {"surge", "sway", "yaw"}
    for mae_before, mae_after, _, _, r2_before, r2_after in scores.values():
        assert mae_after < 0.5 * mae_before
        assert r2_after > max(0.97, r2_before)
    assert "no vehicle file was written" in result.stdout


def test_validate_scores_the_true_vehicle_best(log: Path, columns: Path, tmp_path: Path) -> None:
    def errors(vehicle: str, *more: object) -> list[float]:
        result = remora("validate", vehicle, log, "--columns", columns, "--settle", "1", *more)
        assert result.exit_code == 0, result.output
        lines = [line.split() for line in result.stdout.splitlines()]
        return [float(line[2]) for line in lines if line and line[0] in ("surge", "sway", "yaw")]

    page, picture = tmp_path / "page.html", tmp_path / "picture.png"
    good = errors(TRUE, "--report", page, "--picture", picture, "--restart", "30")
    assert max(good) < 0.005
    assert all(a < b for a, b in zip(good, errors(START), strict=True))
    assert "flatfish_multidof against recorded motion" in page.read_text()
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_validate_ends_with_1_when_the_model_runs_away(
    log: Path, columns: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replay(*arguments: object) -> None:
        raise RunError("surge speed 1e+13 is beyond all bounds", 12.0)

    monkeypatch.setattr(judging, "replay", replay)
    result = remora("validate", TRUE, log, "--columns", columns)
    assert result.exit_code == 1
    assert "the model ran away" in result.stdout
    assert "surge speed 1e+13" in result.stdout


@pytest.mark.parametrize("method", list(METHODS))
def test_every_method_can_be_asked_for(method: str, log: Path) -> None:
    result = fitted(log, "--method", method, "--axes", "surge,yaw")
    assert result.exit_code == 0, result.output
    assert "surge" in result.stdout


def test_parameters_by_patterns_without_those_held(log: Path) -> None:
    wanted = "default,thrusters.sway*.effectiveness"
    result = fitted(log, "--parameters", wanted, "--hold", "damping.quadratic.*,added_mass.sway")
    assert result.exit_code == 0, result.output
    assert "thrusters.sway_front.effectiveness " in result.stdout
    assert "damping.quadratic" not in result.stdout
    assert "added_mass.sway " not in result.stdout


def test_a_simulated_run_fits_checks_and_runs_again(tmp_path: Path) -> None:
    """The round trip: run, fit from another vehicle's numbers, check, run with what was fitted."""
    log, out = tmp_path / "run.mcap", tmp_path / "fitted.yaml"
    assert remora("run", "flatfish_excitation", "--duration", "90", "--out", log).exit_code == 0
    options = ("--axes", "sway", "--motion", "truth", "--hold-out", "0.2")
    result = remora("fit", "flatfish_multidof", log, *options, "--out", out)
    assert result.exit_code == 0, result.output
    inertia = [
        p.added_mass[1][1] + p.rigid_body_inertia[1][1]
        for p in (load_vehicle(str(name)).parameters for name in (out, "flatfish_gazebo_physical"))
    ]
    assert inertia[0] == pytest.approx(inertia[1], rel=0.01)
    assert remora("check", out).exit_code == 0
    again = remora("run", "flatfish_excitation", "--vehicle", out, "--duration", "5", "--out", tmp_path / "again.mcap")
    assert again.exit_code == 0, again.output
    assert refused(remora("fit", "flatfish_multidof", log, "--log-vehicle", "flatfsh"), 'Did you mean "flatfish"?')
    assert refused(remora("fit", "flatfish_multidof", log, "--channel", "surge=flatfish/dvl:v_x"), "no channel")
    data = log.read_bytes()
    log.write_bytes(data[: len(data) // 2])
    refused(remora("fit", "flatfish_multidof", log, *options), "is damaged", "--salvage")
    log.write_bytes(b"not a log at all")
    refused(remora("validate", "flatfish_multidof", log), str(log))


def test_a_table_without_a_map_gets_one_to_fill_in(log: Path, tmp_path: Path) -> None:
    message = refused(remora("fit", START, log, "--out", tmp_path / "x.yaml"), f"It has: {', '.join(HEAD)}.")
    lines = message.partition("--columns FILE.yaml:\n")[2]
    filled = "\n".join(
        f"{name}: {MAP[name]}" if (name := line.strip().partition(":")[0]) in MAP else line
        for line in lines.split("\n")
    )
    (tmp_path / "filled.txt").write_text(filled)
    result = remora("validate", TRUE, log, "--columns", tmp_path / "filled.txt")
    assert result.exit_code == 0, result.output
    assert not (tmp_path / "x.yaml").exists()


def damaged(table: np.ndarray, what: str) -> np.ndarray:
    """A copy of the table with something wrong."""
    rows = table.copy()
    if what == "repeated":
        rows[200, 0] = rows[199, 0]
    elif what == "backward":
        rows[200, 0] = rows[150, 0]
    elif what == "mixed":
        rows = np.concatenate([rows[:700], rows[700::4]])
    elif what == "nan":
        rows[300:310, 2] = np.nan
    elif what == "nan held out":
        rows[1400, 2] = np.nan
    elif what == "short":
        rows = rows[:15]
    elif what == "shorter":
        rows = rows[:40]
    elif what == "still":
        rows[:, 2] = 0.0
    elif what == "undriven":
        rows[:, 4:] = 30.0
    elif what == "degrees":
        rows[:, 3] *= 180.0 / np.pi
    elif what == "rpm":
        rows[:, 4:] *= 60.0 / (2.0 * np.pi)
    return rows


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("repeated", "bad.csv:202: the row repeats the stamp before it."),
        ("repeated", "--keep-first"),
        ("backward", "bad.csv:202: the row goes back in time"),
        ("mixed", "mixes rates: intervals run from 0.1 to 0.4 s. Bring it to one rate with --rate 10"),
        (
            "nan",
            "bad.csv:302: twist is NaN in 10 rows, the first is line 302, at 30 s. Leave them out with --skip-nan.",
        ),
        ("nan held out", "twist is NaN in 1 rows"),
        ("short", "too short"),
        ("shorter", "too short"),
        (
            "still",
            "does not move in sway, so it says nothing about it. Excite these degrees of freedom or leave them out",
        ),
        ("undriven", "inputs that never change"),
        ("degrees", "yaw reaches"),
        ("rpm", "rpm given as rad/s?"),
    ],
)
def test_records_that_would_give_wrong_numbers(what: str, words: str, table: np.ndarray, tmp_path: Path) -> None:
    log = written(tmp_path / "bad.csv", damaged(table, what))
    refused(fitted(log, "--out", tmp_path / "x.yaml", "--report", tmp_path / "x.html"), str(log), words)
    assert only_inputs(tmp_path)


def test_options_that_mend_a_record(table: np.ndarray, tmp_path: Path) -> None:
    for what, options in (
        ("repeated", ["--keep-first", "--rate=10"]),
        ("mixed", ["--rate=10"]),
        ("nan", ["--skip-nan"]),
    ):
        result = fitted(written(tmp_path / "mended.csv", damaged(table, what)), *options)
        assert result.exit_code == 0, (options, result.output)


def test_units_are_converted_by_the_map_and_by_brackets(table: np.ndarray, tmp_path: Path) -> None:
    rows = table.copy()
    rows[:, 3] *= 180.0 / np.pi
    rows[:, 4:] *= 60.0 / (2.0 * np.pi)
    columns = {**MAP, "yaw": "r:deg/s", **{name: f"n_{name}:rpm" for name in NAMES}}
    named = [f"--column={name}={column}" for name, column in columns.items()]
    plain = remora("validate", TRUE, written(tmp_path / "a.csv", rows), *named)
    head = ["t", "u", "v", "r [deg/s]", *(f"n_{name} [rpm]" for name in NAMES)]
    bracket = remora(
        "validate", TRUE, written(tmp_path / "a.csv", rows, head), *(f"--column={n}={c}" for n, c in MAP.items())
    )
    assert plain.exit_code == 0, plain.output
    yaw = next(line for line in plain.stdout.splitlines() if line.startswith("yaw"))
    assert float(yaw.split()[2]) < 0.005
    assert bracket.stdout == plain.stdout


def test_a_lever_arm_moves_speeds_to_the_origin(table: np.ndarray, tmp_path: Path) -> None:
    at_sensor = table.copy()
    at_sensor[:, 1] -= 0.2 * table[:, 3]
    at_sensor[:, 2] += 0.5 * table[:, 3]
    settings = [f"--column={name}={column}" for name, column in MAP.items()]
    plain = remora("validate", TRUE, written(tmp_path / "a.csv", table), *settings)
    moved = remora("validate", TRUE, written(tmp_path / "a.csv", at_sensor), *settings, "--lever-arm", "0.5,20 cm,0")
    assert moved.exit_code == 0, moved.output
    assert "Velocity moved from the sensor at (0.5, 0.2, 0) m to B." in moved.stdout
    rows = [[x for x in r.stdout.splitlines() if x.startswith(("surge", "sway", "yaw"))] for r in (plain, moved)]
    assert len(rows[0]) >= 3
    assert rows[0] == rows[1]


def test_a_lever_arm_of_the_estimate_of_a_log_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "run.mcap"
    assert remora("run", "dive_and_turn", "--duration", 1, "--no-page", "--out", log).exit_code == 0
    words = "the estimate of a log is the motion of the body origin: no lever arm. Leave --lever-arm out."
    refused(remora("fit", "bluerov2_heavy", log, "--lever-arm", "0.1,0,0"), words)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--method", "instrument"], 'there is no method "instrument". Did you mean "instruments"?'),
        (["--parameters", "added_mas.surge"], 'Did you mean "added_mass.surge"'),
        (["--parameters", "thrusters.*.nothing"], 'no number of this vehicle has a name like "thrusters.*.nothing"'),
        (["--axes", "surge,hevae"], 'Did you mean "heave"?'),
        (["--axes", "heave"], "has no speed of heave. It has: surge, sway, yaw."),
        (["--column", "surge=uu"], 'has no column "uu" for surge'),
        (["--column", "surge=u:parsec"], 'the unit "parsec" is not known'),
        (["--column", "surge=u:deg/s"], '"deg/s" does not measure a speed'),
        (["--column", "surg=u"], 'Did you mean "surge"'),
        (["--column", "surge"], "give a name, = and what it stands for"),
        (["--axes-convention", "forward-left-down"], "there are no such axes"),
        (["--lever-arm", "0.2,0.1"], "--lever-arm 0.2,0.1: give three lengths"),
        (["--lever-arm", "0.2 kg,0,0"], "give three lengths"),
        (["--inputs", "comands"], 'Did you mean "commands"?'),
        (["--motion", "truht"], 'Did you mean "truth"?'),
        (["--channel", "surge=dvl"], "give a channel and a field"),
        (["--hold-out", "1"], "give a share"),
        (["--rate", "0"], "give a positive number"),
        (["--settle", "-1"], "give zero or more"),
        (["--out", "x.txt"], "give a file ending in .yaml or .yml"),
        (["--report", "x.pdf"], "give a file ending in .html"),
        (["--picture", "x.jpg"], "give a file ending in .png"),
        (["--columns", "nowhere.yaml"], "nowhere.yaml"),
        (["--method", "lumped", "--parameters", "added_mass.surge"], "cannot be given parameters"),
    ],
)
def test_wrong_options_get_words(more: list[str], words: str, log: Path, tmp_path: Path) -> None:
    refused(fitted(log, *more), words)
    assert only_inputs(tmp_path)


def test_wrong_files_get_words(log: Path, columns: Path, tmp_path: Path) -> None:
    refused(remora("fit", "flatfish", log, "--columns", columns), "flatfish")
    refused(remora("fit", START, tmp_path / "none.csv", "--columns", columns), "no such file")
    refused(remora("fit", START, tmp_path, "--columns", columns), str(tmp_path))
    noise = tmp_path / "noise.csv"
    noise.write_bytes(bytes(range(256)) * 20)
    refused(remora("fit", START, noise, "--columns", columns), str(noise))
    noise.write_text("")
    refused(remora("fit", START, noise, "--columns", columns), "is empty")
    noise.write_text(",".join(HEAD) + "\n" + "1,2,3\n" * 5)
    refused(remora("fit", START, noise, "--columns", columns), "too short")
    noise.write_text(",".join(HEAD) + "\n" + "a,b,c,d,e,f,g,h\n" * 5)
    refused(remora("fit", START, noise, "--columns", columns), "no number")
    for text, words in (("- a\n- b\n", "is no column map"), ("surge: [u, v]\n", "name of one column"), ("a: {b", "")):
        columns.write_text(text)
        refused(remora("fit", START, log, "--columns", columns), str(columns), words)


def test_results_never_take_the_place_of_what_is_read(log: Path, tmp_path: Path) -> None:
    vehicle = tmp_path / "own.yaml"
    fitted(log, "--out", vehicle)
    before = vehicle.read_bytes()
    named = [f"--column={name}={column}" for name, column in MAP.items()]
    refused(remora("fit", vehicle, log, *named, "--out", vehicle), "this is the file that is read")
    refused(fitted(log, "--out", log / "x.yaml"), "is no folder")
    assert vehicle.read_bytes() == before


def test_damping_that_adds_energy_needs_a_reason(table: np.ndarray, tmp_path: Path) -> None:
    """Drag that grows less than in proportion to the speed, as slow trials often show it."""
    rows = table.copy()
    parameters = load_vehicle(TRUE).parameters
    mass = parameters.added_mass[0][0] + parameters.rigid_body_inertia[0][0]
    phases = np.outer(np.arange(len(rows)) * INTERVAL, [0.2, 0.5]) + 1.0
    speed = np.sin(phases) @ [0.15, 0.15]
    force = mass * np.cos(phases) @ [0.03, 0.075] + 120.0 * speed - 250.0 * speed * np.abs(speed)
    rows[:, 1], rows[:, [2, 3, 6, 7]] = speed, 0.0
    rows[:, 4:6] = (np.sign(force) * np.sqrt(np.abs(force) / 2.0 / 6.7e-3))[:, None]
    log, out = written(tmp_path / "odd.csv", rows), tmp_path / "odd.yaml"
    options = ("--axes", "surge", "--out", out)
    bound = fitted(log, *options)
    assert "damping.quadratic.surge rests on its bound" in bound.stdout
    assert load_vehicle(str(out)).parameters.quadratic_damping[0][0] == 0.0
    out.unlink()
    refused(fitted(log, *options, "--method", "lumped"), "--negative-damping REASON")
    assert not out.exists()
    for method in ("lumped", "instruments"):
        free = fitted(log, *options, "--method", method, "--negative-damping", "the tether pulled along")
        assert free.exit_code == 0, free.output
        assert "the tether pulled along" in out.read_text()
        assert load_vehicle(str(out)).parameters.quadratic_damping[0][0] == pytest.approx(-250.0, rel=0.15)


def test_whole_logs_are_fitted_and_judged_by_another(table: np.ndarray, tmp_path: Path) -> None:
    first, other = (written(tmp_path / name, rows) for name, rows in (("a.csv", table[:800]), ("b.csv", table[800:])))
    result = fitted(first, "--validate", other, "--out", tmp_path / "rov.yaml")
    assert result.exit_code == 0, result.output
    assert f"{other}, a log that was not fitted" in result.stdout
    assert "the part held out" not in result.stdout
    both = fitted(first, "--validate", other, "--hold-out", "0.2")
    assert f"{first}, the part held out" in both.stdout
    assert f"{other}, a log that was not fitted" in both.stdout
    refused(fitted(first, "--validate", tmp_path / "none.csv"), "none.csv", "there is no such file")


def test_the_column_of_the_time_is_no_speed_as_well(log: Path) -> None:
    columns = [f"--column={name}={'t' if name == 'sway' else column}" for name, column in MAP.items()]
    refused(remora("fit", START, log, *columns), '"t" is the column of the time', "Give sway a column of its own")
