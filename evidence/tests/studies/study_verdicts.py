"""Verdicts as the page on studies has them."""

import re
from functools import cache

from pages import page


@cache
def written_verdicts() -> dict[str, str]:
    """Verdict by study."""
    table = page("studies.md").split("## As measured")[1].split("## Adding a study")[0]
    rows = dict(re.findall(r"^\| ([^| ]+) \| ([^|]+?) \|", table, re.MULTILINE))
    return {name: word for name, word in rows.items() if name not in ("Study", "---")}
