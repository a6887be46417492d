"""What would be published: wheels and source distributions of both packages, installed and used without the sources."""

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

import remora
from remora.distribution import DISTRIBUTION, EVIDENCE, install_line

ROOT = Path(__file__).parents[2]
FOLDERS = {DISTRIBUTION: ROOT, EVIDENCE: ROOT / "evidence"}
LARGEST = 2.3e6  # bytes of the wheel of the product: three quarters are Python, a tenth is the mission page
RECORD = """
import remora
log = remora.simulate(remora.load_scenario("bluerov_square").with_({"log.rate": "50 Hz"}), seed=3, duration=40)
log.save("square.mcap")
print(remora.__version__)
"""


class Environment:
    """An environment with the packages of the running one, but without Remora and plug-ins."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "environment" / ("Scripts" if os.name == "nt" else "bin")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.bin.parent], check=True)
        others = folder / "others"
        others.mkdir()
        for path in Path(sysconfig.get_path("purelib")).iterdir():
            if "remora" not in path.name and path.suffix != ".pth":
                (others / path.name).symlink_to(path)
        python = f"python{sys.version_info[0]}.{sys.version_info[1]}"
        site = self.bin.parent / ("Lib" if os.name == "nt" else f"lib/{python}") / "site-packages"
        (site / "others.pth").write_text(f"{others}\n", encoding="utf-8")

    def install(self, wheel: Path) -> None:
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "--python", self.bin / "python"]
        subprocess.run([*command, "install", "--no-index", "--no-deps", wheel], check=True, timeout=300)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        given = [str(self.bin / command[0]), *command[1:]]
        hidden = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run(given, cwd=self.folder, env=hidden, capture_output=True, text=True, timeout=600)

    def printed(self, *command: str, codes: tuple[int, ...] = (0,)) -> str:
        done = self.run(*command)
        assert done.returncode in codes, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """Source distribution and wheel by name of the distribution."""
    found = {}
    for name, source in FOLDERS.items():
        folder = tmp_path_factory.mktemp(name)
        command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
        subprocess.run(command, cwd=source, check=True, capture_output=True, timeout=300)
        (archive,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
        found[name] = archive, wheel
    return found


@pytest.fixture(scope="module")
def environment(built: dict[str, tuple[Path, Path]], tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the wheel of the product alone."""
    made = Environment(tmp_path_factory.mktemp("empty"))
    made.install(built[DISTRIBUTION][1])
    return made


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


@pytest.mark.parametrize("name", FOLDERS)
def test_the_source_distribution_makes_the_same_wheel(name, built, tmp_path):
    archive, wheel = built[name]
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "again")]
    subprocess.run(command, cwd=source, check=True, capture_output=True, timeout=300)
    (again,) = (tmp_path / "again").glob("*.whl")
    assert contents(again) == contents(wheel)


@pytest.mark.parametrize("name", FOLDERS)
def test_names_versions_and_licence_are_stated(name, built):
    files = contents(built[name][1])
    (record,) = (path for path in files if path.endswith(".dist-info/METADATA"))
    stated = Parser().parsestr(files[record].decode())
    assert (stated["Name"], stated["Version"]) == (name, remora.__version__)
    assert stated["License-Expression"] == "Apache-2.0"
    assert stated["Author"] == "The Remora developers"
    if name == EVIDENCE:
        assert stated.get_all("Requires-Dist")[0] == f"{DISTRIBUTION}[plots]=={remora.__version__}"


def test_the_wheel_of_the_product_is_small_and_holds_no_evidence(built):
    wheel = built[DISTRIBUTION][1]
    assert wheel.stat().st_size <= LARGEST
    assert {path.split("/")[0] for path in contents(wheel)} == {"remora", f"remora_auv-{remora.__version__}.dist-info"}


def test_the_product_alone_runs_checks_fits_and_shows(environment):
    assert environment.printed("remora", "--version") == f"remora {remora.__version__}\n"
    assert "written" in environment.printed(
        "remora", "run", "dive_and_turn", "--duration", "5", "--out", "dive.mcap", "--no-page", codes=(0, 3)
    )
    assert "All invariants hold." in environment.printed("remora", "check", "falcon")
    assert "page" in environment.printed("remora", "view", "dive.mcap", "--out", "dive.html")
    assert environment.printed("python", "-I", "-c", RECORD) == f"{remora.__version__}\n"
    options = "--motion", "truth", "--axes", "surge", "--out", "fitted.yaml"
    fitted = environment.printed("remora", "fit", "bluerov2_heavy", "square.mcap", *options, codes=(0, 3))
    assert "added_mass.surge" in fitted
    assert (environment.folder / "fitted.yaml").exists()


def test_without_the_evidence_reproduce_says_what_is_missing_and_with_it_studies_run(environment, built):
    done = environment.run("remora", "reproduce", "S2V-09")
    assert done.returncode == 2
    assert install_line(distribution=EVIDENCE) in done.stderr
    environment.install(built[EVIDENCE][1])
    assert "S2V-09" in environment.printed("remora", "reproduce", "S2V-09")


def test_every_install_line_names_the_distribution():
    sources = [path for folder in ("src", "evidence/src", "docs", "examples") for path in (ROOT / folder).rglob("*.*")]
    texts = {path: path.read_text(encoding="utf-8") for path in sources if path.suffix in (".py", ".md", ".ipynb")}
    texts[ROOT / "README.md"] = (ROOT / "README.md").read_text(encoding="utf-8")
    other = re.compile(r'pip install "?remora\b(?!-auv|-evidence)|\bremora\[')
    assert [path for path, text in texts.items() if other.search(text)] == []


def test_extras_in_messages_exist():
    known = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    asked = re.compile(r"""install_line\(["'](\w+)["']\)""")
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "src" / "remora").rglob("*.py")]
    assert {name for text in sources for name in asked.findall(text)} <= set(known)
