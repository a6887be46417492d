"""README and theory stay true: commands print what is shown, code runs, named functions exist."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import remora
from pages import README, code_blocks, commands_of, missing_lines, printed_by

ROOT = Path(__file__).parents[2]
TEXT = README.read_text()
THEORY = (ROOT / "docs" / "theory.md").read_text()
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]


def test_the_two_commands_come_first() -> None:
    title, _, fence, first, second, end, *_ = TEXT.splitlines()
    assert title.startswith("# Remora")
    assert (fence, first, second, end) == ("```sh", "make run", "make test", "```")


# The main job is that of `test_run`.
CONSOLE = [block for block in code_blocks(TEXT, "console") if commands_of(block) != ["remora run"]]


@pytest.mark.parametrize("block", CONSOLE)
def test_commands_print_what_the_readme_shows(block: str, tmp_path: Path) -> None:
    (tmp_path / "src").symlink_to(ROOT / "src")
    program = re.sub(r"^remora ", f"{sys.executable} -m remora ", "\n".join(commands_of(block)), flags=re.MULTILINE)
    done = subprocess.run(program, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=200)
    assert "Traceback" not in done.stderr
    assert missing_lines(block, done.stdout + done.stderr) == []


@pytest.mark.parametrize("block", code_blocks(TEXT))
def test_code_of_the_readme_runs(block: str, tmp_path: Path) -> None:
    assert 8 <= len([line for line in block.splitlines() if line]) <= 12
    printed_by(block, tmp_path)
    for picture in ("square.png", "fit.png"):
        assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")
    assert [line for line in block.splitlines() if "import" in line] == ["import remora"]
    assert remora.load_vehicle(tmp_path / "my_rov.yaml").name == "bluerov2_heavy_fitted"


def test_every_function_of_the_theory_exists() -> None:
    names = re.findall(r"`((?:remora\.)?[a-z_.]+\.[a-z_A-Z]+)`", THEORY)
    names = [name for name in names if not name.endswith(".md") and name not in ("remora.equations", "remora.plant")]
    assert len(names) > 40
    for name in names:
        module, function = name.rsplit(".", 1)
        room = "" if module.startswith("remora.") else "remora.equations."
        assert callable(getattr(import_module(room + module), function)), name


def test_every_method_of_the_theory_exists() -> None:
    from remora import plant

    table = THEORY.split("| Method | Order | For |")[1].split("\n\n")[0]
    for name in re.findall(r"`([A-Za-z_0-9]+)(?:\(\.\.\.\))?`", table):
        assert hasattr(plant, name)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text()):
        if not target.startswith("http"):
            assert (document.parent / target).exists(), target
