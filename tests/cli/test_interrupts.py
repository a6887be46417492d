"""Ctrl-C stops a command whenever it comes, also while modules and compiled functions are loaded."""

import subprocess
import sys
from pathlib import Path

# At every 120th import of the start, a copy of the process gets a Ctrl-C; its exit code is printed.
AT_IMPORTS = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
count, last, busy = 0, 1440, False

def interrupted_copy():
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(20)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    signal.raise_signal(signal.SIGINT)

def moment(event, arguments):
    global count, busy
    if event != "import" or busy or count >= last:
        return
    count += 1
    if count % 120 == 0:
        busy = True
        print("exit code", interrupted_copy(), flush=True)
        busy = False

sys.addaudithook(moment)
from remora.cli import main
main(["check", "falcon"], prog_name="remora")
"""
# The first function of LLVM's object cache that is called gets a Ctrl-C, which Python cannot raise there.
IN_A_CALLBACK = """
import signal, sys
from llvmlite.binding import executionengine
signal.signal(signal.SIGINT, signal.default_int_handler)
calls = 0

def interrupted(real):
    def callback(engine, data):
        global calls
        calls += 1
        if calls == 1:
            signal.raise_signal(signal.SIGINT)
        real(engine, data)
    return type(real)(callback)

executionengine._notify_c_hook = interrupted(executionengine._notify_c_hook)
executionengine._getbuffer_c_hook = interrupted(executionengine._getbuffer_c_hook)
from remora.cli import main
main(["run", "dive_and_turn", "--duration", "0.1", "--no-page", "--out", sys.argv[1]], prog_name="remora")
"""
FINALISER = """
from remora.cli import main
class Faulty:
    def __del__(self):
        raise ValueError("a finaliser failed")
Faulty()
"""


def python(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=200)


def test_ctrl_c_at_many_moments_of_the_start_stops_a_command() -> None:
    done = python(AT_IMPORTS)
    assert done.returncode == 0, done.stderr
    codes = [int(line.split()[-1]) for line in done.stdout.splitlines() if line.startswith("exit code")]
    assert len(codes) >= 6
    assert set(codes) <= {-2, 130}, codes  # -2: by the signal itself, before there is a command


def test_ctrl_c_in_a_callback_of_the_compiler_stops_a_run(tmp_path: Path) -> None:
    done = python(IN_A_CALLBACK, str(tmp_path))
    assert done.returncode == 130, done.stderr
    assert "stopped by Ctrl-C" in done.stderr
    assert "Exception ignored" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_other_errors_of_finalisers_are_reported_as_before() -> None:
    done = python(FINALISER)
    assert "a finaliser failed" in done.stderr
