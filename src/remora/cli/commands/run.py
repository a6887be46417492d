"""`remora run`: simulation of a scenario, with log, picture and summary."""

import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from remora.cli.errors import FAILED, INTERRUPTED, NOT_AS_ASKED
from remora.cli.overwrite_check import check_replaceable, replaces_another
from remora.cli.tokens import address_and_token
from remora.cli.vehicle_warnings import print_warnings

if TYPE_CHECKING:
    from remora.report.mission_page.live_view import LiveView
    from remora.run.live.operator_server import OperatorServer
    from remora.run.loop.loop import Loop, RunOutcome
    from remora.run.setup import Setup

DEFAULT_SCENARIO = "tunnel"
LONGEST_RUN = 7 * 86400.0  # s


class Files(NamedTuple):
    """Output files of a run."""

    log: Path
    picture: Path
    page: Path
    checkpoint: Path


@click.command()
@click.argument("scenario", default=DEFAULT_SCENARIO)
@click.option("--out", default="runs", show_default=True, help="Folder for the results, or a log file ending in .mcap.")
@click.option("--seed", type=click.IntRange(min=0), help="Seed, in place of that of the scenario.")
@click.option("--duration", type=float, metavar="S", help="Simulated seconds, in place of those of the scenario.")
@click.option("--vehicle", metavar="NAME", help="Preset or vehicle file, in place of the only vehicle of the scenario.")
@click.option("--speed", type=float, metavar="X", help="Pace as a multiple of real time; default as fast as possible.")
@click.option("--clock", type=click.Choice(["stdin"]), help="Follow an external clock: seconds, one number per line.")
@click.option(
    "--checkpoint-every", "every", type=float, metavar="S", help="Interval between checkpoints, for --resume."
)
@click.option("--resume", is_flag=True, help="Continue from the last checkpoint.")
@click.option("--page/--no-page", default=True, help="Write the page for a browser beside the log, or leave it.")
@click.option("--view", "live", is_flag=True, help="Show the run live in a browser, on this machine only.")
@click.option(
    "--listen",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Take commands of operators on this TCP port of 127.0.0.1.",
)
@click.option("--token-file", metavar="FILE", help="Write the token of --listen here; only you may read the file.")
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
    page: bool,
    live: bool,
    listen: int | None,
    token_file: str | None,
) -> None:
    """Simulate SCENARIO, a file or a bundled one: tunnel (the default), dive_and_turn, and others.

    Writes a log, a picture and a page for a browser, and prints a summary. The same scenario and seed give the same
    log, bit for bit. Ctrl-C stops the run between two steps; the log is complete until then. Exit code 3: the run
    ended, but not as asked; the reasons are in the summary and in the log.
    """
    setup = _read(scenario, seed, duration, vehicle)
    if speed is not None and clock is not None:
        raise ValueError("--speed and --clock: give only one of them")
    if token_file is not None and listen is None:
        raise ValueError("--token-file: give --listen too, whose token it holds")
    if listen is not None and speed is None and clock is None:
        speed = 1.0  # operators live in real time
    if speed is not None and not 0.0 < speed < float("inf"):
        raise ValueError(f"--speed {speed:g}: give a positive number, 1 for real time")
    _print_notes(setup)
    steps = _checkpoint_steps(every, setup)
    files = prepare_files(out, setup, resume)

    from remora.cli.progress import progress
    from remora.plant.compilation import kernels_for
    from remora.run.checkpoint import save_checkpoint
    from remora.run.loop.loop import run_loop

    for one in setup.vehicles:  # compiled now, if ever, so that the progress is that of the run
        kernels_for(one.plant.packed.layout)
    loop = _loop(setup, files, resume)
    assert loop.recorder is not None
    begun_ns, begun = loop.time_ns, time.perf_counter()
    shown = _live_view(setup, loop) if live else None
    operators = None if listen is None else _operators(loop, listen, token_file)
    try:
        with progress(setup.notes.get("title", setup.name), setup.duration_ns * 1e-9) as update:
            outcome = run_loop(
                loop,
                progress=update if shown is None else _shown_progress(update, shown, loop),
                speed=speed,
                clock=_clock_lines() if clock else None,
                checkpoint=(lambda stored: save_checkpoint(files.checkpoint, stored)) if steps else None,
                checkpoint_steps=steps,
            )
    finally:
        loop.recorder.close()
        if operators is not None:
            operators.close()
        if shown is not None:
            shown.close(loop)
    speed_reached = (outcome.time_ns - begun_ns) * 1e-9 / (time.perf_counter() - begun)
    if resume:
        _resumed_log(files).replace(files.log)
    _print_summary(files, setup, outcome, speed_reached, page)
    _end(context, outcome)


def _read(scenario: str, seed: int | None, duration: float | None, vehicle: str | None) -> "Setup":
    from remora.scenarios import read_scenario

    changes: dict[str, Any] = {} if seed is None else {"seed": seed}
    if duration is not None:
        if not 0.0 < duration <= LONGEST_RUN:
            raise ValueError(f"--duration {duration:g}: give more than 0 and at most {LONGEST_RUN:g} seconds")
        changes["duration"] = f"{duration!r} s"
    if vehicle is not None:
        changes["vehicle"] = vehicle
    return read_scenario(scenario, changes)


def _print_notes(setup: "Setup") -> None:
    """Print notes and warnings of the scenario, and implausible parameters."""
    for note in setup.load_notes:
        click.echo(f"note: {note}", err=True)
    for one in setup.vehicles:
        print_warnings(one.plant.vehicle)
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
    """Output files of a run. Their folder is created now, so that a wrong path is found before the run."""
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
    files = Files(log, log.with_suffix(".png"), log.with_suffix(".html"), log.with_suffix(".checkpoint"))
    for file in files:
        check_replaceable("--out", file)
    if not resume and replaces_another(log, setup.scenario_hash):
        click.echo(f"note: {log} is the log of another scenario, or of an older version; it is replaced", err=True)
    return files


def _loop(setup: "Setup", files: Files, resume: bool) -> "Loop":
    """A new loop, or one that continues from the last checkpoint with a copy of the log."""
    from remora.run.checkpoint import load_checkpoint, resumed_loop
    from remora.run.loop.loop import Loop
    from remora.run.recorder import Recorder

    if resume:
        checkpoint = load_checkpoint(files.checkpoint, setup)
        return resumed_loop(setup, checkpoint, files.log, _resumed_log(files))
    return Loop(setup, Recorder.open(setup, files.log))


def _resumed_log(files: Files) -> Path:
    """Temporary log of a resumed run, which replaces the log at the end."""
    return files.log.with_name(f".{files.log.name}.part")


def _clock_lines() -> Iterator[str]:
    """Times of an external clock from standard input."""
    for line in sys.stdin:
        if line.strip():
            yield line.strip()


def _live_view(setup: "Setup", loop: "Loop") -> "LiveView":
    """The live view of a loop; its address is printed, and opened where there is a browser."""
    from remora.report.mission_page.live_view import LiveView
    from remora.report.mission_page.page import open_in_browser

    view = LiveView(setup)
    assert loop.recorder is not None
    loop.recorder.on_event = view.event
    view.send(loop)
    click.echo(f"live view: {view.url} (until the run ends)", err=True)
    open_in_browser(view.url)
    return view


def _operators(loop: "Loop", port: int, token_file: str | None) -> "OperatorServer":
    """The server for operators; its address is printed, and vehicles that take no commands."""
    from remora.run.live.operator_server import OperatorServer
    from remora.run.monitoring.goals import takes_commands

    server = OperatorServer(loop, port)
    steered = (*loop.setup.vehicles, *(one.vehicle for one in loop.setup.assemblies))
    if deaf := [one.name for one in steered if not takes_commands(one)]:
        why = "its guidance is not the part pilot. Operators can only ask for the status"
        click.echo(f"note: {', '.join(deaf)} takes no commands: {why}.", err=True)
    click.echo(f"operators: {address_and_token(server, token_file)} (until the run ends)", err=True)
    return server


def _shown_progress(update: Callable[[float], None], shown: "LiveView", loop: "Loop") -> Callable[[float], None]:
    """A progress function that also sends the state of the run to its live view."""

    def report(seconds: float) -> None:
        update(seconds)
        shown.send(loop)

    return report


def _print_summary(files: Files, setup: "Setup", outcome: "RunOutcome", speed: float, page: bool) -> None:
    """Draw the picture, write the page and print the summary."""
    from remora.report.drawing import NoPicturesError, write_picture
    from remora.report.mission_page import write_page
    from remora.report.simulations.mission_figure import run_picture
    from remora.report.simulations.summary import run_summary

    for word, text in run_summary(files.log):
        click.echo(f"{word:<14}{text}")
    click.echo(f"{'speed':<14}{speed:.3g} x real time, log included")
    if outcome.overruns is not None:
        missed, waits, worst = outcome.overruns
        click.echo(f"{'pace':<14}{missed} of {waits} waits came too late, by up to {worst:.3f} s")
    written = [files.log]
    if outcome.time_ns > 0:
        try:
            written.append(write_picture(run_picture(files.log), files.picture))
        except NoPicturesError as missing:
            files.picture.unlink(missing_ok=True)  # of an earlier run
            click.echo(f"note: no picture was drawn: {missing}", err=True)
        if page:
            written.append(write_page([files.log], files.page))
        else:
            files.page.unlink(missing_ok=True)  # of an earlier run, which it would show beside the new log
    for file in written:
        click.echo(f"{'written':<14}{file}")


def _end(context: click.Context, outcome: "RunOutcome") -> None:
    """Exit code of a run that ended early, or did not go as asked."""
    from remora.run.loop import loop

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
