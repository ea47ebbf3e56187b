"""The example front-end, served as it lies in frontend_stub/."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Return the page; whoever opens it needs a token for everything that it shows."""
    del request
    html = settings.FRONTEND_PAGE.read_bytes()
    return HttpResponse(html, content_type="text/html; charset=utf-8")
