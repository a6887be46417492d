"""Judging a fit: parts held out, scores at recorded stamps only, words for parameters, files written together."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure
from record_example import diagonal_names, driven_record

from remora.files.writing import write_together
from remora.identification import RecordError, record_from_arrays, replay, resampled, score_at_stamps
from remora.identification.hold_out import split_records
from remora.identification.methods import METHODS
from remora.identification.parameter_names import ParameterNameError, selected_parameters
from remora.identification.sampling.resampling import with_inputs_moved, without
from remora.identification.validation import ReplaySettings, fit_and_validate, validate_record
from remora.report.fits.page import fit_page
from remora.report.fits.summary import judgement_lines
from remora.vehicles import load_vehicle

FLATFISH = load_vehicle("flatfish_multidof")
HELD = ("heave", "roll", "pitch")
AXES = ("surge", "sway", "yaw")


@pytest.fixture(scope="module")
def record():
    return driven_record(FLATFISH, seed=4, duration=60.0, interval=0.1, noise=(0.003, 0.003), locked=HELD, share=0.2)


def test_scores_at_all_stamps_are_those_of_the_replay(record):
    run = replay(record, FLATFISH.parameters, restart=10.0, settle=1.0)
    found = score_at_stamps(record, record, run.twist, restart=10.0, settle=1.0)
    for axis, score in run.scores.items():
        assert found[axis].samples == score.samples
        assert found[axis].mae == pytest.approx(score.mae, rel=1e-12)
        assert found[axis].r2 == pytest.approx(score.r2, rel=1e-12)


def test_samples_in_between_do_not_count(record):
    """A record with holes that a resampling bridges: only what was recorded is scored."""
    masked = np.zeros(len(record), dtype=bool)
    masked[np.arange(len(record)) % 10 >= 6] = True
    bursts = without(record, masked, gap=2.0)
    uniform = resampled(bursts, 0.1)
    wrong = np.array(uniform.twist)
    between = masked[np.searchsorted(record.time_ns, uniform.time_ns)]
    wrong[between] += 5.0
    assert 0.3 < between.mean() < 0.5
    scores = score_at_stamps(bursts, uniform, wrong)
    assert all(score.mae < 1e-9 for score in scores.values())
    assert scores["surge"].samples == len(bursts) - 1  # a start is given and not foretold


def test_the_fit_is_not_shown_what_judges_it(record):
    """Rubbish in the part held out leaves the numbers as they are, and spoils the scores."""
    names = diagonal_names(AXES)
    good = fit_and_validate([record], FLATFISH, METHODS["filtered"], names, AXES, hold_out=0.4)
    twist = np.array(record.twist)
    twist[int(0.7 * len(record)) :, 0] *= -1.0
    spoiled = record.with_note("Spoiled.", twist=twist)
    bad = fit_and_validate([spoiled], FLATFISH, METHODS["filtered"], names, AXES, hold_out=0.4)
    assert np.array_equal(good.fit.values, bad.fit.values)
    assert good.parts[0].after.scores["surge"].r2 > 0.98 > 0.0 > bad.parts[0].after.scores["surge"].r2
    assert good.held_out


def test_all_that_is_not_held_out_is_fitted(record):
    """Rubbish just before the held-out share changes the numbers."""
    names = diagonal_names(AXES)
    good = fit_and_validate([record], FLATFISH, METHODS["filtered"], names, AXES, hold_out=0.4)
    twist = np.array(record.twist)
    twist[int(0.45 * len(record)) : int(0.55 * len(record)), 0] *= -1.0
    spoiled = record.with_note("Spoiled.", twist=twist)
    bad = fit_and_validate([spoiled], FLATFISH, METHODS["filtered"], names, AXES, hold_out=0.4)
    assert not np.array_equal(good.fit.values, bad.fit.values)


def test_the_band_lies_around_the_model_and_steps_are_counted(record):
    done = []
    judgement = fit_and_validate(
        [record, record], FLATFISH, METHODS["instruments"], diagonal_names(AXES), AXES,
        settings=ReplaySettings(settle=1.0), step=done.append,
    )  # fmt: skip
    assert done == [1, 2, 3]
    assert [set(one.condition_numbers) for one in judgement.excited] == [set(AXES)] * 2
    page = fit_page(judgement, [Figure(), Figure()], "a fit")
    assert page.count("persistently exciting of order") == 2 * len(record.inputs.names)
    assert "What record 2 excites" in page
    part = judgement.parts[0]
    i = 0
    inside = (part.band.low[:, i] <= part.after.twist[:, i]) & (part.after.twist[:, i] <= part.band.high[:, i])
    assert inside.mean() > 0.95
    assert 0.0 < np.mean(part.band.high[:, i] - part.band.low[:, i]) < 0.05


def test_scores_and_band_know_the_current_and_the_delay_that_were_fitted(record):
    """A fit with a delay is judged with inputs as late as the sensors, on all rows."""
    late = with_inputs_moved(record, 0.3)  # inputs stamped 0.3 s early: sensors that are 0.3 s late
    names = (*diagonal_names(("surge",)), "delay")
    judgement = fit_and_validate(
        [late], FLATFISH, METHODS["output-error"], names, AXES, settings=ReplaySettings(restart=10.0)
    )
    assert judgement.fit.value("delay") == pytest.approx(0.3, abs=0.03)
    part = judgement.parts[0]
    ignored = replay(part.uniform, judgement.fit.vehicle, restart=10.0).scores
    assert len(part.after.twist) == len(part.uniform)
    assert part.after.scores["yaw"].rmse < 0.7 * ignored["yaw"].rmse


def test_a_parameter_that_does_not_show_costs_no_band_and_is_named(record):
    names = (*diagonal_names(AXES), "added_mass.pitch")
    judgement = fit_and_validate([record], FLATFISH, METHODS["filtered"], names, AXES)
    assert judgement.parts[0].band.held == ("added_mass.pitch",)
    assert any("The band shows nothing of added_mass.pitch" in words for words in judgement.fit.warnings)


@pytest.mark.parametrize("name", [name for name in METHODS if name not in ("lumped", "adaptive")])
def test_every_method_fits_and_is_judged(record, name):
    """On a record with little noise all of them follow the part held out."""
    judgement = fit_and_validate(
        [record], FLATFISH, METHODS[name], diagonal_names(AXES), AXES, settings=ReplaySettings(restart=5.0)
    )
    assert all(judgement.parts[0].after.scores[axis].r2 > 0.8 for axis in AXES)


def test_parts_that_are_too_short(record):
    with pytest.raises(RecordError, match="too short to hold out"):
        split_records([record.rows(0, 15)], 0.1)
    whole, same, _ = split_records([record], 0.0)
    assert whole[0] is same[0] is record


def test_words_for_parameters():
    default = selected_parameters((), (), FLATFISH, ("sway",))
    assert default == ("added_mass.sway", "damping.linear.sway", "damping.quadratic.sway")
    held = selected_parameters(("default", "damping.lift.sway_sway"), ("damping.*.sway",), FLATFISH, ("sway",))
    assert held == ("added_mass.sway",)
    shares = selected_parameters(("thrusters.*_front.effectiveness",), (), FLATFISH, AXES)
    assert shares == ("thrusters.sway_front.effectiveness", "thrusters.heave_front.effectiveness")
    with pytest.raises(ParameterNameError, match="Did you mean"):
        selected_parameters(("damping.linear.srge",), (), FLATFISH, AXES)


def test_files_are_written_together_or_not_at_all(tmp_path):
    write_together({tmp_path / "a": b"1", tmp_path / "b": b"2"})
    assert [(tmp_path / name).read_bytes() for name in "ab"] == [b"1", b"2"]
    with pytest.raises(OSError, match="a"):  # a file, where the other one has a folder
        write_together({tmp_path / "b": b"new", tmp_path / "a" / "c": b"2"})
    assert [(tmp_path / name).read_bytes() for name in "ab"] == [b"1", b"2"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_an_axis_that_moves_only_at_the_end_is_fitted_and_judged_all_the_same(record):
    """One axis after the other: the end alone would hide yaw from the fit, so pieces of all are held out."""
    late = record.twist.copy()
    late[: int(0.8 * len(record)), 5] = 0.0
    moved = record.with_note("yaw comes last", twist=late)
    parts = split_records([moved], 0.3, ("surge", "yaw"))
    assert "yaw hardly moved" in parts.note
    assert len(parts.fitted[0]) + len(parts.validated[0]) == len(record)
    assert len(parts.validated[0]) / len(record) == pytest.approx(0.3, abs=0.02)
    assert all(np.nanstd(part.speed("yaw")) > 0.0 for part in (parts.fitted[0], parts.validated[0]))
    assert all(part.provenance == moved.provenance for part in (parts.fitted[0], parts.validated[0]))  # nothing is lost
    assert not split_records([record], 0.3, ("surge",)).note


def test_records_that_contradict_each_other_are_named(record):
    """The same vehicle twice says nothing; the same with half as much water along in yaw names both and the number."""
    names = diagonal_names(AXES)
    other = driven_record(
        FLATFISH, seed=9, duration=60.0, interval=0.1, noise=(0.003, 0.003), locked=HELD, share=0.2
    )  # fmt: skip
    agreeing = [replace(record, source="a.csv"), replace(other, source="b.csv")]
    told = fit_and_validate(agreeing, FLATFISH, METHODS["instruments"], names, AXES).fit.warnings
    assert not any("contradict" in sentence for sentence in told)
    faster = replace(agreeing[1], twist=other.twist * [1.0, 1.0, 1.0, 1.0, 1.0, 1.5])
    told = fit_and_validate([agreeing[0], faster], FLATFISH, METHODS["instruments"], names, AXES).fit.warnings
    found = [sentence for sentence in told if "contradict" in sentence]
    assert any(sentence.startswith("added_mass.yaw: a.csv alone says ") for sentence in found)
    assert all("b.csv alone " in sentence for sentence in found)


def test_what_only_one_record_lacks_is_told_with_its_name(record):
    """E.g. the second of two logs without one thruster and with an attitude that the first has not."""
    inputs = record.inputs._replace(
        names=record.inputs.names[1:], units=record.inputs.units[1:], values=record.inputs.values[:, 1:]
    )
    both = [replace(record, source="a.csv"), replace(record, source="b.csv", inputs=inputs)]
    told = fit_and_validate(both, FLATFISH, METHODS["filtered"], diagonal_names(["sway"]), ["sway"]).fit.warnings
    missing = [sentence for sentence in told if "No input of" in sentence]
    assert missing == [f"b.csv: No input of {record.inputs.names[0]} was recorded; it is taken as zero."]


def test_a_constant_force_that_the_model_lacks_is_told():
    """A vehicle that is a newton lighter than the model: the fit says so, and not where the model is right."""
    rov = load_vehicle("bluerov2_heavy")
    p = rov.parameters
    light = replace(rov, parameters=p._replace(displaced_mass=p.displaced_mass + 1.0 / p.gravity))
    axes, names = ("surge", "heave"), diagonal_names(["surge", "heave"])
    seen = driven_record(light, seed=2, duration=60.0, interval=0.1, noise=(0.003, 0.003), locked=("roll", "pitch"))
    for model, wanted, expected in (
        (rov, names, True),
        (light, names, False),
        (rov, [*names, "body.net_buoyancy"], False),
    ):
        told = fit_and_validate([seen], model, METHODS["instruments"], wanted, axes).fit.warnings
        found = [sentence for sentence in told if sentence.startswith("heave: a constant force of ")]
        assert bool(found) == expected
        assert not any(sentence.startswith("surge: a constant") for sentence in told)
    told = fit_and_validate([seen], rov, METHODS["instruments"], names, axes).fit.warnings
    size = next(float(s.split()[5]) for s in told if s.startswith("heave: a constant force of "))
    assert size == pytest.approx(1.0, rel=0.15)
    assert any("Fit body.net_buoyancy too." in sentence for sentence in told)


def test_a_fitted_current_counts_when_the_fit_is_judged():
    """Water that carries the vehicle along: speeds over ground are those through the water and the current."""
    held = ("heave", "roll", "pitch", "yaw")
    still = driven_record(FLATFISH, seed=4, duration=80.0, interval=0.1, noise=(0.003, 0.003), locked=held, share=0.2)
    carried = replace(still, twist=still.twist + np.array([0.12, -0.07, 0.0, 0.0, 0.0, 0.0]))
    names = ["damping.linear.surge", "damping.linear.sway", "current.north", "current.east"]
    judgement = fit_and_validate([carried], FLATFISH, METHODS["output-error"], names, ("surge", "sway"))
    assert judgement.fit.value("current.north") == pytest.approx(0.12, abs=0.01)
    assert judgement.fit.value("current.east") == pytest.approx(-0.07, abs=0.01)
    part = judgement.parts[0]
    for axis in ("surge", "sway"):
        assert part.after.scores[axis].mae < 0.1 * part.before.scores[axis].mae


def test_a_fit_that_does_worse_than_the_vehicle_before_says_so(record):
    # Sway reads three times too fast in the part that is fitted, so what is learned there is wrong for the rest.
    spoilt = record.twist.copy()
    spoilt[: len(record) // 2, 1] *= 3.0
    wanted, how = ["added_mass.sway", "damping.linear.sway"], METHODS["filtered"]
    told = fit_and_validate([replace(record, twist=spoilt)], FLATFISH, how, wanted, ["sway"]).fit.warnings
    assert any("the fitted model is farther off than the one before in sway (RMSE " in words for words in told)
    assert not any(
        "farther off" in words for words in fit_and_validate([record], FLATFISH, how, wanted, ["sway"]).fit.warnings
    )


def test_a_handful_of_rows_judges_nothing(record):
    with pytest.raises(RecordError, match="has 5 rows: too few to judge a model by"):
        validate_record(record.rows(0, 5), FLATFISH.parameters, ReplaySettings())


def test_a_quiet_end_of_a_jittering_record_is_named_and_pieces_are_held_out(record):
    """9705 rows with hold_out=0.05 were called too short: the pieces held out were cut at every late stamp."""
    rows = 9705
    stamps = np.cumsum(np.random.default_rng(3).uniform(0.02, 0.08, rows))
    at = stamps % record.time[-1]
    twist = np.column_stack([np.interp(at, record.time, np.nan_to_num(column)) for column in record.twist.T])
    twist[int(0.9 * rows) :, 5] = 0.0
    jittering = record_from_arrays(stamps, twist, gap=1.0, source="long.csv")
    parts = split_records([jittering], 0.05, ("surge", "yaw"))
    assert "the last 0.05 of the time of long.csv is too quiet: yaw hardly moved there" in parts.note
    assert len(parts.validated[0]) == pytest.approx(0.05 * rows, rel=0.05)
    assert len(parts.fitted[0].segments) <= 2 + stamps[-1] / 30.0
    assert resampled(parts.fitted[0], 0.1).duration > 0.9 * jittering.duration


def test_an_end_with_few_rows_is_called_quiet_and_not_short(record):
    """The last tenth of the time holds three rows, as after a vehicle was switched off and on again."""
    late = record.time_ns.copy()
    late[-3:] += 10 * (late[-1] - late[0])
    rested = record_from_arrays(late, record.twist, gap=1.0, source="rested.csv")
    assert "the last 0.1 of the time of rested.csv is too quiet: it has 3 rows" in split_records([rested], 0.1).note
    brief = record_from_arrays(np.append(late[:200], late[-1:]), record.twist[:201], gap=1.0)
    with pytest.raises(RecordError, match=r"is too quiet to hold out 0\.1 of it: . of its .* judge by another log"):
        split_records([brief], 0.1, ("surge",))


def test_whole_records_are_fitted_and_other_records_judge(record):
    first, rest = record.split(0.5)
    names = diagonal_names(AXES)
    judgement = fit_and_validate([first], FLATFISH, METHODS["filtered"], names, AXES, hold_out=0.0, others=[rest])
    whole = fit_and_validate([first], FLATFISH, METHODS["filtered"], names, AXES, hold_out=0.0)
    assert np.array_equal(judgement.fit.values, whole.fit.values)
    assert [(part.recorded, part.shown) for part in judgement.parts] == [(rest, "nothing")]
    assert "a log that was not fitted" in "\n".join(judgement_lines(judgement))
    both = fit_and_validate([first], FLATFISH, METHODS["filtered"], names, AXES, hold_out=0.3, others=[rest])
    assert [part.shown for part in both.parts] == ["rest", "nothing"]
