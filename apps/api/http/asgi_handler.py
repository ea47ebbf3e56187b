"""Django's ASGI handler: one thread a request, no connection while the client reads.

Where middleware that can only be called synchronously meets middleware that can do both,
Django's own goes back and forth between event loop and thread a dozen times a request; under
load every time is a wait for the interpreter (docs/decisions/0018).
"""

import django
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.db import close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from apps.api.http.body_limit import RequestBodyLimit


class OneThreadHandler(ASGIHandler):
    """Runs middleware and view in one go; what an async view would gain, it loses."""

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: ARG002 (Django's signature)
        """Load it to be called synchronously."""
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Answer in the thread that is this request's own."""
        return await sync_to_async(self.get_response_and_release)(request)

    def get_response_and_release(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, and return the connection to the pool before the client reads the answer.

        Django itself returns it after the last byte, which a client can put off forever.
        """
        try:
            return self.get_response(request)
        finally:
            close_old_connections()


def application() -> RequestBodyLimit:
    """Return the service as an ASGI application."""
    django.setup(set_prefix=False)
    return RequestBodyLimit(OneThreadHandler())
