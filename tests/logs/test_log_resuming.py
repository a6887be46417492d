"""A run that was stopped and taken up again leaves the log of a run that was not."""

import json

import pytest
from sample_logs import CHANNELS, HEADER, fill, write_sample

from remora.logs import LogError, LogMark, LogWriter, read_log, resume_log

STOP = 260


def run(path, steps, mark_at=STOP):
    """A run with a checkpoint on the way; returns the writer, still open, and the mark."""
    writer = LogWriter(path, HEADER, CHANNELS, chunk_bytes=4096)
    fill(writer, range(mark_at))
    mark = writer.mark()
    fill(writer, range(mark_at, steps))
    return writer, mark


@pytest.mark.parametrize("died_at", [STOP, STOP + 1, 300, 499])
@pytest.mark.parametrize("closed", [True, False])
def test_the_resumed_log_has_the_same_bytes(tmp_path, died_at, closed):
    whole, _ = run(tmp_path / "whole.mcap", 500)
    whole.close()
    part, mark = run(tmp_path / "part.mcap", died_at)
    if closed:
        part.close()
    kept = LogMark(**json.loads(json.dumps(mark._asdict())))
    with resume_log(tmp_path / "part.mcap", tmp_path / "new.mcap", kept, HEADER, CHANNELS, chunk_bytes=4096) as writer:
        fill(writer, range(STOP, 500))
    part.close()
    assert (tmp_path / "new.mcap").read_bytes() == (tmp_path / "whole.mcap").read_bytes()


def test_a_mark_in_the_middle_of_an_instant(tmp_path):
    """The checkpoint may come between two channels of the same time."""
    paths = [tmp_path / name for name in ("whole.mcap", "part.mcap")]
    for path in paths:
        writer = LogWriter(path, HEADER, CHANNELS, chunk_ns=100)
        for time_ns in range(0, 500, 10):
            writer.write("truth/pose", time_ns, (1.0, 2.0, 3.0))
            if time_ns == 250:
                mark = writer.mark()
            writer.write("falcon/dvl", time_ns, (1.0, 2.0, True, 4))
        writer.close()
    with resume_log(paths[1], tmp_path / "new.mcap", mark, HEADER, CHANNELS, chunk_ns=100) as writer:
        writer.write("falcon/dvl", 250, (1.0, 2.0, True, 4))
        for time_ns in range(260, 500, 10):
            writer.write("truth/pose", time_ns, (1.0, 2.0, 3.0))
            writer.write("falcon/dvl", time_ns, (1.0, 2.0, True, 4))
    assert (tmp_path / "new.mcap").read_bytes() == paths[0].read_bytes()


def test_a_log_that_does_not_reach_the_mark_is_refused(tmp_path):
    writer, mark = run(tmp_path / "a.mcap", 500)
    writer.close()
    data = (tmp_path / "a.mcap").read_bytes()
    (tmp_path / "cut.mcap").write_bytes(data[: len(data) // 3])
    with pytest.raises(LogError, match=r"cut.mcap: does not hold what the mark of the checkpoint counts; byte"):
        resume_log(tmp_path / "cut.mcap", tmp_path / "b.mcap", mark, HEADER, CHANNELS)
    other = write_sample(tmp_path / "other.mcap", chunk_bytes=1 << 20)
    with pytest.raises(LogError, match="does not hold what the mark"):
        resume_log(other, tmp_path / "b.mcap", mark, HEADER, CHANNELS)


def test_the_log_of_another_run_is_refused(tmp_path):
    writer, mark = run(tmp_path / "a.mcap", 300)
    writer.close()
    with pytest.raises(LogError, match="is the log of another run"):
        resume_log(tmp_path / "a.mcap", tmp_path / "b.mcap", mark, HEADER._replace(seed=1), CHANNELS)
    with pytest.raises(LogError, match="is the log of another run"):
        resume_log(tmp_path / "a.mcap", tmp_path / "b.mcap", mark, HEADER, CHANNELS[:1])
    with pytest.raises(LogError, match="give the new log another name"):
        resume_log(tmp_path / "a.mcap", tmp_path / "." / "a.mcap", mark, HEADER, CHANNELS)
    assert read_log(tmp_path / "a.mcap").complete
    assert not (tmp_path / "b.mcap").exists()
