"""`remora fuzz`: random scenarios, which must run or say what is wrong."""

import sys
from collections import Counter
from pathlib import Path

import click


@click.command()
@click.option("--scenarios", type=click.IntRange(min=1), default=200, show_default=True, help="How many.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Which ones.")
@click.option("--processes", type=click.IntRange(min=1), default=1, show_default=True, help="How many at a time.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path("fuzz"), show_default=True,
              help="Folder for the files of those that misbehave.")  # fmt: skip
def fuzz(scenarios: int, seed: int, processes: int, out: Path) -> None:
    """Run random scenarios over all vehicles, parts, sensors, faults and worlds; every third is broken on purpose.

    Each must end in a run or in a clear message: never in a traceback, a hang or a NaN in the log. Those that do not
    are written out, and the exit code is 1.
    """
    from remora.cli.progress import progress
    from remora.fuzz.running import trials
    from remora.kernels import warm_up

    warm_up()
    endings: Counter[str] = Counter()
    with progress("random scenarios", scenarios, "scenarios") as update:
        for trial in trials(seed, scenarios, processes):
            endings[trial.ending] += 1
            if trial.ending == "misbehaved":
                out.mkdir(parents=True, exist_ok=True)
                file = out / f"seed{seed}-{trial.number}.yaml"
                file.write_text(trial.text, encoding="utf-8", errors="surrogatepass")
                click.echo(f"{file}: {trial.words.strip()}", err=True)
            update(endings.total())
    for ending in ("ran", "stopped", "refused", "misbehaved"):
        click.echo(f"{ending:<12}{endings[ending]}")
    sys.exit(1 if endings["misbehaved"] else 0)
