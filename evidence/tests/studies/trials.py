"""Trials for campaigns: well-behaved, crashing, killing their own process, and counting how often they run."""

import math
import os
import signal
import time
from pathlib import Path


def square(parameters, seed):
    return {"value": parameters["x"] ** 2 + seed}


def always_raises(parameters, seed):
    raise RuntimeError(f"seed {seed} never works")


def mixed(parameters, seed):
    """By parameter: fine, raises, kills its process always or the first time only, or leaves."""
    marks = Path(parameters["marks"])
    mark = marks / f"{parameters['kind']}-{seed}"
    first = not mark.exists()
    mark.write_text(str(int(mark.read_text()) + 1) if not first else "1")
    match parameters["kind"]:
        case "raises":
            raise RuntimeError("always")
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "killed once" if first:
            os.kill(os.getpid(), signal.SIGKILL)
        case "leaves":
            os._exit(7)
        case "no number":
            return math.nan
        case "no data":
            return {1, 2}
    return seed


def slow(parameters, seed):
    time.sleep(parameters["seconds"])
    return os.getpid()
