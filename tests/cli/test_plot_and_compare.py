"""`remora plot` and `remora compare`: pictures, words, exit codes, and hundreds of damaged logs without a traceback."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from command_line import remora
from loop_logs import CHANNELS, STEP_NS, header, write_run, write_step
from remora.logs import LogWriter, read_log, to_csv
from remora.report import drawing
from remora.report.logs.figure import channels_figure
from remora.report.morphology_figure import morphology_figure
from remora.vehicles.morphologies import load_morphology

PNG = b"\x89PNG\r\n\x1a\n"
STEPS = 60


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("good") / "run.mcap", steps=STEPS, chunk_bytes=4096)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are made, but not turned into dots, which takes longest."""
    monkeypatch.setattr(drawing, "write_picture", lambda figure, path: path)


def refused(result: Result, path: Path) -> str:
    """One line that names the file, and exit code 2."""
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"error: {path}")
    return line


def test_a_picture_beside_the_log_or_where_it_is_wanted(whole: Path, tmp_path: Path) -> None:
    result = remora("plot", whole)
    assert result.exit_code == 0
    assert result.stdout == f"picture: {whole.with_suffix('.png')}\n"
    assert whole.with_suffix(".png").read_bytes().startswith(PNG)
    there = tmp_path / "new" / "here.png"
    result = remora("plot", whole, "--out", there, "--channel", "alpha/dvl", "--from", "1", "--until", "2")
    assert (result.exit_code, result.stderr) == (0, "")
    assert there.read_bytes().startswith(PNG)


def test_pictures_of_channels_and_of_one_vehicle_leave_the_overview_alone(whole: Path, quick: None) -> None:
    for options, name in (
        (("--channel", "alpha/dvl"), "run-alpha_dvl.png"),
        (("--channel", "alpha/dvl", "--channel", "beta/power"), "run-alpha_dvl-beta_power.png"),
        (("--vehicle", "alpha"), "run-alpha.png"),
    ):
        assert remora("plot", whole, *options).stdout == f"picture: {whole.with_name(name)}\n"


def test_the_same_log_gives_the_same_picture(whole: Path, tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        remora("plot", whole, "--channel", "beta/power", "--out", tmp_path / name)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_csv_folders_are_logs_too(whole: Path, tmp_path: Path) -> None:
    to_csv(read_log(whole), tmp_path / "csv")
    drawn = remora("plot", tmp_path / "csv", "--channel", "alpha/power")
    assert drawn.stdout == f"picture: {tmp_path / 'csv-alpha_power.png'}\n"
    assert remora("compare", tmp_path / "csv", whole).stdout == "identical\n"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--channel", "alpha/dvll"], 'there is no channel "alpha/dvll". Did you mean "alpha/dvl"'),
        (["--channel", "events"], 'there is no channel "events"'),
        (["--vehicle", "betta"], 'there is no vehicle "betta". Did you mean "beta"?'),
        (["--from", "60"], "no values to draw from 60 s; the log goes from 0 to 2.95 s"),
    ],
)
def test_what_the_log_does_not_hold(whole: Path, options: list[str], words: str) -> None:
    assert words in refused(remora("plot", whole, *options), whole)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--from", "3", "--until", "2"], "there is no time between them"),
        (["--from", "nan"], "there is no time between them"),
        (["--out", "picture.pdf"], "Give a file ending in .png"),
        (["--vehicle", "alpha", "--channel", "alpha/dvl"], "--vehicle goes with the overview"),
    ],
)
def test_options_that_make_no_sense(whole: Path, options: list[str], words: str) -> None:
    result = remora("plot", whole, *options)
    assert result.exit_code == 2
    assert words in result.stderr


def test_the_log_is_never_overwritten(whole: Path, tmp_path: Path) -> None:
    log = tmp_path / "run.png"
    log.write_bytes(whole.read_bytes())
    for options in ([], ["--out", str(log)]):
        assert remora("plot", log, *options).exit_code == 2
    assert log.read_bytes() == whole.read_bytes()


def test_files_that_are_no_logs(whole: Path, tmp_path: Path) -> None:
    contents = {
        "empty.mcap": b"", "text.mcap": b"hello\n", "noise.mcap": random.Random(1).randbytes(5000),
        "zeros.mcap": bytes(5000), "table.csv": b"a,b\n1,2\n", "bytes.csv": b"\xff\xfe\x00\x81", "empty.csv": b"",
    }  # fmt: skip
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    for name in (*contents, "folder", "missing.mcap"):
        refused(remora("plot", tmp_path / name), tmp_path / name)
        refused(remora("compare", tmp_path / name, whole), tmp_path / name)
        refused(remora("compare", whole, tmp_path / name), tmp_path / name)


def test_a_log_without_values_has_no_picture(tmp_path: Path) -> None:
    path = write_run(tmp_path / "run.mcap", steps=0)
    assert "has no values to draw" in refused(remora("plot", path), path)
    with LogWriter(path, header(), CHANNELS):
        pass
    assert "holds no values" in refused(remora("plot", path), path)


def test_a_truncated_log_is_drawn_up_to_the_cut(whole: Path, tmp_path: Path, quick: None) -> None:
    data, truth = whole.read_bytes(), read_log(whole)["alpha/truth"]
    cut = tmp_path / "cut.mcap"
    counts = []
    for share in (0.3, 0.5, 0.8):
        cut.write_bytes(data[: int(share * len(data))])
        result = remora("plot", cut, "--channel", "alpha/truth")
        assert result.exit_code == 0
        warning, *problems = result.stderr.splitlines()
        assert warning.startswith(f"warning: {cut} is damaged")
        assert any("byte" in words and "the file ends" in words for words in problems)
        drawn = channels_figure(cut, ["alpha/truth"]).figure.get_axes()[0].lines[0]
        counts.append(len(drawn.get_xdata()))
        assert np.array_equal(drawn.get_ydata(), truth["p_NB_x"][: counts[-1]])
    assert 0 < counts[0] < counts[1] < counts[2] < STEPS


def damaged(data: bytes, generator: random.Random) -> bytes:
    """Cut, flipped, zeroed, scrambled, or random altogether."""
    kind = generator.randrange(5)
    start = generator.randrange(len(data))
    if kind == 0:
        return data[:start]
    bad = bytearray(data)
    if kind == 1:
        for _ in range(generator.randrange(1, 6)):
            bad[generator.randrange(len(bad))] ^= 1 << generator.randrange(8)
    elif kind == 2:
        bad[start : start + 2000] = bytes(min(2000, len(bad) - start))
    elif kind == 3:
        end = min(len(bad), start + generator.randrange(1, 3000))
        bad[start:end] = generator.randbytes(end - start)
    else:
        bad = bytearray(data[: generator.choice([0, 8, 60])]) + generator.randbytes(generator.randrange(3000))
    return bytes(bad)


@pytest.mark.parametrize("batch", range(4))
def test_damaged_logs_end_in_words(tmp_path: Path, batch: int, quick: None) -> None:
    """Eighty in each batch: every one is plotted and compared with the good one."""
    good = write_run(tmp_path / "good.mcap", steps=40, chunk_bytes=3000, vehicles=("alpha",))
    generator, data, path = random.Random(batch), good.read_bytes(), tmp_path / "bad.mcap"
    codes = []
    for _ in range(80):
        path.write_bytes(bad := damaged(data, generator))
        plotted = remora("plot", path, "--channel", "alpha/outputs")
        assert plotted.exit_code in (0, 2), plotted.output
        assert plotted.exception is None or isinstance(plotted.exception, SystemExit)
        assert "Traceback" not in plotted.output
        assert bad == data or str(path) in plotted.stderr
        compared = remora("compare", good, path)
        assert compared.exit_code == (0 if bad == data else 2 if "error: " in compared.stderr else 1), compared.output
        assert compared.exception is None or isinstance(compared.exception, SystemExit)
        assert compared.exit_code == 0 or str(path) in compared.output
        codes.append((plotted.exit_code, compared.exit_code))
    assert {(0, 1), (2, 2)} <= set(codes)


def test_identical_logs(whole: Path, tmp_path: Path) -> None:
    other = write_run(tmp_path / "again.mcap", steps=STEPS, chunk_bytes=900)
    result = remora("compare", whole, other)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "identical\n", "")
    data = json.loads(remora("compare", whole, other, "--json").stdout)
    assert data["same"] is True
    assert data["differing"] == []


def write_other(path: Path, change: float) -> Path:
    """The sample, with another power of beta at one step, and of alpha from a later one on."""
    with LogWriter(path, header(seed=8), CHANNELS) as writer:
        writer.event(0, "alpha", "info", "active")
        for k in range(STEPS):
            for vehicle in ("alpha", "beta"):
                write_step(Changed(writer, {("beta/power", 20): change, ("alpha/power", 31): change}), vehicle, k)
            if k % 40 == 0:
                writer.event(k * STEP_NS, "alpha/dvl", "warning", "no bottom")
    return path


class Changed:
    """A writer that changes the first value of some rows."""

    def __init__(self, writer: LogWriter, changes: dict[tuple[str, int], float]) -> None:
        self._writer, self._changes = writer, changes

    def write(self, channel: str, time_ns: int, values: tuple[float, ...]) -> None:
        change = self._changes.get((channel, time_ns // STEP_NS), 0.0)
        self._writer.write(channel, time_ns, (values[0] + change, *values[1:]))


def test_the_first_difference_and_the_header_are_told(whole: Path, tmp_path: Path) -> None:
    other = write_other(tmp_path / "other.mcap", 0.5)
    result = remora("compare", whole, other)
    assert result.exit_code == 1
    first, left, right, more, head = result.stdout.splitlines()
    power = float(read_log(whole)["beta/power"]["power"][20])
    assert first == "first difference: beta/power at 1 s"
    assert left == f"  {whole}: power {power!r}"
    assert right == f"  {other}: power {power + 0.5!r}"
    assert more == "2 channels differ, also: alpha/power"
    assert head == "header: seed is 7 and 8"
    data = json.loads(remora("compare", whole, other, "--json").stdout)
    assert [item["channel"] for item in data["differing"]] == ["beta/power", "alpha/power"]
    assert data["header"] == [{"entry": "seed", "first": 7, "second": 8}]


def test_a_tolerance_leaves_only_the_header(whole: Path, tmp_path: Path) -> None:
    other = write_other(tmp_path / "other.mcap", 1e-7)
    result = remora("compare", whole, other, "--tolerance", "1e-6")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == ["identical values; the headers differ", "header: seed is 7 and 8"]
    values = remora("compare", whole, other, "--tolerance", "1e-6", "--values")
    assert values.exit_code == 0
    assert values.stdout.splitlines() == ["identical values; the headers differ", "note: header: seed is 7 and 8"]
    assert remora("compare", whole, other, "--values").exit_code == 1
    assert remora("compare", whole, other, "--tolerance", "-1").exit_code == 2


def test_missing_channels_and_rows_are_told(whole: Path, tmp_path: Path) -> None:
    alone = write_run(tmp_path / "alone.mcap", steps=STEPS, vehicles=("alpha",))
    words = remora("compare", whole, alone).stdout
    assert f"only in {whole}: beta/truth, " in words
    short = write_run(tmp_path / "short.mcap", steps=STEPS - 20)
    lines = remora("compare", whole, short).stdout.splitlines()
    assert lines[0] == "first difference: alpha/truth at 2 s"
    assert lines[1].startswith(f"  {whole}: only here: (2000000000, 1.0, ")
    assert lines[2] == f"  {short}: nothing"
    json.loads(remora("compare", whole, short, "--json").stdout)


@pytest.mark.parametrize("name", ["two_bluerovs", "ring_of_six"])
def test_a_morphology_is_drawn(name: str, tmp_path: Path) -> None:
    result = remora("plot", name, "--out", tmp_path / "whole.png")
    assert (result.exit_code, result.stderr) == (0, "")
    assert (tmp_path / "whole.png").read_bytes().startswith(PNG)


def test_options_of_logs_are_refused_for_a_morphology(quick: None) -> None:
    for options in (("--from", "1"), ("--channel", "a"), ("--vehicle", "a")):
        assert "go with a log" in refused(remora("plot", "docked_pair", *options), Path("docked_pair"))


def test_hulls_thrusters_and_links_of_a_morphology_are_where_they_are() -> None:
    """Outlines reach as far as the solids, in the axes of the origin; down and starboard are below."""
    pair = load_morphology("docked_pair")
    above, beside = morphology_figure(pair).axes
    (length, width, height), position = max(
        (solid["size"], solid["position"]) for solid in pair.module("lead").vehicle.looks if "size" in solid
    )
    for axes, size, k in ((above, width, 1), (beside, height, 2)):
        corners = axes.patches[0].get_xy()
        assert corners[:, 0].max() >= position[0] + 0.5 * length - 1e-9
        assert corners[:, 1].min() <= position[k] - 0.5 * size + 1e-9
        assert np.ptp(axes.patches[1].get_xy()[:, 0]) == pytest.approx(np.ptp(corners[:, 0]))
        assert axes.patches[1].get_xy()[:, 0].max() == pytest.approx(corners[:, 0].max() - 0.5)
        assert axes.yaxis_inverted()
        assert [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"] == pytest.approx([-0.25])
        arrows = [text for text in axes.texts if not text.get_text()]
        assert len(arrows) == 16
