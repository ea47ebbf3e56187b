"""Content negotiation: JSON, unless a view has other formats that a client prefers."""

import re
from collections.abc import Iterable
from operator import itemgetter

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

_QUALITY = re.compile(r"(?:^|;)\s*q\s*=\s*(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\s*(?:;|$)")


class AlwaysJSON(BaseContentNegotiation):
    """Responds in JSON, whatever a client accepts."""

    def select_parser(
        self, request: Request, parsers: Iterable[BaseParser]
    ) -> BaseParser | None:
        """Return the parser for the body's type; a body without a type is taken as JSON."""
        media_type = (request.content_type or "").partition(";")[0].strip().lower()
        if not media_type:
            return next(iter(parsers))
        return next((parser for parser in parsers if parser.media_type == media_type), None)

    def select_renderer(
        self,
        request: Request,  # noqa: ARG002 (the framework's signature)
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,  # noqa: ARG002
    ) -> tuple[BaseRenderer, str]:
        """Return the only renderer."""
        only = next(iter(renderers))
        return only, str(only.media_type)


class RequestedFormat(AlwaysJSON):
    """Responds in the format of `?format=`, else of the header Accept, else in JSON.

    Nothing is rejected here: an unknown format is an unusable value of the query.
    """

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,  # noqa: ARG002 (the framework's signature)
    ) -> tuple[BaseRenderer, str]:
        """Return the renderer of the format."""
        known = list(renderers)
        name = request.query_params.get("format")
        if name is not None:
            found = [one for one in known if one.format == name]
        else:
            found = [
                one
                for accepted in _accepted_ranges(request.headers.get("Accept", ""))
                for one in known
                if _matches(str(one.media_type), accepted)
            ]
        chosen = (found or known)[0]
        return chosen, str(chosen.media_type)


def _matches(media_type: str, accepted: str) -> bool:
    return accepted in {media_type, f"{media_type.partition('/')[0]}/*", "*/*"}


def _accepted_ranges(header: str) -> list[str]:
    """Return the media ranges of a header Accept, the best first.

    Their parameters do not count, but for the quality. Django compares them.
    """
    ranges: list[tuple[float, bool, str]] = []
    for token in header.lower().split(","):
        media_range, _, parameters = token.partition(";")
        found = _QUALITY.search(parameters)
        quality = float(found[1]) if found else 1.0
        if quality:
            ranges.append((quality, "*" not in media_range, media_range.strip()))
    return [
        media_range for *_, media_range in sorted(ranges, key=itemgetter(0, 1), reverse=True)
    ]
