"""`make fuzz`: random scenarios, damaged files and wrong messages, which must be used or say what is wrong."""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from fuzz import trial_pool
from fuzz.subjects import OTHERS, SUBJECTS
from remora.cli.console import progress
from remora.plant import warm_up

ENDINGS = ("ran", "stopped", "refused", "misbehaved")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run trials and write out those that misbehave; the exit code is 1 if there is one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=f"some of: {', '.join(SUBJECTS)}; default all")
    parser.add_argument("--cases", type=int, default=2000, help="number of trials of each subject")
    parser.add_argument("--seed", type=int, default=1, help="another seed draws other trials")
    parser.add_argument("--processes", type=int, default=2, help="number of processes")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"), help="folder for those that misbehave")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.subjects if name not in SUBJECTS]:
        parser.error(f"there is no subject {unknown[0]}. Known: {', '.join(SUBJECTS)}")
    warm_up()
    wrong = [_misbehaved(subject, options) for subject in options.subjects or SUBJECTS]
    return 1 if any(wrong) else 0


def _misbehaved(subject: str, options: argparse.Namespace) -> int:
    """Number of trials of a subject that misbehave."""
    endings: Counter[str] = Counter()
    with progress(f"random {subject}", options.cases, "cases") as update:
        for trial in trial_pool.trials(options.seed, options.cases, options.processes, subject=subject):
            endings[trial.ending] += 1
            if trial.ending == "misbehaved":
                options.out.mkdir(parents=True, exist_ok=True)
                suffix = OTHERS[subject].suffix if subject in OTHERS else ".yaml"
                file = options.out / f"{subject}-seed{options.seed}-{trial.number}{suffix}"
                file.write_bytes(trial.content)
                sys.stderr.write(f"{file}: {trial.words.strip()}\n")
            update(endings.total())
    counts = ", ".join(f"{endings[ending]} {ending}" for ending in ENDINGS)
    sys.stdout.write(f"{subject}: {counts}\n")
    return endings["misbehaved"]


if __name__ == "__main__":
    sys.exit(main())
