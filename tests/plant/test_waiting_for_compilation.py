"""A process that waits for another one to compile says so, and says nothing where it does not wait."""

import threading

import filelock
import pytest

from remora.plant import compilation


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(compilation, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(compilation, "SILENT_WAIT", 0.05)
    return tmp_path


def test_a_second_process_says_that_it_waits_for_the_first(cache) -> None:
    """The lock of the other process is let go once the words have been said."""
    other, said, free = filelock.FileLock(cache / "lock"), [], threading.Event()

    def announce(line: str) -> None:
        said.append(line)
        if "waiting for another process" in line:
            free.set()

    def hold() -> None:
        with other:
            held_index.set()
            free.wait(60.0)

    held_index = threading.Event()
    holder = threading.Thread(target=hold)
    holder.start()
    assert held_index.wait(60.0)
    try:
        assert compilation.from_cache("some part", lambda options: "made", announce) == "made"
    finally:
        free.set()
        holder.join()
    assert said == [
        "waiting for another process that compiles the equations",
        "compiling some part, once per machine (about 20 s)",
    ]


def test_a_process_alone_does_not_say_that_it_waits(cache) -> None:
    said = []
    assert compilation.from_cache("some part", lambda options: "made", said.append) == "made"
    assert said == ["compiling some part, once per machine (about 20 s)"]
    assert compilation.from_cache("some part", lambda options: "again", said.append) == "again"
    assert len(said) == 1
