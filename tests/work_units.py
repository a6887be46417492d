"""Distribution of tests over the workers of pytest-xdist: those that share something expensive go to one worker.

These are the tests of all files with one `xdist_group`, and the tests of a file with fixtures of its module. Others are
spread. pytest-xdist 3.8 transports groups in node ids, which pytest 9.2 ignores: every worker then made each fixture,
and one waited for the compilation of the other (https://github.com/pytest-dev/pytest-xdist/issues/1386).
"""

import os
import re
from functools import cache
from pathlib import Path
from typing import Any

from xdist.scheduler import LoadScopeScheduling

_GROUP = re.compile(r'xdist_group\("([^"]+)"\)')
_SHARED = re.compile(r'^@pytest\.fixture\(.*scope="module"', re.MULTILINE)


@cache
def unit_of(file: Path) -> str | None:
    """Name of the work unit of all tests of a file; None where each is one of its own."""
    text = file.read_text(encoding="utf-8")
    group = _GROUP.search(text)
    if group is not None:
        return group[1]
    return str(file) if _SHARED.search(text) else None


WORKER_MEMORY = 1.0e9  # bytes that a worker needs at most


def workers() -> int:
    """As many workers as cores, but only as many as the memory holds; at least one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, int(min(cores, free_memory() // WORKER_MEMORY)))


def free_memory(system: Path = Path("/proc/meminfo"), container: Path = Path("/sys/fs/cgroup")) -> float:
    """Bytes that programs can take, also within a container; infinite where the system does not say."""
    found = [float("inf")]
    if system.exists():
        found += [1024.0 * int(kilobytes) for kilobytes in re.findall(r"MemAvailable:\s*(\d+)", system.read_text())]
    elif hasattr(os, "sysconf"):  # macOS tells the memory of the machine only
        found.append(0.7 * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    limit, used = container / "memory.max", container / "memory.stat"
    if limit.exists() and limit.read_text().strip().isdigit():
        anonymous = re.search(r"^anon (\d+)", used.read_text(), re.MULTILINE)
        found.append(float(limit.read_text()) - (float(anonymous[1]) if anonymous else 0.0))
    return min(found)


class SharedWork(LoadScopeScheduling):
    """Scheduler that keeps work units together; units of many tests come first."""

    def __init__(self, config: Any, log: Any) -> None:
        super().__init__(config, log)
        self._root = config.rootpath

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(self._root / nodeid.partition("::")[0]) or nodeid
