"""A headless Chromium for tests of pages, driven by its DevTools protocol."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu-sandbox", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--mute-audio",
    "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--remote-debugging-port=0",
)  # fmt: skip
PATIENCE = 90.0  # s


def find_chromium() -> str | None:
    """Path of a Chromium on this machine."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class BrowserPage:
    """One page: JavaScript in it, screenshots, its console messages and its requests."""

    def __init__(self, socket: ClientConnection, process_id: int) -> None:
        self._socket, self._count, self.process_id = socket, 0, process_id
        self.console: list[str] = []
        self.requests: list[str] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol and collect what happens meanwhile."""
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(timeout=PATIENCE))
            self._note(message)
            if message.get("id") == self._count:
                assert "error" not in message, message
                return dict(message["result"])

    def _note(self, message: dict[str, Any]) -> None:
        method, parameters = message.get("method", ""), message.get("params", {})
        if method == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(one.get("value", one.get("description"))) for one in parameters["args"]))
        elif method == "Runtime.exceptionThrown":
            self.console.append(str(parameters["exceptionDetails"].get("exception", {}).get("description", parameters)))
        elif method == "Log.entryAdded":
            self.console.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def evaluate(self, script: str) -> Any:
        """Value of a JavaScript expression; of a promise its result."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def open(self, url: str) -> None:
        """Load a page and wait until its first frame is drawn."""
        self.call("Page.navigate", url=url)
        self.wait_for("document.body?.dataset.ready === '1'")

    def wait_for(self, condition: str) -> None:
        """Wait until a JavaScript expression is true."""
        deadline = time.monotonic() + PATIENCE
        while not self.evaluate(condition):
            assert time.monotonic() < deadline, f"{condition} never came true; console: {self.console}"
            time.sleep(0.1)

    def press(self, key: str, code: str = "") -> None:
        """Press and release a key."""
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=code or key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code or key)

    def resize(self, width: int, height: int) -> None:
        """Set the size of the window."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )  # fmt: skip

    def screenshot(self) -> bytes:
        """PNG of the window."""
        import base64

        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def share_of_pixels(self, condition: str) -> float:
        """Share of the pixels of the scene for whose r, g and b (0 to 255) a JavaScript condition holds."""
        return float(
            self.evaluate(f"""(() => {{ const c = document.querySelector('#scene canvas');
              const copy = document.createElement('canvas'); copy.width = 120; copy.height = 80;
              remora.draw(); const d = copy.getContext('2d'); d.drawImage(c, 0, 0, 120, 80);
              const p = d.getImageData(0, 0, 120, 80).data; let n = 0;
              for (let i = 0; i < p.length; i += 4) {{ const [r, g, b] = p.slice(i, i + 3); if ({condition}) n++; }}
              return n / (120 * 80); }})()""")
        )

    def cpu_seconds(self) -> float:
        """CPU time of all processes of the browser."""
        ticks = os.sysconf("SC_CLK_TCK")
        total = 0.0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rsplit(")", 1)[1].split()
            except (OSError, IndexError):
                continue
            if int(fields[2]) == os.getpgid(self.process_id):
                total += (int(fields[11]) + int(fields[12])) / ticks
        return total


@contextmanager
def browser(folder: Path, width: int = 1000, height: int = 600) -> Iterator[BrowserPage]:
    """A browser with an empty profile in a folder."""
    command = [
        str(find_chromium()),
        *FLAGS,
        f"--window-size={width},{height}",
        f"--user-data-dir={folder}",
        "about:blank",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        with connect(_page_address(folder, process), max_size=None) as socket:
            page = BrowserPage(socket, process.pid)
            page.resize(width, height)
            yield page
    finally:
        os.killpg(process.pid, 15)
        process.wait(timeout=PATIENCE)


def _page_address(folder: Path, process: subprocess.Popen[bytes]) -> str:
    """WebSocket address of the first page."""
    from urllib.request import urlopen

    deadline, port_file = time.monotonic() + PATIENCE, folder / "DevToolsActivePort"
    while not port_file.is_file() or not port_file.read_text().strip():
        assert process.poll() is None, "the browser ended"
        assert time.monotonic() < deadline, "the browser does not start"
        time.sleep(0.1)
    port = port_file.read_text().split()[0]
    while True:
        with urlopen(f"http://127.0.0.1:{port}/json/list") as answer:
            pages = [one for one in json.load(answer) if one["type"] == "page"]
        if pages:
            return str(pages[0]["webSocketDebuggerUrl"])
        assert time.monotonic() < deadline, "the browser has no page"
        time.sleep(0.1)
