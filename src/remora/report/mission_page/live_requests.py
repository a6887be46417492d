"""Requests to the live view: the token in the address, and nothing for pages of other origins."""

import re

from remora.run.live.listener import LOOPBACK, Judge, Verdict, is_token

_END = b"\r\n\r\n"
_LINE = re.compile(rb"([A-Z]+) (/[!-~]*) HTTP/1\.[01]")
# For the browser: no other page may embed or read this one, and its address goes nowhere.
_RULES = (
    "Cache-Control: no-store",
    "Content-Security-Policy: frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy: same-origin",
    "Referrer-Policy: no-referrer",
    "X-Content-Type-Options: nosniff",
    "Connection: close",
)


def response_head(kind: str, status: str = "200 OK") -> bytes:
    """Head of a response with a content of a kind, which ends with the connection."""
    return "\r\n".join((f"HTTP/1.1 {status}", f"Content-Type: {kind}", *_RULES, "", "")).encode()


def request_judge(token: str, port: int) -> Judge:
    """Admits requests of this machine's own page, `http://127.0.0.1:PORT/TOKEN/`, and gives the path below it."""
    hosts = {f"{name}:{port}".encode() for name in (LOOPBACK, "localhost")}
    origins = {b"http://" + host for host in hosts}

    def judge(received: bytes) -> Verdict | None:
        if not re.match(rb"[A-Z]{1,10}(?![^ A-Z])", received):
            return _refused("400 Bad Request", "this is no request of a browser")
        if _END not in received:
            return None
        first, *lines = received.partition(_END)[0].split(b"\r\n")
        headers = [(name.strip().lower(), value.strip()) for name, _, value in (line.partition(b":") for line in lines)]
        if [value.lower() for name, value in headers if name == b"host"] not in [[host] for host in hosts]:
            return _refused("421 Misdirected Request", "the live view has another address")
        if any(name == b"origin" and value not in origins for name, value in headers):
            return _refused("403 Forbidden", "the live view answers no other pages")
        return _asked(first, token)

    return judge


def _asked(line: bytes, token: str) -> Verdict:
    """The verdict on the first line of a request from the right origin."""
    found = _LINE.fullmatch(line)
    if found is None:
        return _refused("400 Bad Request", "this is no request of a browser")
    method, path = found.groups()
    given, slash, rest = path[1:].partition(b"/")
    if not slash or not is_token(given, token):
        return _refused("403 Forbidden", "the address lacks the token: open the one that remora run has printed")
    if method != b"GET":
        return _refused("405 Method Not Allowed", "the live view is only for reading")
    return Verdict(True, b"", request=rest.decode("ascii"))


def _refused(status: str, text: str) -> Verdict:
    return Verdict(False, response_head("text/plain; charset=utf-8", status) + text.encode() + b"\n")
