"""Plug-ins: the sample package is installed, used and removed; broken and clashing ones are named and left out."""

import json
import pickle
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from remora.cli import main
from remora.cli.group import PLUGINS as COMMANDS, summary_of
from remora.equations.hull.forms.form import FormError
from remora.equations.hull.forms.user_form import package_digest, reference_of_form, restored_form
from remora.files import registries
from remora.files.registries import PluginError, installed
from remora.logs import read_log
from remora.logs.readers.registry import PLUGINS as READERS
from remora.plant import batch, pack, rollout
from remora.plant.forms.user_forms import forms_key
from remora.plant.plant import Plant
from remora.scenarios.part_registry import PLUGINS as PARTS
from remora.scenarios.reader import scenario_from_text
from remora.sensors import find_kind
from remora.vehicles import preset_path
from remora.vehicles.sections.force_sections import PLUGINS as FORCES
from remora.vehicles.vehicle_reader import vehicle_from_text

SAMPLE = Path(__file__).parents[1] / "examples" / "plugin"
SKEG = 'forces: [{model: skeg, z: 20 cm, drag: 40, source: "towing tank"}]\n'
SCENARIO = """
name: sample
duration: 2 s
vehicles:
  - name: rov
    file: rov.yaml
    position: [0, 0, 1 m]
    velocity: [0, 0.4 m/s, 0]
    sensors:
      - {name: water, kind: thermometer, position: [0, 0, 0], rate: 10 Hz, parameters: {gradient: 0.2, std: 0.01}}
    navigation: truth
    control: {part: depth_keeper, rate: 50 Hz, depth: 3 m}
    allocation: pseudo_inverse
"""
BROKEN = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "remora-broken"
version = "2.0"
[tool.hatch.build.targets.wheel]
packages = ["remora_broken"]
"""

BUNDLED = "run dive_and_turn --duration 1 --out bundled.mcap --no-page"
COMPARE = "compare dive.depth dive.depth"
RUN = "run run.yaml --out sample.mcap --no-page"
PROGRAM = """
import json
import sys
from click.testing import CliRunner
import remora.report.drawing
from remora.cli import main

remora.report.drawing.picture_bytes = lambda *_, **__: b""  # drawing takes most of the time
done = {line: CliRunner().invoke(main, line.split()) for line in sys.argv[1:]}
print(json.dumps({line: (one.exit_code, one.stdout, one.stderr) for line, one in done.items()}))
"""


class ScratchEnvironment:
    """An environment that sees the packages of the running one and can be changed without changing it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.python = folder, folder / "environment" / "bin" / "python"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.python.parents[1]], check=True)
        (self.site,) = (self.python.parents[1] / "lib").glob("*/site-packages")
        below = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
        (self.site / "below.pth").write_text(below, encoding="utf-8")

    def pip(self, *arguments: object) -> None:
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "--python", self.python]
        subprocess.run([*command, *map(str, arguments)], check=True, cwd=self.folder, timeout=200)

    def install(self, source: Path) -> None:
        """Build the wheel of a folder and install it, without a package index."""
        wheels = self.folder / "wheels" / source.name
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", wheels]
        subprocess.run(command, check=True, cwd=source, timeout=200, stdout=subprocess.DEVNULL)
        self.pip("install", "--no-index", "--no-deps", *wheels.glob("*.whl"))

    def remora(self, *lines: str) -> dict[str, tuple[int, str, str]]:
        """Exit code, standard output and error of some command lines, in one new process."""
        command = [str(self.python), "-c", PROGRAM, *lines]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=250)
        assert done.returncode == 0, done.stderr
        return {line: tuple(told) for line, told in json.loads(done.stdout).items()}

    def traces(self) -> tuple[str, str, bytes]:
        """What a plug-in could leave behind: lists of commands and plug-ins, and the log of a bundled scenario."""
        told = self.remora("--help", "plugins", BUNDLED)
        return told["--help"][1], told["plugins"][1], (self.folder / "bundled.mcap").read_bytes()


def broken_package(folder: Path) -> Path:
    """A package with an entry point of every group, whose only module raises at import."""
    package = folder / "broken" / "remora_broken"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "all.py").write_text('"""Never."""\nraise RuntimeError("no licence\\nfound")\n', encoding="utf-8")
    groups = "".join(
        f'[project.entry-points."remora.{group}"]\nbroken = "remora_broken.all:THING"\n'
        for group in ("commands", "sensors", "parts", "forces", "readers")
    )
    (package.parent / "pyproject.toml").write_text(BROKEN + groups, encoding="utf-8")
    return package.parent


def test_the_sample_plug_in_is_installed_used_and_removed(tmp_path: Path) -> None:
    scratch = ScratchEnvironment(tmp_path)
    before = scratch.traces()
    (tmp_path / "rov.yaml").write_text(preset_path("bluerov2_heavy").read_text(encoding="utf-8") + "\n" + SKEG)
    (tmp_path / "run.yaml").write_text(SCENARIO, encoding="utf-8")
    (tmp_path / "dive.depth").write_bytes(b"DEPTH1" + np.array([1.0, 1.5, 2.5], "<f4").tobytes())
    scratch.install(SAMPLE)
    told = scratch.remora(
        BUNDLED, "--help", "plugins --json", RUN, "deepest sample.mcap", COMPARE, f"{COMPARE} --reader depth_logger"
    )
    assert (tmp_path / "bundled.mcap").read_bytes() == before[2]
    assert "Print the largest depth of each vehicle in a log." in told["--help"][1]
    listed = json.loads(told["plugins --json"][1])
    ours = {(one["kind"], one["name"]) for one in listed if one["origin"] == "remora-sample 1.0" and not one["fault"]}
    assert ours == {
        ("sensor", "thermometer"), ("part", "depth_keeper"), ("force", "skeg"), ("reader", "depth_logger"),
        ("command", "deepest"),
    }  # fmt: skip
    assert told[RUN][0] in (0, 3), told[RUN][2]
    log = read_log(tmp_path / "sample.mcap")
    for name in ("depth_keeper (remora.parts)", "thermometer (remora.sensors)", "skeg (remora.forces)"):
        assert f"{name} of remora-sample 1.0" in log.header.notes["plug-ins"]
    depth = log["rov/truth"]["p_NB_z"]
    assert depth[-1] > 1.3
    assert log["rov/water"]["temperature"][-1] == pytest.approx(288.0 - 0.2 * depth[-1], abs=0.1)
    assert told["deepest sample.mcap"] == (0, f"rov  {depth.max():.3f} m\n", "")
    assert told[COMPARE][0] == 0
    assert told[f"{COMPARE} --reader depth_logger"] == told[COMPARE]

    scratch.install(broken_package(tmp_path))
    told = scratch.remora(COMPARE, "broken", RUN, "plugins --json")
    line = 'plug-in "broken" (remora.{}) of remora-broken 2.0 cannot be used: RuntimeError: no licence found, at {}:2.'
    place = str(scratch.site / "remora_broken" / "all.py")
    assert told[COMPARE][0] == 0
    assert told[COMPARE][2] == f"warning: {line.format('readers', place)}\n"
    assert told["broken"] == (2, "", f"error: {line.format('commands', place)}\n")
    faults = [one["fault"] for one in json.loads(told["plugins --json"][1])]
    assert faults.count(f"cannot be used: RuntimeError: no licence found, at {place}:2.") == 5
    assert faults.count("") == len(listed)
    changed = read_log(tmp_path / "sample.mcap")
    assert line.format("readers", place) in changed.header.notes["plug-ins left out"]
    assert changed["rov/truth"]["p_NB_z"].tolist() == depth.tolist()

    scratch.pip("uninstall", "-y", "remora-sample", "remora-broken")
    assert scratch.traces() == before
    code, _, refused = scratch.remora(RUN)[RUN]
    assert code == 2
    assert "skeg: there is no force form of this name" in refused


@pytest.fixture
def distribution(tmp_path, monkeypatch):
    """A function that installs a distribution for one test: entry points by group, and modules by name."""
    monkeypatch.setattr(registries, "_reported", {})

    def install(name, points, modules=None, version="1.0"):
        folder = tmp_path / name
        info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir(parents=True)
        text = "[console_scripts]\nx = y:z\n"
        for group, given in points.items():
            text += f"\n[remora.{group}]\n" + "".join(f"{key} = {value}\n" for key, value in given.items())
        (info / "entry_points.txt").write_text(text, encoding="utf-8")
        for module, text in (modules or {}).items():
            (folder / f"{module}.py").write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(folder)
        registries._entry_points.cache_clear()

    yield install
    registries._entry_points.cache_clear()


@pytest.fixture
def sample(distribution, monkeypatch):
    """The sample plug-in, from its sources."""
    monkeypatch.syspath_prepend(SAMPLE / "src")
    distribution("remora-sample", {"forces": {"skeg": "remora_sample.force:SKEG"}})


def with_skeg(model="skeg", drag=40.0):
    text = preset_path("bluerov2_heavy").read_text(encoding="utf-8")
    return vehicle_from_text(text + "\n" + SKEG.replace("skeg", f'"{model}"').replace("40", str(drag)))


def test_a_force_of_a_plug_in_runs_as_one_of_a_file(sample):
    """The same bits: compiled, in a batch, with dual numbers."""
    start = (0.0, 0.0, 5.0, 1.0, 0.0, 0.0, 0.0, 0.3, 0.5, -0.1, 0.2, -0.1, 0.4, *[0.0] * 8)
    ends, slopes = [], []
    for model in ("skeg", f"{SAMPLE / 'src/remora_sample/force.py'}:SKEG"):
        packed = [pack(with_skeg(model, drag).parameters) for drag in (0.0, 20.0, 40.0)]
        alone = [rollout(one, start, [0.0] * 8, 0.1, 10, intervals=3) for one in packed]
        np.testing.assert_array_equal(batch(packed, [start] * 3, np.zeros((3, 1, 8)), 0.1, 10, intervals=3), alone)
        ends.append(alone)
        slopes.append(Plant(with_skeg(model)).linearise(start, np.zeros(8)).A)
    np.testing.assert_array_equal(*ends)
    np.testing.assert_array_equal(*slopes)
    assert ends[0][0][-1, 8] > ends[0][2][-1, 8]


def test_a_force_of_a_plug_in_is_written_and_copied_by_its_name(sample):
    force = with_skeg().parameters.forces[-1]
    assert force.form.origin.plugin == "remora-sample 1.0"
    assert reference_of_form(force.form) == "skeg"
    again = pickle.loads(pickle.dumps(force))
    assert (again.form.origin, again.records) == (force.form.origin, force.records)
    assert forms_key((force.form,))  # its compiled function is kept
    changed = force.form.origin._replace(digest="0")
    with pytest.raises(FormError, match="has changed since the vehicle was loaded"):
        restored_form("skeg", changed)


def test_the_cache_of_a_force_depends_on_all_sources_of_its_package(tmp_path, monkeypatch):
    package = tmp_path / "keel_plugin" / "forms"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").write_text("", encoding="utf-8")
    (package / "keel.py").write_text("DRAG = 1.0\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    __import__("keel_plugin.forms.keel")
    first = package_digest.__wrapped__("keel_plugin.forms.keel")
    assert first == package_digest("keel_plugin.forms.keel")
    (package.parent / "helper.py").write_text("DRAG = 2.0\n", encoding="utf-8")
    assert package_digest.__wrapped__("keel_plugin.forms.keel") != first
    assert package_digest("keel_plugin.forms.keel") == first  # as it was imported


SENSOR = """
from remora.sensors import Measurement, SensorChannel, Status
class Depth(Measurement):
    channels = (SensorChannel("depth", "m"),)
    def read(self, truth, environment):
        return Status.OK, (truth.p_NB[2],)
"""


def test_a_bundled_name_wins_and_both_origins_are_named(distribution, capsys):
    points = {"dvl": "my_sonars:Depth", "sounder": "my_sonars:Depth"}
    distribution("my-sonars", {"sensors": points}, {"my_sonars": SENSOR})
    assert find_kind("dvl").name == "dvl"
    assert find_kind("dvl").components is not find_kind("sounder").components
    line = 'warning: plug-in "dvl" (remora.sensors) of my-sonars 1.0 is left out: remora itself has the name "dvl"\n'
    assert capsys.readouterr().err == line  # once


def test_two_plug_ins_of_one_name_are_both_left_out(distribution, capsys):
    for name in ("one-lab", "other-lab"):
        distribution(name, {"parts": {"glide": "nowhere:Glide"}})
    assert PARTS.get("glide") is None
    first, second = sorted(capsys.readouterr().err.splitlines())
    assert first.endswith("of one-lab 1.0 is left out: other-lab 1.0 has the same name")
    assert second.endswith("of other-lab 1.0 is left out: one-lab 1.0 has the same name")


@pytest.mark.parametrize(
    ("extension", "group", "text", "fault"),
    [
        (COMMANDS, "commands", "THING = 3", "odd:THING is no command of click"),
        (PARTS, "parts", "THING = 3", "odd:THING is neither a class nor a PartKind"),
        (FORCES, "forces", "THING = 3", "odd:THING is no Form"),
        (READERS, "readers", "THING = 3", "odd:THING is neither a function nor a LogFormat"),
        (PARTS, "parts", "import sys; sys.exit('not today')", "SystemExit: not today"),
        (PARTS, "parts", "OTHER = 3", "AttributeError: module 'odd' has no attribute 'THING'"),
        (FORCES, "forces", "from remora.equations.hull.forms.lift import LIFT as THING", "its object has the name"),
    ],
)  # fmt: skip
def test_what_is_no_plug_in_is_refused_in_one_line(extension, group, text, fault, distribution, monkeypatch):
    distribution("odd-things", {group: {"odd": "odd:THING"}}, {"odd": text})
    monkeypatch.delitem(sys.modules, "odd", raising=False)
    with pytest.raises(PluginError) as caught:
        extension.get("odd")
    assert str(caught.value).startswith(f'plug-in "odd" (remora.{group}) of odd-things 1.0 cannot be used: {fault}')
    assert "\n" not in str(caught.value)
    assert extension.all().get("odd") is None
    monkeypatch.delitem(sys.modules, "odd", raising=False)


def test_a_scenario_that_names_a_broken_plug_in_is_refused_at_its_line(distribution, monkeypatch):
    points = {"sensors": {"gauge": "bad:X"}, "parts": {"keep_depth": "bad:X"}}
    distribution("bad-things", points, {"bad": "raise OSError('no device')"})
    text = (
        SCENARIO.replace("thermometer", "gauge")
        .replace("depth_keeper", "keep_depth")
        .replace("rov.yaml", "bluerov2_heavy")
    )
    with pytest.raises(ValueError) as caught:
        scenario_from_text(text, "run.yaml")
    for group in ("sensors", "parts"):
        assert f"(remora.{group}) of bad-things 1.0 cannot be used: OSError: no device, at " in str(caught.value)
    assert "bad.py:1." in str(caught.value)
    assert str(caught.value).count("run.yaml:") == 2


def test_the_help_of_a_command_is_read_without_importing_it(distribution):
    texts = {
        '# a licence\n"""Do one thing.\n\nMore."""\nraise RuntimeError': "Do one thing.",
        "r'''Do it.'''": "Do it.",
        f"{'#' * 200}\n# {'# ' * 200}\n\n   \nimport os": "",
        "": "",
    }
    for i, (text, summary) in enumerate(texts.items()):
        distribution(f"tool-{i}", {"commands": {f"tool{i}": f"tool{i}:run"}}, {f"tool{i}": text})
        (plugin,) = (one for one in installed("remora.commands") if one.name == f"tool{i}")
        assert summary_of(plugin) == summary
    assert not {f"tool{i}" for i in range(len(texts))} & sys.modules.keys()
    assert "tool0       Do one thing." in CliRunner().invoke(main, ["--help"]).stdout


@pytest.mark.parametrize("command", ["reproduce", "checkcases", "bench", "survey"])
def test_commands_of_the_evidence_say_what_to_install(command, monkeypatch):
    monkeypatch.setattr(registries, "_entry_points", lambda: ())
    result = CliRunner().invoke(main, [command, "--json"])
    assert result.exit_code == 2
    install = "which is not installed: pip install remora-evidence"
    assert result.stderr == f"error: remora {command} is a command of remora-evidence, {install}\n"
    assert f"\n  {command} " not in CliRunner().invoke(main, ["--help"]).stdout


def test_entry_points_are_those_of_the_standard_library():
    from importlib.metadata import entry_points

    for group in ("commands", "sensors", "parts", "forces", "readers"):
        theirs = entry_points(group=f"remora.{group}")
        ours = {(one.name, one.value, one.distribution, one.version) for one in installed(f"remora.{group}")}
        assert ours == {(one.name, one.value, one.dist.name.lower(), one.dist.version) for one in theirs}
    assert {"reproduce", "checkcases", "bench", "survey"} <= {one.name for one in installed("remora.commands")}
