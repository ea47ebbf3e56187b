"""The form of answers: JSON, whatever a client says that it accepts."""

from collections.abc import Iterable

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class AlwaysJSON(BaseContentNegotiation):
    """There is one form, so that there is nothing to refuse."""

    def select_parser(
        self, request: Request, parsers: Iterable[BaseParser]
    ) -> BaseParser | None:
        """Return the parser for the body's type; a body without a type is taken as JSON."""
        said = (request.content_type or "").partition(";")[0].strip().lower()
        if not said:
            return next(iter(parsers))
        return next((parser for parser in parsers if parser.media_type == said), None)

    def select_renderer(
        self,
        request: Request,  # noqa: ARG002 (the framework's signature)
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,  # noqa: ARG002
    ) -> tuple[BaseRenderer, str]:
        """Return the only renderer."""
        only = next(iter(renderers))
        return only, str(only.media_type)
