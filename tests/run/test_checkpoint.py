"""Checkpoints: stop, save, load, go on, and nobody can tell."""

import os
import pickle
import signal
import subprocess
import sys
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stored_runs import run_with_checkpoints

from remora.logs import compare, read_log
from remora.run.checkpoint import (
    _MAGIC,
    Checkpoint,
    CheckpointError,
    load_checkpoint,
    resumed_loop,
    save_checkpoint,
)
from remora.run.loop.loop import Loop, RunOutcome, run_loop
from sample_runs import DVL, sample_setup, sample_vehicle

EVERY = 100  # steps


@pytest.mark.parametrize("stopped_at", [100, 250, 399])
def test_a_run_taken_up_again_has_the_log_of_one_that_never_stopped(stopped_at: int, tmp_path: Path) -> None:
    setup = sample_setup([sample_vehicle(), sample_vehicle("other", north=9.0)])
    run_with_checkpoints(setup, EVERY, tmp_path / "whole.mcap", tmp_path / "whole.checkpoint")
    run_with_checkpoints(setup, EVERY, tmp_path / "cut.mcap", tmp_path / "checkpoint", stopped_at)
    checkpoint = load_checkpoint(tmp_path / "checkpoint", setup)
    loop = resumed_loop(setup, checkpoint, tmp_path / "cut.mcap", tmp_path / "resumed.mcap")
    assert loop.step == stopped_at // EVERY * EVERY
    while loop.step < loop.steps:  # with the same checkpoints, so that even the bytes agree
        loop.advance(loop.step + EVERY)
        save_checkpoint(tmp_path / "checkpoint", loop)
    run_loop(loop)
    assert loop.recorder is not None
    loop.recorder.close()
    assert compare(tmp_path / "whole.mcap", tmp_path / "resumed.mcap").same
    assert (tmp_path / "whole.mcap").read_bytes() == (tmp_path / "resumed.mcap").read_bytes()


def test_a_checkpoint_does_not_change_with_the_run_that_goes_on() -> None:
    loop = Loop(sample_setup())
    loop.advance(150)
    snapshot = loop.snapshot()
    stored = pickle.dumps(snapshot)
    loop.advance(loop.steps)
    end = loop.vehicles[0].state
    assert pickle.dumps(snapshot) == stored
    loop.restore(snapshot)
    loop.advance(loop.steps)
    assert np.array_equal(loop.vehicles[0].state, end)


def test_words_are_stored_alike_by_every_release_of_python(tmp_path: Path, monkeypatch) -> None:
    # As Python 3.11.0 to 3.11.3 do by themselves: they would call getattr, which no checkpoint may.
    monkeypatch.setattr(Enum, "__reduce_ex__", lambda word, protocol: (getattr, (type(word), word.name)))
    loop = Loop(sample_setup())
    loop.advance(150)
    save_checkpoint(tmp_path / "checkpoint", loop)
    assert load_checkpoint(tmp_path / "checkpoint", loop.setup).snapshot.step == 150


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    loop = Loop(sample_setup())
    save_checkpoint(tmp_path / "checkpoint", loop)
    with pytest.raises(CheckpointError, match="another run"):
        load_checkpoint(tmp_path / "checkpoint", sample_setup(seed=4))


@pytest.mark.parametrize(
    "other",
    [
        lambda setup: replace(setup, scenario_hash="another scenario"),
        lambda setup: replace(setup, vehicle_hashes={"rov": "another vehicle"}),
        lambda setup: replace(setup, notes={**setup.notes, "title": "another title"}),
        lambda setup: replace(setup, duration_ns=setup.duration_ns + setup.step_ns),
    ],
    ids=["scenario", "vehicle", "notes", "duration"],
)
def test_a_checkpoint_of_another_scenario_or_vehicle_is_refused(other: Any, tmp_path: Path) -> None:
    """The seed is the same each time."""
    setup = sample_setup()
    save_checkpoint(tmp_path / "checkpoint", Loop(setup))
    assert load_checkpoint(tmp_path / "checkpoint", setup).snapshot.step == 0
    with pytest.raises(CheckpointError, match="another run"):
        load_checkpoint(tmp_path / "checkpoint", other(setup))


def test_a_checkpoint_of_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = sample_setup()
    save_checkpoint(tmp_path / "checkpoint", Loop(setup))
    monkeypatch.setattr("remora.__version__", "999.0")
    with pytest.raises(CheckpointError, match="another run"):
        load_checkpoint(tmp_path / "checkpoint", setup)


def test_a_checkpoint_of_an_older_format_is_refused_as_such(tmp_path: Path) -> None:
    """Its classes had other names, so that unpickling would fail with a misleading message."""
    path, setup = tmp_path / "checkpoint", sample_setup()
    save_checkpoint(path, Loop(setup))
    path.write_bytes(b"remora checkpoint 1\n" + path.read_bytes().split(b"\n", 1)[1])
    with pytest.raises(CheckpointError, match="is a checkpoint of another version of Remora"):
        load_checkpoint(path, setup)


def test_readings_in_transit_are_not_lost_by_a_stop(tmp_path: Path) -> None:
    """A sensor that is half a second late: what was measured before the stop arrives after it."""
    late = {**DVL, "rate": 10.0, "latency": 0.5, "parameters": {}}
    setup = sample_setup([sample_vehicle(sensors=(late,))])
    whole = Loop(setup)
    whole.advance(100)
    save_checkpoint(tmp_path / "checkpoint", whole)
    resumed = Loop(setup)
    resumed.restore(load_checkpoint(tmp_path / "checkpoint", setup).snapshot)
    for loop in (whole, resumed):
        loop.advance(130)  # 0.3 s later: only what was measured before the stop can have arrived
    there, here = (loop.vehicles[0].sensors.readings["dvl"] for loop in (whole, resumed))
    assert there.stamp_ns < 1_000_000_000 < there.arrival_ns
    assert here == there


@pytest.mark.parametrize("content", [b"", b"junk", b"remora checkpoint 1\n", b"remora checkpoint 1\n\x80\x05K\x01."])
def test_what_is_no_checkpoint_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "checkpoint").write_bytes(content)
    with pytest.raises(CheckpointError, match="checkpoint"):
        load_checkpoint(tmp_path / "checkpoint", sample_setup())
    with pytest.raises(CheckpointError, match="cannot be read"):
        load_checkpoint(tmp_path / "missing", sample_setup())


def test_damaged_checkpoints_are_refused_or_equal(tmp_path: Path) -> None:
    setup = sample_setup(duration=1.0)
    loop = Loop(setup)
    loop.advance(50)
    save_checkpoint(tmp_path / "checkpoint", loop)
    content = (tmp_path / "checkpoint").read_bytes()
    for cut in range(0, len(content), 97):
        (tmp_path / "cut").write_bytes(content[:cut])
        with pytest.raises(CheckpointError):
            load_checkpoint(tmp_path / "cut", setup)


class _Malice:
    def __reduce__(self) -> tuple[Any, ...]:
        return (os.system, ("echo pwned > pwned",))


@pytest.mark.parametrize("thing", [_Malice(), Checkpoint(_Malice(), None, None)])  # type: ignore[arg-type]
def test_a_checkpoint_cannot_call_anything(thing: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "checkpoint").write_bytes(_MAGIC + pickle.dumps(thing))
    with pytest.raises(CheckpointError, match="is not allowed in a checkpoint"):
        load_checkpoint(tmp_path / "checkpoint", sample_setup())
    assert not (tmp_path / "pwned").exists()


INTERRUPTED_RUN = """
import signal, sys
sys.path.insert(0, sys.argv[1])
from sample_runs import sample_setup
from remora.run.loop.loop import run
print("ready", flush=True)
outcome = run(sample_setup(duration=1e5), sys.argv[2], progress=lambda t: print("running", flush=True))
print(outcome.stopped, outcome.time_ns)
"""


def test_ctrl_c_leaves_a_whole_log(tmp_path: Path) -> None:
    command = [sys.executable, "-c", INTERRUPTED_RUN, str(Path(__file__).parents[1]), str(tmp_path / "log")]
    heed_ctrl_c = lambda: signal.signal(signal.SIGINT, signal.default_int_handler)  # noqa: E731
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=heed_ctrl_c)
    assert process.stdout is not None
    for line in process.stdout:  # it ends when the process does, whatever has become of it
        if line.strip() == "running":
            break
    else:
        pytest.fail(f"the run ended with exit code {process.wait()} before it began")
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    word, time_ns = rest.split()[-2:]
    log = read_log(tmp_path / "log")
    assert word == "interrupted"
    assert log.events[-1].text == "stopped by Ctrl-C"
    assert log["rov/truth"].time_ns[-1] == int(time_ns) > 0


def test_the_outcome_of_a_driven_loop_tells_how_far_it_came() -> None:
    assert run_loop(Loop(sample_setup(duration=0.5))) == RunOutcome(500_000_000, "", None)
