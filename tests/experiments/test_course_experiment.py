"""A vehicle that fins steer: `design` writes the manoeuvre id1, which flies and can be fitted."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from remora.cli import main
from remora.identification.parameters import values_of
from remora.vehicles import load_vehicle

pytestmark = pytest.mark.usefixtures("blank_pictures")


def remora(*words: str) -> str:
    done = CliRunner().invoke(main, list(words))
    assert done.exit_code in (0, 3), done.output
    return done.output


def test_the_manoeuvre_of_a_torpedo_is_written_flown_and_fitted(tmp_path: Path) -> None:
    plan, log, fitted = (str(tmp_path / name) for name in ("id1.yaml", "run.mcap", "fitted.yaml"))
    assert "accuracy is not predicted" in remora(
        "design", "gavia", "--out", plan, "--duration", "200", "--speed", "1.6"
    )
    assert "not as asked" not in remora("run", plan, "--out", log, "--no-page")
    (line,) = [line for line in Path(plan).read_text().splitlines() if "remora fit" in line]
    words = line.split("remora fit ")[1].replace("LOG.mcap", log).split()
    words[words.index("--axes") + 1] = "sway,yaw"  # it has time for the changes of heading only
    words[words.index("--parameters") + 1] = "damping.quadratic.sway,damping.quadratic.yaw"
    remora("fit", *words, "--out", fitted)
    names = ("damping.quadratic.sway", "damping.quadratic.yaw")
    found, true = (values_of(load_vehicle(one).parameters, names) for one in (fitted, "gavia"))
    assert found == pytest.approx(true, rel=0.1)


def test_the_manoeuvre_of_a_remus_100_is_a_scenario_within_its_depths(tmp_path: Path) -> None:
    plan = str(tmp_path / "id1.yaml")
    remora("design", "remus100", "--out", plan, "--top", "2", "--workspace", "10x5x8")
    text = Path(plan).read_text()
    assert "position: [0, 0, 2.8 m]" in text
    assert "depth_change: 6.4 m" in text
    assert 'file: "remus100"' in text


def test_what_a_manoeuvre_has_not_is_refused() -> None:
    done = CliRunner().invoke(main, ["design", "gavia", "--picture", "p.png"])
    assert done.exit_code == 2
    assert "leave them out" in done.output + str(done.stderr)
