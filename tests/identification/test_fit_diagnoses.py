"""What is wrong with a log or a vehicle is named by the fit, with what helps; nothing ends in a traceback."""

import re
from pathlib import Path

import numpy as np
import pool_simulator
import pytest
from click.testing import Result
from pool_simulator import AXES, NAMES, THRUSTERS, TRUTH, VEHICLE, Flight, csv_text, flights, measured, wide_table

from command_line import remora
from remora.identification import RecordError, fit_adaptive, inputs_of, record_from_arrays, resampled, with_values
from remora.identification.regression import noisy_regressors
from remora.identification.regression.constraints import InfeasibleError, constrained_least_squares
from remora.identification.replay import replay
from remora.plant.failures import RunError
from remora.vehicles import vehicle_from_text

SLOPE = 0.3  # N per percent
MAPPED = (
    f"law: force, limits: [-100, 100], command_map: {{positive: {{knee: 100, slope: {SLOPE}, curve: [0, {SLOPE}, 0]}}, "
    f"negative: {{knee: -100, slope: {SLOPE}, curve: [0, {SLOPE}, 0]}}}}"
)
PERCENT = VEHICLE.replace("law: force, limits: [-40 N, 40 N]", MAPPED)
LOCKED = "model: {locked: [roll, pitch]}\n"


@pytest.fixture(scope="module")
def flight() -> Flight:
    return flights(range(1), 90.0)[0]


def written(folder: Path, table: dict[str, np.ndarray], vehicle: str) -> tuple[Path, Path]:
    """Vehicle and log as files."""
    (folder / "rov.yaml").write_text(vehicle)
    (folder / "log.csv").write_text(csv_text(table))
    return folder / "rov.yaml", folder / "log.csv"


def in_percent(table: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: values / SLOPE if name in THRUSTERS else values for name, values in table.items()}


def columns(unit: str) -> list[str]:
    return [f"--column={name}={name}:{unit}" for name in THRUSTERS]


@pytest.mark.parametrize("command", ["fit", "validate"])
def test_percent_columns_far_below_a_limit_of_one_hundred_are_named(command, flight, tmp_path):
    files = written(tmp_path, in_percent(wide_table(flight, 0)), PERCENT + LOCKED)
    done = remora(command, *files, "--inputs", "commands", *columns("%"))
    assert "columns in % are divided by 100. Leave the unit off" in done.output
    assert "of a limit of 100" in done.output
    right = remora(command, *files, "--inputs", "commands")
    assert right.exit_code == 0
    assert "divided by 100" not in right.output


def test_percent_columns_inside_a_dead_band_end_without_a_traceback(flight, tmp_path):
    """No thrust at all is left over: the equations are met exactly by a vehicle without inertia."""
    dead = PERCENT.replace("law: force,", "law: force, drive: {dead_band: 6},")
    files = written(tmp_path, in_percent(wide_table(flight, 0)), dead + LOCKED)
    done = remora("fit", *files, "--inputs", "commands", *columns("%"))
    assert done.exit_code == 2
    assert "columns in % are divided by 100" in done.stderr


def test_plain_numbers_that_are_percent_are_refused_with_the_unit(flight, tmp_path):
    one = PERCENT.replace("[-100, 100]", "[-1, 1]").replace("knee: 100", "knee: 1").replace("knee: -100", "knee: -1")
    done = remora("fit", *written(tmp_path, in_percent(wide_table(flight, 0)), one + LOCKED), "--inputs", "commands")
    assert done.exit_code == 2
    assert "percent given as plain numbers?" in done.stderr


def test_shares_of_vertical_thrusters_that_nothing_anchors_are_held(flight, tmp_path):
    """A held inertia in surge fixes the scale of the horizontal thrusters; heave has none, and no inertia fits it."""
    files = written(tmp_path, wide_table(flight, 0), VEHICLE + LOCKED)
    wanted = ["--parameters", "default,thrusters.*.effectiveness", "--hold", "added_mass.surge"]
    done = remora("fit", *files, "--inputs", "commands", *wanted)
    assert done.exit_code == 0, done.output
    rows = {line.split()[0]: line.split() for line in done.output.splitlines() if line.strip()}
    assert "thrusters.vertical_port.effectiveness" not in rows
    assert "multiplying thrusters.vertical_starboard.effectiveness and thrusters.vertical_port.eff" in done.output
    assert abs(float(rows["added_mass.heave"][1]) - 18.0) < 0.5
    for name in THRUSTERS[:4]:  # the inertia held in surge is 18 of 20 kg
        assert abs(float(rows[f"thrusters.{name}.effectiveness"][1]) - 0.9) < 0.02


def test_demands_that_cannot_hold_end_with_code_two_and_a_way_out(flight, tmp_path, monkeypatch):
    def impossible(*_):
        raise InfeasibleError("no values of added_mass.surge keep a positive inertia")

    monkeypatch.setattr(noisy_regressors, "constrained_least_squares", impossible)
    files = written(tmp_path, wide_table(flight, 0), VEHICLE + LOCKED)
    done = remora("fit", *files, "--inputs", "commands")
    assert done.exit_code == 2
    assert f"{files[1]}: no values of added_mass.surge keep a positive inertia. Fit these too" in done.stderr
    assert "--negative-damping REASON" in done.stderr


def test_a_regression_without_noise_is_solved_whatever_its_scale():
    """Weights of an exact fit are huge; a solution on the bounds is the same for all of them."""
    vehicle, random = vehicle_from_text(VEHICLE).parameters, np.random.default_rng(1)
    matrix = random.standard_normal((40, len(NAMES)))
    target = matrix @ (-50.0 * np.abs(random.standard_normal(len(NAMES))))
    factor = np.linalg.qr(np.column_stack([matrix, target]))[1]
    found = [constrained_least_squares(scale * factor, vehicle, NAMES) for scale in (1.0, 1e16)]
    assert found[0].held
    assert found[0].held == found[1].held
    assert np.allclose(found[0].change, found[1].change, rtol=1e-6)


def test_bounds_that_exclude_each_other_are_an_error_of_the_input():
    vehicle = vehicle_from_text(VEHICLE).parameters
    with pytest.raises(InfeasibleError, match=r"no values of added_mass\.surge satisfy the bounds of each number"):
        constrained_least_squares(np.eye(2), vehicle, ["added_mass.surge"], (np.array([1.0]), np.array([-1.0])))
    assert issubclass(InfeasibleError, ValueError)


def warnings_of(done: Result, code: int = 0) -> list[str]:
    assert done.exit_code == code, done.output
    return [line for line in done.output.splitlines() if line.startswith("warning: ")]


@pytest.fixture(scope="module")
def with_dead_thruster() -> Flight:
    shares = [0.03 if name == "front_port" else 1.0 for name in THRUSTERS]
    return flights(range(1), 90.0, shares=tuple(shares))[0]


@pytest.mark.parametrize("command", ["fit", "validate"])
def test_a_thruster_that_gives_nothing_is_named(command, with_dead_thruster, tmp_path):
    files = written(tmp_path, wide_table(with_dead_thruster, 0), VEHICLE + LOCKED)
    done = remora(command, *files, "--inputs", "commands")
    warnings = [line for line in warnings_of(done, 3 if command == "fit" else 0) if "thruster " in line]
    assert len(warnings) == 1
    assert warnings[0].startswith("warning: thruster front_port gives about 3 %")
    assert "Fit thrusters.front_port.effectiveness too" in warnings[0]


def test_the_advice_about_a_dead_thruster_mends_the_fit(with_dead_thruster, tmp_path):
    files = written(tmp_path, wide_table(with_dead_thruster, 0), VEHICLE + LOCKED)
    wanted = "default,thrusters.front_port.effectiveness"
    done = remora("fit", *files, "--inputs", "commands", "--parameters", wanted)
    assert not any("thruster " in line for line in warnings_of(done))
    rows = {line.split()[0]: line.split() for line in done.output.splitlines() if line.strip()}
    assert abs(float(rows["thrusters.front_port.effectiveness"][1]) - 0.03) < 0.02
    for name, truth in zip(NAMES, TRUTH, strict=True):
        low, high = (float(rows[name][k]) for k in (2, 4))
        assert low - 0.1 * truth < truth < high + 0.1 * truth, name


def test_a_healthy_vehicle_in_still_water_gets_no_finding(flight, tmp_path):
    files = written(tmp_path, wide_table(flight, 0), VEHICLE + LOCKED)
    for command in ("fit", "validate"):
        warnings = warnings_of(remora(command, *files, "--inputs", "commands"))
        assert not any("thruster" in line or "current" in line for line in warnings)


def test_thrusters_that_always_get_one_command_are_said_to_be_alike(flight, tmp_path):
    table = wide_table(flight, 0)
    mean = 0.5 * (table["vertical_port"] + table["vertical_starboard"])
    table |= {"vertical_port": mean, "vertical_starboard": mean}
    files = written(tmp_path, table, VEHICLE + LOCKED)
    warnings = warnings_of(remora("fit", *files, "--inputs", "commands"))
    assert (
        sum("thrusters vertical_starboard and vertical_port always act in one ratio" in line for line in warnings) == 1
    )
    assert not any("thruster vertical" in line for line in warnings)  # no thrust and no inertia is no finding


def test_a_model_that_runs_away_is_described_without_numbers_of_a_batch(flight):
    """Stretches of a record are simulated side by side; which of them failed is a time and not a number."""
    vehicle = vehicle_from_text(VEHICLE + LOCKED).parameters
    driving = with_values(vehicle, ["damping.linear.yaw", "damping.quadratic.yaw"], [0.0, -40.0])
    still = np.where(flight.time < 12.0, 0.0, 1.0)[:, None]
    twist = np.insert(still * flight.speeds, [3, 3], np.nan, axis=1)
    commands = inputs_of("commands", still * flight.commands, THRUSTERS, ["N"] * 6)
    record = record_from_arrays(flight.time, twist, commands)
    with pytest.raises(RunError, match=r"^[a-z, ]*yaw diverged, up to [0-9.e+]+, [0-9.]+ s after a start, before"):
        replay(record, driving, restart=5.0)


def test_a_steady_current_in_speeds_over_ground_is_named_and_its_advice_helps(flight, tmp_path):
    north, east = 0.2, -0.1
    cosine, sine = np.cos(flight.heading), np.sin(flight.heading)
    over_ground = flight.speeds.copy()
    over_ground[:, 0] += cosine * north + sine * east
    over_ground[:, 1] += cosine * east - sine * north
    files = written(tmp_path, wide_table(flight._replace(speeds=over_ground), 0), VEHICLE + LOCKED)
    said = [line for line in warnings_of(remora("fit", *files, "--inputs", "commands"), 3) if "steady current" in line]
    assert len(said) == 1
    assert "0.2 m/s north and -0.1 m/s east" in said[0]
    more = [
        "--method",
        "output-error",
        "--parameters",
        "default,current.north,current.east",
        "--axes",
        "surge,sway,yaw",
    ]
    done = remora("fit", *files, "--inputs", "commands", *more)
    assert not any("steady current" in line for line in warnings_of(done))
    rows = {line.split()[0]: line.split() for line in done.output.splitlines() if line.strip()}
    assert abs(float(rows["current.north"][1]) - north) < 0.01
    assert abs(float(rows["damping.linear.surge"][1]) - 9.0) < 2.0


def test_rows_in_pieces_that_are_too_short_are_counted_and_a_gap_is_advised(flight, tmp_path):
    """Bursts of 1.2 s with pauses of 0.4 s: no piece fills the window of 2 s, but for one."""
    table = wide_table(flight, 0) | dict(zip(AXES, measured(flight, 0).T, strict=True))
    table["yaw_angle"] = flight.heading
    burst = (flight.time % 1.6 < 1.2) | (flight.time < 13.0)
    rows = {name: values[burst] for name, values in table.items()}
    files = written(tmp_path, rows, VEHICLE + LOCKED)
    options = ["--inputs", "commands", "--axes", "heave", "--hold-out", "0"]
    done = remora("fit", *files, *options)
    said = [line for line in warnings_of(done) if "are not used" in line]
    assert len(said) == 1
    lost = np.mean(flight.time[burst] > 14.1)
    assert f"{lost:.0%} of {burst.sum()} rows are not used" in said[0]
    advised = said[0].split("With ")[1].split(" shorter")[0].split()
    mended = remora("fit", *files, *options, *advised, "--rate", "50")
    assert not any("are not used" in line for line in warnings_of(mended))


def test_all_axes_that_a_fit_made_worse_on_another_log_are_named_with_figures(flight, tmp_path, monkeypatch):
    """The other log is of a lighter hull, nearer to the numbers before the fit than to those of the first log."""
    for name in ("ADDED", "LINEAR", "QUADRATIC"):
        monkeypatch.setattr(pool_simulator, name, 0.62 * getattr(pool_simulator, name))
    (tmp_path / "other.csv").write_text(csv_text(wide_table(flights(range(1, 2), 60.0)[0], 1)))
    files = written(tmp_path, wide_table(flight, 0), VEHICLE + LOCKED)
    done = remora("fit", *files, "--inputs", "commands", "--validate", tmp_path / "other.csv")
    warnings = warnings_of(done, 3)
    said = [line for line in warnings if "farther off" in line]
    assert len(said) == 1
    for axis in ("surge", "sway", "heave", "yaw"):
        assert f"{axis} (RMSE 0." in said[0]
    assert "Fitted alone, this log gives other numbers" in said[0]
    assert any("added_mass.heave: " in line and "contradict each other" in line for line in warnings)


def test_an_identifier_that_runs_away_is_mended_by_the_rate_that_is_advised(flight):
    """It runs away by the length of its steps, so that smaller gains alone would be advice in a circle."""
    vehicle = vehicle_from_text(VEHICLE + LOCKED)
    twist = np.insert(flight.speeds, [3, 3], np.nan, axis=1)
    record = record_from_arrays(flight.time, twist, inputs_of("commands", flight.commands, THRUSTERS, ["N"] * 6))
    with pytest.raises(RecordError, match="drives the identifier to infinity") as refused:
        fit_adaptive(resampled(record, 0.5), vehicle, period=10.0)
    advised = re.search(r"higher rate with `resampled\(record, ([0-9.]+)\)`", str(refused.value))
    fit = fit_adaptive(resampled(record, float(advised[1])), vehicle, period=10.0).fit
    assert np.isfinite(fit.values).all()


def test_the_advice_about_dead_bands_of_pulses_finds_the_right_one(flight, tmp_path):
    """The thrusters of the flight have no dead band: the narrower one is written, the better the model."""
    drive = "law: force, drive: {pulse: {linear: 0.1 N/us}, neutral: 1500 us, dead_band: 25 us},"
    table = {name: 1500.0 + 10.0 * v if name in THRUSTERS else v for name, v in wide_table(flight, 0).items()}
    vehicle = VEHICLE.replace("law: force,", drive) + LOCKED
    files = written(tmp_path, table, vehicle)
    shared = ["--inputs", "commands", *columns("us")]
    done = remora("fit", *files, *shared, "--method", "output-error", "--parameters", "thrusters.dead_band")
    assert done.exit_code == 2
    assert "dead_band: N us into the drive" in done.stderr
    errors = {}
    for width in (1, 25, 65):
        files[0].write_text(vehicle.replace("dead_band: 25", f"dead_band: {width}"))
        lines = remora("validate", *files, *shared, "--axes", "yaw").output.splitlines()
        errors[width] = next(float(line.split()[3]) for line in lines if line.startswith("yaw "))
    assert errors[1] < errors[25] < errors[65]


def test_locked_axes_get_no_complaint_about_rounding(flight, tmp_path):
    files = written(tmp_path, wide_table(flight, 0), VEHICLE + LOCKED)
    options = ["--inputs", "commands", "--axes", "yaw", "--method", "output-error"]
    warnings = warnings_of(remora("fit", *files, *options))
    assert not any("attitude.x" in line or "attitude.y" in line for line in warnings)
