"""Opening a page in the browser of this machine."""

import os
import sys
import webbrowser


def open_in_browser(address: str) -> bool:
    """Open an address; False where there is no screen or no browser."""
    has_screen = sys.platform in ("darwin", "win32") or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    return has_screen and webbrowser.open(address)
