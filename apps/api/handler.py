"""Django's ASGI handler, with one thread for all of a request but an open stream.

Where middleware that can only be called synchronously meets middleware that can do both,
Django's own goes back and forth between event loop and thread a dozen times a request; under
load every time is a wait for the interpreter (docs/decisions/0018).
"""

import django
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class OneThreadHandler(ASGIHandler):
    """Runs middleware and view in one go; what an async view would gain, it loses."""

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: ARG002 (Django asks for it)
        """Load it to be called synchronously."""
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Answer in the thread that is this request's own."""
        return await sync_to_async(self.get_response)(request)


def application() -> OneThreadHandler:
    """Return the service as an ASGI application."""
    django.setup(set_prefix=False)
    return OneThreadHandler()
