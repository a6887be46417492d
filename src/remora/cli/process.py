"""What the process of a command owes its user: Ctrl-C that arrives, and standard streams that may be closed or full.

Python prints and drops an exception in a callback of a C library or in a finaliser. LLVM calls such a callback for each
compiled function that it loads, so that a Ctrl-C in the first second of a command was lost now and then.

The exit code tells how the command ended: a reader of its output that leaves early, such as `head`, does not change it.
"""

import io
import os
import signal
import sys
import threading
from typing import Any, final

# Delay after which a dropped interrupt is sent again, s: the callback has returned by then.
_DELAY = 0.02


def resend_dropped_interrupts() -> None:
    """Send Ctrl-C again, until it arrives, where Python drops the KeyboardInterrupt of a callback or finaliser."""
    before = sys.unraisablehook

    def hook(dropped: Any) -> None:
        if not issubclass(dropped.exc_type, KeyboardInterrupt):
            before(dropped)
            return
        timer = threading.Timer(_DELAY, signal.raise_signal, (signal.SIGINT,))
        timer.daemon = True
        timer.start()

    sys.unraisablehook = hook


def guard_streams() -> None:
    """Replace closed standard streams by the null device; discard output that finds no reader."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the lowest free numbers are theirs, which a log would get otherwise
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    for name, words in (("stdout", "standard output"), ("stderr", "standard error")):
        stream = getattr(sys, name)
        if stream is getattr(sys, f"__{name}__") and isinstance(stream, io.TextIOWrapper):
            stream.flush()
            setattr(sys, name, _guarded(stream, words))


def _guarded(stream: io.TextIOWrapper, words: str) -> io.TextIOWrapper:
    raw: Any = _Output(stream.fileno(), words)  # BufferedWriter has no type for it
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering or stream.write_through,
    )


@final
class _Output(io.FileIO):
    """A stream that discards everything once it cannot be written; other errors than a missing reader are reported."""

    def __init__(self, number: int, words: str) -> None:
        super().__init__(number, "wb", closefd=False)
        self._words = words

    def write(self, data: Any, /) -> int:
        """The number of bytes written or discarded."""
        try:
            return super().write(data)
        except OSError as error:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            if isinstance(error, BrokenPipeError):
                return len(data)
            raise OSError(error.errno, error.strerror, self._words) from None
