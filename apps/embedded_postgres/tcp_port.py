"""The port of the embedded PostgreSQL on the loopback interface."""

import secrets
import socket

from apps.embedded_postgres.errors import NoFreePort
from apps.embedded_postgres.home import Home, write_private

HOST = "127.0.0.1"
PORTS = range(20_000, 32_000)
"""Below the range of ports for outgoing connections."""
PORT_TRIES_MAX = 100


def choose_port(home: Home) -> int:
    """Return the stored port of this home; if it is in use, choose and store another.

    :raises NoFreePort: if no port is free.
    """
    if home.port.exists() and home.port.read_text().strip().isdigit():
        stored = int(home.port.read_text())
        if is_free(stored):
            return stored
    for _ in range(PORT_TRIES_MAX):
        port = secrets.choice(PORTS)
        if is_free(port):
            write_private(home.port, str(port))
            return port
    raise NoFreePort(
        f"No port of {HOST} between {PORTS.start} and {PORTS.stop} is free: stop what uses "
        "them, or set DATABASE_URL to a running PostgreSQL."
    )


def is_free(port: int) -> bool:
    """Return whether a server can listen at a port of the loopback interface."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
            probe.listen(1)
        except OSError:
            return False
    return True
