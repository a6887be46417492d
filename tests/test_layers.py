"""The list of packages in CONTRIBUTING.md is that of the import linter, and every package is in it."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_contributing_lists_the_layers_of_the_import_linter() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    checked = [{name.strip().removeprefix("remora.") for name in layer.split("|")} for layer in layers]
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \|", text.partition("## Packages and layers")[2].partition("\n## ")[0], re.MULTILINE)
    assert [set(re.findall(r"`(\w+)`", row)) for row in rows] == checked


def test_every_package_is_in_a_layer() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = " ".join(settings["tool"]["importlinter"]["contracts"][0]["layers"])
    packages = {path.parent.name for path in (ROOT / "src" / "remora").glob("*/__init__.py")}
    assert packages == set(re.findall(r"remora\.(\w+)", layers))


def test_no_package_has_more_than_fifteen_modules() -> None:
    sizes = {
        folder.relative_to(ROOT / "src").as_posix(): len(list(folder.glob("*.py")))
        for folder in (ROOT / "src" / "remora").rglob("*")
        if folder.is_dir()
    }
    crowded = {name for name, size in sizes.items() if size > 15}
    assert not crowded
