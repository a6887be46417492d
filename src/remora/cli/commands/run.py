"""`remora run`: a scenario through the loop, with a log, a picture and a summary."""

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from remora.cli.errors import FAILED, INTERRUPTED, NOT_AS_ASKED
from remora.cli.replacing import check_replaceable

if TYPE_CHECKING:
    from remora.simulation.loop.loop import Loop, RunOutcome
    from remora.simulation.setup import Setup

DEFAULT_SCENARIO = "tunnel"
LONGEST_RUN = 7 * 86400.0  # s


class Files(NamedTuple):
    """Where a run is written to."""

    log: Path
    picture: Path
    checkpoint: Path


@click.command()
@click.argument("scenario", default=DEFAULT_SCENARIO)
@click.option("--out", default="runs", show_default=True, help="Folder for the results, or a log file ending in .mcap.")
@click.option("--seed", type=click.IntRange(min=0), help="Instead of the scenario's own.")
@click.option("--duration", type=float, metavar="S", help="Seconds to simulate, instead of the scenario's own.")
@click.option("--vehicle", metavar="NAME", help="Preset or vehicle file in place of the scenario's one vehicle.")
@click.option(
    "--speed", type=float, metavar="X", help="Keep to so many times real time; as fast as it can unless given."
)
@click.option("--clock", type=click.Choice(["stdin"]), help="Follow a clock: seconds, one number per line.")
@click.option("--checkpoint-every", "every", type=float, metavar="S", help="Store the run so often, for --resume.")
@click.option("--resume", is_flag=True, help="Go on from the last checkpoint.")
@click.pass_context
def run(
    context: click.Context,
    scenario: str,
    out: str,
    seed: int | None,
    duration: float | None,
    vehicle: str | None,
    speed: float | None,
    clock: str | None,
    every: float | None,
    resume: bool,
) -> None:
    """Simulate SCENARIO, a file or one that comes along: tunnel (the default), dive_and_turn, and others.

    Writes a log, a picture and a summary in words. The same scenario and seed give the same log, bit for bit. Ctrl-C
    stops the run between two steps; the log until then is whole. Exit code 3: the run ended, but not as asked; what
    was found stands in the summary and in the log.
    """
    setup = _read(scenario, seed, duration, vehicle)
    if speed is not None and clock is not None:
        raise ValueError("--speed and --clock: only one can say how fast time goes")
    if speed is not None and not 0.0 < speed < float("inf"):
        raise ValueError(f"--speed {speed:g}: give a positive number, 1 for real time")
    _tell_before(setup)
    steps = _checkpoint_steps(every, setup)
    files = prepare_files(out, setup, resume)

    from remora.cli.progress import progress
    from remora.kernels.compilation import kernels_for
    from remora.simulation.checkpoint import save_checkpoint
    from remora.simulation.loop.loop import run_loop

    for one in setup.vehicles:  # compiled now, if ever, so that the progress is that of the run
        kernels_for(one.plant.packed.layout)
    loop = _loop(setup, files, resume)
    assert loop.recorder is not None
    begun_ns, begun = loop.time_ns, time.perf_counter()
    try:
        with progress(setup.notes.get("title", setup.name), setup.duration_ns * 1e-9) as update:
            outcome = run_loop(
                loop,
                progress=update,
                speed=speed,
                clock=_clock_lines() if clock else None,
                checkpoint=(lambda stored: save_checkpoint(files.checkpoint, stored)) if steps else None,
                checkpoint_steps=steps,
            )
    finally:
        loop.recorder.close()
    speed_reached = (outcome.time_ns - begun_ns) * 1e-9 / (time.perf_counter() - begun)
    if resume:
        _resumed_log(files).replace(files.log)
    _tell(files, setup, outcome, speed_reached)
    _end(context, outcome)


def _read(scenario: str, seed: int | None, duration: float | None, vehicle: str | None) -> "Setup":
    from remora.simulation.scenarios import read_scenario

    changes: dict[str, Any] = {} if seed is None else {"seed": seed}
    if duration is not None:
        if not 0.0 < duration <= LONGEST_RUN:
            raise ValueError(f"--duration {duration:g}: give more than 0 and at most {LONGEST_RUN:g} seconds")
        changes["duration"] = f"{duration!r} s"
    if vehicle is not None:
        changes["vehicle"] = vehicle
    return read_scenario(scenario, changes)


def _tell_before(setup: "Setup") -> None:
    """Notes on the scenario, what will not go as asked, and implausible numbers as `remora check` shows them."""
    from remora.vehicles.checks.report import warning_lines

    for note in setup.load_notes:
        click.echo(f"note: {note}", err=True)
    for one in setup.vehicles:
        for line in warning_lines(one.plant.vehicle):
            click.echo(f"warning: {line}", err=True)
        for found in one.load_warnings:
            click.echo(f"warning: {one.name}: {found.text}", err=True)


def _checkpoint_steps(every: float | None, setup: "Setup") -> int:
    """Steps between checkpoints; 0 for none."""
    if every is None:
        return 0
    steps = round(every * 1e9 / setup.step_ns) if 0.0 < every <= LONGEST_RUN else 0
    if steps < 1:
        step = setup.step_ns * 1e-9
        raise ValueError(f"--checkpoint-every {every:g}: give at least one step, {step:g} s")
    return steps


def prepare_files(out: str, setup: "Setup", resume: bool) -> Files:
    """The files of a run; their folder is made now, so that a wrong place is found before the run and not after it."""
    path = Path(out)
    if path.suffix == ".mcap" and not path.is_dir():
        log = path
    elif path.suffix and not path.is_dir():
        raise ValueError(f"--out {out}: logs are MCAP files. Give a folder, or a file ending in .mcap.")
    else:
        log = path / f"{re.sub(r'[^A-Za-z0-9_.-]+', '_', setup.name)}-seed{setup.seed}.mcap"
    if resume and not (log.is_file() and log.with_suffix(".checkpoint").is_file()):
        raise ValueError(f"--resume: {log} and its checkpoint are not both there. Start with --checkpoint-every.")
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise ValueError(f"--out {out}: {log.parent} is in the way, it is not a folder.") from None
    files = Files(log, log.with_suffix(".png"), log.with_suffix(".checkpoint"))
    for file in files:
        check_replaceable("--out", file)
    return files


def _loop(setup: "Setup", files: Files, resume: bool) -> "Loop":
    """A fresh loop, or one that goes on from the last checkpoint with a copy of the log until then."""
    from remora.simulation.checkpoint import load_checkpoint, resumed_loop
    from remora.simulation.loop.loop import Loop
    from remora.simulation.recorder import Recorder

    if resume:
        checkpoint = load_checkpoint(files.checkpoint, setup)
        return resumed_loop(setup, checkpoint, files.log, _resumed_log(files))
    return Loop(setup, Recorder.open(setup, files.log))


def _resumed_log(files: Files) -> Path:
    """Where a run that goes on writes, until it takes the place of the log it came from."""
    return files.log.with_name(f".{files.log.name}.part")


def _clock_lines() -> Iterator[str]:
    """Times of an external clock from standard input."""
    for line in sys.stdin:
        if line.strip():
            yield line.strip()


def _tell(files: Files, setup: "Setup", outcome: "RunOutcome", speed: float) -> None:
    """Draw the picture and say in words what happened."""
    from remora.report.drawing import write_picture
    from remora.report.simulations.picture import run_picture
    from remora.report.simulations.summary import ActuatorLimits, run_summary
    from remora.simulation.monitoring.command_limits import outages, reached_limits

    limits = {one.name: ActuatorLimits(reached_limits(one), outages(one)) for one in setup.vehicles}
    for word, text in run_summary(files.log, limits):
        click.echo(f"{word:<14}{text}")
    click.echo(f"{'speed':<14}{speed:.3g} x real time, log included")
    if outcome.overruns is not None:
        missed, waits, worst = outcome.overruns
        click.echo(f"{'pace':<14}{missed} of {waits} waits came too late, by up to {worst:.3f} s")
    written = [files.log]
    if outcome.time_ns > 0:
        written.append(write_picture(run_picture(files.log), files.picture))
    for file in written:
        click.echo(f"{'written':<14}{file}")


def _end(context: click.Context, outcome: "RunOutcome") -> None:
    """Exit code of a run that ended early, or did not go as asked."""
    from remora.simulation.loop import loop

    if outcome.warnings:
        click.echo("warning: the run did not go as asked:", err=True)
        for one in outcome.warnings:
            click.echo(f"  {one}", err=True)
        click.echo("  A scenario that means this says so with the key watch, e.g. watch: off.", err=True)
    if outcome.stopped == loop.INTERRUPTED:
        click.echo("stopped by Ctrl-C; what was simulated until then is written", err=True)
        context.exit(INTERRUPTED)
    if outcome.stopped:
        click.echo(f"error: the run failed: {outcome.stopped}", err=True)
        context.exit(FAILED)
    if outcome.refused:
        names = ", ".join(outcome.refused)
        click.echo(f"error: {names}: gave values that are no numbers; the log says when. They were not used.", err=True)
        context.exit(FAILED)
    if outcome.warnings:
        context.exit(NOT_AS_ASKED)
