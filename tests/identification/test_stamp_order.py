"""Stamps out of order: a block that was moved, a clock that was set back, and what sorting makes of it."""

from pathlib import Path

import numpy as np
import pytest

from remora.identification.data.stamp_checks import interleaved_start, stamp_fault
from remora.identification.data.table_record import record_from_csv
from remora.identification.problems import RecordError

TIME = np.arange(0.0, 40.0, 0.1)


def test_a_moved_block_is_to_be_sorted() -> None:
    moved = np.concatenate([TIME[:100], TIME[200:300], TIME[100:200], TIME[300:]])
    fault = stamp_fault(moved)
    assert fault is not None
    assert fault.row == 200
    assert fault.text == "goes back in time."
    assert "Sort the rows" in fault.fix


def test_a_clock_that_was_set_back_is_not() -> None:
    fault = stamp_fault(np.concatenate([TIME[:200], TIME[200:] - 7.03]))
    assert fault is not None
    assert fault.row == 200
    assert "the clock was set back" in fault.text
    assert "Split the table there" in fault.fix


def test_single_late_rows_are_counted_without_zero_others() -> None:
    late = TIME.copy()
    late[50] = late[48] + 0.05
    fault = stamp_fault(late)
    assert fault is not None
    assert fault.text == "goes back in time."


def test_stretches_mixed_by_sorting_are_found() -> None:
    stamps = np.concatenate([TIME[:200], TIME[200:] - 7.03])
    speed = np.sin(0.4 * TIME)
    order = np.argsort(stamps)
    start = interleaved_start(stamps[order], speed[order, None])
    assert start is not None
    assert 11.0 < start < 17.0
    assert interleaved_start(TIME, speed[:, None]) is None
    jitter = TIME + 0.03 * np.random.default_rng(1).standard_normal(len(TIME)).clip(-1.0, 1.0)
    assert interleaved_start(jitter, np.sin(0.4 * jitter)[:, None]) is None


@pytest.mark.parametrize("cell", ["1", ""])
def test_the_line_of_the_file_is_named(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"# made by hand\ntime,vx,n1\n0,1,2\n0.1,{cell},2\n\n0.3,1,2\n0.2,1,3\n")
    with pytest.raises(RecordError, match=r"t\.csv:7: the row goes back in time\."):
        record_from_csv(path, {"surge": "vx"}, {"n1": "n1"})
