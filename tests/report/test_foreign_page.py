"""A page of another origin in a real browser, beside a run that listens: it neither steers nor reads."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from remora.report.mission_page.live_view import LiveView
from remora.run.live.operator_server import OperatorServer
from remora.run.loop.loop import Loop
from remora.scenarios import scenario_from_text
from report.chromium import browser, find_chromium

pytestmark = [pytest.mark.timeout(600), pytest.mark.xdist_group("browser")]
ROV = """\
name: live
duration: 60 s
vehicles:
  - name: rov
    file: falcon
    position: [0, 0, 5 m]
    navigation: truth
    guidance: pilot
    control: pid
    allocation: {part: bounded, axes: [surge, sway, heave, yaw]}
"""
PAGE = b"<body data-ready=1>a page of somebody else"


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *arguments: object) -> None:
        """Requests are not printed."""


@pytest.fixture
def foreign_url() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def test_a_page_of_another_origin_neither_steers_nor_reads(foreign_url: str, tmp_path: Path) -> None:
    """Its POST was carried out as commands of an operator."""
    if find_chromium() is None:
        pytest.skip("there is no Chromium on this machine")
    loop = Loop(scenario_from_text(ROV))
    loop.advance(100)
    view = LiveView(loop.setup)
    view.send(loop)
    with OperatorServer(loop) as server, browser(tmp_path) as page:
        page.open(foreign_url)
        post = "{method: 'POST', mode: 'no-cors', body: 'take\\nspeeds 0.3 0 0 0\\n'}"
        sent = f"fetch('http://127.0.0.1:{server.port}/', {post}).then(() => 'answered', () => 'failed')"
        assert page.evaluate(sent) == "failed"
        assert not loop.vehicles[0].has_commands
        for url in (view.url, view.url + "events", view.url.rsplit("/", 2)[0] + "/"):  # even if it knew the token
            assert page.evaluate(f"fetch('{url}').then((one) => one.text(), () => 'failed')") == "failed"
        page.open(view.url)  # the page itself works
        assert page.evaluate("remora.header.runs[0].byName['rov/truth'].samples.time.length") >= 1
    view.close(loop)
