"""Rules for every test: kernels compile once, pictures need no screen, random inputs repeat, a skip is a failure."""

import os
import sys
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

os.environ["MPLBACKEND"] = "Agg"  # also for the subprocesses that tests start
# Each core has a worker. More threads of BLAS, which wait actively, would double the CPU time of fits.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# How long an example takes depends on the machine, so time is no reason to fail; pytest-timeout guards the whole test.
settings.register_profile(
    "remora", deadline=None, derandomize=True, max_examples=100, suppress_health_check=[HealthCheck.too_slow]
)
# `make nightly`: other examples each night, more of them, and the lines that repeat one that fails.
settings.register_profile(
    "nightly",
    settings.get_profile("remora"),
    derandomize=False,
    max_examples=1000,
    print_blob=True,
)
settings.load_profile(os.environ.get("REMORA_HYPOTHESIS", "remora"))

# The tests that may be skipped: node id, or reason as given to pytest.skip -> why that is right.
ALLOWED_SKIPS: dict[str, str] = {
    "the recorded data are not on this machine": "they belong to others and are not part of the repository",
    "there is no Chromium on this machine": "the mission page is also tested without one; CI installs it",
    "it has no wheels for this Python": "what it judges is tested with other Pythons",
}

# Packages that tests import and that newer Pythons lack, as pyproject.toml says.
NO_WHEELS = {"daqp", "h5netcdf", "h5py", "mcap", "mcap_protobuf"} if sys.version_info >= (3, 15) else set()
collect_ignore = ["tests/logs/test_log_round_trip.py"] if "mcap" in NO_WHEELS else []


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels before the workers of pytest-xdist start, so that they find them in the cache.

    A kernel that does not compile is announced and then fails its own tests: the plain Python ones can still run.
    """
    skipped = os.environ.get("REMORA_NO_WARM_UP")  # few tests, or of a mutated source: each compiles what it needs
    if skipped or hasattr(session.config, "workerinput") or session.config.option.collectonly:
        return
    try:
        from compiled_kernels import compile_kernels, spare_memory

        spare_memory()
        compile_kernels()
    except Exception as error:
        terminal = session.config.pluginmanager.get_plugin("terminalreporter")
        terminal.write_line(f"the kernels could not be compiled: {type(error).__name__}: {error}", red=True)


def pytest_collection_finish() -> None:
    """What the tests compile does not stay in the memory of this process."""
    if "remora.plant.compilation" in sys.modules:
        from compiled_kernels import spare_memory

        spare_memory()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Workers by cores and memory."""
    from work_units import workers

    return workers()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Tests that share something expensive go to one worker."""
    from work_units import SharedWork

    return SharedWork(config, log) if config.getvalue("dist") == "loadgroup" else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """A test skips where a package has no wheels for this Python."""
    try:
        return (yield)
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in NO_WHEELS:
            raise
        pytest.skip("it has no wheels for this Python")


@pytest.fixture
def blank_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are made, but their files stay empty: drawing takes most of the time of a short `remora run`."""
    monkeypatch.setattr("remora.report.drawing.picture_bytes", lambda *_, **__: b"")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that skips, fails."""
    return _refuse_skip((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """A file that skips itself, fails."""
    return _refuse_skip((yield))


def _refuse_skip(report: Any) -> Any:
    """The report, as a failure if it is a skip that is not in ALLOWED_SKIPS. An expected failure is no skip."""
    if not report.skipped or hasattr(report, "wasxfail"):
        return report
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    reason = reason.removeprefix("Skipped: ")
    if report.nodeid not in ALLOWED_SKIPS and reason not in ALLOWED_SKIPS:
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} was skipped: {reason}. Let it run, or list it in ALLOWED_SKIPS."
    return report
