"""The example front-end, served as it lies in frontend_stub/."""

from django.conf import settings
from django.http import FileResponse, HttpRequest
from django.views.decorators.http import require_safe


@require_safe
def page(request: HttpRequest) -> FileResponse:
    """Return the page; whoever opens it needs a token for everything that it shows."""
    del request
    return FileResponse(
        settings.FRONTEND_PAGE.open("rb"), content_type="text/html; charset=utf-8"
    )
