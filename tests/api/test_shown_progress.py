"""Progress is shown in a terminal or a notebook, and nowhere else."""

import sys
from types import ModuleType

import pytest

from remora.api.progress import shown_progress

pytestmark = pytest.mark.usefixtures("blank_pictures")


def test_a_notebook_gets_one_line_that_is_removed_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    with shown_progress("run", 10.0, "s", None) as update:
        update(5.0)
        update(10.0)
    shown = capsys.readouterr().err
    assert shown.split("\r")[1:3] == ["run: 5 of 10 s", "run: 10 of 10 s"]
    assert shown.endswith("\r")
    assert "\n" not in shown


def test_elsewhere_nothing_is_shown_unless_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    for wanted, shows in ((None, False), (False, False), (True, True)):
        with shown_progress("run", 10.0, "s", wanted) as update:
            update(10.0)
        assert ("run" in capsys.readouterr().err) is shows
