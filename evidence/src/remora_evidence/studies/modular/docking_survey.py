"""Survey of docking schemes as data. Nielsen 2018, Table 1.1: 56 publications, none of which shares state."""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ruamel.yaml import YAML


class DockingSurvey(NamedTuple):
    """Counts of publications by aspect and answer."""

    source: str
    publications: int
    aspects: dict[str, dict[str, int]]

    def __str__(self) -> str:
        lines = [f"{self.publications} publications on docking, {self.source}"]
        for aspect, counts in self.aspects.items():
            lines.append(f"{aspect:<12}{', '.join(f'{answer} {count}' for answer, count in counts.items())}")
        return "\n".join(lines)


@lru_cache(maxsize=1)
def docking_survey() -> DockingSurvey:
    """The survey; its text is a listing of all counts."""
    data = YAML(typ="safe").load(Path(__file__).with_name("docking_survey.yaml").read_text(encoding="utf-8"))
    return DockingSurvey(data["source"], data["publications"], data["aspects"])
