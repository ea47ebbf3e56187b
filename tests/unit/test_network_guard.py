"""No test reaches another machine."""

import socket

import pytest


class TestNetworkGuard:
    def test_refuses_an_address_of_another_machine(self) -> None:
        with pytest.raises(RuntimeError, match=r"must not reach 192\.0\.2\.1"):
            socket.create_connection(("192.0.2.1", 80), timeout=1)

    def test_refuses_to_look_up_a_name(self) -> None:
        with pytest.raises(RuntimeError, match=r"must not reach example\.org"):
            socket.getaddrinfo("example.org", 80)

    def test_lets_this_machine_be_reached(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            socket.create_connection(server.getsockname(), timeout=60).close()
