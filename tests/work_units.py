"""Distribution of tests over the workers of pytest-xdist: those that share something expensive go to one worker.

These are the tests of all files with one `xdist_group`, and the tests of a file with fixtures of its module. Others are
spread. pytest-xdist 3.8 transports groups in node ids, which pytest 9.2 ignores: every worker then made each fixture,
and one waited for the compilation of the other (https://github.com/pytest-dev/pytest-xdist/issues/1386).
"""

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


class SharedWork(LoadScopeScheduling):
    """Scheduler that keeps work units together; units of many tests come first."""

    def __init__(self, config: Any, log: Any) -> None:
        super().__init__(config, log)
        self._root = config.rootpath

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(self._root / nodeid.partition("::")[0]) or nodeid
