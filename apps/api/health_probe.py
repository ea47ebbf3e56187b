"""Answers /health before the host of a request is validated: probes use any name."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.template.response import SimpleTemplateResponse

from apps.api.views.health import Health

PATH = "/health"


class HealthProbe:
    """Middleware that answers probes of the service's health itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Take what comes after."""
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a probe, or pass the request on."""
        if request.path_info != PATH:
            return self._get_response(request)
        response: HttpResponseBase = Health.as_view()(request)
        if isinstance(response, SimpleTemplateResponse):
            response.render()
        return response
