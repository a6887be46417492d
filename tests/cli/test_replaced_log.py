"""A run that replaces the log of another scenario says so."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from remora.cli.commands.run import prepare_files


def _setup(scenario_hash: str) -> Any:
    return cast(Any, SimpleNamespace(name="try", seed=0, scenario_hash=scenario_hash))


def test_a_log_of_another_scenario_is_not_replaced_without_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = prepare_files(str(tmp_path), _setup("dc27b9626de3d4d9"), resume=False).log
    assert not capsys.readouterr().err
    log.write_bytes(b"\x89MCAP0\r\n remora scenario_hash\x10dc27b9626de3d4d9 ...")
    prepare_files(str(tmp_path), _setup("dc27b9626de3d4d9"), resume=False)
    assert not capsys.readouterr().err
    prepare_files(str(tmp_path), _setup("53160fa6f629a6fc"), resume=False)
    assert "is the log of another scenario, or of an older version; it is replaced" in capsys.readouterr().err
