"""A proxy whose connections break in the midst of responses, as networks do."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

HOST = "127.0.0.1"
PART_BYTES = 65_536


@contextmanager
def breaking_proxy(port: int, *, after_bytes: list[int]) -> Iterator[int]:
    """Give the port of a proxy before a service.

    :param after_bytes: for the first connections, after how many bytes of responses each
        breaks; later ones hold.
    """
    limits = iter(after_bytes)
    with socket.create_server((HOST, 0)) as listening:
        threading.Thread(target=_accept, args=(listening, port, limits), daemon=True).start()
        yield listening.getsockname()[1]


def _accept(listening: socket.socket, port: int, limits: Iterator[int]) -> None:
    with suppress(OSError):  # the test is over
        while True:
            client, _ = listening.accept()
            threading.Thread(
                target=_connect, args=(client, port, next(limits, None)), daemon=True
            ).start()


def _connect(client: socket.socket, port: int, most: int | None) -> None:
    with client, socket.create_connection((HOST, port)) as service:
        asking = threading.Thread(target=_pass_on, args=(client, service, None), daemon=True)
        asking.start()
        _pass_on(service, client, most)
        asking.join()


def _pass_on(source: socket.socket, target: socket.socket, most: int | None) -> None:
    passed = 0
    with suppress(OSError):  # either side may hang up
        while part := source.recv(PART_BYTES):
            if most is not None and passed + len(part) > most:
                target.sendall(part[: most - passed])
                break
            target.sendall(part)
            passed += len(part)
    for one in (source, target):
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
