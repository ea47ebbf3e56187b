"""A request is handed to its thread once, however much middleware lies before its view."""

import asyncio
import threading
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from asgiref.sync import SyncToAsync
from django.http import HttpRequest, HttpResponse

from apps.api.http.asgi import OneThreadHandler

SCOPE = {
    "type": "http",
    "http_version": "1.1",
    "method": "GET",
    "path": "/api/v1/nowhere",
    "query_string": b"",
    "headers": [(b"host", b"localhost")],
}


ANSWERED_IN: list[int] = []


def answering(_get_response: Callable[[HttpRequest], HttpResponse]) -> Any:
    """Return middleware that answers everything itself, and notes where."""

    def middleware(_request: HttpRequest) -> HttpResponse:
        ANSWERED_IN.append(threading.get_ident())
        return HttpResponse()

    return middleware


def asked(handler: OneThreadHandler) -> Mapping[str, Any]:
    """Return the beginning of the answer."""
    bodies = [{"type": "http.request", "body": b""}]
    sent: list[Mapping[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if bodies:
            return bodies.pop()
        await asyncio.Event().wait()  # the client stays until it has its answer
        raise AssertionError

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message)

    asyncio.run(handler(SCOPE, receive, send))
    return sent[0]


class TestHandler:
    def test_hands_a_request_over_once(
        self, monkeypatch: pytest.MonkeyPatch, settings: Any
    ) -> None:
        handed: list[Any] = []
        usual = SyncToAsync.__call__

        async def noted(self: Any, *inputs: Any, **named: Any) -> Any:
            handed.append(self.func)
            return await usual(self, *inputs, **named)

        monkeypatch.setattr(SyncToAsync, "__call__", noted)
        handler = OneThreadHandler()
        assert asked(handler)["status"] == 404
        answers = [func for func in handed if func == handler.get_response_and_release]
        of_middleware = [
            func for func in handed if "middleware" in getattr(func, "__module__", "")
        ]
        assert len(answers) == 1
        assert len(settings.MIDDLEWARE) > 5
        assert not of_middleware

    def test_answers_away_from_the_loop(self, settings: Any) -> None:
        settings.MIDDLEWARE = [f"{__name__}.answering"]
        assert asked(OneThreadHandler())["status"] == 200
        [thread] = ANSWERED_IN
        assert thread != threading.get_ident()
