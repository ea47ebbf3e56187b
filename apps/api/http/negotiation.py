"""The form of answers: JSON, whatever a client accepts, where there is no other to choose."""

import re
from collections.abc import Iterable, Sequence

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

_PARAMETER = "format"
_RANGES_MAX = 50
_QUALITY = re.compile(r"q\s*=\s*(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)")


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


class RequestedFormat(AlwaysJSON):
    """The form that `?format=` names, or that the header Accept likes best; else JSON.

    Nothing is refused here: a form that there is not is an unusable value of the query.
    """

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,  # noqa: ARG002 (the framework's signature)
    ) -> tuple[BaseRenderer, str]:
        """Return the renderer of the form."""
        there_are = list(renderers)
        named = request.query_params.get(_PARAMETER)
        if named is None:
            chosen = _most_wanted(request.headers.get("Accept", ""), there_are)
        else:
            chosen = next((form for form in there_are if form.format == named), None)
        chosen = chosen or there_are[0]
        return chosen, str(chosen.media_type)


def _most_wanted(accept: str, forms: Sequence[BaseRenderer]) -> BaseRenderer | None:
    """Return the form that matches the best range of the header; the first of several."""
    ranges = [_range(text) for text in accept.split(",")[:_RANGES_MAX]]
    for _, wanted in sorted(ranges, key=lambda found: found[0], reverse=True):
        for form in forms:
            kind = str(form.media_type)
            if wanted in {kind, f"{kind.partition('/')[0]}/*", "*/*"}:
                return form
    return None


def _range(text: str) -> tuple[tuple[float, bool], str]:
    """Return how much a media range is wanted, exact ones before patterns, and the range."""
    wanted, *parameters = (part.strip().lower() for part in text.split(";"))
    quality = next((q[1] for part in parameters if (q := _QUALITY.fullmatch(part))), "1")
    return (float(quality), "*" not in wanted), wanted if float(quality) else ""
