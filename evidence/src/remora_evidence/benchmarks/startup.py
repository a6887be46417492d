"""How long a user waits before anything moves: seconds of CPU of fresh processes."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping

Values = Mapping[str, float | str]

# Exactly what the installed command `remora --help` runs.
HELP = "import sys; sys.argv = ['remora', '--help']; from remora.cli import main; sys.exit(main())"


FIRST_STEP = "remora_evidence.benchmarks.first_step"


def measure_warm_start(runs: int = 5) -> Values:
    """From nothing to the first step of a preset, with kernels that were compiled before."""
    started_seconds()  # so that the cache is warm
    return {"warm_start_seconds": min(started_seconds() for _ in range(runs))}


def measure_cold_start() -> Values:
    """The same with an empty cache: all kernels are compiled."""
    with tempfile.TemporaryDirectory() as folder:
        return {"cold_start_seconds": started_seconds({"REMORA_CACHE_DIR": folder})}


def measure_help(runs: int = 7) -> Values:
    """The answer to `remora --help`, with all that the interpreter does before and after."""
    if os.name != "posix":
        return {"help_cpu_seconds": "this system does not say how much CPU a child process took"}
    try:
        return {"help_cpu_seconds": min(_help_seconds() for _ in range(runs))}
    except subprocess.CalledProcessError as error:
        return {"help_cpu_seconds": f"remora --help failed: {(error.stderr.strip() or '?').splitlines()[-1]}"}


def started_seconds(environment: Mapping[str, str] | None = None, module: str = FIRST_STEP) -> float:
    """CPU seconds that a fresh process says it took until its first step was done, or what another module makes."""
    done = subprocess.run(
        [sys.executable, "-m", module],
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def _help_seconds() -> float:
    """CPU seconds of one child that prints the help."""
    import resource

    def spent() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = spent()
    subprocess.run([sys.executable, "-c", HELP], capture_output=True, text=True, check=True)
    return spent() - before
