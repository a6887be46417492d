"""Ctrl-C in code that cannot raise exceptions.

Python prints and drops an exception in a callback of a C library or in a finaliser. LLVM calls such a callback for each
compiled function that it loads, so that a Ctrl-C in the first second of a command was lost now and then.
"""

import signal
import sys
import threading
from typing import Any

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
