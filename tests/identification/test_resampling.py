"""Records at other rates: held inputs act when they were given, slow and fast sensors share a table."""

import numpy as np
import pytest
from click.testing import CliRunner
from pool_simulator import NAMES, THRUSTERS, TRUTH, VEHICLE, csv_text, flights, measured, wide_table

from remora.cli import main
from remora.identification import RecordError, inputs_of, record_from_arrays
from remora.identification.data.column_map import TableOptions
from remora.identification.data.log_files import LogReadOptions, at_one_rate, read_log_record
from remora.identification.methods import METHODS, Task
from remora.identification.regression.rows import outputs_at_stamps
from remora.identification.sampling.mixed_rates import slowest_interval
from remora.identification.sampling.own_stamps import StampedSignal, levels_over, means_over, signal_of, values_at
from remora.identification.sampling.resampling import resampled, with_inputs_moved, without
from remora.vehicles import vehicle_from_text

POOL = vehicle_from_text(VEHICLE)
FITTED_AXES = ("surge", "sway", "heave", "yaw")


@pytest.fixture(scope="module")
def flight():
    return flights(range(1), 90.0)[0]


def record_of(flight, kind="commands", noise=1.0):
    twist = np.full((len(flight.time), 6), np.nan)
    twist[:, [0, 1, 2, 5]] = measured(flight, 0, noise)
    values = flight.commands if kind == "commands" else flight.outputs
    return record_from_arrays(flight.time, twist, inputs_of(kind, values, THRUSTERS, ["N"] * 6), source="pool")


@pytest.mark.parametrize("rate", [10.0, 5.0])
@pytest.mark.parametrize("method", ["instruments", "output-error"])
def test_a_rate_does_not_delay_held_commands_by_half_a_sample(flight, method, rate):
    """Half a sample of delay took 25 % (10 Hz) and 50 % (5 Hz) off the added mass in yaw."""
    fit = METHODS[method].fit(Task((resampled(record_of(flight), 1.0 / rate),), POOL, NAMES, FITTED_AXES))
    assert fit.values == pytest.approx(TRUTH, rel=0.05)
    masses = [name for name in NAMES if name.startswith("added_mass")]
    assert [fit.value(name) for name in masses] == pytest.approx([6.0, 11.0, 18.0, 0.5], rel=0.02)


def test_resampled_inputs_stay_held():
    record = record_from_arrays(
        np.arange(500) * 0.02,
        np.tile(np.arange(500.0)[:, None] * 1e-3, 6),
        inputs_of("commands", np.repeat(np.arange(50.0) % 7, 10)[:, None], ["main"], ["N"]),
    )
    even = resampled(record, 0.2)
    assert even.inputs.held
    assert even.inputs.values[:, 0] == pytest.approx(np.arange(50.0) % 7)  # steps on the new stamps stay as they are
    outputs = resampled(record.with_note("", inputs=record.inputs._replace(kind="outputs", held=False)), 0.2)
    assert outputs.inputs.held
    assert outputs.inputs.values.mean() == pytest.approx(record.inputs.values.mean(), rel=0.01)


def test_levels_and_means_of_a_wave():
    """Held means of means are too weak by (frequency x width)^2 / 12; levels are as strong as the wave."""
    time = np.arange(0.0, 20.0, 0.001)
    wave, starts, width = StampedSignal(time, np.sin(2.0 * time), True, 1.0), np.arange(0.0, 19.0, 0.2), 0.2
    middle = np.sin(2.0 * (starts + 0.1 - 0.0005))
    means, levels = means_over(wave, starts, starts + width)[5:-5], levels_over(wave, starts, width)[5:-5]
    strong = np.abs(middle[5:-5]) > 0.5
    assert (means / middle[5:-5])[strong] == pytest.approx(1.0 - 0.4**2 / 24.0, abs=1e-3)
    assert (levels / middle[5:-5])[strong] == pytest.approx(1.0 + 0.4**2 / 24.0, abs=1e-3)


def test_outputs_that_are_held_act_half_an_interval_after_their_stamp():
    time = np.arange(200) * 0.2
    means = (np.cos(1.5 * time) - np.cos(1.5 * (time + 0.2))) / 0.3
    inputs = inputs_of("outputs", np.tile(means[:, None], 6), THRUSTERS, ["N"] * 6, held=True)
    record = record_from_arrays(time, np.zeros((200, 6)), inputs)
    outputs, _ = outputs_at_stamps(record, POOL.parameters)
    assert outputs[5:-5, 0] == pytest.approx(np.sin(1.5 * time)[5:-5], abs=2e-4)
    moved = with_inputs_moved(record, 0.1).inputs.values[5:-5, 0]
    assert moved == pytest.approx(0.5 * (means[5:-6] + means[6:-5]), abs=1e-9)


def test_a_signal_is_unknown_before_its_first_and_beyond_its_last_value():
    time = np.arange(10) * 1.0
    column = np.array([np.nan, 1.0, 2.0, np.nan, 4.0, np.nan, np.nan, np.nan, 8.0, np.nan])
    signal = signal_of(time, column, longest=2.0)
    at = np.array([0.5, 1.0, 3.0, 4.0, 4.1, 7.9, 8.0, 8.1])
    assert np.isnan(values_at(signal, at)).tolist() == [True, False, False, False, True, True, False, True]
    assert np.isnan(means_over(signal, np.array([2.0, 3.5]), np.array([4.0, 4.5]))).tolist() == [False, True]


@pytest.fixture
def wide(flight, tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text(csv_text(wide_table(flight, 0)))
    (tmp_path / "pool.yaml").write_text(VEHICLE)
    return path


def fitted(path, *options):
    command = ["fit", str(path.parent / "pool.yaml"), str(path), "--inputs", "commands", *options]
    return CliRunner().invoke(main, command)


@pytest.mark.parametrize("options", [[], ["--skip-nan"], ["--rate", "10"], ["--gap", "1", "--rate", "5", "--skip-nan"]])
def test_a_table_with_a_dvl_at_5_hz_and_empty_cells_between_is_fitted(wide, options):
    done = fitted(wide, *options)
    assert done.exit_code == 0, done.output
    assert "note: Speeds come at rates of their own: yaw 50 Hz; surge, sway, heave 5 Hz." in done.output
    assert "note: Brought to " in done.output
    values = {line.split()[0]: float(line.split()[1]) for line in done.output.splitlines() if line.startswith(NAMES)}
    assert [values[name] for name in NAMES] == pytest.approx(TRUTH, rel=0.06)


def test_readings_that_a_logger_repeats_count_once(flight, wide):
    table = wide_table(flight, 0)
    for axis in ("surge", "sway", "heave"):
        last = np.maximum.accumulate(np.where(np.isfinite(table[axis]), np.arange(len(flight.time)), 0))
        table[axis] = np.where(last == 0, 0.0, table[axis][last])
    wide.write_text(csv_text(table))
    done = fitted(wide)
    assert done.exit_code == 0, done.output
    assert "note: surge, sway, heave repeat each reading over several rows" in done.output
    record = read_log_record(wide, POOL, LogReadOptions(TableOptions({}, "commands")))
    assert slowest_interval(record) == pytest.approx(0.2)
    coarse = measured(flight, 0).round(2)  # a coarse sensor repeats values too, but not evenly
    wide.write_text(csv_text({**wide_table(flight, 0), "yaw": coarse[:, 3]}))
    assert np.isfinite(read_log_record(wide, POOL, LogReadOptions(TableOptions({}, "commands"))).speed("yaw")).all()


def test_sensors_with_four_rates_and_lines_of_their_own_share_a_table(flight, wide):
    """Each sensor writes its own lines, some at the same stamp; a DVL without lock leaves a gap and nothing made up."""
    table = wide_table(flight, 0)
    table["depth"] = np.where(np.arange(len(flight.time)) % 25 == 7, 2.0, np.nan)
    table["surge"][(flight.time > 30.0) & (flight.time < 40.0)] = np.nan
    of_dvl = {name: values if name in ("time", "surge", "sway", "heave") else np.full(len(values), np.nan)
              for name, values in table.items()}  # fmt: skip
    others = {name: np.full(len(values), np.nan) if name in ("surge", "sway", "heave") else values
              for name, values in table.items()}  # fmt: skip
    lines = [csv_text(one).splitlines() for one in (others, of_dvl)]
    pairs = [line for pair in zip(lines[0][1:], lines[1][1:], strict=True) for line in pair]
    kept = [line for line in pairs if line.count(",,") < 8 or line.split(",")[1]]
    wide.write_text("\n".join([lines[0][0], *kept]) + "\n")
    record = read_log_record(wide, POOL, LogReadOptions(TableOptions({}, "commands")))
    assert any("joined with the first of that stamp" in sentence for sentence in record.provenance)
    even = at_one_rate(record, None)
    assert even.interval == pytest.approx(0.2)
    assert np.isfinite(even.twist[:, [0, 1, 2, 5]]).all()
    assert len(even.segments) == 2
    assert not np.any((even.time_ns > 31e9) & (even.time_ns < 39e9))


def test_heading_alone_is_enough_where_roll_and_pitch_are_locked(flight, wide):
    record = read_log_record(wide, POOL, LogReadOptions(TableOptions({}, "commands")))
    q = record.quaternion[::5]
    turned = 2.0 * np.unwrap(np.arctan2(q[:, 3], q[:, 0]), period=np.pi)
    assert turned - turned[0] == pytest.approx(flight.heading[::5], abs=1e-9)
    assert any("roll and pitch are taken as level" in sentence for sentence in record.provenance)
    wide.write_text(csv_text({**wide_table(flight, 0), "roll": np.zeros(len(flight.time))}))
    with pytest.raises(RecordError, match=r"attitude lacks roll, pitch\. .* or leave out the rates of roll and pitch"):
        read_log_record(wide, POOL, LogReadOptions(TableOptions({}, "commands")))


def test_rows_left_out_of_a_jittering_record_cut_it_only_there():
    """Cuts at every late stamp left nothing long enough to fit or to judge."""
    stamps = np.cumsum(np.random.default_rng(0).uniform(0.01, 0.04, 1000))
    record = record_from_arrays(stamps, np.zeros((1000, 6)), gap=1.0)
    masked = np.zeros(1000, dtype=bool)
    masked[400:500] = True
    assert [(s.start, s.stop) for s in without(record, masked).segments] == [(0, 400), (400, 900)]
