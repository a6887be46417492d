"""Runs that store themselves now and then, for tests that take them up again."""

from pathlib import Path

from remora.run.checkpoint import save_checkpoint
from remora.run.loop.loop import Loop, run_loop
from remora.run.recorder import Recorder
from remora.run.setup import Setup


def run_with_checkpoints(setup: Setup, every: int, log: Path, store: Path, last_step: int | None = None) -> None:
    """A run that stores itself every so many steps; of one that ends early the log is as a killed process leaves it."""
    recorder = Recorder.open(setup, log)
    loop = Loop(setup, recorder)
    last = loop.steps if last_step is None else last_step
    while loop.step < last:
        loop.advance(min(loop.step + every, last))
        if loop.step % every == 0:
            save_checkpoint(store, loop)
    if last_step is None:
        run_loop(loop)
    left = log.read_bytes()
    recorder.close()
    if last_step is not None:
        log.write_bytes(left)
