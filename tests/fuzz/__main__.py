"""`make fuzz`: random scenarios, which must run or say what is wrong."""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from fuzz import trial_pool
from remora.cli.progress import progress
from remora.kernels import warm_up

ENDINGS = ("ran", "stopped", "refused", "misbehaved")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run random scenarios and write out those that misbehave; the exit code is 1 if there is one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenarios", type=int, default=2000, help="number of scenarios")
    parser.add_argument("--seed", type=int, default=1, help="another seed draws other scenarios")
    parser.add_argument("--processes", type=int, default=2, help="number of processes")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"), help="folder for those that misbehave")
    options = parser.parse_args(arguments)
    warm_up()
    endings: Counter[str] = Counter()
    with progress("random scenarios", options.scenarios, "scenarios") as update:
        for trial in trial_pool.trials(options.seed, options.scenarios, options.processes):
            endings[trial.ending] += 1
            if trial.ending == "misbehaved":
                options.out.mkdir(parents=True, exist_ok=True)
                file = options.out / f"seed{options.seed}-{trial.number}.yaml"
                file.write_text(trial.text, encoding="utf-8", errors="surrogatepass")
                sys.stderr.write(f"{file}: {trial.words.strip()}\n")
            update(endings.total())
    for ending in ENDINGS:
        sys.stdout.write(f"{ending:<12}{endings[ending]}\n")
    return 1 if endings["misbehaved"] else 0


if __name__ == "__main__":
    sys.exit(main())
