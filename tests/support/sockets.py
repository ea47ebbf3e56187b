"""A client that works on the bytes of a connection: slow or silent, as a test wants it."""

import http.client
import json
import socket
from dataclasses import dataclass
from typing import Any

HOST = "127.0.0.1"
PATIENCE_SECONDS = 30.0
FEW_BYTES = 4_096


@dataclass(frozen=True)
class Answer:
    """A whole response: its head, and its document if it is JSON."""

    status: int
    headers: http.client.HTTPMessage
    document: Any


class Wire:
    """One connection; closed at the end of its block."""

    def __init__(self, port: int, *, reads_little: bool = False) -> None:
        """Connect; a client that reads little leaves most of a response with the server."""
        self.socket = socket.socket()
        self.socket.settimeout(PATIENCE_SECONDS)
        if reads_little:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, FEW_BYTES)
        self.socket.connect((HOST, port))

    def __enter__(self) -> "Wire":
        return self

    def __exit__(self, *_error: object) -> None:
        self.socket.close()

    def send(self, *parts: bytes) -> None:
        """Send bytes as they are."""
        self.socket.sendall(b"".join(parts))

    def ask(self, method: str, path: str, **headers: str) -> None:
        """Send the head of a request; the body, if there is one, is the caller's to send."""
        shown = {"Host": HOST} | {name.replace("_", "-"): v for name, v in headers.items()}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {v}" for name, v in shown.items())]
        self.send("\r\n".join([*lines, "", ""]).encode())

    def answer(self) -> Answer:
        """Read a response to its end."""
        response = http.client.HTTPResponse(self.socket)
        response.begin()
        content = response.read()
        is_json = "json" in (response.headers["Content-Type"] or "")
        return Answer(
            response.status, response.headers, json.loads(content) if is_json else None
        )

    def status(self) -> int:
        """Read the status of a response and leave the rest unread."""
        line = b""
        while not line.endswith(b"\r\n"):
            line += self.socket.recv(1)
        return int(line.split()[1])

    def rest(self) -> bytes:
        """Read until the server closes the connection, in whatever way."""
        read = b""
        try:
            while part := self.socket.recv(65_536):
                read += part
        except ConnectionError:
            pass  # it was cut off
        return read
