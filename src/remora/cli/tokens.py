"""Where a command listens, and the token that its clients show."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remora.run.live.listener import Listener
    from remora.run.live.operator_server import OperatorServer


def address_and_token(listening: "Listener | OperatorServer", file: str | None) -> str:
    """Text: address and token, or the file into which it is written."""
    from remora.run.live.listener import LOOPBACK, write_token

    address = f"{LOOPBACK} port {listening.port}"
    if file is None:
        return f"{address}, token {listening.token}"
    write_token(file, listening.token)
    return f"{address}, token in {file}"
